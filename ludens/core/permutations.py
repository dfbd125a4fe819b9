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
def permuted(number: int, n: int, i: int) -> int:
    """Where permutation `number` (0 … n! - 1) of 0 … n - 1 takes i; number 0 leaves everything in place."""
    taken, item = 0, 0
    weight = factorial(n - 1)
    for place in range(i + 1):
        rank = number // weight % (n - place)
        item = 0
        while rank > 0 or taken >> item & 1:
            if taken >> item & 1 == 0:
                rank -= 1
            item += 1
        taken |= 1 << item
        weight //= max(1, n - 1 - place)
    return item
