"""Gymnasium, vectorised: one seat of many games at once against random opponents, stepped in compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludens.adapters.extras import missing
from ludens.adapters.gymnasium import check_seat
from ludens.adapters.simulation import features_metadata, tournament_options
from ludens.core import record, registry, verbs
from ludens.core.errors import BadInput
from ludens.core.jit import kernel, rule
from ludens.core.rng import CHANCE_STREAM, POLICY, SEED_LIMIT, below, generators
from ludens.core.settle import settle
from ludens.core.spec import Game
from ludens.core.verbs import TERMINAL, view

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise missing("gymnasium") from error

__all__ = ["LudensVectorEnv"]


class LudensVectorEnv(VectorEnv):
    """`num_envs` games, one seat each, against uniformly random opponents.

    Observations, actions, rewards and ends are those of `LudensEnv` with `reward="return"` and
    `illegal="lose"`. `infos["action_mask"]` (int8[num_envs, actions]) names the legal actions,
    `infos["illegal"]` the games just lost by an illegal one, `infos["seat"]` the seats.
    A finished game starts anew in the next step (Gymnasium's NEXT_STEP), whose action is ignored.
    Game i draws its chance as a match with the seed `seed + i` does.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - Gymnasium's form

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        seat: int | str = 0,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        if num_envs < 1:
            raise BadInput(f"A vector environment needs at least one game, not {num_envs}.")
        self.game = registry.game(game) if isinstance(game, str) else game
        spec = self.game.spec
        self._options = tournament_options(self.game, options)
        self._players = int(self._options[0])
        check_seat(seat, self._players)
        self._seat = seat
        self._turn = 1 if seat == "rotate" else 0
        features = spec.observation_size(self._options)
        self.blocks = spec.blocks(self._options)
        self.metadata = {**self.metadata, "features": features_metadata(self.game, self._options)}
        self.num_envs = num_envs
        self.single_action_space = spaces.Discrete(spec.actions)
        self.single_observation_space = spaces.Box(-np.inf, np.inf, (features,), np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._states = record.blank(self.game.dtype, num_envs)
        self._scratch = (
            record.blank(self.game.dtype),
            record.blank(self.game.dtype),
            np.zeros(spec.actions, np.int64),
            np.zeros(self._players),
        )
        self._mask = np.zeros((num_envs, spec.actions), np.int8)
        self._features = np.zeros((num_envs, features), np.float32)
        self._reward = np.zeros(num_envs)
        self._done = np.zeros(num_envs, np.int8)
        self._illegal = np.zeros(num_envs, np.int8)
        self._seats = np.zeros(num_envs, np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Starts all games; with "rotate" game i starts at seat i (modulo players)."""
        super().reset(seed=seed)
        first = int(self.np_random.integers(SEED_LIMIT)) if seed is None else seed
        self._chance = generators(first, self.num_envs, CHANCE_STREAM)
        self._policies = generators(first, self.num_envs, POLICY)
        self._seats[:] = np.arange(self.num_envs) % self._players if self._turn else self._seat
        # A step plays what is not done; everything is "done" now, and rotation starts one seat earlier.
        self._seats[:] = (self._seats - self._turn) % self._players
        self._done[:] = 1
        self._advance(np.zeros(self.num_envs, np.int64))
        return self._features.copy(), self._infos()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays actions[i] in game i, then its opponents up to the seat's next choice."""
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (self.num_envs,):
            raise BadInput(f"{self.num_envs} games need {self.num_envs} actions, not an array of {chosen.shape}.")
        self._advance(chosen)
        ended = self._done.astype(bool)
        return self._features.copy(), self._reward.copy(), ended, np.zeros(self.num_envs, bool), self._infos()

    def _advance(self, actions: np.ndarray) -> None:
        _advance_all(
            self._states,
            self._chance,
            self._policies,
            self._options,
            self._turn,
            self.game.spec.first_automatic,
            *self._scratch,
            actions,
            self._seats,
            self._mask,
            self._features,
            self._reward,
            self._done,
            self._illegal,
        )

    def _infos(self) -> dict[str, Any]:
        illegal = self._illegal.astype(bool)
        return {"action_mask": self._mask.copy(), "seat": self._seats.copy(), "illegal": illegal}


@rule
def _to_seat(s: Any, seat: int, chance_rng: Any, policy_rng: Any, legal: Any, first_automatic: int) -> int:
    """Plays chance and random opponents up to the seat's choice or the end; returns the number of choices."""
    n = settle(s, chance_rng, legal, first_automatic)
    while n > 0 and verbs.actor(s) != seat:
        verbs.apply(s, legal[below(policy_rng, n)])
        n = settle(s, chance_rng, legal, first_automatic)
    return n


@kernel
def _advance_all(
    states,
    chance_rngs,
    policy_rngs,
    options,
    turn,
    first_automatic,
    blank,
    views,
    legal,
    returns,
    actions,
    seats,
    mask,
    features,
    reward,
    done,
    illegal,
):
    """One step of every game: a new game where the last one is done, else the seat's action."""
    for i in range(states.shape[0]):
        s = states[i]
        reward[i] = 0.0
        illegal[i] = 0
        n = 0
        if done[i]:
            done[i] = 0
            seats[i] = (seats[i] + turn) % options[0]
            while n == 0:  # a game that ends before the seat's first choice is dealt again
                states[i] = blank[0]
                verbs.reset(s, options)
                n = _to_seat(s, seats[i], chance_rngs[i], policy_rngs[i], legal, first_automatic)
        elif actions[i] < 0 or actions[i] >= mask.shape[1] or mask[i, actions[i]] == 0:
            reward[i] = -1.0
            done[i] = 1
            illegal[i] = 1
        else:
            verbs.apply(s, actions[i])
            n = _to_seat(s, seats[i], chance_rngs[i], policy_rngs[i], legal, first_automatic)
            if verbs.actor(s) == TERMINAL:
                verbs.returns(s, returns)
                reward[i] = returns[seats[i]]
                done[i] = 1
        mask[i, :] = done[i]  # after the end all ones, so that samplers find something
        for k in range(n):
            mask[i, legal[k]] = 1
        view(s, seats[i], views)
        verbs.observe(views[0], seats[i], features[i])
