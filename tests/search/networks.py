"""Small networks with bold numbers: an untrained one would be nearly indifferent between all moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ludens.core.spec import Game
from ludens.networks.network import Network, untrained


def bold(game: Game, options: np.ndarray, seed: int = 0, **sizes: Any) -> Network:
    """A network whose priors and values differ from move to move."""
    network = untrained(game, options, **{"width": 32, "blocks": 2, **sizes}, seed=seed)
    rng = np.random.default_rng(seed)
    arrays = {
        name: (rng.standard_normal(array.shape) * array.shape[-1] ** -0.5).astype(np.float32)
        for name, array in network.arrays.items()
    }
    return replace(network, arrays=arrays)
