"""What learners with networks have in common: bounds of their settings, and the network that they begin with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludens.core.errors import BadInput
from ludens.learn.learner import Setup
from ludens.networks.layout import Layout
from ludens.networks.network import ARCHITECTURES, Network, load, untrained
from ludens.networks.plain import PlainLayout
from ludens.networks.rows import rows_layout
from ludens.networks.transfer import transferred

__all__ = ["check_bounds", "first_network"]


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
    table = (game.learning() if game.learning is not None else {}).get("rows")
    if settings.architecture != "rows":
        raise BadInput(f"The architecture is one of {', '.join(ARCHITECTURES)}, not {settings.architecture!r}.")
    if table is None:
        raise BadInput(f"{game.spec.title} names no table for a rows network.")
    return rows_layout(game, options, **table, row_width=settings.row_width, **sizes)
