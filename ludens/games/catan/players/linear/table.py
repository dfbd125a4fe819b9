"""Catan: a table at which linear values are learned: every seat plays by its own weights (CA-40, CA-44, CA-70).

`next_turn` plays on to the end of somebody's turn, as states are learned there only, and shows the features of that
seat. It is what `ludens.learn.linear` asks of a game.

`LinearTask` is what `ludens train` needs to learn them: such tables, and files of what was learned.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ludens.core import kernels
from ludens.core.errors import did_you_mean
from ludens.core.jit import kernel
from ludens.core.record import Array, Records, blank
from ludens.core.rng import CHANCE_STREAM, POLICY, generator, next_event
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.players.linear.files import FEATURES, document_of, write_model
from ludens.games.catan.players.linear.turns import AGENT_STATE, Desk, TurnSettings, decide, new_desk
from ludens.games.catan.players.linear.value import REWARDS, final_reward, forget, make_model, turn_to
from ludens.games.catan.players.thesis_features import BASE, EXPANDED, base_features, expand
from ludens.games.catan.rules.verbs import actor, apply, draw, legal
from ludens.games.catan.state import DTYPE, MAX_PLAYERS, VICTORY_CARD, Catan
from ludens.games.catan.view import determinize, view

__all__ = ["LearningTable", "LinearTask", "features_of_turns", "next_turn"]


@kernel
def next_turn(
    states: Records[Catan], chance_rng: Array, rngs: Array, models: Array, epsilon: Array, settings: TurnSettings,
    agent_state: Array, desk: Desk, base: Array,
) -> int:  # fmt: skip
    """Plays states[0] to the end of a turn; returns whose it was, with its features in `base`, or TERMINAL."""
    s = states[0]
    forget(desk.memo)  # between two turns the weights may have changed
    while True:
        who = actor(s)
        if who == TERMINAL:
            return TERMINAL
        if who == CHANCE:
            outcome = draw(s, chance_rng)
            next_event(chance_rng)
            apply(s, outcome)
            continue
        n = legal(s, desk.legal)
        a = desk.legal[0]
        if n > 1:
            view(s, who, desk.world[0:1])
            determinize(desk.world[0], who, rngs[who], desk.world[1:2])
            turn_to(desk.memo, who)
            a = decide(desk.world[1], who, n, models[who], epsilon[who], settings, agent_state[who], rngs[who], desk)
        apply(s, a)
        if a == ids.END:
            base_features(s, who, False, base)
            return who


@kernel
def _expand(base: Array, model: Array, out: Array) -> None:
    expand(base, model[EXPANDED : EXPANDED + BASE], model[EXPANDED + BASE :], False, out)


@kernel
def _reward(states: Records[Catan], seat: int, model: Array) -> float:
    return final_reward(states[0], seat, model)


class LearningTable:
    """Games of Catan between linear values; `weights[seat]` may be changed between turns.

    `x` holds the features of the seat whose turn ended last. Equal seeds and weights give equal games.
    """

    features = EXPANDED

    def __init__(
        self,
        game: Game,
        options: np.ndarray,
        mean: np.ndarray,
        deviation: np.ndarray,
        reward: str = "points",
        settings: TurnSettings | None = None,
    ) -> None:
        self.seats = int(options[0])
        self._options, self._settings = options, settings or TurnSettings()
        self._states, self._desk = blank(DTYPE), new_desk()
        self._agent_state = np.zeros((MAX_PLAYERS, AGENT_STATE), np.int64)
        self._models = np.tile(make_model(np.zeros(EXPANDED), mean, deviation, reward), (MAX_PLAYERS, 1))
        self._base = np.zeros(BASE)
        self.x: np.ndarray = np.zeros(EXPANDED)
        self.weights: list[np.ndarray] = [self._models[seat, :EXPANDED] for seat in range(self.seats)]

    def begin(self, seed: int) -> None:
        """A new game."""
        self._states[:] = blank(DTYPE)
        kernels.reset_at(self._states, 0, self._options)
        self._chance = generator(seed, CHANCE_STREAM)
        self._rngs = np.stack([generator(seed, POLICY, seat) for seat in range(MAX_PLAYERS)])
        self._agent_state[:] = 0

    def next_turn(self, epsilon: np.ndarray) -> int:
        """Plays to the end of a turn; the seat that ended it, or TERMINAL. `epsilon`: chances of random turns."""
        seat = next_turn(
            self._states,
            self._chance,
            self._rngs,
            self._models,
            epsilon,
            self._settings,
            self._agent_state,
            self._desk,
            self._base,
        )
        if seat != TERMINAL:
            _expand(self._base, self._models[seat], self.x)
        return int(seat)

    def final_reward(self, seat: int) -> float:
        """What a seat gets at the end (CA-37, CA-38)."""
        return float(_reward(self._states, seat, self._models[seat]))

    def result(self) -> dict[str, float]:
        """Length in turns and the mean points of those who did not win, both of CA-73, and who won (or -1)."""
        s = self._states[0]
        points = [int(s.visible[p]) + int(s.cards[p, VICTORY_CARD]) for p in range(self.seats)]
        losers = [points[p] for p in range(self.seats) if p != s.winner]
        return {
            "turns": float(s.turn_number),
            "losers_points": float(np.mean(losers)),
            "winner": float(s.winner if s.phase == phases.OVER else -1),
        }

    def base_features(self) -> np.ndarray:
        """The 56 features of the seat whose turn ended last."""
        return self._base.copy()


def features_of_turns(table: LearningTable, games: int, seed: int) -> np.ndarray:
    """The base features at all ends of turns of random games: rows to estimate means and deviations from (CA-50)."""
    rows = []
    for index in range(games):
        table.begin(seed + index)
        while table.next_turn(np.ones(MAX_PLAYERS)) != TERMINAL:
            rows.append(table.base_features())
    return np.array(rows)


class LinearTask:
    """Self-play of Catan for `ludens.learn.linear`; the normalisation comes from random games (CA-50, CA-69)."""

    features_version = FEATURES
    options: ClassVar[dict[str, Any]] = {"preset": "thesis", "board": "variable", "turn_limit": 500}
    """Unless the training says otherwise."""

    def __init__(self, game: Game, options: np.ndarray, reward: str, n_actions: int, max_offers: int) -> None:
        if reward not in REWARDS:
            raise did_you_mean(reward, REWARDS, "reward")
        self._game, self._options, self._reward = game, options, reward
        self._settings = TurnSettings(n_actions, max_offers)
        self.mean, self.deviation = np.zeros(BASE), np.ones(BASE)

    def estimate(self, games: int, seed: int) -> None:
        """Means and deviations of the base features over the ends of turns of so many random games."""
        rows = features_of_turns(self.table(), games, seed)
        self.mean, self.deviation = rows.mean(axis=0), rows.std(axis=0)

    def table(self) -> LearningTable:
        """A table of its own."""
        return LearningTable(self._game, self._options, self.mean, self.deviation, self._reward, self._settings)

    def write(self, path: Path, weights: np.ndarray, training: dict[str, Any]) -> str:
        """Writes an agent's file and returns the agent's code."""
        write_model(path, document_of(weights, self.mean, self.deviation, self._reward, training))
        return f"linear:weights={path},n_actions={self._settings.n_actions}"
