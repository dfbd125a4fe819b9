"""The planner's turns found the slow and obvious way: every position by itself, nothing remembered (CA-30 … CA-36)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludens.core import kernels
from ludens.core.jit import plain
from ludens.games.catan import GAME, phases
from ludens.games.catan import action_ids as ids
from ludens.games.catan.players.linear.turns import useful
from ludens.games.catan.players.linear.value import new_memo
from ludens.games.catan.players.planner.rivals import PURCHASES, buy_for, kind_of, purchases_of
from ludens.games.catan.players.planner.segments import PlannerSettings
from ludens.games.catan.players.planner.values import SCRATCH, heuristic_values, quick_value
from ludens.games.catan.state import KINDS

_MOST = 300  # positions within a turn
_CARD, _TRADE = 0, 1


@dataclass
class Place:
    """A position within a turn, the kinds of action that may follow, and the own actions that led there."""

    state: np.ndarray
    stage: int
    actions: list[int]


def after(state: np.ndarray, *actions: int) -> np.ndarray:
    child = state.copy()
    for action in actions:
        kernels.apply_at(child, 0, action)
    return child


def legal(state: np.ndarray) -> list[int]:
    out = np.zeros(ids.ACTIONS, np.int64)
    return [int(a) for a in out[: kernels.legal_at(state, 0, out)]]


class SlowTurns:
    """The turns of a seat and of its opponents."""

    def __init__(self, seat: int, settings: PlannerSettings, weights: np.ndarray) -> None:
        self._seat, self._settings, self._weights = seat, settings, weights
        self._scratch = np.zeros(SCRATCH, GAME.dtype)

    def own(self, state: np.ndarray) -> list[tuple[bytes, list[int]]]:
        """Ends of turns, the best first, with the own actions of the last way to each."""
        queue, ends = [Place(state, _CARD, [])], {}
        for place in queue:  # grows meanwhile
            phase = int(place.state["phase"][0])
            if phase <= phases.LAST_CHANCE or phase == phases.OVER or kernels.actor_at(place.state, 0) != self._seat:
                ends[place.state.tobytes()] = place.state, place.actions
                continue
            if phase == phases.MAIN:
                end = after(place.state, ids.END)
                ends[end.tobytes()] = end, [*place.actions, ids.END]
            queue += self._following(place, phase)[: _MOST - len(queue)]
        worth = {key: float(quick_value(end, self._seat, self._weights)) for key, (end, _) in ends.items()}
        return [(key, ends[key][1]) for key in sorted(ends, key=lambda key: -worth[key])]

    def _following(self, place: Place, phase: int) -> list[Place]:
        within = phase not in (phases.MAIN, phases.BEFORE_ROLL)
        ranked: list[list[int]] = [[] for _ in range(6)]
        for action in self._sorted(place.state):
            kind = _CARD if within else self._kind(place.state, action)
            most = 1 if phase == phases.DISCARDING else self._settings.n_actions
            if kind >= (0 if within else place.stage) and len(ranked[kind]) < most:
                ranked[kind].append(action)
        found = []
        for kind in (_TRADE, _CARD) if phase == phases.BEFORE_ROLL else range(6):
            stage = place.stage if within else max(kind, _TRADE)
            found += [Place(after(place.state, a), stage, [*place.actions, a]) for a in ranked[kind]]
        if phase == phases.MAIN and place.stage <= _TRADE:
            found += self._offers(place)
        return found

    def _sorted(self, state: np.ndarray) -> list[int]:
        """Legal actions by q_heuristic."""
        choices = np.array(legal(state), np.int64)
        values = np.zeros(len(choices))
        blend, memo = self._settings.blend, new_memo()
        heuristic_values(state, self._seat, choices, blend, self._weights, self._scratch, memo, values)
        return [int(a) for a in choices[np.argsort(-values, kind="stable")]]

    def _kind(self, state: np.ndarray, action: int) -> int:
        if ids.EXCHANGE <= action < ids.BUY:
            given, k = divmod(action - ids.EXCHANGE, 4)
            return _TRADE if self._useful(state, k if k < given else k + 1) else -1
        if action == ids.ROLL:
            return _TRADE
        if ids.KNIGHT <= action < ids.TAKE:
            return _CARD
        for kind, first in ((2, ids.SETTLEMENT), (3, ids.CITY), (4, ids.ROBBER)):
            if action < first:
                return kind
        return 5 if action == ids.BUY else -1

    def _useful(self, state: np.ndarray, wanted: int) -> bool:
        return bool(plain(useful)(state[0], self._seat, wanted))

    def _offers(self, place: Place) -> list[Place]:
        found: list[Place] = []
        s = place.state[0]
        if s.offers_made >= min(self._settings.max_offers, int(s.max_offers)):
            return found
        for wanted in range(KINDS):
            for size in (1, 2) if self._useful(place.state, wanted) else ():
                given = [r for r in range(KINDS) if r != wanted and s.hand[self._seat, r] >= size]
                made = [trade for r in given if (trade := self._traded(place, r, size, wanted)) is not None]
                made.sort(key=lambda trade: -float(quick_value(trade.state, self._seat, self._weights)))
                found += made[: self._settings.n_actions]
                if made:
                    break
        return found

    def _traded(self, place: Place, given: int, size: int, wanted: int) -> Place | None:
        """What an offer leads to, or None where nobody takes it."""
        here, actions = place.state.copy(), list(place.actions)
        for action in (*[ids.GIVE + given] * size, ids.WANT + wanted, ids.PROPOSE):
            if action not in legal(here):
                return None
            kernels.apply_at(here, 0, action)
            actions.append(action)
        while here["phase"][0] == phases.ANSWER:
            kernels.apply_at(here, 0, ids.ACCEPT if ids.ACCEPT in legal(here) and self._gains(here) else ids.DECLINE)
        if here["phase"][0] == phases.PARTNERING:
            actions.append(next(a for a in legal(here) if a >= ids.PARTNER))
            kernels.apply_at(here, 0, actions[-1])
        if here["hand"][0, self._seat, wanted] > place.state["hand"][0, self._seat, wanted]:
            return Place(here, _TRADE, actions)
        return None

    def _gains(self, state: np.ndarray) -> bool:
        asked = int(state["responder"][0])
        trade = state.copy()
        trade["hand"][0, asked] += trade["offer"][0]
        trade["count"][0, asked] += trade["offer"][0].sum()
        return bool(quick_value(trade, asked, self._weights) > quick_value(state, asked, self._weights))

    def of_opponent(self, state: np.ndarray) -> list[bytes]:
        """What the opponent who is to buy makes of its turn, the worst for the seat first (CA-28, CA-32)."""
        settings = self._settings
        queue = [(state, 0)]
        ends: dict[bytes, np.ndarray] = {}
        room = 2 + (4 * settings.n_turns_search + 1) * 3 * settings.n_actions
        for here, least in queue:  # grows meanwhile
            over = here["phase"][0] == phases.OVER
            end = here.copy() if over else after(here, ids.END)
            ends.setdefault(end.tobytes(), end)
            if over or len(ends) > 4 * settings.n_turns_search:
                continue
            out = np.zeros(PURCHASES, np.int64)
            bought = [(kind_of(int(a)), here.copy(), int(a)) for a in out[: purchases_of(here, out)]]
            for _, child, purchase in bought:
                buy_for(child, purchase)
            for kind in range(least, 3):
                children = [child for one, child, _ in bought if one == kind]
                children.sort(key=self._worth)
                queue += [(child, kind) for child in children[: settings.n_actions]][: room - len(queue)]
        return sorted(ends, key=lambda key: self._worth(ends[key]))[: settings.n_turns_search]

    def _worth(self, state: np.ndarray) -> float:
        return float(quick_value(state, self._seat, self._weights))
