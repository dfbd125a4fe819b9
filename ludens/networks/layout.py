"""What layouts of all architectures share: checked sizes, and arrays packed one after the other; and the plain one.

An architecture is a class of layouts like `PlainLayout`, a pass in `networks.forward`, and a module in `torch_network`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from ludens.core.errors import BadInput
from ludens.networks.forward import SHAPE, PackedNetwork, aligned

__all__ = ["Layout", "PlainLayout", "Shapes"]

Shapes = dict[str, tuple[int, ...]]

_STEP = 16  # widths are multiples of it, so that sums are made side by side without a rest


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The sizes of a network, from which the names and shapes of its arrays follow.

    The trunk and the heads are the same in all architectures:

        every block: trunk += layer(relu(norm(trunk))), or trunk += outer(relu(inner(relu(norm(trunk)))))
        heads read relu(norm(trunk)): a logit for every action, a value in [-1, 1] for every seat from the acting one
        on, and auxiliary numbers, which training alone reads

    A norm brings the trunk's numbers to mean zero and variance one, then applies a gain and a bias to each; with
    norm=0 there is none. It costs a pass little, because the ReLU after it still lets layers skip what is zero. The
    last layer of a block begins small, so that a deep network begins as a shallow one.
    """

    architecture: ClassVar[str]
    largest: ClassVar[dict[str, int]] = {
        "inputs": 1 << 20, "actions": 1 << 16, "seats": 16, "width": 4096, "blocks": 64, "layers": 2, "norm": 1,
    }  # fmt: skip
    may_be_zero: ClassVar[set[str]] = {"blocks", "norm"}

    inputs: int  # numbers of an observation
    actions: int
    seats: int
    width: int = 256
    blocks: int = 2
    layers: int = 1  # of a block: 1 or 2
    norm: int = 1  # 1: the trunk is normalised before every block and before the heads
    auxiliary: Mapping[str, int] = field(default_factory=dict)  # name of a head -> how many numbers it gives

    def __post_init__(self) -> None:
        for name, largest in self.largest.items():
            value, least = getattr(self, name), 0 if name in self.may_be_zero else 1
            if type(value) is not int or not least <= value <= largest:
                raise BadInput(f"A {self.architecture} network needs {name} from {least} to {largest}, not {value!r}.")
            if name.endswith("width") and value % _STEP:
                raise BadInput(f"The {name} of a network must be a multiple of {_STEP}, not {value}.")
        for name, size in self.auxiliary.items():
            if not name.isidentifier() or type(size) is not int or not 1 <= size <= self.largest["actions"]:
                raise BadInput(f"An auxiliary head needs a name and a size, not {name!r} and {size!r}.")

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`; missing, unknown and impossible sizes are refused."""
        sizes = {name: value for name, value in data.items() if name != "architecture"}
        if set(sizes) != {*cls.largest, "auxiliary"} or not isinstance(sizes["auxiliary"], dict):
            raise BadInput(
                f"A {cls.architecture} network is described by {', '.join(cls.largest)} and auxiliary heads."
            )
        return cls(**sizes)

    def to_json(self) -> dict[str, Any]:
        return {"architecture": self.architecture, **asdict(self), "auxiliary": dict(self.auxiliary)}

    def shapes(self) -> Shapes:
        """The arrays in the order in which kernels read them.

        Matrices of the trunk have a row an input, those of heads a row an output.
        """
        raise NotImplementedError

    def _trunk_and_heads(self, inputs: int, actions: int) -> Shapes:
        width = self.width
        found: Shapes = {"input.weight": (inputs, width), "input.bias": (width,)}
        for block in range(self.blocks):
            for layer in range(self.layers):
                found[f"blocks.{block}.{layer}.weight"] = (width, width)
                found[f"blocks.{block}.{layer}.bias"] = (width,)
        for place in range(self.blocks + 1 if self.norm else 0):
            found[f"norms.{place}.weight"] = found[f"norms.{place}.bias"] = (width,)
        heads = {"policy": actions, "value": self.seats}
        heads |= {f"auxiliary.{name}": size for name, size in self.auxiliary.items()}
        for head, size in heads.items():
            found[f"{head}.weight"], found[f"{head}.bias"] = (size, width), (size,)
        return found

    def untrained(self, rng: np.random.Generator) -> dict[str, np.ndarray]:
        """Arrays to begin with: about equal priors, values about zero."""
        return {
            name: np.ones(shape, np.float32)
            if name.startswith("norms") and name.endswith("weight")
            else (self._scale(name, shape) * rng.standard_normal(shape)).astype(np.float32)
            for name, shape in self.shapes().items()
        }

    def _scale(self, name: str, shape: tuple[int, ...]) -> float:
        """How large the numbers of an array begin."""
        if not name.endswith("weight"):
            return 0.0
        if name.startswith(("policy", "value", "auxiliary", "slots")):
            return float(0.01 * float(shape[1]) ** -0.5)
        if name.startswith("blocks"):
            last = name.split(".")[2] == str(self.layers - 1)
            return float((0.1 if last else 1.0) * (2 / shape[0]) ** 0.5)
        return float(float(shape[0]) ** -0.5)

    def pack(self, arrays: Mapping[str, np.ndarray]) -> PackedNetwork:
        """What kernels take: the arrays that playing needs one after the other, and where each begins."""
        used = {name: shape for name, shape in self.shapes().items() if not name.startswith("auxiliary")}
        weights = aligned(sum(int(np.prod(shape)) for shape in used.values()))
        numbers, end = {name: int(getattr(self, name)) for name in self.largest}, 0
        for name, shape in used.items():
            numbers.setdefault(f"at_{name.split('.')[0]}", end)
            size = int(np.prod(shape))
            weights[end : end + size] = arrays[name].ravel()
            end += size
        return PackedNetwork(weights, np.array([numbers.get(name, 0) for name in SHAPE], np.int64))


@dataclass(frozen=True, kw_only=True)
class PlainLayout(Layout):
    """One trunk over all features."""

    architecture = "plain"

    def shapes(self) -> Shapes:
        return self._trunk_and_heads(self.inputs, self.actions)
