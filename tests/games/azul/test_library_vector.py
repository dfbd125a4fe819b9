"""Azul's library interface: actions, masks and encodings, AZ-51 … AZ-53, AZ-55 and AZ-65 … AZ-72."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from ludens.core.spec import split
from ludens.games.azul import GAME, library
from ludens.games.azul.library import (
    NO_MOVE,
    AzulGame,
    Centre,
    Factory,
    IllegalOperation,
    Move,
    PatternLine,
    Phase,
    Player,
    Position,
)
from ludens.games.azul.state import EMPTY
from tests.games.azul.library_games import SETTINGS, random_game, started, until

BLUE, YELLOW, RED, BLACK, WHITE = range(5)


def board_numbers(player: Player) -> list[int]:
    """A player's 39 numbers, written from AZ-70 and the parts alone."""
    lines = [0 if line.count == 0 else 1 + 5 * line.colour + (line.count - 1) for line in player.lines]
    wall = [0 if cell == EMPTY else 1 + cell for row in player.wall for cell in row]
    floor = [1 + tile for tile in player.floor] + [0] * (7 - len(player.floor))
    return [player.score, int(player.starts_next), *lines, *wall, *floor]


def numbers(position: Position, seat: int) -> list[int]:
    """The whole vector, written from AZ-70 and the parts alone."""
    factories = [sum(count * 5**t for t, count in enumerate(factory.counts)) for factory in position.factories]
    centre = sum(count * 21**t for t, count in enumerate(position.centre.counts))
    order = position.players[seat:] + position.players[:seat]
    flag = int(not position.centre.taken_from)
    return [*factories, centre, flag, *(number for player in order for number in board_numbers(player))]


# --- the vector ---------------------------------------------------------------------------


def test_az_51_a_vector_has_the_sources_then_the_own_board_then_the_others() -> None:
    game = started(players=3, seed=4)
    game.move(Move(game.factories[0].groups()[0].colour, 0, 4))
    for seat in range(3):
        vector = game.encode(seat)
        assert vector[:9].tolist() == game.encode_sources()
        for offset in range(3):
            part = vector[9 + 39 * offset : 9 + 39 * (offset + 1)]
            assert part.tolist() == board_numbers(game.players[(seat + offset) % 3])
    assert game.encode().tolist() == game.encode(game.current).tolist()
    with pytest.raises(IllegalOperation):
        game.encode(3)


def test_az_70_a_vector_written_out_by_hand() -> None:
    game = started(seed=8)
    vector = np.zeros(85, np.int64)
    vector[0] = 2 * 5**0 + 1 * 5**2 + 1 * 5**4  # two blue, one red, one white
    vector[5] = 3 * 21**1 + 18 * 21**4  # three yellow, eighteen white
    vector[7], vector[8] = 12, 1  # the observer's score; the observer has the marker
    vector[9], vector[12] = 1 + 5 * WHITE + 0, 1 + 5 * RED + 2  # line 0 has one white, line 3 three red
    vector[14 + 5 * 1 + 2] = 1 + YELLOW  # row 1, column 2
    vector[39], vector[40] = 6, 1 + BLACK  # the marker and a black tile on the floor
    vector[46] = 31
    position = Position.decode(vector)
    assert position.factories[0] == Factory((2, 0, 1, 0, 1))
    assert all(factory.empty for factory in position.factories[1:])
    assert position.centre == Centre((0, 3, 0, 0, 18), taken_from=True)
    me, other = position.players
    assert (me.score, me.starts_next, me.floor) == (12, True, (5, BLACK))
    assert me.line(0) == PatternLine(1, WHITE, 1)
    assert me.line(3) == PatternLine(4, RED, 3)
    assert [(r, c, cell) for r, row in enumerate(me.wall) for c, cell in enumerate(row) if cell != EMPTY] == [
        (1, 2, YELLOW)
    ]
    assert (other.score, other.starts_next, other.floor) == (31, False, ())
    assert position.encode(0).tolist() == vector.tolist()
    assert len(game.encode()) == 85


@pytest.mark.parametrize(("players", "expected"), [(2, 85), (3, 126), (4, 167)])
def test_az_70_length(players: int, expected: int) -> None:
    assert library.vector_length(players) == expected == len(started(players).encode())


@pytest.mark.parametrize(("players", "grey"), SETTINGS)
def test_az_70_encode_decode_encode_is_the_identity(players: int, grey: bool) -> None:
    seen = 0
    for seed in range(8 // players):
        for game in random_game(players, grey, seed):
            for seat in range(players):
                vector = game.encode(seat)
                decoded = Position.decode(vector, grey)
                assert vector.tolist() == numbers(game, seat)
                assert decoded.encode(0).tolist() == vector.tolist()
                assert numbers(decoded, 0) == vector.tolist()
                seen += 1
    assert seen > 500


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, 5**5),  # no such factory
        (0, 1 + 5 + 25 + 125 + 2 * 625),  # six tiles on a factory
        (5, 21**5),
        (6, 2),  # neither here nor gone
        (6, 0),  # the marker is nowhere
        (8, 1),  # the marker is in two places
        (7, -1),
        (9, 2),  # two tiles in a line of one
        (13, 26),
        (14, 6),
        (39, 7),
        (40, 1),  # a gap on the floor
    ],
)
def test_az_70_a_vector_that_is_no_position_is_refused(place: int, value: int) -> None:
    vector = started().encode()
    vector[place] = value
    with pytest.raises(IllegalOperation):
        library.decode(vector)


