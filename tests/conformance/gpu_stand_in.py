"""Runs the kernels of a GPU as plain Python, one thread after another, in the memory of the CPU.

Compiling is left out (run it with NUMBA_DISABLE_JIT=1): what is checked is what the kernels and `GpuBatch` do.

python -m tests.conformance.gpu_stand_in GAME PLAYERS GAMES STEPS [setting=number …]
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from numba.np.numpy_support import from_dtype

from ludens.core import verbs
from ludens.core.registry import game
from ludens.gpu import batch as gpu_batch
from ludens.gpu import kernels as gpu_kernels
from ludens.gpu.batch import GpuBatch
from ludens.gpu.check import first_difference
from ludens.gpu.device import DeviceKernel

thread = SimpleNamespace(number=0)
cuda = SimpleNamespace(
    grid=lambda dimensions: thread.number,
    local=SimpleNamespace(array=lambda length, kind, alignment=1: np.full(length, 7, kind)),  # whatever was there
    atomic=SimpleNamespace(min=lambda array, k, value: array.__setitem__(k, min(array[k], value))),
)


def record_over(record_type: Any) -> Any:
    dtype = next(known for known, rules in verbs._BY_DTYPE.items() if from_dtype(known) == record_type)
    return lambda words: words.view(np.uint8)[: dtype.itemsize].view(dtype)


def launch(kernel: DeviceKernel, size: int, block: int, *arguments: Any) -> None:
    """One thread after another; integers of eight bytes are signed in torch, whatever the kernel takes them for."""
    with torch._C.DisableTorchFunction():  # what a kernel reads and writes lies there, wherever it is pretended to be
        given = [
            argument.tensor.numpy().view(str(kind.dtype)) if hasattr(argument, "tensor") else argument
            for argument, kind in zip(arguments, kernel.arguments, strict=True)
        ]
    for number in range(-(-size // block) * block):
        thread.number = number
        kernel.function(*given)


def stand_in(device: str = "cpu") -> None:
    """From here on whatever asks for a GPU gets this one; "cuda" needs `pretended_gpu.pretending`."""
    stand_ins: list[tuple[Any, str, Any]] = [
        (gpu_kernels, "cuda_module", lambda: cuda),
        (gpu_kernels, "record_over", record_over),
        (gpu_batch, "torch_with_gpu", lambda: torch),
        (DeviceKernel, "launch", launch),
        (GpuBatch, "_checked_device", lambda batch, name: torch.device(device)),
        (GpuBatch, "_working", lambda batch, doing: nullcontext()),
    ]
    for place, name, replacement in stand_ins:
        setattr(place, name, replacement)


def main() -> None:
    stand_in()
    chosen, players, size, steps = game(sys.argv[1]), *map(int, sys.argv[2:5])
    settings = {name: int(value) for name, _, value in (word.partition("=") for word in sys.argv[5:])}
    rows = settings.pop("rows", 0)
    found = first_difference(chosen, size, steps, seed=5, players=players, buffers={"rows": bool(rows)}, **settings)
    print(found or "the same")


if __name__ == "__main__":
    main()
