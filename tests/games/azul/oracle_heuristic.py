"""The heuristic of AZ-92 once more, on the oracle's plain boards."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.games.azul.oracle import COLOURS, PENALTIES, Board, OracleGame

__all__ = ["best_take", "default_column", "order_of"]


def default_column(board: Board, row: int, colour: str, grey: bool) -> int | None:
    """AZ-68: most points, ties to the smallest column; None without a legal column."""
    best, best_points = None, 0
    for column in board.columns_for(row, colour, grey):
        trial = deepcopy(board)
        trial.wall[row][column] = colour
        points = trial.points_at(row, column)
        if points > best_points:
            best, best_points = column, points
    return best


def _projected(board: Board, destination: int, grey: bool) -> Board:
    """AZ-122, AZ-124: the wall as it will be when the destination's line is tiled."""
    copy = deepcopy(board)
    for line in range(destination):
        if len(copy.lines[line]) == line + 1:
            column = default_column(copy, line, copy.lines[line][0], grey)
            if column is not None:
                copy.wall[line][column] = copy.lines[line][0]
    return copy


def order_of(game: OracleGame, take: tuple) -> tuple[Any, ...]:
    """The criteria of AZ-92 in their order; the smallest tuple is the best move."""
    _, source, colour, destination = take
    board = game.boards[game.current]
    tiles = game.centre if source == "centre" else game.factories[source]
    taken = tiles.count(colour)
    marker = 1 if source == "centre" and game.marker_taker is None else 0
    gain, over, space = 0, taken, 0
    if destination != "floor":
        after = len(board.lines[destination]) + taken
        over, space = max(0, after - destination - 1), max(0, destination + 1 - after)
        if space == 0:
            projected = _projected(board, destination, game.grey)
            column = default_column(projected, destination, colour, game.grey)
            if column is not None:
                projected.wall[destination][column] = colour
                gain = projected.points_at(destination, column)
    used = len(board.floor)
    gain -= sum(PENALTIES[used : used + over + marker])
    index = (len(game.factories) if source == "centre" else source) * 30 + COLOURS.index(colour) * 6
    index += 5 if destination == "floor" else destination
    return (-gain, destination == "floor", -taken, over, space, index)


def best_take(game: OracleGame) -> tuple:
    """The heuristic's move."""
    return min(game.actions(), key=lambda take: order_of(game, take))
