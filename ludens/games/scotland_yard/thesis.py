"""Scotland Yard: the alpha-beta searches of the thesis for the grid game (SY-31 … SY-42).

The value of a leaf is the sum of f over the nodes on its path without the root (SY-37). Detectives
plan with an assumed cell of Mr. X and keep the whole best line; Mr. X searches anew on every move.
The two searches are separate, as in the thesis (SY-33); `tree.py` states the algorithm on explicit trees.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludens.core.jit import kernel, rule
from ludens.games.scotland_yard.state import tables

__all__ = ["Settings", "detectives_node", "flee", "line_room", "mr_x_node", "plan"]

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

    def array(self) -> np.ndarray:
        return np.array(self, np.int64)


_VERSION, _DEPTH, _PLIES, _REWARD, _LATE_WIN, _THREAT, _THREAT_COST = range(7)


def line_room(settings: Settings) -> int:
    """How many moves the longest line has."""
    return settings.depth if settings.plies else 2 * settings.depth


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
def mr_x_node(s: Any, settings: Any, h: int, a_1: int, a_2: int, x: int, distance: Any) -> float:
    """What a node is worth to Mr. X: the negated evaluation, or distance less threatened cells (SY-42)."""
    near_1, near_2 = distance[x, a_1], distance[x, a_2]
    if settings[_THREAT] == 0:
        return -detectives_node(settings, h, near_1, near_2)
    if near_1 == 0 or near_2 == 0:
        return -float(settings[_REWARD] * (settings[_DEPTH] + 1 - h))
    board = tables(s)
    threatened = 0
    for k in range(board.degree[0, x]):
        cell = board.targets[0, x, k]
        if cell != a_1 and cell != a_2 and (distance[cell, a_1] == 1 or distance[cell, a_2] == 1):
            threatened += 1
    return min(near_1, near_2) + max(near_1, near_2) / 2 - settings[_THREAT_COST] * threatened


# --- detectives: MAX, Mr. X assumed to be at x ----------------------------------------------


@rule
def _keep(line: Any, length: Any, ply: int, move: int) -> None:
    """The best line from this ply on is this move, then the best line after it."""
    line[ply, ply] = move
    for k in range(ply + 1, length[ply + 1]):
        line[ply, k] = line[ply + 1, k]
    length[ply] = max(ply + 1, length[ply + 1])


@rule
def _hunt(
    s: Any, settings: Any, order: Any, distance: Any, line: Any, length: Any,
    a_1: int, a_2: int, x: int, ply: int, plies: int, total: float, alpha: float, beta: float,
) -> float:  # fmt: skip
    """Alpha-beta for the detectives (SY-31): even plies are theirs, odd ones Mr. X's."""
    length[ply] = ply
    if ply == plies or a_1 == x or a_2 == x:
        return total
    degree = tables(s).degree
    h = _height(settings, ply)
    if ply % 2 == 0:
        for i in range(degree[0, a_1]):
            to_1 = order[a_1, i]
            for j in range(degree[0, a_2]):
                to_2 = order[a_2, j]
                if to_1 == to_2:
                    continue
                gain = detectives_node(settings, h, distance[x, to_1], distance[x, to_2])
                value = _hunt(
                    s, settings, order, distance, line, length, to_1, to_2, x, ply + 1, plies, total + gain, alpha, beta
                )
                if value > alpha:
                    alpha = value
                    _keep(line, length, ply, to_1 * order.shape[0] + to_2)
                if alpha >= beta:
                    return alpha
        return alpha
    stuck = True
    for i in range(degree[0, x]):
        to = order[x, i]
        if to == a_1 or to == a_2:
            continue
        stuck = False
        gain = detectives_node(settings, h, distance[to, a_1], distance[to, a_2])
        value = _hunt(
            s, settings, order, distance, line, length, a_1, a_2, to, ply + 1, plies, total + gain, alpha, beta
        )
        if value < beta:
            beta = value
            _keep(line, length, ply, to)
        if alpha >= beta:
            return beta
    return total if stuck else beta  # without a move of Mr. X the game is over (SY-8b)


@kernel
def plan(views: Any, settings: Any, order: Any, distance: Any, x: int, plies: int, line: Any, length: Any) -> float:
    """The detectives' best line for views[0] if Mr. X stands at x: moves into line[0, :length[0]]; its value.

    A detectives' move is first cell * cells + second cell, a move of Mr. X is a cell. `order` holds every
    cell's neighbours in the order they are tried.
    """
    s = views[0]
    a_1, a_2 = int(s.pawn_station[0]), int(s.pawn_station[1])
    return _hunt(s, settings, order, distance, line, length, a_1, a_2, x, 0, plies, 0.0, -_INFINITY, _INFINITY)


# --- Mr. X: MAX, detectives assumed to see him ----------------------------------------------


@rule
def _escape(
    s: Any, settings: Any, order: Any, distance: Any, best: Any,
    a_1: int, a_2: int, x: int, ply: int, plies: int, total: float, alpha: float, beta: float,
) -> float:  # fmt: skip
    """Alpha-beta for Mr. X (SY-31, SY-41): even plies are his, odd ones the detectives'."""
    if ply == plies or a_1 == x or a_2 == x:
        return total
    degree = tables(s).degree
    h = _height(settings, ply)
    if ply % 2 == 0:
        stuck = True
        for i in range(degree[0, x]):
            to = order[x, i]
            if to == a_1 or to == a_2:
                continue
            stuck = False
            gain = mr_x_node(s, settings, h, a_1, a_2, to, distance)
            value = _escape(s, settings, order, distance, best, a_1, a_2, to, ply + 1, plies, total + gain, alpha, beta)
            if value > alpha:
                alpha = value
                if ply == 0:
                    best[0] = to
            if alpha >= beta:
                return alpha
        return total if stuck else alpha
    for i in range(degree[0, a_1]):
        to_1 = order[a_1, i]
        for j in range(degree[0, a_2]):
            to_2 = order[a_2, j]
            if to_1 == to_2:
                continue
            gain = mr_x_node(s, settings, h, to_1, to_2, x, distance)
            value = _escape(
                s, settings, order, distance, best, to_1, to_2, x, ply + 1, plies, total + gain, alpha, beta
            )
            if value < beta:
                beta = value
            if alpha >= beta:
                return beta
    return beta


@kernel
def flee(views: Any, settings: Any, order: Any, distance: Any, plies: int, best: Any) -> float:
    """Mr. X's best cell for views[0] into best[0], with its value."""
    s = views[0]
    a_1, a_2 = int(s.pawn_station[0]), int(s.pawn_station[1])
    x = int(s.mr_x_station)
    return _escape(s, settings, order, distance, best, a_1, a_2, x, 0, plies, 0.0, -_INFINITY, _INFINITY)
