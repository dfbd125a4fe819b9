"""Catan: where roads may go, and the longest of them (CA-14, CA-16)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.games.catan.rules import island
from ludens.games.catan.rules.island import lowest
from ludens.games.catan.state import LONGEST_ROAD_MINIMUM, MAX_PLAYERS, NOBODY, Catan

__all__ = [
    "award_longest_road",
    "beyond",
    "free_ways",
    "interrupt_roads",
    "lay_road",
    "longest_road",
    "opponent_at",
    "sites_in_reach",
]


@rule
def opponent_at(s: Catan, p: int, vertex: int) -> bool:
    """Does a building of somebody other than p stand here?"""
    building = int(s.building[vertex])
    return building != NOBODY and building % MAX_PLAYERS != p


@rule
def beyond(s: Catan, p: int, edge: int) -> tuple[int, int]:
    """The free sites that player p would reach by a road here, and those one road further, as bit sets."""
    near, far = 0, 0
    for end in range(2):
        vertex = island.EDGE_VERTICES[edge, end]
        if not int(s.touched[p]) >> vertex & 1 and not opponent_at(s, p, vertex):
            near |= 1 << vertex
            far |= free_ways(s, vertex)
    return near & int(s.open_sites), far & int(s.open_sites)


@rule
def free_ways(s: Catan, vertex: int) -> int:
    """The vertices that a road from this one would reach."""
    found = 0
    for k in range(3):
        if island.VERTEX_NEIGHBOURS[vertex, k] >= 0 and s.road[island.VERTEX_EDGES[vertex, k]] == NOBODY:
            found |= 1 << island.VERTEX_NEIGHBOURS[vertex, k]
    return found


@rule
def sites_in_reach(s: Catan, p: int) -> tuple[int, int, int]:
    """The free sites that player p can reach at once, with one road and with two, as bit sets."""
    near, far = 0, 0
    if s.roads_left[p] > 0:
        for word in range(2):
            edges = int(s.open_roads[p, word])
            while edges != 0:
                one, two = beyond(s, p, lowest(edges) + 36 * word)
                edges &= edges - 1
                near |= one
                far |= two
    return int(s.open_sites) & int(s.touched[p]), near, far & ~int(s.touched[p])


@rule
def lay_road(s: Catan, p: int, edge: int) -> None:
    """Puts a road of player p on a free edge and opens the ways on; measures it and awards the card."""
    word, bit = island.EDGE_WORD[edge], island.EDGE_BIT[edge]
    s.road[edge] = p
    s.roads_left[p] -= 1
    s.roads[p, word] |= bit
    taken_low, taken_high = _taken(s, 0), _taken(s, 1)
    for end in range(2):
        vertex = island.EDGE_VERTICES[edge, end]
        s.touched[p] |= 1 << vertex
        if not opponent_at(s, p, vertex):
            s.open_roads[p, 0] |= island.INCIDENT[vertex, 0]
            s.open_roads[p, 1] |= island.INCIDENT[vertex, 1]
    for q in range(s.players):
        s.open_roads[q, 0] &= ~taken_low
        s.open_roads[q, 1] &= ~taken_high
    s.road_length[p] = longest_road(s, p)
    award_longest_road(s)


@rule
def _taken(s: Catan, word: int) -> int:
    """The edges with a road, as one word."""
    taken = 0
    for p in range(s.players):
        taken |= int(s.roads[p, word])
    return taken


@rule
def interrupt_roads(s: Catan, p: int, vertex: int) -> None:
    """A new settlement of player p stops the roads of others that pass through its vertex."""
    broken = False
    for q in range(s.players):
        if q != p and int(s.touched[q]) >> vertex & 1:
            _reopen_roads(s, q)
            s.road_length[q] = longest_road(s, q)
            broken = True
    if broken:
        award_longest_road(s)


@rule
def _reopen_roads(s: Catan, p: int) -> None:
    """Recomputes where player p may build roads."""
    low, high = 0, 0
    vertices = int(s.touched[p])
    while vertices != 0:
        vertex = lowest(vertices)
        vertices &= vertices - 1
        if not opponent_at(s, p, vertex):
            low |= island.INCIDENT[vertex, 0]
            high |= island.INCIDENT[vertex, 1]
    s.open_roads[p, 0] = low & ~_taken(s, 0)
    s.open_roads[p, 1] = high & ~_taken(s, 1)


@rule
def longest_road(s: Catan, p: int) -> int:
    """The number of edges of player p's longest trail that passes no building of others."""
    best, seen = 0, 0
    starts = _starts(s, p)
    while starts != 0:
        length, reached = _longest_from(s, p, lowest(starts))
        best = max(best, length)
        seen |= reached
        starts &= starts - 1
    rings = int(s.touched[p]) & ~seen
    while rings != 0:  # roads that close a circle and have no end
        length, reached = _longest_from(s, p, lowest(rings))
        best = max(best, length)
        rings &= ~reached
    return best


