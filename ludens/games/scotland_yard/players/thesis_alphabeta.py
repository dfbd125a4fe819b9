"""Scotland Yard: the alpha-beta searches of the thesis for the grid game (SY-31 … SY-42).

The value of a leaf is the sum of f over the nodes on its path without the root (SY-37). Detectives
plan with an assumed cell of Mr. X and keep the whole best line; Mr. X searches anew on every move.
Each side has its own entry and its own evaluation (SY-33). `tests/games/scotland_yard/explicit_trees.py` states the
algorithm on explicit trees; here it runs without recursion, on arrays with one row a ply.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ludens.core import record
from ludens.core.errors import BadInput
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records, workspace
from ludens.games.scotland_yard.rules.distances import distances
from ludens.games.scotland_yard.rules.tables import map_of, neighbours, tables_of
from ludens.games.scotland_yard.state import ScotlandYard

__all__ = [
    "DISTANCES",
    "ORDERS",
    "Search",
    "Settings",
    "detectives_node",
    "flee",
    "mr_x_node",
    "new_search",
    "plan",
    "plies_of",
]

_INFINITY = 1e9

ORDERS = ("cells", "thesis")
"""In which order moves are tried: of the cells, or up, down, right, left (SY-72)."""

DISTANCES = ("manhattan", "euclid")
"""d of SY-37: in moves, or as the crow flies (SY-72)."""

_UP_DOWN_RIGHT_LEFT = ((0, -1), (0, 1), (1, 0), (-1, 0))  # y points downwards


class Settings(NamedTuple):
    """The options of the thesis' players."""

    version: int = 4  # evaluation v1 … v4
    depth: int = 3  # n of SY-36: rounds, or plies if `plies` is set
    plies: int = 0  # 1: depth counts plies and h is the ply (SY-36)
    reward: int = 50  # r of SY-37
    late_win: int = 0  # 1: a capture earns (n + 1 - h)·r, so that one in the last round counts (SY-39)
    threat: int = 0  # 1: Mr. X counts the cells on which he can be caught (SY-42)
    threat_cost: int = 2  # c of SY-42


_VERSION, _DEPTH, _PLIES, _REWARD, _LATE_WIN, _THREAT, _THREAT_COST = range(7)
_ALPHA, _BETA, _TOTAL = range(3)


class Search(NamedTuple):
    """What a search reads and writes besides the position."""

    settings: np.ndarray  # int64: see Settings
    order: np.ndarray  # int64[cells, 4]: every cell's neighbours in the order they are tried
    degree: np.ndarray  # int64[cells]: how many neighbours
    distance: np.ndarray  # float64[cells, cells]
    cells: Annotated[Array, record.int64("room", 3)]  # the two detectives and Mr. X at every ply of the path
    tried: Annotated[Array, record.int64("room")]  # moves tried there
    move: Annotated[Array, record.int64("room")]  # the move being searched there
    bounds: Annotated[Array, record.float64("room", 3)]  # α, β and the sum of f
    line: Annotated[Array, record.int64("room", "room")]  # row p is the best line found from ply p on
    length: Annotated[Array, record.int64("room")]  # where that line ends


def new_search(dtype: np.dtype, settings: Settings, order: str = "cells", distance: str = "manhattan") -> Search:
    """A search of the settings' depth, with moves in one of the ORDERS and one of the DISTANCES."""
    room = plies_of(settings, settings.depth) + 1
    if not map_of(dtype).columns and (order, distance) != (ORDERS[0], DISTANCES[0]):
        raise BadInput(f"order={order}, distance={distance} need a grid: this map has no rows and columns.")
    return workspace(
        Search,
        dtype,
        settings=np.array(settings, np.int64),
        order=_order(dtype, order == "thesis"),
        degree=tables_of(dtype).degree[0].astype(np.int64),
        distance=_straight(dtype) if distance == "euclid" else distances(dtype).astype(np.float64),
        room=room,
    )


