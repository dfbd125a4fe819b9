"""Linear values learned from games: Monte Carlo, SARSA, TD(λ), True Online TD(λ) (CA-37 … CA-46, CA-70 … CA-75).

The value of a position is wᵀx. Seats meet positions at the ends of their own turns: x₁, x₂, …, and after the last the
end of the game, whose features are the zero vector. From one to the next a seat earns a reward R; all four rules move w
along a gradient, which for linear values is x itself:

    Monte Carlo          w ← w + α (G − wᵀx) x                       with the return G, once the game has ended
    SARSA                w ← w + α (R + γ wᵀx′ − wᵀx) x              on positions after turns: action values are theirs
    TD(λ)                z ← γλ z + x,  w ← w + α δ z                 with δ = R + γ wᵀx′ − wᵀx
    True Online TD(λ)    as TD(λ), corrected so that it equals the λ-return exactly, step by step (van Seijen et al.)

Read from top to bottom: settings, the rules, one seat that learns, games of many, and the learner of `ludens train`:
self-play with averaged weights, a game a step (CA-70). With several `tables` a step is a game at each of them, all from
the same weights; processes or a cluster can play them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ludens.core import registry
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.jit import kernel
from ludens.core.verbs import TERMINAL
from ludens.learn.learner import Setup, kept_array
from ludens.play.schedule import game_seed

__all__ = [
    "RULES",
    "LinearLearner",
    "LinearTraining",
    "SelfPlayLearner",
    "Table",
    "learn_game",
    "self_play",
    "update",
]

RULES = ("monte-carlo", "sarsa", "td-lambda", "true-online")
_MONTE_CARLO, _SARSA, _TD_LAMBDA, _TRUE_ONLINE = range(4)


@dataclass(frozen=True)
class LinearTraining:
    """Hyper-parameters of the rule, with the thesis' values (CA-53, CA-63, CA-71, CA-72), and of the players."""

    rule: str = "true-online"  # one of RULES
    tau: float = 10.0  # visits until a position's value is learned; below 10 it may diverge
    squared_length: float = 400.0  # estimate of E[xᵀx]; α = 1 / (τ · this)
    gamma: float = 0.9  # discount of later rewards
    trace: float = 0.8  # λ: how far back a surprise reaches
    turn_reward: float = -5.0  # after every own turn but the last (CA-39)
    exploration: tuple[tuple[int, float], ...] = ((0, 0.4), (500, 0.2), (1000, 0.1), (2000, 0.05))  # from game …: ε
    reward: str = "points"  # CA-37: points; CA-38: win
    n_actions: int = 3  # of each kind of action that a turn is planned from
    max_offers: int = 3  # offers to players a turn
    normalising_games: int = 200  # random games from which means and deviations of features are estimated (CA-50)
    tables: int = field(default=1, metadata={"unsaid": 1})  # games of a step, all from the same weights

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise did_you_mean(self.rule, RULES, "learning rule")
        if not self.tau > 0 or not self.squared_length > 0:
            raise BadInput("tau and squared_length must be greater than 0.")
        if not 0 <= self.gamma <= 1 or not 0 <= self.trace <= 1:
            raise BadInput("gamma and trace must lie between 0 and 1.")
        starts = [start for start, _ in self.exploration]
        if starts != sorted(starts) or any(not 0 <= epsilon <= 1 for _, epsilon in self.exploration):
            raise BadInput("exploration must have its games in order and chances between 0 and 1.")
        if not 1 <= self.tables <= 10**4:
            raise BadInput(f"The number of tables must be from 1 to {10**4}, not {self.tables}.")
        for name, low, high in (("n_actions", 1, 30), ("max_offers", 0, 30), ("normalising_games", 1, 10**5)):
            if not low <= getattr(self, name) <= high:
                raise BadInput(f"{name} must be from {low} to {high}, not {getattr(self, name)}.")

    @property
    def alpha(self) -> float:
        """The step size (CA-53)."""
        return 1.0 / (self.tau * self.squared_length)

    def epsilon(self, game: int) -> float:
        """The chance of a random turn in the game of this index."""
        return next((chance for start, chance in reversed(self.exploration) if game >= start), 0.0)


