"""The Discovery: what an action or a draw did, as events and as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludens.games.discovery.rules.tiles import TERRAINS, TILE_SET
from ludens.games.discovery.state import DRAWING, FIRST_FOLLOWER, FIRST_REGION, OVER, PASS, PLACING, RETURN, Discovery
from ludens.games.discovery.text import lookup
from ludens.i18n.messages import joined, say, sentence

__all__ = ["events", "narrate"]

_TURNED = ("", say(", turned right"), say(", upside down"), say(", turned left"))


def events(before: Discovery, a: int, after: Discovery) -> list[dict[str, Any]]:
    """What an action or outcome did, as small dictionaries with a `kind` each (counted from 0)."""
    p = int(before.current)
    if before.phase == DRAWING:
        if after.phase == PLACING:
            return [{"kind": "draw", "seat": p, "tile": TILE_SET[a].name}]
        back = bool(before.unplaceable == RETURN)
        found: list[dict[str, Any]] = [{"kind": "discard", "seat": p, "tile": TILE_SET[a].name, "returns": back}]
        return found + (_final_events(after, _standing_pieces(before)) if after.phase == OVER else [])
    if before.phase == PLACING:
        return _tile_events(before, after, a & 3, p)
    pieces = _standing_pieces(before)
    if a == PASS:
        found = [{"kind": "pass", "seat": p}]
    elif a >= FIRST_FOLLOWER:
        k = a - FIRST_FOLLOWER
        piece = int(before.follower[p, k])
        found = [{"kind": "remove", "follower": k, **_place(before, p, piece, final=False)}]
        pieces.remove((p, piece))
    else:
        piece = lookup.piece_number(before, int(before.placed) - 1, a - FIRST_REGION)
        found = [{"kind": "follower", **_place(before, p, piece, final=False)}]
        pieces.append((p, piece))
    return found + (_final_events(after, pieces) if after.phase == OVER else [])


def _standing_pieces(s: Discovery) -> list[tuple[int, int]]:
    return [(p, piece) for p, _, piece in lookup.followers(s)]


def _tile_events(before: Discovery, after: Discovery, turns: int, p: int) -> list[dict[str, Any]]:
    tile = int(after.placed) - 1
    x, y = int(after.tile_x[tile]), int(after.tile_y[tile])
    name = TILE_SET[int(before.hand)].name
    found: list[dict[str, Any]] = [{"kind": "tile", "seat": p, "tile": name, "x": x, "y": y, "turns": turns}]
    touched = {int(after.piece_region[piece]) for piece in range(int(after.tile_piece[tile]), int(after.pieces))}
    for number in sorted(touched):
        region = lookup.region_at(after, number)
        if region.closed and region.size > 1:
            found.append({"kind": "closed", "terrain": TERRAINS[region.terrain], "size": region.size})
    return found


def _place(s: Discovery, p: int, piece: int, final: bool) -> dict[str, Any]:
    tile, segment = lookup.place_of(s, piece)
    region = lookup.region_at(s, piece, ())
    return {
        "seat": p,
        "x": int(s.tile_x[tile]),
        "y": int(s.tile_y[tile]),
        "segment": segment,
        "terrain": TERRAINS[region.terrain],
        "points": region.final_points if final else region.points,
    }


def _final_events(after: Discovery, pieces: list[tuple[int, int]]) -> list[dict[str, Any]]:
    scored = [{"kind": "final", **_place(after, p, piece, final=True)} for p, piece in sorted(pieces)]
    totals = [int(points) for points in after.score[: int(after.players)]]
    return [*scored, {"kind": "over", "scores": totals}]


def narrate(event: Mapping[str, Any], names: Sequence[str]) -> str:
    """One event as a sentence without a full stop; empty for what goes without saying."""
    kind = event["kind"]
    who = names[event["seat"]] if "seat" in event else ""
    where = f"{event['x']},{event['y']}" if "x" in event else ""
    if kind == "draw":
        return say("{who} draws a tile: {terrains}", who=who, terrains=_terrains(event["tile"]))
    if kind == "discard":
        fate = say("it goes back into the deck") if event["returns"] else say("it leaves the game")
        return say("{who} draws a tile that fits nowhere; {fate}", who=who, fate=fate)
    if kind == "tile":
        return say("{who} places a tile at {where}{turned}", who=who, where=where, turned=_TURNED[event["turns"]])
    if kind == "closed":
        return say("a region of {terrain} is closed: {n} tiles", terrain=event["terrain"], n=event["size"])
    standing = {"terrain": event.get("terrain"), "n": event.get("points")}
    if kind == "follower":
        return say("{who} puts a follower on {terrain} at {where}, worth {n} now", who=who, where=where, **standing)
    if kind == "remove":
        return say("{who} takes back a follower from {terrain} at {where}: +{n}", who=who, where=where, **standing)
    if kind == "final":
        return say("{who} scores the follower on {terrain} at {where}: +{n}", who=who, where=where, **standing)
    if kind == "pass":
        return say("{who} passes", who=who)
    return say("the game is over")


def _terrains(name: str) -> str:
    """What lies on a tile."""
    (tile,) = (scheme for scheme in TILE_SET if scheme.name == name)
    return joined([sentence(TERRAINS[terrain]) for terrain in sorted(set(tile.terrain))])