@pytest.mark.parametrize("wrong", [[], [0] * 84, [0.0] * 85, [[0] * 85]])
def test_az_70_a_vector_of_another_shape_is_refused(wrong: list[object]) -> None:
    with pytest.raises(IllegalOperation):
        library.decode(wrong)  # type: ignore[arg-type]


def test_az_69_both_encodings_are_provided() -> None:
    game = started(players=4)
    assert game.encode().dtype == np.int64
    assert game.features().dtype == np.float32
    assert len(game.features()) > len(game.encode())


@pytest.mark.parametrize(("players", "grey"), SETTINGS)
def test_az_71_features_lie_within_one_except_scores_and_rounds(players: int, grey: bool) -> None:
    blocks = GAME.spec.blocks(GAME.options({"players": players, "wall": "grey" if grey else "coloured"}))
    for game in random_game(players, grey, seed=9):
        seat = max(game.current, 0)
        features = game.features(seat)
        found = split(features, blocks)
        assert features.min() >= 0
        assert np.sum(features > 1) <= players + 1  # scores, and rounds to come
        assert np.allclose(found["factories"], [[count / 4 for count in factory.counts] for factory in game.factories])
        assert np.allclose(found["centre"], [count / 20 for count in game.centre.counts])
        assert found["table"][0] == float(not game.centre.taken_from)
        assert np.allclose(found["bag"], [count / 20 for count in game.bag.counts])
        assert np.allclose(found["lid"], [count / 20 for count in game.lid.counts])
        own = game.players[seat]
        assert found["walls"][0].sum() == sum(cell != EMPTY for row in own.wall for cell in row)


@pytest.mark.parametrize(("players", "expected"), [(2, 46), (3, 48), (4, 50)])
def test_az_72_a_switch_leaves_the_other_boards_out(players: int, expected: int) -> None:
    game = until(started(players, seed=2), Phase.PLACING)
    for seat in range(players):
        alone = game.encode(seat, others=False)
        assert len(alone) == expected == library.vector_length(players, others=False)
        assert alone.tolist() == game.encode(seat)[:expected].tolist()
        assert library.encode(library.decode(alone), 0, others=False).tolist() == alone.tolist()


# --- own part, next state -----------------------------------------------------------------


@pytest.mark.parametrize(("players", "grey"), SETTINGS)
def test_az_52_the_own_part_rebuilds_the_player(players: int, grey: bool) -> None:
    for game in random_game(players, grey, seed=6):
        for seat, player in enumerate(game.players):
            for others in (True, False):
                part = library.own_part(game.encode(seat, others))
                rebuilt = library.decode_player(part, grey, name=player.name)
                assert (rebuilt.name, rebuilt.score, rebuilt.starts_next) == (
                    player.name,
                    player.score,
                    player.starts_next,
                )
                assert (rebuilt.wall, rebuilt.lines, rebuilt.floor) == (player.wall, player.lines, player.floor)
                assert rebuilt.bonus == player.bonus
    with pytest.raises(IllegalOperation, match="39 numbers, not 38"):
        library.decode_player(part[:38])


@pytest.mark.parametrize(("players", "grey"), SETTINGS)
def test_az_53_next_state_agrees_with_the_game(players: int, grey: bool) -> None:
    """Every move made is also foretold by the vector alone, with and without the other boards, and on objects."""
    compared, emptied = 0, 0
    for seed in range(6):
        random = Random(seed)
        game = started(players, grey, seed, round_limit=20)
        while game.phase is not Phase.OVER:
            if game.phase is Phase.PLACING:
                columns = game.open_columns()
                game.tile(random.choice(columns) if len(columns) > 1 else None)
                continue
            seat, before, moves = game.current, game.encode(), game.valid_moves()
            for move in random.sample(moves, min(2, len(moves))):
                foretold = game.after(move)
                assert library.next_state(before, move).tolist() == numbers(foretold, seat)
                compared += 1
            alone, move = game.encode(others=False), random.choice(moves)
            copy = before.copy()
            after, after_alone = library.next_state(before, move), library.next_state(alone, move)
            assert before.tolist() == copy.tolist() == game.encode().tolist(), "nothing is touched"
            game.move(move)
            assert after.tolist() == game.encode(seat).tolist()
            assert after_alone.tolist() == game.encode(seat, others=False).tolist()
            compared += 1
            if game.phase is Phase.PLACING:
                assert not after[: len(game.factories) + 1].any()
                emptied += 1
    assert compared > 500
    assert emptied > 10


