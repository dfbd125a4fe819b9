"""Rules of Catan's players, compiled for single calls."""

from __future__ import annotations

from ludens.core.jit import kernel
from ludens.core.record import Array, Records
from ludens.games.catan.players.linear.value import Memo, remembered_value
from ludens.games.catan.players.thesis_features import base_features, expand
from ludens.games.catan.state import Catan


@kernel
def base_features_at(views: Records[Catan], i: int, seat: int, as_probability: bool, out: Array) -> None:
    base_features(views[i], seat, as_probability, out)


@kernel
def expanded_at(
    views: Records[Catan], i: int, seat: int, as_probability: bool, mean: Array, deviation: Array, as_printed: bool,
    base: Array, out: Array,
) -> None:  # fmt: skip
    base_features(views[i], seat, as_probability, base)
    expand(base, mean, deviation, as_printed, out)


@kernel
def remembered_at(
    states: Records[Catan], i: int, seat: int, model: Array, scratch: Records[Catan], memo: Memo
) -> float:
    return remembered_value(states[i], seat, model, scratch, memo)
