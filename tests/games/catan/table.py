"""A Catan table for tests: pieces and cards put where a test needs them, then played by words."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ludens.core import kernels, record
from ludens.core.jit import kernel
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.catan import GAME, phases
from ludens.games.catan.rules import island
from ludens.games.catan.rules.building import found
from ludens.games.catan.rules.roads import lay_road
from ludens.games.catan.rules.turn import check_victory
from ludens.games.catan.state import CARD_KINDS, MAX_PLAYERS, RESOURCES, UNLIMITED

__all__ = ["CENTRE", "Table", "edge_between", "edges_along"]


@kernel
def _put_settlement(states: Any, p: int, vertex: int) -> None:
    found(states[0], p, vertex)


@kernel
def _put_road(states: Any, p: int, edge: int) -> None:
    lay_road(states[0], p, edge)


@kernel
def _check_victory(states: Any) -> None:
    check_victory(states[0])


def edge_between(a: int, b: int) -> int:
    """The edge that joins two neighbouring vertices."""
    return [sorted(pair) for pair in island.EDGE_VERTICES.tolist()].index(sorted((int(a), int(b))))


def edges_along(vertices: list[int]) -> list[int]:
    """The edges of a path through these vertices."""
    return [edge_between(a, b) for a, b in pairwise(vertices)]


class Table:
    """A game in the first turn of seat 0 with an empty board, unless told otherwise."""

    def __init__(self, rolled: bool = True, placed: bool = True, **options: Any) -> None:
        self.states = record.blank(GAME.dtype)
        kernels.reset_at(self.states, 0, GAME.options(options))
        if placed:
            s = self.states[0]
            s.turn_number, s.placed = 1, 2 * int(s.players)
            s.phase, s.rolled = (phases.MAIN, 1) if rolled else (phases.BEFORE_ROLL, 0)

    @property
    def s(self) -> Any:
        return self.states[0]

    @property
    def phase(self) -> str:
        return phases.PHASES[int(self.s.phase)]

    @property
    def actor(self) -> int:
        return int(kernels.actor_at(self.states, 0))

    @property
    def over(self) -> bool:
        return self.actor == TERMINAL

    # --- putting things ---

    def settle(self, p: int, *vertices: int) -> Table:
        for vertex in vertices:
            _put_settlement(self.states, p, int(vertex))
        return self

    def city(self, p: int, *vertices: int) -> Table:
        s = self.s
        for vertex in vertices:
            if s.building[vertex] != p:
                self.settle(p, vertex)
            s.building[vertex] = MAX_PLAYERS + p
            s.settlements[p] &= ~(1 << int(vertex))
            s.cities[p] |= 1 << int(vertex)
            s.cities_left[p] -= 1
            s.settlements_left[p] += 1
            s.visible[p] += 1
        return self

    def road(self, p: int, *edges: int) -> Table:
        for edge in edges:
            _put_road(self.states, p, int(edge))
        return self

    def road_round(self, p: int, hex_: int, sides: int = 6) -> Table:
        return self.road(p, *island.HEX_EDGES[hex_][:sides])

    def cards(self, p: int, **counts: int) -> Table:
        """Sets the whole hand of a player, from the bank."""
        s = self.s
        for r, name in enumerate(RESOURCES):
            change = counts.get(name, 0) - int(s.hand[p, r])
            s.hand[p, r] += change
            s.counted[p, r] += change
            s.count[p] += change
            if s.bank[r] != UNLIMITED:
                s.bank[r] -= change
        return self

    def development(self, p: int, fresh: bool = False, **counts: int) -> Table:
        """Adds development cards from the deck; names with underscores."""
        s = self.s
        for name, count in counts.items():
            kind = CARD_KINDS.index(name.replace("_", " "))
            s.cards[p, kind] += count
            s.card_count[p] += count
            s.deck[kind] -= count
            s.deck_count -= count
            if fresh:
                s.fresh[kind] += count
                s.fresh_count += count
        return self

    # --- playing ---

    def words(self) -> list[str]:
        """The legal moves in words."""
        out = np.zeros(GAME.spec.actions, np.int64)
        n = int(kernels.legal_at(self.states, 0, out))
        return [GAME.text.action_to_text(self.s, int(a)) for a in out[:n]]

    def may(self, word: str) -> bool:
        return word in self.words()

    def do(self, *words: str) -> Table:
        """Plays moves; each must be legal."""
        for word in words:
            assert self.may(word), f"{word!r} is not among {self.words()}"
            kernels.apply_at(self.states, 0, GAME.text.action_from_text(self.s, word))
        return self

    def chance(self, outcome: int) -> Table:
        """Plays a chance outcome that must be possible."""
        outcomes, weights = np.zeros(GAME.spec.outcomes, np.int64), np.zeros(GAME.spec.outcomes)
        n = int(kernels.chance_at(self.states, 0, outcomes, weights))
        assert self.actor == CHANCE
        assert outcome in outcomes[:n]
        kernels.apply_at(self.states, 0, outcome)
        return self

    def roll(self, total: int) -> Table:
        """Rolls this number of dots."""
        first = min(6, total - 1)
        return self.do("roll").chance(6 * (first - 1) + total - first - 1)

    def steal(self, resource: str) -> Table:
        return self.chance(RESOURCES.index(resource))

    def draw(self, card: str) -> Table:
        return self.chance(CARD_KINDS.index(card))

    def check_victory(self) -> Table:
        _check_victory(self.states)
        return self

    def refusal(self, word: str) -> str:
        action = GAME.text.action_from_text(self.s, word)
        assert not self.may(word)
        return GAME.text.refusal(self.s, action)

    def hand(self, p: int) -> dict[str, int]:
        return {name: int(n) for name, n in zip(RESOURCES, self.s.hand[p], strict=True) if n}

    def points(self) -> list[float]:
        out = np.zeros(int(self.s.players))
        kernels.scores_at(self.states, 0, out)
        return out.tolist()

    def returns(self) -> list[float]:
        out = np.zeros(int(self.s.players))
        kernels.returns_at(self.states, 0, out)
        return out.tolist()

    def seen(self, seat: int) -> np.ndarray:
        out = record.blank(GAME.dtype)
        kernels.view_at(self.states, 0, seat, out)
        return out

    def guess(self, seat: int, rng: np.ndarray) -> np.ndarray:
        out = record.blank(GAME.dtype)
        kernels.determinize_at(self.seen(seat), 0, seat, rng, out)
        return out


CENTRE = [int(v) for v in island.HEX_VERTICES[9]]
"""The six vertices of the desert on the beginner board, clockwise from the top."""


def example() -> Table:
    """Seat 0: a city at hex 4 (brick 6) with two roads; seat 1: two settlements, the most points of the others."""
    table = (
        Table()
        .city(0, int(island.HEX_VERTICES[4][3]))
        .road(0, *edges_along([int(v) for v in island.HEX_VERTICES[4]][3:]))
    )
    table.settle(1, 0, 4).cards(0, brick=1, lumber=1, wool=2).cards(1, ore=3).development(0, knight=1, victory_point=1)
    return table
