"""Azul: what an action or a draw did, as events, and events as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludens.core.jit import plain
from ludens.games.azul import phases
from ludens.games.azul.rules.tiling import full_line
from ludens.games.azul.rules.wall import tile_points
from ludens.games.azul.state import COLOURS, EMPTY, FLOOR, FLOOR_PENALTY, NOBODY, SIZE, Azul
from ludens.games.azul.text.actions import split
from ludens.games.azul.text.position import complete
from ludens.i18n.messages import say

__all__ = ["events", "narrate"]

_full_line = plain(full_line)
_tile_points = plain(tile_points)


def events(before: Azul, a: int, after: Azul) -> list[dict[str, Any]]:
    """What an action or outcome did, as small dictionaries with a `kind` each (counted from 0)."""
    if before.phase == phases.START:
        return [{"kind": "start", "seat": a}]
    if before.phase == phases.DEALING:
        return [{"kind": "deal", "factory": int(before.dealt) // 4, "colour": COLOURS[a]}]
    p = int(before.current)
    if before.phase == phases.TAKING:
        source, colour, destination = split(a)
        count = int(before.sources[source, colour])
        line = destination if destination != FLOOR else None
        room = 0 if line is None else line + 1 - int(before.line_count[p, line])
        take = {
            "kind": "take",
            "seat": p,
            "source": source,
            "centre": source == int(before.factories),
            "colour": COLOURS[colour],
            "count": count,
            "line": line,
            "overflow": max(0, count - room),
            "marker": bool(before.marker == NOBODY and after.marker == p),
        }
        return [take]
    return _tiling_events(before, a, after, p)


def _tiling_events(before: Azul, a: int, after: Azul, p: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    line = int(_full_line(before, p))
    gained = 0
    if line >= 0:
        colour = COLOURS[int(before.line_colour[p, line])]
        placed = [c for c in range(SIZE) if before.wall[p, line, c] == EMPTY and after.wall[p, line, c] != EMPTY]
        if placed:
            gained = int(_tile_points(before.wall[p], line, placed[0]))
            tile = {"kind": "tile", "seat": p, "row": line, "column": placed[0], "colour": colour, "points": gained}
            found.append(tile)
            if all(after.wall[p, line, c] != EMPTY for c in range(SIZE)):
                found.append({"kind": "row", "seat": p, "row": line})
        else:
            found.append({"kind": "drop", "seat": p, "row": line, "colour": colour, "count": line + 1})
    settled = after.phase != phases.PLACING or after.current != p
    if settled:
        dropped = line + 1 if line >= 0 and not gained else 0
        used = min(7, int(before.floor_count[p]) + dropped)
        lost = min(int(FLOOR_PENALTY[used]), int(before.score[p]) + gained)
        found.append({"kind": "floor", "seat": p, "places": used, "points": -lost})
    if after.phase == phases.OVER:
        for seat in range(int(after.players)):
            counts = complete(after, seat)
            points = 2 * counts["rows"] + 7 * counts["columns"] + 10 * counts["colours"]
            found.append({"kind": "bonus", "seat": seat, **counts, "points": points})
        found.append({"kind": "over", "cut_off": bool(after.cut_off)})
    elif after.phase != phases.PLACING:
        found.append({"kind": "round", "round": int(after.round_number), "first": int(after.first)})
    return found


def narrate(event: Mapping[str, Any], names: Sequence[str]) -> str:
    """One event as a sentence without a full stop; empty for what goes without saying."""
    kind = event["kind"]
    who = names[event["seat"]] if "seat" in event else ""
    if kind == "start":
        return say("{who} starts", who=who)
    if kind == "deal":
        return say("factory {factory} gets {colour}", factory=event["factory"] + 1, colour=event["colour"])
    if kind == "take":
        place = say("the centre") if event["centre"] else say("factory {n}", n=event["source"] + 1)
        where = say("the floor") if event["line"] is None else say("line {n}", n=event["line"] + 1)
        spilled = event["overflow"] if event["line"] is not None else 0
        more = say(", {n} to the floor", n=spilled) if spilled else ""
        marker = say(", with the first-player marker") if event["marker"] else ""
        taken = {"n": event["count"], "colour": event["colour"], "more": more, "marker": marker}
        return say(
            "{who} takes {n} {colour} from {place} to {where}{more}{marker}", who=who, place=place, where=where, **taken
        )
    if kind == "tile":
        cell = {"row": event["row"] + 1, "column": event["column"] + 1}
        tile = {"colour": event["colour"], "points": event["points"]}
        return say("{who} tiles {colour} at row {row}, column {column}: +{points}", who=who, **cell, **tile)
    if kind == "row":
        return say("{who} completes row {row}", who=who, row=event["row"] + 1)
    if kind == "drop":
        dropped = {"colour": event["colour"], "row": event["row"] + 1, "n": event["count"]}
        return say("{who} has no place for {colour} in row {row}; {n} fall to the floor", who=who, **dropped)
    if kind == "floor":
        if not event["places"]:
            return ""
        return say("{who} clears {n} from the floor: {points}", who=who, n=event["places"], points=event["points"])
    if kind == "bonus":
        parts = {what: say(_COUNTED[what][event[what] != 1], n=event[what]) for what in _COUNTED}
        return say("{who} scores bonuses for {rows}, {columns}, {colours}: +{n}", who=who, n=event["points"], **parts)
    if kind == "round":
        return say("round {n} begins, {name} starts", n=event["round"], name=names[event["first"]])
    return say("the round limit ends the game") if event["cut_off"] else say("the game is over")


_COUNTED = {
    "rows": ("{n} row", "{n} rows"),
    "columns": ("{n} column", "{n} columns"),
    "colours": ("{n} colour", "{n} colours"),
}
