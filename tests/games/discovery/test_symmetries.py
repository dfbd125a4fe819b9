"""The four rotations of the whole map."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.games.discovery import GAME, symmetries
from ludens.games.discovery.state import FIRST_REGION, FOLLOWER, PLACING
from ludens.games.discovery.text import lookup
from tests.games.discovery.positions import positions
from tests.games.discovery.table import slow_map


def rotated(state: np.ndarray, turns: int = 1) -> np.ndarray:
    for _ in range(turns):
        out = record.blank(GAME.dtype)
        symmetries.rotate_map_at(state, 0, out)
        state = out
    return state


def legal_of(state: np.ndarray) -> list[int]:
    out = np.zeros(GAME.spec.actions, np.int64)
    return out[: kernels.legal_at(state, 0, out)].tolist()


@pytest.mark.parametrize("phase", [PLACING, FOLLOWER])
def test_four_quarter_turns_are_none(phase: int) -> None:
    for state in positions(3, 70, phase, every=10):
        assert rotated(state, 4).tobytes() == state.tobytes()
        assert rotated(state).tobytes() != state.tobytes()


def test_a_turned_map_is_the_same_map_turned() -> None:
    for state in positions(2, 71, PLACING, every=10):
        here, there = slow_map(state), slow_map(rotated(state))
        assert {(y, -x): (name, (turns + 1) % 4) for (x, y), (name, turns) in here.tiles.items()} == there.tiles
        assert [(y, -x) for x, y in lookup.cells(state[0])] == lookup.cells(rotated(state)[0])
        assert {(y, -x) for x, y in here.frontier} == there.frontier
        assert sorted(r.now("open") for r in here.regions()) == sorted(r.now("open") for r in there.regions())


@pytest.mark.parametrize("phase", [PLACING, FOLLOWER])
def test_legal_actions_turn_with_the_map_and_lead_to_the_same_game(phase: int) -> None:
    for state in positions(3, 72, phase, every=12):
        turned = rotated(state)
        mapped = {a: int(symmetries.rotate_action_at(state, 0, a)) for a in legal_of(state)}
        assert sorted(mapped.values()) == legal_of(turned)
        for a, b in mapped.items():
            one, two = state.copy(), turned.copy()
            kernels.apply_at(one, 0, a)
            kernels.apply_at(two, 0, b)
            expected = slow_map(rotated(one))
            looks = slow_map(two)
            assert looks.tiles.keys() == expected.tiles.keys()
            assert one["score"].tolist() == two["score"].tolist()
            worth = [
                sorted((r.terrain, r.points, r.size, r.open_ends) for r in lookup.regions(s[0])) for s in (one, two)
            ]
            assert worth[0] == worth[1]
            if a >= FIRST_REGION:
                assert two.tobytes() == rotated(one).tobytes()
