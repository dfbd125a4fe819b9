"""The Discovery: the four rotations of the whole map; a map turned as a whole is the same game."""

from __future__ import annotations

from typing import Any

from ludens.core.jit import kernel, rule
from ludens.games.discovery.rules.map import cell_x, cell_y
from ludens.games.discovery.rules.tiles import PERIOD
from ludens.games.discovery.state import FIRST_REGION, PLACING

__all__ = ["rotate_action", "rotate_action_at", "rotate_map", "rotate_map_at"]


@rule
def rotate_map(v: Any, out: Any) -> None:
    """out[0] = the position with the whole map turned a quarter clockwise around the start tile.

    North goes east. Tiles, pieces, regions and cells of the frontier keep their numbers.
    """
    out[0] = v
    w = out[0]
    for tile in range(int(v.placed)):
        w.tile_x[tile] = int(v.tile_y[tile])
        w.tile_y[tile] = -int(v.tile_x[tile])
        w.tile_turns[tile] = (int(v.tile_turns[tile]) + 1) & 3
        w.tile_open[tile] = ((int(v.tile_open[tile]) << 1) | (int(v.tile_open[tile]) >> 3)) & 15
    for cell in range(int(v.cells)):
        key, code, around = int(v.cell_key[cell]), int(v.cell_code[cell]), int(v.cell_tiles[cell])
        w.cell_key[cell] = cell_y(key) - 256 * cell_x(key)
        w.cell_code[cell] = ((code << 2) | (code >> 6)) & 255
        w.cell_tiles[cell] = ((around & 0x7FFFFF) << 8) | (around >> 24)


@rule
def rotate_action(v: Any, a: int) -> int:
    """The action of the turned map that corresponds to action a: only the turns of a tile change."""
    if a >= FIRST_REGION or v.phase != PLACING:
        return a
    return 4 * (a >> 2) + ((a & 3) + 1) % int(PERIOD[v.hand])


@kernel
def rotate_map_at(views: Any, i: int, out: Any) -> None:
    """`rotate_map` for Python."""
    rotate_map(views[i], out)


@kernel
def rotate_action_at(views: Any, i: int, a: int) -> int:
    """`rotate_action` for Python."""
    return rotate_action(views[i], a)
