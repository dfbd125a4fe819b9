"""Networks that ship with the package: which there are, and the one for a game with its options.

They lie in `weights`, each as `GAME-WHAT.safetensors`; what a network is for stands in its file.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.files import read_bytes
from ludens.core.spec import Game
from ludens.networks.network import Network, load, load_for
from ludens.networks.weights_file import LARGEST_FILE

__all__ = ["AUTO", "FOLDER", "SHIPPED", "card", "champion", "champion_if_any", "network_named", "no_network", "shipped"]

FOLDER = Path(__file__).parent / "weights"

SHIPPED = "shipped"
"""The name that stands for the network of the package, in place of a file."""

AUTO = "auto"
"""The name that stands for the network of the package if one makes the search of the game's options stronger."""

_PLAY_ALONE = {"catan-4", "discovery-2", "discovery-3", "discovery-4", "discovery-5"}
"""Networks that play well at once, but with which the search is weaker than with roll-outs in the same time."""


def shipped(game: Game) -> list[Path]:
    """The files of the networks of a game."""
    return sorted(FOLDER.glob(f"{game.spec.name}-*.safetensors"))


def card(path: Path) -> dict[str, Any]:
    """What a file says of its network: what it is for, how large it is, how it was trained, and its SHA-256."""
    data, network = read_bytes(path, LARGEST_FILE), load(path)
    return {
        "name": path.stem,
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "game": network.game,
        "features": network.features,
        "options": dict(network.options),
        "parameters": network.parameters,
        "layout": network.layout.to_json(),
        "search": dict(network.search),
        "training": dict(network.training),
    }


@lru_cache(maxsize=16)
def _loaded(path: Path) -> Network:
    return load(path)


def no_network(game: Game) -> str:
    """What to say where none ships."""
    return f"No network of {game.spec.title} ships with Ludens yet; mcts:network=FILE searches with one of your own."


def champion(game: Game, options: np.ndarray) -> Network:
    """The network of the package for these options; where there is none, one sentence says which there are."""
    if not shipped(game):
        raise BadInput(no_network(game))
    reasons = []
    for path in shipped(game):
        network = _loaded(path)
        try:
            network.check(game, options)
        except BadInput as error:
            reasons.append(str(error).rstrip(".").replace("The network", path.stem, 1))
        else:
            return network
    raise BadInput(f"No network that ships is for this game of {game.spec.title}: {'; '.join(reasons)}.")


def champion_if_any(game: Game, options: np.ndarray) -> Network | None:
    """The network of the package with which the search of these options is stronger, or None where there is none."""
    for path in shipped(game):
        if path.stem not in _PLAY_ALONE:
            try:
                _loaded(path).check(game, options)
            except BadInput:
                continue
            return _loaded(path)
    return None


def network_named(name: str, game: Game, options: np.ndarray) -> Network | None:
    """The network of a file, checked for the game and its options, or of the package (`shipped`, `auto`), or none."""
    if not name:
        return None
    if name == AUTO:
        return champion_if_any(game, options)
    return champion(game, options) if name == SHIPPED else load_for(name, game, options)
