"""DQN: its replay memory, its targets and its loss by hand; what was saved goes on exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludens.core import registry  # noqa: E402
from ludens.core.errors import BadInput  # noqa: E402
from ludens.learn.dqn import DQN, Settings, _Replay  # noqa: E402
from ludens.learn.learner import Setup  # noqa: E402
from ludens.networks.layout import PlainLayout  # noqa: E402

AZUL = registry.game("azul")
OPTIONS = AZUL.options({"players": 2, "round_limit": 50})
LAYOUT = PlainLayout(inputs=4, actions=5, seats=2, width=16, blocks=1, auxiliary={"critic": 1})
SMALL = Settings(
    games=16, horizon=8, replay_size=512, warm_up=64, batch=32, schedule=40, n_step=2, target_every=10, discount=0.5,
    width=16,
)  # fmt: skip
MASK = np.ones((1, 5), np.int8)


def learner(**changes: Any) -> DQN:
    run = DQN(Setup(AZUL, OPTIONS, replace(SMALL, **changes), 1, ("heuristic", "self", "target"), 6))
    run.start()
    return run


def test_the_memory_adds_up_what_was_earned_and_stops_at_the_end_of_a_game() -> None:
    """Rewards 1, 2, 3, …; the third decision ends its game; two decisions are looked ahead, discount 0.5."""
    settings = replace(SMALL, games=1, replay_size=8, warm_up=1)
    memory = _Replay(LAYOUT, settings)  # whose features tell the number of the decision
    for number in range(1, 6):
        memory.see(np.full((1, 4), number), MASK)
        result = np.array([[0.25, -0.25]]) if number == 3 else np.zeros((1, 2))
        memory.remember(np.array([number % 5]), np.array([float(number)]), np.array([number == 3]), result)
    memory.see(np.full((1, 4), 6), MASK)
    some = memory.sample(200, torch.Generator().manual_seed(1))
    found = {
        int(features[0]): (int(action), float(earned), float(follows), results.tolist(), int(after[0]))
        for features, action, earned, follows, results, after in zip(
            *(some[name] for name in ("features", "action", "earned", "follows", "results", "next")), strict=True
        )
    }
    assert found == {
        1: (1, 1 + 0.5 * 2, 0.25, [0, 0], 3),
        2: (2, 2 + 0.5 * 3, 0, [0.25, -0.25], 4),
        3: (3, 3, 0, [0.25, -0.25], 5),
        4: (4, 4 + 0.5 * 5, 0.25, [0, 0], 6),
    }  # the fifth has no decision two after it yet


def test_the_memory_forgets_the_oldest() -> None:
    memory = _Replay(LAYOUT, replace(SMALL, games=1, replay_size=8, warm_up=1))
    for number in range(1, 21):
        memory.see(np.full((1, 4), number), MASK)
        memory.remember(np.array([0]), np.array([0.0]), np.array([False]), np.zeros((1, 2)))
    memory.see(np.full((1, 4), 21), MASK)
    seen = memory.sample(300, torch.Generator().manual_seed(1))["features"][:, 0]
    assert set(seen.int().tolist()) == set(range(14, 20))


@pytest.mark.parametrize(("target", "value"), [("double", 10), ("single", 20)])
def test_the_target_is_the_target_networks_value_of_the_action_that_one_of_them_prefers(
    target: str, value: int
) -> None:
    """The network prefers action 1 of those legal, the target network values it 10; its own largest is 20."""
    run, inputs, actions = learner(target=target), AZUL.spec.observation_size(OPTIONS), AZUL.spec.actions
    legal = torch.zeros(1, actions, dtype=torch.bool)
    legal[0, :4] = True
    some = {
        "features": torch.zeros(1, inputs), "action": torch.tensor([0]), "earned": torch.tensor([3.0]),
        "follows": torch.tensor([0.5]), "results": torch.zeros(1, 2), "next": torch.ones(1, inputs),
        "next_mask": legal,
    }  # fmt: skip
    run.replay.sample = lambda size, random: some  # type: ignore[method-assign]
    with torch.no_grad():
        networks: list[Any] = [run.module, run.target]
        for module, biases in zip(networks, ([0.0, 5, 1, 1, 9], [20.0, 10, 0, 0, 99]), strict=True):
            module.policy.weight.zero_()
            module.policy.bias.zero_()
            module.policy.bias[:5] = torch.tensor(biases)
    assert run._improve()["q"] == pytest.approx(3 + 0.5 * value)


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(BadInput, match="target must be one of double, single"):
        learner(target="triple")


def test_the_loss_is_the_mean_square_of_the_surprise() -> None:
    """Q is 2, the goal 3 and nothing follows; the results are told as 0.5 and -0.5 and are 1 and -1."""
    run, inputs, actions = learner(value_coefficient=0.5), AZUL.spec.observation_size(OPTIONS), AZUL.spec.actions
    some = {
        "features": torch.zeros(4, inputs), "action": torch.tensor([0] * 4), "earned": torch.full((4,), 3.0),
        "follows": torch.zeros(4), "results": torch.tensor([[1.0, -1.0]] * 4), "next": torch.ones(4, inputs),
        "next_mask": torch.ones(4, actions, dtype=torch.bool),
    }  # fmt: skip
    run.replay.sample = lambda size, random: some  # type: ignore[method-assign]
    module: Any = run.module
    with torch.no_grad():
        module.policy.weight.zero_()
        module.policy.bias.fill_(2.0)
        module.value.weight.zero_()
        module.value.bias.copy_(torch.tensor([0.5, -0.5]).atanh())
    figures = run._improve()
    assert figures["q_loss"] == pytest.approx(1.0)
    assert figures["value_loss"] == pytest.approx(0.25)
    assert module.policy.bias[0] > 2.0


def test_what_was_saved_goes_on_as_if_nothing_had_happened() -> None:
    whole, broken = learner(), learner()
    figures = [whole.step(k) for k in range(6)]
    for k in range(3):
        broken.step(k)
    arrays, facts = broken.save()
    again = DQN(whole.setup)
    again.load(arrays, facts)
    assert [again.step(k) for k in range(3, 6)] == figures[3:]
    for name, array in whole.save()[0].items():
        assert np.array_equal(array, again.save()[0][name]), name
    with pytest.raises(ValueError, match="memory"):
        again.load({**arrays, "replay/features": arrays["replay/features"][:40]}, facts)


def test_a_memory_smaller_than_its_warm_up_is_refused() -> None:
    with pytest.raises(BadInput, match="no room for a warm_up"):
        learner(replay_size=64)
