"""Catan: files of linear models and of the thesis' named agents (CA-61 … CA-63), all JSON.

A file of weights holds 1,653 numbers in the order of CA-51, with the means and deviations of the base features, the
game's version and that of the features: one made for others is refused. A file of an agent holds its settings and the
name of its weights.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.errors import BadInput, did_you_mean
from ludens.core.files import is_finite_number, read_json, read_text, write_text
from ludens.games.catan.players.linear.value import REWARDS, make_model
from ludens.games.catan.players.thesis_features import BASE, EXPANDED

__all__ = ["BACKUP", "FEATURES", "NO_WEIGHTS", "document_of", "load_model", "named_agents", "read_model", "write_model"]

FEATURES = "thesis-1"
"""The version of the 1,653 features; raised when one of them changes."""
BACKUP = ".bak"
"""What the name of the weights before the last ones ends with."""
NO_WEIGHTS = "none"
"""The name of a model that values nothing."""

_FORMAT = "ludens-linear/1"
_GAME = "catan@1"
_DATA = Path(__file__).resolve().parents[2] / "data"


def document_of(
    weights: np.ndarray, mean: np.ndarray, deviation: np.ndarray, reward: str, training: dict[str, Any]
) -> dict[str, Any]:
    """A model as JSON; numbers survive the way there and back exactly (CA-84)."""
    return {
        "format": _FORMAT,
        "game": _GAME,
        "features": FEATURES,
        "reward": reward,
        "training": training,
        "mean": [float(number) for number in mean],
        "deviation": [float(number) for number in deviation],
        "weights": [float(number) for number in weights],
    }


def write_model(path: str | Path, document: dict[str, Any]) -> Path:
    """Writes a model's document whole, or leaves the file as it was; the one before stays beside it (CA-62)."""
    target = Path(path)
    if target.is_file():
        write_text(target.with_name(f"{target.name}{BACKUP}"), read_text(target))
    return write_text(target, json.dumps(document) + "\n")


def read_model(path: str | Path) -> np.ndarray:
    """The model of a file, as kernels take it; anything else is refused in a sentence."""
    document = read_json(path, "holds no linear weights")
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise BadInput(f"{path} holds no linear weights: its format is not {_FORMAT}.")
    for key, expected in (("game", _GAME), ("features", FEATURES)):
        if document.get(key) != expected:
            raise BadInput(f"The weights of {path} are for {key} {document.get(key)}, not for {expected}.")
    if str(document.get("reward")) not in REWARDS:
        raise BadInput(f"The reward of {path} must be one of {', '.join(REWARDS)}, not {document.get('reward')!r}.")
    weights = _numbers(path, document, "weights", EXPANDED)
    mean, deviation = (_numbers(path, document, key, BASE) for key in ("mean", "deviation"))
    return make_model(weights, mean, deviation, document["reward"])


def _numbers(path: str | Path, document: dict[str, Any], key: str, size: int) -> np.ndarray:
    values = document.get(key)
    if not isinstance(values, list) or len(values) != size or not all(map(is_finite_number, values)):
        raise BadInput(f"{path} holds no linear weights: {key} must be a list of {size} finite numbers.")
    return np.array(values, np.float64)


def load_model(name: str) -> np.ndarray:
    """The model of a packaged name, or of a file if the name has a folder or an ending."""
    if name == NO_WEIGHTS:
        return make_model(np.zeros(EXPANDED), np.zeros(BASE), np.ones(BASE))
    if Path(name).suffix or Path(name).name != name:
        return read_model(name)
    return _packaged(name)


@cache
def _packaged(name: str) -> np.ndarray:
    path = _DATA / "weights" / f"{name}.json"
    if not path.exists():
        raise did_you_mean(name, [NO_WEIGHTS, *(p.stem for p in (_DATA / "weights").glob("*.json"))], "weights")
    model = read_model(path)
    model.setflags(write=False)
    return model.copy()


@cache
def named_agents() -> dict[str, dict[str, Any]]:
    """The thesis' agents by name, in the order of CA-61: title, kind, weights and settings."""
    documents = {path.stem: json.loads(read_text(path)) for path in sorted((_DATA / "agents").glob("*.json"))}
    return dict(sorted(documents.items(), key=lambda item: item[1]["place"]))
