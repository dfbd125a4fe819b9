"""Catan: the manners of an agent that plays with people.

It offers at most once a turn, one or two equal cards for one of another kind, where both sides gain by the hand-made
evaluation, and nothing that it has offered in this turn or in its last one. It answers yes or no, and does not counter.
It helps nobody else to win at once. What it does beyond that is for the agent to choose.

Agents without manners are held at a table to what is fair: they help nobody else to win at once, and they offer three
times a turn at most (CA-35), however often people may.
"""

from __future__ import annotations

import numpy as np

from ludens.core.agent import Seating
from ludens.core.jit import kernel
from ludens.core.record import Array, Records, blank
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.evaluate import HAND_MADE, standing
from ludens.games.catan.kingmaking import helps, without_help
from ludens.games.catan.players.value import about_to_win, best_offer, next_card, remember_offer
from ludens.games.catan.state import DTYPE, Catan
from ludens.games.catan.view import determinize

__all__ = ["MOST_OFFERS", "OFFERS", "Manners"]

OFFERS = 1
"""Offers to other players in a turn."""

MOST_OFFERS = 3
"""Offers in a turn of a computer without manners."""

_TURN, _MADE, _BEFORE = range(3)  # number of the turn; the set of offers made in it; the set of the own turn before


@kernel
def fair(views: Records[Catan], legal: Array, scratch: Records[Catan], out: Array) -> int:
    """Writes those of the legal actions that help nobody else to win at once, and returns how many."""
    scratch[0] = views[0]
    for k in range(legal.shape[0]):
        out[k] = legal[k]
        if legal[k] == ids.PROPOSE and helps(scratch[0], ids.PROPOSE):  # more cards would not make it a better offer
            out[0] = ids.CANCEL
            return 1
    return without_help(scratch[0], out, legal.shape[0])


@kernel
def polite(
    views: Records[Catan], seat: int, legal: Array, rng: Array, agent_state: Array, scratch: Records[Catan],
    left: Array, out: Array,
) -> int:  # fmt: skip
    """Writes those of the legal actions that people would not mind, and returns how many; there is always one.

    Unknown cards of others are dealt once, as the player `value` does.
    """
    s = views[0]
    if agent_state[_TURN] != s.turn_number and s.current == seat:
        agent_state[_TURN], agent_state[_BEFORE], agent_state[_MADE] = s.turn_number, agent_state[_MADE], 0
    if s.phase == phases.COUNTERING:
        out[0] = ids.CANCEL
        return 1
    made = agent_state[_MADE] | agent_state[_BEFORE]
    if s.phase == phases.OFFERING:
        determinize(s, seat, rng, scratch)
        out[0] = next_card(scratch[0], seat, legal, legal.shape[0], made, scratch[1:2])
        return 1
    n, dealt, now = 0, False, 0.0
    m = fair(views, legal, scratch, left)
    for k in range(m):
        a = left[k]
        if s.phase == phases.ANSWER and a == ids.COUNTER:
            continue
        if s.phase == phases.MAIN and a >= ids.GIVE and a < ids.PROPOSE:
            if a >= ids.WANT or s.offers_made >= OFFERS:
                continue
            if not dealt:
                determinize(s, seat, rng, scratch)
                now, dealt = standing(scratch[0], seat, HAND_MADE), True
            if about_to_win(scratch[0], seat):
                continue
            gain, _, _ = best_offer(scratch[0], seat, a - ids.GIVE, 1, made, now, scratch[1:2])
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
        self._scratch = blank(DTYPE, 2)
        self._left, self._out = np.zeros((2, seating.game.spec.actions), np.int64)

    def polite(self, view: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Those of the legal actions that people would not mind, in their order; never none."""
        n = polite(view, self._seat, legal, self._rng, self._agent_state, self._scratch, self._left, self._out)
        return self._out[:n].copy()

    def fair(self, view: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Those that help nobody else to win at once, in their order; never none."""
        return self._out[: fair(view, legal, self._scratch, self._out)].copy()

    def limited(self, view: np.ndarray, legal: np.ndarray, free: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """A view in which three offers a turn are allowed at most, and what is legal there; if free, the next one."""
        most = max(MOST_OFFERS, int(view["offers_made"][0]) + 1) if free else MOST_OFFERS
        if view["max_offers"][0] <= most:
            return view, legal
        shown = view.copy()
        shown["max_offers"] = most
        over = view["phase"][0] == phases.MAIN and view["offers_made"][0] >= most
        return shown, legal[(legal < ids.GIVE) | (legal >= ids.PROPOSE)] if over else legal

    def chosen(self, view: np.ndarray, action: int) -> None:
        """To be told of every choice: an offer that is proposed is not made again."""
        if action == ids.PROPOSE and view["phase"][0] == phases.OFFERING:
            note_offer(view, self._agent_state)
