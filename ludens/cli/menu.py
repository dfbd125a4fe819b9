"""The legal moves, numbered and grouped: a grid where moves share their endings, else columns or paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.columns import Columns
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

__all__ = ["Menu"]

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
