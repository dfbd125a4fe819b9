"""Azul's library interface: the parts, AZ-56 … AZ-63."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from random import Random

import numpy as np
import pytest

from ludens.core.errors import BadInput
from ludens.core.rng import generator
from ludens.games.azul import state
from ludens.games.azul.library import (
    BOARD_LENGTH,
    NO_MOVE,
    Centre,
    Factory,
    IllegalOperation,
    Move,
    PatternLine,
    Phase,
    Player,
    TileGroup,
    Tiles,
    decode_player,
)
from ludens.games.azul.state import EMPTY, MARKER
from tests.games.azul.library_games import SETTINGS, random_game, started, until

BLUE, YELLOW, RED, BLACK, WHITE = range(5)


def player(
    score: int = 0,
    lines: tuple[tuple[int, int], ...] = (),
    wall: dict[tuple[int, int], int] | None = None,
    grey: bool = False,
) -> Player:
    """A board written out: lines as (colour, count) from the top, wall cells by (row, column)."""
    part = np.zeros(BOARD_LENGTH, np.int64)
    part[0] = score
    for index, (colour, count) in enumerate(lines):
        part[2 + index] = 1 + 5 * colour + count - 1 if count else 0
    for (row, column), colour in (wall or {}).items():
        part[7 + 5 * row + column] = 1 + colour
    return decode_player(part, grey)


def test_az_56_a_factory_tells_whether_it_is_empty_its_groups_and_its_counts() -> None:
    factory = Factory((2, 0, 1, 0, 1))
    assert not factory.empty
    assert factory.groups() == (TileGroup(BLUE, 2), TileGroup(RED, 1), TileGroup(WHITE, 1))
    assert [factory.count(colour) for colour in range(5)] == [2, 0, 1, 0, 1]
    assert Factory((0, 0, 0, 0, 0)).empty
    assert Factory((0, 0, 0, 0, 0)).groups() == ()
    for wrong in ((2, 2, 1, 0, 0), (1, 1, 1), (-1, 0, 0, 0, 0)):
        with pytest.raises(IllegalOperation):
            Factory(wrong)
    with pytest.raises(IllegalOperation, match="from 0 to 4, not 5"):
        factory.count(5)


def test_az_56_the_centre_is_a_factory_that_knows_whether_it_has_been_taken_from() -> None:
    centre = Centre((9, 0, 3, 0, 0), taken_from=True)
    assert isinstance(centre, Factory)
    assert centre.taken_from
    assert centre.groups() == (TileGroup(BLUE, 9), TileGroup(RED, 3))

    game = started(seed=3)
    assert game.centre == Centre((0, 0, 0, 0, 0), taken_from=False)
    assert game.move(game.valid_moves()[0])
    assert not game.centre.empty
    assert not game.centre.taken_from
    colour = game.centre.groups()[0].colour
    assert game.move(Move(colour, len(game.factories), 5))
    assert game.centre.taken_from


def test_az_57_a_player_shows_name_score_wall_floor_and_the_marker() -> None:
    game = started(names=["Ada", "Ben"], seed=5)
    ada = game.players[0]
    assert (ada.name, ada.seat, ada.score, ada.floor, ada.starts_next) == ("Ada", 0, 0, (), False)
    assert ada.wall == ((EMPTY,) * 5,) * 5

    assert game.move(Move(game.factories[0].groups()[0].colour, 0, 4))
    taken = game.centre.groups()[0]
    assert game.move(Move(taken.colour, 5, 5))
    ben = game.players[1]
    assert ben.floor == (MARKER, *[taken.colour] * taken.count)
    assert ben.starts_next
    assert not game.players[0].starts_next
    assert ada.line(4) == PatternLine(5), "a look keeps showing its own position"


def test_az_57_a_player_says_which_lines_accept_a_colour() -> None:
    board = player(lines=((BLUE, 1), (RED, 1), (EMPTY, 0)), wall={(2, 2): BLUE, (4, 0): YELLOW})
    assert not board.can_place(BLUE, 0), "full"
    assert board.can_place(RED, 1)
    assert not board.can_place(BLUE, 1), "another colour"
    assert not board.can_place(BLUE, 2), "on the wall already"
    assert not board.can_place(YELLOW, 4)
    assert board.can_place(WHITE, 4)
    assert all(board.can_place(colour, 5) for colour in range(5)), "the floor takes all"
    with pytest.raises(IllegalOperation):
        board.can_place(BLUE, 6)

    grey = player(wall={(2, 4): BLUE}, grey=True)
    assert not grey.can_place(BLUE, 2)
    assert grey.can_place(RED, 2)


def test_az_57_a_player_shows_lines_and_which_are_full() -> None:
    board = player(lines=((BLUE, 1), (RED, 1), (WHITE, 3), (EMPTY, 0), (BLACK, 5)))
    assert board.line(1) == PatternLine(2, RED, 1)
    assert [line.count for line in board.lines] == [1, 1, 3, 0, 5]
    assert board.full_lines == (0, 2, 4)
    assert board.has_full_line
    assert not player().has_full_line


def test_az_57_points_of_a_tile_are_a_question_that_changes_nothing() -> None:
    board = player(wall={(0, 0): BLUE, (0, 1): YELLOW, (1, 2): YELLOW, (2, 2): BLUE})
    before = board.wall
    assert board.points(4, 4) == 1
    assert board.points(0, 2) == 3 + 3
    assert board.points(1, 1) == 2 + 2
    assert board.points(0, 0) == 2, "a tile that lies there already"
    assert board.wall == before
    cross = player(wall={cell: BLUE for k in range(5) if k != 2 for cell in ((2, k), (k, 2))}, grey=True)
    assert cross.points(2, 2) == 10
    with pytest.raises(IllegalOperation):
        board.points(0, 5)


@pytest.mark.parametrize("seed", range(3))
def test_az_57_points_foretold_are_the_points_scored(seed: int) -> None:
    game, random = started(seed=seed), Random(seed)
    foretold = 0
    while game.phase is not Phase.OVER:
        if game.phase is Phase.TAKING:
            game.move(random.choice(game.valid_moves()))
            continue
        seat, me = game.current, game.players[game.current]
        if len(me.full_lines) > 1:  # the floor is not settled in this step
            gain = me.points(me.full_lines[0], game.open_columns()[0])
            game.tile()
            assert game.players[seat].score == me.score + gain
            foretold += 1
        else:
            game.tile()
    assert foretold > 5


def test_az_57_final_bonuses() -> None:
    cells = [(0, k) for k in range(5)] + [(k, 0) for k in range(5)] + [(k, k) for k in range(5)]
    wall = {(row, column): (column - row) % 5 for row, column in cells}  # a row, a column, all blue
    board = player(score=20, wall=wall)
    assert board.bonus == 2 + 7 + 10
    assert board.with_bonus().score == 39
    assert board.score == 20
    over = until(started(seed=2, round_limit=20), Phase.OVER)
    with pytest.raises(IllegalOperation, match="already"):
        over.players[0].with_bonus()


def test_az_58_tiles_are_split_evenly_and_counted() -> None:
    bag = Tiles(5, 100)
    assert (bag.colours, bag.total, bag.counts) == (5, 100, (20,) * 5)
    bag.add(2, 3)
    bag.remove(0, 20)
    assert (bag.count(2), bag.count(0), bag.total) == (23, 0, 83)
    bag.merge(Tiles.of([1, 2, 3, 4, 5]))
    assert bag.counts == (1, 22, 26, 24, 25)
    for misuse in (
        lambda: Tiles(5, 99),
        lambda: bag.remove(0, 2),
        lambda: bag.remove(5),
        lambda: bag.add(0, -1),
        lambda: bag.merge(Tiles(4, 8)),
        lambda: bag.draw(99, generator(1)),
    ):
        with pytest.raises(IllegalOperation):
            misuse()
    assert bag.counts == (1, 22, 26, 24, 25)


def test_az_58_tiles_are_drawn_at_random_into_a_new_collection() -> None:
    rng = generator(11)
    bag = Tiles()
    drawn = bag.draw(30, rng)
    assert drawn.total == 30
    assert bag.total == 70
    assert Tiles.of(np.add(bag.counts, drawn.counts)) == Tiles()
    assert Tiles().draw(30, generator(11)) == drawn
    firsts = np.sum([Tiles.of([1, 2, 3, 4, 0]).draw(1, rng).counts for _ in range(4000)], axis=0) / 4000
    assert np.allclose(firsts, [0.1, 0.2, 0.3, 0.4, 0], atol=0.03)


def test_az_59_a_pattern_line() -> None:
    line = PatternLine(3, RED, 2)
    assert (line.capacity, line.colour, line.count, line.free, line.full) == (3, RED, 2, 1, False)
    assert line.accepts(RED)
    assert not line.accepts(BLUE)
    empty = PatternLine(3)
    assert (empty.colour, empty.count, empty.free) == (EMPTY, 0, 3)
    assert all(empty.accepts(colour) for colour in range(5))
    full = PatternLine(3, RED, 3)
    assert full.full
    assert not full.accepts(RED)
    for wrong in ((0, EMPTY, 0), (6, EMPTY, 0), (2, RED, 3), (2, RED, 0), (2, EMPTY, 1), (2, 5, 1)):
        with pytest.raises(IllegalOperation):
            PatternLine(*wrong)


def test_az_60_a_tile_group_is_an_immutable_pair() -> None:
    group = TileGroup(BLACK, 3)
    assert (group.colour, group.count, str(group)) == (3, 3, "3 black")
    with pytest.raises(FrozenInstanceError):
        group.count = 4  # type: ignore[misc]
    with pytest.raises(IllegalOperation):
        TileGroup(5, 1)


def test_az_61_a_move_is_an_immutable_triple_with_a_text() -> None:
    move = Move(RED, 5, 0)
    assert (move.colour, move.source, move.destination) == (2, 5, 0)
    assert str(move) == "red from source 6 to line 1"
    assert str(Move(BLUE, 0, 5)) == "blue from source 1 to the floor"
    assert started(players=2).describe(move) == "centre red 1"
    assert started(players=3).describe(move) == "6 red 1"
    with pytest.raises(FrozenInstanceError):
        move.colour = 1  # type: ignore[misc]
    assert len({move, Move(RED, 5, 0)}) == 1


def test_az_62_the_constants() -> None:
    assert len(state.COLOURS) == state.SIZE == 5
    assert state.SIZE * state.TILES_PER_COLOUR == Tiles().total == 100
    assert (state.FACTORY_ROOM, state.FLOOR_ROOM) == (4, 7)
    assert (state.EMPTY, state.MARKER) == (-1, 5)
    assert Move(-1, -1, -1) == NO_MOVE
    assert str(NO_MOVE) == "no move"


def test_az_63_one_exception_for_misuse() -> None:
    assert issubclass(IllegalOperation, BadInput)
    for ids in ((5, 0, 0), (0, 10, 0), (0, 0, 6), (-1, 0, 0), (True, 0, 0), (0, "1", 0), (0, 0, 1.0)):
        with pytest.raises(IllegalOperation, match="must be a whole number"):
            Move(*ids)


@pytest.mark.parametrize(("players", "grey"), SETTINGS)
def test_parts_agree_with_each_other_throughout_a_game(players: int, grey: bool) -> None:
    """AZ-9 counted from the parts alone."""
    for game in random_game(players, grey, seed=players):
        counts = np.array(game.bag.counts) + game.lid.counts + game.centre.counts
        for factory in game.factories:
            counts += factory.counts
        for seat in game.players:
            for line in seat.lines:
                if line.count:
                    counts[line.colour] += line.count
            for tile in [*seat.floor, *(cell for row in seat.wall for cell in row)]:
                if tile not in (EMPTY, MARKER):
                    counts[tile] += 1
        assert counts.tolist() == [20] * 5
