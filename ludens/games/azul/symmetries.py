"""Azul: positions that are alike: seats moved on, factories in another order, on the grey wall also other colours.

A symmetry's number has digits: mirrored walls and a permutation of the colours (grey wall only: on the coloured
one each colour has its column), seats moved on, a permutation of the factories (only while tiles are taken: the
deal fills them in their order).
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Records
from ludens.games.azul import phases
from ludens.games.azul.state import FIRST_COLUMN, FLOOR_ROOM, NOBODY, SIZE, STEP, Azul

__all__ = ["symmetries", "transform", "transform_action", "transform_seat"]

_WALLS = 240  # 2 directions of the columns times the permutations of five colours


@rule
def symmetries(s: Azul) -> int:
    count = int(s.players) * (_WALLS if s.grey else 1)
    if s.phase == phases.TAKING:
        count *= factorial(int(s.factories))
    return count


@rule
def _walls(s: Azul, k: int) -> int:
    """The digits for the walls: permutation of colours, twice, plus 1 if they are mirrored."""
    return k % _WALLS if s.grey else 0


@rule
def _colour(s: Azul, k: int, colour: int) -> int:
    if not 0 <= colour < SIZE:  # no tile, or the marker
        return colour
    return permuted(_walls(s, k) // 2, SIZE, colour)


@rule
def _column(s: Azul, k: int, column: int) -> int:
    return SIZE - 1 - column if _walls(s, k) % 2 else column


@rule
def _source(s: Azul, k: int, source: int) -> int:
    if source == s.factories:
        return source
    number = k // (int(s.players) * (_WALLS if s.grey else 1))
    return permuted(number, int(s.factories), source)


@rule
def transform_seat(s: Azul, p: int, k: int) -> int:
    if p == NOBODY:
        return p
    return (p + k // (_WALLS if s.grey else 1)) % int(s.players)


@rule
def transform(s: Azul, k: int, out: Records[Azul]) -> None:
    out[0] = s
    t = out[0]
    t.current = transform_seat(s, int(s.current), k)
    t.first = transform_seat(s, int(s.first), k)
    t.marker = transform_seat(s, int(s.marker), k)
    for colour in range(SIZE):
        new = _colour(s, k, colour)
        t.bag[new] = s.bag[colour]
        t.lid[new] = s.lid[colour]
        for source in range(s.factories + 1):
            t.sources[_source(s, k, source), new] = s.sources[source, colour]
    for p in range(s.players):
        q = transform_seat(s, p, k)
        t.score[q] = s.score[p]
        t.floor_count[q] = s.floor_count[p]
        for place in range(FLOOR_ROOM):
            t.floor[q, place] = _colour(s, k, int(s.floor[p, place]))
        for r in range(SIZE):
            t.line_count[q, r] = s.line_count[p, r]
            t.line_colour[q, r] = _colour(s, k, int(s.line_colour[p, r]))
            for c in range(SIZE):
                t.wall[q, r, _column(s, k, c)] = _colour(s, k, int(s.wall[p, r, c]))


@rule
def transform_action(s: Azul, a: int, k: int, t: Azul) -> int:
    if s.phase == phases.TAKING:
        return _source(s, k, a // 30) * 30 + _colour(s, k, a // 6 % 5) * 6 + a % 6
    if s.phase == phases.PLACING:
        return a if a == STEP else FIRST_COLUMN + _column(s, k, a - FIRST_COLUMN)
    if s.phase == phases.START:
        return transform_seat(s, a, k)
    return _colour(s, k, a)


# Permutations by number: no array is needed to hold one.


@rule
def factorial(n: int) -> int:
    product = 1
    for factor in range(2, n + 1):
        product *= factor
    return product


@rule
def permuted(number: int, n: int, item: int) -> int:
    """Where permutation `number` (0 … n! - 1) of 0 … n - 1 takes an item: each in turn changes places with itself or
    a later one. Number 0 leaves everything in place."""
    for first in range(n):
        second = first + number % (n - first)
        number //= n - first
        if item == first:
            item = second
        elif item == second:
            item = first
    return item
