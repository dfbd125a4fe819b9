"""Behaviour cloning from data (Pomerleau 1991): a network that plays as the agents of a folder of `ludens dataset` did.

A step is `minibatches` updates over decisions drawn without repetition: the cross-entropy of the policies, or of the
actions where agents told none, and the squared error of the values to the results of the games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ludens.core.errors import BadInput
from ludens.learn.dataset import Decisions
from ludens.learn.deep import check_bounds, first_network, load_state, random_of, save_state
from ludens.learn.learner import Setup
from ludens.networks.torch_network import module_of, trained

__all__ = ["CLONING", "RENAMED", "Settings"]

RENAMED: dict[str, str] = {}
_NEVER = -1e9  # the logit of an illegal action


@dataclass(frozen=True)
class Settings:
    """What a cloning is described by."""

    data: str = ""  # the folder of `ludens dataset`
    batch: int = 512  # decisions of an update
    minibatches: int = 16  # updates of a step
    learning_rate: float = 1e-3
    value_coefficient: float = 0.5
    architecture: str = "plain"  # of the network; or "rows", where the game names a table for it
    width: int = 256
    blocks: int = 1
    layers: int = 1
    normalise: int = 1
    row_width: int = 64
    max_gradient_norm: float = 1.0
    threads: int = 1  # of torch
    start: str = ""  # file of a network to begin with, as far as it fits


class CLONING:
    """The learner."""

    def __init__(self, setup: Setup) -> None:
        cfg: Settings = setup.settings
        bounds = dict.fromkeys(("batch", "minibatches", "width", "layers", "row_width", "threads"), (1, 1 << 24))
        check_bounds(cfg, {**bounds, "learning_rate": (1e-9, 1), "max_gradient_norm": (1e-9, 1e9)})
        if not cfg.data:
            raise BadInput("Cloning needs data: give --data FOLDER, as ludens dataset writes it.")
        self.setup, self.settings = setup, cfg
        self.data = Decisions(cfg.data)
        told = self.data.about["schedule"]
        spec = setup.game.spec
        if told["game"] != spec.identity or self.data.about["features"]["version"] != spec.features_version:
            raise BadInput(f"{cfg.data} holds data of {told['game']}, not of {spec.identity} with today's features.")
        torch.set_num_threads(cfg.threads)
        self.network = first_network(setup, {})
        if len(self.data[0]["features"]) != self.network.layout.inputs:
            raise BadInput(f"{cfg.data} holds data of other options: {told['options']}.")
        self.module = module_of(self.network)
        self.optimiser = torch.optim.Adam(self.module.parameters(), lr=cfg.learning_rate)

    def start(self) -> None:
        pass

    def step(self, index: int) -> Mapping[str, float]:
        cfg, size = self.settings, self.settings.batch * self.settings.minibatches
        steps = max(1, len(self.data) // size)  # of a pass over all data
        order = self.data.order(random_of(self.setup.seed, index // steps))
        mine = order[index % steps * size : (index % steps + 1) * size]
        sums = np.zeros(3)
        for part in np.array_split(mine, max(1, -(-len(mine) // cfg.batch))):
            rows = self.data.rows(part)
            logits, values, _ = self.module(rows["features"])
            logits = logits.masked_fill(rows["mask"] == 0, _NEVER)
            policy = -(rows["policy"] * torch.log_softmax(logits, dim=1)).sum(dim=1).mean()
            value = ((values - rows["returns"]) ** 2).mean()
            self.optimiser.zero_grad()
            (policy + cfg.value_coefficient * value).backward()
            torch.nn.utils.clip_grad_norm_(self.module.parameters(), cfg.max_gradient_norm)
            self.optimiser.step()
            right = (logits.argmax(dim=1) == rows["action"]).float().mean()
            sums += len(part) * np.array([float(policy.detach()), float(value.detach()), float(right)])
        policy_loss, value_loss, agreed = (sums / max(1, len(mine))).tolist()
        return {"policy_loss": policy_loss, "value_loss": value_loss, "agreed": agreed}

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        return save_state(self.module, self.optimiser), {}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        load_state(self.module, self.optimiser, arrays)

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        found = trained(self.network, self.module, settings=asdict(self.settings))
        file = replace(found, training={**found.training, "training": training}).save(path.with_suffix(".safetensors"))
        return f"net:{file}"
