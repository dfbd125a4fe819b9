"""Azul's library interface: the game object, AZ-41 … AZ-50, AZ-54, AZ-63 and AZ-68."""

from __future__ import annotations

import doctest
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from ludens.agents.codes import make_agent
from ludens.core.agent import Clock, Seating
from ludens.core.errors import BadInput
from ludens.games.azul import GAME
from ludens.games.azul import board as board_module
from ludens.games.azul.board import Board, IllegalOperation, Notice, Phase, Topic
from ludens.games.azul.parts import NO_MOVE, Move
from ludens.games.azul.state import EMPTY, FIRST_COLUMN, NOBODY, STEP
from tests.games.azul.library import SETTINGS, fingerprint, random_game, random_step, started, until


def test_the_worked_example_of_the_module_runs() -> None:
    result = doctest.testmod(board_module)
    assert result.attempted > 5
    assert result.failed == 0


# --- design -------------------------------------------------------------------------------


def test_az_41_two_operations_and_the_notices_are_all_a_front_end_needs() -> None:
    board, random = Board(3, grey=True, seed=4, round_limit=20), Random(4)

    def take(notice: Notice) -> None:
        assert notice.board.current == notice.seat
        assert notice.board.move(random.choice(notice.board.valid_moves()))

    def place(notice: Notice) -> None:
        assert notice.board.current == notice.seat
        assert notice.board.tile(notice.board.best_column())

    board.listen(Topic.TAKING, take)
    board.listen(Topic.PLACING, place)
    board.start()
    assert board.phase is Phase.OVER
    assert board.winners


def test_az_41_long_games_played_by_listeners_do_not_nest() -> None:
    """Players who only use the floor go on for 100 rounds: more steps than Python may nest calls."""
    board = Board(seed=1, round_limit=100)
    answers = []
    board.listen(Topic.TAKING, lambda notice: answers.append(board.move(board.valid_moves()[-1])))
    board.listen(Topic.PLACING, lambda notice: answers.append(board.tile()))
    board.start()
    assert board.phase is Phase.OVER
    assert all(answers)
    assert len(answers) > sys.getrecursionlimit()


def test_az_42_agents_are_interchangeable() -> None:
    class Lowest:
        """Somebody's own agent."""

        def __init__(self) -> None:
            self.ended = 0

        def start(self, seating: Seating) -> None:
            assert seating.seat == 2

        def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
            assert view["current"][0] == 2
            assert len(legal) > 0
            return int(legal[0])

        def end(self, view: np.ndarray) -> None:
            self.ended += 1

    lowest = Lowest()
    board = Board(4, grey=True, seed=6, round_limit=30)
    for seat, agent in enumerate([make_agent(GAME, "random"), make_agent(GAME, "heuristic"), lowest]):
        board.sit(seat, agent)
    board.start()
    while board.phase is not Phase.OVER:
        assert board.current == 3, "the board waits for the only seat without an agent"
        random_step(board, Random(0))
    assert lowest.ended == 1
    with pytest.raises(IllegalOperation):
        board.sit(3, lowest)


def test_az_42_a_seat_is_not_asked_when_a_listener_has_answered() -> None:
    board = Board(seed=6, first=0, round_limit=2)
    board.sit(0, make_agent(GAME, "heuristic"))
    board.listen(Topic.TAKING, lambda notice: board.move(board.valid_moves()[0]))
    board.listen(Topic.PLACING, lambda notice: board.tile())
    board.start()
    assert board.phase is Phase.OVER


@pytest.mark.parametrize(("players", "grey"), SETTINGS)
def test_az_43_equal_seeds_and_moves_give_equal_games(players: int, grey: bool) -> None:
    one = [fingerprint(board) for board in random_game(players, grey, seed=21)]
    two = [fingerprint(board) for board in random_game(players, grey, seed=21)]
    assert one == two
    assert one[0] != fingerprint(started(players, grey, seed=22))


# --- the game object ----------------------------------------------------------------------


def test_az_44_a_game_is_made_and_then_started(tmp_path: Path) -> None:
    board = Board(3, ["Ada", "Ben", "Cy"], grey=True, seed=5, first=2, log=tmp_path / "game.log")
    assert (board.names, board.grey, board.seed) == (("Ada", "Ben", "Cy"), True, 5)
    assert board.bag.total == 100
    assert all(factory.empty for factory in board.factories)
    with pytest.raises(IllegalOperation, match="call start"):
        _ = board.phase
    with pytest.raises(IllegalOperation, match="call start"):
        board.move(Move(0, 0, 0))
    board.start()
    assert (board.phase, board.current, board.bag.total) == (Phase.TAKING, 2, 100 - 28)
    with pytest.raises(IllegalOperation, match="already"):
        board.start()


