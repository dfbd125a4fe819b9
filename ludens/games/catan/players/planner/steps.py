"""Catan: the steps of a planned turn, compiled: what a seat does, and what it expects to see before (CA-24).

An offer to the others is written as one code below zero; they answer as their values suggest (CA-34, CA-35).
"""

from __future__ import annotations

import numpy as np

from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.players.linear.turns import Desk
from ludens.games.catan.players.linear.value import is_linear, value_of_features
from ludens.games.catan.players.planner.values import gains_by_offer
from ludens.games.catan.players.thesis_features import base_features, swap_resources
from ludens.games.catan.rules.trade import legal_answers, legal_partners
from ludens.games.catan.rules.verbs import apply, legal
from ludens.games.catan.state import KINDS, Catan

__all__ = [
    "Key",
    "answer_to",
    "first_partner",
    "is_wanted",
    "key_of",
    "offer_action",
    "offer_code",
    "offer_length",
    "remember_opponents",
    "steps_along",
    "traded",
]


@rule
def offer_code(size: int, given: int, wanted: int) -> int:
    """An offer of `size` cards of a kind for one of another, as a number below zero."""
    return -1 - ((size * KINDS + given) * KINDS + wanted)


@rule
def offer_length(code: int) -> int:
    """How many actions put an offer on the table."""
    return (-1 - code) // (KINDS * KINDS) + 2


@rule
def offer_action(code: int, k: int) -> int:
    """The k-th action that puts an offer on the table."""
    size = offer_length(code) - 2
    if k < size:
        return ids.GIVE + (-1 - code) // KINDS % KINDS
    return ids.WANT + (-1 - code) % KINDS if k == size else ids.PROPOSE


@rule
def remember_opponents(s: Catan, seat: int, weights: Array, features: Array, values: Array, desk: Desk) -> None:
    """The features and the values of the others, for `is_wanted`."""
    if not is_linear(weights):
        return
    for q in range(s.players):
        if q != seat:
            base_features(s, q, False, desk.memo.base)
            features[q, :] = desk.memo.base
            values[q] = value_of_features(q, weights, desk.memo)


@rule
def is_wanted(s: Catan, seat: int, code: int, weights: Array, features: Array, values: Array, desk: Desk) -> bool:
    """May anybody gain by the offer? It changes but the hand of who takes it, so few features have to be written."""
    if not is_linear(weights):
        return True
    size, given, wanted = offer_length(code) - 2, (-1 - code) // KINDS % KINDS, (-1 - code) % KINDS
    for q in range(s.players):
        if q != seat and s.hand[q, wanted] > 0:
            desk.memo.base[:] = features[q]
            swap_resources(desk.memo.base, given, size, wanted)
            if value_of_features(q, weights, desk.memo) > values[q]:
                return True
    return False


@rule
def answer_to(s: Catan, weights: Array, desk: Desk) -> int:
    """What the asked seat answers by its own value."""
    legal_answers(s, desk.legal)
    willing = desk.legal[0] == ids.ACCEPT and gains_by_offer(s, int(s.responder), weights, desk.scratch, desk.memo)
    return ids.ACCEPT if willing else ids.DECLINE


@rule
def first_partner(s: Catan, desk: Desk) -> int:
    """The first of those who accepted."""
    legal_partners(s, desk.legal)
    return int(desk.legal[1])


@rule
def traded(here: Catan, seat: int, code: int, weights: Array, trial: Records[Catan], desk: Desk) -> bool:
    """Does the offer lead to a trade, with the answers that the opponents' own values suggest? See trial[0]."""
    trial[0] = here
    k, n = 0, offer_length(code)
    while k < n or trial[0].phase == phases.ANSWER or trial[0].phase == phases.PARTNERING:
        if k < n:
            a = offer_action(code, k)
            if not _is_legal(trial[0], a, desk):
                return False
            k += 1
        elif trial[0].phase == phases.ANSWER:
            a = answer_to(trial[0], weights, desk)
        else:
            a = first_partner(trial[0], desk)
        apply(trial[0], a)
    wanted = (-1 - code) % KINDS
    return bool(trial[0].hand[seat, wanted] > here.hand[seat, wanted])


@rule
def _is_legal(s: Catan, a: int, desk: Desk) -> bool:
    n = legal(s, desk.legal)
    for k in range(n):
        if desk.legal[k] == a:
            return True
    return False


# --- steps ---------------------------------------------------------------------------------


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
