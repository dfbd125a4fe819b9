"""Catan: a table at which linear values are learned: every seat plays by its own weights (CA-40, CA-44, CA-70).

`next_turn` plays on to the end of somebody's turn, as states are learned there only, and shows the features of that
seat. It is what `ludens.learn.linear` asks of a game.
"""

from __future__ import annotations

import numpy as np

from ludens.core import kernels
from ludens.core.jit import kernel
from ludens.core.record import Array, Records, blank
from ludens.core.rng import CHANCE_STREAM, POLICY, generator, next_event
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.players.linear.memo import forget, turn_to
from ludens.games.catan.players.linear.turns import AGENT_STATE, Desk, TurnSettings, decide, new_desk
from ludens.games.catan.players.linear.value import final_reward, make_model
from ludens.games.catan.players.thesis_features import BASE, EXPANDED, base_features, expand
from ludens.games.catan.rules.verbs import actor, apply, draw, legal
from ludens.games.catan.state import DTYPE, MAX_PLAYERS, VICTORY_CARD, Catan
from ludens.games.catan.view import determinize, view

__all__ = ["LearningTable", "features_of_turns", "next_turn"]


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
