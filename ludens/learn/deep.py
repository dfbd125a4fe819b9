"""What learners with networks have in common: bounds of their settings, the network that they begin with, checkpoints.

Random numbers depend on seed and step alone.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from ludens.core.errors import BadInput
from ludens.core.rng import generator
from ludens.learn.learner import Setup
from ludens.networks.layout import Layout, PlainLayout
from ludens.networks.network import ARCHITECTURES, Network, load, untrained
from ludens.networks.rows import rows_layout
from ludens.networks.transfer import transferred

__all__ = ["check_bounds", "compressed", "first_network", "inflated", "load_state", "random_of", "save_state", "under"]


def check_bounds(settings: Any, bounds: Mapping[str, tuple[float, float]]) -> None:
    """Refuses a setting that is beyond its bounds."""
    for name, (low, high) in bounds.items():
        value = getattr(settings, name)
        if not low <= value <= high:
            if low == 1 and value < 1:
                raise BadInput(f"{name} must be at least 1, not {value}.")
            raise BadInput(f"{name} must be from {low:g} to {high:g}, not {value}.")


def first_network(setup: Setup, heads: dict[str, int]) -> Network:
    """An untrained network, or one with what fits of the one that the settings name."""
    game, options, settings = setup.game, setup.options, setup.settings
    fresh = untrained(game, options, seed=setup.seed, layout=_layout(setup, heads))
    start = getattr(settings, "start", "")
    return transferred(fresh, load(start), game, options) if start else fresh


def _layout(setup: Setup, heads: dict[str, int]) -> Layout:
    """The network's sizes: 256–256 is width 256 and one block of one layer (AZ-104)."""
    game, options, settings = setup.game, setup.options, setup.settings
    sizes: dict[str, Any] = {"width": settings.width, "blocks": settings.blocks, "auxiliary": heads}
    sizes |= {"layers": getattr(settings, "layers", 1), "norm": getattr(settings, "normalise", 1)}
    if settings.architecture == "plain":
        spec = game.spec
        return PlainLayout(inputs=spec.observation_size(options), actions=spec.actions, seats=int(options[0]), **sizes)
    table = game.learning().get("rows")
    if settings.architecture != "rows":
        raise BadInput(f"The architecture is one of {', '.join(ARCHITECTURES)}, not {settings.architecture!r}.")
    if table is None:
        raise BadInput(f"{game.spec.title} names no table for a rows network.")
    return rows_layout(game, options, **table, row_width=settings.row_width, **sizes)


_STEP = 7  # of the streams that trainings draw from


def random_of(seed: int, index: int, device: torch.device | str = "cpu") -> torch.Generator:
    """The random numbers of step `index` of a training; every kind of device has its own."""
    return torch.Generator(device).manual_seed(int(generator(seed, _STEP, index)[0]) >> 1)


def save_state(module: nn.Module, optimiser: torch.optim.Optimizer) -> dict[str, np.ndarray]:
    """The weights, and what the optimiser remembers of each."""
    arrays = {f"weights/{name}": tensor.detach().cpu().numpy().copy() for name, tensor in module.state_dict().items()}
    for name, parameter in module.named_parameters():
        for key, value in optimiser.state.get(parameter, {}).items():
            arrays[f"adam/{key}/{name}"] = value.cpu().numpy().copy()
    return arrays


def under(prefix: str, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays whose names begin so, without the prefix."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def load_state(
    module: nn.Module, optimiser: torch.optim.Optimizer, arrays: Mapping[str, np.ndarray], exact: bool = True
) -> None:
    """What `save_state` gave; an array that is missing or of another shape is refused, or left out if not `exact`."""
    if not exact:
        own = {f"weights/{name}": tensor.shape for name, tensor in module.state_dict().items()}
        fitting = {name: array for name, array in arrays.items() if array.shape == own.get(name, ...)}
        module.load_state_dict(
            {name.removeprefix("weights/"): torch.tensor(one) for name, one in fitting.items()}, False
        )
        return
    state = {name: torch.tensor(arrays[f"weights/{name}"]) for name in module.state_dict()}
    for name, tensor in module.state_dict().items():
        if tensor.shape != state[name].shape:
            raise ValueError(f"an array {name} of the right shape")
    module.load_state_dict(state)
    for name, parameter in module.named_parameters():
        kept = {key: arrays.get(f"adam/{key}/{name}") for key in ("step", "exp_avg", "exp_avg_sq")}
        if kept["step"] is not None:
            memory = {key: torch.tensor(arrays[f"adam/{key}/{name}"]) for key in kept}
            optimiser.state[parameter] = {
                key: value if key == "step" and not _on_device(optimiser) else value.to(parameter.device)
                for key, value in memory.items()
            }


def _on_device(optimiser: torch.optim.Optimizer) -> bool:
    """Are the counts of steps tensors where the weights are?"""
    return bool(optimiser.param_groups[0].get("capturable") or optimiser.param_groups[0].get("fused"))


def compressed(array: np.ndarray) -> np.ndarray:
    """The bytes of a large array, packed: memories are mostly zeros."""
    return np.frombuffer(zlib.compress(np.ascontiguousarray(array).tobytes(), 1), np.int8).copy()


def inflated(packed: np.ndarray, out: np.ndarray) -> None:
    """The inverse, into an array of the right shape; anything else is refused."""
    try:
        data = zlib.decompress(packed.astype(np.int8).tobytes())
    except zlib.error as error:
        raise ValueError("a memory that can be read") from error
    if len(data) != out.nbytes:
        raise ValueError("a memory of the right size")
    out[...] = np.frombuffer(data, out.dtype).reshape(out.shape)
