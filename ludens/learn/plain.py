"""The plain network: one trunk over all features, then the heads.

    trunk = input(features)
    every block: trunk += layer(relu(trunk)), or trunk += outer(relu(inner(relu(trunk)))) with two layers a block
    heads read relu(trunk): a logit for every action, a value in [-1, 1] for every seat from the acting one on,
    and auxiliary numbers, which training alone reads

There is no normalisation: what would stand between layers must be computed at every leaf. The last layer of a block
begins small instead, so that a deep network begins as a shallow one.

An architecture is a class like this one, a number in `search.forward` with its pass, and a module in `torch_network`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

import numpy as np

from ludens.core.errors import BadInput
from ludens.search.forward import PLAIN, PackedNetwork, aligned

__all__ = ["PlainLayout"]

_LARGEST = {"inputs": 1 << 20, "width": 4096, "blocks": 64, "layers": 2, "actions": 1 << 16, "seats": 16}
_LEAST = {"blocks": 0}
_STEP = 16  # widths are multiples of it, so that sums are made side by side without a rest


@dataclass(frozen=True)
class PlainLayout:
    """The sizes of a plain network, from which the names and shapes of its arrays follow."""

    architecture: ClassVar[str] = "plain"

    inputs: int  # numbers of an observation
    actions: int
    seats: int
    width: int = 256
    blocks: int = 2
    layers: int = 1  # of a block: 1 or 2
    auxiliary: Mapping[str, int] = field(default_factory=dict)  # name of a head -> how many numbers it gives

    def __post_init__(self) -> None:
        for name, largest in _LARGEST.items():
            value, least = getattr(self, name), _LEAST.get(name, 1)
            if type(value) is not int or not least <= value <= largest:
                raise BadInput(f"A plain network needs {name} from {least} to {largest}, not {value!r}.")
        if self.width % _STEP:
            raise BadInput(f"The width of a plain network must be a multiple of {_STEP}, not {self.width}.")
        for name, size in self.auxiliary.items():
            if not name.isidentifier() or type(size) is not int or not 1 <= size <= _LARGEST["actions"]:
                raise BadInput(f"An auxiliary head needs a name and a size, not {name!r} and {size!r}.")

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PlainLayout:
        """The inverse of `to_json`; missing, unknown and impossible sizes are refused."""
        sizes = {name: value for name, value in data.items() if name != "architecture"}
        if set(sizes) != {*_LARGEST, "auxiliary"} or not isinstance(sizes["auxiliary"], dict):
            raise BadInput(f"A plain network is described by {', '.join(_LARGEST)} and auxiliary heads.")
        return cls(**sizes)

    def to_json(self) -> dict[str, Any]:
        return {"architecture": self.architecture, **asdict(self), "auxiliary": dict(self.auxiliary)}

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The arrays in the order in which kernels read them.

        Matrices of the trunk have a row an input, those of heads a row an output.
        """
        width = self.width
        found: dict[str, tuple[int, ...]] = {"input.weight": (self.inputs, width), "input.bias": (width,)}
        for block in range(self.blocks):
            for layer in range(self.layers):
                found[f"blocks.{block}.{layer}.weight"] = (width, width)
                found[f"blocks.{block}.{layer}.bias"] = (width,)
        heads = {"policy": self.actions, "value": self.seats}
        heads |= {f"auxiliary.{name}": size for name, size in self.auxiliary.items()}
        for head, size in heads.items():
            found[f"{head}.weight"], found[f"{head}.bias"] = (size, width), (size,)
        return found

    def untrained(self, rng: np.random.Generator) -> dict[str, np.ndarray]:
        """Arrays to begin with: about equal priors, values about zero."""
        arrays = {}
        for name, shape in self.shapes().items():
            scale = 0.0
            if name == "input.weight":
                scale = self.inputs**-0.5
            elif name.startswith("blocks") and name.endswith("weight"):
                last = name.split(".")[2] == str(self.layers - 1)
                scale = (0.1 if last else 1.0) * (2 / self.width) ** 0.5
            elif name.endswith("weight"):
                scale = 0.01 * self.width**-0.5
            arrays[name] = (scale * rng.standard_normal(shape)).astype(np.float32)
        return arrays

    def pack(self, arrays: Mapping[str, np.ndarray]) -> PackedNetwork:
        """What kernels take: the arrays of trunk, policy and value one after the other, and where each begins."""
        used = {name: shape for name, shape in self.shapes().items() if not name.startswith("auxiliary")}
        weights = aligned(sum(int(np.prod(shape)) for shape in used.values()))
        begins, end = {}, 0
        for name, shape in used.items():
            begins[name] = end
            end += int(np.prod(shape))
            weights[begins[name] : end] = arrays[name].ravel()
        sizes = [PLAIN, self.inputs, self.width, self.blocks, self.layers, self.actions, self.seats]
        first_block = self.inputs * self.width + self.width
        offsets = [begins["input.weight"], first_block, begins["policy.weight"], begins["value.weight"]]
        return PackedNetwork(weights, np.array([*sizes, *offsets], np.int64))
