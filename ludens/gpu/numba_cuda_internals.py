"""Private interfaces of numba-cuda that Ludens uses, all in one place; the counterpart of `core.numba_internals`.

Tested on numba-cuda 0.30. What is used, and what for:

- `compile_cuda`, `kernel_fixup` and the code library: numba-cuda fuses multiplications with additions and has no switch
  against it, so kernels are compiled here, with options of our own, and kept as plain machine code;
- the code library's text: tables lie in the constant memory of a GPU, which is small (64 KB) and serves one address at
  a time; they are moved to its global memory;
- `dispatcher.get_current_device`: compiling where no GPU is.

How arrays are passed to a kernel (`gpu.device`) is its calling convention.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np

__all__ = ["compile_library", "cuda_module", "pretending", "record_over", "version"]


def cuda_module() -> Any:
    """`numba.cuda`; it comes with the gpu extra."""
    from ludens.core.extras import require  # here: what a module names is part of what its kernels are known by

    require("gpu", "A batch on a GPU", "numba_cuda")
    if not hasattr(np, "row_stack"):  # numba-cuda still imports a name that NumPy 2.5 dropped
        np.row_stack = np.vstack
    from numba import cuda

    return cuda


def version() -> str:
    from importlib.metadata import version as installed

    return installed("numba-cuda")


def compile_library(function: Any, arguments: tuple[Any, ...], capability: tuple[int, int], registers: int) -> Any:
    """The code of a kernel: `get_asm_str(cc)` is its PTX, `get_cubin()` machine code, `_entry_name` its name."""
    cuda_module()
    from numba.cuda import types
    from numba.cuda.compiler import compile_cuda, kernel_fixup
    from numba.cuda.core.compiler_lock import global_compiler_lock

    with global_compiler_lock:
        result = compile_cuda(
            function,
            types.void,
            arguments,
            nvvm_options={"opt": 3, "fma": 0},  # a fused product would round otherwise than on a CPU
            cc=capability,
            max_registers=registers or None,
        )
        library = result.library
        name = result.fndesc.llvm_func_name
        kernel_fixup(library.get_function(name), False)
        library._entry_name = name
        library._llvm_strs = [text.replace("addrspace(4)", "addrspace(1)") for text in library.llvm_strs]
    return library


def record_over(record_type: Any) -> Any:
    """A function of kernels: an array of one record that lies in the memory of an array of words."""
    cuda_module()
    from numba.cuda import types
    from numba.cuda.extending import intrinsic
    from numba.cuda.np.arrayobj import make_array, populate_array

    @intrinsic  # type: ignore[untyped-decorator]
    def over(typing_context: Any, words: Any) -> Any:
        array = types.Array(record_type, 1, "C")

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            source = make_array(signature.args[0])(context, builder, given[0])
            made = make_array(array)(context, builder)
            size = context.get_constant(types.intp, record_type.size)
            one = context.get_constant(types.intp, 1)
            data = builder.bitcast(source.data, made.data.type)
            populate_array(made, data=data, shape=[one], strides=[size], itemsize=size, meminfo=None)
            return made._getvalue()

        return array(words), generate

    return over


@contextmanager
def pretending(capability: tuple[int, int]) -> Iterator[None]:
    """Within it kernels are compiled for a GPU of this compute capability, without one."""
    cuda_module()
    from numba.cuda import dispatcher

    real = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        yield
    finally:
        dispatcher.get_current_device = real
