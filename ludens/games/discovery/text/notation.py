"""The Discovery: a position as one line of text (docs/positions.md)."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ludens.core.notation import Notation, Part, choice, number, numbers
from ludens.games.discovery.rules.invariants import OF_THE_MAP, laid_again
from ludens.games.discovery.rules.tiles import COPIES, TILE_SET
from ludens.games.discovery.state import FOLLOWERS, NOTHING, PLACING, Discovery

__all__ = ["notation"]

_KINDS = [scheme.name for scheme in TILE_SET]
_TILE = re.compile(r"(\w+)@(-?\d{1,3})\.(-?\d{1,3})(?:r([1-3]))?")


def _write_tiles(s: Discovery) -> str:
    found = []
    for tile in range(1, int(s.placed)):
        turned = f"r{int(s.tile_turns[tile])}" if s.tile_turns[tile] else ""
        found.append(f"{_KINDS[int(s.tile_kind[tile])]}@{int(s.tile_x[tile])}.{int(s.tile_y[tile])}{turned}")
    return ",".join(found) or "-"


def _read_tiles(s: Discovery, text: str) -> None:
    tiles = [] if text == "-" else text.split(",")
    if len(tiles) >= len(s.tile_kind):
        raise ValueError("the box has fewer tiles")
    for number_of, one in enumerate(tiles, 1):
        found = _TILE.fullmatch(one)
        if found is None or found[1] not in _KINDS:
            raise ValueError(f"'{one[:20]}' is not a tile, a place and a turn, as D05@2.-1r3")
        x, y = int(found[2]), int(found[3])
        if max(abs(x), abs(y)) > len(s.tile_kind):
            raise ValueError("a tile lies too far away")
        s.tile_kind[number_of], s.tile_turns[number_of] = _KINDS.index(found[1]), int(found[4] or 0)
        s.tile_x[number_of], s.tile_y[number_of] = x, y
    s.placed = len(tiles) + 1


def _write_kind(s: Discovery) -> str:
    return "-" if s.hand == NOTHING else _KINDS[int(s.hand)]


def _read_kind(s: Discovery, text: str) -> None:
    s.hand = NOTHING if text == "-" else _KINDS.index(text)


def _write_aside(s: Discovery) -> str:
    return ",".join(name for name, n in zip(_KINDS, s.aside.tolist(), strict=True) for _ in range(n)) or "-"


def _read_aside(s: Discovery, text: str) -> None:
    for name in [] if text == "-" else text.split(","):
        s.aside[_KINDS.index(name)] += 1


def _write_followers(s: Discovery) -> str:
    """Of every seat its followers, oldest first: the tile by its number on the map, and the region on it."""

    def place(piece: int) -> str:
        if not 0 <= piece < int(s.pieces):
            return "?"
        tile = int(s.piece_tile[piece])
        return f"{tile + 1}.{piece - int(s.tile_piece[tile])}"

    return ",".join(
        "+".join(place(int(piece)) for piece in s.follower[p, : int(s.follower_count[p])]) or "-"
        for p in range(int(s.players))
    )


def _read_followers(s: Discovery, text: str) -> None:
    seats = text.split(",")
    if len(seats) != int(s.players):
        raise ValueError(f"there are {int(s.players)} players")
    firsts = np.concatenate([[0], np.cumsum([len(TILE_SET[int(k)].terrain) for k in s.tile_kind[: int(s.placed)]])])
    for p, seat in enumerate(seats):
        places = [] if seat == "-" else seat.split("+")
        if len(places) > FOLLOWERS:
            raise ValueError(f"everybody has {FOLLOWERS} followers")
        s.follower[p] = NOTHING
        s.follower_count[p] = len(places)
        for k, place in enumerate(places):
            tile, region = (int(number_of) for number_of in place.split("."))
            if not 1 <= tile <= int(s.placed) or not 0 <= region < firsts[tile] - firsts[tile - 1]:
                raise ValueError(f"there is no region {place}")
            s.follower[p, k] = firsts[tile - 1] + region


def _derive(s: Discovery, begun: Discovery) -> None:
    """The map is laid again, tile by tile; the deck holds what is nowhere else (CD-13)."""
    again = laid_again(s, begun)
    written: Any = s
    for name in OF_THE_MAP:
        written[name] = again[name][0]
    s.region_followers[:] = 0
    for piece in s.follower[: int(s.players)].ravel():
        if piece != NOTHING:
            s.region_followers[s.piece_region[piece]] += 1
    out = COPIES - s.aside - np.bincount(s.tile_kind[: int(s.placed)], minlength=len(COPIES))
    if s.phase == PLACING and s.hand != NOTHING:
        out[s.hand] -= 1
    if (out < 0).any():
        raise ValueError("there are more tiles than in the box (CD-2)")
    s.deck, s.deck_left = out, out.sum()


def _tidy(s: Discovery) -> None:
    """A region that was joined to another keeps its count, and only that of the whole is read."""
    pieces = int(s.pieces)
    whole = np.zeros(len(s.piece_region), bool)
    whole[s.piece_region[:pieces]] = True
    s.region_followers[~whole] = 0


def notation() -> Notation:
    """Tiles by their names, with their places from the start tile and their quarter turns; seats counted from 1."""
    return Notation(
        parts=(
            choice("phase", "phase", ("draw", "tile", "follower", "over")),
            number("turn", "current", first=1),
            Part("hand", _write_kind, _read_kind),
            Part("tiles", _write_tiles, _read_tiles),
            Part("followers", _write_followers, _read_followers),
            numbers("scores", "score", lambda s: int(s.players)),
            Part("aside", _write_aside, _read_aside),
        ),
        derive=_derive,
        tidy=_tidy,
    )
