"""Gymnasium, vectorised: one seat of many games at once, stepped in compiled code, against any agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ludens.adapters.extras import missing
from ludens.adapters.gymnasium import check_seat
from ludens.adapters.simulation import features_metadata, tournament_options
from ludens.core import record, registry
from ludens.core.errors import BadInput
from ludens.core.inputs import checked_seed
from ludens.core.rng import AGENT, CHANCE_STREAM, POLICY, SEED_LIMIT, game_seed, generators
from ludens.core.spec import Game
from ludens.play.opponents import Opponents
from ludens.play.seat_kernel import ANSWER, ASK, MOST_DEALS, OVER, PLAY, START, STUCK, advance

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise missing("gymnasium") from error

__all__ = ["LudensVectorEnv"]


class LudensVectorEnv(VectorEnv):
    """`num_envs` games, one seat each, against agents.

    Observations, actions, rewards and ends are those of `LudensEnv` with `reward="return"` and
    `illegal="lose"`. Game i begins as a match with the seed `game_seed(i)` does.

    Opponents are named by one of three: `opponents`, one for all other seats or a list of one for each in the order of
    seats; `by_game`, a list of one such for every game; `pool`, a list from which every other seat draws anew when a
    game begins. Each is an agent code, a class, an agent (every game gets a copy of it) or an object with a method
    `choose_many` (see `play.opponents.ManyGames`), which is asked once for all games that wait for it. `random`,
    the default, plays in compiled code; all others are asked decision by decision.

    `longest` bounds the decisions of the seat in one game: at the next it is truncated.

    `infos["action_mask"]` (int8[num_envs, actions]) names the legal actions, as `action_masks()` does, `infos["seat"]`
    the seats, `infos["illegal"]` the games just lost by an illegal action. A finished game starts anew as
    `autoreset_mode` says. NEXT_STEP: in the next step, whose action is ignored; after the end the mask is all ones.
    SAME_STEP: at once; its last observation is in `infos["final_obs"]`. In both `infos["scores"]` and
    `infos["returns"]` of a step that ends games are those of all seats (in `infos["final_info"]` with SAME_STEP).
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        seat: int | str = 0,
        options: Mapping[str, Any] | None = None,
        *,
        opponents: Any = None,
        by_game: Sequence[Any] | None = None,
        pool: Sequence[Any] | None = None,
        longest: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        super().__init__()
        if num_envs < 1:
            raise BadInput(f"A vector environment needs at least one game, not {num_envs}.")
        if longest is not None and longest < 1:
            raise BadInput(f"A seat makes at least one decision a game, not longest={longest}.")
        self.game = registry.game(game) if isinstance(game, str) else game
        spec = self.game.spec
        self._options = tournament_options(self.game, options)
        self._players = int(self._options[0])
        check_seat(seat, self._players)
        self._seat = seat
        self._rotate = 1 if seat == "rotate" else 0
        self._opponents = Opponents(self.game, self._options, num_envs, opponents, by_game, pool)
        self._same_step = _checked_mode(autoreset_mode) is AutoresetMode.SAME_STEP
        self._longest = longest or 0
        features = spec.observation_size(self._options)
        self.blocks = spec.blocks(self._options)
        mode = _checked_mode(autoreset_mode)
        self.metadata = {"autoreset_mode": mode, "features": features_metadata(self.game, self._options)}
        self.num_envs = num_envs
        self.single_action_space = spaces.Discrete(spec.actions)
        self.single_observation_space = spaces.Box(-np.inf, np.inf, (features,), np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._states = record.blank(self.game.dtype, num_envs)
        self._views = record.blank(self.game.dtype, num_envs)
        self._final_states = record.blank(self.game.dtype, num_envs if self._opponents.asked else 0)
        self._blank = record.blank(self.game.dtype)
        self._legal = np.zeros(spec.actions, np.int64)
        self._numbers = np.zeros(self._players)
        self._sitting = np.zeros((num_envs, self._players), np.int64)
        self._status, self._actors, self._seats, self._games, self._decisions = np.zeros((5, num_envs), np.int64)
        self._mask = np.zeros((num_envs, spec.actions), np.int8)
        self._features, self._final_features = np.zeros((2, num_envs, features), np.float32)
        self._reward = np.zeros(num_envs)
        self._terminated, self._truncated, self._illegal = np.zeros((3, num_envs), np.int8)
        self._final_scores, self._final_returns = np.zeros((2, num_envs, self._players))
        self._first = 0
        self._playing = False  # between a reset and an error in mid-step

    def game_seed(self, i: int) -> int:
        """The seed of the match that draws as game i does from the last reset on."""
        return game_seed(self._first, i)

    def action_masks(self) -> np.ndarray:
        """bool[num_envs, actions]: the legal actions; all true where a game is over."""
        return self._mask.astype(bool)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Starts all games; with "rotate" game i starts at seat i (modulo players)."""
        if options and "reset_mask" in options:
            raise BadInput("Games of this environment start anew by themselves; single ones cannot be reset.")
        super().reset(seed=seed)
        self._first = int(self.np_random.integers(SEED_LIMIT)) if seed is None else checked_seed(seed)
        self._chance, self._policies, self._draws = (
            generators(self._first, self.num_envs, stream) for stream in (CHANCE_STREAM, POLICY, AGENT)
        )
        self._opponents.forget(self._first)
        first_seats = np.arange(self.num_envs) % self._players if self._rotate else int(self._seat)
        self._seats[:] = (first_seats - self._rotate) % self._players  # each start moves on
        self._games[:] = 0
        self._status[:] = START
        self._advance(np.zeros(self.num_envs, np.int64))
        self._playing = True
        return self._features.copy(), self._infos()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays actions[i] in game i, then its opponents up to the seat's next choice."""
        if not self._playing:
            raise BadInput("The games have not begun: call reset first.")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise BadInput(f"{self.num_envs} games need {self.num_envs} actions, not an array of {given.shape}.")
        if given.dtype.kind not in "iu":
            raise BadInput(f"Actions are whole numbers, not {given.dtype}.")
        self._status[:] = np.where(self._status == OVER, START, PLAY)
        self._playing = False
        self._advance(given.astype(np.int64))
        self._playing = True
        terminated, truncated = self._terminated.astype(bool), self._truncated.astype(bool)
        return self._features.copy(), self._reward.copy(), terminated, truncated, self._infos()

    def _advance(self, actions: np.ndarray) -> None:
        """Plays until every seat must choose or its game is over, asking agents on the way."""
        for array in (self._reward, self._terminated, self._truncated, self._illegal):
            array[:] = 0
        told = np.zeros(self.num_envs, bool)  # games whose agents know that they ended
        while True:
            self._run_kernel(actions)
            if (self._status == STUCK).any():
                name = self.game.spec.name
                raise RuntimeError(f"{MOST_DEALS} games of {name} in a row ended before the seat's first choice.")
            if not self._opponents.asked:
                return
            ended = ((self._terminated | self._truncated) == 1) & ~told
            self._opponents.end(np.flatnonzero(ended), self._final_states)
            told |= ended
            asked = np.flatnonzero(self._status == ASK)
            if not len(asked):
                return
            self._opponents.answer(
                asked, self._actors[asked], self._sitting, self._games,
                self._states, self._views, self._features, self._mask, actions,
            )  # fmt: skip
            self._status[asked] = ANSWER

    def _run_kernel(self, actions: np.ndarray) -> None:
        advance(
            self._states, self._chance, self._policies, self._draws, self._options, self.game.spec.first_automatic,
            self._rotate, self._longest, self._same_step, self._opponents.others, self._opponents.pool, self._sitting,
            self._blank, self._legal, self._numbers, actions,
            self._status, self._actors, self._seats, self._games, self._decisions,
            self._mask, self._features, self._views, self._reward, self._terminated, self._truncated, self._illegal,
            self._final_states, self._final_features, self._final_scores, self._final_returns,
        )  # fmt: skip

    def _infos(self) -> dict[str, Any]:
        illegal = self._illegal.astype(bool)
        infos: dict[str, Any] = {"action_mask": self._mask.copy(), "seat": self._seats.copy(), "illegal": illegal}
        ended = (self._terminated | self._truncated) == 1
        if ended.any():
            last = {"scores": self._final_scores.copy(), "returns": self._final_returns.copy()}
            last |= {f"_{key}": ended.copy() for key in ("scores", "returns")}
            if self._same_step:
                observations = np.full(self.num_envs, None, object)
                for i in np.flatnonzero(ended):
                    observations[i] = self._final_features[i].copy()
                infos |= {"final_obs": observations, "_final_obs": ended, "final_info": last, "_final_info": ended}
            else:
                infos |= last
        return infos


def _checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        found = AutoresetMode(mode)
    except ValueError:
        found = AutoresetMode.DISABLED
    if found is AutoresetMode.DISABLED:
        raise BadInput(f"The autoreset mode is NextStep or SameStep, not {mode!r}.")
    return found
