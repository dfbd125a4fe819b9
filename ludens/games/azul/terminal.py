"""Azul in a terminal: coloured tiles that also carry a letter, the own board large, the others small."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ludens.core.verbs import SPECTATOR
from ludens.core.words import Display
from ludens.games.azul import phases
from ludens.games.azul.state import (
    EMPTY,
    FIRST_COLUMN,
    FLOOR,
    FLOOR_PENALTY,
    FLOOR_ROOM,
    LETTERS,
    MARKER,
    NOBODY,
    SIZE,
    STEP,
    Azul,
)
from ludens.games.azul.text.actions import split
from ludens.games.azul.text.position import complete, open_columns

__all__ = ["DISPLAY", "PlayerBoards", "final", "move", "render"]

QUIET = frozenset({"deal"})

HELP = (
    "[bold]Azul.[/] Take all tiles of one colour from a factory or the centre and put them on one of your pattern "
    "lines or on the floor. When all tiles are taken, full lines tile their row of the wall; the floor costs points. "
    "Write a move as [bold]source colour destination[/]: [bold]2 blue 3[/] takes blue from factory 2 to line 3, "
    "[bold]centre red floor[/] or [bold]c r f[/] takes red from the centre to the floor. On the grey wall "
    "[bold]column 4[/] chooses a column. B blue, Y yellow, R red, K black, W white, 1 first-player marker; small "
    "letters are free places of the wall."
)
ENDINGS = "to line"

_INK = ("bold white on #1f6fb5", "bold black on #e3b022", "bold white on #bf3b2f", "bold white on #303030",
        "bold #14606b on #e9f0f2")  # fmt: skip
_FAINT = ("#3d6f99", "#94803c", "#94514b", "#6c6c6c", "#8f9a9c")
_MARKER_INK = "bold white on #7a3fa0"
_NEXT_PENALTY = [int(b - a) for a, b in pairwise(FLOOR_PENALTY)]


def render(v: Azul, seat: int, names: Sequence[str]) -> RenderableType:
    """The position as the seat sees it (everything is open); the seat's own board is the large one."""
    own = seat if seat != SPECTATOR else int(v.current) if v.phase in (phases.TAKING, phases.PLACING) else 0
    sources: list[RenderableType] = (
        [_Factories(v), _centre(v)] if v.tiles_left or v.phase not in (phases.PLACING, phases.OVER) else []
    )
    return Group(_headline(v, names), *sources, PlayerBoards(v, own, names))


def _headline(v: Azul, names: Sequence[str]) -> Text:
    line = Text(f"Round {int(v.round_number)}", "bold")
    if v.round_limit:
        line.append(f" of at most {int(v.round_limit)}", "dim")
    doing = {phases.TAKING: "takes tiles", phases.PLACING: "tiles the wall"}.get(int(v.phase))
    if doing is not None:
        line.append(f" · {names[int(v.current)]} {doing}", "not bold")
    elif v.phase == phases.OVER:
        line.append(" · the game is over", "not bold")
    for name, tiles in (("bag", v.bag), ("lid", v.lid)):
        contents = " ".join(f"{LETTERS[t]}{int(n)}" for t, n in enumerate(tiles) if n)
        line.append(f" · {name} {contents or 'empty'}", "not bold dim")
    return line


# --- tiles -------------------------------------------------------------------------------


def _tile(tile: int, wide: bool = True) -> Text:
    letter = "1" if tile == MARKER else LETTERS[tile]
    return Text(f" {letter} " if wide else f"{letter} ", _MARKER_INK if tile == MARKER else _INK[tile])


def _blank(letter: str, ink: str, wide: bool) -> Text:
    return Text(f" {letter} " if wide else f"{letter} ", ink)


class _Factories:
    """The factories in a row, two tiles above two, with as much air as the width allows."""

    def __init__(self, v: Azul) -> None:
        self._v = v

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        count = int(self._v.factories)
        air = 2 if 10 * count <= options.max_width else 0
        grid = Table.grid(padding=(0, air, 0, 0))
        grid.add_row(*(self._factory(source) for source in range(count)))
        yield grid

    def _factory(self, source: int) -> Panel:
        tiles = [t for t in range(SIZE) for _ in range(int(self._v.sources[source, t]))]
        rows = []
        for pair in (tiles[:2], tiles[2:]):
            row = Text()
            for tile in pair:
                row.append_text(_tile(tile))
            rows.append(row.append("      "[: 6 - 3 * len(pair)]))
        edge = "default" if tiles else "dim"
        return Panel(
            Text("\n").join(rows), box=box.ROUNDED, title=f"{source + 1}", width=8, padding=0, border_style=edge
        )


def _centre(v: Azul) -> Text:
    line = Text("Centre ", "bold")
    if v.marker == NOBODY:
        line.append_text(_tile(MARKER)).append(" ")
    for tile in range(SIZE):
        for _ in range(int(v.sources[int(v.factories), tile])):
            line.append_text(_tile(tile))
        if v.sources[int(v.factories), tile]:
            line.append(" ")
    if not v.sources[int(v.factories)].any():
        line.append("no tiles", "dim not bold")
    return line


# --- boards ------------------------------------------------------------------------------


class PlayerBoards:
    """All boards: the own one large, the others small beside it where the width allows, else below."""

    def __init__(self, v: Azul, own: int, names: Sequence[str]) -> None:
        players = int(v.players)
        self._large = _board(v, own, names, wide=True)
        self._small = [_board(v, (own + k) % players, names, wide=False) for k in range(1, players)]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        everything = [self._large, *self._small]
        widths = [console.measure(panel, options=options).maximum for panel in everything]
        if sum(widths) + len(widths) <= options.max_width:
            yield _beside(everything)
        else:
            yield self._large
            yield _beside(self._small)


