"""Permutations by number are all different, and the first changes nothing."""

from __future__ import annotations

import pytest

from ludens.core.jit import plain
from ludens.games.azul.symmetries import factorial, permuted


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_every_number_is_another_permutation(n: int) -> None:
    whole = range(n)
    found = [tuple(plain(permuted)(number, n, item) for item in whole) for number in range(plain(factorial)(n))]
    assert found[0] == tuple(whole)
    assert all(sorted(one) == list(whole) for one in found)
    assert len(set(found)) == len(found) == {1: 1, 2: 2, 3: 6, 5: 120}[n]
