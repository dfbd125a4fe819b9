"""Numbers as a report writes them."""

from __future__ import annotations

import math

from ludens.lab.standings import PlayerSummary
from ludens.lab.statistics import Summary

__all__ = ["count_text", "duration_text", "interval_text", "number_text", "p_text", "simulations_text"]


def interval_text(one: Summary) -> str:
    return "–" if math.isnan(one.low) else f"{one.low:.2f} – {one.high:.2f}"


def number_text(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}"


def p_text(value: float) -> str:
    return "–" if math.isnan(value) else "< 0.0001" if value < 1e-4 else f"{value:.4f}"


def duration_text(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def simulations_text(one: PlayerSummary) -> str:
    return "" if one.simulations is None else f"{one.simulations:,.0f} simulations"


def count_text(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
