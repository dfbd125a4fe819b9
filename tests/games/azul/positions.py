"""Positions of Azul written in letters, and a table to play them on.

Tiles are the letters B(lue) Y(ellow) R(ed) K (black) W(hite), "1" is the first-player marker,
"." an empty wall cell. Everything is counted from 0, as in the specification.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.core import kernels, record
from ludens.games.azul import GAME, phases
from ludens.games.azul.state import EMPTY, FIRST_COLUMN, FLOOR, MARKER, NOBODY, SIZE, STEP, TILES_PER_COLOUR

__all__ = ["CENTRE", "EMPTY_WALL", "LETTERS", "Board", "Table", "new_table", "placing", "take", "taking"]

LETTERS = "BYRKW"
CENTRE = "centre"
EMPTY_WALL = (".....",) * SIZE


@dataclass
class Board:
    """One player's board in letters; `lines` from top to bottom, `wall` row by row."""

    lines: Sequence[str] = ("",) * SIZE
    wall: Sequence[str] = EMPTY_WALL
    floor: str = ""
    score: int = 0


def take(source: int | str, colour: str, destination: int, players: int = 2) -> int:
    """The action id of AZ-66, computed here from its formula."""
    index = 2 * players + 1 if source == CENTRE else int(source)
    return index * 30 + LETTERS.index(colour) * 6 + destination


class Table:
    """An engine's position with readable contents; `act` refuses what is not legal."""

    def __init__(self, states: np.ndarray) -> None:
        self.states = states
        self._legal = np.zeros(GAME.spec.actions, np.int64)

    # --- reading ---------------------------------------------------------------------------

    @property
    def s(self) -> Any:
        """The record itself."""
        return self.states[0]

    @property
    def actor(self) -> int:
        return int(kernels.actor_at(self.states, 0))

    @property
    def phase(self) -> int:
        return int(self.s.phase)

    @property
    def players(self) -> int:
        return int(self.s.players)

    def legal(self) -> list[int]:
        """The legal ids, as the engine lists them."""
        return [int(a) for a in self._legal[: kernels.legal_at(self.states, 0, self._legal)]]

    def chance(self) -> dict[int, float]:
        """Outcome -> probability of the chance event that is next."""
        outcomes, weights = np.zeros(GAME.spec.outcomes, np.int64), np.zeros(GAME.spec.outcomes)
        n = kernels.chance_at(self.states, 0, outcomes, weights)
        return {int(outcomes[k]): float(weights[k]) for k in range(n)}

    def scores(self) -> list[int]:
        out = np.zeros(self.players)
        kernels.scores_at(self.states, 0, out)
        return [int(x) for x in out]

    def returns(self) -> list[float]:
        out = np.zeros(self.players)
        kernels.returns_at(self.states, 0, out)
        return [float(x) for x in out]

    def source(self, source: int | str) -> str:
        """The tiles of a factory or of the centre, sorted by colour."""
        return _letters(self.s.sources[int(self.s.factories) if source == CENTRE else int(source)])

    def factories(self) -> list[str]:
        return [self.source(f) for f in range(int(self.s.factories))]

    def bag(self) -> str:
        return _letters(self.s.bag)

    def lid(self) -> str:
        return _letters(self.s.lid)

    def line(self, seat: int, line: int) -> str:
        colour, count = int(self.s.line_colour[seat, line]), int(self.s.line_count[seat, line])
        return "" if colour == EMPTY else LETTERS[colour] * count

    def lines(self, seat: int) -> list[str]:
        return [self.line(seat, line) for line in range(SIZE)]

    def wall(self, seat: int) -> list[str]:
        return ["".join("." if t == EMPTY else LETTERS[t] for t in row) for row in self.s.wall[seat]]

    def floor(self, seat: int) -> str:
        """The floor from left to right; places beyond its count must be empty."""
        count = int(self.s.floor_count[seat])
        assert all(t == EMPTY for t in self.s.floor[seat, count:])
        return "".join("1" if t == MARKER else LETTERS[t] for t in self.s.floor[seat, :count])

    def tiles_of_each_colour(self) -> list[int]:
        """All tiles wherever they are, colour by colour; the marker is no tile (AZ-9)."""
        s = self.s
        lines = [int(s.line_count[s.line_colour == colour].sum()) for colour in range(SIZE)]
        laid = [int((s.wall == colour).sum() + (s.floor == colour).sum()) for colour in range(SIZE)]
        loose = s.bag.astype(int) + s.lid + s.sources.sum(axis=0)
        return [int(loose[colour]) + lines[colour] + laid[colour] for colour in range(SIZE)]

    # --- acting ----------------------------------------------------------------------------

    def copy(self) -> Table:
        return Table(self.states.copy())

    def act(self, *actions: int) -> Table:
        """Plays legal actions one after the other."""
        for action in actions:
            assert action in self.legal(), f"{action} is not legal: {self.legal()}"
            kernels.apply_at(self.states, 0, action)
        return self

    def take(self, source: int | str, colour: str, destination: int = FLOOR) -> Table:
        return self.act(take(source, colour, destination, self.players))

    def may_take(self, source: int | str, colour: str, destination: int) -> bool:
        return take(source, colour, destination, self.players) in self.legal()

    def step(self, times: int = 1) -> Table:
        """Tiling steps that leave no choice."""
        return self.act(*[STEP] * times)

    def choose_column(self, column: int) -> Table:
        return self.act(FIRST_COLUMN + column)

    def tile(self) -> Table:
        """Tiling steps without a choice until the phase is over."""
        while self.phase == phases.PLACING:
            self.step()
        return self

    def deal(self, tiles: str) -> Table:
        """Chance outcomes of the deal, one letter a tile."""
        for letter in tiles:
            outcome = LETTERS.index(letter)
            assert outcome in self.chance(), f"{letter} cannot be drawn: {self.chance()}"
            kernels.apply_at(self.states, 0, outcome)
        return self


