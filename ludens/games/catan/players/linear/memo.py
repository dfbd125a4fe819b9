"""Catan: values that were worked out a moment ago, found again by their features.

Most positions that a turn is planned from differ in nothing that the 56 features see: another road of the same use, the
same hand after other trades. Equal features have equal values, to the last bit, so each is worked out once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records
from ludens.games.catan import phases
from ludens.games.catan.players.linear.value import due_chance, final_reward, known_dot, normalise
from ludens.games.catan.players.thesis_features import BASE, base_features
from ludens.games.catan.rules.verbs import apply, chance
from ludens.games.catan.state import MAX_PLAYERS, Catan

__all__ = [
    "Memo",
    "forget",
    "new_memo",
    "remembered_at",
    "remembered_value",
    "turn_to",
    "value_of_features",
]

_PLACES = 1024
_MODELS = MAX_PLAYERS  # told apart: one a seat
_SCATTER = np.random.default_rng(56).random(BASE) + 0.5  # any numbers without a common measure
_OUTCOMES = 8


class Memo(NamedTuple):
    """Values by base features; a new one takes the place of an older one with the same remainder."""

    features: np.ndarray  # float64[places, base]
    worth: np.ndarray  # float64[places]
    age: np.ndarray  # int64[places]: the `now` in which a value was kept
    now: np.ndarray  # int64[1]: values of another `now` belong to other weights
    base: np.ndarray  # float64[base]: for the features of a position
    before: np.ndarray  # float64[seats, base]: the normalised features that were valued last
    products: np.ndarray  # float64[seats, base, base]: theirs, squashed
    row: np.ndarray  # float64[base]: for new ones
    outcomes: np.ndarray  # int64[outcomes]
    chances: np.ndarray  # float64[outcomes]


def new_memo() -> Memo:
    """Remembers nothing yet."""
    return Memo(
        np.zeros((_PLACES, BASE)),
        np.zeros(_PLACES),
        np.zeros(_PLACES, np.int64),
        np.full(1, _MODELS, np.int64),
        np.zeros(BASE),
        np.zeros((MAX_PLAYERS, BASE)),
        np.zeros((MAX_PLAYERS, BASE, BASE)),
        np.zeros(BASE),
        np.zeros(_OUTCOMES, np.int64),
        np.zeros(_OUTCOMES),
    )


@rule
def forget(memo: Memo) -> None:
    """Weights may be others from now on."""
    memo.now[0] = (memo.now[0] // _MODELS + 1) * _MODELS


@rule
def turn_to(memo: Memo, model: int) -> None:
    """The next values are those of this model, from 0 to 3, until others are asked for."""
    memo.now[0] = memo.now[0] // _MODELS * _MODELS + model


@rule
def remembered_value(s: Catan, seat: int, model: Array, scratch: Records[Catan], memo: Memo) -> float:
    """`linear_value`; the model's weights are the same since `forget`."""
    if not due_chance(s, seat):
        return _remembered(s, seat, model, memo)
    n = chance(s, memo.outcomes, memo.chances)
    total = 0.0
    for k in range(n):
        scratch[0] = s
        apply(scratch[0], memo.outcomes[k])
        total += memo.chances[k] * _remembered(scratch[0], seat, model, memo)
    return total


@rule
def _remembered(s: Catan, seat: int, model: Array, memo: Memo) -> float:
    if s.phase == phases.OVER:
        return final_reward(s, seat, model)
    base_features(s, seat, False, memo.base)
    return value_of_features(seat, model, memo)


@rule
def value_of_features(seat: int, model: Array, memo: Memo) -> float:
    """v̂ of the base features in memo.base, which are lost; the seat's products are those to begin with."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for i in range(0, BASE, 4):
        a += memo.base[i] * _SCATTER[i]
        b += memo.base[i + 1] * _SCATTER[i + 1]
        c += memo.base[i + 2] * _SCATTER[i + 2]
        d += memo.base[i + 3] * _SCATTER[i + 3]
    place = int((a + b + c + d) * 1e6) % _PLACES
    if memo.age[place] == memo.now[0]:
        differing = 0
        for i in range(BASE):
            differing += memo.features[place, i] != memo.base[i]
        if differing == 0:
            return float(memo.worth[place])
    memo.features[place, :] = memo.base
    normalise(memo.base, model)
    worth = known_dot(model, memo.base, memo.before[seat], memo.products[seat], memo.row)
    memo.worth[place] = worth
    memo.age[place] = memo.now[0]
    return worth


@kernel
def remembered_at(
    states: Records[Catan], i: int, seat: int, model: Array, scratch: Records[Catan], memo: Memo
) -> float:
    """`remembered_value` for Python."""
    return remembered_value(states[i], seat, model, scratch, memo)
