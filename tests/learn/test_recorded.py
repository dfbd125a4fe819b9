"""What a GPU records of self-play, replayed here operation by operation: the same numbers as without.

A recorded graph repeats its operations on the same memory, asks nobody and returns nothing. `Tape` does so too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch.optim import AdamW  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402
from torch.utils._pytree import tree_flatten  # noqa: E402

from ludens.core import registry  # noqa: E402
from ludens.learn import ppo  # noqa: E402
from ludens.learn.learner import Setup  # noqa: E402
from ludens.learn.ppo import PPO, Settings, _by_comparing  # noqa: E402
from ludens.learn.recorded import Name, Recorded  # noqa: E402

SMALL = Settings(
    against=("self",), schedule=9, games=24, horizon=4, width=16, minibatches=3, random_decisions=60, league_every=4,
    league=0.5, endings="walls",
)  # fmt: skip
WAITING = ("aten::_local_scalar_dense", "aten::nonzero", "aten::item")
FROM_THE_CPU = ("aten::lift_fresh", "aten::where.Scalar")
RANDOM = ("aten::exponential_", "aten::rand")


class Tape(TorchDispatchMode):
    """Records operations while they run, and runs them again on the same tensors."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[tuple[Any, Any, Any, Any]] = []

    def __torch_dispatch__(self, function: Any, _: Any, given: Any = (), named: Any = None) -> Any:
        assert not function.name().startswith((*WAITING, *FROM_THE_CPU, *RANDOM)), f"{function.name()} is not recorded"
        out = function(*given, **(named or {}))
        self.made.append((function, given, named or {}, out))
        return out

    def replay(self) -> None:
        with torch.no_grad():
            for function, given, named, out in self.made:
                again = function(*given, **named)
                for old, new in zip(tree_flatten(out)[0], tree_flatten(again)[0]):
                    if isinstance(old, torch.Tensor) and old.data_ptr() != new.data_ptr():
                        old.copy_(new)


class Taped(Recorded):
    """Records as on a GPU, after as many plain runs."""

    def __init__(self, wanted: bool, device: Any) -> None:
        super().__init__(False, device)

    def run(self, name: Name | None, work: Callable[..., None], *arguments: Any) -> None:
        if name in self._graphs:
            self._graphs[name].replay()
            return
        key = name or ("never",)
        made = self._runs[key] = self._runs.get(key, 0) + 1
        if name is None or made <= 2:
            work(*arguments)
        else:
            self._graphs[name] = Tape()
            with self._graphs[name]:
                work(*arguments)

    def forget(self) -> None:
        self._graphs.clear()
        self._runs.clear()


class FusedAdam(AdamW):
    """The optimiser as on a GPU: its counts and its rate are tensors."""

    def __init__(self, parameters: Any, **settings: Any) -> None:
        super().__init__(parameters, **{**settings, "fused": True})


@pytest.fixture
def as_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(1)
    monkeypatch.setattr(torch.optim, "AdamW", FusedAdam)


def fused_run(**changes: Any) -> PPO:
    run = learner("azul", {"players": 3}, **changes)
    run._rate = torch.tensor(run.settings.learning_rate)
    return run


def learner(game: str, options: dict[str, Any], **changes: Any) -> PPO:
    found = registry.game(game)
    values = found.options({**found.spec.tournament, **options})
    run = PPO(Setup(found, values, replace(SMALL, **changes), 3, ("self",), 9))
    run.start()
    return run


def weights(run: PPO) -> list[np.ndarray]:
    return [array for _, array in sorted(run.trained_network().arrays.items())]


