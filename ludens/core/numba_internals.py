"""Numba's private interfaces that Ludens uses, all in one place, with the versions they were tested on.

Tested on Numba 0.68. What is used, and what for:

- `Dispatcher._cache`, the interface of caches, `CompileResult._reduce` and `_rebuild`, `serialize.dumps`: kernels are
  kept under an identity of our own, in Numba's own form (`core.kernel_cache`);
- `Dispatcher.get_call_template`, `add_overload`, `_compiler._customize_flags` and the code libraries: functions that
  only compiled code calls are compiled once for integers of all widths, and get neither wrappers nor machine code
  of their own (`InlinedDispatcher`);
- of numba-cuda 0.30 `CUDATypingContext.__dispatcher` and `CUDADispatcher.get_call_template`: the same on a GPU.

The others of numba-cuda stand in `gpu.numba_cuda_internals`.
"""

from __future__ import annotations

import pickle
from functools import cached_property
from typing import Any

import numba
from numba.core.caching import _Cache as NumbaCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps
from numba.core.types import IntegerLiteral, int64, signed_domain

__all__ = ["CompileResult", "InlinedDispatcher", "NumbaCache", "dumps", "loads"]

loads = pickle.loads


def _widened(argument: Any) -> Any:
    """The type a function is compiled for: int64 for every signed integer and every integer constant."""
    if isinstance(argument, IntegerLiteral):
        argument = argument.literal_type
    return int64 if argument in signed_domain else argument


class _Intermediate(JITCodeLibrary):  # type: ignore[misc]
    """The code of one function before optimisation; whoever calls it optimises it together with its own."""

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class InlinedDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A function that only other compiled functions call.

    Numba would compile it anew for an int8 field, an int16 field, a loop variable and every constant it is called with,
    would optimise it with all that it calls once for itself and once for every caller, and would make wrappers for
    calls from Python. Most of the time to compile a game would go there.
    """

    def __init__(self, function: Any) -> None:
        options = {"nopython": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=options)
        self._compiler._customize_flags = _without_machine_code

    def __call__(self, *arguments: Any) -> Any:
        """For single calls from Python, as in tests: compiled on its own then."""
        return self._standalone(*arguments)

    @cached_property
    def _standalone(self) -> Any:
        return numba.njit(nogil=True)(self.py_func)

    @cached_property
    def _CUDATypingContext__dispatcher(self) -> Any:  # noqa: N802
        """What numba-cuda takes in place of this function inside kernels of a GPU: by its private name there."""
        return _device_function(self.py_func, self.targetoptions)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template([_widened(a) for a in args], {k: _widened(a) for k, a in kws.items()})

    def add_overload(self, cres: Any) -> None:
        cres.library.__class__ = _Intermediate
        entry = object()  # callers find the function by it; there is no address yet
        self.targetctx.insert_user_function(entry, cres.fndesc, [cres.library])
        self.overloads[tuple(cres.signature.args)] = cres._replace(entry_point=entry)


def _device_function(function: Any, options: dict[str, Any]) -> Any:
    """What stands for a rule inside kernels of a GPU."""
    from numba.cuda.dispatcher import CUDADispatcher

    class DeviceFunction(CUDADispatcher):  # type: ignore[misc]
        def get_call_template(self, args: Any, kws: Any) -> Any:
            return super().get_call_template([_widened(a) for a in args], {k: _widened(a) for k, a in kws.items()})

    return DeviceFunction(function, {**options, "device": True, "debug": False, "opt": True})


def _without_machine_code(flags: Any) -> Any:
    flags.no_compile = True
    return flags
