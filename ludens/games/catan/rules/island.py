"""Catan: the island's geometry as constant tables (CA-1 … CA-3, CA-5, CA-6).

Hexes are numbered row by row. A corner has integer coordinates: a hex (q, r) has its centre at
x = 2q + r, y = 3r, and its corners lie around it as in `_CORNERS`. Vertices are numbered from
top to bottom, then left to right; edges likewise by their middle. Sets of vertices are bit sets
of one 64-bit word, sets of edges of two words with 36 edges each.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.catan.state import EDGES, HEXES, VERTICES

__all__ = [
    "BACK_SLOT",
    "BEGINNER_HARBOURS",
    "BEGINNER_NUMBERS",
    "BEGINNER_TERRAIN",
    "BOARD_DATA",
    "EDGE_BIT",
    "EDGE_VERTICES",
    "EDGE_WORD",
    "HARBOUR_EDGES",
    "HARBOUR_OF_VERTEX",
    "HARBOUR_SIDES",
    "HARBOUR_SUPPLY",
    "HEX_AXIAL",
    "HEX_EDGES",
    "HEX_NEIGHBOURS",
    "HEX_NEIGHBOUR_BITS",
    "HEX_VERTICES",
    "INCIDENT",
    "NEAR",
    "SIDES",
    "SPIRALS",
    "TERRAIN_SUPPLY",
    "TOKEN_ORDER",
    "TOKEN_SUPPLY",
    "VERTEX_EDGES",
    "VERTEX_HEXES",
    "VERTEX_NEIGHBOURS",
    "VERTEX_POINTS",
    "bits",
    "lowest",
    "write_bits",
]

BOARD_DATA: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "beginner_board.json").read_text("utf-8"))

_CORNERS = {"N": (0, -2), "NE": (1, -1), "SE": (1, 1), "S": (0, 2), "SW": (-1, 1), "NW": (-1, -1)}
SIDES = ("NE", "E", "SE", "SW", "W", "NW")  # side k joins corners k and k + 1
_TERRAINS = ("hills", "forest", "pasture", "fields", "mountains", "desert")
_HARBOUR_KINDS = ("brick", "wood", "wool", "grain", "ore", "any")
_STEPS: dict[str, list[int]] = BOARD_DATA["coordinates"]["neighbours"]

_AXIAL: list[tuple[int, int]] = [(hex_["q"], hex_["r"]) for hex_ in BOARD_DATA["hexes"]]
HEX_AXIAL = np.array(_AXIAL, np.int64)  # [19, 2]: q, r
_INDEX = {place: k for k, place in enumerate(_AXIAL)}


def _corner_points(q: int, r: int) -> list[tuple[int, int]]:
    """(y, x) of the six corners of a hex, clockwise from the top."""
    return [(3 * r + dy, 2 * q + r + dx) for dx, dy in _CORNERS.values()]


_POINTS = sorted({point for place in _AXIAL for point in _corner_points(*place)})
_VERTEX = {point: k for k, point in enumerate(_POINTS)}
VERTEX_POINTS = np.array([(x, y) for y, x in _POINTS], np.int64)  # [54, 2]: x, y

HEX_VERTICES = np.array([[_VERTEX[point] for point in _corner_points(*place)] for place in _AXIAL], np.int64)


def _sides_of(hex_: int) -> list[tuple[int, int]]:
    corners = [int(v) for v in HEX_VERTICES[hex_]]
    return [(min(a, b), max(a, b)) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]


def _middle(edge: tuple[int, int]) -> tuple[int, int]:
    (y0, x0), (y1, x1) = _POINTS[edge[0]], _POINTS[edge[1]]
    return y0 + y1, x0 + x1


_PAIRS = sorted({pair for hex_ in range(HEXES) for pair in _sides_of(hex_)}, key=_middle)
_EDGE = {pair: k for k, pair in enumerate(_PAIRS)}
EDGE_VERTICES = np.array(_PAIRS, np.int64)  # [72, 2]
HEX_EDGES = np.array([[_EDGE[pair] for pair in _sides_of(hex_)] for hex_ in range(HEXES)], np.int64)

HEX_NEIGHBOURS = np.array(
    [[_INDEX.get((q + _STEPS[side][0], r + _STEPS[side][1]), -1) for side in SIDES] for q, r in _AXIAL], np.int64
)
HEX_NEIGHBOUR_BITS = np.array([sum(1 << int(n) for n in row if n >= 0) for row in HEX_NEIGHBOURS], np.int64)


def _table(rows: list[list[int]]) -> np.ndarray:
    """Rows of up to three numbers, filled up with -1."""
    return np.array([row + [-1] * (3 - len(row)) for row in rows], np.int64)


VERTEX_HEXES = _table([[h for h in range(HEXES) if v in HEX_VERTICES[h]] for v in range(VERTICES)])
VERTEX_EDGES = _table([[e for e in range(EDGES) if v in EDGE_VERTICES[e]] for v in range(VERTICES)])
# The vertex at the other end of VERTEX_EDGES[v, slot] …
VERTEX_NEIGHBOURS = np.array(
    [[-1 if e < 0 else int(EDGE_VERTICES[e].sum()) - v for e in VERTEX_EDGES[v]] for v in range(VERTICES)], np.int64
)
# … and the slot of that same edge at the other end.
BACK_SLOT = np.array(
    [
        [-1 if e < 0 else list(VERTEX_EDGES[VERTEX_NEIGHBOURS[v, slot]]).index(e) for slot, e in enumerate(row)]
        for v, row in enumerate(VERTEX_EDGES)
    ],
    np.int64,
)

# A vertex with its neighbours, as a bit set: the distance rule (CA-14).
NEAR = np.array([1 << v | sum(1 << int(n) for n in VERTEX_NEIGHBOURS[v] if n >= 0) for v in range(VERTICES)], np.int64)
EDGE_WORD = np.array([e // 36 for e in range(EDGES)], np.int64)
EDGE_BIT = np.array([1 << e % 36 for e in range(EDGES)], np.int64)
INCIDENT = np.array(
    [
        [sum(int(EDGE_BIT[e]) for e in VERTEX_EDGES[v] if e >= 0 and EDGE_WORD[e] == word) for word in range(2)]
        for v in range(VERTICES)
    ],
    np.int64,
)  # [54, 2]: the edges at a vertex, as two words

# --- harbours: (hex, side) clockwise from the top left (CA-3) -------------------------------

HARBOUR_SIDES = tuple((_INDEX[h["q"], h["r"]], str(h["side"])) for h in BOARD_DATA["harbours"])
HARBOUR_EDGES = np.array([HEX_EDGES[h, SIDES.index(side)] for h, side in HARBOUR_SIDES], np.int64)
HARBOUR_OF_VERTEX = np.full(VERTICES, -1, np.int64)
for _slot, _edge in enumerate(HARBOUR_EDGES):
    HARBOUR_OF_VERTEX[EDGE_VERTICES[_edge]] = _slot

# --- the beginner board and the supplies of the variable one (CA-5, CA-6) -------------------

BEGINNER_TERRAIN = np.array([_TERRAINS.index(h["terrain"]) for h in BOARD_DATA["hexes"]], np.int64)
BEGINNER_NUMBERS = np.array([h["number"] or 0 for h in BOARD_DATA["hexes"]], np.int64)
BEGINNER_HARBOURS = np.array([_HARBOUR_KINDS.index(h["type"]) for h in BOARD_DATA["harbours"]], np.int64)
TERRAIN_SUPPLY = np.array([BOARD_DATA["variable_setup"]["terrain_counts"][t] for t in _TERRAINS], np.int64)
HARBOUR_SUPPLY = np.array([BOARD_DATA["variable_setup"]["harbour_type_counts"][k] for k in _HARBOUR_KINDS], np.int64)
TOKEN_ORDER = np.array([token["number"] for token in BOARD_DATA["variable_setup"]["number_tokens"]], np.int64)
TOKEN_SUPPLY = np.bincount(TOKEN_ORDER, minlength=13)  # by number


def _spirals() -> np.ndarray:
    """The six ways inwards, one a corner hex: rotations of the stored one by 60 degrees."""
    path = [tuple(place) for place in BOARD_DATA["variable_setup"]["spiral_from_top_left_counterclockwise"]]
    rows = []
    for _ in range(6):
        rows.append([_INDEX[q, r] for q, r in path])
        path = [(-r, q + r) for q, r in path]
    return np.array(rows, np.int64)


SPIRALS = _spirals()  # [6, 19]: hexes in the order of the tokens


# --- walking through sets that are the bits of a word ---------------------------------------


# The powers of two up to 2^65 have different remainders modulo 67.
_BITS = np.zeros(67, np.int64)
for _k in range(63):
    _BITS[(1 << _k) % 67] = _k


@rule
def lowest(word: int) -> int:
    """The number of the lowest bit of a set that is not empty; clear it with `word & (word - 1)`."""
    return int(_BITS[(word & -word) % 67])


@rule
def bits(word: int) -> int:
    """How many bits are set."""
    n = 0
    while word != 0:
        word &= word - 1
        n += 1
    return n


@rule
def write_bits(word: int, first: int, out: Array, n: int) -> int:
    """Appends first + k for every bit k of the word."""
    while word != 0:
        out[n] = first + lowest(word)
        n += 1
        word &= word - 1
    return n
