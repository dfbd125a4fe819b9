"""Which sides of the tiles on the map are open, by the neighbours of every tile (CD-8)."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.rng import CHANCE_STREAM, POLICY, below, generator
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.discovery import GAME
from ludens.games.discovery.state import EAST, NORTH


@pytest.mark.parametrize("seed", [1, 2])
def test_a_side_is_open_where_no_tile_lies(seed: int) -> None:
    state, legal = record.blank(GAME.dtype), np.zeros(GAME.spec.actions, np.int64)
    kernels.reset_at(state, 0, GAME.options({}))
    chance, choices = generator(seed, CHANCE_STREAM), generator(seed, POLICY)
    s = state[0]
    for _ in range(120):
        if (actor := kernels.actor_at(state, 0)) == TERMINAL:
            break
        n = 0 if actor == CHANCE else kernels.legal_at(state, 0, legal)
        kernels.apply_at(state, 0, kernels.draw_at(state, 0, chance) if n == 0 else int(legal[below(choices, n)]))
        tiles = range(int(s["placed"]))
        places = {(int(s["tile_x"][k]), int(s["tile_y"][k])): k for k in tiles}
        for (x, y), tile in places.items():
            wanted = [(x + int(EAST[side]), y + int(NORTH[side])) not in places for side in range(4)]
            assert int(s["tile_open"][tile]) == sum(1 << side for side in range(4) if wanted[side])
    assert int(s["placed"]) > 20
