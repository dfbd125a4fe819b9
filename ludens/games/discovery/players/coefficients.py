"""The Discovery: the 51 coefficients of the learning potential player, their gradient and their files (CD-67 … CD-77).

Of every terrain: a, b and c of the three components (CD-42), then A and B of the four quantities that are normalised
(CD-68).
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.errors import BadInput, did_you_mean
from ludens.core.files import is_finite_number, read_json, write_text
from ludens.core.jit import kernel, rule
from ludens.core.record import Array
from ludens.games.discovery.players.settings import CONSTANTS, POTENTIAL, make_settings
from ludens.games.discovery.rules.tiles import GRASSLAND, TERRAINS

__all__ = [
    "ANY",
    "COEFFICIENTS",
    "DEFAULT",
    "FEATURES",
    "SAMPLE",
    "descend",
    "gradient_of",
    "pick_set",
    "read_sets",
    "settings_of",
    "write_sets",
]

_OF_A_TERRAIN = 17
COEFFICIENTS = _OF_A_TERRAIN * len(TERRAINS)
_SHIFT, _SCALE = 9, 13  # where A and B begin; a, b, c of V, of M and of N stand before
SAMPLE = 11
"""Numbers of a sample: anchor, terrain, then the arguments of Φ (v, m, n, i, p^U, p^R, p^N, h_t), then the target."""
_ANCHOR, _TERRAIN, _ARGUMENTS, _TARGET = 0, 1, 2, 10

FEATURES = "potential-1"
"""The version of the formula that coefficients belong to; raised when it changes."""
ANY = "any"
"""The opponent of sets that are for all of them."""
_FORMAT = "ludens-potential/1"
_GAME = "discovery@1"
_DATA = Path(__file__).resolve().parents[1] / "data" / "coefficients"


def _default() -> np.ndarray:
    """The formula without learning: CD-50, A = 0 and B = 1."""
    table = np.zeros((len(TERRAINS), _OF_A_TERRAIN))
    for terrain in range(len(TERRAINS)):
        table[terrain, :_SHIFT] = CONSTANTS[:, :, terrain].reshape(-1)
        table[terrain, _SCALE:] = 1.0
    return table.reshape(-1)


DEFAULT = _default()


def settings_of(coefficients: np.ndarray) -> np.ndarray:
    """The settings of a one-step player with these coefficients."""
    table = coefficients.reshape(len(TERRAINS), _OF_A_TERRAIN)
    constants = np.stack([table[t, :_SHIFT].reshape(3, 3) for t in range(len(TERRAINS))], axis=2)
    return make_settings(POTENTIAL, constants=constants, shift=table[:, _SHIFT:_SCALE].T, scale=table[:, _SCALE:].T)


# --- learning -----------------------------------------------------------------------------


@rule
def _add_gradient(theta: Array, sample: Array, city_chance: float, error: float, out: Array) -> float:
    """Φ of a sample; adds error · ∂Φ/∂θ to `out` (CD-72). `city_chance` is h of grassland."""
    base = _OF_A_TERRAIN * int(sample[_TERRAIN])
    x = sample[_ARGUMENTS:_TARGET]
    secure = 0.0
    for k in range(2):
        secure += theta[base + _SHIFT + k] + theta[base + _SCALE + k] * x[3 + k]
    growth = theta[base + _SHIFT + 2] + theta[base + _SCALE + 2] * x[5]
    beside = theta[base + _SHIFT + 3] + theta[base + _SCALE + 3] * x[6]
    value, by_secure, by_growth, by_beside = 0.0, 0.0, 0.0, 0.0
    for c in range(3):
        at = base + 3 * c
        h = 1.0 if c == 0 else x[7] if c == 1 else city_chance
        grown = (beside if c == 2 else growth) * h
        size = x[c] + theta[at + 2] * grown
        weight = theta[at] + theta[at + 1] * secure
        value += weight * size
        out[at] += error * size
        out[at + 1] += error * secure * size
        out[at + 2] += error * weight * grown
        by_secure += theta[at + 1] * size
        if c == 2:
            by_beside += weight * theta[at + 2] * h
        else:
            by_growth += weight * theta[at + 2] * h
    for k in range(4):
        by = by_secure if k < 2 else by_growth if k == 2 else by_beside
        out[base + _SHIFT + k] += error * by
        out[base + _SCALE + k] += error * by * x[3 + k]
    return value


@kernel
def gradient_of(theta: Array, samples: Array, city_chance: float, shared: bool, out: Array) -> float:
    """The gradient of the mean squared error over the samples into `out`, and that error (CD-67, CD-73)."""
    n = samples.shape[0]
    out[:] = 0.0
    loss = 0.0
    nothing = np.zeros(theta.shape[0])
    for k in range(n):
        error = _add_gradient(theta, samples[k], city_chance, 0.0, nothing) - samples[k, _TARGET]
        loss += error * error / n
        _add_gradient(theta, samples[k], city_chance, 2.0 * error / n, out)
    if shared:  # A and B the same for all terrains (CD-69)
        for k in range(_SHIFT, _OF_A_TERRAIN):
            total = 0.0
            for at in range(k, theta.shape[0], _OF_A_TERRAIN):
                total += out[at]
            for at in range(k, theta.shape[0], _OF_A_TERRAIN):
                out[at] = total
    return loss


def descend(
    theta: np.ndarray, samples: np.ndarray, rate: float, iterations: int, least: float = 1e-3, clip: float = 10.0,
    shared: bool = False,
) -> tuple[np.ndarray, float]:  # fmt: skip
    """Gradient descent until the gradient is shorter than `least` (CD-67); the new coefficients and the first error.

    A gradient longer than `clip` is shortened to it; a step to numbers that are not finite is not made (CD-73).
    """
    city_chance = float(make_settings(POTENTIAL)["city_chance"][0][GRASSLAND])
    gradient, first = np.zeros(COEFFICIENTS), math.nan
    if len(samples) == 0:
        return theta, first
    if not np.isin(samples[:, _TERRAIN], range(len(TERRAINS))).all():  # compiled code would write where it must not
        raise BadInput(f"The terrain of a sample is 0 … {len(TERRAINS) - 1}.")
    now = theta.copy()
    for index in range(iterations):
        loss = gradient_of(now, samples, city_chance, shared, gradient)
        first = loss if index == 0 else first
        length = float(np.linalg.norm(gradient))
        if not math.isfinite(length) or length <= least:
            break
        after = now - rate * gradient * min(1.0, clip / length)
        if not np.isfinite(after).all():
            break
        now = after
    return now, first


# --- files --------------------------------------------------------------------------------


def write_sets(path: str | Path, sets: dict[str, np.ndarray], facts: dict[str, Any]) -> Path:
    """Writes sets of coefficients by `opponent/seat` (CD-76, CD-77), whole or not at all."""
    document = {
        "format": _FORMAT,
        "game": _GAME,
        "features": FEATURES,
        **facts,
        "sets": {name: [float(number) for number in values] for name, values in sets.items()},
    }
    return write_text(path, json.dumps(document) + "\n")


def read_sets(path: str | Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The sets of a file, or of a packaged name, and what else it says; anything else is refused in a sentence."""
    name = str(path)
    if not Path(name).suffix and Path(name).name == name:
        path = _DATA / f"{name}.json"
        if not path.exists():
            raise did_you_mean(name, [known.stem for known in _DATA.glob("*.json")], "set of coefficients")
    document = read_json(path, "holds no coefficients")
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise BadInput(f"{path} holds no coefficients: its format is not {_FORMAT}.")
    for key, expected in (("game", _GAME), ("features", FEATURES)):
        if document.get(key) != expected:
            raise BadInput(f"The coefficients of {path} are for {key} {document.get(key)}, not for {expected}.")
    sets = document.pop("sets", None)
    if not isinstance(sets, dict) or not all(_sound(values) for values in sets.values()):
        raise BadInput(f"{path} holds no coefficients: every set must be a list of {COEFFICIENTS} finite numbers.")
    return {key: np.array(values, np.float64) for key, values in sets.items()}, document


def _sound(values: Array) -> bool:
    numbers = isinstance(values, list) and all(map(is_finite_number, values))
    return numbers and len(values) == COEFFICIENTS


def pick_set(sets: dict[str, np.ndarray], opponent: str, seat: int) -> np.ndarray:
    """The set for an opponent and a seat, else that for any opponent, else the formula without learning."""
    for key in (f"{opponent}/{seat}", f"{ANY}/{seat}"):
        if key in sets:
            return sets[key].copy()
    return DEFAULT.copy()
