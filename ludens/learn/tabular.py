"""Q-learning with a table (SY-46 … SY-60): Q(s, a) ← (1 − α) Q(s, a) + α (r + γ max_b Q(s′, b)).

A game offers decisions as rows of a table with legal columns; whatever the opponent does happens inside its steps.
Read from top to bottom: settings, the two rules that are compiled, what a game offers, one game of learning, and the
learner of `ludens train`, whose step is a hundred games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.jit import kernel
from ludens.core.rng import POLICY, below, generator, uniform
from ludens.learn.learner import Setup, kept_array
from ludens.play.schedule import game_seed

__all__ = [
    "CREDITS",
    "EXPLORATIONS",
    "Decisions",
    "QSettings",
    "TabularLearner",
    "TabularTraining",
    "learn_game",
    "new_table",
]

CREDITS = ("path", "terminal", "step")
EXPLORATIONS = ("epsilon", "optimistic", "sum")
_EPSILON, _OPTIMISTIC, _SUM = range(3)
_GAMES = 100  # of a step


@dataclass(frozen=True)
class QSettings:
    """Hyper-parameters (SY-49, SY-53)."""

    alpha: float = 0.1  # learning rate
    final_alpha: float = 0.01  # reached at the last step
    gamma: float = 0.95  # discount of later rewards
    credit: str = "path"  # the final reward for every step; "terminal": for the last alone; "step": each its own reward
    exploration: str = (
        "epsilon"  # "epsilon", "optimistic": greedy from high values, "sum": random until a row's sum is …
    )
    threshold: float = 0.0  # … greater than this
    epsilon: float = 0.3  # chance of a random action at first
    final_epsilon: float = 0.02  # and at the last step

    def __post_init__(self) -> None:
        if self.credit not in CREDITS or self.exploration not in EXPLORATIONS:
            raise BadInput(f"credit is one of {', '.join(CREDITS)}, exploration one of {', '.join(EXPLORATIONS)}.")
        if not 0 < self.alpha <= 1 or not 0 <= self.final_alpha <= 1 or not 0 <= self.gamma <= 1:
            raise BadInput("alpha must lie above 0 and up to 1, final_alpha and gamma between 0 and 1.")
        if not 0 <= self.epsilon <= 1 or not 0 <= self.final_epsilon <= 1:
            raise BadInput("The chances of exploration must lie between 0 and 1.")


def new_table(settings: QSettings, rows: int, columns: int, highest: float) -> np.ndarray:
    """All zeros, or the highest possible value with optimistic exploration (SY-50, SY-53)."""
    return np.full((rows, columns), highest if settings.exploration == "optimistic" else 0.0)


@kernel
def _choose(table: Any, row: int, mask: int, exploration: int, threshold: float, epsilon: float, rng: Any) -> int:
    """A legal column: by the table, or at random; a random one is returned as -1 - column."""
    n, total = 0, 0.0
    best, best_value, ties = 0, -np.inf, 0
    for a in range(table.shape[1]):
        if mask >> a & 1:
            n += 1
            total += table[row, a]
            if table[row, a] > best_value:
                best, best_value, ties = a, table[row, a], 1
            elif table[row, a] == best_value:
                ties += 1
                if below(rng, ties) == 0:
                    best = a
    known = exploration != _SUM or total > threshold
    if known and (exploration == _OPTIMISTIC or uniform(rng) >= epsilon):
        return best
    ticket = below(rng, n)
    for a in range(table.shape[1]):
        if mask >> a & 1:
            if ticket == 0:
                return -1 - a
            ticket -= 1
    return best


@kernel
def _update(
    table: Any, row: int, a: int, reward: float, next_row: int, next_mask: int, alpha: float, gamma: float
) -> None:
    """The rule; a next row of -1 is the end, which is worth nothing more."""
    best = 0.0
    if next_row >= 0:
        best = -np.inf
        for b in range(table.shape[1]):
            if next_mask >> b & 1:
                best = max(best, table[next_row, b])
    table[row, a] += alpha * (reward + gamma * best - table[row, a])


class Decisions(Protocol):
    """What a game offers: the decision to be made now, and a step to the next one."""

    rows: int
    columns: int
    row: int  # of the table; -1 after the end
    mask: int  # bit a: column a is legal
    final: float  # the result after the end: 1 or -1

    def begin(self, seed: int) -> None: ...

    def step(self, column: int) -> float: ...  # its reward

    def result(self) -> dict[str, float]: ...


def learn_game(
    decisions: Decisions, table: np.ndarray, settings: QSettings, game: int, seed: int, progress: float
) -> dict[str, float]:
    """Plays and learns one game and returns its figures; `progress` from 0 to 1 is how far the training has come."""
    decisions.begin(game_seed(seed, game))
    rng = generator(seed, POLICY, game)
    exploration = EXPLORATIONS.index(settings.exploration)
    epsilon = settings.epsilon + (settings.final_epsilon - settings.epsilon) * progress
    alpha = settings.alpha + (settings.final_alpha - settings.alpha) * progress
    path = []
    learned, earned = 0, 0.0
    while decisions.row >= 0:
        row, mask = decisions.row, decisions.mask
        column = _choose(table, row, mask, exploration, settings.threshold, epsilon, rng)
        learned += column >= 0
        column = column if column >= 0 else -1 - column
        reward = decisions.step(column)
        earned += reward
        if settings.credit == "path":
            path.append((row, column, decisions.row, decisions.mask))
            continue
        if settings.credit == "terminal":
            reward = decisions.final if decisions.row < 0 else 0.0
        _update(table, row, column, reward, decisions.row, decisions.mask, alpha, settings.gamma)
    for row, column, next_row, next_mask in reversed(path):
        _update(table, row, column, decisions.final, next_row, next_mask, alpha, settings.gamma)
    return {**decisions.result(), "reward": earned, "learned_actions": float(learned)}


@dataclass(frozen=True)
class TabularTraining(QSettings):
    """Hyper-parameters of the rule, and of the game's table."""

    credit: str = "form"  # "path" for the thesis' form (SY-49), "step" for the improved one, which earns at reveals
    form: str = "improved"  # "thesis": the set-up that failed there; "unfolded", "joint": improved but for one thing
    reveal: float = 0.02  # cost of the distance at a reveal (SY-60)
    schedule: int = 1000  # steps after which the last learning rate and exploration are reached

    def __post_init__(self) -> None:
        self.rule()
        if self.schedule < 1 or not 0 <= self.reveal <= 1:
            raise BadInput("schedule must be at least 1, and reveal must lie between 0 and 1.")

    def rule(self) -> QSettings:
        """The learning rule's part."""
        values = {field.name: getattr(self, field.name) for field in fields(QSettings)}
        if self.credit == "form":
            values["credit"] = "path" if self.form == "thesis" else "step"
        return QSettings(**values)


class TabularLearner:
    """Learns the table of one side against the game's own opponent."""

    def __init__(self, setup: Setup) -> None:
        settings = setup.settings
        self._setup = setup
        self._rule = settings.rule()
        make_task = setup.game.learning()["tabular"]
        self._task = make_task(setup.game, setup.options, settings.form, settings.reveal)
        self._table = np.zeros((0, 0))

    def start(self) -> None:
        decisions = self._task.decisions
        self._table = new_table(self._rule, decisions.rows, decisions.columns, 1.0)

    def step(self, index: int) -> Mapping[str, float]:
        progress = min(1.0, index / self._setup.settings.schedule)
        games = [
            learn_game(self._task.decisions, self._table, self._rule, game, self._setup.seed, progress)
            for game in range(index * _GAMES, (index + 1) * _GAMES)
        ]
        return {name: float(np.mean([figures[name] for figures in games])) for name in games[0]}

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        return {"table": self._table}, {}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        self._table = kept_array(arrays, "table", (self._task.decisions.rows, self._task.decisions.columns))

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        code: str = self._task.write(path.with_suffix(".json"), self._table, {"training": training})
        return code
