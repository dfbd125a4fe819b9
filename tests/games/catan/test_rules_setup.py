"""The island, its set-up and the first placement: CA-1 … CA-7."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ludens.core import kernels, record
from ludens.core.errors import BadInput
from ludens.core.rng import CHANCE_STREAM, generator, next_event
from ludens.core.verbs import CHANCE
from ludens.games.catan import GAME, phases
from ludens.games.catan.rules import island
from ludens.games.catan.state import EDGES, VERTICES
from tests.games.catan.table import Table

COASTAL_EDGES = np.flatnonzero(np.bincount(island.HEX_EDGES.ravel()) == 1)


def laid(seed: int, **options: object) -> np.ndarray:
    """A board after its chance events."""
    state = record.blank(GAME.dtype)
    kernels.reset_at(state, 0, GAME.options(options))
    rng = generator(seed, CHANCE_STREAM)
    while kernels.actor_at(state, 0) == CHANCE:
        kernels.apply_at(state, 0, kernels.draw_at(state, 0, rng))
        next_event(rng)
    return state


def test_ca_1_the_island_has_19_hexes_54_vertices_72_edges_30_of_them_coastal() -> None:
    assert island.HEX_VERTICES.shape == (19, 6)
    assert len(np.unique(island.HEX_VERTICES)) == VERTICES == 54
    assert len({tuple(pair) for pair in island.EDGE_VERTICES.tolist()}) == EDGES == 72
    assert len(COASTAL_EDGES) == 30
    rows = [int((island.HEX_AXIAL[:, 1] == r).sum()) for r in range(-2, 3)]
    assert rows == [3, 4, 5, 4, 3]
    assert sorted(np.bincount(island.EDGE_VERTICES.ravel()).tolist()) == [2] * 18 + [3] * 36
    for v in range(54):
        for slot, e in enumerate(island.VERTEX_EDGES[v]):
            if e >= 0:
                n = island.VERTEX_NEIGHBOURS[v, slot]
                assert sorted((v, int(n))) == sorted(island.EDGE_VERTICES[e].tolist())
                assert island.VERTEX_EDGES[n, island.BACK_SLOT[v, slot]] == e


def test_ca_2_terrain_tokens_and_the_robber_on_the_desert() -> None:
    for state in (laid(0), laid(1, board="variable"), laid(2, board="variable", tokens="random")):
        s = state[0]
        assert np.bincount(s.terrain).tolist() == [3, 4, 4, 4, 3, 1]
        numbers = sorted(int(n) for n in s.number if n)
        assert numbers == sorted([2, 12, *(2 * [3, 4, 5, 6, 8, 9, 10, 11])])
        assert s.terrain[s.robber] == 5
        assert s.number[s.robber] == 0


def test_ca_3_nine_harbours_on_coastal_edges_with_gaps_3_4_3() -> None:
    assert island.HARBOUR_SIDES == (
        (0, "NW"), (1, "NE"), (6, "NE"), (11, "E"), (15, "SE"), (17, "SE"), (16, "SW"), (12, "W"), (3, "W")
    )  # fmt: skip
    assert set(island.HARBOUR_EDGES.tolist()) <= set(COASTAL_EDGES.tolist())
    assert np.count_nonzero(island.HARBOUR_OF_VERTEX >= 0) == 18
    coast = coast_in_order()
    places = sorted(coast.index(int(e)) for e in island.HARBOUR_EDGES)
    gaps = [(b - a) % 30 for a, b in zip(places, places[1:] + places[:1], strict=True)]
    start = gaps.index(4) - 1
    assert (gaps[start:] + gaps[:start]) == [3, 4, 3] * 3
    for state in (laid(0), laid(3, board="variable")):
        assert sorted(state[0].harbour.tolist()) == [0, 1, 2, 3, 4, 5, 5, 5, 5]


def coast_in_order() -> list[int]:
    """The coastal edges one after another round the island."""
    coastal = {int(e) for e in COASTAL_EDGES}
    edge = min(coastal)
    vertex, order = int(island.EDGE_VERTICES[edge][1]), [edge]
    while len(order) < 30:
        edge = next(int(e) for e in island.VERTEX_EDGES[vertex] if int(e) in coastal and int(e) not in order)
        vertex = int(island.EDGE_VERTICES[edge].sum()) - vertex
        order.append(edge)
    return order


def test_ca_4_the_dice_have_36_equal_outcomes() -> None:
    table = Table(rolled=False).do("roll")
    assert table.s.phase == phases.DICE
    outcomes, weights = np.zeros(36, np.int64), np.zeros(36)
    assert kernels.chance_at(table.states, 0, outcomes, weights) == 36
    totals = np.bincount(outcomes // 6 + outcomes % 6 + 2, weights, 13)
    for n in range(2, 13):
        assert totals[n] == pytest.approx((6 - abs(7 - n)) / 36)
    rng = generator(1, CHANCE_STREAM)
    drawn = np.bincount([kernels.draw_at(table.states, 0, rng) for _ in range(7200)], minlength=36)
    assert stats.chisquare(drawn).pvalue > 1e-4


def test_ca_5_the_beginner_board() -> None:
    s = laid(0)[0]
    words = (
        "ore wool lumber grain brick wool brick grain lumber desert lumber ore lumber ore grain wool brick grain wool"
    )
    names = ["brick", "lumber", "wool", "grain", "ore", "desert"]
    assert [names[t] for t in s.terrain] == words.split()
    assert s.number.tolist() == [10, 2, 9, 12, 6, 4, 10, 9, 11, 0, 3, 8, 8, 3, 4, 5, 5, 6, 11]
    harbours = ["any", "grain", "ore", "any", "wool", "any", "any", "brick", "lumber"]
    assert [(*names[:5], "any")[k] for k in s.harbour] == harbours


def test_ca_82_the_wool_harbour_of_the_beginner_board_touches_hexes_15_and_18() -> None:
    slot = island.BEGINNER_HARBOURS.tolist().index(2)
    ends = island.EDGE_VERTICES[island.HARBOUR_EDGES[slot]]
    assert {15, 18} <= {int(h) for v in ends for h in island.VERTEX_HEXES[v]}


def red_neighbours(s: object) -> bool:
    red = [h for h in range(19) if s.number[h] in (6, 8)]  # type: ignore[attr-defined]
    return any(n in red for h in red for n in island.HEX_NEIGHBOURS[h])


@pytest.mark.parametrize("tokens", ["spiral", "random"])
def test_ca_6_a_thousand_variable_boards_without_neighbouring_6_and_8(tokens: str) -> None:
    boards = set()
    for seed in range(1000 if tokens == "spiral" else 200):
        s = laid(seed, board="variable", tokens=tokens)[0]
        assert s.phase == phases.PLACE_SETTLEMENT
        assert not red_neighbours(s)
        boards.add(s.terrain.tobytes() + s.number.tobytes() + s.harbour.tobytes())
    assert len(boards) == (1000 if tokens == "spiral" else 200)


def test_ca_6_tokens_follow_the_spiral_and_skip_the_desert() -> None:
    order = [5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11]
    starts = set()
    for seed in range(40):
        s = laid(seed, board="variable")[0]
        rows = [[int(s.number[h]) for h in spiral if s.terrain[h] != 5] for spiral in island.SPIRALS]
        assert order in rows
        starts.add(rows.index(order))
    assert starts == set(range(6))
    assert sorted(int(path[0]) for path in island.SPIRALS) == [0, 2, 7, 11, 16, 18]
    assert all(path[-1] == 9 for path in island.SPIRALS)


def test_ca_6_random_tokens_are_uniform_over_the_allowed_layouts() -> None:
    """The first red token weighs a hex by the layouts that put a 6 there, counted by brute force."""
    state = record.blank(GAME.dtype)
    kernels.reset_at(state, 0, GAME.options({"board": "variable", "tokens": "random"}))
    rng = generator(5, CHANCE_STREAM)
    for _ in range(19):
        kernels.apply_at(state, 0, kernels.draw_at(state, 0, rng))
    desert = int(state[0].robber)
    free = [h for h in range(19) if h != desert]
    near = {h: {int(n) for n in island.HEX_NEIGHBOURS[h]} for h in free}
    ways = np.zeros(19)
    for a in free:
        for b in (h for h in free if h != a and h not in near[a]):
            third = [h for h in free if h not in (a, b) and h not in near[a] | near[b]]
            for c in third:
                ways[a] += sum(d != c and d not in near[c] for d in third)
    outcomes, weights = np.zeros(36, np.int64), np.zeros(36)
    n = int(kernels.chance_at(state, 0, outcomes, weights))
    assert weights[:n] == pytest.approx(ways[outcomes[:n]] / ways.sum())


def test_ca_6_the_beginner_board_has_no_random_tokens() -> None:
    with pytest.raises(BadInput, match="tokens"):
        GAME.options({"tokens": "random"})


def test_ca_7_placement_runs_forth_and_back_and_the_second_settlement_yields_cards() -> None:
    table = Table(placed=False, players=3)
    order, seen = [], []
    for _ in range(6):
        order.append(table.actor)
        settlement = table.words()[0]
        vertex = int(settlement.split()[1])
        table.do(settlement)
        assert table.phase == "first roads"
        roads = [int(word.split()[1]) for word in table.words()]
        assert roads == [e for e in island.VERTEX_EDGES[vertex] if e >= 0]
        assert not table.may(settlement)
        table.do(f"road {roads[0]}")
        seen.append((order[-1], vertex))
    assert order == [0, 1, 2, 2, 1, 0]
    for p, vertex in seen[3:]:
        produced = [table.s.terrain[h] for h in island.VERTEX_HEXES[vertex] if h >= 0 and table.s.terrain[h] != 5]
        assert int(table.s.count[p]) == len(produced)
        for r in range(5):
            assert table.s.hand[p, r] == produced.count(r)
    assert table.actor == 0
    assert table.phase == "before the roll"
    assert table.s.turn_number == 1


def test_ca_7_the_distance_rule_holds_at_placement() -> None:
    table = Table(placed=False)
    table.do("settlement 20", f"road {island.VERTEX_EDGES[20, 0]}")
    for v in (20, *island.VERTEX_NEIGHBOURS[20]):
        assert v < 0 or not table.may(f"settlement {v}")
    assert "CA-14" in table.refusal("settlement 20")
    assert "CA-7" in table.refusal("roll")


def test_ca_22_the_class_of_the_game_is_in_its_metadata() -> None:
    spec = GAME.spec
    assert (spec.chance, spec.hidden, spec.players) == (True, True, (2, 3, 4))
    assert len(set(spec.sides(4))) == 4
    assert GAME.text.static_to_json(GAME.dtype)["hexes"][9]["q"] == 0
