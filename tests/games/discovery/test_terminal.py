"""The drawing for terminals: legible with and without colours, cropped around the last tile."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from ludens.core.match import Match
from ludens.games.discovery import GAME, terminal
from ludens.games.discovery.state import FOLLOWER, OVER, PLACING
from ludens.games.discovery.text import drawing
from tests.games.discovery.positions import positions
from tests.games.discovery.slow import KINDS, NAMES
from tests.games.discovery.table import Table

NAMES_OF_PLAYERS = ("Ann", "Bob", "Cy", "Di", "Ed")


def shown(renderable: object, width: int = 100, height: int = 40) -> str:
    console = Console(file=io.StringIO(), width=width, height=height, color_system=None)
    console.print(renderable)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("name", NAMES)
def test_every_tile_shows_its_sides_and_cities_in_every_rotation(name: str) -> None:
    kind, tile = NAMES.index(name), KINDS[name]
    for turns in range(4):
        rows = drawing.draw_tile(kind, turns)
        shown_sides = [rows[r][c] for r, c in ((0, 2), (1, 4), (2, 2), (1, 0))]
        letters = [tile["edges"][(side - turns) % 4][0] for side in range(4)]
        assert [mark.character for mark in shown_sides] == letters
        text = "".join(mark.character for row in rows for mark in row)
        assert len(text) == 15
        assert text.count("#") == len(tile["cities"])
        assert {region["type"][0] for region in tile["regions"]} <= set(text)


@pytest.mark.parametrize("name", NAMES)
def test_a_follower_is_visible_on_every_region_and_hides_no_city(name: str) -> None:
    kind, tile = NAMES.index(name), KINDS[name]
    for turns in range(4):
        for segment, region in enumerate(tile["regions"]):
            rows = drawing.draw_tile(kind, turns, {segment: 2})
            found = [mark for row in rows for mark in row if mark.seat is not None]
            assert [(mark.character, mark.seat) for mark in found] == [("3", 2)]
            assert found[0].terrain == ("mountains", "grassland", "sea").index(region["type"])
            assert sum(mark.character == "#" for row in rows for mark in row) == len(tile["cities"])


@pytest.mark.parametrize("width", [80, 120])
def test_lines_never_exceed_the_width_and_the_last_tile_is_in_sight(width: int) -> None:
    for state in positions(5, 90, FOLLOWER, every=12):
        picture = shown(terminal.Map(state[0]), width, height=45)
        assert all(len(line) <= width for line in picture.splitlines())
        west, east, south, north = drawing.frame(state[0], (width - 4) // 5, (45 - 16) // 3)
        last = int(state["placed"][0]) - 1
        assert west <= int(state["tile_x"][0, last]) <= east
        assert south <= int(state["tile_y"][0, last]) <= north
        whole = drawing.frame(state[0], 1000, 1000)
        assert ("shown:" in picture) == ((west, east, south, north) != whole)


def test_the_hand_the_regions_and_the_players_are_shown() -> None:
    table = Table()
    table.turn("D10", 1, 0, follower=1)
    table.draw("D03")
    picture = shown(terminal.render(table.s, 0, NAMES_OF_PLAYERS))
    assert "Bob places a tile; 81 tiles in the deck" in picture
    assert "D03" in picture
    assert "turned 3" in picture
    assert "1: grassland 1,0 (1…)" in picture
    table.place(0, 1)
    picture = shown(terminal.render(table.s, 0, NAMES_OF_PLAYERS))
    assert "Bob moves a follower" in picture
    assert "grassland" in picture
    assert "south" in picture


def test_moves_are_grouped_by_cell() -> None:
    table = Table()
    table.draw("D03")
    rows: dict[str, list[str]] = {}
    for action in table.legal():
        heading, label = terminal.move(table.s, action)
        rows.setdefault(str(heading), []).append(label)
    assert rows == {
        "tile 0,1": ["turned 0", "turned 2", "turned 3"],
        "tile 1,0": ["turned 2"],
        "tile -1,0": ["turned 0"],
    }
    table.place(0, 1)
    described = [(str(heading), label) for heading, label in (terminal.move(table.s, a) for a in table.legal())]
    assert described == [
        ("follower 1:", "grassland, north and south and west"),
        ("follower 2:", "mountains, east"),
        ("pass:", "no follower"),
    ]


def test_the_result_gives_equal_points_equal_ranks() -> None:
    state = list(positions(3, 91, OVER))[-1]
    state["score"][0, :3] = (7, 9, 7)
    lines = [line.split() for line in shown(terminal.final(state[0], NAMES_OF_PLAYERS)).splitlines() if "." in line]
    assert lines == [["1.", "Bob", "9"], ["2.", "Ann", "7"], ["2.", "Cy", "7"]]


def test_a_whole_match_can_be_drawn() -> None:
    match = Match(GAME, {"players": 2}, seed=92)
    while not match.over:
        assert match.view(0)["phase"][0] in (PLACING, FOLLOWER)
        if match.ply % 5 == 0:
            assert "player" in shown(terminal.render(match.view(0)[0], 0, match.names), 80)
        match.play(int(match.legal()[match.ply % len(match.legal())]))
    assert "The game is over." in shown(terminal.render(match.view(0)[0], 0, match.names), 80)
