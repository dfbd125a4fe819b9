"""Gymnasium, vectorised: one seat of many games at once, stepped in compiled code, against any agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ludens.adapters.gymnasium import ILLEGAL_REWARD, check_seat
from ludens.adapters.simulation import features_metadata, tournament_options
from ludens.core import registry
from ludens.core.batch_kernels import BEGIN, CUT
from ludens.core.errors import BadInput
from ludens.core.extras import missing
from ludens.core.inputs import checked_seed
from ludens.core.rng import SEED_LIMIT, game_seed
from ludens.core.spec import Game
from ludens.play.batch import SeatedGames
from ludens.play.opponents import Opponents

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise missing("adapters", "This adapter", "gymnasium") from error

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
        mode = _checked_mode(autoreset_mode)
        self._same_step = mode is AutoresetMode.SAME_STEP
        others = Opponents(self.game, self._options, num_envs, opponents, by_game, pool)
        self._games = SeatedGames(
            self.game, self._options, num_envs, others, seat, longest=longest, autoreset=self._same_step
        )
        features = spec.observation_size(self._options)
        self.blocks = spec.blocks(self._options)
        self.metadata = {"autoreset_mode": mode, "features": features_metadata(self.game, self._options)}
        self.num_envs = num_envs
        self.single_action_space = spaces.Discrete(spec.actions)
        self.single_observation_space = spaces.Box(-np.inf, np.inf, (features,), np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._over, self._illegal = np.zeros((2, num_envs), bool)
        self._first = 0
        self._playing = False  # between a reset and an error in mid-step

    def game_seed(self, i: int) -> int:
        """The seed of the match that draws as game i does from the last reset on."""
        return game_seed(self._first, i)

    def action_masks(self) -> np.ndarray:
        """bool[num_envs, actions]: the legal actions; all true where a game is over."""
        masks: np.ndarray = self._mask() == 1
        return masks

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Starts all games; with "rotate" game i starts at seat i (modulo players)."""
        if options and "reset_mask" in options:
            raise BadInput("Games of this environment start anew by themselves; single ones cannot be reset.")
        super().reset(seed=seed)
        self._first = int(self.np_random.integers(SEED_LIMIT)) if seed is None else checked_seed(seed)
        self._over[:] = self._illegal[:] = self._playing = False
        self._games.start(self._first)
        self._playing = True
        return self._games.out.features.copy(), self._infos(self._over)

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays actions[i] in game i, then its opponents up to the seat's next choice."""
        if not self._playing:
            raise BadInput("The games have not begun: call reset first.")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise BadInput(f"{self.num_envs} games need {self.num_envs} actions, not an array of {given.shape}.")
        if given.dtype.kind not in "iu":
            raise BadInput(f"Actions are whole numbers, not {given.dtype}.")
        out, batch = self._games.out, self._games.batch
        chosen, seats = given.astype(np.int64), batch.seats.copy()
        within = (chosen >= 0) & (chosen < out.mask.shape[1])
        legal = within & (out.mask[np.arange(self.num_envs), np.where(within, chosen, 0)] == 1)
        self._illegal = ~legal & ~self._over
        chosen[self._illegal], chosen[self._over] = CUT, BEGIN
        self._playing = False
        self._games.step(chosen)
        self._playing = True
        truncated = (out.truncated == 1) & ~self._illegal
        terminated = (out.terminated == 1) | self._illegal
        ended = terminated | truncated
        reward = np.where(self._illegal, ILLEGAL_REWARD, out.reward[np.arange(self.num_envs), seats].astype(float))
        reward[truncated] = 0.0
        self._over = ended & (not self._same_step)
        features = np.where(self._over[:, None], out.final_features, out.features)
        return features, reward, terminated, truncated, self._infos(ended)

    def _mask(self) -> np.ndarray:
        """int8[games, actions]: the legal actions; ones where a game is over, so that samplers find something."""
        return np.where(self._over[:, None], np.int8(1), self._games.out.mask)

    def _infos(self, ended: np.ndarray) -> dict[str, Any]:
        out = self._games.out
        infos: dict[str, Any] = {"action_mask": self._mask(), "seat": self._games.batch.seats.copy()}
        infos["illegal"] = self._illegal.copy()
        if ended.any():
            last = {"scores": out.final_scores.astype(float), "returns": out.final_returns.astype(float)}
            last |= {f"_{key}": ended.copy() for key in ("scores", "returns")}
            if self._same_step:
                observations = np.full(self.num_envs, None, object)
                for i in np.flatnonzero(ended):
                    observations[i] = out.final_features[i].copy()
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
