"""Networks that learn by playing agents, themselves and their earlier selves, for `ludens train`: `ppo` and `dqn`.

A step is what the algorithm calls one (`learn.ppo`, `learn.dqn`). torch is imported here only when a training begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.gpu.device import torch_with_gpu
from ludens.learn.learner import Learner, Setup
from ludens.learn.opposition import Opposition
from ludens.learn.rewards import describe_reward, parse_reward
from ludens.networks.layout import Layout
from ludens.networks.network import ARCHITECTURES, Network, load, untrained
from ludens.networks.plain import PlainLayout
from ludens.networks.rows import rows_layout
from ludens.networks.transfer import transferred

__all__ = ["DeepLearner", "deep_learner", "deep_settings"]

_AT_LEAST_ONE = (
    "games", "length", "epochs", "parts", "past_every", "most_past", "memory", "batch", "lookahead", "copy_every",
    "threads",
)  # fmt: skip
_BOUNDS = {
    **dict.fromkeys(("discount", "smoothing", "epsilon", "last_epsilon"), (0, 1)),
    **dict.fromkeys(("rate", "last_rate", "clip", "norm", "teacher_power"), (1e-12, 1e6)),
    **dict.fromkeys(("entropy", "last_entropy", "value_weight"), (0, 1e6)),
    **dict.fromkeys(("teacher_steps", "warm_up", "updates"), (0, 10**9)),
    "schedule": (1, 10**9),
    "brief": (0, 1),
}
_MOST_DECISIONS = 1 << 24  # of a step, or of a memory: more do not fit
_GAMES, _ALGORITHM = "games/", "learner/"  # where their arrays are kept


def _module(name: str) -> Any:
    """The algorithm's file; without torch it cannot be imported."""
    try:
        return import_module(f"ludens.learn.{name}")
    except ImportError as error:
        raise BadInput(f"{name} needs torch; install it with: pip install 'ludens[learn]'.") from error


def deep_settings(name: str) -> Callable[[], Any]:
    """What makes the settings of the algorithm."""
    return lambda: _module(name).Settings()


def deep_learner(name: str) -> Callable[[Setup], Learner]:
    """What makes its learner."""
    return lambda setup: DeepLearner(setup, getattr(_module(name), name.upper()))


class DeepLearner:
    """A network, the games it plays, and the algorithm between them."""

    def __init__(self, setup: Setup, make: Callable[[Network, Any, int], Any]) -> None:
        settings = setup.settings
        parse_reward(setup.game, settings.reward)
        for name in _AT_LEAST_ONE:
            if getattr(settings, name, 1) < 1:
                raise BadInput(f"{name} must be at least 1, not {getattr(settings, name)}.")
        for name, (low, high) in _BOUNDS.items():
            if not low <= getattr(settings, name, low) <= high:
                raise BadInput(f"{name} must be from {low:g} to {high:g}, not {getattr(settings, name)}.")
        if max(settings.games * settings.length, getattr(settings, "memory", 0)) > _MOST_DECISIONS:
            raise BadInput(f"games times length, and a memory, may be {_MOST_DECISIONS:,} decisions and no more.")
        teacher = getattr(settings, "teacher", "")
        if getattr(settings, "teacher_steps", 0) > 0 and not teacher:
            raise BadInput("teacher_steps need a teacher: name an agent in the setting teacher.")
        self._setup = setup
        games_of = _games_on(getattr(settings, "device", "cpu"))
        self._algorithm = make(_first_network(setup), settings, setup.seed)
        self._games = games_of(
            setup.game,
            setup.options,
            settings.games,
            settings.against or setup.opponents,
            self._algorithm.players,
            settings.reward,
            settings.reward_scale,
            settings.result_weight,
            teacher,
        )

    def start(self) -> None:
        self._games.start(self._setup.seed)

    def step(self, index: int) -> Mapping[str, float]:
        figures: dict[str, float] = self._algorithm.step(index, self._games)
        return figures

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        arrays = {_GAMES + name: array for name, array in self._games.save().items()}
        arrays |= {_ALGORITHM + name: array for name, array in self._algorithm.save().items()}
        return arrays, {}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        self._games.load(_under(_GAMES, arrays))
        self._algorithm.load(_under(_ALGORITHM, arrays))

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        settings = self._setup.settings
        record = {
            **training,
            "settings": {**asdict(settings), "reward": describe_reward(self._setup.game, settings.reward)},
        }
        file = self._algorithm.trained_network(**record).save(path.with_suffix(".safetensors"))
        return f"net:{file}"


def _games_on(device: str) -> Any:
    """What makes the games: in the CPU's memory, or in that of a GPU."""
    if device == "cpu":
        return Opposition
    if device != "cuda":
        raise BadInput(f"The device is cpu or cuda, not {device!r}.")
    torch_with_gpu()
    from ludens.learn.gpu_opposition import GpuOpposition

    return GpuOpposition


def _under(prefix: str, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _first_network(setup: Setup) -> Network:
    """An untrained network, or one with what fits of the one that the settings name."""
    game, options = setup.game, setup.options
    fresh = untrained(game, options, seed=setup.seed, layout=_layout(game, options, setup.settings))
    start = getattr(setup.settings, "start", "")
    return transferred(fresh, load(start), game, options) if start else fresh


def _layout(game: Game, options: np.ndarray, settings: Any) -> Layout:
    """The network's sizes: 256–256 is width 256 and one block of one layer (AZ-104)."""
    sizes: dict[str, Any] = {"width": settings.width, "blocks": settings.blocks, "auxiliary": {"critic": 1}}
    if settings.architecture == "plain":
        spec = game.spec
        return PlainLayout(inputs=spec.observation_size(options), actions=spec.actions, seats=int(options[0]), **sizes)
    table = (game.learning() if game.learning is not None else {}).get("rows")
    if settings.architecture != "rows":
        raise BadInput(f"The architecture is one of {', '.join(ARCHITECTURES)}, not {settings.architecture!r}.")
    if table is None:
        raise BadInput(f"{game.spec.title} names no table for a rows network.")
    return rows_layout(game, options, **table, row_width=settings.row_width, **sizes)
