"""A value network by TD(λ), for `ludens train`: a step is a round of games and what they teach.

The learner itself is `learn/td_value.py`. What is remembered of earlier rounds is not kept but played again from the
weights of then, which gives the same games.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.agents.search_settings import evaluation_weights
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.files import write_text
from ludens.core.rng import generator
from ludens.learn.learner import Setup, kept_array

if TYPE_CHECKING:
    from ludens.learn.td_value import Played, TdValueSettings

__all__ = ["TdValueLearner", "td_value_settings"]

_FIT, _GAMES = 11, 12  # purposes of random streams


def td_value_settings() -> TdValueSettings:
    """The settings of `learn/td_value.py`."""
    try:
        from ludens.learn.td_value import TdValueSettings
    except ImportError as error:
        raise BadInput("Learning networks needs torch: pip install 'ludens[learn]'.") from error
    return TdValueSettings()


class TdValueLearner:
    """Plays a round by what was learnt in the last one, then learns from it and from some rounds before.

    With a `rival` it learns nothing but to beat that: how often it does tells how exploitable the rival is.
    """

    def __init__(self, setup: Setup) -> None:
        import torch

        from ludens.learn.td_value import ValueNetwork, size_of

        self._setup, self._torch = setup, torch
        self._settings: TdValueSettings = setup.settings
        rules = setup.game.rules
        self._size = size_of(rules.described, rules.network_layers)
        self._module = ValueNetwork(rules.described, rules.network_layers)
        self._average = ValueNetwork(rules.described, rules.network_layers) if self._settings.averaging else None
        self._optimiser = torch.optim.AdamW(self._module.parameters(), self._settings.rate, weight_decay=1e-4)
        self._remembered: deque[tuple[int, np.ndarray, list[Played]]] = deque(maxlen=self._settings.rounds)
        self._tables = [_options(setup, table) for table in self._settings.tables] or [setup.options]
        self._rival = self._network(self._settings.rival) if self._settings.rival else None

    def start(self) -> None:
        self._torch.manual_seed(self._setup.seed)
        for layer in self._module.layers:
            if isinstance(layer, self._torch.nn.Linear):
                layer.reset_parameters()
        if self._settings.start:
            self._module.unpack(self._network(self._settings.start))
        if self._average is not None:
            self._average.unpack(self._module.packed())

    def _playing(self) -> np.ndarray:
        """The weights that play and are written: the average, where there is one."""
        return (self._module if self._average is None else self._average).packed()

    def _network(self, name: str) -> np.ndarray:
        """The weights of an evaluation by name or of a file."""
        game = self._setup.game
        weights = evaluation_weights(game, name)
        if len(weights) != self._size:
            raise BadInput(f"{name} is no value network of {game.spec.title}.")
        return weights

    def step(self, index: int) -> Mapping[str, float]:
        from ludens.learn.td_value import fit

        settings, taught = self._settings, self._taught(index)
        weights = evaluation_weights(self._setup.game, "") if taught else self._playing()
        played = self._play(index, weights)
        self._remembered.append((index, weights, played))
        random = self._torch.Generator().manual_seed(int(generator(self._setup.seed, _FIT, index)[0] >> np.uint64(1)))
        rate = self._rate(index)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        loss = fit(
            self._module, self._optimiser, [part for _, _, parts in self._remembered for part in parts],
            1.0 if taught else settings.trace, settings.passes, settings.batch, random,
            self._average, settings.averaging,
        )  # fmt: skip
        return {
            "loss": loss,
            "decisions_a_game": sum(part.decisions for part in played) / settings.games,
            "rate": rate,
            **({} if self._rival is None else {"won": float(np.mean([part.won for part in played]))}),
        }

    def _taught(self, index: int) -> bool:
        return index < self._settings.taught and not self._settings.start

    def _rate(self, index: int) -> float:
        """Falls from the first to the last, faster at first."""
        settings = self._settings
        part = index / max(1, self._setup.steps - 1)
        return settings.rate * (settings.last_rate / settings.rate) ** part

    def _play(self, index: int, weights: np.ndarray) -> list[Played]:
        """The games of a round, part by part; parts take the tables in turn."""
        settings, setup = self._settings, self._setup
        jobs = []
        for k in range(settings.tasks):
            games = settings.games * (k + 1) // settings.tasks - settings.games * k // settings.tasks
            seed = int(generator(setup.seed, _GAMES, index, k)[0] >> np.uint64(11))
            table = self._tables[(index * settings.tasks + k) % len(self._tables)]
            jobs.append((setup.game.spec.name, table, weights, games, seed, settings, self._rival))
        return setup.executor.map(_play, jobs)

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        arrays = {"weights": self._module.packed()}
        if self._average is not None:
            arrays["average"] = self._average.packed()
        for index, weights, _ in self._remembered:
            arrays[f"played/{index}"] = weights
        for k, memory in self._optimiser.state_dict()["state"].items():
            arrays |= {f"optimiser/{k}/{name}": tensor.double().numpy() for name, tensor in memory.items()}
        return arrays, {"remembered": [index for index, _, _ in self._remembered]}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        self._module.unpack(kept_array(arrays, "weights", (self._size,)))
        if self._average is not None:
            self._average.unpack(kept_array(arrays, "average", (self._size,)))
        state = self._optimiser.state_dict()
        for k, parameter in enumerate(self._module.parameters()):
            shapes = {"step": (), "exp_avg": tuple(parameter.shape), "exp_avg_sq": tuple(parameter.shape)}
            names = {name: f"optimiser/{k}/{name}" for name in shapes}
            if all(name in arrays for name in names.values()):
                state["state"][k] = {
                    name: self._torch.from_numpy(kept_array(arrays, names[name], shape)).float()
                    for name, shape in shapes.items()
                }
        self._optimiser.load_state_dict(state)
        self._remembered.clear()
        for index in facts["remembered"]:
            weights = arrays[f"played/{index}"].copy()
            self._remembered.append((index, weights, self._play(index, weights)))

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        file = path.with_suffix(".json")
        weights = [round(float(weight), 6) for weight in self._playing()]
        document = {"game": self._setup.game.spec.name, "training": training, "weights": weights}
        write_text(file, json.dumps(document) + "\n")
        return f"value-network:evaluation={file}"


def _options(setup: Setup, table: str) -> np.ndarray:
    """The options of the training with some changed, as `players=3,board=variable`."""
    given = dict(setup.game.show_options(setup.options))
    for part in table.split(","):
        name, equals, value = part.partition("=")
        if not equals:
            raise BadInput(f"A table is written as option=value,option=value, not {table!r}.")
        given[name.strip()] = int(value) if value.strip().lstrip("-").isdigit() else value.strip()
    return setup.game.options(given)


def _play(
    game: str, options: np.ndarray, weights: np.ndarray, games: int, seed: int, settings: Any, rival: np.ndarray | None
) -> Played:
    """A part of a round, in whatever process."""
    from ludens.learn.td_value import play

    return play(registry.game(game), options, weights, games, seed, settings, rival)
