"""Permutations by number, in rules: no array is needed to hold one."""

from __future__ import annotations

from ludens.core.jit import rule

__all__ = ["factorial", "permuted"]


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