@kernel
def update(
    rule: int, w: Any, z: Any, old: Any, x: Any, reward: float, x_next: Any, alpha: float, gamma: float, trace: float
) -> None:
    """One step of SARSA, TD(λ) or True Online TD(λ), in place; `old` is an array of one number, zero before a game."""
    value, value_next, overlap = 0.0, 0.0, 0.0
    for i in range(w.shape[0]):
        value += w[i] * x[i]
        value_next += w[i] * x_next[i]
        overlap += z[i] * x[i]
    delta = reward + gamma * value_next - value
    decay = gamma * trace
    for i in range(w.shape[0]):
        if rule == _SARSA:
            w[i] += alpha * delta * x[i]
        elif rule == _TD_LAMBDA:
            z[i] = decay * z[i] + x[i]
            w[i] += alpha * delta * z[i]
        else:
            z[i] = decay * z[i] + (1.0 - alpha * decay * overlap) * x[i]
            w[i] += alpha * (delta + value - old[0]) * z[i] - alpha * (value - old[0]) * x[i]
    old[0] = value_next


@kernel
def _learn_returns(w: Any, xs: Any, rewards: Any, n: int, alpha: float, gamma: float) -> None:
    """Monte Carlo: every position of the game moves towards the return that followed it, the last one first."""
    total = 0.0
    for k in range(n - 1, -1, -1):
        total = rewards[k] + gamma * total
        value = 0.0
        for i in range(w.shape[0]):
            value += w[i] * xs[k, i]
        for i in range(w.shape[0]):
            w[i] += alpha * (total - value) * xs[k, i]


class LinearLearner:
    """Learns one vector of weights, in place, from the positions and rewards of one seat."""

    def __init__(self, settings: LinearTraining, weights: np.ndarray) -> None:
        self.settings, self.weights = settings, weights
        self._rule = RULES.index(settings.rule)
        self._x, self._end = np.zeros(len(weights)), np.zeros(len(weights))
        self._trace, self._old = np.zeros(len(weights)), np.zeros(1)
        self.begin()

    def begin(self) -> None:
        """A new game: traces are zero (CA-43)."""
        self._trace[:] = 0.0
        self._old[:] = 0.0
        self._met = False
        self._xs: list[np.ndarray] = []
        self._rewards: list[float] = []

    def meet(self, x: np.ndarray, reward: float) -> None:
        """The next position; `reward` is what was earned since the one before."""
        if self._met:
            self._step(reward, x)
        self._x[:] = x
        self._met = True

    def finish(self, reward: float) -> None:
        """The game has ended with this reward."""
        if self._met:
            self._step(reward, self._end)
        if self._rule == _MONTE_CARLO and self._xs:
            xs, rewards = np.array(self._xs), np.array(self._rewards)
            _learn_returns(self.weights, xs, rewards, len(xs), self.settings.alpha, self.settings.gamma)

    def _step(self, reward: float, x_next: np.ndarray) -> None:
        if self._rule == _MONTE_CARLO:
            self._xs.append(self._x.copy())
            self._rewards.append(reward)
            return
        settings = self.settings
        steps = settings.alpha, settings.gamma, settings.trace
        update(self._rule, self.weights, self._trace, self._old, self._x, float(reward), x_next, *steps)


class Table(Protocol):
    """What a game offers to linear learners: games between seats that play by weights."""

    seats: int
    features: int
    weights: list[np.ndarray]  # of every seat; changed in place by who learns there
    x: np.ndarray  # features of the seat whose turn ended last

    def begin(self, seed: int) -> None: ...

    def next_turn(self, epsilon: np.ndarray) -> int: ...  # the seat whose turn ended, or TERMINAL

    def final_reward(self, seat: int) -> float: ...

    def result(self) -> dict[str, float]: ...


