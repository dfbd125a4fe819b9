"""The Discovery: the map grows by a tile: frontier, regions, cities (CD-8, CD-11, CD-13 … CD-16)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.games.discovery.rules.tiles import (
    CITIES,
    SEGMENT_CITIES,
    SEGMENTS,
    SIDE_SEGMENT,
    SIDE_TERRAIN,
    fitting_turns,
)
from ludens.games.discovery.state import ALL_EMPTY, EAST, NORTH, NOTHING, Discovery

__all__ = [
    "cell_x",
    "cell_y",
    "facing_piece",
    "find_cell",
    "fits_somewhere",
    "join_tile",
    "lay_tile",
    "neighbour",
    "piece_at",
    "take_cell",
]


@rule
def cell_y(key: int) -> int:
    return (int(key) + 128) >> 8


@rule
def cell_x(key: int) -> int:
    return int(key) - 256 * ((int(key) + 128) >> 8)


@rule
def find_cell(s: Discovery, key: int) -> int:
    """The index of the cell in the frontier; their number if it is not there."""
    for cell in range(int(s.cells)):
        if s.cell_key[cell] == key:
            return cell
    return int(s.cells)


@rule
def neighbour(s: Discovery, cell: int, side: int) -> int:
    """The tile on that side of a frontier cell, or NOTHING."""
    return ((int(s.cell_tiles[cell]) >> 8 * side) & 127) - 1


@rule
def piece_at(s: Discovery, tile: int, side: int) -> int:
    """The piece on a side (as it lies on the map) of a placed tile."""
    return int(s.tile_piece[tile]) + int(SIDE_SEGMENT[s.tile_kind[tile], (side - int(s.tile_turns[tile])) & 3])


@rule
def facing_piece(s: Discovery, cell: int, side: int) -> int:
    """The piece that looks into the frontier cell from that side, or NOTHING."""
    tile = neighbour(s, cell, side)
    if tile == NOTHING:
        return NOTHING
    return piece_at(s, tile, (side + 2) & 3)


@rule
def fits_somewhere(s: Discovery, kind: int) -> bool:
    """Can a tile of this kind be placed at all? (CD-9)"""
    for cell in range(s.cells):
        if fitting_turns(kind, int(s.cell_code[cell])) != 0:
            return True
    return False


@rule
def lay_tile(s: Discovery, kind: int, x: int, y: int, turns: int, tiles_around: int) -> None:
    """Puts a tile on the map; `tiles_around` are its neighbours, packed as in `cell_tiles`."""
    tile = int(s.placed)
    s.tile_x[tile] = x
    s.tile_y[tile] = y
    join_tile(s, kind, turns, tiles_around)
    for side in range(4):
        if s.tile_open[tile] >> side & 1:
            terrain = int(SIDE_TERRAIN[kind, (side - turns) & 3])
            _ask(s, 256 * (y + int(NORTH[side])) + x + int(EAST[side]), (side + 2) & 3, tile, terrain)


@rule
def join_tile(s: Discovery, kind: int, turns: int, tiles_around: int) -> None:
    """What a tile does to the regions of the map, without its place: enough to value it."""
    tile = int(s.placed)
    first = int(s.pieces)
    s.placed = tile + 1
    s.tile_kind[tile] = kind
    s.tile_turns[tile] = turns
    s.tile_piece[tile] = first
    _add_pieces(s, tile, kind, first)
    open_sides = 0
    for side in range(4):
        piece = first + int(SIDE_SEGMENT[kind, (side - turns) & 3])
        other_tile = ((tiles_around >> 8 * side) & 127) - 1
        if other_tile == NOTHING:
            open_sides |= 1 << side
            s.region_ends[s.piece_region[piece]] += 1
        else:
            back = (side + 2) & 3
            other = piece_at(s, other_tile, back)
            s.tile_open[other_tile] -= 1 << back
            s.region_ends[s.piece_region[other]] -= 1
            _join(s, int(s.piece_region[piece]), int(s.piece_region[other]))
    s.tile_open[tile] = open_sides


@rule
def _add_pieces(s: Discovery, tile: int, kind: int, first: int) -> None:
    """The segments of a new tile, each a region of its own, with its cities."""
    segments = int(SEGMENTS[kind])
    s.pieces = first + segments
    for segment in range(segments):
        piece = first + segment
        s.piece_tile[piece] = tile
        s.piece_region[piece] = piece
        s.piece_next[piece] = piece
        s.region_tiles[piece] = 1
        s.region_ends[piece] = 0
        s.region_followers[piece] = 0
        s.region_cities[piece] = int(SEGMENT_CITIES[kind, segment]) << int(s.city_count)
    s.city_count += int(CITIES[kind])


@rule
def _join(s: Discovery, a: int, b: int) -> None:
    """Unites two regions; all followers stay (CD-11). The smaller one takes the larger one's name."""
    if a == b:
        return
    if s.region_tiles[a] < s.region_tiles[b]:
        a, b = b, a
    size = int(s.region_tiles[a])
    piece = b
    while True:
        if not _touches(s, int(s.piece_tile[piece]), a):  # a tile counts once, however many segments join (CD-14)
            size += 1
        s.piece_region[piece] = a
        piece = int(s.piece_next[piece])
        if piece == b:
            break
    after_a, after_b = int(s.piece_next[a]), int(s.piece_next[b])
    s.piece_next[a] = after_b
    s.piece_next[b] = after_a
    s.region_tiles[a] = size
    s.region_ends[a] += int(s.region_ends[b])
    s.region_followers[a] += int(s.region_followers[b])
    s.region_cities[a] = int(s.region_cities[a]) | int(s.region_cities[b])


@rule
def _touches(s: Discovery, tile: int, region: int) -> bool:
    """Does the region already lie on this tile?"""
    first = int(s.tile_piece[tile])
    for piece in range(first, first + int(SEGMENTS[s.tile_kind[tile]])):
        if s.piece_region[piece] == region:
            return True
    return False


@rule
def _ask(s: Discovery, key: int, side: int, tile: int, terrain: int) -> None:
    """A cell beside the map asks for a terrain on one side; a new cell joins the end of the frontier."""
    cell = find_cell(s, key)
    if cell == s.cells:
        s.cells += 1
        s.cell_key[cell] = key
        s.cell_code[cell] = ALL_EMPTY
        s.cell_tiles[cell] = 0
    s.cell_code[cell] = (int(s.cell_code[cell]) & ~(3 << 2 * side)) | (terrain << 2 * side)
    s.cell_tiles[cell] = int(s.cell_tiles[cell]) | ((tile + 1) << 8 * side)


@rule
def take_cell(s: Discovery, cell: int) -> None:
    """Removes a cell from the frontier; the others keep their order."""
    count = int(s.cells) - 1
    for k in range(cell, count):
        s.cell_key[k] = s.cell_key[k + 1]
        s.cell_code[k] = s.cell_code[k + 1]
        s.cell_tiles[k] = s.cell_tiles[k + 1]
    s.cells = count
    s.cell_key[count] = 0  # bytes are hashed: nothing may be left behind
    s.cell_code[count] = 0
    s.cell_tiles[count] = 0
