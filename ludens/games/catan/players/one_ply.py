"""Catan: the one-ply value of every move of a seat by an evaluation, with offers thought through to their end.

An offer takes several decisions whose positions in between say nothing; so all swaps of one or two equal cards for one
of another kind are tried on the hands at once, those are kept from which both sides gain, and the best is carried out
card by card. Exchanges, builds, the robber and cards need no such help: their positions tell what they are worth.
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array, Records
from ludens.core.verbs import TERMINAL
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.evaluate import HAND_MADE, evaluate, hand_value
from ludens.games.catan.kingmaking import helps, offer_helps
from ludens.games.catan.players.value import offer_bit
from ludens.games.catan.rules.trade import swap, take_offer
from ludens.games.catan.rules.verbs import actor, apply, returns
from ludens.games.catan.state import KINDS, Catan

__all__ = ["one_ply_values"]

_OFFERS = 2  # to other players in a turn
_MOST_CARDS = 2  # of the own side of an offer
_GAIN = 0.01  # what a swap must gain, of returns from -1 to 1
_AGREED = 0.004  # what an offer must gain to be accepted
_TAKEN = 0.5  # part of the gain that an offer counts for: it may be declined
_TEMPTING = 1.2  # points of a hand by the hand-made evaluation for which others are thought to agree, too
_NEVER = -9.0

_TURN, _MADE, _PLAN = range(3)  # number of the turn; offers made in it; the offer under way: given, cards and wanted
_GIVEN_UP = -1  # in place of the offers made: no more in this turn


@rule
def _value(w: Catan, seat: int, weights: Array, values: Array) -> float:
    if actor(w) == TERMINAL:
        returns(w, values)
    else:
        evaluate(w, weights, values)
    return float(values[seat])


@rule
def _best_offer(
    s: Catan, seat: int, weights: Array, agent_state: Array, scratch: Records[Catan], values: Array
) -> float:
    """Writes the best offer into the agent state and returns its value; _NEVER where none is worth making."""
    now = _value(s, seat, weights, values)
    scratch[0] = s
    w = scratch[0]
    before, best = hand_value(s, seat, HAND_MADE), now + _GAIN
    agent_state[_PLAN] = 0
    for given in range(KINDS):
        for n in range(1, min(_MOST_CARDS, int(s.hand[seat, given])) + 1):
            for wanted in range(KINDS):
                if wanted == given or agent_state[_MADE] & offer_bit(given, n, wanted) != 0:
                    continue
                if offer_helps(s, given, n, wanted):
                    continue
                for q in range(s.players):
                    if q == seat or s.hand[q, wanted] <= 0:
                        continue
                    swap(w, seat, q, given, n, wanted, 1)
                    if hand_value(w, seat, HAND_MADE) > before:
                        value = _value(w, seat, weights, values)
                        if value > best and _agrees(s, w, q, weights, values, scratch):
                            best = value
                            agent_state[_PLAN] = 1 + given + KINDS * (wanted + KINDS * n)
                    swap(w, seat, q, given, -n, wanted, -1)
    return float(now + _TAKEN * (best - now)) if agent_state[_PLAN] != 0 else _NEVER


@rule
def _agrees(s: Catan, w: Catan, q: int, weights: Array, values: Array, scratch: Records[Catan]) -> bool:
    """Would player q take the swap? By the same evaluation, whose values for w are given, or by the hand alone."""
    if hand_value(w, q, HAND_MADE) - hand_value(s, q, HAND_MADE) >= _TEMPTING:
        return True
    after = values[q]
    return bool(after > _value(s, q, weights, values) + _AGREED)


@rule
def _next_card(s: Catan, agent_state: Array) -> int:
    """The action that carries the offer under way on, or CANCEL, after which no more are made in this turn."""
    plan = int(agent_state[_PLAN]) - 1
    given, wanted, n = plan % KINDS, plan // KINDS % KINDS, plan // (KINDS * KINDS)
    for r in range(KINDS):
        wrong = (s.offer[r] > 0 and r != given) or (s.offer[r] < 0 and r != wanted)
        if plan < 0 or wrong or s.offer[r] > n or s.offer[r] < -1:
            agent_state[_MADE] = _GIVEN_UP
            return ids.CANCEL
    if s.offer[given] < n:
        return ids.GIVE + given
    if s.offer[wanted] == 0:
        return ids.WANT + wanted
    agent_state[_MADE] |= offer_bit(given, n, wanted)
    return ids.PROPOSE


@rule
def one_ply_values(
    s: Catan, legal: Array, n: int, weights: Array, agent_state: Array, scratch: Records[Catan], values: Array,
    out: Array,
) -> None:  # fmt: skip
    """See `core.verbs`; the verb remembers the offers of the turn."""
    seat, phase = int(actor(s)), int(s.phase)
    if agent_state[_TURN] != s.turn_number:
        agent_state[_TURN] = s.turn_number
        agent_state[_MADE] = 0
    wish, now = -1, 0.0
    if phase == phases.OFFERING:
        wish, now = _next_card(s, agent_state), _value(s, seat, weights, values)
    elif phase == phases.ANSWER:
        _answers(s, seat, legal, n, weights, scratch, values, out)
        return
    offer = _NEVER
    if phase == phases.MAIN and agent_state[_MADE] != _GIVEN_UP and s.offers_made < _OFFERS:
        for k in range(n):
            if ids.GIVE <= legal[k] < ids.WANT:
                offer = _best_offer(s, seat, weights, agent_state, scratch, values)
                break
    found = False
    for k in range(n):
        a = int(legal[k])
        if helps(s, a):
            out[k] = _NEVER
        elif phase == phases.OFFERING:
            out[k] = now if a == wish else now - _GAIN if a == ids.CANCEL else _NEVER
            found = found or a == wish
        elif phase == phases.MAIN and ids.GIVE <= a < ids.PROPOSE:
            out[k] = offer if offer > _NEVER and a == ids.GIVE + (agent_state[_PLAN] - 1) % KINDS else _NEVER
        else:
            scratch[0] = s
            apply(scratch[0], a)
            out[k] = _value(scratch[0], seat, weights, values)
    if phase == phases.OFFERING and not found:
        agent_state[_MADE] = _GIVEN_UP


@rule
def _answers(
    s: Catan, seat: int, legal: Array, n: int, weights: Array, scratch: Records[Catan], values: Array, out: Array
) -> None:
    """Yes to what gains enough; never another offer in its place."""
    now = _value(s, seat, weights, values)
    for k in range(n):
        out[k] = _NEVER
        if helps(s, int(legal[k])):
            continue
        if legal[k] == ids.DECLINE:
            out[k] = now + _AGREED
        elif legal[k] == ids.ACCEPT:
            scratch[0] = s
            take_offer(scratch[0], seat, 1)
            take_offer(scratch[0], int(s.current), -1)
            out[k] = _value(scratch[0], seat, weights, values)
