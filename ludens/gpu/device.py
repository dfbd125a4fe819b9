"""An NVIDIA GPU: kernels compiled for it, kept on disk, and launched on torch tensors without copies.

A kernel is a Python function over numbers and arrays that numba-cuda compiles; the driver turns it into machine code,
which is kept under the identity of all it is made from (`core.identity`, `core.kernel_cache`). A warm start loads that
code and compiles nothing. Kernels run in torch's current stream, in order with torch's own work.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ludens.core import kernel_cache
from ludens.core.errors import BadInput
from ludens.core.extras import require
from ludens.core.identity import identity
from ludens.gpu import numba_cuda_internals

__all__ = ["DeviceArray", "DeviceKernel", "array_type", "gpu_errors", "torch_with_gpu"]

_LOST = "AcceleratorError"  # what newer versions of torch call an error of the GPU itself
_PTX, _MAX_REGISTERS = 1, 0  # CU_JIT_INPUT_PTX, CU_JIT_MAX_REGISTERS


def torch_with_gpu() -> Any:
    """PyTorch, if it and a GPU are there; else one sentence."""
    require("gpu", "A batch on a GPU", "torch")
    import torch

    if not torch.cuda.is_available():
        raise BadInput("This needs an NVIDIA GPU with its driver and a PyTorch for CUDA, and none was found.")
    return torch


@contextmanager
def gpu_errors(doing: str) -> Iterator[None]:
    """Turns what a full or lost GPU raises into one sentence."""
    try:
        yield
    except BadInput:
        raise
    except RuntimeError as error:  # torch's own errors are of this kind, and so is DriverError
        text = str(error).strip().partition("\n")[0]
        if "out of memory" in str(error).lower():
            raise BadInput(f"The GPU has too little memory for {doing}: take fewer games. ({text})") from error
        if isinstance(error, DriverError) or _LOST in type(error).__name__ or text.startswith("CUDA error"):
            raise BadInput(
                f"The GPU was lost during {doing}; start again, on a sound GPU, from what was last saved. ({text})"
            ) from error
        raise


class DriverError(RuntimeError):
    """What CUDA's driver answered, in its words."""


def array_type(kind: str, dimensions: int) -> Any:
    """The type of an argument: an array of these numbers with any strides."""
    from numba import types

    return types.Array(getattr(types, kind), dimensions, "A")


class DeviceArray:
    """A torch tensor as a kernel takes it: where it lies, its shape and its strides."""

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor  # keeps the memory
        size = tensor.element_size()
        strides = [step * size for step in tensor.stride()]
        self.words = (0, 0, tensor.numel(), size, tensor.data_ptr(), *tensor.shape, *strides)


class DeviceKernel:
    """One kernel with the types of its arguments: numbers ("int64") and arrays (`array_type`).

    `records` are the record types whose verbs it calls. With `registers` the compiler keeps to so many a thread.
    """

    def __init__(self, function: Any, arguments: Sequence[Any], records: tuple[Any, ...], registers: int = 0) -> None:
        from numba import types

        self.function = function
        self.arguments = tuple(types.int64 if a == "int64" else a for a in arguments)
        self._records, self._registers = records, registers
        self._loaded: dict[int, Any] = {}  # device -> function of the driver
        self.compiled = False  # was it compiled in this process, or loaded?

    def launch(self, size: int, block: int, *arguments: int | DeviceArray) -> None:
        """Runs `size` threads in blocks of `block` on the current device and stream of torch."""
        import torch

        device = torch.cuda.current_device()
        function = self._loaded.get(device)
        if function is None:
            function = self._loaded[device] = self._load(torch.cuda.get_device_capability(device))
        words: list[int] = []
        for argument in arguments:
            if isinstance(argument, DeviceArray):
                words.extend(argument.words)
            else:
                words.append(argument)
        values = (ctypes.c_int64 * len(words))(*words)
        start = ctypes.addressof(values)
        pointers = (ctypes.c_void_p * len(words))(*range(start, start + 8 * len(words), 8))
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        _call("cuLaunchKernel", function, -(-size // block), 1, 1, block, 1, 1, 0, stream, pointers, None)

    def attributes(self) -> dict[str, int]:
        """Registers, local memory and constants of the loaded code, a thread each, in bytes but for registers."""
        names = {"shared": 1, "constants": 2, "local": 3, "registers": 4}
        found = {}
        for name, number in names.items():
            value = ctypes.c_int()
            _call("cuFuncGetAttribute", ctypes.byref(value), number, next(iter(self._loaded.values())))
            found[name] = value.value
        return found

    def ptx(self, capability: tuple[int, int]) -> tuple[str, str]:
        """The name of the kernel and its code for GPUs of this compute capability; needs no GPU."""
        with numba_cuda_internals.pretending(capability):
            library = numba_cuda_internals.compile_library(self.function, self.arguments, capability, self._registers)
            return library._entry_name, library.get_asm_str(cc=(*capability, ""))

    def _load(self, capability: tuple[int, int]) -> Any:
        path = self._path(capability)
        kept = kernel_cache.read(path)
        if kept is None:
            name, text = self.ptx(capability)
            code = _machine_code(text.encode(), self._registers)
            kernel_cache.keep(path, json.dumps(name).encode() + b"\n" + code)
            self.compiled = True
        else:
            head, _, code = kept.partition(b"\n")
            name = json.loads(head)
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        _call("cuModuleLoadData", ctypes.byref(module), code)
        _call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def _path(self, capability: tuple[int, int]) -> Any:
        parts = [
            ["cuda", capability, self._registers, numba_cuda_internals.version()],
            [str(argument) for argument in self.arguments],
            identity(self.function, self._records),
            identity(numba_cuda_internals.compile_library),
            identity(numba_cuda_internals.record_over),
        ]
        return kernel_cache.path_for(self.function, parts)


_driver: Any = None


def _call(name: str, *arguments: Any) -> None:
    """One call of CUDA's driver."""
    global _driver
    if _driver is None:
        _driver = ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    status = getattr(_driver, name)(*arguments)
    if status:
        text = ctypes.c_char_p()
        _driver.cuGetErrorString(status, ctypes.byref(text))
        raise DriverError(f"CUDA error {status} in {name}: {(text.value or b'unknown').decode()}")


def _machine_code(ptx: bytes, registers: int) -> bytes:
    """What the driver makes of a kernel's code for the present GPU."""
    state, code, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    options = (ctypes.c_int * 1)(_MAX_REGISTERS)
    values = (ctypes.c_void_p * 1)(registers)
    _call("cuLinkCreate_v2", 1 if registers else 0, options, values, ctypes.byref(state))
    try:
        data = ctypes.create_string_buffer(ptx)
        _call("cuLinkAddData_v2", state, _PTX, data, ctypes.c_size_t(len(ptx) + 1), b"kernel", 0, None, None)
        _call("cuLinkComplete", state, ctypes.byref(code), ctypes.byref(size))
        return ctypes.string_at(code, size.value)
    finally:
        _driver.cuLinkDestroy(state)
