"""Linear values: the rules of CA-41 … CA-44 on chains of positions, and self-play on a toy table."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core.errors import BadInput
from ludens.core.verbs import TERMINAL
from ludens.learn.linear import RULES, LinearLearner, LinearTraining, learn_game, self_play


def play_chain(learner: LinearLearner, xs: list[list[float]], rewards: list[float]) -> None:
    """Positions one after another; rewards[k] follows xs[k], the last one ends the game."""
    learner.begin()
    for k, x in enumerate(xs):
        learner.meet(np.array(x), rewards[k - 1] if k else 0.0)
    learner.finish(rewards[-1])


def learner(rule: str, alpha: float = 0.1, size: int = 2, **settings: float) -> LinearLearner:
    return LinearLearner(LinearTraining(rule, tau=1 / alpha, squared_length=1.0, **settings), np.zeros(size))  # type: ignore[arg-type]


def test_ca_43_the_test_vector_of_true_online_td() -> None:
    one = learner("true-online", gamma=0.9, trace=0.8)
    play_chain(one, [[1, 0], [0, 1]], [-5, 100])
    assert one.weights == pytest.approx([6.7, 10])
    play_chain(one, [[1, 0], [0, 1]], [-5, 100])
    assert one.weights == pytest.approx([12.91, 19])


def test_ca_53_the_step_size_of_the_thesis() -> None:
    assert LinearTraining(tau=10).alpha == pytest.approx(0.00025)


def test_ca_72_exploration_falls_with_the_games_played() -> None:
    settings = LinearTraining()
    assert [settings.epsilon(game) for game in (0, 499, 500, 1000, 2000, 5199)] == [0.4, 0.4, 0.2, 0.1, 0.05, 0.05]


def test_without_a_trace_true_online_td_and_td_lambda_are_sarsa() -> None:
    xs, rewards = [[1.0, 0.5], [0.2, 1.0], [0.7, 0.7]], [-5.0, -5.0, 100.0]
    found = []
    for rule in ("sarsa", "td-lambda", "true-online"):
        one = learner(rule, trace=0.0)
        for _ in range(3):
            play_chain(one, xs, rewards)
        found.append(one.weights)
    assert found[1] == pytest.approx(found[0])
    assert found[2] == pytest.approx(found[0])


@pytest.mark.parametrize("rule", RULES)
def test_ca_41_every_rule_finds_the_values_of_a_chain(rule: str) -> None:
    one = learner(rule, alpha=0.05, size=3, gamma=0.9, trace=1.0 if rule == "true-online" else 0.5)
    for _ in range(2000):
        play_chain(one, [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-5, -5, 100])
    assert one.weights == pytest.approx([-5 + 0.9 * 85, 85, 100], rel=0.01)


class Coin:
    """A table of two seats; the seat with the greater weight on its feature wins."""

    seats, features = 2, 2

    def __init__(self) -> None:
        self.weights: list[np.ndarray] = [np.zeros(2), np.zeros(2)]
        self.x: np.ndarray = np.zeros(2)

    def begin(self, seed: int) -> None:
        self._turn, self.seed = 0, seed

    def next_turn(self, epsilon: np.ndarray) -> int:
        if self._turn == 4:
            return TERMINAL
        seat = self._turn % 2
        self.x[:] = [1.0, seat]
        self._turn += 1
        return seat

    def final_reward(self, seat: int) -> float:
        return 10.0 * seat

    def result(self) -> dict[str, float]:
        return {"winner": 1.0}


def test_ca_70_the_seats_of_self_play_start_alike_and_are_averaged() -> None:
    table, settings, weights = Coin(), LinearTraining(tau=10, squared_length=1.0, turn_reward=0.0), np.zeros(2)
    figures = self_play(table, settings, weights, 0, 7)
    assert weights == pytest.approx(np.mean(table.weights, axis=0))
    assert weights[1] > 0
    assert figures["squared_length"] == pytest.approx(1.5)
    again = np.zeros(2)
    self_play(Coin(), settings, again, 0, 7)
    assert (again == weights).all()


def test_a_seat_without_a_learner_keeps_its_weights() -> None:
    table = Coin()
    table.weights[0][:] = 3.0
    learn_game(table, [None, LinearLearner(LinearTraining(), table.weights[1])], 1, [0.0, 0.0])
    assert table.weights[0].tolist() == [3.0, 3.0]
    assert table.weights[1].any()


def test_learning_that_diverges_says_what_to_do() -> None:
    settings = LinearTraining(tau=1e-160, squared_length=1e-160)
    with pytest.raises(BadInput, match="greater tau"), np.errstate(all="ignore"):
        self_play(Coin(), settings, np.zeros(2), 0, 1)


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [("rule", "true-onlin", "true-online"), ("tau", 0.0, "tau"), ("gamma", 1.5, "gamma"), ("trace", -1.0, "trace")],
)
def test_settings_out_of_bounds_are_refused(key: str, value: object, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        LinearTraining(**{key: value})  # type: ignore[arg-type]
