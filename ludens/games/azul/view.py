"""Azul: everything is open, so every seat sees the state as it is."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array, Records
from ludens.games.azul.state import Azul

__all__ = ["determinize", "view"]


@rule
def view(s: Azul, seat: int, out: Records[Azul]) -> None:
    out[0] = s


@rule
def determinize(v: Azul, seat: int, rng: Array, out: Records[Azul]) -> None:
    out[0] = v