@pytest.mark.parametrize(("cloning", "without_league"), [(0, 1), (2, 0)])
def test_replaying_gives_the_same_numbers(
    cloning: int, without_league: int, as_on_a_gpu: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = fused_run(behaviour_cloning_steps=cloning)
    figures = [plain.step(k) for k in range(9)]
    monkeypatch.setattr(ppo, "Recorded", Taped)
    taped = fused_run(behaviour_cloning_steps=cloning)
    assert [taped.step(k) for k in range(9)] == figures
    updates_and_looking_back = 2
    assert len(taped._recorded) == updates_and_looking_back + (1 + without_league) * (SMALL.horizon + 1)
    assert figures[-1]["games"] > 0
    for ours, theirs in zip(weights(taped), weights(plain)):
        assert np.array_equal(ours, theirs)


def test_a_run_that_was_saved_is_recorded_anew(as_on_a_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ppo, "Recorded", Taped)
    whole, first, second = fused_run(), fused_run(), fused_run()
    figures = [whole.step(k) for k in range(8)]
    for k in range(4):
        first.step(k)
        second.step(k)
    saved = first.save()
    first.step(4)
    second.load(*saved)
    assert not len(second._recorded)
    assert [second.step(k) for k in range(4, 8)] == figures[4:]
    for ours, theirs in zip(weights(second), weights(whole)):
        assert np.array_equal(ours, theirs)


def test_the_number_of_an_action_is_found_by_comparing_too() -> None:
    numbers = torch.randn(50, 7, generator=torch.Generator().manual_seed(1)).requires_grad_()
    action = torch.arange(50) % 7
    compared, gathered = _by_comparing(numbers, action), numbers.gather(1, action[:, None]).squeeze(1)
    assert torch.equal(compared, gathered)
    slopes = [torch.autograd.grad((found * found).sum(), numbers)[0] for found in (compared, gathered)]
    assert torch.equal(*slopes)


@pytest.mark.parametrize("game", ["azul", "discovery"])
def test_a_joined_network_says_and_learns_the_same_up_to_rounding(game: str) -> None:
    rows: dict[str, Any] = {"architecture": "rows", "row_width": 16} if game == "discovery" else {}
    apart, joined = (learner(game, {}, games=8, endings="", **rows) for _ in range(2))
    for module in (joined.module, *(rival.module for rival in joined.rivals)):
        module.joined = True
    for k in range(3):
        one, other = apart.step(k), joined.step(k)
        assert list(one.values()) == pytest.approx(list(other.values()), rel=1e-3, abs=1e-5)
    for ours, theirs in zip(weights(joined), weights(apart)):
        assert np.allclose(ours, theirs, atol=1e-4)


class Graph:
    """What a driver would do with a graph, told in words."""

    told: ClassVar[list[str]] = []

    def capture_begin(self, **_: Any) -> None:
        self.told.append("begin")

    def capture_end(self) -> None:
        self.told.append("end")

    def replay(self) -> None:
        self.told.append("replay")


class BrokenGraph(Graph):
    def capture_begin(self, **_: Any) -> None:
        raise RuntimeError("no graphs here")


class NoStream:
    """A stream of a GPU that is not there."""

    def __init__(self, *_: Any) -> None: ...

    def wait_stream(self, _: Any) -> None: ...


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Graph, "told", [])
    for name, fake in {
        "CUDAGraph": Graph, "Stream": NoStream, "current_stream": NoStream, "graph_pool_handle": tuple,
        "synchronize": lambda *_: None, "stream": lambda _: nullcontext(),
    }.items():  # fmt: skip
        monkeypatch.setattr(torch.cuda, name, fake)


def test_work_is_done_plainly_twice_then_recorded_and_replayed(no_gpu: None) -> None:
    recorded = Recorded(True, torch.device("cpu"))
    for _ in range(4):
        recorded.run(("telling", 0), Graph.told.append, "work")
        recorded.run(None, Graph.told.append, "never recorded")
    told = [words for words in Graph.told if words != "never recorded"]
    assert told == ["work", "work", "begin", "work", "end", "replay", "replay"] and len(recorded) == 1
    assert Graph.told.count("never recorded") == 4
    recorded.forget()
    assert not len(recorded)


def test_work_that_cannot_be_recorded_is_done_plainly(no_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "CUDAGraph", BrokenGraph)
    recorded, done = Recorded(True, torch.device("cpu")), list[int]()
    for k in range(2):
        recorded.run(("adding", 0), done.append, k)
    with pytest.warns(UserWarning, match=r"without a recorded graph of adding.*no graphs here"):
        recorded.run(("adding", 0), done.append, 2)
    for k in range(3, 6):
        recorded.run(("adding", 1), done.append, k)  # the same kind of work: not tried again, and no other warning
    assert done == list(range(6)) and not len(recorded)
