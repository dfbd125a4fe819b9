"""Curves in a terminal, drawn with blocks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

__all__ = ["drawn"]

_BLOCKS = " ▁▂▃▄▅▆▇█"


def drawn(values: Sequence[float], width: int = 60, height: int = 6) -> list[str]:
    """The curve as lines of text, the highest first; more values than columns are averaged."""
    if not values:
        return []
    columns = min(width, len(values))
    edges = [round(k * len(values) / columns) for k in range(columns + 1)]
    means = [sum(values[a:b]) / (b - a) for a, b in pairwise(edges)]
    low, high = min(means), max(means)
    span = (high - low) or 1.0
    levels = [max(1, round((mean - low) / span * height * 8)) for mean in means]
    rows = []
    for row in range(height - 1, -1, -1):
        label = f"{high:10.4g} " if row == height - 1 else f"{low:10.4g} " if row == 0 else " " * 11
        rows.append(label + "".join(_BLOCKS[min(8, max(0, level - 8 * row))] for level in levels))
    return rows