def test_az_44_the_first_seat_is_drawn_if_not_given() -> None:
    firsts = []
    for seed in range(30):
        board = Board(seed=seed)
        board.start()
        firsts.append(board.current)
    assert set(firsts) == {0, 1}
    assert Board().seed != Board().seed


def test_az_44_bad_settings_are_refused(tmp_path: Path) -> None:
    for wrong in (
        {"players": 5},
        {"names": ["Ada"]},
        {"first": 2},
        {"first": -1},
        {"seed": -1},
        {"log": tmp_path / "missing" / "game.log"},
    ):
        with pytest.raises(BadInput):
            Board(**wrong)


@pytest.mark.parametrize(("players", "factories"), [(2, 5), (3, 7), (4, 9)])
def test_az_45_the_state_is_readable(players: int, factories: int) -> None:
    board = started(players, seed=7, first=1)
    assert [player.seat for player in board.players] == list(range(players))
    assert [sum(factory.counts) for factory in board.factories] == [4] * factories
    assert board.centre.empty
    assert board.bag.total == 100 - 4 * factories
    assert board.lid.total == 0
    assert (board.current, board.phase, board.grey, board.round_number) == (1, Phase.TAKING, False, 1)
    assert not board.marker_taken
    assert board.wall_pattern == (
        (0, 1, 2, 3, 4),
        (4, 0, 1, 2, 3),
        (3, 4, 0, 1, 2),
        (2, 3, 4, 0, 1),
        (1, 2, 3, 4, 0),
    )
    bag = board.bag
    bag.remove(0, 1)
    assert board.bag.total == bag.total + 1, "a copy"
    for later in random_game(players, False, seed=7):
        assert later.marker_taken == later.centre.taken_from == any(player.starts_next for player in later.players)
    assert (later.phase, later.current) == (Phase.OVER, NOBODY)


def test_az_46_listeners_are_told_who_is_to_act() -> None:
    board = Board(seed=9, first=1, round_limit=20)
    told: list[Notice] = []
    again: list[Notice] = []
    for topic in Topic:
        board.listen(topic, told.append)
        board.listen(topic, again.append)
    board.start()
    assert told == again == [Notice(Topic.TAKING, board, 1)]
    random = Random(9)
    while board.phase is not Phase.OVER:
        told.clear()
        walls = [player.wall for player in board.players]
        actor = board.current
        random_step(board, random)
        rows = [notice for notice in told if notice.topic is Topic.ROW]
        completed = [
            (seat, row)
            for seat, player in enumerate(board.players)
            for row in range(5)
            if EMPTY not in player.wall[row] and EMPTY in walls[seat][row]
        ]
        assert [(notice.seat, notice.row) for notice in rows] == completed
        assert told[: len(rows)] == rows
        expected = {Phase.TAKING: Topic.TAKING, Phase.PLACING: Topic.PLACING, Phase.OVER: Topic.OVER}[board.phase]
        waiting = actor if board.phase is Phase.OVER else board.current
        assert told[len(rows) :] == [Notice(expected, board, waiting)]


def test_az_46_a_completed_row_is_announced() -> None:
    rows: list[Notice] = []
    for seed in range(20):
        board = Board(seed=seed, round_limit=20)
        board.listen(Topic.ROW, rows.append)
        board.sit(0, make_agent(GAME, "heuristic"))
        board.sit(1, make_agent(GAME, "heuristic"))
        board.start()
    assert len(rows) >= 20
    for notice in rows:
        assert notice.row is not None
        assert EMPTY not in notice.board.players[notice.seat].wall[notice.row]


def test_az_46_an_illegal_move_tells_nobody() -> None:
    board = started()
    told: list[Notice] = []
    board.listen(Topic.TAKING, told.append)
    assert not board.move(Move(board.factories[0].groups()[0].colour, 5, 0))
    assert told == []


