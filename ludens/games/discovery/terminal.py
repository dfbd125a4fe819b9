"""The Discovery in a terminal: the map in terrain colours that also carry letters, cropped around the last tile."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ludens.core.words import Display
from ludens.games.discovery.rules.tiles import PERIOD, TERRAINS, TILE_SET
from ludens.games.discovery.state import (
    DRAWING,
    FIRST_REGION,
    FOLLOWER,
    FOLLOWERS,
    NOTHING,
    OVER,
    PASS,
    PLACING,
    Discovery,
)
from ludens.games.discovery.text import drawing, lookup
from ludens.games.discovery.text.actions import action_to_text
from ludens.games.discovery.text.drawing import Mark

__all__ = ["DISPLAY", "Map", "final", "move", "render"]

QUIET = frozenset({"draw"})

HELP = (
    "[bold]Carcassonne: The Discovery.[/] Place the tile in hand so that all terrains agree, then put a follower on a "
    "region of that tile, take one back for points, or pass. Grassland counts its tiles, twice when closed; mountains "
    "their cities and those on adjoining grassland, twice when closed; a sea its cities, and its tiles when closed. "
    "m mountains, g grassland, s sea, # city, 1 – 5 followers by player, + where the tile in hand fits. "
    "[bold]3,-1 2[/] places the tile three east and one south of the start tile, turned twice clockwise; "
    "[bold]follower 2[/] puts one on region 2, [bold]remove 1[/] takes back the oldest, [bold]pass[/] does neither."
)

_GROUND = ("#8d7b68", "#7fae4b", "#3f86bd")  # mountains, grassland, sea
_INK = ("#6b5b4b", "#5e8a31", "#2c6a9b")  # the letters: visible, but quiet
_PLAYERS = ("bold white on #c01c28", "bold white on #14532d", "bold white on #1b2a8a", "bold black on #f6d32d",
            "bold white on #101010")  # fmt: skip
_MARGIN = 4  # columns of the coordinates at the left
_OTHER_LINES = 16  # of the screen: hand, players, prompt
_LEAST_ROWS = 5


def _style(mark: Mark) -> Style:
    if mark.seat is not None:
        return Style.parse(_PLAYERS[mark.seat])
    if mark.terrain is None:
        return Style.parse("bold" if mark.character == "+" else "dim")
    if mark.character == drawing.CITY:
        return Style.parse(f"bold white on {_GROUND[mark.terrain]}")
    ink = "bold black" if mark.fresh else _INK[mark.terrain]
    return Style.parse(f"{ink} on {_GROUND[mark.terrain]}")


def _line(marks: Sequence[Mark]) -> Text:
    line = Text(no_wrap=True)
    for mark in marks:
        line.append(mark.character, _style(mark))
    return line


class Map:
    """The map, or as much of it around the tile placed last as the terminal holds."""

    def __init__(self, v: Discovery) -> None:
        self._v = v

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = max(_LEAST_ROWS, (options.max_width - _MARGIN) // drawing.WIDTH)
        rows = max(_LEAST_ROWS, (console.height - _OTHER_LINES) // drawing.HEIGHT)
        west, east, south, north = window = drawing.frame(self._v, columns, rows)
        for marks in drawing.draw_map(self._v, window):
            yield _line(marks)
        whole = drawing.frame(self._v, 1000, 1000)
        if window != whole:
            shown = f"x {west} … {east}, y {south} … {north}"
            yield Text(f"    shown: {shown} of x {whole[0]} … {whole[1]}, y {whole[2]} … {whole[3]}", "italic dim")


def render(v: Discovery, seat: int, names: Sequence[str]) -> RenderableType:
    """The position; everything is open, so every seat sees the same."""
    parts: list[RenderableType] = [Map(v), _headline(v, names)]
    if v.hand != NOTHING:
        parts.append(_hand(int(v.hand)))
    elif v.phase == FOLLOWER:
        parts.append(_placed_regions(v))
    return Group(*parts, _players(v, names))


def _headline(v: Discovery, names: Sequence[str]) -> Text:
    if v.phase == OVER:
        return Text("The game is over.", "bold")
    task = {DRAWING: "draws a tile", PLACING: "places a tile", FOLLOWER: "moves a follower"}[int(v.phase)]
    left = int(v.deck_left)
    deck = f"{left} tile{'' if left == 1 else 's'} in the deck"
    return Text.assemble((names[int(v.current)], "bold"), f" {task}; ", deck)


def _hand(kind: int) -> Table:
    """The tile in hand in all its rotations."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    pictures = [drawing.draw_tile(kind, turns) for turns in range(int(PERIOD[kind]))]
    grid.add_row(Text(TILE_SET[kind].name, "bold"), *(Text(f"turned {turns}") for turns in range(len(pictures))))
    for row in range(drawing.HEIGHT):
        grid.add_row("", *(_line(picture[row]) for picture in pictures))
    return grid