def test_az_53_an_illegal_move_has_no_next_state() -> None:
    game = started(seed=1)
    absent = next(colour for colour in range(5) if not game.factories[0].count(colour))
    with pytest.raises(IllegalOperation) as refused:
        library.next_state(game.encode(), Move(absent, 0, 5))
    assert refused.value.rules == ("AZ-15",)
    with pytest.raises(IllegalOperation):
        library.next_state(game.encode(), Move(BLUE, 9, 5))
    with pytest.raises(IllegalOperation):
        library.next_state(game.encode(), NO_MOVE)
    tiling = until(game, Phase.PLACING)
    with pytest.raises(IllegalOperation):
        library.next_state(tiling.encode(), Move(BLUE, 0, 5))


def test_az_53_a_position_after_a_move_is_another_object() -> None:
    game = started(seed=1)
    move = game.valid_moves()[0]
    before = game.encode()
    later = game.after(move)
    assert not isinstance(later, AzulGame)
    assert later.current == 1
    assert game.encode().tolist() == before.tolist()
    assert later.after(later.valid_moves()[-1]).current == 0
    with pytest.raises(IllegalOperation):
        later.after(Move(move.colour, move.source, 5))


# --- one factory, one line ----------------------------------------------------------------


def test_az_55_factories_and_lines_have_codes_that_decode() -> None:
    counts = [(a, b, c, d, e) for a in range(5) for b in range(5) for c in range(5) for d in range(5) for e in range(5)]
    factories = [Factory(each) for each in counts if sum(each) <= 4]
    assert len({library.encode_factory(factory) for factory in factories}) == len(factories)
    assert all(library.decode_factory(library.encode_factory(factory)) == factory for factory in factories)
    assert library.encode_factory(Factory((1, 0, 0, 2, 0))) == 1 + 2 * 125

    lines = [PatternLine(n, colour, k) for n in range(1, 6) for colour in range(5) for k in range(1, n + 1)]
    lines += [PatternLine(n) for n in range(1, 6)]
    assert all(library.decode_line(library.encode_line(line), line.capacity) == line for line in lines)
    assert library.encode_line(PatternLine(4)) == 0
    assert library.encode_line(PatternLine(4, RED, 3)) == 1 + 5 * 2 + 2

    for centre in (Centre((0, 0, 20, 0, 7), taken_from=True), Centre((0,) * 5)):
        assert library.decode_centre(*library.encode_centre(centre)) == centre
    with pytest.raises(IllegalOperation):
        library.decode_line(2, 1)


def test_az_55_the_sources_are_a_list_of_integers() -> None:
    game = started(players=3, seed=12)
    codes = game.encode_sources()
    assert codes == [library.encode_factory(factory) for factory in game.factories] + [0, 1]
    assert all(type(code) is int for code in codes)
    game.move(game.valid_moves()[0])
    assert game.encode_sources()[-2:] == list(library.encode_centre(game.centre))


# --- actions ------------------------------------------------------------------------------


def test_az_65_there_are_300_actions() -> None:
    assert library.ACTIONS == 10 * 5 * 6 == 300
    assert {len(started(players).action_mask()) for players in (2, 3, 4)} == {300}


def test_az_66_indices_both_ways() -> None:
    assert library.action_index(Move(colour=3, source=7, destination=2)) == 7 * 30 + 3 * 6 + 2
    assert [library.action_index(library.move_at(index)) for index in range(300)] == list(range(300))
    for wrong in (-1, 300, "1"):
        with pytest.raises(IllegalOperation):
            library.move_at(wrong)  # type: ignore[arg-type]
    with pytest.raises(IllegalOperation):
        library.action_index(NO_MOVE)
    for players, limit in ((2, 180), (3, 240), (4, 300)):
        masks = np.array([game.action_mask() for game in random_game(players, False, seed=3)])
        highest = np.flatnonzero(masks.any(axis=0)).max()
        assert limit - 30 <= highest < limit


@pytest.mark.parametrize(("players", "grey"), SETTINGS)
def test_az_67_the_mask_is_the_list_of_legal_moves(players: int, grey: bool) -> None:
    for game in random_game(players, grey, seed=13):
        mask = game.action_mask()
        assert mask.dtype == np.bool_
        listed = {library.action_index(move) for move in game.valid_moves()}
        assert listed == set(np.flatnonzero(mask).tolist())
        assert bool(listed) == (game.phase is Phase.TAKING)
        if game.phase is Phase.TAKING:
            me, sources = game.players[game.current], (*game.factories, game.centre)
            assert listed == {
                30 * source + 6 * colour + line
                for source, tiles in enumerate(sources)
                for colour in range(5)
                for line in range(6)
                if tiles.count(colour) and me.can_place(colour, line)
            }
