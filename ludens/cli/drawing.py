"""How a game looks in the terminal: its own drawing (`core.words.Display`) or plain text, its events and its moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich import box
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from ludens.core.film import seen_by

if TYPE_CHECKING:
    import numpy as np
    from rich.console import RenderableType

    from ludens.core.agent import Thought
    from ludens.core.match import Match, Step
    from ludens.core.spec import Game

__all__ = ["Drawing", "Menu", "bullets", "narrate", "standings", "thought_in_words", "told", "winners"]


class Drawing:
    """The face of a game in the terminal."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._display = display = game.terminal()
        self.quiet, self.endings, self.help = display.quiet, display.endings, display.help

    def position(self, view: np.ndarray, seat: int, names: tuple[str, ...]) -> RenderableType:
        """The position as the seat sees it; `view` is an array of one record."""
        render = self._display.render
        return Text(self._game.text.position_to_text(view[0])) if render is None else render(view[0], seat, names)

    def move(self, view: np.ndarray, action: int) -> tuple[RenderableType, str, str]:
        """(heading, the heading's plain text, label) of an action."""
        if self._display.move is not None:
            heading, label = self._display.move(view[0], action)
            return heading, str(heading), label
        *words, last = self._game.text.action_to_text(view[0], action).split()
        return " ".join(words), " ".join(words), last

    def result(self, match: Match) -> RenderableType:
        """The table of results of a finished match."""
        final = self._display.final
        return standings(match) if final is None else final(match.state()[0], match.names)


def winners(match: Match) -> list[str]:
    """The names of all who have won, alone or together."""
    returns = match.returns()
    return [name for name, value in zip(match.names, returns, strict=True) if value >= max(returns) - 1e-9]


def standings(match: Match) -> Table:
    """Names and scores, the best first."""
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("Player")
    table.add_column("Points", justify="right")
    rows = sorted(zip(match.returns(), match.scores(), match.names, strict=True), key=lambda row: row[:2], reverse=True)
    for _, score, name in rows:
        table.add_row(name, f"{score:g}")
    return table


def told(match: Match, step: Step, seat: int | None, quiet: frozenset[str]) -> list[str]:
    """The sentences of one step for a seat (None knows all); kinds of events in `quiet` are left out."""
    events = (seen_by(event, seat, everything=seat is None) for event in step.events if event["kind"] not in quiet)
    return [line for event in events if (line := match.game.text.narrate(event, match.names))]


def narrate(match: Match, first: int, seat: int | None, quiet: frozenset[str]) -> Iterator[str]:
    """The sentences of all steps from ply `first` on."""
    for step in match.steps():
        if step.ply >= first:
            yield from told(match, step, seat, quiet)


def bullets(lines: Iterable[str]) -> Table:
    """The sentences one below the other, each with a mark in front."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    for line in lines:
        grid.add_row(Text("  ›", "dim"), Text(line))
    return grid


def thought_in_words(thought: Thought, line: Sequence[str]) -> str:
    """What an agent thought, in one line; `line` is its principal variation in words."""
    parts = []
    if thought.value is not None:
        parts.append(f"value {thought.value:+.2f}")
    if thought.simulations is not None:
        parts.append(f"{thought.simulations} simulations")
    if thought.depth is not None:
        parts.append(f"depth {thought.depth}")
    if thought.cut:
        parts.append("ended by the clock")
    if thought.note:
        parts.append(thought.note)
    if line:
        parts.append("line " + ", ".join(line))
    return "; ".join(parts) or "nothing that it tells"


_WIDEST_GRID = 8  # endings that fit side by side
_LONGEST_LIST = 13  # moves of one heading; more are a paragraph, so that the board stays on the screen
_GAP = 2  # columns between two halves of a grid


@dataclass
class _Row:
    heading: RenderableType
    numbers: dict[str, int] = field(default_factory=dict)  # label -> number of the move


class Menu:
    """Numbers 1 … n for n legal moves, each given as (heading, the heading's plain text, label).

    `endings` says what the labels are.
    """

    def __init__(self, moves: Sequence[tuple[RenderableType, str, str]], endings: str = "") -> None:
        self._moves = moves
        self._endings = endings
        self._rows: dict[str, _Row] = {}
        for number, (heading, key, label) in enumerate(moves, 1):
            self._rows.setdefault(key, _Row(heading)).numbers[label] = number
        self._labels = sorted({label for _, _, label in moves}, key=_numbers_first)

    @property
    def is_grid(self) -> bool:
        """Do the moves share few endings, so that a grid is easier to read than a list?"""
        numbered = sum(len(row.numbers) for row in self._rows.values())
        few = 1 < len(self._labels) <= _WIDEST_GRID
        return few and numbered == len(self._moves) and 1 < len(self._rows) < len(self._moves)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.is_grid:
            long = [row for row in self._rows.values() if len(row.numbers) >= _LONGEST_LIST]
            listed = {number for row in long for number in row.numbers.values()}
            for row in long:
                yield self._paragraph(row)
            rest = [number for number in range(1, len(self._moves) + 1) if number not in listed]
            if rest:
                yield Columns([self._line(number) for number in rest], padding=(0, 3))
            return
        rows = list(self._rows.values())
        whole = self._grid(rows)
        half = (len(rows) + 1) // 2
        left, right = self._grid(rows[:half]), self._grid(rows[half:])
        widths = [console.measure(part, options=options).maximum for part in (left, right)]
        if half > 2 and sum(widths) + _GAP <= options.max_width:
            both = Table.grid(padding=(0, _GAP, 0, 0))
            both.add_row(left, right)
            yield both
        else:
            yield whole

    def _paragraph(self, row: _Row) -> Text:
        """A heading with all its labels; numbers would only stand beside numbers, so that words are typed."""
        first = next(iter(row.numbers))
        line = Text("    ").append_text(_text(row.heading)).append(" " + " ".join(row.numbers), "bold")
        return line.append("  (type: ", "dim").append_text(_text(row.heading)).append(f" {first})", "dim")

    def _line(self, number: int) -> Text:
        heading, _, label = self._moves[number - 1]
        line = Text(f"{number:>3} ", "bold")
        line.append_text(_text(heading))
        return line.append(f" {label}", "not bold")

    def _grid(self, rows: list[_Row]) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
        table.add_column(Text(self._endings, justify="right"))
        for label in self._labels:
            table.add_column(label, justify="right", style="bold", no_wrap=True, min_width=3)
        for row in rows:
            cells = (str(row.numbers[label]) if label in row.numbers else Text("·", "dim") for label in self._labels)
            table.add_row(row.heading, *cells)
        return table


def _text(heading: RenderableType) -> Text:
    return heading.copy() if isinstance(heading, Text) else Text(str(heading), "not bold")


def _numbers_first(label: str) -> tuple[int, int, str]:
    return (0, int(label), "") if label.isdecimal() else (1, 0, label)
