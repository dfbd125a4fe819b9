"""Batches on a GPU: the same numbers as on a CPU, bit for bit; their kernels as plain Python where there is no GPU."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.core.verbs import SPECTATOR
from ludens.gpu.device import gpu_errors, torch_with_gpu
from tests.conformance.cases import Case, all_games, over_cases, over_games, sample_nodes

_HOPPER = (9, 0)


def has_gpu() -> bool:
    pytest.importorskip("numba_cuda")
    return bool(pytest.importorskip("torch").cuda.is_available())


@over_cases
def test_a_view_may_take_the_place_of_its_state(case: Case) -> None:
    """Threads of a GPU have room for one record."""
    for node in sample_nodes(case, seed=31):
        for seat in (*range(case.players), SPECTATOR):
            apart, within = record.blank(case.game.dtype), node.state.copy()
            kernels.view_at(node.state, 0, seat, apart)
            kernels.view_at(within, 0, seat, within)
            assert within.tobytes() == apart.tobytes()


@pytest.mark.gpu
@over_cases
@pytest.mark.parametrize(
    "settings",
    [{}, {"longest": 30, "all_seats": True}, {"autoreset": False, "longest": 40, "buffers": {"rows": True}}],
    ids=["plain", "all seats, cut off", "to the end, in rows"],
)
def test_a_gpu_gives_the_numbers_of_a_cpu(case: Case, settings: dict[str, Any]) -> None:
    if not has_gpu():
        pytest.skip("no NVIDIA GPU here")
    from ludens.gpu.check import first_difference

    assert first_difference(case.game, 300, 120, seed=8, options=case.options, **settings) == ""


@pytest.mark.parametrize(
    "settings",
    [
        "azul 2 3 80",
        "azul 4 5 60 all_seats=1 longest=20",
        "scotland_yard_grid 2 4 50 rows=1",
        "scotland_yard 4 3 40 autoreset=0 longest=25",
        "catan 3 2 50 longest=25 rows=1",
        "discovery 3 2 24 all_seats=1 longest=11",
    ],
)
def test_the_kernels_of_a_gpu_run_as_plain_python_give_the_numbers_of_a_cpu(settings: str) -> None:
    pytest.importorskip("torch")
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance.gpu_stand_in", *settings.split()],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "the same", done.stderr


def can_compile() -> bool:
    """Are numba-cuda and the compiler of the CUDA toolkit here? A GPU is not needed."""
    pytest.importorskip("numba_cuda")
    from ludens.gpu.kernels import sample_kernel

    try:
        sample_kernel().ptx(_HOPPER)
    except Exception as missing:  # whatever the loader of the toolkit's libraries raises
        if "nvvm" in str(missing).lower() or "nvrtc" in str(missing).lower():
            return False
        raise
    return True


@pytest.mark.slow
@over_games
def test_every_verb_of_a_batch_compiles_for_a_gpu(game: Game) -> None:
    if not can_compile():
        pytest.skip("no libraries of the CUDA toolkit here")
    from ludens.gpu.kernels import GameKernels, play_kernel

    made = GameKernels(game)
    for kernel in (made.step, made.observe, play_kernel(game), made.prior):
        name, text = kernel.ptx(_HOPPER)
        assert f".entry {name}(" in text
        assert ".const" not in text  # the tables are where there is room for them
        if kernel is not made.step and kernel is not made.observe:
            continue
        assert "fma.rn" not in text  # a fused product rounds otherwise than on a CPU


def test_a_kernel_of_a_gpu_is_known_by_the_rules_it_is_compiled_from() -> None:
    pytest.importorskip("numba_cuda")
    from ludens.gpu.kernels import GameKernels

    paths = [GameKernels(game).step._path(_HOPPER) for game in all_games()]
    assert len(set(paths)) == len(paths)
    assert paths == [GameKernels(game).step._path(_HOPPER) for game in all_games()]
    assert paths[0] != GameKernels(all_games()[0]).step._path((8, 0))


def test_a_missing_gpu_is_one_sentence() -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(BadInput, match="NVIDIA GPU"):
        torch_with_gpu()
    pytest.importorskip("numba_cuda")
    from ludens.gpu.batch import GpuBatch

    with pytest.raises(BadInput, match="NVIDIA GPU"):
        GpuBatch("azul", 4)


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        ("CUDA out of memory. Tried to allocate 9 GiB.", "too little memory for a step: take fewer games"),
        ("CUDA error 999 in cuLaunchKernel: unknown error", "was lost during a step; start again"),
    ],
)
def test_a_full_or_lost_gpu_is_one_sentence(raised: str, told: str) -> None:
    with pytest.raises(BadInput, match=told), gpu_errors("a step"):
        raise RuntimeError(raised)


@pytest.mark.parametrize("words", ["no such thing", "Expected a 'cuda' device type for generator but found 'cpu'"])
def test_other_errors_stay_what_they_are(words: str) -> None:
    with pytest.raises(RuntimeError, match=words), gpu_errors("a step"):
        raise RuntimeError(words)


@pytest.mark.gpu
def test_what_is_wrong_is_refused_and_changes_nothing() -> None:
    if not has_gpu():
        pytest.skip("no NVIDIA GPU here")
    import torch

    from ludens.gpu.batch import GpuBatch

    batch = GpuBatch("azul", 10, seed=3)
    out = batch.buffers()
    with pytest.raises(BadInput, match="reset first"):
        batch.step(torch.zeros(10, dtype=torch.int64, device="cuda"), out)
    batch.reset(out)
    before = batch.save()
    good = batch.sample()
    for bad in (-1, 5000, 304):
        actions = good.clone()
        actions[7] = bad
        with pytest.raises(BadInput, match=f"Action {bad} of game 7 is not legal"):
            batch.step(actions, out)
    with pytest.raises(BadInput, match="10 games need 10 actions"):
        batch.step(good[:9], out)
    with pytest.raises(BadInput, match="whole numbers"):
        batch.step(good.float(), out)
    with pytest.raises(BadInput, match="weights of game 0"):
        batch.sample(torch.full((10, 306), float("nan"), device="cuda"))
    with pytest.raises(BadInput, match="There is no GPU cuda:99"):
        GpuBatch("azul", 10, device="cuda:99")
    with pytest.raises(BadInput, match="too little memory"):
        GpuBatch("discovery", 2**31)
    after = batch.save()
    assert [name for name in before if not np.array_equal(before[name], after[name]) and name != "policy"] == []
