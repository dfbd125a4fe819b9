"""Weights of evaluations kept in files: what `ludens tune` writes, a game brings along and a search may be given."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.files import is_finite_number, read_json

__all__ = ["FOLDER", "TUNED", "VALUE_NETWORK", "given_weights", "own_weights", "read_weights", "tuned_beside"]

FOLDER = "LUDENS_EVALUATIONS"
"""The environment variable that names a folder of further evaluations, NAME.json each."""

TUNED = "tuned"
"""The name of a game's tuned evaluation, and of its file beside the game's sources."""

VALUE_NETWORK = "value-network"
"""The name of an evaluation that was fitted to results: what it says is a chance as it comes true."""

_GIVEN: dict[str, np.ndarray] = {}


def read_weights(path: str | Path, game: str = "") -> np.ndarray:
    """The weights of a file; one that is malformed, or of another game, is refused."""
    document = read_json(path, "holds no weights")
    values = document.get("weights") if isinstance(document, dict) else None
    if not isinstance(values, list) or not values or not all(map(is_finite_number, values)):
        raise BadInput(f"{path} holds no weights: it needs a list of numbers under weights.")
    if game and document.get("game", game) != game:
        raise BadInput(f"The weights of {path} are for {document['game']}, not for {game}.")
    return np.array(values, np.float64)


def tuned_beside(source: str, file: str = TUNED) -> dict[str, np.ndarray]:
    """The tuned evaluation in the folder of a source file, by its name, if there is one."""
    path = Path(source).resolve().parent / f"{file}.json"
    return {TUNED: read_weights(path)} if path.exists() else {}


def own_weights(name: str, game: str) -> np.ndarray | None:
    """The evaluation of that name among those given now, in a file, or in the folder of further ones; None if none."""
    if name in _GIVEN:
        return _GIVEN[name]
    if name.endswith(".json"):
        return read_weights(name, game)
    folder = os.environ.get(FOLDER)
    if not folder or not re.fullmatch(r"[\w-]+", name):
        return None
    path = Path(folder) / f"{name}.json"
    return read_weights(path, game) if path.exists() else None


@contextmanager
def given_weights(named: Mapping[str, Sequence[float]]) -> Iterator[None]:
    """Further evaluations by name, for agents that are made inside the block in this process."""
    before = dict(_GIVEN)
    _GIVEN.update({name: np.array(weights, np.float64) for name, weights in named.items()})
    try:
        yield
    finally:
        _GIVEN.clear()
        _GIVEN.update(before)