def test_az_46_the_hooks_can_be_overridden() -> None:
    class Diary(Board):
        def next_taking(self, seat: int) -> None:
            asked.append((Phase.TAKING, seat))

        def next_placing(self, seat: int) -> None:
            asked.append((Phase.PLACING, seat))
            super().next_placing(seat)

    asked: list[tuple[Phase, int]] = []
    told: list[Notice] = []
    board = Diary(seed=3, round_limit=2)
    board.listen(Topic.TAKING, told.append)
    board.listen(Topic.PLACING, told.append)
    board.start()
    random = Random(3)
    while board.phase is not Phase.OVER:
        assert asked[-1] == (board.phase, board.current)
        random_step(board, random)
    assert {notice.topic for notice in told} == {Topic.PLACING}
    assert len(told) == sum(phase is Phase.PLACING for phase, _ in asked)


def test_az_46_a_listener_that_fails_leaves_the_game_playable() -> None:
    board = Board(seed=3, first=0)

    def fail(notice: Notice) -> None:
        raise RuntimeError("listener")

    board.listen(Topic.TAKING, fail)
    with pytest.raises(RuntimeError):
        board.start()
    with pytest.raises(RuntimeError):
        board.move(board.valid_moves()[0])
    assert board.current == 1


@pytest.mark.parametrize(("players", "grey"), SETTINGS)
def test_az_47_az_48_a_move_is_made_if_and_only_if_the_check_says_so(players: int, grey: bool) -> None:
    board, random = started(players, grey, seed=14, round_limit=20), Random(14)
    refused = 0
    while board.phase is not Phase.OVER:
        if board.phase is Phase.TAKING:
            sources = len(board.factories) + 1
            move = Move(random.randrange(5), random.randrange(sources), random.randrange(6))
            before = fingerprint(board)
            allowed = board.can_move(move)
            assert fingerprint(board) == before
            assert allowed == (move in board.valid_moves())
            assert board.move(move) == allowed
            assert (fingerprint(board) == before) == (not allowed)
            refused += not allowed
        else:
            random_step(board, random)
    assert refused > 20


def test_az_49_one_step_tiles_the_topmost_full_line_and_the_last_also_settles_the_floor() -> None:
    for board in random_game(2, False, seed=15):
        if board.phase is not Phase.PLACING:
            before = None
            continue
        seat, me = board.current, board.players[board.current]
        if before is not None:
            whose, player = before
            after = board.players[whose]
            if player.full_lines:
                line = player.full_lines[0]
                column = board.wall_column(line, player.line(line).colour)
                assert after.wall[line][column] == player.line(line).colour
                assert after.line(line).count == 0
                assert after.full_lines == player.full_lines[1:]
            if len(player.full_lines) <= 1:
                assert after.floor == ()
                assert seat != whose
            else:
                assert after.floor == player.floor
                assert seat == whose
        before = (seat, me)


def test_az_49_a_player_without_a_full_line_needs_one_step() -> None:
    board = started(seed=2)
    while board.phase is Phase.TAKING:
        assert board.move(next(move for move in board.valid_moves() if move.destination == 5))
    first = board.current
    assert board.players[first].floor
    assert board.open_columns() == []
    assert not board.tile(0)
    assert board.tile()
    assert board.players[first].floor == ()
    assert board.current == 1 - first
    assert board.tile()
    assert (board.phase, board.round_number) == (Phase.TAKING, 2)


def test_az_49_the_column_is_determined_on_the_coloured_wall() -> None:
    board = until(started(seed=5), Phase.PLACING)
    while not board.players[board.current].has_full_line:
        board.tile()
    (column,) = board.open_columns()
    before = fingerprint(board)
    for wrong in set(range(5)) - {column}:
        assert not board.tile(wrong)
    with pytest.raises(IllegalOperation):
        board.tile(5)
    assert fingerprint(board) == before
    assert board.tile(column)


def test_az_49_a_column_is_required_where_the_grey_wall_leaves_a_choice() -> None:
    choices, forced, stuck = 0, 0, 0
    for seed in range(30):
        for board in random_game(2, True, seed):
            if board.phase is not Phase.PLACING or not board.players[board.current].has_full_line:
                continue
            columns, legal = board.open_columns(), board._match.legal().tolist()
            if len(columns) > 1:
                before = fingerprint(board)
                assert not board.tile()
                assert not any(board.tile(column) for column in set(range(5)) - set(columns))
                assert fingerprint(board) == before
                assert legal == [FIRST_COLUMN + column for column in columns]
                choices += 1
            else:
                assert legal == [STEP]
                forced += len(columns)
                stuck += not columns
    assert choices > 100
    assert forced > 20
    assert stuck > 0, "AZ-39: no column at all"


