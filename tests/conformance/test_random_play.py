"""Whole random games at once: as single matches play them, on the CPU and on a GPU."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core.match import Match
from ludens.core.random_play import play_on_cpu
from ludens.core.rng import CHANCE_STREAM, POLICY, game_seed, generator, generators, pick
from tests.conformance.cases import Case, over_cases


@over_cases
def test_playouts_agree_with_matches(case: Case) -> None:
    states, decisions = play_on_cpu(case.game, case.values, seed=60, count=3)
    counted = 0
    for i in range(3):
        match = Match(case.game, {**case.game.spec.tournament, **case.options}, seed=game_seed(60, i))
        rng = generator(game_seed(60, i), POLICY)
        while not match.over:
            legal = match.legal()
            match.play(int(legal[0] if len(legal) == 1 else legal[pick(rng, len(legal))]))
            counted += 1
        assert match.state().tobytes() == states[i].tobytes()
    assert decisions == counted


@pytest.mark.gpu
@over_cases
def test_a_gpu_plays_as_a_cpu_does(case: Case) -> None:
    pytest.importorskip("numba_cuda")
    if not pytest.importorskip("torch").cuda.is_available():
        pytest.skip("no NVIDIA GPU here")
    from ludens.gpu.random_play import play_on_gpu

    on_cpu, on_gpu = (play(case.game, case.values, 70, 2000) for play in (play_on_cpu, play_on_gpu))
    assert on_cpu[0].tobytes() == on_gpu[0].tobytes()
    assert on_cpu[1] == on_gpu[1]


def test_generators_in_bulk_are_the_single_ones() -> None:
    rows = generators(2**53 - 3, 5, CHANCE_STREAM, 9)
    assert np.array_equal(rows, [generator(game_seed(2**53 - 3, i), CHANCE_STREAM, 9) for i in range(5)])


def test_neighbouring_seeds_share_no_game() -> None:
    keys = np.concatenate([generators(seed, 500, CHANCE_STREAM)[:, 0] for seed in range(200)])
    assert len(np.unique(keys)) == len(keys)
