"""Azul's library interface: the game object, AZ-41 … AZ-50, AZ-54, AZ-63 and AZ-68."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from ludens.agents.codes import make_agent
from ludens.core.agent import Clock, Seating
from ludens.core.errors import BadInput
from ludens.games.azul import GAME
from ludens.games.azul.library import NO_MOVE, AzulGame, IllegalOperation, Move, Notice, Phase, Topic
from ludens.games.azul.state import EMPTY, FIRST_COLUMN, NOBODY, STEP
from tests.games.azul.library_games import SETTINGS, fingerprint, random_game, random_step, started, until

# --- design -------------------------------------------------------------------------------


def test_az_41_two_operations_and_the_notices_are_all_a_front_end_needs() -> None:
    game, random = AzulGame(3, grey=True, seed=4, round_limit=20), Random(4)

    def take(notice: Notice) -> None:
        assert notice.game.current == notice.seat
        assert notice.game.move(random.choice(notice.game.valid_moves()))

    def place(notice: Notice) -> None:
        assert notice.game.current == notice.seat
        assert notice.game.tile(notice.game.best_column())

    game.listen(Topic.TAKING, take)
    game.listen(Topic.PLACING, place)
    game.start()
    assert game.phase is Phase.OVER
    assert game.winners


def test_az_41_long_games_played_by_listeners_do_not_nest() -> None:
    """Players who only use the floor go on for 100 rounds: more steps than Python may nest calls."""
    game = AzulGame(seed=1, round_limit=100)
    answers = []
    game.listen(Topic.TAKING, lambda notice: answers.append(game.move(game.valid_moves()[-1])))
    game.listen(Topic.PLACING, lambda notice: answers.append(game.tile()))
    game.start()
    assert game.phase is Phase.OVER
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
    game = AzulGame(4, grey=True, seed=6, round_limit=30)
    for seat, agent in enumerate([make_agent(GAME, "random"), make_agent(GAME, "heuristic"), lowest]):
        game.sit(seat, agent)
    game.start()
    while game.phase is not Phase.OVER:
        assert game.current == 3, "the game waits for the only seat without an agent"
        random_step(game, Random(0))
    assert lowest.ended == 1
    with pytest.raises(IllegalOperation):
        game.sit(3, lowest)


def test_az_42_a_seat_is_not_asked_when_a_listener_has_answered() -> None:
    game = AzulGame(seed=6, first=0, round_limit=2)
    game.sit(0, make_agent(GAME, "heuristic"))
    game.listen(Topic.TAKING, lambda notice: game.move(game.valid_moves()[0]))
    game.listen(Topic.PLACING, lambda notice: game.tile())
    game.start()
    assert game.phase is Phase.OVER


@pytest.mark.parametrize(("players", "grey"), SETTINGS)
def test_az_43_equal_seeds_and_moves_give_equal_games(players: int, grey: bool) -> None:
    one = [fingerprint(game) for game in random_game(players, grey, seed=21)]
    two = [fingerprint(game) for game in random_game(players, grey, seed=21)]
    assert one == two
    assert one[0] != fingerprint(started(players, grey, seed=22))


# --- the game object ----------------------------------------------------------------------


def test_az_44_a_game_is_made_and_then_started(tmp_path: Path) -> None:
    game = AzulGame(3, ["Ada", "Ben", "Cy"], grey=True, seed=5, first=2, log=tmp_path / "game.log")
    assert (game.names, game.grey, game.seed) == (("Ada", "Ben", "Cy"), True, 5)
    assert game.bag.total == 100
    assert all(factory.empty for factory in game.factories)
    with pytest.raises(IllegalOperation, match="call start"):
        _ = game.phase
    with pytest.raises(IllegalOperation, match="call start"):
        game.move(Move(0, 0, 0))
    game.start()
    assert (game.phase, game.current, game.bag.total) == (Phase.TAKING, 2, 100 - 28)
    with pytest.raises(IllegalOperation, match="already"):
        game.start()


def test_az_44_the_first_seat_is_drawn_if_not_given() -> None:
    firsts = []
    for seed in range(30):
        game = AzulGame(seed=seed)
        game.start()
        firsts.append(game.current)
    assert set(firsts) == {0, 1}
    assert AzulGame().seed != AzulGame().seed


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
            AzulGame(**wrong)


@pytest.mark.parametrize(("players", "factories"), [(2, 5), (3, 7), (4, 9)])
def test_az_45_the_state_is_readable(players: int, factories: int) -> None:
    game = started(players, seed=7, first=1)
    assert [player.seat for player in game.players] == list(range(players))
    assert [sum(factory.counts) for factory in game.factories] == [4] * factories
    assert game.centre.empty
    assert game.bag.total == 100 - 4 * factories
    assert game.lid.total == 0
    assert (game.current, game.phase, game.grey, game.round_number) == (1, Phase.TAKING, False, 1)
    assert not game.marker_taken
    assert game.wall_pattern == (
        (0, 1, 2, 3, 4),
        (4, 0, 1, 2, 3),
        (3, 4, 0, 1, 2),
        (2, 3, 4, 0, 1),
        (1, 2, 3, 4, 0),
    )
    bag = game.bag
    bag.remove(0, 1)
    assert game.bag.total == bag.total + 1, "a copy"
    for later in random_game(players, False, seed=7):
        assert later.marker_taken == later.centre.taken_from == any(player.starts_next for player in later.players)
    assert (later.phase, later.current) == (Phase.OVER, NOBODY)


def test_az_46_listeners_are_told_who_is_to_act() -> None:
    game = AzulGame(seed=9, first=1, round_limit=20)
    told: list[Notice] = []
    again: list[Notice] = []
    for topic in Topic:
        game.listen(topic, told.append)
        game.listen(topic, again.append)
    game.start()
    assert told == again == [Notice(Topic.TAKING, game, 1)]
    random = Random(9)
    while game.phase is not Phase.OVER:
        told.clear()
        walls = [player.wall for player in game.players]
        actor = game.current
        random_step(game, random)
        rows = [notice for notice in told if notice.topic is Topic.ROW]
        completed = [
            (seat, row)
            for seat, player in enumerate(game.players)
            for row in range(5)
            if EMPTY not in player.wall[row] and EMPTY in walls[seat][row]
        ]
        assert [(notice.seat, notice.row) for notice in rows] == completed
        assert told[: len(rows)] == rows
        expected = {Phase.TAKING: Topic.TAKING, Phase.PLACING: Topic.PLACING, Phase.OVER: Topic.OVER}[game.phase]
        waiting = actor if game.phase is Phase.OVER else game.current
        assert told[len(rows) :] == [Notice(expected, game, waiting)]


def test_az_46_a_completed_row_is_announced() -> None:
    rows: list[Notice] = []
    for seed in range(20):
        game = AzulGame(seed=seed, round_limit=20)
        game.listen(Topic.ROW, rows.append)
        game.sit(0, make_agent(GAME, "heuristic"))
        game.sit(1, make_agent(GAME, "heuristic"))
        game.start()
    assert len(rows) >= 20
    for notice in rows:
        assert notice.row is not None
        assert EMPTY not in notice.game.players[notice.seat].wall[notice.row]


def test_az_46_an_illegal_move_tells_nobody() -> None:
    game = started()
    told: list[Notice] = []
    game.listen(Topic.TAKING, told.append)
    assert not game.move(Move(game.factories[0].groups()[0].colour, 5, 0))
    assert told == []


def test_az_46_the_hooks_can_be_overridden() -> None:
    class Diary(AzulGame):
        def next_taking(self, seat: int) -> None:
            asked.append((Phase.TAKING, seat))

        def next_placing(self, seat: int) -> None:
            asked.append((Phase.PLACING, seat))
            super().next_placing(seat)

    asked: list[tuple[Phase, int]] = []
    told: list[Notice] = []
    game = Diary(seed=3, round_limit=2)
    game.listen(Topic.TAKING, told.append)
    game.listen(Topic.PLACING, told.append)
    game.start()
    random = Random(3)
    while game.phase is not Phase.OVER:
        assert asked[-1] == (game.phase, game.current)
        random_step(game, random)
    assert {notice.topic for notice in told} == {Topic.PLACING}
    assert len(told) == sum(phase is Phase.PLACING for phase, _ in asked)


def test_az_46_a_listener_that_fails_leaves_the_game_playable() -> None:
    game = AzulGame(seed=3, first=0)

    def fail(notice: Notice) -> None:
        raise RuntimeError("listener")

    game.listen(Topic.TAKING, fail)
    with pytest.raises(RuntimeError):
        game.start()
    with pytest.raises(RuntimeError):
        game.move(game.valid_moves()[0])
    assert game.current == 1


@pytest.mark.parametrize(("players", "grey"), SETTINGS)
def test_az_47_az_48_a_move_is_made_if_and_only_if_the_check_says_so(players: int, grey: bool) -> None:
    game, random = started(players, grey, seed=14, round_limit=20), Random(14)
    refused = 0
    while game.phase is not Phase.OVER:
        if game.phase is Phase.TAKING:
            sources = len(game.factories) + 1
            move = Move(random.randrange(5), random.randrange(sources), random.randrange(6))
            before = fingerprint(game)
            allowed = game.can_move(move)
            assert fingerprint(game) == before
            assert allowed == (move in game.valid_moves())
            assert game.move(move) == allowed
            assert (fingerprint(game) == before) == (not allowed)
            refused += not allowed
        else:
            random_step(game, random)
    assert refused > 20


def test_az_49_one_step_tiles_the_topmost_full_line_and_the_last_also_settles_the_floor() -> None:
    for game in random_game(2, False, seed=15):
        if game.phase is not Phase.PLACING:
            before = None
            continue
        seat, me = game.current, game.players[game.current]
        if before is not None:
            whose, player = before
            after = game.players[whose]
            if player.full_lines:
                line = player.full_lines[0]
                column = game.wall_column(line, player.line(line).colour)
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
    game = started(seed=2)
    while game.phase is Phase.TAKING:
        assert game.move(next(move for move in game.valid_moves() if move.destination == 5))
    first = game.current
    assert game.players[first].floor
    assert game.open_columns() == []
    assert not game.tile(0)
    assert game.tile()
    assert game.players[first].floor == ()
    assert game.current == 1 - first
    assert game.tile()
    assert (game.phase, game.round_number) == (Phase.TAKING, 2)


def test_az_49_the_column_is_determined_on_the_coloured_wall() -> None:
    game = until(started(seed=5), Phase.PLACING)
    while not game.players[game.current].has_full_line:
        game.tile()
    (column,) = game.open_columns()
    before = fingerprint(game)
    for wrong in set(range(5)) - {column}:
        assert not game.tile(wrong)
    with pytest.raises(IllegalOperation):
        game.tile(5)
    assert fingerprint(game) == before
    assert game.tile(column)


def test_az_49_a_column_is_required_where_the_grey_wall_leaves_a_choice() -> None:
    choices, forced, stuck = 0, 0, 0
    for seed in range(30):
        for game in random_game(2, True, seed):
            if game.phase is not Phase.PLACING or not game.players[game.current].has_full_line:
                continue
            columns, legal = game.open_columns(), game._match.legal().tolist()
            if len(columns) > 1:
                before = fingerprint(game)
                assert not game.tile()
                assert not any(game.tile(column) for column in set(range(5)) - set(columns))
                assert fingerprint(game) == before
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
    for game in random_game(2, True, seed=1):
        if game.phase is Phase.PLACING and len(game.open_columns()) == 1:
            break
    (column,) = game.open_columns()
    seat, line = game.current, game.players[game.current].full_lines[0]
    assert game.tile(column if given else None)
    assert game.players[seat].wall[line][column] != EMPTY


def test_az_49_the_last_step_ends_the_game_with_bonuses() -> None:
    before: tuple[int, ...] = ()
    for game in random_game(3, False, seed=16):
        if game.phase is not Phase.OVER:
            assert game.winners == ()
            before = tuple(player.score for player in game.players)
            last = game.current
    for player in game.players:
        if player.seat != last:
            assert player.score == before[player.seat] + player.bonus
    best = max(player.score for player in game.players)
    assert all(game.players[seat].score == best for seat in game.winners)


def test_az_50_valid_moves_of_a_first_turn() -> None:
    game = started(seed=17)
    expected = [
        Move(group.colour, source, destination)
        for source, factory in enumerate(game.factories)
        for group in factory.groups()
        for destination in range(6)
    ]
    assert game.valid_moves() == expected
    assert until(game, Phase.PLACING).valid_moves() == []


def test_az_54_the_column_of_a_colour_in_a_row() -> None:
    game = AzulGame()
    for row in range(5):
        for colour in range(5):
            assert game.wall_pattern[row][game.wall_column(row, colour)] == colour
    for wrong in ((5, 0), (0, 5), (-1, 0)):
        with pytest.raises(IllegalOperation):
            game.wall_column(*wrong)


def test_az_63_wrong_phases_and_ids_raise_and_change_nothing() -> None:
    game = started(seed=18)
    before = fingerprint(game)
    for call in (
        lambda: game.tile(),
        lambda: game.open_columns(),
        lambda: game.move(Move(0, 6, 0)),
        lambda: game.can_move(Move(0, 6, 0)),
        lambda: game.move(NO_MOVE),
        lambda: game.move((0, 0, 0)),  # type: ignore[arg-type]
        lambda: game.encode(2),
        lambda: game.features(-1),
    ):
        with pytest.raises(IllegalOperation):
            call()
    assert fingerprint(game) == before
    move = game.valid_moves()[0]
    until(game, Phase.PLACING)
    before = fingerprint(game)
    with pytest.raises(IllegalOperation, match="'taking', but now it is 'placing'"):
        game.move(move)
    with pytest.raises(IllegalOperation):
        game.can_move(move)
    assert fingerprint(game) == before
    until(game, Phase.OVER)
    for call in (lambda: game.move(move), lambda: game.tile()):
        with pytest.raises(IllegalOperation, match="game over"):
            call()


# --- agents and phases --------------------------------------------------------------------


def test_az_68_the_best_column_has_most_points_ties_to_the_smallest() -> None:
    heuristic = make_agent(GAME, "heuristic")
    heuristic.start(Seating(GAME, GAME.options({"wall": "grey"}), 0, 1))
    chosen = set()
    for seed in range(5):
        for game in random_game(2, True, seed):
            if game.phase is not Phase.PLACING:
                continue
            columns, best = game.open_columns(), game.best_column()
            if not columns:
                assert best is None
                continue
            player = game.players[game.current]
            points = {column: player.points(player.full_lines[0], column) for column in columns}
            assert best == min(column for column in columns if points[column] == max(points.values()))
            if len(columns) > 1:
                choice = heuristic.choose(game._match.view(game.current), game._match.legal(), Clock())
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

    game = AzulGame(seed=23, round_limit=20)
    game.sit(0, Taker())
    game.sit(1, Taker())
    game.start()
    assert game.phase is Phase.OVER
