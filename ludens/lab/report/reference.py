"""Printed figures beside ours: what a source says, what was measured, and whether the intervals overlap.

A file of references has `source`, and a `[[figure]]` for every printed number: `table`, `what` (below), `mean`, and as
far as the source tells `sd`, `n`, `interval`. `player`, `seat` (from 1), `without`, `with` narrow the games down,
`except` leaves seats of these players out. `note` says what the reader should know, `corrected = true` that the print
has a slip which is put right. `players`, at the top of the file, are those whose games the figures average over.
Figures that stand in another file are taken `from` there: those that an entry of `only` names by `table`, `what` and as
much of what narrows them down as they have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core.errors import did_you_mean
from ludens.core.toml_files import TomlFile
from ludens.lab.distributions import student_quantile
from ludens.lab.standings import GamesTable
from ludens.lab.statistics import Summary, share_interval, summary

__all__ = ["MEASURES", "Comparison", "PrintedFigure", "References", "compare", "read_references"]

MEASURES = {
    "score": "mean score",
    "opponents": "mean score of the others",
    "rank": "mean rank",
    "sum": "sum of scores",
    "difference": "first seat minus second",
    "share": "share of victories",
    "length": "length of won games",
    "seconds": "seconds a game",
}
_KEYS = (
    *("table", "what", "player", "seat", "without", "with", "except", "mean", "sd", "n", "interval", "note"),
    "corrected",
)
_ADDRESS = ("table", "what", "player", "seat", "without", "with", "except")  # by these a figure is named


@dataclass(frozen=True)
class PrintedFigure:
    """One number of the source."""

    table: str
    what: str
    mean: float
    player: str | None = None
    seat: int | None = None
    without: tuple[str, ...] = ()
    with_any: tuple[str, ...] = ()
    excepting: tuple[str, ...] = ()
    sd: float | None = None
    n: int | None = None
    interval: tuple[float, float] | None = None
    note: str = ""
    corrected: bool = False

    @property
    def label(self) -> str:
        who = self.player or (f"all but {', '.join(self.excepting)}" if self.excepting else MEASURES[self.what])
        seat = f", seat {self.seat}" if self.seat else ""
        games = f", without {', '.join(self.without)}" if self.without else ""
        games += f", games with {', '.join(self.with_any)}" if self.with_any else ""
        return f"{who}{seat}{games}"

    def bounds(self, alpha: float) -> tuple[float, float]:
        """The printed interval, or the one that follows from spread and number of games; nan where neither is told."""
        if self.interval is not None:
            return self.interval
        if self.n and self.what == "share":
            return share_interval(self.mean * self.n, self.n, 1 - alpha)
        if self.n and self.n > 1 and self.sd is not None:
            half = student_quantile(self.n - 1, 1 - alpha / 2) * self.sd / math.sqrt(self.n)
            return self.mean - half, self.mean + half
        return math.nan, math.nan


@dataclass(frozen=True)
class References:
    """A file of printed figures."""

    source: str
    about: str
    figures: tuple[PrintedFigure, ...] = field(default_factory=tuple)
    players: tuple[str, ...] = ()  # whose games the figures average over


@dataclass(frozen=True)
class Comparison:
    """A printed figure and ours."""

    printed: PrintedFigure
    bounds: tuple[float, float]  # of the printed one
    own: Summary
    missing: tuple[str, ...] = ()  # players of the source who have no part in our games: like is not compared with like

    @property
    def agrees(self) -> bool | None:
        """Do the intervals overlap? None where neither side has one."""
        low, high = (self.printed.mean,) * 2 if math.isnan(self.bounds[0]) else self.bounds
        own = (self.own.mean,) * 2 if math.isnan(self.own.low) else (self.own.low, self.own.high)
        if math.isnan(self.bounds[0]) and math.isnan(self.own.low):
            return None
        return low <= own[1] and own[0] <= high


def read_references(path: str | Path) -> References:
    """The figures of a file; unknown keys and measures are refused with their line."""
    file = TomlFile(path)
    top = file.table(known=("source", "about", "players", "figure", "from", "only"))
    listed = top.get("figure", [])
    if not isinstance(listed, list):
        raise file.refuse("figures stand in tables [[figure]].", "figure")
    _check_kinds(file, top)
    figures = []
    for number in range(len(listed)):
        here = ("figure", number)
        given = file.table(*here, known=_KEYS)
        if given.get("what") not in MEASURES:
            raise file.refuse(did_you_mean(str(given.get("what")), MEASURES, "measure"), *here, "what")
        if "mean" not in given:
            raise file.refuse("a figure needs its mean.", *here)
        _check_kinds(file, given, *here)
        figures.append(_figure(given))
    figures += _from_another(file, top)
    return References(top.get("source", ""), top.get("about", ""), tuple(figures), tuple(top.get("players", ())))


def _from_another(file: TomlFile, top: Mapping[str, Any]) -> list[PrintedFigure]:
    """The figures of another file that `only` names, in its order."""
    if "from" not in top:
        return []
    there = file.path.parent / str(top["from"])
    known = {tuple(map(str, map(figure.get, _ADDRESS))): figure for figure in TomlFile(there).content.get("figure", [])}
    found = []
    for number in range(len(top.get("only", []))):
        wanted = tuple(map(str, map(file.table("only", number, known=_ADDRESS).get, _ADDRESS)))
        if wanted not in known:
            raise file.refuse(f"{there.name} has no such figure.", "only", number)
        found.append(_figure(known[wanted]))
    return found


def _check_kinds(file: TomlFile, given: Mapping[str, Any], *here: str | int) -> None:
    """Refuses values of another kind than their key has."""
    for key, value in given.items():
        for keys, sound, what in _KINDS:
            if key in keys and not sound(value):
                raise file.refuse(f"{key} must be {what}, not {value!r}.", *here, key)
    if given.get("what") == "share" and not 0 <= given["mean"] <= 1:
        raise file.refuse(f"a share lies between 0 and 1, not {given['mean']}.", *here, "mean")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_interval(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value)) and value[0] <= value[1]


_KINDS: tuple[tuple[tuple[str, ...], Callable[[Any], bool], str], ...] = (
    (("mean",), _is_number, "a number"),
    (("sd",), lambda value: _is_number(value) and value >= 0, "a number from 0 on"),
    (("n", "seat"), _is_count, "a whole number from 1 on"),
    (("interval",), _is_interval, "a list of two numbers, the lower one first"),
    (("table", "note", "player", "source", "about"), lambda value: isinstance(value, str), "a text"),
    (("corrected",), lambda value: isinstance(value, bool), "true or false"),
    (
        ("without", "with", "except", "players"),
        lambda value: isinstance(value, list) and all(isinstance(name, str) for name in value),
        "a list of players",
    ),
)
"""What the values of a file are, by their keys."""


def _figure(given: Mapping[str, Any]) -> PrintedFigure:
    interval = given.get("interval")
    return PrintedFigure(
        table=str(given.get("table", "")),
        what=given["what"],
        mean=float(given["mean"]),
        player=given.get("player"),
        seat=given.get("seat"),
        without=tuple(given.get("without", ())),
        with_any=tuple(given.get("with", ())),
        excepting=tuple(given.get("except", ())),
        sd=given.get("sd"),
        n=given.get("n"),
        interval=None if interval is None else (float(interval[0]), float(interval[1])),
        note=given.get("note", ""),
        corrected=bool(given.get("corrected", False)),
    )


def compare(
    references: References, games: GamesTable, alpha: float, lengths: np.ndarray | None = None
) -> list[Comparison]:
    """Every printed figure for which we have games; `lengths` are those of the games, where the game tells any."""
    found = []
    missing = tuple(name for name in references.players if name not in games.names)
    for printed in references.figures:
        values = _measured(printed, games, lengths)
        if values is None or len(values) == 0:
            continue
        own = summary(values, alpha)
        if printed.what == "share":
            low, high = share_interval(float(values.sum()), len(values), 1 - alpha)
            own = Summary(own.n, own.mean, own.sd, low, high)
        found.append(Comparison(printed, printed.bounds(alpha), own, missing))
    return found


def _measured(printed: PrintedFigure, games: GamesTable, lengths: np.ndarray | None) -> np.ndarray | None:
    """Our numbers for a printed figure, a game (or seat of a game) each."""
    if printed.player is not None and printed.player not in games.names:
        return None
    if any(name not in games.names for name in printed.with_any) or (printed.seat or 1) > games.seats:
        return None
    keep = np.ones(games.games, bool)
    for name in printed.without:
        if name in games.names:
            keep &= np.all(games.player != games.index(name), axis=1)
    if printed.with_any:
        keep &= np.any(np.isin(games.player, [games.index(name) for name in printed.with_any]), axis=1)
    chosen = games.where(keep)
    if printed.what == "sum":
        return np.asarray(chosen.score.sum(axis=1))
    if printed.what == "difference":
        return np.asarray(chosen.score[:, 0] - chosen.score[:, 1])
    if printed.what == "seconds":
        own = chosen if printed.player is None else chosen.with_any([printed.player])
        return np.asarray(own.seconds.sum(axis=1))
    places = chosen.places if printed.seat is None else [printed.seat - 1]
    parts = []
    for seat in places:
        rows = np.ones(chosen.games, bool)
        if printed.player is not None:
            rows = chosen.player[:, seat] == chosen.index(printed.player)
        for name in printed.excepting:
            if name in chosen.names:
                rows &= chosen.player[:, seat] != chosen.index(name)
        if printed.what == "length":
            if lengths is None:
                return None
            parts.append(lengths[keep][rows & (chosen.victory[:, seat] > 0.5)])
        elif printed.what == "opponents":
            others = [k for k in range(chosen.seats) if chosen.sides[k] != chosen.sides[seat]]
            parts.append(chosen.score[rows][:, others].mean(axis=1))
        else:
            column = {"score": chosen.score, "rank": chosen.rank, "share": chosen.victory}[printed.what]
            parts.append(column[rows, seat])
    return np.concatenate(parts)
