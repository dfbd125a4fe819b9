"""Stable-Baselines3: the vector environment as one of its own, with masks where sb3-contrib looks for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludens.adapters.vector import LudensVectorEnv
from ludens.core.errors import BadInput

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError("This adapter needs stable-baselines3; install it with: pip install sb3-contrib.") from error

__all__ = ["LudensVecEnv"]


class LudensVecEnv(VecEnv):
    """Takes what `LudensVectorEnv` takes; finished games start anew at once, as Stable-Baselines3 wants it.

    `MaskablePPO` finds its masks by `env_method("action_masks")`. The info of a game that has just ended carries
    `terminal_observation`, `TimeLimit.truncated`, `scores` and `returns`.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        if "autoreset_mode" in settings:
            raise BadInput("Stable-Baselines3 knows one way of starting anew, in the same step.")
        self._games = LudensVectorEnv(*arguments, **settings, autoreset_mode="SameStep")
        super().__init__(self._games.num_envs, self._games.single_observation_space, self._games.single_action_space)
        self._actions = np.zeros(self.num_envs, np.int64)

    def action_masks(self) -> np.ndarray:
        """bool[num_envs, actions]: the legal actions."""
        return self._games.action_masks()

    def reset(self) -> np.ndarray:
        observations, infos = self._games.reset(seed=self._seeds[0])
        self.reset_infos = [{"seat": int(seat)} for seat in infos["seat"]]
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        observations, rewards, terminated, truncated, told = self._games.step(self._actions)
        ended = terminated | truncated
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": bool(cut)} for cut in truncated]
        for i in np.flatnonzero(ended):
            infos[i]["terminal_observation"] = told["final_obs"][i]
            infos[i]["scores"] = told["final_info"]["scores"][i]
            infos[i]["returns"] = told["final_info"]["returns"][i]
            if told["illegal"][i]:
                infos[i]["illegal"] = True
            self.reset_infos[i] = {"seat": int(told["seat"][i])}
        return observations, rewards.astype(np.float32), ended, infos

    def close(self) -> None:
        self._games.close()

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks" or hasattr(self._games, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The same attribute of the whole environment for every game, but a mask of its own for each."""
        return [getattr(self._games, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise BadInput(f"The games of one environment have no attributes of their own, so not {attr_name}.")

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> list[Any]:
        """The rows of `action_masks`; other methods belong to the whole environment."""
        if method_name != "action_masks":
            raise BadInput(f"Single games of this environment have the method action_masks only, not {method_name}.")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[np.ndarray | None]:
        return [None] * self.num_envs
