"""The Discovery: everything is open (CD-28), so every seat sees the state as it is."""

from __future__ import annotations

from typing import Any

from ludens.core.jit import rule

__all__ = ["determinize", "view"]


@rule
def view(s: Any, seat: int, out: Any) -> None:
    out[0] = s


@rule
def determinize(v: Any, seat: int, rng: Any, out: Any) -> None:
    out[0] = v
