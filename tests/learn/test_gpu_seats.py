"""The games of learners on a GPU: the numbers of the CPU, the kernel compiles, refusals."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")

from ludens.core import registry  # noqa: E402
from ludens.core.errors import BadInput  # noqa: E402
from ludens.learn.algorithms import algorithm_for  # noqa: E402
from ludens.learn.gpu_opposition import GpuOpposition  # noqa: E402
from ludens.learn.learner import Setup  # noqa: E402
from ludens.learn.ppo import Settings  # noqa: E402
from ludens.play.gpu_seats import SeatTask, seat_kernel  # noqa: E402
from tests.conformance.test_gpu import _HOPPER, can_compile, has_gpu  # noqa: E402

AZUL = registry.game("azul")
OPTIONS = AZUL.options({"players": 2})


def test_games_and_learner_on_a_gpu_are_those_on_the_cpu() -> None:
    """Its kernels run as plain Python here; with a learner against everybody who plays there."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.learn.gpu_games", "result", "lead", "projected:c=2"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert done.stdout.split() == ["same"] * 4, done.stdout + done.stderr


@pytest.mark.slow
def test_the_kernel_compiles_for_a_gpu() -> None:
    if not can_compile():
        pytest.skip("no libraries of the CUDA toolkit here")
    assert AZUL.learning is not None
    name, text = seat_kernel(AZUL, SeatTask(**AZUL.learning()["on_gpu"])).ptx(_HOPPER)
    assert f".entry {name}(" in text
    assert ".const" not in text
    assert "fma.rn" not in text


@pytest.mark.parametrize(
    ("game", "against", "teacher", "told"),
    [
        ("azul", ("mcts",), "", "opponents are random, heuristic, self, past, not mcts"),
        ("azul", ("random",), "heuristic", "the teacher is prior, not heuristic"),
        ("discovery", ("random",), "", "no games for learners on a GPU"),
    ],
)
def test_who_cannot_play_there_is_refused(game: str, against: tuple[str, ...], teacher: str, told: str) -> None:
    chosen = registry.game(game)
    choosers = {"self": None, "past": None}
    with pytest.raises(BadInput, match=told):
        GpuOpposition(chosen, chosen.options({"players": 2}), 2, against, choosers, teacher=teacher)  # type: ignore[arg-type]


def test_a_device_that_is_not_there_is_refused() -> None:
    make = algorithm_for(AZUL, "ppo").make
    with pytest.raises(BadInput, match="cpu or cuda, not 'gpu'"):
        make(Setup(AZUL, OPTIONS, Settings(device="gpu"), 1, ("random",)))
    if not has_gpu():
        with pytest.raises(BadInput, match="needs an NVIDIA GPU"):
            make(Setup(AZUL, OPTIONS, Settings(device="cuda"), 1, ("random",)))
