"""The longest road against a slow exhaustive search on random boards (CA-16)."""

from __future__ import annotations

import random

import pytest

from ludens.games.catan.rules import island
from ludens.games.catan.state import EDGES, VERTICES
from tests.games.catan.table import Table


def slow_longest(edges: set[int], stops: set[int]) -> int:
    """The longest trail by trying every walk; vertices in `stops` may only be ends."""

    def walk(vertex: int, left: frozenset[int], first: bool) -> int:
        if vertex in stops and not first:
            return 0
        best = 0
        for e in island.VERTEX_EDGES[vertex]:
            if int(e) in left:
                other = int(island.EDGE_VERTICES[e].sum()) - vertex
                best = max(best, 1 + walk(other, left - {int(e)}, False))
        return best

    return max((walk(v, frozenset(edges), True) for v in range(VERTICES)), default=0)


def random_roads(rng: random.Random, count: int) -> list[int]:
    """A connected set of edges, grown at random, dense enough to have cycles."""
    edges = [rng.randrange(EDGES)]
    while len(edges) < count:
        near = {int(e) for x in edges for v in island.EDGE_VERTICES[x] for e in island.VERTEX_EDGES[v] if e >= 0} - set(
            edges
        )
        inner = [
            e
            for e in near
            if all(any(int(f) in edges for f in island.VERTEX_EDGES[v]) for v in island.EDGE_VERTICES[e])
        ]
        edges.append(rng.choice(inner if inner and rng.random() < 0.5 else sorted(near)))
    return edges


@pytest.mark.parametrize("seed", range(60))
def test_ca_16_the_longest_road_equals_an_exhaustive_search(seed: int) -> None:
    rng = random.Random(seed)
    roads = random_roads(rng, rng.randint(3, 15))
    table = Table().road(0, *roads)
    assert table.s.road_length[0] == slow_longest(set(roads), set())
    touched = sorted({int(v) for e in roads for v in island.EDGE_VERTICES[e]})
    stops: set[int] = set()
    for vertex in rng.sample(touched, len(touched)):
        if int(table.s.open_sites) >> vertex & 1 and len(stops) < 3:
            stops.add(vertex)
            table.settle(1, vertex)
            assert table.s.road_length[0] == slow_longest(set(roads), stops)
    free = {int(e) for v in touched if v not in stops for e in island.VERTEX_EDGES[v] if e >= 0 and table.s.road[e] < 0}
    table.cards(0, brick=1, lumber=1)
    expected = sorted(free) if table.s.roads_left[0] else []
    assert [int(w.split()[1]) for w in table.words() if w.startswith("road ")] == expected


@pytest.mark.parametrize("stop", [None, 0, 3])
def test_ca_16_a_ring_without_ends_counts_beside_another_road(stop: int | None) -> None:
    table = Table().road_round(0, 9).road_round(0, 0, sides=4)
    if stop is not None:  # a settlement of an opponent on the ring is where the trail begins and ends
        table.settle(1, int(island.HEX_VERTICES[9][stop]))
    assert table.s.road_length[0] == 6


def test_ca_16_a_ring_is_one_road_with_the_roads_at_it() -> None:
    table = Table().road_round(0, 9)
    corner = int(island.HEX_VERTICES[9][0])
    out = next(int(e) for e in island.VERTEX_EDGES[corner] if e not in island.HEX_EDGES[9])
    assert table.road(0, out).s.road_length[0] == 7
