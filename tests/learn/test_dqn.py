"""DQN: its memory and its targets by hand, its masks; it learns letters in a second."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludens.core.errors import BadInput  # noqa: E402
from ludens.learn.dqn import DQN, Settings, _Memory  # noqa: E402
from tests.learn.toy_games import LETTERS, Letters, network  # noqa: E402

SMALL = Settings(
    games=16, length=8, memory=512, warm_up=64, batch=32, schedule=40, rate=0.01, lookahead=2, copy_every=10,
    discount=0.5,
)  # fmt: skip


def test_the_memory_adds_up_what_was_earned_and_stops_at_the_end_of_a_game() -> None:
    """Rewards 1, 2, 3, …; the third decision ends its game; two decisions are looked ahead, discount 0.5."""
    settings = replace(SMALL, games=1, memory=8, warm_up=1)
    memory, games = _Memory(network(), settings), Letters(1)  # whose features tell the number of the decision
    for number in range(1, 6):
        games.features[:] = number
        memory.see(games)
        result = np.array([[0.25, -0.25]]) if number == 3 else np.zeros((1, 2))
        memory.remember(np.array([number % 5]), np.array([float(number)]), np.array([number == 3]), result)
    games.features[:] = 6
    memory.see(games)
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
    memory, games = _Memory(network(), replace(SMALL, games=1, memory=8, warm_up=1)), Letters(1)
    for number in range(1, 21):
        games.features[:] = number
        memory.see(games)
        memory.remember(np.array([0]), np.array([0.0]), np.array([False]), np.zeros((1, 2)))
    games.features[:] = 21
    memory.see(games)
    seen = memory.sample(300, torch.Generator().manual_seed(1))["features"][:, 0]
    assert set(seen.int().tolist()) == set(range(14, 20))


@pytest.mark.parametrize(("target", "value"), [("double", 10), ("single", 20)])
def test_the_target_is_the_slow_value_of_the_action_that_the_network_or_the_copy_prefers(
    target: str, value: int
) -> None:
    """The network prefers action 1 of those legal, the slow copy values it 10; its own largest of those is 20."""
    run = DQN(network(), replace(SMALL, target=target), 1)
    some = {
        "features": torch.zeros(1, LETTERS), "action": torch.tensor([0]), "earned": torch.tensor([3.0]),
        "follows": torch.tensor([0.5]), "results": torch.zeros(1, 2), "next": torch.ones(1, LETTERS),
        "next_mask": torch.tensor([[True, True, True, True, False]]),
    }  # fmt: skip
    run.memory.sample = lambda size, random: some  # type: ignore[method-assign]
    run.random = torch.Generator()
    with torch.no_grad():
        for module, biases in ((run.module, [0.0, 5, 1, 1, 9]), (run.slow, [20.0, 10, 0, 0, 99])):
            module.policy.weight.zero_()
            assert module.policy.bias is not None
            module.policy.bias.copy_(torch.tensor(biases))
    assert run._improve()["q"] == pytest.approx(3 + 0.5 * value)


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(BadInput, match="target must be one of double, single"):
        DQN(network(), replace(SMALL, target="triple"), 1)


def test_letters_are_learned_and_illegal_actions_never_played() -> None:
    games, run = Letters(SMALL.games), DQN(network(), SMALL, 1)
    shares = [run.step(k, games)["right"] for k in range(40)]
    assert np.mean(shares[:3]) < 0.6
    assert np.mean(shares[-5:]) > 0.85


def test_what_was_saved_goes_on_as_if_nothing_had_happened() -> None:
    whole, broken = DQN(network(), SMALL, 1), DQN(network(), SMALL, 1)
    games = Letters(SMALL.games)
    figures = [whole.step(k, games) for k in range(6)]
    games = Letters(SMALL.games)
    for k in range(3):
        broken.step(k, games)
    again = DQN(network(seed=5), SMALL, 1)
    saved = broken.save()
    again.load(saved)
    assert [again.step(k, games) for k in range(3, 6)] == figures[3:]
    for name, array in whole.save().items():
        assert np.array_equal(array, again.save()[name]), name
    with pytest.raises(ValueError, match="memory"):
        again.load({**saved, "memory/features": saved["memory/features"][:40]})


def test_a_memory_smaller_than_its_warm_up_is_refused() -> None:
    with pytest.raises(BadInput, match="no room for a warm_up"):
        DQN(network(), replace(SMALL, memory=64), 1)
