"""The Discovery: a position, and the tiles themselves, as JSON and as plain text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ludens.core.record import Array
from ludens.games.discovery.rules.tiles import PERIOD, SIDES, TERRAINS, TILE_SET
from ludens.games.discovery.state import (
    ACTUAL,
    CLOSED,
    DISCARD,
    DRAWING,
    FOLLOWER,
    FOLLOWERS,
    KINDS,
    NOTHING,
    OPEN,
    OVER,
    PLACING,
    RETURN,
    Discovery,
)
from ludens.games.discovery.text import drawing, lookup

__all__ = ["position_to_json", "position_to_text", "static_to_json"]

_KEPT = 8192  # tiles and regions that are kept: a move changes a few of them
_SEGMENTS = [len(scheme.terrain) for scheme in TILE_SET]  # of every kind of tile
_PHASES = {DRAWING: "drawing", PLACING: "tile", FOLLOWER: "follower", OVER: "over"}
_SCORED = {OPEN: "open", CLOSED: "closed", ACTUAL: "actual"}
_UNPLACEABLE = {DISCARD: "discard", RETURN: "return"}


def static_to_json(dtype: np.dtype) -> dict[str, Any]:
    """The tile set for drawing: everything printed on the kinds of tiles, in their unturned position.

    `sides` names the region on N, E, S and W; `borders` are pairs of regions that touch, `cities` pairs
    of regions with a city between them; `period` is the number of quarter turns that look different.
    """
    return {"terrains": list(TERRAINS), "sides": list(SIDES), "tiles": [_kind_to_json(kind) for kind in range(KINDS)]}


def _kind_to_json(kind: int) -> dict[str, Any]:
    scheme = TILE_SET[kind]
    regions = [
        {"terrain": TERRAINS[terrain], "sides": [SIDES[d] for d in range(4) if scheme.sides[d] == number]}
        for number, terrain in enumerate(scheme.terrain)
    ]
    return {
        "name": scheme.name,
        "copies": scheme.copies,
        "start": scheme.start,
        "period": int(PERIOD[kind]),
        "sides": list(scheme.sides),
        "regions": regions,
        "borders": sorted(list(pair) for pair in scheme.borders),
        "cities": [list(city) for city in scheme.cities],
    }


def position_to_json(v: Discovery) -> dict[str, Any]:
    """The position in the words of the game, for pages and programs (counted from 0).

    Tiles and regions are kept and shared by positions: nobody may change them.
    """
    hand, map_ = int(v.hand), lookup.listed(v)
    return {
        "phase": _PHASES[int(v.phase)],
        "current": int(v.current),
        "rules": {
            "unplaceable_tile": _UNPLACEABLE[int(v.unplaceable)],
            "small_region_scoring": _SCORED[int(v.small_regions)],
            "final_scoring": _SCORED[int(v.final_scoring)],
        },
        "hand": None if hand == NOTHING else TILE_SET[hand].name,
        "deck_left": int(v.deck_left),
        "deck": _by_name(v.deck),
        "aside": _by_name(v.aside),
        "tiles": _tiles_to_json(map_),
        "regions": [_region_to_json(region) for region in lookup.regions(map_)],
        "followers": [_follower_to_json(map_, *follower) for follower in lookup.followers(map_)],
        "players": [
            {"score": int(v.score[p]), "free_followers": FOLLOWERS - int(v.follower_count[p])}
            for p in range(int(v.players))
        ],
    }


def _by_name(counts: Array) -> dict[str, int]:
    return {scheme.name: int(count) for scheme, count in zip(TILE_SET, counts, strict=True) if count}


def _tiles_to_json(v: Any) -> list[dict[str, Any]]:
    tiles = zip(v.tile_kind, v.tile_x, v.tile_y, v.tile_turns, v.tile_piece[: v.placed], strict=False)
    return [
        _tile_to_json(kind, x, y, turns, tuple(v.piece_region[first : first + _SEGMENTS[kind]]))
        for kind, x, y, turns, first in tiles
    ]


@lru_cache(_KEPT)
def _tile_to_json(kind: int, x: int, y: int, turns: int, regions: tuple[int, ...]) -> dict[str, Any]:
    return {"name": TILE_SET[kind].name, "x": x, "y": y, "turns": turns, "regions": list(regions)}


@lru_cache(_KEPT)
def _region_to_json(region: lookup.Region) -> dict[str, Any]:
    return {
        "id": region.number,
        "terrain": TERRAINS[region.terrain],
        "pieces": [list(piece) for piece in region.pieces],
        "size": region.size,
        "open_ends": region.open_ends,
        "closed": region.closed,
        "cities": region.cities,
        "cities_beside": region.cities_beside,
        "followers": list(region.followers),
        "points": region.points,
        "final_points": region.final_points,
    }


def _follower_to_json(v: Discovery, seat: int, number: int, piece: int) -> dict[str, Any]:
    tile, segment = lookup.place_of(v, piece)
    region = lookup.region_at(v, piece, ())
    return {
        "seat": seat,
        "follower": number,
        "tile": tile,
        "x": int(v.tile_x[tile]),
        "y": int(v.tile_y[tile]),
        "segment": segment,
        "region": region.number,
        "points": region.points,
        "final_points": region.final_points,
    }


def position_to_text(v: Discovery) -> str:
    """The whole map in plain letters, with scores, followers and the tile in hand."""
    count = int(v.placed)
    window = drawing.frame(v, 2 * count + 2, 2 * count + 2)
    lines = ["".join(mark.character for mark in row).rstrip() for row in drawing.draw_map(v, window)]
    lines.append(f"{_PHASES[int(v.phase)]}, seat {int(v.current) + 1} to act, {int(v.deck_left)} tiles in the deck")
    if v.hand != NOTHING:
        lines.append(f"in hand {TILE_SET[int(v.hand)].name}:")
        for row in drawing.draw_tile(int(v.hand), 0):
            lines.append("    " + "".join(mark.character for mark in row))
    for p in range(int(v.players)):
        free = FOLLOWERS - int(v.follower_count[p])
        lines.append(f"seat {p + 1}: {int(v.score[p])} points, {free} free followers")
    for seat, number, piece in lookup.followers(v):
        region = lookup.region_at(v, piece, ())
        tile = lookup.place_of(v, piece)[0]
        where = f"{int(v.tile_x[tile])},{int(v.tile_y[tile])}"
        state = "closed" if region.closed else "open"
        lines.append(
            f"  follower {number + 1} of seat {seat + 1}: {state} {TERRAINS[region.terrain]} at {where}, "
            f"{region.size} tiles, {region.points} points"
        )
    return "\n".join(lines)