@rule
def _starts(s: Catan, p: int) -> int:
    """Vertices of which one begins a longest trail, unless that is a ring without branches.

    A trail that cannot be continued has used all edges of its last vertex. It entered that vertex once more than
    it left it, so their number is odd; a closed one could go on at any branch. Hence a longest trail joins two
    different vertices with an odd number of roads, or ends where others have built. One of the former may be left
    out: the trail begins at its other end.
    """
    odd = 0
    for word in range(2):
        edges = int(s.roads[p, word])
        while edges != 0:
            edge = lowest(edges) + 36 * word
            edges &= edges - 1
            odd ^= 1 << island.EDGE_VERTICES[edge, 0] ^ 1 << island.EDGE_VERTICES[edge, 1]
    others = 0
    for q in range(s.players):
        if q != p:
            others |= int(s.settlements[q]) | int(s.cities[q])
    odd &= ~others
    return odd & (odd - 1) | others & int(s.touched[p])


@rule
def _longest_from(s: Catan, p: int, start: int) -> tuple[int, int]:
    """The longest trail from a vertex, and all vertices that trails from it reach; walks all of them, depth first.

    The way back is a stack of slots, two bits each: at every vertex the slot of the edge by which
    it was reached. `low` and `high` are the edges not yet walked.
    """
    low, high = int(s.roads[p, 0]), int(s.roads[p, 1])
    best, depth, way_back = 0, 0, 0
    vertex, slot = start, 0
    reached = 1 << start
    while True:
        edge = -1
        while slot < 3:
            candidate = island.VERTEX_EDGES[vertex, slot]
            if candidate >= 0:
                word = low if candidate < 36 else high
                if word & island.EDGE_BIT[candidate]:
                    edge = candidate
                    break
            slot += 1
        if edge >= 0:
            if edge < 36:
                low ^= island.EDGE_BIT[edge]
            else:
                high ^= island.EDGE_BIT[edge]
            way_back = way_back << 2 | island.BACK_SLOT[vertex, slot]
            vertex = island.VERTEX_NEIGHBOURS[vertex, slot]
            depth += 1
            best = max(best, depth)
            reached |= 1 << vertex
            slot = 3 if opponent_at(s, p, vertex) else 0
        elif depth == 0:
            return best, reached
        else:
            back = way_back & 3
            way_back >>= 2
            depth -= 1
            walked = island.VERTEX_EDGES[vertex, back]
            if walked < 36:
                low |= island.EDGE_BIT[walked]
            else:
                high |= island.EDGE_BIT[walked]
            slot = island.BACK_SLOT[vertex, back] + 1
            vertex = island.VERTEX_NEIGHBOURS[vertex, back]


@rule
def award_longest_road(s: Catan) -> None:
    """The card goes to the only longest road of at least 5; a holder who ties with it keeps it (CA-16)."""
    best = 0
    for p in range(s.players):
        best = max(best, int(s.road_length[p]))
    holder = int(s.road_holder)
    if best < LONGEST_ROAD_MINIMUM:
        new = NOBODY
    elif holder != NOBODY and s.road_length[holder] == best:
        new = holder
    else:
        new = NOBODY
        ties = 0
        for p in range(s.players):
            if s.road_length[p] == best:
                new = p
                ties += 1
        if ties > 1:
            new = NOBODY
    if new != holder:
        if holder != NOBODY:
            s.visible[holder] -= 2
        if new != NOBODY:
            s.visible[new] += 2
        s.road_holder = new