def _placed_regions(v: Discovery) -> Table:
    """The regions of the tile just placed, with what they are worth."""
    tile = int(v.placed) - 1
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in ("region", "terrain", "sides", "tiles", "cities", "", "followers", "points"):
        table.add_column(heading, justify="right" if heading in ("region", "tiles", "cities", "points") else "left")
    for segment in range(len(TILE_SET[int(v.tile_kind[tile])].terrain)):
        region = lookup.region_at(v, lookup.piece_number(v, tile, segment))
        owners = Text(" ").join(Text(f" {seat + 1} ", _PLAYERS[seat]) for seat in region.followers)
        table.add_row(
            str(segment + 1),
            TERRAINS[region.terrain],
            ", ".join(lookup.side_names(v, tile, segment)) or "enclosed",
            str(region.size),
            f"{region.cities}+{region.cities_beside}" if region.cities_beside else str(region.cities),
            "closed" if region.closed else "open",
            owners if region.followers else Text("none", "dim"),
            str(region.points),
        )
    return table


def _players(v: Discovery, names: Sequence[str]) -> Table:
    """Points, free followers, and where the others stand with what they would earn now."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in ("", "player", "points", "free", "followers on the map"):
        table.add_column(heading, justify="right" if heading in ("points", "free") else "left")
    for p in range(int(v.players)):
        standing = []
        for owner, number, piece in lookup.followers(v):
            if owner == p:
                region = lookup.region_at(v, piece, ())
                tile = lookup.place_of(v, piece)[0]
                where = f"{int(v.tile_x[tile])},{int(v.tile_y[tile])}"
                worth = f"{region.points}{'' if region.closed else '…'}"
                standing.append(f"{number + 1}: {TERRAINS[region.terrain]} {where} ({worth})")
        free = FOLLOWERS - int(v.follower_count[p])
        style = "bold" if v.phase != OVER and int(v.current) == p else ""
        table.add_row(
            Text(f" {p + 1} ", _PLAYERS[p]), Text(names[p], style), str(int(v.score[p])), str(free), "  ".join(standing)
        )
    return table


def move(v: Discovery, action: int) -> tuple[Text, str]:
    """Placements stand in rows of one cell, what is done with followers beside what it concerns."""
    words = action_to_text(v, action)
    if action < FIRST_REGION:
        _, place, _, turns = words.split()
        return Text(f"tile {place}"), f"turned {turns}"
    if action == PASS:
        return Text("pass:"), "no follower"
    command, _, about = words.partition(" (")
    return Text(f"{command}:"), about.removesuffix(")")


def final(v: Discovery, names: Sequence[str]) -> Table:
    """Ranks and points; equal points share a rank (CD-12)."""
    table = Table(box=box.SIMPLE_HEAD, header_style="bold")
    table.add_column("", justify="right")
    table.add_column("Player")
    table.add_column("Points", justify="right")
    points = [int(v.score[p]) for p in range(int(v.players))]
    for p in sorted(range(len(points)), key=lambda p: -points[p]):
        rank = 1 + sum(other > points[p] for other in points)
        table.add_row(f"{rank}.", names[p], str(points[p]), style="bold" if rank == 1 else "")
    return table


DISPLAY = Display(render, final, move, help=HELP, quiet=QUIET)
