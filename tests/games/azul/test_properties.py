"""Whatever is played: tiles are conserved, boards stay lawful, scores follow from what happened."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ludens.core import kernels
from ludens.core.match import Match
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.azul import GAME, phases
from ludens.games.azul.state import EMPTY, MARKER, NOBODY, SIZE, STEP
from tests.games.azul.oracle import COLOURS, PENALTIES, Board
from tests.games.azul.positions import Table, new_table

whole_games = settings(max_examples=25, deadline=None, database=None)
game_options = st.fixed_dictionaries(
    {
        "players": st.sampled_from([2, 3, 4]),
        "wall": st.sampled_from(["coloured", "grey"]),
        "first": st.sampled_from(["random", "1", "2"]),
        "round_limit": st.integers(1, 5),
    }
)


@st.composite
def pickers(draw: Any) -> Callable[[int], int]:
    """A function that picks below n: from chosen bytes first, which shrink well, then from a seed."""
    chosen = iter(draw(st.binary(max_size=150)))
    rest = random.Random(draw(st.integers(0, 2**32)))

    def pick(n: int) -> int:
        byte = next(chosen, None)
        return rest.randrange(n) if byte is None else byte % n

    return pick


def _line_lover(legal: list[int], pick: Callable[[int], int]) -> int:
    """Lines three times out of four, so that walls grow."""
    on_lines = [a for a in legal if a >= 300 or a % 6 != 5]
    if on_lines and pick(4):
        return on_lines[pick(len(on_lines))]
    return legal[pick(len(legal))]


def _positions(options: Mapping[str, Any], pick: Callable[[int], int]) -> Iterator[Table]:
    """All positions of one game, from the first to the last; draws need not be likely, only possible."""
    table = new_table(**options)
    yield table
    while table.actor != TERMINAL:
        if table.actor == CHANCE:
            outcomes = list(table.chance())
            kernels.apply_at(table.states, 0, outcomes[pick(len(outcomes))])
        else:
            table.act(_line_lover(table.legal(), pick))
        yield table


# --- tiles and boards ----------------------------------------------------------------------


@whole_games
@given(game_options, pickers())
def test_az_9_holds_after_every_change(options: dict[str, Any], pick: Callable[[int], int]):
    for table in _positions(options, pick):
        assert table.tiles_of_each_colour() == [20] * SIZE


@whole_games
@given(game_options, pickers())
def test_boards_stay_lawful(options: dict[str, Any], pick: Callable[[int], int]):
    for table in _positions(options, pick):
        s = table.s
        for seat in range(4):
            if seat >= table.players:
                assert not s.line_count[seat].any()
                assert (s.wall[seat] == EMPTY).all()
            _check_lines(s, seat)
            _check_wall(s, seat)
        _check_marker(s, table.floor)
        assert (s.score >= 0).all()
        assert 1 <= s.round_number <= s.round_limit
        assert (s.bag >= 0).all()
        assert (s.lid >= 0).all()
        assert (s.sources >= 0).all()
        assert (s.sources[: int(s.factories)].sum(axis=1) <= 4).all()
        assert table.phase != phases.PLACING or not s.sources.any()
        if (s.wall != EMPTY).all(axis=2).any():
            assert table.phase in (phases.PLACING, phases.OVER), "AZ-33"


def _check_lines(s: Any, seat: int) -> None:
    for line in range(SIZE):
        colour, count = int(s.line_colour[seat, line]), int(s.line_count[seat, line])
        assert 0 <= count <= line + 1
        assert (colour == EMPTY) == (count == 0)
        assert colour == EMPTY or colour not in s.wall[seat, line], "AZ-22"


def _check_wall(s: Any, seat: int) -> None:
    wall = s.wall[seat]
    for row in range(SIZE):
        for column in range(SIZE):
            tile = int(wall[row, column])
            assert s.grey or tile in (EMPTY, (column - row) % SIZE), "AZ-6"
            if tile != EMPTY:
                assert (wall[row] == tile).sum() == 1, "AZ-38"
                assert (wall[:, column] == tile).sum() == 1, "AZ-38"


def _check_marker(s: Any, floor: Callable[[int], str]) -> None:
    """The marker lies on one floor at most, and only on its taker's."""
    floors = [floor(seat) for seat in range(4)]
    assert sum(tiles.count("1") for tiles in floors) <= 1
    for seat, tiles in enumerate(floors):
        if "1" in tiles:
            assert s.marker == seat
            assert s.phase in (phases.TAKING, phases.PLACING)
    assert s.marker == NOBODY or 0 <= s.marker < s.players
    assert MARKER not in s.wall


