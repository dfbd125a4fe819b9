"""One game as the adapters play it, lighter than a match but with the same dice, and what its seats are paid."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from ludens.core import kernels, record, registry
from ludens.core.errors import did_you_mean
from ludens.core.inputs import checked_seed
from ludens.core.rng import CHANCE_STREAM, generator
from ludens.core.spec import Game
from ludens.core.verbs import TERMINAL

__all__ = [
    "RETURN",
    "SCORE",
    "Rewards",
    "Simulation",
    "as_action",
    "features_metadata",
    "tournament_options",
]


def tournament_options(game: Game, options: Mapping[str, Any] | None) -> np.ndarray:
    """The options of a game for training: those that keep it finite, then the caller's own."""
    return game.options({**game.spec.tournament, **(options or {})})


def features_metadata(game: Game, options: np.ndarray) -> dict[str, Any]:
    """What an environment tells of its observations; `core.spec.split` cuts them into the blocks."""
    blocks = game.spec.blocks(options)
    return {"version": game.spec.features_version, "blocks": {block.name: block.shape for block in blocks}}


def as_action(action: Any) -> int:
    """The whole number in an action of a library (a number or an array of one), or -1."""
    try:
        return operator.index(np.asarray(action).reshape(()).item())
    except (TypeError, ValueError):
        return -1


class Simulation:
    """A game in progress, without log or words.

    Chance is played from the seed exactly as a `Match` of that seed plays it. Actions that
    leave no choice are played too, unless `automatic` is false. Legality is the caller's
    business: ask `allows` before `play`.
    """

    def __init__(self, game: Game | str, options: Mapping[str, Any] | None = None, automatic: bool = True) -> None:
        self.game = registry.game(game) if isinstance(game, str) else game
        self.options = tournament_options(self.game, options)
        self.players = int(self.options[0])
        self.features = self.game.spec.observation_size(self.options)
        self.blocks = self.game.spec.blocks(self.options)
        self.actor = TERMINAL
        self._first_automatic = self.game.spec.first_automatic if automatic else self.game.spec.actions
        self._state = record.blank(self.game.dtype)
        self._view = record.blank(self.game.dtype)
        self._legal = np.zeros(self.game.spec.actions, np.int64)
        self._choices = 0

    def reset(self, seed: int) -> None:
        """Starts the game of this seed and plays up to the first decision."""
        self._rng = generator(checked_seed(seed), CHANCE_STREAM)
        self._state = record.blank(self.game.dtype)
        kernels.reset_at(self._state, 0, self.options)
        self._settle()

    @property
    def over(self) -> bool:
        return self.actor == TERMINAL

    def legal(self) -> np.ndarray:
        """The legal action ids of the actor, ascending; empty at the end."""
        return self._legal[: self._choices].copy()

    def allows(self, action: int) -> bool:
        """Is the action legal now?"""
        return action in self._legal[: self._choices]

    def mask(self, seat: int) -> np.ndarray:
        """int8[actions]: 1 for the seat's legal actions; all ones at the end, so that samplers find something."""
        mask = np.zeros(self.game.spec.actions, np.int8)
        if self.over:
            mask[:] = 1
        elif seat == self.actor:
            mask[self._legal[: self._choices]] = 1
        return mask

    def play(self, action: int) -> None:
        """Plays a legal action, then chance and automatic steps up to the next decision."""
        kernels.apply_at(self._state, 0, action)
        self._settle()

    def refusal(self, action: int) -> str:
        """One sentence that says why the action is not legal."""
        if not 0 <= action < self.game.spec.actions:
            return f"Action ids of {self.game.spec.name} are 0 … {self.game.spec.actions - 1}."
        return self.game.text.refusal(self._state[0], action)

    def state(self) -> np.ndarray:
        """A copy of the full state, as an array of one record: for oracles only."""
        return self._state.copy()

    def view(self, seat: int) -> np.ndarray:
        """What the seat may know, as a new array of one record."""
        view = record.blank(self.game.dtype)
        kernels.view_at(self._state, 0, seat, view)
        return view

    def observe(self, seat: int) -> np.ndarray:
        """float32[features] of the seat's view."""
        kernels.view_at(self._state, 0, seat, self._view)
        out = np.zeros(self.features, np.float32)
        kernels.observe_at(self._view, 0, seat, out)
        return out

    def text(self, seat: int) -> str:
        """The seat's view in words."""
        return self.game.text.position_to_text(self.view(seat)[0])

    def returns(self) -> np.ndarray:
        """float64[players]: utility of every seat; zeros before the end."""
        out = np.zeros(self.players)
        kernels.returns_at(self._state, 0, out)
        return out

    def scores(self) -> np.ndarray:
        """float64[players]: the game's own points."""
        out = np.zeros(self.players)
        kernels.scores_at(self._state, 0, out)
        return out

    def _settle(self) -> None:
        self._choices = int(kernels.settle_at(self._state, 0, self._rng, self._legal, self._first_automatic))
        self.actor = int(kernels.actor_at(self._state, 0))


RETURN = "return"
"""The utility of every seat, in [-1, 1], at the end of the game and nothing before."""
SCORE = "score"
"""How much a seat's lead over the best seat of the other sides has grown, times a scale, at every step."""


class Rewards:
    """Pays every seat what it has earned since the last payment.

    The sum of all payments of a game is the seat's return, or its final lead in points
    times `scale`. Scores come from the full state, so payments in `SCORE` mode may tell a
    learner more than its view does; agents that only play never see them.
    """

    def __init__(self, simulation: Simulation, mode: str = RETURN, scale: float = 0.05) -> None:
        if mode not in (RETURN, SCORE):
            raise did_you_mean(str(mode), (RETURN, SCORE), "reward")
        sides = np.array(simulation.game.spec.sides(simulation.players))
        self._simulation = simulation
        self._by_score = mode == SCORE
        self._scale = scale
        self._rivals = sides[:, None] != sides[None, :]
        self._paid = np.zeros(simulation.players)

    def start(self) -> None:
        """Forgets the last game; what was earned before the first decision is not paid."""
        self._paid = self._worth() if self._by_score else np.zeros(self._simulation.players)

    def collect(self) -> np.ndarray:
        """float64[players]: what every seat has earned since `start` or the last `collect`."""
        if not self._by_score and not self._simulation.over:
            return np.zeros(self._simulation.players)
        worth = self._worth()
        earned = worth - self._paid
        self._paid = worth
        return earned

    def _worth(self) -> np.ndarray:
        if not self._by_score:
            return self._simulation.returns()
        scores = self._simulation.scores()
        best_rival = np.where(self._rivals, scores[None, :], -np.inf).max(axis=1)
        leads: np.ndarray = (scores - best_rival) * self._scale
        return leads
