"""Catan: offers that the planner may make, each written as one code, and what others answer to them (CA-34, CA-35)."""

from __future__ import annotations

from ludens.core.jit import rule
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
    "answer_to",
    "first_partner",
    "is_wanted",
    "offer_action",
    "offer_code",
    "offer_length",
    "remember_opponents",
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
