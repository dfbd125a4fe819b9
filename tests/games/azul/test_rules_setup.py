"""AZ-1 … AZ-9: the box and the set-up."""

from __future__ import annotations

from collections import Counter

import pytest

from ludens.core import kernels, registry
from ludens.core.errors import BadInput
from ludens.core.verbs import CHANCE
from ludens.games.azul import GAME, phases
from ludens.games.azul.state import COLOURS, FACTORY_ROOM, FLOOR, FLOOR_PENALTY, FLOOR_ROOM, NOBODY, TILES_PER_COLOUR
from tests.games.azul.positions import CENTRE, LETTERS, Board, new_table, placing, taking

PRINTED_WALL = ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"]


def test_az_1_the_game_is_known_as_azul_and_is_about_tiles_and_walls():
    assert registry.game("azul") is GAME
    assert GAME.spec.title == "Azul"
    assert "tile" in GAME.spec.summary
    assert "wall" in GAME.spec.summary


def test_az_2_two_three_or_four_play():
    assert GAME.spec.players == (2, 3, 4)
    for players in (2, 3, 4):
        assert new_table(players).players == players
    for wrong in (0, 1, 5, "many"):
        with pytest.raises(BadInput, match="2, 3, 4 players"):
            GAME.options({"players": wrong})


def test_az_3_a_hundred_tiles_in_five_colours():
    assert COLOURS == ("blue", "yellow", "red", "black", "white")
    assert TILES_PER_COLOUR * len(COLOURS) == 100
    assert new_table().bag() == "B" * 20 + "Y" * 20 + "R" * 20 + "K" * 20 + "W" * 20


@pytest.mark.parametrize(("players", "factories"), [(2, 5), (3, 7), (4, 9)])
def test_az_4_factories_by_number_of_players(players: int, factories: int):
    table = new_table(players)
    assert int(table.s.factories) == factories
    assert FACTORY_ROOM == 4
    tiles = ("BYRKW" * 8)[: 4 * factories]
    table.deal(tiles)
    assert table.phase == phases.TAKING
    assert [len(tiles) for tiles in table.factories()] == [4] * factories


def test_az_4_the_centre_has_no_limit():
    table = taking(["BYYY", "BRRR", "BKKK", "BWWW", "BYRK"])
    for factory in range(4):
        table.take(factory, "B", FLOOR)
    assert table.source(CENTRE) == "YYYRRRKKKWWW"


def test_az_5_a_board_has_a_wall_five_lines_seven_floor_places_and_a_score():
    table = new_table(4)
    assert table.s.wall.shape[1:] == (5, 5)
    assert FLOOR_ROOM == 7
    assert table.s.floor.shape[1] == 7
    for seat in range(4):
        assert table.wall(seat) == ["....."] * 5
        assert table.lines(seat) == [""] * 5
        assert table.floor(seat) == ""
        assert table.scores()[seat] == 0


@pytest.mark.parametrize("line", range(5))
def test_az_5_line_r_has_capacity_r_plus_one(line: int):
    table = taking(["BBBB"], centre="BBBB", marker=1)
    table.take(0, "B", line).take(CENTRE, "B", FLOOR)
    assert table.line(0, line) == "B" * min(4, line + 1)
    assert table.floor(0) == "B" * (4 - min(4, line + 1))
    full = taking([], centre="W" * 8, marker=1)
    full.take(CENTRE, "W", line)
    assert full.line(0, line) == "W" * (line + 1)


@pytest.mark.parametrize("row", range(5))
def test_az_6_the_printed_wall(row: int):
    for column, letter in enumerate(PRINTED_WALL[row]):
        lines = [""] * 5
        lines[row] = letter * (row + 1)
        table = placing([Board(lines=lines)])
        table.step()
        expected = ["....."] * 5
        expected[row] = "." * column + letter + "." * (4 - column)
        assert table.wall(0) == expected
        colour = LETTERS.index(letter)
        assert (column - row) % 5 == colour
        assert (colour + row) % 5 == column


@pytest.mark.parametrize(("places", "penalty"), list(enumerate([0, 1, 2, 4, 6, 8, 11, 14])))
def test_az_7_penalties_of_the_floor_places(places: int, penalty: int):
    assert int(FLOOR_PENALTY[places]) == penalty
    table = placing([Board(floor="BYRKWBY"[:places], score=50)], marker=1)
    table.step()
    assert table.scores()[0] == 50 - penalty


@pytest.mark.parametrize("players", [2, 3, 4])
def test_az_8_everything_starts_empty(players: int):
    table = new_table(players)
    assert table.scores() == [0] * players
    assert table.lid() == ""
    assert Counter(table.bag()) == dict.fromkeys(LETTERS, 20)
    assert all(tiles == "" for tiles in [*table.factories(), table.source(CENTRE)])
    assert int(table.s.marker) == NOBODY
    assert int(table.s.round_number) == 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_az_8_the_caller_may_name_the_starting_player(players: int):
    for seat in range(players):
        table = new_table(players, first=str(seat + 1))
        assert table.phase == phases.DEALING
        table.deal(("BYRKW" * 8)[: 4 * int(table.s.factories)])
        assert table.actor == seat
    if players < 4:
        with pytest.raises(BadInput, match=f"seat {players + 1}"):
            GAME.options({"players": players, "first": str(players + 1)})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_az_8_otherwise_every_seat_is_drawn_with_equal_chance(players: int):
    table = new_table(players, first="random")
    assert table.phase == phases.START
    assert table.actor == CHANCE
    assert table.chance() == dict.fromkeys(range(players), 1 / players)
    for seat in range(players):
        drawn = table.copy()
        kernels.apply_at(drawn.states, 0, seat)
        assert drawn.phase == phases.DEALING
        assert (int(drawn.s.first), int(drawn.s.current)) == (seat, seat)


def test_az_9_every_tile_is_somewhere():
    """One tile of every place, moved through a take with overflow, tiling and the next deal."""
    table = taking(
        ["BBBY"],
        centre="WW",
        boards=[Board(lines=["", "B", "", "", ""], floor="RRRRRR"), Board(lines=["K", "", "", "", ""])],
        lid="YYY",
    )
    assert table.tiles_of_each_colour() == [20] * 5
    for action in (lambda: table.take(0, "B", 1), lambda: table.take(CENTRE, "W", 4), lambda: table.take(CENTRE, "Y")):
        action()
        assert table.tiles_of_each_colour() == [20] * 5
    for _ in range(2):
        table.step()
        assert table.tiles_of_each_colour() == [20] * 5
    table.deal("B")
    assert table.tiles_of_each_colour() == [20] * 5