def _order(dtype: np.dtype, by_direction: bool) -> np.ndarray:
    """int64[cells, 4]: every cell's neighbours in the order they are tried."""
    board = tables_of(dtype)
    order: np.ndarray = board.targets[board.row[0]].astype(np.int64)
    if by_direction:
        places = map_of(dtype).places
        for cell, (x, y) in enumerate(places):
            near = {(places[to][0] - x, places[to][1] - y): to for to in neighbours(dtype, 0, cell)}
            order[cell, : len(near)] = [near[step] for step in _UP_DOWN_RIGHT_LEFT if step in near]
    return order


def _straight(dtype: np.dtype) -> np.ndarray:
    """float64[cells, cells]: the lengths of straight lines between cells."""
    places = np.array(map_of(dtype).places)
    return np.asarray(np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2)))


def plies_of(settings: Settings, depth: int) -> int:
    """The plies of a search of this depth (SY-36)."""
    return depth if settings.plies else 2 * depth


@rule
def detectives_node(settings: Array, h: int, near_1: float, near_2: float) -> float:
    """f of SY-37 for a node at depth h whose detectives have these distances to Mr. X; 0 is a capture."""
    version = settings[_VERSION]
    if near_1 == 0 or near_2 == 0:
        won = float((settings[_DEPTH] + settings[_LATE_WIN] - h) * settings[_REWARD])
        other = near_1 + near_2
        if version == 1:
            return won
        return won - h * other if version == 2 else won - other
    if version == 1:
        return -float(h * near_1 + h * near_2)
    if version == 2:
        return -float(h * min(near_1, near_2))
    if version == 3:
        return -float(min(near_1, near_2))
    return -min(near_1, near_2) - max(near_1, near_2) / 2


@rule
def mr_x_node(search: Search, h: int, a_1: int, a_2: int, x: int) -> float:
    """What a node is worth to Mr. X: the negated evaluation, or distance less threatened cells (SY-42)."""
    settings, distance = search.settings, search.distance
    near_1, near_2 = distance[x, a_1], distance[x, a_2]
    if settings[_THREAT] == 0:
        return -detectives_node(settings, h, near_1, near_2)
    if near_1 == 0 or near_2 == 0:
        return -float(settings[_REWARD] * (settings[_DEPTH] + 1 - h))
    threatened = 0
    for k in range(search.degree[x]):
        cell = search.order[x, k]
        if cell != a_1 and cell != a_2 and (distance[cell, a_1] == 1 or distance[cell, a_2] == 1):
            threatened += 1
    return float(min(near_1, near_2) + max(near_1, near_2) / 2 - settings[_THREAT_COST] * threatened)


# --- alpha-beta (SY-31): MAX is the side to move at the root ---------------------------------