def _beside(panels: Sequence[RenderableType]) -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_row(*panels)
    return grid


def _board(v: Azul, p: int, names: Sequence[str], wide: bool) -> Panel:
    acting = v.phase in (phases.TAKING, phases.PLACING) and int(v.current) == p
    rows = [_line_and_wall(v, p, row, wide) for row in range(SIZE)]
    if v.grey and wide:
        rows.append(Text(" " * (3 * SIZE + 5) + "".join(f" {c + 1} " for c in range(SIZE)), "dim"))
    rows.append(_floor(v, p, wide))
    title = Text(f"{'▶ ' if acting else ''}{names[p]}: {int(v.score[p])} points", "bold" if acting else "not bold")
    return Panel(
        Text("\n").join(rows),
        box=box.HEAVY if acting else box.ROUNDED,
        title=title,
        title_align="left",
        subtitle="starts the next round" if v.marker == p and v.phase in (phases.TAKING, phases.PLACING) else None,
        subtitle_align="left",
        border_style="default" if wide or acting else "dim",
        expand=False,
        padding=(0, 1),
    )


def _line_and_wall(v: Azul, p: int, row: int, wide: bool) -> Text:
    """One pattern line, right-aligned and filled from the right, its number, and its row of the wall."""
    held, colour = int(v.line_count[p, row]), int(v.line_colour[p, row])
    text = Text(" " * ((3 if wide else 2) * (SIZE - row - 1)))
    for place in range(row + 1):
        text.append_text(_tile(colour, wide) if place >= row + 1 - held else _blank("·", "dim", wide))
    full = held == row + 1
    arrow = "▸" if full else " "
    text.append(f" {row + 1} {arrow} " if wide else f"{row + 1}{arrow} ", "bold" if full else "dim")
    choices = open_columns(v) if v.phase == phases.PLACING and int(v.current) == p and _tiling_row(v, p) == row else []
    for column in range(SIZE):
        text.append_text(_cell(v, p, row, column, wide, column in choices))
    return text


def _tiling_row(v: Azul, p: int) -> int:
    """The topmost full line: the one to be tiled next (AZ-27)."""
    return next((row for row in range(SIZE) if v.line_count[p, row] == row + 1), -1)


def _cell(v: Azul, p: int, row: int, column: int, wide: bool, choice: bool) -> Text:
    tile = int(v.wall[p, row, column])
    if tile != EMPTY:
        return _tile(tile, wide)
    if v.grey:
        return _blank("?" if choice else "·", "bold" if choice else "dim", wide)
    colour = (column - row) % SIZE  # AZ-6
    return _blank(LETTERS[colour].lower(), _FAINT[colour], wide)


def _floor(v: Azul, p: int, wide: bool) -> Text:
    """Tiles on the floor, what the free places cost, and the sum so far (AZ-7)."""
    used = int(v.floor_count[p])
    text = Text("Floor ", "dim")
    for place in range(FLOOR_ROOM if wide else used):
        if place < used:
            text.append_text(_tile(int(v.floor[p, place]), wide))
        else:
            text.append(f"-{_NEXT_PENALTY[place]} ", "dim")
    if used:
        text.append(f" = -{int(FLOOR_PENALTY[used])}" if wide else f"-{int(FLOOR_PENALTY[used])}", "bold")
    elif not wide:
        text.append("empty", "dim")
    return text


# --- moves and results -------------------------------------------------------------------


def move(v: Azul, action: int) -> tuple[Text, str]:
    """Takes stand in rows of one source and colour, labelled by their destination."""
    if action == STEP:
        return Text(""), "step"
    if action >= FIRST_COLUMN:
        return Text("column"), str(action - FIRST_COLUMN + 1)
    source, colour, destination = split(action)
    place = "centre" if source == v.factories else str(source + 1)
    heading = Text(f"{place:>6} ").append_text(_tile(colour)).append(f"×{int(v.sources[source, colour])}")
    return heading, "floor" if destination == FLOOR else str(destination + 1)


def final(v: Azul, names: Sequence[str]) -> Table:
    """The results: points from tiling, bonuses by kind (AZ-34), total and rank (AZ-35, AZ-89)."""
    table = Table(box=box.SIMPLE_HEAD, header_style="bold")
    table.add_column("", justify="right")
    table.add_column("Player")
    for heading in ("Tiling", "Rows", "Columns", "Colours", "Total"):
        table.add_column(heading, justify="right")
    counts = [complete(v, p) for p in range(int(v.players))]
    strength = [(int(v.score[p]), counts[p]["rows"]) for p in range(int(v.players))]
    for p in sorted(range(int(v.players)), key=lambda p: strength[p], reverse=True):
        rank = 1 + sum(other > strength[p] for other in strength)
        bonus = {"rows": 2, "columns": 7, "colours": 10}
        points = {kind: worth * counts[p][kind] for kind, worth in bonus.items()}
        cells = (f"{counts[p][kind]} × {worth}" if counts[p][kind] else "·" for kind, worth in bonus.items())
        tiling = int(v.score[p]) - sum(points.values())
        style = "bold" if rank == 1 else ""
        table.add_row(f"{rank}.", names[p], str(tiling), *cells, str(int(v.score[p])), style=style)
    return table


DISPLAY = Display(render, final, move, endings=ENDINGS, help=HELP, quiet=QUIET)
