"""Catan: the player `value`, one step ahead and greedy, decision by decision, on what its seat knows."""

from __future__ import annotations

import numpy as np

from ludens.core.agent import Agent, Clock, Seating
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records, blank
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.evaluate import DRAWN_CARD, HAND_MADE, hand_value, packed_dots, standing
from ludens.games.catan.kingmaking import helps, offer_helps
from ludens.games.catan.rules.robber import owners_at
from ludens.games.catan.rules.trade import plain_terms, swap, take_offer
from ludens.games.catan.rules.verbs import actor, apply
from ludens.games.catan.state import DTYPE, KINDS, Catan
from ludens.games.catan.view import determinize

__all__ = ["OFFERS", "ValueAgent", "about_to_win", "best_offer", "greedy_action", "next_card", "remember_offer"]

OFFERS = 2
"""Offers to other players in a turn, unless the agent is told otherwise."""

_FREE_ROADS = 3.6  # worth of two free roads before they are placed
_THEFT = 0.35  # worth of a stolen card, for each card of the victim up to four
_GAIN = 1.2  # what a trade must gain
_PARTNER = 0.4  # what a trade costs for each point of the partner
_MOST_CARDS = 2  # of the own side of an offer: one card for one or two for one (CA-35)
_LAST_POINTS = 2  # nobody trades with a player who lacks so few
_NEVER = -1e9


@rule
def greedy_action(s: Catan, seat: int, legal: Array, n: int, offers: int, made: int, scratch: Records[Catan]) -> int:
    """The best of legal[:n] for the seat to act in a full state s, with so many offers a turn at most.

    `made` is the set of offers of this turn, which are not repeated; `scratch` is an array of one record.
    """
    if n == 1:
        return int(legal[0])
    if s.phase == phases.OFFERING:
        return next_card(s, seat, legal, n, made, scratch)
    now = standing(s, seat, HAND_MADE)
    best, best_worth = legal[0], _NEVER
    for k in range(n):
        worth = _NEVER if helps(s, int(legal[k])) else _worth(s, seat, legal[k], now, offers, made, scratch)
        if worth > best_worth:
            best, best_worth = legal[k], worth
    return int(best)


@rule
def _worth(s: Catan, seat: int, a: int, now: float, offers: int, made: int, scratch: Records[Catan]) -> float:
    phase = int(s.phase)
    if phase == phases.ANSWER:
        return _worth_of_answer(s, seat, a, now, scratch)
    if phase == phases.VICTIMISING:
        q = a - ids.VICTIM
        return int(s.visible[q]) + 0.6 * min(int(s.count[q]), 6) - (20.0 if s.count[q] == 0 else 0.0)
    if phase == phases.BEFORE_ROLL and a != ids.ROLL and (a != ids.KNIGHT or _blocked(s, seat) == 0.0):
        return _NEVER
    if phase == phases.MAIN and ids.GIVE <= a < ids.PROPOSE:
        return _worth_of_offer(s, seat, a, now, offers, made, scratch)
    scratch[0] = s
    w = scratch[0]
    apply(w, a)
    worth = standing(w, seat, HAND_MADE)
    if a == ids.BUY:
        worth += DRAWN_CARD
    elif a == ids.KNIGHT:
        worth += 1.2 + 0.8 * _blocked(s, seat)
    elif a == ids.ROAD_BUILDING:
        worth += _FREE_ROADS
    elif a == ids.YEAR_OF_PLENTY:
        worth = _worth_of_plenty(w, seat)
    elif phase == phases.ROBBING:
        worth += _worth_of_theft(s, seat, a - ids.ROBBER)
    elif phase == phases.PARTNERING and a >= ids.PARTNER:
        worth -= _PARTNER * int(s.visible[a - ids.PARTNER])
    return worth


@rule
def _blocked(s: Catan, seat: int) -> float:
    """Dots of own production under the robber."""
    free, held = packed_dots(s, seat, 4), packed_dots(s, seat, 0)
    dots = 0
    for r in range(KINDS):
        dots += (free >> 12 * r & 4095) - (held >> 12 * r & 4095)
    return dots / 4.0


@rule
def _worth_of_theft(s: Catan, seat: int, h: int) -> float:
    """What can be stolen at a hex, from the richest neighbour."""
    seats, cards = owners_at(s, h), 0
    for p in range(s.players):
        if p != seat and seats >> p & 1:
            cards = max(cards, int(s.count[p]))
    return _THEFT * min(cards, 4)


@rule
def _worth_of_plenty(w: Catan, seat: int) -> float:
    """The best two cards from the bank; w has the card played, and is left as it was."""
    best = _NEVER
    for first in range(KINDS):
        for second in range(first, KINDS):
            if w.bank[first] > 0 and w.bank[second] > (1 if first == second else 0):
                w.hand[seat, first] += 1
                w.hand[seat, second] += 1
                w.count[seat] += 2
                best = max(best, standing(w, seat, HAND_MADE))
                w.hand[seat, first] -= 1
                w.hand[seat, second] -= 1
                w.count[seat] -= 2
    return best


# --- trade --------------------------------------------------------------------------------


@rule
def about_to_win(s: Catan, p: int) -> bool:
    return int(s.visible[p]) + _LAST_POINTS >= s.goal


@rule
def _best_swap(s: Catan, seat: int, given: int, n: int, wanted: int, now: float, scratch: Records[Catan]) -> float:
    """What n cards of one kind for one of another gain, with the best partner who would gain enough as well.

    Partners are taken to decide by the same evaluation. Of a hand that an undecided theft leaves uncertain s holds a
    guess that agrees with all that is public. _NEVER if nobody would agree.
    """
    best = _NEVER
    for q in range(s.players):
        if q == seat or s.hand[q, wanted] == 0:
            continue
        scratch[0] = s
        w = scratch[0]
        swap(w, seat, q, given, n, wanted, 1)
        if hand_value(w, q, HAND_MADE) - hand_value(s, q, HAND_MADE) >= _GAIN:
            gain = standing(w, seat, HAND_MADE) - now
            if gain > _GAIN:
                best = max(best, gain - _PARTNER * int(s.visible[q]))
    return best


