"""Learners on a GPU: the numbers of the CPU, no tensor on the wrong device, kernels compile, refusals."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")

from ludens.core import registry  # noqa: E402
from ludens.core.errors import BadInput  # noqa: E402
from ludens.core.spec import Game  # noqa: E402
from ludens.gpu.kernels import GameKernels  # noqa: E402
from ludens.learn.algorithms import algorithm_for  # noqa: E402
from ludens.learn.learner import Setup  # noqa: E402
from ludens.learn.ppo import Settings  # noqa: E402
from ludens.play.batch import SeatedGames, Teacher  # noqa: E402
from ludens.play.opponents import Opponents  # noqa: E402
from tests.conformance.pretended_gpu import pretending  # noqa: E402
from tests.conformance.test_gpu import _HOPPER, can_compile, has_gpu, over_games  # noqa: E402

AZUL = registry.game("azul")
OPTIONS = AZUL.options({"players": 2})


def told_by(*words: str) -> list[str]:
    """What the kernels say, which run as plain Python there."""
    command = [sys.executable, "-m", "tests.learn.gpu_games", *words]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    return done.stdout.split() or [done.stderr]


@pytest.mark.parametrize(
    "words",
    [
        ("azul", "result", "random", "heuristic"),
        ("azul", "lead", "random", "league"),
        ("azul", "projected:c=2", "heuristic"),
        ("scotland_yard_grid", "lead", "random", "self"),
    ],
)
def test_games_on_a_gpu_are_those_on_the_cpu(words: tuple[str, ...]) -> None:
    assert told_by("games", *words) == ["same"]


@pytest.mark.parametrize(
    "words",
    [
        ("azul", "wall", "heuristic", "league", "self"),
        ("azul", "result", "self"),
        ("scotland_yard_grid", "lead", "random", "league"),
    ],
)
def test_no_tensor_and_no_generator_is_on_the_wrong_device(words: tuple[str, ...]) -> None:
    assert told_by("learner", *words) == ["same"]


def test_the_pretended_gpu_notices_mistakes_of_devices() -> None:
    with pretending():
        there, here = torch.zeros(3, device="cuda"), torch.ones(3)
        assert (there + 1).device.type == "cuda" and here.device.type == "cpu"
        assert (there + here.to("cuda")).cpu().tolist() == [1.0] * 3
        with pytest.raises(RuntimeError, match="same device"):
            there + here
        with pytest.raises(RuntimeError, match="Expected a 'cuda' device type for generator but found 'cpu'"):
            there.exponential_(generator=torch.Generator())
        with pytest.raises(RuntimeError, match="Expected a 'cpu' device type for generator but found 'cuda'"):
            torch.randperm(3, generator=torch.Generator("cuda"))
        with pytest.raises(TypeError, match="numpy"):
            there.numpy()
        module = torch.nn.Linear(3, 2).to("cuda")
        with pytest.raises(RuntimeError, match="same device"):
            module(here)
        module(there).sum().backward()
        assert module.weight.grad is not None and module.weight.grad.device.type == "cuda"


@pytest.mark.slow
@over_games
def test_the_kernels_of_learners_compile_for_a_gpu(game: Game) -> None:
    if not can_compile():
        pytest.skip("no libraries of the CUDA toolkit here")
    made = GameKernels(game, seated=True)
    for kernel in (made.step, made.scores, *([made.reward] if made.reward is not None else [])):
        name, text = kernel.ptx(_HOPPER)
        assert f".entry {name}(" in text
        assert ".const" not in text
        assert "fma.rn" not in text


def test_who_cannot_play_there_is_refused() -> None:
    opponents = Opponents(AZUL, OPTIONS, 2, pool=["mcts", "random"], held={"self": 0})
    with pytest.raises(BadInput, match=r"opponents are self, league, networks .*, random, heuristic, not mcts"):
        SeatedGames(AZUL, OPTIONS, 2, opponents, device="cuda")
    games = SeatedGames(AZUL, OPTIONS, 2)
    games.device = "cuda"
    with pytest.raises(BadInput, match="the teacher is prior, not heuristic"):
        Teacher(games, "heuristic")


def test_a_device_that_is_not_there_is_refused() -> None:
    if not has_gpu():
        with pytest.raises(BadInput, match="needs an NVIDIA GPU"):
            algorithm_for(AZUL, "ppo").make(Setup(AZUL, OPTIONS, Settings(device="cuda"), 1, ("random",)))