@rule
def _next_child(search: Search, ply: int, detectives: bool) -> int:
    """Puts the position after the next untried legal move one ply down; returns the move, or -1 (SY-7).

    A detectives' move is first cell * cells + second cell, a move of Mr. X is a cell.
    """
    order, degree = search.order, search.degree
    a_1, a_2, x = search.cells[ply, 0], search.cells[ply, 1], search.cells[ply, 2]
    room = order.shape[1]
    while True:
        k = search.tried[ply]
        search.tried[ply] += 1
        if detectives:
            if k >= room * room:
                return -1
            if k // room < degree[a_1] and k % room < degree[a_2]:
                to_1, to_2 = order[a_1, k // room], order[a_2, k % room]
                if to_1 != to_2:
                    _put(search, ply + 1, to_1, to_2, x)
                    return int(to_1 * order.shape[0] + to_2)
        else:
            if k >= degree[x]:
                return -1
            to = order[x, k]
            if to not in (a_1, a_2):
                _put(search, ply + 1, a_1, a_2, to)
                return int(to)


@rule
def _put(search: Search, ply: int, a_1: int, a_2: int, x: int) -> None:
    search.cells[ply, 0] = a_1
    search.cells[ply, 1] = a_2
    search.cells[ply, 2] = x
    search.tried[ply] = 0
    search.length[ply] = ply


@rule
def _offer(search: Search, ply: int, move: int, value: float) -> None:
    """A child's value: it raises α of a MAX node or lowers β of a MIN node, and then begins the best line."""
    bounds, line, length = search.bounds, search.line, search.length
    if ply % 2 == 0:
        if value <= bounds[ply, _ALPHA]:
            return
        bounds[ply, _ALPHA] = value
    else:
        if value >= bounds[ply, _BETA]:
            return
        bounds[ply, _BETA] = value
    line[ply, ply] = move
    for k in range(ply + 1, length[ply + 1]):
        line[ply, k] = line[ply + 1, k]
    length[ply] = max(ply + 1, length[ply + 1])


@rule
def _alpha_beta(search: Search, detectives_first: bool, plies: int) -> float:
    """The value of the position in cells[0]; the exact best line is left in line[0, :length[0]]."""
    bounds = search.bounds
    bounds[0, _ALPHA], bounds[0, _BETA], bounds[0, _TOTAL] = -_INFINITY, _INFINITY, 0.0
    ply = 0
    while True:
        detectives = (ply % 2 == 0) == detectives_first
        move = -1
        if bounds[ply, _ALPHA] < bounds[ply, _BETA]:
            move = _next_child(search, ply, detectives)
        if move >= 0:
            gain = _node_value(search, ply, detectives_first)
            bounds[ply + 1, _TOTAL] = bounds[ply, _TOTAL] + gain
            a_1, a_2, x = search.cells[ply + 1, 0], search.cells[ply + 1, 1], search.cells[ply + 1, 2]
            if ply + 1 == plies or x in (a_1, a_2):
                _offer(search, ply, move, bounds[ply + 1, _TOTAL])
            else:
                search.move[ply] = move
                ply += 1
                bounds[ply, _ALPHA] = bounds[ply - 1, _ALPHA]
                bounds[ply, _BETA] = bounds[ply - 1, _BETA]
            continue
        value = bounds[ply, _ALPHA] if ply % 2 == 0 else bounds[ply, _BETA]
        if not detectives and _is_stuck(search, ply):
            value = bounds[ply, _TOTAL]  # a leaf: Mr. X cannot move, the game is over (SY-8b)
        if ply == 0:
            return float(value)
        ply -= 1
        _offer(search, ply, search.move[ply], value)


@rule
def _is_stuck(search: Search, ply: int) -> bool:
    """Are all cells around Mr. X occupied?"""
    a_1, a_2, x = search.cells[ply, 0], search.cells[ply, 1], search.cells[ply, 2]
    for k in range(search.degree[x]):
        if search.order[x, k] not in (a_1, a_2):
            return False
    return True


@rule
def _node_value(search: Search, ply: int, detectives_first: bool) -> float:
    """f of the node after the move at this ply, for the side that searches; h as in SY-36."""
    h = ply + 1 if search.settings[_PLIES] else ply // 2 + 1
    a_1, a_2, x = search.cells[ply + 1, 0], search.cells[ply + 1, 1], search.cells[ply + 1, 2]
    if detectives_first:
        return detectives_node(search.settings, h, search.distance[x, a_1], search.distance[x, a_2])
    return mr_x_node(search, h, a_1, a_2, x)


@kernel
def plan(views: Records[ScotlandYard], search: Search, x: int, plies: int) -> float:
    """The value of the detectives' best line for views[0] if Mr. X stands at x (SY-34); the line is in `search`."""
    s = views[0]
    _put(search, 0, int(s.pawn_station[0]), int(s.pawn_station[1]), x)
    return _alpha_beta(search, True, plies)


@kernel
def flee(views: Records[ScotlandYard], search: Search, plies: int) -> float:
    """The value of Mr. X's best move for views[0], detectives assumed to see him (SY-41); it is line[0, 0]."""
    s = views[0]
    _put(search, 0, int(s.pawn_station[0]), int(s.pawn_station[1]), int(s.mr_x_station))
    return _alpha_beta(search, False, plies)
