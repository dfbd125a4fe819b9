"""Self-play of a network for `ludens train`: a step is an iteration; on a GPU if there is one, else on the CPU.

The learner itself is `learn/selfplay.py`. Here stand defaults that suit a laptop, and how a run is kept: weights, the
optimiser's memory, earlier selves, the games that are being played and the generator, all as plain arrays.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludens.core.errors import BadInput
from ludens.learn.learner import Setup

if TYPE_CHECKING:
    from ludens.learn.selfplay import SelfPlay, Settings

__all__ = ["SelfPlayNetwork", "self_play_settings"]


def self_play_settings() -> Settings:
    """The settings of `learn/selfplay.py` at the size of a laptop; a GPU wants thousands of games at once."""
    try:
        from ludens.learn.selfplay import Settings
    except ImportError as error:
        raise BadInput("Learning networks needs torch: pip install 'ludens[learn]'.") from error
    return Settings(games=256, steps=16, width=128, blocks=1, epochs=2, parts=4, most_elders=8, warm_up=100)


class SelfPlayNetwork:
    """A run of self-play in steps; the agent is `net:FILE`."""

    def __init__(self, setup: Setup) -> None:
        settings = setup.settings
        if settings.seed != 0:
            raise BadInput("The seed stands at the top of a configuration, not in [settings].")
        if setup.steps > settings.iterations:
            raise BadInput(
                f"{setup.steps} steps are more than the {settings.iterations} iterations in which the rate of learning "
                f"falls; set iterations too."
            )
        self._setup = setup
        self._settings = dataclasses.replace(settings, seed=setup.seed)
        self._run: SelfPlay | None = None

    def start(self) -> None:
        from ludens.learn.selfplay import SelfPlay

        game = self._setup.game
        self._run = SelfPlay(game.spec.name, game.show_options(self._setup.options), self._settings)

    def step(self, index: int) -> Mapping[str, float]:
        assert self._run is not None, "start or load comes first"
        figures = self._run.step()
        figures.pop("iteration")
        return figures

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        assert self._run is not None, "start or load comes first"
        saved = self._run.save()
        tensors = {f"module/{name}": tensor for name, tensor in saved["module"].items()}
        for k, elder in enumerate(saved["elders"]):
            tensors |= {f"elders/{k}/{name}": tensor for name, tensor in elder.items()}
        for k, memory in saved["optimiser"]["state"].items():
            tensors |= {f"optimiser/{k}/{name}": tensor for name, tensor in memory.items()}
        tensors["random"] = saved["random"]
        arrays = {name: tensor.cpu().numpy() for name, tensor in tensors.items()}
        arrays |= {f"batch/{name}": array for name, array in saved["batch"].items() if name != "game"}
        return arrays, {"counts": saved["counts"], "device": self._run.device.type}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        import torch

        self.start()
        run = self._run
        assert run is not None
        if facts["device"] != run.device.type:
            raise BadInput(f"This training began on {facts['device']} and goes on there; here is {run.device.type}.")
        tree: dict[str, Any] = {}
        for name, array in arrays.items():
            *folders, last = name.split("/")
            at = tree
            for folder in folders:
                at = at.setdefault(folder, {})
            at[last] = array if folders[:1] == ["batch"] else torch.from_numpy(array.copy())
        elders = tree.get("elders", {})
        memories = {int(k): memory for k, memory in tree.get("optimiser", {}).items()}
        groups = run.optimiser.state_dict()["param_groups"]
        run.load(
            {
                "module": tree["module"],
                "optimiser": {"state": memories, "param_groups": groups},
                "elders": [elders[str(k)] for k in range(len(elders))],
                "random": tree["random"],
                "batch": {**run.batch.save(), **tree["batch"]},
                "counts": facts["counts"],
            }
        )

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        assert self._run is not None, "start or load comes first"
        network = self._run.trained_network()
        network = dataclasses.replace(network, training={**network.training, "training": training})
        file = path.with_suffix(".safetensors")
        network.save(file)
        return f"net:{file}"