@rule
def offer_bit(given: int, n: int, wanted: int) -> int:
    """An offer of n cards of one kind for one of another, in the set of those made in this turn."""
    return 1 << (KINDS * KINDS * (n - 1) + KINDS * given + wanted)


@rule
def best_offer(
    s: Catan, seat: int, given: int, least: int, made: int, now: float, scratch: Records[Catan]
) -> tuple[float, int, int]:
    """The gain of the best offer of this kind with `least` cards or more, its cards and what it asks for; or 0."""
    best, cards, asked = 0.0, 0, 0
    for n in range(least, min(_MOST_CARDS, int(s.hand[seat, given])) + 1):
        for wanted in range(KINDS):
            if wanted != given and made & offer_bit(given, n, wanted) == 0:
                gain = _best_swap(s, seat, given, n, wanted, now, scratch)
                if gain > best and not offer_helps(s, given, n, wanted):
                    best, cards, asked = gain, n, wanted
    return best, cards, asked


@rule
def _worth_of_offer(s: Catan, seat: int, a: int, now: float, offers: int, made: int, scratch: Records[Catan]) -> float:
    """Half of what the best trade for this card would gain; only giving opens an offer."""
    if a >= ids.WANT or s.offers_made >= offers or about_to_win(s, seat):
        return _NEVER
    gain, _, _ = best_offer(s, seat, a - ids.GIVE, 1, made, now, scratch)
    return now + 0.5 * gain if gain > 0.0 else _NEVER


@rule
def next_card(s: Catan, seat: int, legal: Array, n: int, made: int, scratch: Records[Catan]) -> int:
    """Completes the offer that was begun with some equal cards, or drops it."""
    given, held, asked = plain_terms(s)
    if given < 0:
        return ids.CANCEL
    wish = ids.PROPOSE
    if asked < 0:
        gain, cards, wanted = best_offer(s, seat, given, held, made, standing(s, seat, HAND_MADE), scratch)
        wish = ids.CANCEL
        if gain > 0.0:
            wish = ids.GIVE + given if cards > held else ids.WANT + wanted
    for k in range(n):
        if legal[k] == wish:
            return ids.CANCEL if helps(s, wish) else wish
    return ids.CANCEL


@rule
def _worth_of_answer(s: Catan, seat: int, a: int, now: float, scratch: Records[Catan]) -> float:
    """Accepts what gains enough, and nothing from a player about to win."""
    if a == ids.DECLINE:
        return now + _GAIN
    if a == ids.COUNTER or about_to_win(s, int(s.current)):
        return _NEVER
    scratch[0] = s
    w = scratch[0]
    take_offer(w, seat, 1)
    return standing(w, seat, HAND_MADE)


@rule
def remember_offer(s: Catan, agent_state: Array) -> None:
    """Adds the offer that is being proposed to those of this turn."""
    given, _, wanted = plain_terms(s)
    n = int(s.offer[given])
    if n <= _MOST_CARDS:
        agent_state[1] |= offer_bit(given, n, wanted)


@kernel
def choose(
    views: Records[Catan], seat: int, legal: Array, rng: Array, offers: int, agent_state: Array, scratch: Records[Catan]
) -> int:
    """The greedy choice for views[0] with so many offers a turn at most.

    Unknown cards of others are dealt once, so that every action can be tried. `agent_state` holds the number of a turn
    and the set of offers proposed in it; `scratch` is an array of two records.
    """
    if legal.shape[0] == 1:
        return int(legal[0])
    if agent_state[0] != views[0].turn_number:
        agent_state[0] = views[0].turn_number
        agent_state[1] = 0
    determinize(views[0], seat, rng, scratch)
    a = greedy_action(scratch[0], seat, legal, legal.shape[0], offers, agent_state[1], scratch[1:2])
    if a == ids.PROPOSE:
        remember_offer(views[0], agent_state)
    return a


@kernel
def choose_many(
    views: Records[Catan], masks: Array, legal: Array, rng: Array, offers: int, scratch: Records[Catan], out: Array
) -> None:
    """The greedy choices for many views with masks of their legal actions, by seats that remember no offers."""
    for i in range(views.shape[0]):
        n = 0
        for a in range(masks.shape[1]):
            if masks[i, a]:
                legal[n] = a
                n += 1
        seat = int(actor(views[i]))
        determinize(views[i], seat, rng, scratch)
        out[i] = greedy_action(scratch[0], seat, legal, n, offers, 0, scratch[1:2])


class ValueAgent(Agent):
    """Takes the action after which the hand-made evaluation is best."""

    def __init__(self, offers: int = OFFERS) -> None:
        self._offers = offers
        self._scratch = blank(DTYPE, 2)

    def start(self, seating: Seating) -> None:
        self._seat = seating.seat
        self._rng = seating.generator()
        self._agent_state = np.zeros(2, np.int64)

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        return int(choose(view, self._seat, legal, self._rng, self._offers, self._agent_state, self._scratch))

    def choose_many(self, views: np.ndarray, features: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """int64[k]: what it chooses in each of k positions; one offer a turn at most, so that none is repeated."""
        out, legal = np.zeros(len(views), np.int64), np.zeros(masks.shape[1], np.int64)
        choose_many(views, masks, legal, self._rng, min(self._offers, 1), self._scratch, out)
        return out
