"""Entry points from Python into the heuristics of the Discovery's players, which the package calls in kernels alone."""

from __future__ import annotations

from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records
from ludens.core.rng import uniform
from ludens.games.discovery.players.coefficients import _add_gradient
from ludens.games.discovery.players.heuristics import standing, value
from ludens.games.discovery.players.potential import begin_decision, normalised, phi, survey
from ludens.games.discovery.players.settings import RANDOM, Settings, Workspace
from ludens.games.discovery.state import Discovery

__all__ = ["potential_of", "potentials_at", "value_at", "vector_at"]


@rule
def vector(s: Discovery, settings: Settings, workspace: Workspace, mover: int, rng: Array, out: Array) -> None:
    """One value a player, for search; `mover` has just moved."""
    value(s, settings, workspace, mover, rng)
    for p in range(s.players):
        if settings.heuristic == RANDOM:
            out[p] = uniform(rng)
        else:
            out[p] = standing(workspace.future, int(s.players), p)


@kernel
def value_at(
    states: Records[Discovery], i: int, settings: Records[Settings], workspace: Records[Workspace], p: int, rng: Array
) -> float:
    """`value` for Python."""
    return value(states[i], settings[0], workspace[0], p, rng)


@kernel
def vector_at(
    states: Records[Discovery], i: int, settings: Records[Settings], workspace: Records[Workspace], mover: int,
    rng: Array, out: Array,
) -> None:  # fmt: skip
    """`vector` for Python."""
    vector(states[i], settings[0], workspace[0], mover, rng, out)


@kernel
def potentials_at(
    states: Records[Discovery], i: int, settings: Records[Settings], workspace: Records[Workspace],
    potentials: Array, weights: Array,
) -> None:  # fmt: skip
    """Φ(r) of every region and w(r) of every open one into arrays by region number; for Python."""
    s = states[i]
    begin_decision(s, settings[0], workspace[0])
    survey(s, workspace[0])
    for region in range(s.pieces):
        if s.piece_region[region] == region:
            potentials[region] = phi(s, settings[0], workspace[0], region)
            if s.region_ends[region] > 0:
                weights[region] = normalised(s, settings[0], workspace[0], region, potentials[region])


@kernel
def potential_of(theta: Array, sample: Array, city_chance: float, scratch: Array) -> float:
    """Φ of a sample."""
    return _add_gradient(theta, sample, city_chance, 0.0, scratch)
