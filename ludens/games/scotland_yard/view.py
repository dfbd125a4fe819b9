"""Scotland Yard: hidden information. Only Mr. X's station is hidden, and only between reveals (SY-10, SY-24)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array, Records
from ludens.core.verbs import UNKNOWN
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.possible import sample
from ludens.games.scotland_yard.state import ScotlandYard

__all__ = ["determinize", "mr_x_is_seen", "view"]


@rule
def mr_x_is_seen(s: ScotlandYard) -> bool:
    """Does Mr. X stand openly on the board, or is his place no secret yet or any more?"""
    return s.phase == phases.PLACING or s.phase == phases.OVER or s.seen_move == s.moves


@rule
def view(s: ScotlandYard, seat: int, out: Records[ScotlandYard]) -> None:
    out[0] = s
    if seat != 0 and not mr_x_is_seen(s):
        out[0].mr_x_station = UNKNOWN


@rule
def determinize(v: ScotlandYard, seat: int, rng: Array, out: Records[ScotlandYard]) -> None:
    out[0] = v
    if v.mr_x_station == UNKNOWN:
        out[0].mr_x_station = sample(v, rng)
