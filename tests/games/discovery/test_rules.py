"""The rules of CD-1 … CD-20, one test or more each."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.core.rng import CHANCE_STREAM, POLICY, generator
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.discovery import GAME
from ludens.games.discovery.state import (
    DRAWING,
    FIRST_FOLLOWER,
    FIRST_REGION,
    FOLLOWER,
    MAX_CELLS,
    NOTHING,
    PASS,
    PLACING,
)
from ludens.games.discovery.text import lookup
from tests.games.discovery.slow import KINDS, NAMES
from tests.games.discovery.table import Table, slow_map


def chances(table: Table) -> dict[str, float]:
    outcomes, weights = np.zeros(66, np.int64), np.zeros(66)
    n = kernels.chance_at(table.state, 0, outcomes, weights)
    return {NAMES[kind]: weight for kind, weight in zip(outcomes[:n].tolist(), weights[:n].tolist(), strict=True)}


def random_log(players: int, seed: int, **options: str) -> tuple[np.ndarray, np.ndarray]:
    state = record.blank(GAME.dtype)
    kernels.reset_at(state, 0, GAME.options({"players": players, **options}))
    legal, log = np.zeros(GAME.spec.actions, np.int64), np.zeros(4000, np.int64)
    length = kernels.random_game(state, generator(seed, CHANCE_STREAM), generator(seed, POLICY), legal, log)
    return log[:length].copy(), state


SEED_WITH_DISCARD = 118  # a random game in which a drawn tile fits nowhere


def test_cd_1_two_to_five_players() -> None:
    assert GAME.spec.players == (2, 3, 4, 5)
    for players in (1, 6):
        with pytest.raises(BadInput, match="2, 3, 4, 5 players"):
            GAME.options({"players": players})


def test_cd_3_the_start_tile_lies_at_the_origin_and_everybody_has_four_followers() -> None:
    table = Table(players=3)
    s = table.s
    assert (int(s.placed), NAMES[int(s.tile_kind[0])]) == (1, "D01")
    assert (int(s.tile_x[0]), int(s.tile_y[0]), int(s.tile_turns[0])) == (0, 0, 0)
    assert int(s.deck_left) == 83
    assert s.follower_count.tolist() == [0] * 5
    assert (s.follower == NOTHING).all()
    assert table.actor() == CHANCE


def test_cd_3_the_draw_is_uniform_over_the_83_other_tiles() -> None:
    expected = {name: (tile["count"] - tile["start"]) / 83 for name, tile in KINDS.items() if not tile["start"]}
    assert chances(Table()) == pytest.approx(expected)
    table = Table()
    table.turn("D03", 0, 1)
    assert chances(table)["D03"] == pytest.approx(2 / 82)


@pytest.mark.parametrize(
    ("players", "turns"), [(2, [42, 41]), (3, [28, 28, 27]), (4, [21, 21, 21, 20]), (5, [17, 17, 17, 16, 16])]
)
def test_cd_4_turns_per_seat(players: int, turns: list[int]) -> None:
    table = Table(players=players)
    log, _ = random_log(players, seed=1)
    taken = [0] * players
    for action in log.tolist():
        if table.s.phase == PLACING:
            taken[table.actor()] += 1
        table.apply(action)
    assert taken == turns
    assert len(log) == 3 * 83
    assert table.actor() == TERMINAL


def test_cd_7_a_turn_is_a_draw_a_tile_and_one_follower_action() -> None:
    table = Table(players=3)
    for seat in (0, 1, 2, 0):
        assert (table.actor(), int(table.s.phase)) == (CHANCE, DRAWING)
        table.apply(next(k for k, name in enumerate(NAMES) if name in chances(table)))
        assert (table.actor(), int(table.s.phase)) == (seat, PLACING)
        assert all(action < FIRST_REGION for action in table.legal())
        table.apply(table.legal()[0])
        assert (table.actor(), int(table.s.phase)) == (seat, FOLLOWER)
        assert all(action >= FIRST_REGION for action in table.legal())
        table.skip()


def test_cd_8_a_tile_goes_beside_the_map_where_all_terrains_agree() -> None:
    table = Table()
    table.draw("D64")  # grassland on all sides: only north of the start tile
    assert [(lookup.cells(table.s)[a // 4], a % 4) for a in table.legal()] == [((0, 1), 0)]
    table = Table()
    table.draw("D03")  # grassland N, S, W and mountains E
    found = {(lookup.cells(table.s)[a // 4], a % 4) for a in table.legal()}
    assert found == {((0, 1), 0), ((0, 1), 2), ((0, 1), 3), ((1, 0), 2), ((-1, 0), 0)}


def test_cd_8_a_cell_between_tiles_asks_on_all_its_sides() -> None:
    table = Table()
    table.turn("D06", 1, 0)  # mountains S, W; grassland N, E
    table.turn("D03", 0, 1)  # mountains E
    table.draw("D05")  # mountains E, S; grassland N and W
    assert (1, 1) in lookup.cells(table.s)
    there = [a % 4 for a in table.legal() if lookup.cells(table.s)[a // 4] == (1, 1)]
    assert there == [2]  # mountains W and N: the south asks for grassland, the west for mountains


def discard_position(**options: str) -> tuple[Table, int]:
    """The table before the draw of a tile that fits nowhere, and that tile."""
    log, _ = random_log(2, SEED_WITH_DISCARD)
    table = Table(**options)
    for action in log.tolist():
        if table.s.phase == DRAWING and not slow_map(table.state).placements(NAMES[action]):
            return table, action
        table.apply(action)
    raise AssertionError("no tile was unplaceable")


def test_cd_9_an_unplaceable_tile_leaves_the_game_and_another_is_drawn() -> None:
    table, kind = discard_position()
    seat, left = int(table.s.current), int(table.s.deck_left)
    table.apply(kind)
    assert table.actor() == CHANCE
    assert (int(table.s.current), int(table.s.deck_left)) == (seat, left - 1)
    assert int(table.s.aside[kind]) == 1
    while table.actor() == CHANCE:
        table.apply(NAMES.index(next(iter(chances(table)))))
    assert table.actor() == seat
    assert int(table.s.aside[kind]) == 1


def test_cd_9_option_the_unplaceable_tile_returns_into_the_deck() -> None:
    table, kind = discard_position(unplaceable_tile="return")
    seat, left, copies = int(table.s.current), int(table.s.deck_left), int(table.s.deck[kind])
    table.apply(kind)
    assert table.actor() == CHANCE
    assert int(table.s.deck[kind]) == copies - 1, "not drawn again in the same turn"
    while table.actor() == CHANCE:
        table.apply(NAMES.index(next(iter(chances(table)))))
    assert table.actor() == seat
    assert int(table.s.deck[kind]) == copies
    assert int(table.s.deck_left) == left - 1
    assert not table.s.aside.any()


@pytest.mark.parametrize("unplaceable", ["discard", "return"])
def test_cd_9_the_game_ends_when_no_remaining_tile_can_be_placed(unplaceable: str) -> None:
    table, kind = discard_position(unplaceable_tile=unplaceable)
    table.empty_deck([NAMES[kind]])
    expected = list(table.scores())
    for seat, _, piece in lookup.followers(table.s):
        expected[seat] += lookup.region_at(table.s, piece).final_points
    table.apply(kind)
    assert table.actor() == TERMINAL
    assert table.scores() == expected


def test_cd_9_the_last_tile_of_the_deck_is_drawn_after_one_that_fits_nowhere() -> None:
    table, kind = discard_position()
    seat = int(table.s.current)
    table.empty_deck([NAMES[kind], "D64"])  # D64: grassland all over
    table.apply(kind)
    assert (table.actor(), int(table.s.deck_left)) == (CHANCE, 1)
    table.apply(NAMES.index("D64"))
    assert table.actor() == seat


def test_cd_10_a_follower_goes_on_an_unoccupied_region_of_the_placed_tile() -> None:
    table = Table()
    table.draw("D03")
    table.place(0, 1)
    assert table.legal() == [FIRST_REGION, FIRST_REGION + 1, PASS]
    table.follower(0)
    assert table.region(0, 0, 1).followers == (0,), "the grassland of the start tile is the same region"
    table.draw("D03")
    table.place(0, 2)
    assert table.legal() == [FIRST_REGION + 1, PASS], "occupied by seat 0: nobody may join, not even from another tile"


def test_cd_10_nobody_joins_the_own_region_either() -> None:
    table = Table()
    table.turn("D03", 0, 1, follower=0)
    table.turn("D10", 1, 0)
    table.draw("D03")
    table.place(0, 2)
    assert FIRST_REGION not in table.legal()


def test_cd_10_the_region_may_be_closed() -> None:
    table = Table()
    table.turn("D10", 1, 0)
    table.draw("D10")
    table.place(2, 0, 2)  # the two grasslands close each other
    assert table.region(2, 0, 1).closed
    table.follower(1)
    assert table.region(2, 0, 1).followers == (0 if int(table.s.current) == 1 else 1,)


def test_cd_10_followers_are_removed_from_any_tile_and_placed_again() -> None:
    table = Table()
    table.turn("D03", 0, 1, follower=0)  # seat 0 on the grassland
    table.turn("D10", 1, 0)
    table.draw("D03")
    table.place(0, 2)
    assert FIRST_FOLLOWER in table.legal()
    assert FIRST_FOLLOWER + 1 not in table.legal()
    table.remove(0)
    assert table.scores() == [3, 0]  # start tile and two more
    assert int(table.s.follower_count[0]) == 0
    table.turn("D10", 2, 0, 2)
    table.draw("D03")
    table.place(0, 3)
    table.follower(0)
    assert table.region(0, 1, 0).followers == (0,)


def test_cd_10_four_followers_at_most_and_pass_is_always_allowed() -> None:
    for seed in range(10):
        table = Table(players=2)
        log, _ = random_log(2, seed)
        for action in log.tolist():
            if table.s.phase == FOLLOWER:
                legal, seat = table.legal(), int(table.s.current)
                placed = int(table.s.follower_count[seat])
                assert legal[-1] == PASS
                assert [a for a in legal if FIRST_FOLLOWER <= a < PASS] == [FIRST_FOLLOWER + k for k in range(placed)]
                if placed == 4:
                    assert not any(a < FIRST_FOLLOWER for a in legal)
            table.apply(action)


def test_cd_10_joined_segments_are_one_action() -> None:
    table = Table()
    for name, x, y in (("D66", 1, 0), ("D10", 2, 0), ("D10", 2, -1)):
        table.turn(name, x, y)
    table.draw("D04")
    table.place(1, -1)  # its two mountain segments meet around the corner
    assert int(table.s.piece_region[table.s.pieces - 1]) == int(table.s.piece_region[table.s.pieces - 2])
    assert table.legal() == [FIRST_REGION, FIRST_REGION + 1, PASS]


def test_cd_11_followers_of_united_regions_stay_and_score_separately() -> None:
    table = two_occupied_grasslands()
    table.turn("D06", 2, 0, 3)
    table.turn("D34", 2, 1)
    region = table.region(1, 0, 1)
    assert region.followers == (0, 1)
    assert (region.size, region.closed, region.points) == (4, True, 8)
    assert [int(n) for n in table.s.follower_count[:2]] == [1, 1], "closing removes nobody"
    table.draw("D03")
    table.place(0, 1)
    table.remove(0)
    table.draw("D03")
    table.place(0, 2)
    table.remove(0)
    assert table.scores() == [8, 8]


def two_occupied_grasslands() -> Table:
    table = Table()
    table.turn("D10", 1, 0, follower=1)
    table.turn("D10", 1, 1, follower=1)
    return table


def test_cd_12_final_scoring_when_the_deck_is_empty() -> None:
    table = two_occupied_grasslands()
    table.empty_deck(["D03"])
    table.draw("D03")
    assert table.actor() == 0, "the last tile is still played"
    table.place(0, 1)
    table.follower(0)
    assert table.actor() == TERMINAL
    assert table.scores() == [1 + 2, 1]
    assert not table.s.follower_count.any()
    returns = np.zeros(2)
    kernels.returns_at(table.state, 0, returns)
    assert returns.tolist() == [1, -1]


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ((9, 9), (0, 0)),
        ((9, 9, 3), (0.25, 0.25, -0.5)),
        ((9, 3, 3), (1, -0.5, -0.5)),
        ((1, 2, 2, 2), (-1 / 3, 1 / 9, 1 / 9, 1 / 9)),
    ],
)
def test_cd_12_equal_top_scores_are_a_draw(points: tuple[int, ...], expected: tuple[float, ...]) -> None:
    players = len(points)
    table = Table(players=players)
    table.turn("D03", 0, 1)
    table.empty_deck(["D03"])
    table.draw("D03")
    table.place(0, 2)
    table.state["score"][0, :players] = points
    table.skip()
    returns = np.zeros(players)
    kernels.returns_at(table.state, 0, returns)
    assert returns == pytest.approx(expected)


def test_cd_13_deck_board_and_coordinates() -> None:
    table = Table()
    table.turn("D03", 0, 1)
    table.draw("D10")
    assert int(table.s.deck[NAMES.index("D03")]) == 2
    assert int(table.s.deck[NAMES.index("D10")]) == 2, "the tile in hand is no longer in the deck"
    assert int(table.s.deck_left) == 81
    table.place(1, 0)
    assert [(int(table.s.tile_x[t]), int(table.s.tile_y[t])) for t in range(3)] == [(0, 0), (0, 1), (1, 0)]


def test_cd_14_size_counts_distinct_tiles() -> None:
    table = Table()
    for name, x, y in (("D66", 1, 0), ("D10", 2, 0), ("D10", 2, -1), ("D04", 1, -1)):
        table.turn(name, x, y)
    region = table.region(1, -1, 1)
    assert region.number == table.region(1, -1, 2).number == table.region(0, 0, 0).number
    assert len(region.pieces) == 6
    assert region.size == 5


def test_cd_15_a_region_closes_when_nothing_faces_an_empty_cell() -> None:
    table = Table()
    table.turn("D10", 1, 0)
    assert table.region(1, 0, 1).open_ends == 1
    table.turn("D10", 2, 0, 2)
    assert table.region(1, 0, 1).closed
    assert not table.region(1, 0, 0).closed


def test_cd_15_a_region_closed_by_joining_itself() -> None:
    table = Table()
    table.turn("D06", 1, 0)
    table.turn("D06", 2, 0, 3)
    table.turn("D34", 1, 1, 3)
    before = table.region(1, 0, 1)
    assert (before.size, before.open_ends) == (3, 2), "both ends look into the same cell"
    table.turn("D35", 2, 1, 2)
    after = table.region(1, 0, 1)
    assert (after.size, after.closed) == (4, True)


def test_cd_15_the_lake_is_closed_from_the_beginning() -> None:
    table = Table()
    table.draw("D63")
    table.place(0, 1)
    assert (table.region(0, 1, 0).closed, table.region(0, 1, 0).size) == (True, 1)
    table.follower(0)
    assert table.region(0, 1, 0).followers == (0,)


def test_cd_16_open_coordinates_are_the_cells_faced() -> None:
    table = Table()
    table.turn("D06", 1, 0)
    table.turn("D06", 2, 0, 3)
    table.turn("D34", 1, 1, 3)
    slow = next(r for r in slow_map(table.state).regions() if ((1, 0), 1) in r.segments)
    assert set(slow.faces) == {(2, 1)}
    cell = lookup.cell_index(table.s, 2, 1)
    assert cell is not None
    assert lookup.fitting_turns(table.s, NAMES.index("D35"), cell) == [2]


def test_cd_17_occupied_regions() -> None:
    table = two_occupied_grasslands()
    assert int(table.s.region_followers[table.region(1, 0, 1).number]) == 1
    assert int(table.s.region_followers[table.region(1, 0, 0).number]) == 0


def test_cd_18_the_score_of_a_follower_is_what_removing_it_gives() -> None:
    for seed in range(20):
        table = Table(players=4)
        log, _ = random_log(4, seed)
        for action in log.tolist():
            if table.s.phase == FOLLOWER and FIRST_FOLLOWER <= action < PASS:
                seat = int(table.s.current)
                piece = int(table.s.follower[seat, action - FIRST_FOLLOWER])
                promised = lookup.region_at(table.s, piece).points
                before, others = table.scores()[seat], table.scores()
                if table.s.deck_left == 0:
                    break
                table.apply(action)
                assert table.scores()[seat] == before + promised
                assert [p for q, p in enumerate(table.scores()) if q != seat] == [
                    p for q, p in enumerate(others) if q != seat
                ]
            else:
                table.apply(action)


def test_cd_19_a_move_is_a_tile_move_and_a_follower_move() -> None:
    match = Match(GAME, {"players": 2}, seed=5)
    first = match.actor
    match.play(int(match.legal()[0]))
    assert match.actor == first
    match.play("pass")
    assert match.actor != first


def test_cd_20_the_record_is_the_whole_state_and_small() -> None:
    assert GAME.dtype.itemsize <= 8192
    names = set(GAME.dtype.names or ())
    assert {"tile_kind", "deck", "follower", "score", "phase", "current", "hand"} <= names
    log, state = random_log(5, seed=3)
    again = record.blank(GAME.dtype)
    kernels.reset_at(again, 0, GAME.options({"players": 5}))
    for action in log.tolist():
        kernels.apply_at(again, 0, action)
    assert again.tobytes() == state.tobytes()


def test_the_frontier_never_exceeds_its_room() -> None:
    """A straight row has the most empty neighbours, two a tile and two at the ends; the record holds them all."""
    table = Table()
    length = 1
    for x in itertools.count(1):
        for kind in range(len(NAMES)):
            if table.s.deck[kind]:
                cell = lookup.cell_index(table.s, x, 0)
                assert cell is not None
                turns = lookup.fitting_turns(table.s, kind, cell)
                if turns:
                    table.turn(NAMES[kind], x, 0, turns[0])
                    length += 1
                    break
        else:
            break
        assert int(table.s.cells) == 2 * length + 2 <= MAX_CELLS
    assert length > 60
