"""Catan: v̂ = wᵀx, the linear value of a position over the 1,653 features of the thesis (CA-46).

A model is one array of `MODEL` numbers: 1,653 weights, then means and deviations of the 56 base features (CA-50),
then the rewards by which an ended game is valued (CA-37, CA-38). It travels into kernels as the weights of an
evaluation do, and is told from those of the hand-made evaluation by its length.

Most positions that a turn is planned from differ in nothing that the 56 features see: another road of the same use, the
same hand after other trades. Equal features have equal values, to the last bit, so each is worked out once: a `Memo`
finds values that were worked out a moment ago.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ludens.core import record
from ludens.core.jit import rule
from ludens.core.record import Array, Records, workspace
from ludens.games.catan import phases
from ludens.games.catan.players.thesis_features import BASE, EXPANDED, base_features, squash
from ludens.games.catan.rules.verbs import apply, chance
from ludens.games.catan.state import DTYPE, MAX_PLAYERS, VICTORY_CARD, Catan

__all__ = [
    "MODEL",
    "REWARDS",
    "Memo",
    "due_chance",
    "final_reward",
    "forget",
    "is_linear",
    "known_dot",
    "linear_value",
    "make_model",
    "new_memo",
    "normalise",
    "remembered_value",
    "turn_to",
    "value_of_features",
]

_MEAN = EXPANDED
_DEVIATION = _MEAN + BASE
_REWARD = _DEVIATION + BASE
MODEL = _REWARD + 3

REWARDS = {"points": (100.0, 800.0, -200.0), "win": (10.0, 1000.0, 0.0)}
"""For each point, for a victory, for a defeat (CA-37, CA-38)."""


def make_model(weights: np.ndarray, mean: np.ndarray, deviation: np.ndarray, reward: str = "points") -> np.ndarray:
    """The array that kernels take; a deviation of zero counts as one (CA-50)."""
    spread = np.where(deviation > 0, deviation, 1.0)
    return np.concatenate([weights, mean, spread, REWARDS[reward]]).astype(np.float64)


@rule
def is_linear(weights: Array) -> bool:
    """Is this a model, not the weights of the hand-made evaluation?"""
    return bool(weights.shape[0] == MODEL)


@rule
def final_reward(s: Catan, seat: int, model: Array) -> float:
    """The reward of an ended game (CA-37): points, hidden ones included, and a victory or a defeat."""
    points = int(s.visible[seat]) + int(s.cards[seat, VICTORY_CARD])
    return float(model[_REWARD] * points + (model[_REWARD + 1] if s.winner == seat else model[_REWARD + 2]))


@rule
def _weighted(products: Array, n: int, model: Array, k: int) -> float:
    """The first n products with the weights from k on."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0  # four sums: additions need not wait for each other
    for j in range(0, n - 3, 4):
        a += products[j] * model[k + j]
        b += products[j + 1] * model[k + j + 1]
        c += products[j + 2] * model[k + j + 2]
        d += products[j + 3] * model[k + j + 3]
    for j in range(n - n % 4, n):
        a += products[j] * model[k + j]
    return a + b + c + d


@rule
def _dot(model: Array, z: Array, row: Array) -> float:
    """wᵀx for the normalised features z, without writing x down; `row` is scratch of `BASE`."""
    total = model[0]
    for i in range(BASE):
        row[i] = squash(z[i] * z[i])
    for i in range(BASE):
        total += model[1 + i] * z[i] + model[1 + BASE + i] * row[i]
    k = 1 + 2 * BASE
    for i in range(BASE - 1):
        first = z[i]
        n = BASE - 1 - i
        for j in range(n):
            row[j] = squash(first * z[i + 1 + j])
        total += _weighted(row, n, model, k)
        k += n
    return float(total)


@rule
def known_dot(model: Array, z: Array, before: Array, products: Array, row: Array) -> float:
    """`_dot`, bit for bit; products[i, j], i ≤ j, are those of the features `before`, and only what changed is new."""
    for i in range(BASE):
        if z[i] != before[i]:
            before[i] = z[i]
            for j in range(BASE):
                row[j] = squash(z[i] * z[j])
            for j in range(i):
                products[j, i] = row[j]
            for j in range(i, BASE):
                products[i, j] = row[j]
    total = model[0]
    for i in range(BASE):
        total += model[1 + i] * z[i] + model[1 + BASE + i] * products[i, i]
    k = 1 + 2 * BASE
    for i in range(BASE - 1):
        n = BASE - 1 - i
        total += _weighted(products[i, i + 1 :], n, model, k)
        k += n
    return float(total)


@rule
def normalise(z: Array, model: Array) -> None:
    """Base features less their means, by their deviations (CA-50), in place."""
    for i in range(BASE):
        z[i] = (z[i] - model[_MEAN + i]) / model[_DEVIATION + i]


@rule
def _plain_value(s: Catan, seat: int, model: Array, z: Array, row: Array) -> float:
    if s.phase == phases.OVER:
        return final_reward(s, seat, model)
    base_features(s, seat, False, z)
    normalise(z, model)
    return _dot(model, z, row)


@rule
def due_chance(s: Catan, seat: int) -> bool:
    """Is the seat's own theft or card being drawn?"""
    return s.current == seat and (s.phase == phases.DEAL or s.phase == phases.THEFT)


@rule
def linear_value(s: Catan, seat: int, model: Array, scratch: Records[Catan]) -> float:
    """v̂ of a position for a seat; where its own theft or card is being drawn, the mean over what it may be (CA-25).

    `scratch` is an array of one record. An ended game is worth its reward: its features are the zero vector (CA-43).
    """
    z, row = np.empty(BASE), np.empty(BASE)
    if not due_chance(s, seat):
        return _plain_value(s, seat, model, z, row)
    outcomes, weights = np.empty(8, np.int64), np.empty(8)
    n = chance(s, outcomes, weights)
    total = 0.0
    for k in range(n):
        scratch[0] = s
        apply(scratch[0], outcomes[k])
        total += weights[k] * _plain_value(scratch[0], seat, model, z, row)
    return total


# --- values found again --------------------------------------------------------------------


_PLACES = 1024
_MODELS = MAX_PLAYERS  # told apart: one a seat
_SCATTER = np.random.default_rng(56).random(BASE) + 0.5  # any numbers without a common measure
_OUTCOMES = 8


class Memo(NamedTuple):
    """Values by base features; a new one takes the place of an older one with the same remainder."""

    features: Annotated[Array, record.float64(_PLACES, BASE)]
    worth: Annotated[Array, record.float64(_PLACES)]
    age: Annotated[Array, record.int64(_PLACES)]  # the `now` in which a value was kept
    now: np.ndarray  # int64[1]: values of another `now` belong to other weights
    base: Annotated[Array, record.float64(BASE)]  # for the features of a position
    before: Annotated[Array, record.float64(MAX_PLAYERS, BASE)]  # the normalised features that were valued last
    products: Annotated[Array, record.float64(MAX_PLAYERS, BASE, BASE)]  # theirs, squashed
    row: Annotated[Array, record.float64(BASE)]  # for new ones
    outcomes: Annotated[Array, record.int64(_OUTCOMES)]
    chances: Annotated[Array, record.float64(_OUTCOMES)]


def new_memo() -> Memo:
    """Remembers nothing yet."""
    return workspace(Memo, DTYPE, now=np.full(1, _MODELS, np.int64))


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
