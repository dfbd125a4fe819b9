"""A GPU that is not there: its tensors lie in the CPU's memory, and whoever mixes the two is told so as by a real one.

Within `pretending()` a tensor made for the device "cuda" knows that it belongs there; so do all that are computed from
it. Arithmetic between the two, numbers drawn from a generator of the other device, and reading a GPU's tensor as an
array of NumPy fail with the words of torch.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_flatten

__all__ = ["PretendedGenerator", "pretending"]

_CUDA = torch.device("cuda")
_CROSSING = ("copy_", "cpu", "to", "__deepcopy__", "__set__", "_has_compatible_shallow_copy_type")
_Generator, _autocast = torch.Generator, torch.autocast


class PretendedGenerator(_Generator):  # type: ignore[valid-type,misc]
    """A generator that remembers its device."""

    wanted: str

    def __new__(cls, device: Any = "cpu") -> PretendedGenerator:
        made = super().__new__(cls, device="cpu")
        made.wanted = torch.device(device).type
        return made


_memory: dict[int, Any] = {}
"""What lies on the pretended GPU, by its address; it is kept, so that no address is given twice."""


def _there(tensor: Any) -> bool:
    return bool(tensor.__dict__.get("_there")) or tensor.untyped_storage().data_ptr() in _memory


def _is_gpu(device: Any) -> bool:
    return isinstance(device, str | torch.device) and str(device).startswith("cuda")


class _Pretending(TorchFunctionMode):
    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given, name = dict(kwargs or {}), getattr(function, "__name__", "")
        tensors = [one for one in tree_flatten((args, given))[0] if isinstance(one, torch.Tensor)]
        there = any(_there(one) for one in tensors)
        if name == "__get__" and tensors:
            property_of = getattr(function, "__self__", None)
            if property_of is torch.Tensor.device:
                return _CUDA if there else torch.device("cpu")
            if property_of is torch.Tensor.is_cuda:
                return there
        if name == "numpy" and there:
            raise TypeError("can't convert cuda:0 device type tensor to numpy")
        if name == "cpu":
            return args[0].detach().clone() if there else args[0]
        if name == "to" and any(_is_gpu(one) for one in (*args[1:], given.get("device"))):
            rest = [one for one in args[1:] if isinstance(one, torch.dtype)]
            given.pop("device", None)
            return self._marked(args[0].clone().to(*rest, **given))
        asked = _is_gpu(given.get("device"))
        if asked:
            given["device"] = "cpu"
        if name not in _CROSSING and there and any(not _there(one) and one.dim() for one in tensors):
            raise RuntimeError(f"Expected all tensors to be on the same device, but found cuda:0 and cpu ({name})!")
        generator = given.get("generator")
        if generator is not None:
            wanted = "cuda" if asked or there else "cpu"
            if getattr(generator, "wanted", "cpu") != wanted:
                raise RuntimeError(f"Expected a '{wanted}' device type for generator but found '{generator.wanted}'")
        found = function(*args, **given)
        if name == "__set__" and there:
            self._marked(args[0])
        elif asked or (there and name != "copy_"):
            self._marked(found)
        return found

    def _marked(self, found: Any) -> Any:
        for one in tree_flatten(found)[0]:
            if isinstance(one, torch.Tensor):
                one.__dict__["_there"] = True
                if one.numel():
                    _memory[one.untyped_storage().data_ptr()] = one.untyped_storage()
        return found


@contextmanager
def pretending() -> Iterator[None]:
    """Lets tensors be made for a GPU in this block."""
    torch.Generator, before = PretendedGenerator, torch.Generator
    torch.autocast = lambda device_type, *args, **kwargs: _autocast("cpu", *args, **kwargs)
    try:
        with _Pretending():
            yield
    finally:
        _memory.clear()
        torch.Generator, torch.autocast = before, _autocast