@pytest.mark.parametrize("given", [False, True])
def test_az_49_the_only_column_may_be_given_or_left_out(given: bool) -> None:
    for board in random_game(2, True, seed=1):
        if board.phase is Phase.PLACING and len(board.open_columns()) == 1:
            break
    (column,) = board.open_columns()
    seat, line = board.current, board.players[board.current].full_lines[0]
    assert board.tile(column if given else None)
    assert board.players[seat].wall[line][column] != EMPTY


def test_az_49_the_last_step_ends_the_game_with_bonuses() -> None:
    before: tuple[int, ...] = ()
    for board in random_game(3, False, seed=16):
        if board.phase is not Phase.OVER:
            assert board.winners == ()
            before = tuple(player.score for player in board.players)
            last = board.current
    for player in board.players:
        if player.seat != last:
            assert player.score == before[player.seat] + player.bonus
    best = max(player.score for player in board.players)
    assert all(board.players[seat].score == best for seat in board.winners)


def test_az_50_valid_moves_of_a_first_turn() -> None:
    board = started(seed=17)
    expected = [
        Move(group.colour, source, destination)
        for source, factory in enumerate(board.factories)
        for group in factory.groups()
        for destination in range(6)
    ]
    assert board.valid_moves() == expected
    assert until(board, Phase.PLACING).valid_moves() == []


def test_az_54_the_column_of_a_colour_in_a_row() -> None:
    board = Board()
    for row in range(5):
        for colour in range(5):
            assert board.wall_pattern[row][board.wall_column(row, colour)] == colour
    for wrong in ((5, 0), (0, 5), (-1, 0)):
        with pytest.raises(IllegalOperation):
            board.wall_column(*wrong)


def test_az_63_wrong_phases_and_ids_raise_and_change_nothing() -> None:
    board = started(seed=18)
    before = fingerprint(board)
    for call in (
        lambda: board.tile(),
        lambda: board.open_columns(),
        lambda: board.move(Move(0, 6, 0)),
        lambda: board.can_move(Move(0, 6, 0)),
        lambda: board.move(NO_MOVE),
        lambda: board.move((0, 0, 0)),  # type: ignore[arg-type]
        lambda: board.encode(2),
        lambda: board.features(-1),
    ):
        with pytest.raises(IllegalOperation):
            call()
    assert fingerprint(board) == before
    move = board.valid_moves()[0]
    until(board, Phase.PLACING)
    before = fingerprint(board)
    with pytest.raises(IllegalOperation, match="'taking', but now it is 'placing'"):
        board.move(move)
    with pytest.raises(IllegalOperation):
        board.can_move(move)
    assert fingerprint(board) == before
    until(board, Phase.OVER)
    for call in (lambda: board.move(move), lambda: board.tile()):
        with pytest.raises(IllegalOperation, match="game over"):
            call()


# --- agents and phases --------------------------------------------------------------------


def test_az_68_the_best_column_has_most_points_ties_to_the_smallest() -> None:
    heuristic = make_agent(GAME, "heuristic")
    heuristic.start(Seating(GAME, GAME.options({"wall": "grey"}), 0, 1))
    chosen = set()
    for seed in range(5):
        for board in random_game(2, True, seed):
            if board.phase is not Phase.PLACING:
                continue
            columns, best = board.open_columns(), board.best_column()
            if not columns:
                assert best is None
                continue
            player = board.players[board.current]
            points = {column: player.points(player.full_lines[0], column) for column in columns}
            assert best == min(column for column in columns if points[column] == max(points.values()))
            if len(columns) > 1:
                choice = heuristic.choose(board._match.view(board.current), board._match.legal(), Clock())
                assert choice == FIRST_COLUMN + best
                chosen.add(best)
    assert len(chosen) > 2


def test_az_68_phase_b_asks_no_agent_on_the_coloured_wall() -> None:
    class Taker:
        """An agent that knows taking moves only."""

        def start(self, seating: Seating) -> None:
            pass

        def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
            assert legal.max() < 300
            return int(legal[0])

        def end(self, view: np.ndarray) -> None:
            pass

    board = Board(seed=23, round_limit=20)
    board.sit(0, Taker())
    board.sit(1, Taker())
    board.start()
    assert board.phase is Phase.OVER
