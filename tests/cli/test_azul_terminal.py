"""The drawing of Azul: everything is there, in letters too, within 80 columns."""

from __future__ import annotations

import pytest
from rich.console import Console

from ludens.core import registry
from ludens.core.match import Match
from ludens.core.rng import generator, pick
from ludens.core.verbs import SPECTATOR
from ludens.games.azul import terminal

NAMES = ("Ada", "Ben", "Cyd", "Dag")


def _drawn(match: Match, seat: int, width: int = 80, colour: bool = False) -> str:
    console = Console(width=width, force_terminal=colour, color_system="truecolor" if colour else None, highlight=False)
    with console.capture() as drawn:
        console.print(terminal.render(match.view(seat)[0], seat, match.names))
    return drawn.get()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_every_position_of_a_game_fits(players: int, wall: str) -> None:
    match = Match(registry.game("azul"), {"players": players, "wall": wall}, 3, NAMES[:players])
    rng = generator(3)
    while not match.over:
        match.play(int(match.legal()[pick(rng, len(match.legal()))]))
        if match.ply % 7:
            continue
        for seat in (SPECTATOR, *range(players)):
            drawn = _drawn(match, seat)
            assert max(map(len, drawn.splitlines())) <= 80
            for name, score in zip(match.names, match.scores(), strict=True):
                assert f"{name}: {score:g} points" in drawn
    assert "the game is over" in _drawn(match, 0)


def _some_game(wall: str = "coloured") -> Match:
    match = Match(registry.game("azul"), {"wall": wall, "first": "1"}, 7, NAMES[:2])
    match.play("1 red 1")  # two red: one overflows
    return match


def test_tiles_lines_floor_and_centre_are_letters() -> None:
    lines = _drawn(_some_game(), 0).splitlines()
    assert lines[0].startswith("Round 1 · Ben takes tiles")
    centre = next(line for line in lines if line.startswith("Centre"))
    assert centre.split() == ["Centre", "1", "K", "W"]
    first = next(line for line in lines if " 1 ▸ " in line)
    assert " R  1 ▸  b  y  r  k  w " in first
    floor = next(line for line in lines if "Floor" in line)
    assert "Floor  R -1 -2 -2 -2 -3 -3  = -1" in floor


def test_the_own_board_is_the_large_one() -> None:
    match = _some_game()
    for seat, name in enumerate(NAMES[:2]):
        row = next(line for line in _drawn(match, seat).splitlines() if "points" in line)
        assert row.index(f"{name}: ") < row.index(f"{NAMES[1 - seat]}: ")


def test_grey_wall_numbers_its_columns_and_marks_the_choice() -> None:
    match = _some_game("grey")
    while match.legal()[0] < 300:
        match.play(int(match.legal()[0]))
    drawn = _drawn(match, match.actor)
    assert " 1  2  3  4  5 " in drawn
    assert " ?  ?  ?  ?  ? " in drawn
    assert "tiles the wall" in drawn
    assert "Centre" not in drawn


def test_colour_comes_on_top_of_letters() -> None:
    match = _some_game()
    assert "\x1b[1;37;48;2;191;59;47m R \x1b[0m" in _drawn(match, 0, colour=True)


def test_moves_are_grouped_by_source_and_colour() -> None:
    match = _some_game()
    view = match.view(1)[0]
    moves = [terminal.move(view, int(action)) for action in match.legal()]
    assert len({(str(heading), label) for heading, label in moves}) == len(moves)
    assert (str(moves[-1][0]), moves[-1][1]) == ("centre  W ×1", "floor")


def test_final_table_adds_up() -> None:
    match = _some_game()
    while not match.over:
        match.play(int(match.legal()[0]))
    table = terminal.final(match.state()[0], match.names)
    totals = dict(zip(table.columns[1].cells, table.columns[-1].cells, strict=True))
    assert totals == {name: f"{score:g}" for name, score in zip(match.names, match.scores(), strict=True)}
