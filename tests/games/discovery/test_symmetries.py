"""The turns of the whole map (tests/conformance/test_symmetries.py plays with them)."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.games.discovery import GAME
from ludens.games.discovery.state import FOLLOWER, PLACING
from ludens.games.discovery.text import lookup
from tests.games.discovery.positions import positions
from tests.games.discovery.table import slow_map


def rotated(state: np.ndarray, turns: int = 1) -> np.ndarray:
    out = record.blank(GAME.dtype)
    kernels.transform_at(state, 0, turns % 4, out)
    return out


@pytest.mark.parametrize("phase", [PLACING, FOLLOWER])
def test_turns_add_up(phase: int) -> None:
    for state in positions(3, 70, phase, every=10):
        same = rotated(state, 0)
        assert rotated(rotated(state), 3).tobytes() == same.tobytes()
        assert rotated(rotated(state)).tobytes() == rotated(state, 2).tobytes()
        assert rotated(state).tobytes() != same.tobytes()


def test_a_turned_map_is_the_same_map_turned() -> None:
    for state in positions(2, 71, PLACING, every=10):
        here, there = slow_map(state), slow_map(rotated(state))
        assert {(y, -x) for x, y in here.tiles} == there.tiles.keys()
        assert {(y, -x): name for (x, y), (name, _) in here.tiles.items()} == {
            place: name for place, (name, _) in there.tiles.items()
        }
        assert {(y, -x) for x, y in lookup.cells(state[0])} == {*lookup.cells(rotated(state)[0])}
        assert {(y, -x) for x, y in here.frontier} == there.frontier
        assert sorted(r.now("open") for r in here.regions()) == sorted(r.now("open") for r in there.regions())


def test_no_turn_changes_what_the_rules_read() -> None:
    """The identity wipes out how many followers stood on regions before they were joined, and nothing else."""
    for state in positions(4, 72, FOLLOWER, every=9):
        same, s = rotated(state, 0), state[0]
        named = {int(region) for region in s.piece_region[: int(s.pieces)]}
        for name in GAME.dtype.names or ():
            if name == "region_followers":
                assert all(same[name][0, region] == s[name][region] for region in named)
                assert same[name][0].sum() == s.follower_count.sum()
            else:
                assert np.array_equal(same[name], state[name]), name
