"""Azul once more: slow, obvious, plain Python, written from the specification alone.

It shares nothing with the engine but the rules. Colours are words, actions are tuples:
("take", source, colour, destination), ("column", column), ("step",); a source is a factory's
index or "centre", a destination is a line's index or "floor". Chance outcomes are a seat
(who starts) or a colour (the tile drawn).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

__all__ = ["COLOURS", "PENALTIES", "Board", "OracleGame"]

COLOURS = ["blue", "yellow", "red", "black", "white"]
PENALTIES = [1, 1, 2, 2, 2, 3, 3]  # AZ-7, place by place
WALL = [  # AZ-6, as printed
    ["blue", "yellow", "red", "black", "white"],
    ["white", "blue", "yellow", "red", "black"],
    ["black", "white", "blue", "yellow", "red"],
    ["red", "black", "white", "blue", "yellow"],
    ["yellow", "red", "black", "white", "blue"],
]


class Board:
    """What lies in front of one player (AZ-5)."""

    def __init__(self) -> None:
        self.score = 0
        self.lines: list[list[str]] = [[], [], [], [], []]
        self.wall: list[list[str | None]] = [[None] * 5 for _ in range(5)]
        self.floor: list[str] = []  # colours and "marker", at most seven

    def accepts(self, line: int, colour: str) -> bool:
        """AZ-21, AZ-22."""
        tiles = self.lines[line]
        if len(tiles) == line + 1:
            return False
        if tiles and tiles[0] != colour:
            return False
        return colour not in self.wall[line]

    def topmost_full_line(self) -> int | None:
        for line in range(5):
            if len(self.lines[line]) == line + 1:
                return line
        return None

    def columns_for(self, row: int, colour: str, grey: bool) -> list[int]:
        """AZ-27, AZ-38: where a tile of the colour may stand in the row."""
        if not grey:
            return [WALL[row].index(colour)]
        found = []
        for column in range(5):
            colours_in_column = [self.wall[other][column] for other in range(5)]
            if self.wall[row][column] is None and colour not in colours_in_column:
                found.append(column)
        return found

    def points_at(self, row: int, column: int) -> int:
        """AZ-29, for a tile that lies there."""
        horizontal = self._run(row, column, 0, 1)
        vertical = self._run(row, column, 1, 0)
        if horizontal == 1 and vertical == 1:
            return 1
        return (horizontal if horizontal > 1 else 0) + (vertical if vertical > 1 else 0)

    def _run(self, row: int, column: int, down: int, right: int) -> int:
        length = 1
        for direction in (1, -1):
            r, c = row + direction * down, column + direction * right
            while 0 <= r < 5 and 0 <= c < 5 and self.wall[r][c] is not None:
                length += 1
                r, c = r + direction * down, c + direction * right
        return length

    def complete_rows(self) -> int:
        return sum(None not in row for row in self.wall)

    def complete_columns(self) -> int:
        return sum(None not in column for column in zip(*self.wall, strict=True))

    def complete_colours(self) -> int:
        tiles = [tile for row in self.wall for tile in row]
        return sum(tiles.count(colour) == 5 for colour in COLOURS)

    def bonus(self) -> int:
        """AZ-34."""
        return 2 * self.complete_rows() + 7 * self.complete_columns() + 10 * self.complete_colours()


class OracleGame:
    """The whole game; `first` is a seat, or None to be drawn."""

    def __init__(self, players: int, grey: bool = False, first: int | None = None, round_limit: int = 0) -> None:
        self.players = players
        self.grey = grey
        self.round_limit = round_limit
        self.boards = [Board() for _ in range(players)]
        self.bag = Counter(dict.fromkeys(COLOURS, 20))
        self.lid: Counter[str] = Counter()
        self.factories: list[list[str]] = [[] for _ in range({2: 5, 3: 7, 4: 9}[players])]  # AZ-4
        self.centre: list[str] = []
        self.marker_taker: int | None = None  # None: the marker lies in the centre
        self.round_number = 1
        self.cut_off = False
        self.phase = "start"
        self.starter = 0
        self.current = 0
        if first is not None:
            self._begin_round(first)

    # --- what can happen ---------------------------------------------------------------

    def outcomes(self) -> dict[Any, Fraction]:
        """The chance event that is next, with its probabilities."""
        if self.phase == "start":
            return {seat: Fraction(1, self.players) for seat in range(self.players)}
        if self.phase == "dealing":
            return {colour: Fraction(n, self.bag.total()) for colour, n in self.bag.items() if n}
        return {}

    def actions(self) -> list[tuple]:
        """All legal actions of the current player, in no special order."""
        board = self.boards[self.current]
        if self.phase == "taking":
            found: list[tuple] = []
            for source, tiles in self._sources():
                for colour in set(tiles):
                    found.append(("take", source, colour, "floor"))  # AZ-24
                    found += [("take", source, colour, line) for line in range(5) if board.accepts(line, colour)]
            return found
        if self.phase == "placing":
            columns = self._columns_to_choose()
            return [("column", column) for column in columns] if len(columns) > 1 else [("step",)]
        return []

    def _sources(self) -> list[tuple[Any, list[str]]]:
        return [*enumerate(self.factories), ("centre", self.centre)]

    def _columns_to_choose(self) -> list[int]:
        board = self.boards[self.current]
        line = board.topmost_full_line()
        return [] if line is None else board.columns_for(line, board.lines[line][0], self.grey)

    # --- what happens ------------------------------------------------------------------

    def happen(self, outcome: Any) -> None:
        """A chance event."""
        if self.phase == "start":
            self._begin_round(outcome)
            return
        self.bag[outcome] -= 1
        next(tiles for tiles in self.factories if len(tiles) < 4).append(outcome)
        self._deal_on()

    def act(self, action: tuple) -> None:
        """A legal action of the current player."""
        if action[0] == "take":
            self._take(*action[1:])
        else:
            self._tile(action[1] if action[0] == "column" else None)

    def _begin_round(self, starter: int) -> None:
        self.starter = self.current = starter
        self.marker_taker = None
        self.phase = "dealing"
        if not self.bag.total() and not self.lid.total():  # AZ-14
            self._finish()
            return
        self._deal_on()

    def _deal_on(self) -> None:
        """AZ-11 … AZ-13: is there one more tile to deal?"""
        if all(len(tiles) == 4 for tiles in self.factories):
            self.phase = "taking"
            return
        if not self.bag.total():
            self.bag, self.lid = self.lid, Counter()
        if not self.bag.total():
            self.phase = "taking"

    def _take(self, source: Any, colour: str, destination: Any) -> None:
        board = self.boards[self.current]
        if source == "centre":
            count = self.centre.count(colour)
            self.centre = [tile for tile in self.centre if tile != colour]
            if self.marker_taker is None:  # AZ-17, AZ-18
                self.marker_taker = self.current
                if len(board.floor) < 7:
                    board.floor.append("marker")
        else:
            tiles = self.factories[source]
            count = tiles.count(colour)
            self.centre += [tile for tile in tiles if tile != colour]
            self.factories[source] = []
        for _ in range(count):
            if destination != "floor" and len(board.lines[destination]) <= destination:
                board.lines[destination].append(colour)
            else:
                self._drop(board, colour)
        if any(tiles for _, tiles in self._sources()):
            self.current = (self.current + 1) % self.players
        else:  # AZ-26, AZ-28
            self.phase = "placing"
            self.current = self.starter

    def _drop(self, board: Board, colour: str) -> None:
        """AZ-23, AZ-25: one tile to the floor, or to the lid."""
        if len(board.floor) < 7:
            board.floor.append(colour)
        else:
            self.lid[colour] += 1

    def _tile(self, chosen: int | None) -> None:
        """One step of tiling (AZ-49)."""
        board = self.boards[self.current]
        line = board.topmost_full_line()
        if line is not None:
            colour = board.lines[line][0]
            columns = board.columns_for(line, colour, self.grey)
            board.lines[line] = []
            if columns:
                column = columns[0] if chosen is None else chosen
                board.wall[line][column] = colour
                board.score += board.points_at(line, column)
                self.lid[colour] += line
            else:  # AZ-39
                for _ in range(line + 1):
                    self._drop(board, colour)
        if board.topmost_full_line() is None:
            self._settle_floor(board)
            self.current = (self.current + 1) % self.players
            if self.current == self.starter:
                self._end_round()

    def _settle_floor(self, board: Board) -> None:
        """AZ-30, AZ-31."""
        board.score = max(0, board.score - sum(PENALTIES[: len(board.floor)]))
        self.lid.update(tile for tile in board.floor if tile != "marker")
        board.floor = []

    def _end_round(self) -> None:
        if any(board.complete_rows() for board in self.boards):  # AZ-33
            self._finish()
        elif self.round_limit and self.round_number >= self.round_limit:  # AZ-36
            self.cut_off = True
            self._finish()
        else:  # AZ-32
            self.round_number += 1
            self._begin_round(self.starter if self.marker_taker is None else self.marker_taker)

    def _finish(self) -> None:
        for board in self.boards:
            board.score += board.bonus()
        self.phase = "over"

    # --- the result --------------------------------------------------------------------

    def winners(self) -> list[int]:
        """AZ-35; more than one seat shares the victory."""
        results = [(board.score, board.complete_rows()) for board in self.boards]
        return [seat for seat, result in enumerate(results) if result == max(results)]

    def returns(self) -> list[Fraction]:
        """One victory is shared by the winners; an equal split of it is worth 0, a sole victory 1."""
        if self.phase != "over":
            return [Fraction(0)] * self.players
        winners = self.winners()
        shares = [Fraction(1, len(winners)) if seat in winners else Fraction(0) for seat in range(self.players)]
        fair = Fraction(1, self.players)
        return [(share - fair) / (1 - fair) for share in shares]
