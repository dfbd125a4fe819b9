"""Catan: planned turns (CA-23, CA-24, CA-32 … CA-36): which sequences of own actions are worth a thought.

A segment is a sequence of own actions up to the end of the turn or the next chance event. Segments keep the
order of CA-33: one development card, the roll, trades, roads, settlements, cities, new cards. Of every kind of
action only the best by `q_heuristic` are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ludens.core import kernels
from ludens.core.record import blank
from ludens.games.catan.players.planner.values import SCRATCH, accepts, heuristic_values, quick_value
from ludens.games.catan.state import (
    ACCEPT,
    ACTIONS,
    ANSWER,
    BEFORE_ROLL,
    BUY,
    CITY,
    COST,
    DECLINE,
    DISCARDING,
    DTYPE,
    END,
    EXCHANGE,
    FREE_ROADS,
    GIVE,
    KINDS,
    KNIGHT,
    LAST_CHANCE,
    MAIN,
    OVER,
    PARTNER,
    PARTNERING,
    PLENTY,
    PROPOSE,
    ROBBER,
    ROBBING,
    ROLL,
    SETTLEMENT,
    TAKE,
    VICTIMISING,
    WANT,
)

__all__ = ["PlannedTurn", "PlannerSettings", "Segment", "Segments", "key_of"]

_CARD, _TRADE, _ROADS, _SETTLEMENTS, _CITIES, _NEW_CARD = range(6)  # the order of CA-33, after the roll
_WITHIN = (DISCARDING, FREE_ROADS, PLENTY, ROBBING, VICTIMISING)  # phases with decisions of one kind
_MOST = 300  # segments looked at in one position

Key = tuple[int, ...]
"""What a seat notices of a position: enough to tell whether a plan is still on its way."""


@dataclass(frozen=True)
class PlannerSettings:
    """How broad and deep the planner thinks."""

    depth: int = 1  # CA-29
    n_actions: int = 3  # of each kind of action (CA-32.1)
    n_turns: int = 9  # of the turns at the root (CA-32.2)
    n_turns_search: int = 3  # of the turns inside the search (CA-32.3)
    max_offers: int = 3  # offers to players a turn (CA-35)
    blend: float = 0.5  # weight of imagined settlements in the value of a road (CA-36)
    chance_window: str = "open"  # CA-27
    opponent_model: str = "minimise"  # CA-28


@dataclass(frozen=True)
class Segment:
    """Own actions with the key of the position before each, and the position after the last."""

    steps: tuple[tuple[Key, int], ...]
    after: np.ndarray


@dataclass(frozen=True)
class PlannedTurn:
    """The steps to take, and how to go on after every outcome of the chance event that may follow (CA-24)."""

    steps: tuple[tuple[Key, int], ...]
    value: float
    continuations: dict[Key, PlannedTurn] = field(default_factory=dict)


def key_of(states: np.ndarray, seat: int) -> Key:
    """Phase, turn, dice, robber, own resources and own development cards."""
    s = states[0]
    facts = (s.phase, s.turn_number, s.die.sum(), s.robber, s.free_roads, s.to_take)
    return (*map(int, facts), *map(int, s.hand[seat]), *map(int, s.cards[seat]), *map(int, s.offer))


class Segments:
    """Finds the segments of a seat by the settings and an evaluation."""

    def __init__(self, seat: int, settings: PlannerSettings, weights: np.ndarray) -> None:
        self._seat, self._settings, self._weights = seat, settings, weights
        self._scratch = blank(DTYPE, SCRATCH)
        self._legal = np.zeros(ACTIONS, np.int64)

    def quick(self, states: np.ndarray) -> float:
        """v_quick of a position."""
        return float(quick_value(states, self._seat, self._weights))

    def best_actions(self, states: np.ndarray, actions: list[int], most: int) -> list[int]:
        """The best actions by q_heuristic, at most so many, the best first (CA-32.1)."""
        if len(actions) < 2:
            return actions
        ids, values = np.array(actions, np.int64), np.zeros(len(actions))
        heuristic_values(states, self._seat, ids, self._settings.blend, self._weights, self._scratch, values)
        return [actions[k] for k in np.argsort(-values, kind="stable")[:most]]

    def legal(self, states: np.ndarray) -> list[int]:
        """The legal actions in a position."""
        return [int(a) for a in self._legal[: kernels.legal_at(states, 0, self._legal)]]

    def best(self, states: np.ndarray, most: int) -> list[Segment]:
        """The best segments by v_quick, at most so many, the best first (CA-32.2)."""
        found = {segment.after.tobytes(): segment for segment in self._all(states)}
        ranked = sorted(found.values(), key=lambda segment: -self.quick(segment.after))
        return ranked[:most]

    def _all(self, states: np.ndarray) -> Iterator[Segment]:
        """All segments, breadth first, so that the limit cuts off the long ones; later twins replace earlier ones."""
        queue: list[tuple[np.ndarray, int, tuple[tuple[Key, int], ...]]] = [(states, _CARD, ())]
        looked_at = 0
        while queue and looked_at < _MOST:
            here, stage, steps = queue.pop(0)
            looked_at += 1
            phase = int(here["phase"][0])
            if phase <= LAST_CHANCE or phase == OVER or kernels.actor_at(here, 0) != self._seat:
                yield Segment(steps, here)
                continue
            if phase == MAIN:
                yield self._extended(here, steps, END)
            for action, later in self._options(here, phase, stage):
                longer = self._extended(here, steps, action)
                queue.append((longer.after, later, longer.steps))
            if phase == MAIN and stage <= _TRADE:
                for offer in self._offers(here):
                    queue.append((offer.after, _TRADE, (*steps, *offer.steps)))

    def _extended(self, here: np.ndarray, steps: tuple[tuple[Key, int], ...], action: int) -> Segment:
        after = here.copy()
        kernels.apply_at(after, 0, action)
        return Segment((*steps, (key_of(here, self._seat), action)), after)

    def _options(self, here: np.ndarray, phase: int, stage: int) -> Iterator[tuple[int, int]]:
        """Pairs of an action and the stage that follows it."""
        most = self._settings.n_actions
        legal = self.legal(here)
        if phase in _WITHIN:
            # Discards come one after another and in many orders, so only the best of each is tried.
            yield from ((a, stage) for a in self.best_actions(here, legal, 1 if phase == DISCARDING else most))
            return
        kinds: list[list[int]] = [[] for _ in range(6)]
        for a in legal:
            if a < SETTLEMENT:
                kinds[_ROADS].append(a)
            elif a < CITY:
                kinds[_SETTLEMENTS].append(a)
            elif a < ROBBER:
                kinds[_CITIES].append(a)
            elif EXCHANGE <= a < BUY and self._useful(here, _wanted(a)):
                kinds[_TRADE].append(a)
            elif a == BUY:
                kinds[_NEW_CARD].append(a)
            elif KNIGHT <= a < TAKE:
                kinds[_CARD].append(a)
        if phase == BEFORE_ROLL:
            yield ROLL, _TRADE
            kinds = [kinds[_CARD], *([] for _ in range(5))]
        for kind in range(stage, 6):
            later = _TRADE if kind == _CARD else kind
            yield from ((a, later) for a in self.best_actions(here, kinds[kind], most))

    def _useful(self, here: np.ndarray, wanted: int) -> bool:
        """Is a card of this kind missing for some purchase that is possible? (CA-34)"""
        s, p = here[0], self._seat
        possible = (
            s.roads_left[p] > 0 and s.open_roads[p].any(),
            s.settlements_left[p] > 0 and s.open_sites & s.touched[p] != 0,
            s.cities_left[p] > 0 and s.settlements[p] != 0,
            s.deck_count > 0,
        )
        return any(possible[way] and s.hand[p, wanted] < COST[way, wanted] for way in range(4))

    # --- offers to players (CA-34, CA-35) ---

    def _offers(self, here: np.ndarray) -> Iterator[Segment]:
        """Offers that somebody would take, one card for one; two for one only where nobody takes one."""
        s, p = here[0], self._seat
        if s.offers_made >= min(self._settings.max_offers, s.max_offers):
            return
        for wanted in range(KINDS):
            if not self._useful(here, wanted):
                continue
            for size in (1, 2):
                made = [
                    offer
                    for given in range(KINDS)
                    if given != wanted and s.hand[p, given] >= size
                    if (offer := self._offered(here, given, size, wanted)) is not None
                ]
                yield from sorted(made, key=lambda offer: -self.quick(offer.after))[: self._settings.n_actions]
                if made:
                    break

    def _offered(self, here: np.ndarray, given: int, size: int, wanted: int) -> Segment | None:
        """The offer with the answers that the opponents' own values suggest; None if nobody would take it."""
        segment = Segment((), here)
        for action in (*[GIVE + given] * size, WANT + wanted, PROPOSE):
            if action not in self.legal(segment.after):
                return None
            segment = self._extended(segment.after, segment.steps, action)
        after = segment.after
        while after["phase"][0] == ANSWER:
            asked = int(after["responder"][0])
            willing = ACCEPT in self.legal(after) and accepts(after, asked, self._weights, self._scratch)
            kernels.apply_at(after, 0, ACCEPT if willing else DECLINE)
        if after["phase"][0] == PARTNERING:
            partner = next(a for a in self.legal(after) if a >= PARTNER)
            segment = self._extended(after, segment.steps, partner)
        traded = segment.after["hand"][0, self._seat, wanted] > here["hand"][0, self._seat, wanted]
        return segment if traded else None


def _wanted(exchange: int) -> int:
    """The resource that a maritime trade brings."""
    given, k = divmod(exchange - EXCHANGE, 4)
    return k if k < given else k + 1
