"""PPO: its advantages by hand, its masks, its earlier selves, its teacher; it learns letters in a second."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludens.learn.ppo import PPO, Settings, _draw  # noqa: E402
from tests.learn.toy_games import LETTERS, Letters, network  # noqa: E402

SMALL = Settings(games=32, length=4, parts=2, schedule=40, rate=0.01, last_rate=0.003, past_every=2, most_past=2)


def test_advantages_follow_the_formula_and_end_with_the_game() -> None:
    """Three decisions of one game, which ends with the second; discount 0.5, smoothing 0.8."""
    run = PPO(network(), Settings(length=3, discount=0.5, smoothing=0.8), 1)
    kept = {
        "values": torch.tensor([[[1.0, 0.1, -0.1]], [[2.0, 0.2, -0.2]], [[3.0, 0.3, -0.3]]]),
        "earned": torch.tensor([[[4.0, 0.0, 0.0]], [[5.0, 1.0, -1.0]], [[6.0, 0.0, 0.0]]]),
        "ended": torch.tensor([[False], [True], [False]]),
        "next": torch.tensor([[8.0, 0.4, -0.4]]),
    }
    run._look_back(kept)
    third = 6 + 0.5 * 8 - 3
    second = 5 - 2
    first = (4 + 0.5 * 2 - 1) + 0.5 * 0.8 * second
    assert kept["advantage"][:, 0].tolist() == pytest.approx([first, second, third])
    assert kept["goal"][:, 0, 0].tolist() == pytest.approx([first + 1, second + 2, third + 3])
    result = (0.2 - 0.1) + 0.8 * (1 - 0.2)  # results are not discounted
    assert kept["goal"][0, 0, 1:].tolist() == pytest.approx([0.1 + result, -0.1 - result])


def test_actions_are_drawn_by_their_probabilities_and_illegal_ones_never() -> None:
    logits = torch.tensor([[0.0, -1e9, np.log(3.0), -1e9]]).repeat(4000, 1)
    drawn = torch.bincount(_draw(logits, torch.Generator().manual_seed(1)), minlength=4)
    assert drawn[1] == drawn[3] == 0
    assert drawn[2].item() / 4000 == pytest.approx(0.75, abs=0.03)


def test_letters_are_learned_from_the_reward() -> None:
    games, run = Letters(SMALL.games), PPO(network(), SMALL, 1)
    shares = [run.step(k, games)["right"] for k in range(40)]
    assert np.mean(shares[:3]) < 0.6
    assert np.mean(shares[-3:]) > 0.9


def test_a_teacher_is_copied_first() -> None:
    settings = Settings(games=32, length=4, parts=2, rate=0.01, teacher="anybody", teacher_steps=12)
    games, run = Letters(settings.games), PPO(network(), settings, 1)
    losses = [run.step(k, games)["policy_loss"] for k in range(12)]
    assert losses[-1] < 0.2 < losses[0]


def test_the_expected_result_is_learned_beside_another_reward() -> None:
    """Who names all letters wins all games: the reward is 1 a letter, the result 1 a game."""
    games, run = Letters(SMALL.games), PPO(network(), SMALL, 1)
    for k in range(40):
        run.step(k, games)
    _, values = run._think(torch.eye(LETTERS), torch.ones(LETTERS, LETTERS + 1).bool())
    assert values[:, 1].mean() > 0.5
    assert (values[:, 1] + values[:, 2]).abs().max() < 0.3


def test_earlier_selves_join_and_the_oldest_thin_out() -> None:
    games, run = Letters(SMALL.games), PPO(network(), SMALL, 1)
    for k in range(8):
        run.step(k, games)
    assert len(run.past) == SMALL.most_past
    assert torch.equal(run.past[-1]["policy.weight"], run.module.state_dict()["policy.weight"])
    assert games.seeds == [1_000_003 + k for k in range(8)]


def test_what_was_saved_goes_on_as_if_nothing_had_happened() -> None:
    whole, broken = PPO(network(), SMALL, 1), PPO(network(), SMALL, 1)
    games = Letters(SMALL.games)
    figures = [whole.step(k, games) for k in range(6)]
    games = Letters(SMALL.games)
    for k in range(3):
        broken.step(k, games)
    again = PPO(network(seed=5), SMALL, 1)
    again.load(broken.save())
    assert [again.step(k, games) for k in range(3, 6)] == figures[3:]
    for name, array in whole.save().items():
        assert np.array_equal(array, again.save()[name]), name
