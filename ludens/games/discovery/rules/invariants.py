"""The Discovery: what every position of the game obeys, for positions from outside.

The map is laid again, tile by tile: whatever a position says of regions, cities and the frontier must come out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ludens.core import kernels
from ludens.core.positions import possible_if
from ludens.games.discovery.rules.tiles import COPIES
from ludens.games.discovery.state import (
    DRAWING,
    FOLLOWER,
    FOLLOWERS,
    KINDS,
    MAX_PIECES,
    MAX_PLAYERS,
    MAX_TILES,
    NOTHING,
    OVER,
    PLACING,
    Discovery,
)

__all__ = ["OF_THE_MAP", "check_position", "laid_again"]

_HIGHEST_SCORE = 5000  # more than anybody can reach
OF_THE_MAP = (
    *("placed", "city_count", "pieces", "cells", "tile_kind", "tile_turns", "tile_x", "tile_y", "tile_open"),
    *("tile_piece", "piece_tile", "piece_region", "piece_next", "region_tiles", "region_ends", "region_cities"),
    *("cell_key", "cell_code", "cell_tiles"),
)


def _faults(s: Discovery, begun: Discovery) -> Iterator[str]:
    players, phase = int(s["players"]), int(s["phase"])
    if int(s["current"]) >= players:
        yield f"there are {players} players"
    for name in ("score", "follower_count", "follower"):
        if not np.array_equal(s[name][players:], begun[name][players:]):
            yield f"{name} of a seat that nobody has is not empty"
    if (phase == PLACING) != (int(s["hand"]) != NOTHING):
        yield "there is a tile in hand while it is placed, and only then (CD-7)"
    if phase == FOLLOWER and int(s["placed"]) < 2:
        yield "nobody has placed a tile yet"
    out = s["deck"].astype(int) + s["aside"]
    for kind in (*s["tile_kind"][: int(s["placed"])].tolist(), *([int(s["hand"])] if phase == PLACING else ())):
        out[kind] += 1
    if not np.array_equal(out, COPIES):
        yield "deck, map and hand together are not the tiles of the box (CD-2)"
    if int(s["deck_left"]) != int(s["deck"].sum()):
        yield "deck_left counts the tiles of the deck"
    yield from _map(s, begun)
    yield from _followers(s, players, phase)


def laid_again(s: Discovery, begun: Discovery) -> np.ndarray:
    """The record after the tiles of the map were laid one by one; ValueError names the first that does not fit."""
    again = np.array([begun], begun.dtype)
    legal = np.zeros(4 * len(s["cell_key"]) + FOLLOWERS + 8, np.int64)
    for tile in range(1, int(s["placed"])):
        again["hand"], again["phase"] = s["tile_kind"][tile], PLACING
        key = 256 * int(s["tile_y"][tile]) + int(s["tile_x"][tile])
        cells = again["cell_key"][0, : int(again["cells"][0])].tolist()
        action = 4 * cells.index(key) + int(s["tile_turns"][tile]) if key in cells else -1
        if action not in legal[: kernels.legal_at(again, 0, legal)].tolist():
            raise ValueError(f"tile {tile + 1} does not fit where it lies (CD-8)")
        kernels.apply_at(again, 0, action)
    return again


def _map(s: Discovery, begun: Discovery) -> Iterator[str]:
    try:
        again = laid_again(s, begun)
    except ValueError as error:
        yield str(error)
        return
    for name in OF_THE_MAP:
        if not np.array_equal(again[name][0], s[name]):
            yield f"{name} does not follow from the tiles"


def _followers(s: Discovery, players: int, phase: int) -> Iterator[str]:
    standing = np.zeros(MAX_PIECES, np.int64)
    for p in range(players):
        count = int(s["follower_count"][p])
        pieces = s["follower"][p]
        if (
            (pieces[:count] < 0).any()
            or (pieces[:count] >= int(s["pieces"])).any()
            or (pieces[count:] != NOTHING).any()
        ):
            yield "a follower stands where there is no land"
        for piece in pieces[:count]:
            standing[s["piece_region"][piece]] += 1
    if phase == OVER and standing.any():
        yield "at the end no follower is left on the map (CD-12)"
    regions = np.unique(s["piece_region"][: int(s["pieces"])])
    if not np.array_equal(standing[regions], s["region_followers"][regions]):
        yield "region_followers counts the followers of a region"


check_position = possible_if(
    {
        "phase": (DRAWING, OVER),
        "current": (0, MAX_PLAYERS - 1),
        "hand": (NOTHING, KINDS - 1),
        "deck_left": (0, MAX_TILES),
        "placed": (1, MAX_TILES),
        "pieces": (1, MAX_PIECES),
        "score": (0, _HIGHEST_SCORE),
        "follower_count": (0, FOLLOWERS),
        "follower": (NOTHING, MAX_PIECES - 1),
        "deck": (0, MAX_TILES),
        "aside": (0, MAX_TILES),
        "tile_kind": (0, KINDS - 1),
        "tile_turns": (0, 3),
        "piece_region": (0, MAX_PIECES - 1),
    },
    ("unplaceable", "small_regions", "final_scoring"),
    _faults,
)
"""Why a record cannot be a position of the game that begins with another record, or None."""