# --- legal actions -------------------------------------------------------------------------


@settings(whole_games, max_examples=8)
@given(game_options, pickers())
def test_legal_ids_are_sorted_unique_and_applicable(options: dict[str, Any], pick: Callable[[int], int]):
    for table in _positions(options, pick):
        legal = table.legal()
        assert legal == sorted(set(legal))
        assert all(0 <= a < GAME.spec.actions for a in legal)
        assert bool(legal) == (table.actor >= 0)
        for action in legal:
            after = table.copy()
            kernels.apply_at(after.states, 0, action)
            assert after.tiles_of_each_colour() == [20] * SIZE
            assert after.states.tobytes() != table.states.tobytes()
            assert _may_follow(table, after)
            if table.phase == phases.TAKING:
                assert int(after.s.tiles_left) < int(table.s.tiles_left)
            else:
                assert (action == STEP) == (len(legal) == 1)


def _may_follow(before: Table, after: Table) -> bool:
    """The phases of AZ-10 in their order."""
    following = {
        phases.START: {phases.DEALING},
        phases.DEALING: {phases.DEALING, phases.TAKING},
        phases.TAKING: {phases.TAKING, phases.PLACING},
    }
    return after.phase in following.get(before.phase, {phases.PLACING, phases.DEALING, phases.OVER})


@settings(whole_games, max_examples=40)
@given(game_options, pickers())
def test_chance_outcomes_are_sorted_possible_and_sum_to_one(options: dict[str, Any], pick: Callable[[int], int]):
    for table in _positions(options, pick):
        chance = table.chance()
        assert bool(chance) == (table.actor == CHANCE)
        if chance:
            assert list(chance) == sorted(chance)
            assert min(chance.values()) > 0
            assert abs(sum(chance.values()) - 1) < 1e-12


# --- scores --------------------------------------------------------------------------------


class Bookkeeper:
    """Keeps boards and scores from the events alone, and checks the points that they name."""

    def __init__(self, players: int) -> None:
        self.boards = [Board() for _ in range(players)]
        self.floor_places = [0] * players

    def note(self, event: Mapping[str, Any]) -> None:
        board = self.boards[event["seat"]] if "seat" in event else Board()
        match event["kind"]:
            case "take":
                self._drop(event["seat"], event["overflow"] + event["marker"])
            case "tile":
                board.wall[event["row"]][event["column"]] = event["colour"]
                points = board.points_at(event["row"], event["column"])
                assert event["points"] == points
                board.score += points
            case "row":
                assert None not in board.wall[event["row"]]
            case "drop":
                assert event["count"] == event["row"] + 1
                self._drop(event["seat"], event["count"])
            case "floor":
                self._settle(event, board)
            case "bonus":
                counts = (board.complete_rows(), board.complete_columns(), board.complete_colours())
                assert (event["rows"], event["columns"], event["colours"]) == counts
                assert event["points"] == board.bonus()
                board.score += board.bonus()

    def _drop(self, seat: int, count: int) -> None:
        self.floor_places[seat] = min(7, self.floor_places[seat] + count)

    def _settle(self, event: Mapping[str, Any], board: Board) -> None:
        places = self.floor_places[event["seat"]]
        assert event["places"] == places
        penalty = min(board.score, sum(PENALTIES[:places]))
        assert event["points"] == -penalty
        board.score -= penalty
        self.floor_places[event["seat"]] = 0


@settings(whole_games, max_examples=100)
@given(game_options, pickers(), st.integers(0, 2**53 - 1))
def test_scores_follow_from_the_events(options: dict[str, Any], pick: Callable[[int], int], seed: int):
    match = Match(GAME, options, seed=seed)
    books = Bookkeeper(match.players)
    while not match.over:
        for step in match.play(_line_lover(match.legal().tolist(), pick)):
            for event in step.events:
                books.note(event)
        assert match.scores() == [board.score for board in books.boards]
    walls = [[[None if t == EMPTY else COLOURS[t] for t in row] for row in wall] for wall in match.state()[0].wall]
    assert walls[: match.players] == [board.wall for board in books.boards]
    _check_result(match, books.boards)


def _check_result(match: Match, boards: list[Board]) -> None:
    returns = match.returns()
    assert abs(sum(returns)) < 1e-12
    assert all(-1 <= x <= 1 for x in returns)
    best = max((board.score, board.complete_rows()) for board in boards)
    winners = {seat for seat, board in enumerate(boards) if (board.score, board.complete_rows()) == best}
    assert {seat for seat, x in enumerate(returns) if np.isclose(x, max(returns))} == winners
