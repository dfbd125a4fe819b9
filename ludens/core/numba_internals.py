"""Numba's private interfaces that Ludens uses, all in one place, with the versions they were tested on.

Tested on Numba 0.61 to 0.68. What is used, and what for:

- `CPUDispatcher.get_call_template`: rules are compiled once for integers of all widths (`core.jit`);
- `Dispatcher._cache` and the interface of caches: kernels are kept under an identity of our own (`core.kernel_cache`);
- `CompileResult._reduce` and `_rebuild`, `serialize.dumps`: how Numba itself turns compiled code into bytes and back.
"""

from __future__ import annotations

import pickle

from numba.core.caching import _Cache as NumbaCache
from numba.core.compiler import CompileResult
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps

__all__ = ["CPUDispatcher", "CompileResult", "NumbaCache", "dumps", "loads"]

loads = pickle.loads
