"""Catan: the steps of a planned turn, compiled: what a seat does, and what it expects to see before (CA-24)."""

from __future__ import annotations

import numpy as np

from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records
from ludens.games.catan import phases
from ludens.games.catan.players.linear.turns import Desk
from ludens.games.catan.players.planner.offers import answer_to, first_partner, offer_action, offer_length
from ludens.games.catan.rules.verbs import apply
from ludens.games.catan.state import KINDS, Catan

__all__ = ["Key", "key_of", "steps_along"]

Key = tuple[int, ...]
"""What a seat notices of a position: enough to tell whether a plan is still on its way."""

_FACTS = 6
_KEY = _FACTS + 3 * KINDS
_LONGEST = 5  # own actions of one offer: two cards for one, the proposal and the choice of a partner


@rule
def _write_key(s: Catan, seat: int, out: Array) -> None:
    """Phase, turn, dice, robber, free pieces, own resources, own development cards and the offer on the table."""
    out[0] = s.phase
    out[1] = s.turn_number
    out[2] = int(s.die[0]) + int(s.die[1])
    out[3] = s.robber
    out[4] = s.free_roads
    out[5] = s.to_take
    for r in range(KINDS):
        out[_FACTS + r] = s.hand[seat, r]
        out[_FACTS + KINDS + r] = s.cards[seat, r]
        out[_FACTS + 2 * KINDS + r] = s.offer[r]


@kernel
def _key_at(states: Records[Catan], seat: int, out: Array) -> None:
    _write_key(states[0], seat, out)


def key_of(states: np.ndarray, seat: int) -> Key:
    """The key of a position or a view."""
    out = np.zeros(_KEY, np.int64)
    _key_at(states, seat, out)
    return tuple(out.tolist())


@kernel
def _walk(
    states: Records[Catan], seat: int, way: Array, weights: Array, trial: Records[Catan], desk: Desk, keys: Array,
    actions: Array,
) -> int:  # fmt: skip
    """Plays a way from states[0]; writes own actions, each with the key before it, and returns how many there are."""
    trial[0] = states[0]
    here = trial[0]
    n, at, k = 0, 0, 0
    while at < way.shape[0] or here.phase == phases.ANSWER or here.phase == phases.PARTNERING:
        if here.phase == phases.ANSWER:
            apply(here, answer_to(here, weights, desk))
            continue
        if here.phase == phases.PARTNERING:
            a = first_partner(here, desk)
        else:
            a = way[at]
            if a >= 0:
                at += 1
            else:
                a = offer_action(way[at], k)
                k += 1
                if k == offer_length(way[at]):
                    at, k = at + 1, 0
        _write_key(here, seat, keys[n])
        actions[n] = a
        n += 1
        apply(here, a)
    return n


def steps_along(
    states: np.ndarray, seat: int, way: tuple[int, ...], weights: np.ndarray, trial: np.ndarray, desk: Desk
) -> tuple[tuple[Key, int], ...]:
    """The own actions of a way with the key of the position before each; others answer as their values suggest."""
    most = _LONGEST * len(way)
    keys, actions = np.zeros((most, _KEY), np.int64), np.zeros(most, np.int64)
    n = _walk(states, seat, np.array(way, np.int64), weights, trial, desk, keys, actions)
    return tuple(zip(map(tuple, keys[:n].tolist()), actions[:n].tolist(), strict=True))
