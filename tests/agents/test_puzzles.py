"""Puzzles: they are made as they should be, survive their file, and those that ship are sound."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from ludens.agents.puzzle_book import DIFFICULTIES, Line, Puzzle, puzzles_of, read_puzzles, shown, write_puzzles
from ludens.agents.puzzle_maker import MakerSettings, make_puzzles
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.core.registry import game, games

AZUL = game("azul")
QUICK = MakerSettings(simulations=40, longer=2, gap=0.02, share=0.2, lost=-1.0)


def _made(count: int) -> list[Puzzle]:
    found = make_puzzles(AZUL, {"round_limit": 1}, QUICK)
    return [puzzle for puzzle in itertools.islice(found, 60) if puzzle is not None][:count]


@pytest.fixture(scope="module")
def made() -> list[Puzzle]:
    return _made(2)


def test_a_puzzle_has_one_good_move_and_a_natural_wrong_one(made: list[Puzzle]) -> None:
    assert made
    for puzzle in made:
        match = Match.from_json(puzzle.match)
        assert match.actor == puzzle.seat
        assert {puzzle.answer.action, puzzle.wrong.action} <= set(match.legal().tolist())
        assert puzzle.answer.action != puzzle.wrong.action
        assert puzzle.gap >= QUICK.gap
        assert puzzle.answer.result - puzzle.wrong.result >= min(QUICK.gap, puzzle.gap) - 1e-9
        assert 0 < puzzle.simulations <= QUICK.longer * QUICK.simulations
        for one in (puzzle.answer, puzzle.wrong):
            assert one.line[0] == match.text(one.action)


def test_equal_seeds_make_equal_puzzles(made: list[Puzzle]) -> None:
    assert _made(1) == made[:1]


def test_puzzles_survive_their_file_and_are_refused_elsewhere(made: list[Puzzle], tmp_path: Path) -> None:
    path = write_puzzles(tmp_path / "azul.json", AZUL, made, {"seed": 0})
    again = read_puzzles(path, AZUL)
    assert [puzzle.match for puzzle in again] == [puzzle.match for puzzle in sorted(again, key=_place)]
    assert sorted(puzzle.answer.action for puzzle in again) == sorted(puzzle.answer.action for puzzle in made)
    with pytest.raises(BadInput, match=r"holds puzzles of azul@\d+, not of catan@"):
        read_puzzles(path, game("catan"))
    path.write_text("{}")
    with pytest.raises(BadInput, match="holds no puzzles of Ludens"):
        read_puzzles(path, AZUL)


def _place(puzzle: Puzzle) -> tuple[int, float]:
    return DIFFICULTIES.index(puzzle.difficulty), -puzzle.gap


@pytest.mark.parametrize("name", [found.spec.name for found in games() if puzzles_of(found)] or [None])
def test_the_puzzles_that_ship_can_be_shown(name: str | None) -> None:
    if name is None:
        pytest.skip("no puzzles ship yet")
    found = game(name)
    known = puzzles_of(found)
    assert [_place(puzzle) for puzzle in known] == sorted(_place(puzzle) for puzzle in known)
    for puzzle in known:
        assert puzzle.difficulty in DIFFICULTIES and puzzle.gap >= 0.1
        assert puzzle.answer.result >= puzzle.wrong.result + puzzle.gap - 2e-3
    for puzzle in known[:3]:
        page = shown(found, puzzle)
        assert {page["answer"]["action"], page["wrong"]["action"]} <= {move["id"] for move in page["legal"]}
        assert page["right"][0] == page["answer"]["action"] and page["wrong"]["action"] not in page["right"]
        for tried, known_line in ((page["answer"], puzzle.answer.line), (page["wrong"], puzzle.wrong.line)):
            assert [step["move"]["text"] for step in tried["steps"] if step["move"]] == list(known_line)


@pytest.mark.parametrize("name", [found.spec.name for found in games() if puzzles_of(found)])
def test_no_puzzle_ships_twice(name: str) -> None:
    seen = [Match.from_json(puzzle.match).view(puzzle.seat).tobytes() for puzzle in puzzles_of(game(name))]
    assert len(set(seen)) == len(seen)


def test_the_order_of_a_turn_is_free_where_it_changes_nothing() -> None:
    found = game("catan")
    (builder,) = read_puzzles(Path(__file__).parent / "catan_builder.json", found)
    match = Match.from_json(builder.match)
    line = Line(match, builder.seat, builder.answer.line)
    assert line.own == [match.game.text.action_from_text(match.state()[0], text) for text in builder.answer.line]
    assert set(line.first()) <= set(match.legal().tolist())
    assert line.first()[0] == builder.answer.action