def new_table(players: int = 2, **options: Any) -> Table:
    """A fresh game; seat 0 starts unless the options say otherwise."""
    states = record.blank(GAME.dtype)
    kernels.reset_at(states, 0, GAME.options({"players": players, "first": "1", **options}))
    return Table(states)


def taking(
    factories: Sequence[str] = (),
    centre: str = "",
    boards: Sequence[Board] = (),
    players: int = 2,
    current: int = 0,
    marker: int = NOBODY,
    bag: str | None = None,
    lid: str = "",
    **options: Any,
) -> Table:
    """A position of the taking phase; tiles not mentioned are in the bag, unless the bag is given."""
    table = _set_up(boards, players, current, marker, options)
    s = table.s
    s.phase = phases.TAKING
    s.dealt = 4 * int(s.factories)
    for f, tiles in enumerate(factories):
        s.sources[f] = _counts(tiles)
    s.sources[int(s.factories)] = _counts(centre)
    s.tiles_left = int(s.sources.sum())
    _fill_bag(table, bag, lid)
    return table


def placing(
    boards: Sequence[Board],
    players: int = 2,
    current: int = 0,
    marker: int = 0,
    bag: str | None = None,
    lid: str = "",
    round_number: int = 1,
    **options: Any,
) -> Table:
    """A position of the tiling phase: nothing is left to take."""
    table = _set_up(boards, players, current, marker, options)
    s = table.s
    s.phase = phases.PLACING
    s.round_number = round_number
    s.dealt = 4 * int(s.factories)
    _fill_bag(table, bag, lid)
    return table


def _set_up(boards: Sequence[Board], players: int, current: int, marker: int, options: dict[str, Any]) -> Table:
    table = new_table(players, **options)
    s = table.s
    assert s.phase == phases.DEALING
    s.current = current
    s.marker = marker
    for seat, board in enumerate(boards):
        s.score[seat] = board.score
        for line, tiles in enumerate(board.lines):
            assert len(set(tiles)) <= 1, f"a line holds one colour, not {tiles}"
            assert len(tiles) <= line + 1
            s.line_colour[seat, line] = LETTERS.index(tiles[0]) if tiles else EMPTY
            s.line_count[seat, line] = len(tiles)
        for row, tiles in enumerate(board.wall):
            s.wall[seat, row] = [EMPTY if t == "." else LETTERS.index(t) for t in tiles]
        for place, tile in enumerate(board.floor):
            s.floor[seat, place] = MARKER if tile == "1" else LETTERS.index(tile)
        s.floor_count[seat] = len(board.floor)
    return table


def _fill_bag(table: Table, bag: str | None, lid: str) -> None:
    s = table.s
    s.lid[:] = _counts(lid)
    if bag is not None:
        s.bag[:] = _counts(bag)
        return
    s.bag[:] = 0
    for colour, placed in enumerate(table.tiles_of_each_colour()):
        assert placed <= TILES_PER_COLOUR, f"{placed} tiles of {LETTERS[colour]}"
        s.bag[colour] = TILES_PER_COLOUR - placed


def _counts(tiles: Iterable[str]) -> list[int]:
    count = Counter(tiles)
    assert set(count) <= set(LETTERS)
    return [count[letter] for letter in LETTERS]


def _letters(counts: Iterable[int]) -> str:
    return "".join(letter * int(n) for letter, n in zip(LETTERS, counts, strict=True))
