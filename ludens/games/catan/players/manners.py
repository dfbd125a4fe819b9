"""Catan: the manners of an agent that plays with people.

It offers at most once a turn, one or two equal cards for one of another kind, where both sides gain by the hand-made
evaluation, and nothing that it has offered in this turn or in its last one. It answers yes or no, and does not counter.
What it does beyond that is for the agent to choose.
"""

from __future__ import annotations

import numpy as np

from ludens.core.agent import Seating
from ludens.core.jit import kernel
from ludens.core.record import Array, Records, blank
from ludens.games.catan.evaluate import HAND_MADE, standing
from ludens.games.catan.players.value import about_to_win, best_offer, next_card, remember_offer
from ludens.games.catan.state import (
    ANSWER,
    CANCEL,
    COUNTER,
    COUNTERING,
    DTYPE,
    GIVE,
    MAIN,
    OFFERING,
    PROPOSE,
    WANT,
    Catan,
)
from ludens.games.catan.view import determinize

__all__ = ["OFFERS", "Manners"]

OFFERS = 1
"""Offers to other players in a turn."""

_TURN, _MADE, _BEFORE = range(3)  # number of the turn; the set of offers made in it; the set of the own turn before


@kernel
def polite(
    views: Records[Catan], seat: int, legal: Array, rng: Array, agent_state: Array, scratch: Records[Catan], out: Array
) -> int:
    """Writes those of the legal actions that people would not mind, and returns how many; there is always one.

    Unknown cards of others are dealt once, as the player `value` does.
    """
    s = views[0]
    if agent_state[_TURN] != s.turn_number and s.current == seat:
        agent_state[_TURN], agent_state[_BEFORE], agent_state[_MADE] = s.turn_number, agent_state[_MADE], 0
    if s.phase == COUNTERING:
        out[0] = CANCEL
        return 1
    made = agent_state[_MADE] | agent_state[_BEFORE]
    if s.phase == OFFERING:
        determinize(s, seat, rng, scratch)
        out[0] = next_card(scratch[0], seat, legal, legal.shape[0], made, scratch[1:2])
        return 1
    n, dealt, now = 0, False, 0.0
    for k in range(legal.shape[0]):
        a = legal[k]
        if s.phase == ANSWER and a == COUNTER:
            continue
        if s.phase == MAIN and a >= GIVE and a < PROPOSE:
            if a >= WANT or s.offers_made >= OFFERS:
                continue
            if not dealt:
                determinize(s, seat, rng, scratch)
                now, dealt = standing(scratch[0], seat, HAND_MADE), True
            if about_to_win(scratch[0], seat):
                continue
            gain, _, _ = best_offer(scratch[0], seat, a - GIVE, 1, made, now, scratch[1:2])
            if gain <= 0.0:
                continue
        out[n] = a
        n += 1
    return n


@kernel
def note_offer(views: Records[Catan], agent_state: Array) -> None:
    """Adds the offer that is being proposed to those of this turn."""
    remember_offer(views[0], agent_state)


class Manners:
    """What one agent remembers of its offers, and what it leaves undone."""

    def __init__(self, seating: Seating) -> None:
        self._seat, self._rng = seating.seat, seating.generator()
        self._agent_state = np.zeros(3, np.int64)
        self._scratch, self._out = blank(DTYPE, 2), np.zeros(seating.game.spec.actions, np.int64)

    def polite(self, view: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Those of the legal actions that people would not mind, in their order; never none."""
        n = polite(view, self._seat, legal, self._rng, self._agent_state, self._scratch, self._out)
        return self._out[:n].copy()

    def chosen(self, view: np.ndarray, action: int) -> None:
        """To be told of every choice: an offer that is proposed is not made again."""
        if action == PROPOSE and view["phase"][0] == OFFERING:
            note_offer(view, self._agent_state)
