"""Catan: the island turned and mirrored.

The record holds the whole island, so a position on a turned one is played like any other. Only those of the island's
twelve turns and mirror images count that take harbours to harbours, and only once it is laid out: the deal goes hex
by hex. A turned beginner board never occurs in games on the beginner board. Seats are no symmetry of the record: the
first settlements go by seats, and so does what everybody counts of thefts (rules/knowledge.py).
"""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Records
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.state import EDGES, HARBOURS, HEXES, NOBODY, VERTICES, Catan

__all__ = ["EDGE_IMAGE", "HARBOUR_IMAGE", "HEX_IMAGE", "VERTEX_IMAGE", "symmetries", "transform", "transform_action"]

Place = tuple[int, int]


def _moved(place: Place, turns: int, mirrored: bool) -> Place:
    """Axial coordinates after so many sixths of a turn clockwise, and a mirror."""
    q, r = place
    for _ in range(turns):
        q, r = -r, q + r
    return (r, q) if mirrored else (q, r)


def _images() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """What hexes, vertices, edges and harbours become, a row a symmetry; the first changes nothing."""
    hexes = [(6 * int(q), 6 * int(r)) for q, r in island.HEX_AXIAL]
    # A point x, y lies at q = (x - y / 3) / 2, r = y / 3; six times that is whole.
    vertices = [(3 * int(x) - int(y), 2 * int(y)) for x, y in island.VERTEX_POINTS]
    edges = [frozenset((int(a), int(b))) for a, b in island.EDGE_VERTICES]
    harbours = [int(edge) for edge in island.HARBOUR_EDGES]
    found: list[tuple[list[int], list[int], list[int], list[int]]] = []
    for mirrored in (False, True):
        for turns in range(6):
            vertex = [vertices.index(_moved(place, turns, mirrored)) for place in vertices]
            edge = [edges.index(frozenset(vertex[end] for end in pair)) for pair in edges]
            if {edge[e] for e in harbours} == set(harbours):
                hex_ = [hexes.index(_moved(place, turns, mirrored)) for place in hexes]
                found.append((hex_, vertex, edge, [harbours.index(edge[e]) for e in harbours]))
    hex_images, vertex_images, edge_images, harbour_images = (
        np.array(rows, np.int8) for rows in zip(*found, strict=True)
    )
    return hex_images, vertex_images, edge_images, harbour_images


HEX_IMAGE, VERTEX_IMAGE, EDGE_IMAGE, HARBOUR_IMAGE = _images()
_COUNT = HEX_IMAGE.shape[0]


@rule
def symmetries(s: Catan) -> int:
    return _COUNT if s.phase > phases.HARBOUR_DEAL else 1


@rule
def _hex(k: int, h: int) -> int:
    return int(HEX_IMAGE[k, h]) if h != NOBODY else NOBODY


@rule
def _vertices(k: int, word: int) -> int:
    """The image of a set of vertices."""
    image = 0
    for vertex in range(VERTICES):
        if word >> vertex & 1:
            image |= 1 << int(VERTEX_IMAGE[k, vertex])
    return image


@rule
def _edges(k: int, low: int, high: int, word: int) -> int:
    """One word of the image of a set of edges."""
    image = 0
    for edge in range(EDGES):
        if (high if island.EDGE_WORD[edge] else low) & island.EDGE_BIT[edge]:
            new = int(EDGE_IMAGE[k, edge])
            if island.EDGE_WORD[new] == word:
                image |= int(island.EDGE_BIT[new])
    return image


@rule
def transform(s: Catan, k: int, out: Records[Catan]) -> None:
    out[0] = s
    if k == 0:
        return
    t = out[0]
    for h in range(HEXES):
        t.terrain[HEX_IMAGE[k, h]] = s.terrain[h]
        t.number[HEX_IMAGE[k, h]] = s.number[h]
    for number in range(s.sources.shape[0]):
        for i in range(2):
            t.sources[number, i] = _hex(k, int(s.sources[number, i]))
    t.robber = _hex(k, int(s.robber))
    for slot in range(HARBOURS):
        t.harbour[HARBOUR_IMAGE[k, slot]] = s.harbour[slot]
    for vertex in range(VERTICES):
        t.building[VERTEX_IMAGE[k, vertex]] = s.building[vertex]
    for edge in range(EDGES):
        t.road[EDGE_IMAGE[k, edge]] = s.road[edge]
    t.site = VERTEX_IMAGE[k, s.site]
    t.open_sites = _vertices(k, int(s.open_sites))
    for p in range(s.players):
        t.touched[p] = _vertices(k, int(s.touched[p]))
        t.settlements[p] = _vertices(k, int(s.settlements[p]))
        t.cities[p] = _vertices(k, int(s.cities[p]))
        for word in range(2):
            t.roads[p, word] = _edges(k, int(s.roads[p, 0]), int(s.roads[p, 1]), word)
            t.open_roads[p, word] = _edges(k, int(s.open_roads[p, 0]), int(s.open_roads[p, 1]), word)


@rule
def transform_action(s: Catan, a: int, k: int, t: Catan) -> int:
    if s.phase <= phases.LAST_CHANCE or a >= ids.BUY:
        return a
    if a < ids.SETTLEMENT:
        return ids.ROAD + int(EDGE_IMAGE[k, a - ids.ROAD])
    if a < ids.CITY:
        return ids.SETTLEMENT + int(VERTEX_IMAGE[k, a - ids.SETTLEMENT])
    if a < ids.ROBBER:
        return ids.CITY + int(VERTEX_IMAGE[k, a - ids.CITY])
    if a < ids.VICTIM:
        return ids.ROBBER + int(HEX_IMAGE[k, a - ids.ROBBER])
    return a