def learn_game(
    table: Table, learners: Sequence[LinearLearner | None], seed: int, epsilon: Sequence[float]
) -> dict[str, float]:
    """Plays a game; learners[seat] learns there in place, None plays with what it has. Returns the game's figures."""
    table.begin(seed)
    chances = np.array(epsilon, np.float64)
    for learner in learners:
        if learner is not None:
            learner.begin()
    lengths = []
    while (seat := table.next_turn(chances)) != TERMINAL:
        learner = learners[seat]
        if learner is not None:
            lengths.append(float(table.x @ table.x))
            learner.meet(table.x, learner.settings.turn_reward)
    for seat, learner in enumerate(learners):
        if learner is not None:
            learner.finish(table.final_reward(seat))
            if not np.isfinite(learner.weights).all():
                raise BadInput(
                    "The weights have left all bounds: learning diverges; a greater tau makes smaller steps."
                )
    return {**table.result(), "squared_length": float(np.mean(lengths)) if lengths else 0.0}


def self_play(table: Table, settings: LinearTraining, weights: np.ndarray, game: int, seed: int) -> dict[str, float]:
    """A game of self-play: all seats start from `weights`, each learns its own, and their mean replaces it (CA-70)."""
    learners = []
    for seat in range(table.seats):
        table.weights[seat][:] = weights
        learners.append(LinearLearner(settings, table.weights[seat]))
    figures = learn_game(table, learners, game_seed(seed, game), [settings.epsilon(game)] * table.seats)
    weights[:] = np.mean([table.weights[seat] for seat in range(table.seats)], axis=0)
    return figures


class SelfPlayLearner:
    """All seats learn; their mean is the start of the next game."""

    def __init__(self, setup: Setup) -> None:
        settings = setup.settings
        self._setup = setup
        make_task = setup.game.learning()["linear"]
        self._task = make_task(setup.game, setup.options, settings.reward, settings.n_actions, settings.max_offers)
        self.weights = np.zeros(0)

    def start(self) -> None:
        self._task.estimate(self._setup.settings.normalising_games, self._setup.seed)
        self._table = self._task.table()
        self.weights = np.zeros(self._table.features)

    def step(self, index: int) -> Mapping[str, float]:
        settings = self._setup.settings
        tables = settings.tables
        if tables == 1:
            figures = self_play(self._table, settings, self.weights, index, self._setup.seed)
        else:
            games = range(index * tables, (index + 1) * tables)
            played = self._setup.executor.map(_play_table, [(self._at_table(), settings, game) for game in games])
            self.weights = np.mean([weights for weights, _ in played], axis=0)
            figures = {name: float(np.mean([told[name] for _, told in played])) for name in played[0][1]}
        figures.pop("winner")
        return {**figures, "epsilon": settings.epsilon(index * tables)}

    def _at_table(self) -> dict[str, Any]:
        """What a table needs that is set up elsewhere."""
        setup, settings = self._setup, self._setup.settings
        return {
            "game": setup.game.spec.name,
            "options": setup.options,
            "task": (settings.reward, settings.n_actions, settings.max_offers),
            "mean": self._task.mean,
            "deviation": self._task.deviation,
            "weights": self.weights,
            "seed": setup.seed,
        }

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        return {"weights": self.weights, "mean": self._task.mean, "deviation": self._task.deviation}, {}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        task = self._task
        task.mean = kept_array(arrays, "mean", task.mean.shape)
        task.deviation = kept_array(arrays, "deviation", task.deviation.shape)
        self._table = task.table()
        self.weights = kept_array(arrays, "weights", (self._table.features,))

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        code: str = self._task.write(path.with_suffix(".json"), self.weights, training)
        return code


def _play_table(given: dict[str, Any], rule: LinearTraining, game: int) -> tuple[np.ndarray, dict[str, float]]:
    """A game of self-play from the given weights, in whatever process: what the seats learned, and its figures."""
    found = registry.game(given["game"])
    task = found.learning()["linear"](found, given["options"], *given["task"])
    task.mean, task.deviation = given["mean"], given["deviation"]
    weights = np.array(given["weights"])
    figures = self_play(task.table(), rule, weights, game, given["seed"])
    return weights, figures
