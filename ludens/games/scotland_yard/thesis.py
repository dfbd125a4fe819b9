"""Scotland Yard: the alpha-beta searches of the thesis for the grid game (SY-31 … SY-42).

The value of a leaf is the sum of f over the nodes on its path without the root (SY-37). Detectives
plan with an assumed cell of Mr. X and keep the whole best line; Mr. X searches anew on every move.
The two searches are separate, as in the thesis (SY-33); `tree.py` states the algorithm on explicit trees.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core.jit import kernel, rule
from ludens.games.scotland_yard.paths import distances
from ludens.games.scotland_yard.state import tables_of

__all__ = ["Search", "Settings", "detectives_node", "flee", "mr_x_node", "new_search", "plan", "plies_of"]

_INFINITY = 1e9


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


class Search(NamedTuple):
    """What a search reads and writes besides the position."""

    settings: np.ndarray  # int64: see Settings
    order: np.ndarray  # int64[cells, 4]: every cell's neighbours in the order they are tried
    degree: np.ndarray  # int64[cells]: how many neighbours
    distance: np.ndarray  # int64[cells, cells]
    line: np.ndarray  # int64[plies + 1, plies + 1]: row p is the best line found from ply p on
    length: np.ndarray  # int64[plies + 1]: where that line ends


def new_search(dtype: np.dtype, settings: Settings) -> Search:
    """A search of the settings' depth, neighbours in ascending order."""
    room = plies_of(settings, settings.depth) + 1
    board = tables_of(dtype)
    return Search(
        settings=np.array(settings, np.int64),
        order=board.targets[0].astype(np.int64),
        degree=board.degree[0].astype(np.int64),
        distance=distances(dtype),
        line=np.zeros((room, room), np.int64),
        length=np.zeros(room, np.int64),
    )


def plies_of(settings: Settings, depth: int) -> int:
    """The plies of a search of this depth (SY-36)."""
    return depth if settings.plies else 2 * depth


@rule
def _height(settings: Any, ply: int) -> int:
    """h of the node after the move at this ply (SY-36)."""
    return ply + 1 if settings[_PLIES] else ply // 2 + 1


@rule
def detectives_node(settings: Any, h: int, near_1: int, near_2: int) -> float:
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
def mr_x_node(search: Any, h: int, a_1: int, a_2: int, x: int) -> float:
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
    return min(near_1, near_2) + max(near_1, near_2) / 2 - settings[_THREAT_COST] * threatened


# --- detectives: MAX, Mr. X assumed to be at x ----------------------------------------------


@rule
def _keep(search: Any, ply: int, move: int) -> None:
    """The best line from this ply on is this move, then the best line after it."""
    line, length = search.line, search.length
    line[ply, ply] = move
    for k in range(ply + 1, length[ply + 1]):
        line[ply, k] = line[ply + 1, k]
    length[ply] = max(ply + 1, length[ply + 1])


@rule
def _hunt(
    search: Any, a_1: int, a_2: int, x: int, ply: int, plies: int, total: float, alpha: float, beta: float
) -> float:
    """Alpha-beta for the detectives (SY-31): even plies are theirs, odd ones Mr. X's."""
    search.length[ply] = ply
    if ply == plies or x in (a_1, a_2):
        return total
    order, distance, degree = search.order, search.distance, search.degree
    h = _height(search.settings, ply)
    if ply % 2 == 0:
        for i in range(degree[a_1]):
            to_1 = order[a_1, i]
            for j in range(degree[a_2]):
                to_2 = order[a_2, j]
                if to_1 == to_2:
                    continue
                gain = detectives_node(search.settings, h, distance[x, to_1], distance[x, to_2])
                value = _hunt(search, to_1, to_2, x, ply + 1, plies, total + gain, alpha, beta)
                if value > alpha:
                    alpha = value
                    _keep(search, ply, to_1 * order.shape[0] + to_2)
                if alpha >= beta:
                    return alpha
        return alpha
    stuck = True
    for i in range(degree[x]):
        to = order[x, i]
        if to in (a_1, a_2):
            continue
        stuck = False
        gain = detectives_node(search.settings, h, distance[to, a_1], distance[to, a_2])
        value = _hunt(search, a_1, a_2, to, ply + 1, plies, total + gain, alpha, beta)
        if value < beta:
            beta = value
            _keep(search, ply, to)
        if alpha >= beta:
            return beta
    return total if stuck else beta  # without a move of Mr. X the game is over (SY-8b)


@kernel
def plan(views: Any, search: Any, x: int, plies: int) -> float:
    """The value of the detectives' best line for views[0] if Mr. X stands at x; the line is left in `search`.

    Its moves are line[0, :length[0]]: of the detectives first cell * cells + second cell, of Mr. X a cell.
    """
    s = views[0]
    a_1, a_2 = int(s.pawn_station[0]), int(s.pawn_station[1])
    return _hunt(search, a_1, a_2, x, 0, plies, 0.0, -_INFINITY, _INFINITY)


# --- Mr. X: MAX, detectives assumed to see him ----------------------------------------------


@rule
def _escape(
    search: Any, a_1: int, a_2: int, x: int, ply: int, plies: int, total: float, alpha: float, beta: float
) -> float:
    """Alpha-beta for Mr. X (SY-31, SY-41): even plies are his, odd ones the detectives'."""
    if ply == plies or x in (a_1, a_2):
        return total
    order, degree = search.order, search.degree
    h = _height(search.settings, ply)
    if ply % 2 == 0:
        stuck = True
        for i in range(degree[x]):
            to = order[x, i]
            if to in (a_1, a_2):
                continue
            stuck = False
            gain = mr_x_node(search, h, a_1, a_2, to)
            value = _escape(search, a_1, a_2, to, ply + 1, plies, total + gain, alpha, beta)
            if value > alpha:
                alpha = value
                if ply == 0:
                    search.line[0, 0] = to
            if alpha >= beta:
                return alpha
        return total if stuck else alpha
    for i in range(degree[a_1]):
        to_1 = order[a_1, i]
        for j in range(degree[a_2]):
            to_2 = order[a_2, j]
            if to_1 == to_2:
                continue
            gain = mr_x_node(search, h, to_1, to_2, x)
            value = _escape(search, to_1, to_2, x, ply + 1, plies, total + gain, alpha, beta)
            if value < beta:
                beta = value
            if alpha >= beta:
                return beta
    return beta


@kernel
def flee(views: Any, search: Any, plies: int) -> float:
    """The value of Mr. X's best move for views[0]; its cell is left in line[0, 0]."""
    s = views[0]
    a_1, a_2 = int(s.pawn_station[0]), int(s.pawn_station[1])
    return _escape(search, a_1, a_2, int(s.mr_x_station), 0, plies, 0.0, -_INFINITY, _INFINITY)
