"""The Discovery: everything is open (CD-28), so every seat sees the state as it is."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array, Records
from ludens.games.discovery.state import Discovery

__all__ = ["determinize", "view"]


@rule
def view(s: Discovery, seat: int, out: Records[Discovery]) -> None:
    out[0] = s


@rule
def determinize(v: Discovery, seat: int, rng: Array, out: Records[Discovery]) -> None:
    out[0] = v
