"""Figures as SVG text, in colours that read on light and dark paper."""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ludens.core.extras import require
from ludens.lab.statistics import Distribution

__all__ = ["COLOURS", "INK", "LINE", "curves", "dots", "forest", "histograms", "scatter"]

INK, LINE = "#757575", "#b9b9b9"
"""Text and grid; a page puts its own colours in their place."""

_LONGEST_NAME = 60
COLOURS = ("#3f74bd", "#d1632a", "#3b9560", "#a3559f", "#b08f14", "#4aa0b5", "#c4475f", "#80766b")


def _begin(width: float, height: float, rows: int = 1, columns: int = 1) -> tuple[Any, Any]:
    require("lab", "A figure", "matplotlib")
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    style: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": "ludens",
        "font.size": 9.5,
        "font.family": "sans-serif",
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": LINE,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.grid": True,
        "grid.color": LINE,
        "grid.alpha": 0.5,
        "grid.linewidth": 0.6,
        "legend.frameon": False,
        "text.parse_math": False,  # names may hold a $
    }
    pyplot.rcParams.update(style)
    return pyplot.subplots(rows, columns, figsize=(width, height), layout="constrained", squeeze=False)


def _end(figure: Any) -> str:
    from matplotlib import pyplot

    text = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # letters are drawn by whoever shows the figure, with its own fonts
        figure.savefig(text, format="svg", transparent=True, metadata=nothing)
    pyplot.close(figure)
    return _slim(text.getvalue())


def _name(text: str, longest: int = _LONGEST_NAME) -> str:
    """A name as it stands in a figure: not longer than there is room for, and shown whatever it begins with."""
    short = text if len(text) <= longest else f"{text[: longest - 1]}…"
    return f"\u200b{short}" if short.startswith("_") else short  # a legend leaves out what begins with _


def _slim(svg: str) -> str:
    """The same drawing in half the letters: hundredths of a point, no list of fonts, no empty turns, no indentation."""
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    svg = re.sub(r'font-family: [^;"]*', "font-family: sans-serif", svg)
    svg = re.sub(r"(\d+\.\d\d)\d+", r"\1", svg)
    svg = re.sub(r' *\n(?=[A-Za-z"])', " ", svg)  # the parts of a path
    return "\n".join(line.strip() for line in svg.splitlines()) + "\n"


def dots(rows: Sequence[tuple[str, float, float, float]], label: str, zero: float | None = None) -> str:
    """Name, value, low, high a row, from the top."""
    figure, axes = _begin(8, 0.6 + 0.34 * len(rows))
    axis = axes[0][0]
    for k, (_, value, low, high) in enumerate(rows):
        colour = COLOURS[k % len(COLOURS)]
        if not (math.isnan(low) or math.isnan(high)):
            axis.plot([low, high], [k, k], color=colour, linewidth=3, alpha=0.45, solid_capstyle="round")
        axis.plot([value], [k], "o", color=colour, markersize=7)
    axis.set_yticks(range(len(rows)), [_name(row[0]) for row in rows])
    axis.set_ylim(len(rows) - 0.5, -0.5)
    axis.grid(axis="y", visible=False)
    if zero is not None:
        axis.axvline(zero, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
    axis.set_xlabel(label)
    return _end(figure)


def forest(rows: Sequence[tuple[str, tuple[float, float, float], tuple[float, float, float]]], label: str) -> str:
    """Printed and measured figures with their intervals, a row each: name, (value, low, high) of both."""
    figure, axes = _begin(8, 0.8 + 0.36 * len(rows))
    axis = axes[0][0]
    for k, (_, printed, own) in enumerate(rows):
        for shift, (value, low, high), colour, sign in ((-0.14, printed, INK, "s"), (0.14, own, COLOURS[0], "o")):
            if not (math.isnan(low) or math.isnan(high)):
                axis.plot([low, high], [k + shift] * 2, color=colour, linewidth=2.5, alpha=0.5)
            axis.plot([value], [k + shift], sign, color=colour, markersize=5)
    axis.plot([], [], "s", color=INK, label="printed")
    axis.plot([], [], "o", color=COLOURS[0], label="here")
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0)
    axis.set_yticks(range(len(rows)), [_name(row[0]) for row in rows])
    axis.set_ylim(len(rows) - 0.5, -0.5)
    axis.grid(axis="y", visible=False)
    axis.set_xlabel(label)
    return _end(figure)


def histograms(parts: Mapping[str, Distribution], label: str) -> str:
    """One small histogram each, with the normal curve of the same mean and spread, on a common axis."""
    columns = min(3, len(parts))
    rows = math.ceil(len(parts) / columns)
    figure, axes = _begin(2.9 * columns, 1.9 * rows, rows, columns)
    low = min(float(part.edges[0]) for part in parts.values())
    high = max(float(part.edges[-1]) for part in parts.values())
    for k, (name, part) in enumerate(parts.items()):
        axis = axes[k // columns][k % columns]
        axis.stairs(part.counts, part.edges, fill=True, color=COLOURS[k % len(COLOURS)], alpha=0.55)
        if part.sd > 0:
            x = np.linspace(low, high, 200)
            axis.plot(x, part.normal(x), color=INK, linewidth=1.1)
        axis.set_title(_name(name, _LONGEST_NAME // 2), fontsize=9.5)
        axis.set_xlim(low, high)
        axis.tick_params(labelsize=8)
        axis.yaxis.get_major_locator().set_params(integer=True)
        if k // columns == rows - 1:
            axis.set_xlabel(label, fontsize=8.5)
    for k in range(len(parts), rows * columns):
        axes[k // columns][k % columns].set_axis_off()
    return _end(figure)


def curves(lines: Mapping[str, np.ndarray], across: str, up: str) -> str:
    """Lines over 1, 2, 3, …; each is named at its end."""
    figure, axes = _begin(8, 4)
    axis = axes[0][0]
    for k, (name, values) in enumerate(lines.items()):
        known = np.flatnonzero(~np.isnan(values))
        if len(known):
            axis.plot(known + 1, values[known], color=COLOURS[k % len(COLOURS)], linewidth=1.6, label=_name(name))
    axis.legend(loc="upper left", ncols=2)
    axis.set_xlabel(across)
    axis.set_ylabel(up)
    return _end(figure)


def scatter(points: Sequence[tuple[str, float, float, float, float]], across: str, up: str) -> str:
    """Name, x (logarithmic), y, low, high."""
    figure, axes = _begin(8, 4.6)
    axis = axes[0][0]
    for k, (name, x, y, low, high) in enumerate(points):
        colour = COLOURS[k % len(COLOURS)]
        axis.plot([x, x], [low, high], color=colour, linewidth=2.5, alpha=0.4)
        axis.plot([x], [y], "o", color=colour, markersize=7)
        axis.annotate(_name(name), (x, y), (7, 3), textcoords="offset points", fontsize=9)
    axis.set_xscale("log")
    axis.margins(x=0.18)
    axis.set_xlabel(across)
    axis.set_ylabel(up)
    return _end(figure)
