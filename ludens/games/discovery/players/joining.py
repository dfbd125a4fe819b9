"""The Discovery: what a tile would make of the regions around a cell, without laying it.

The segments of the tile become groups, each with the numbers of the region that it would be part of
(CD-11, CD-13 … CD-16). Nothing on the map changes, so the next place is tried without a copy of it.
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Record, int64, layout
from ludens.games.discovery.rules.map import piece_at
from ludens.games.discovery.rules.scoring import city_total, points_of
from ludens.games.discovery.rules.tiles import (
    MOUNTAINS,
    NEXT_GRASSLANDS,
    SEGMENT_CITIES,
    SEGMENT_SIDES,
    SEGMENT_TERRAIN,
    SEGMENTS,
    SIDE_SEGMENT,
    SIDES_ASKED,
)
from ludens.games.discovery.state import (
    FOLLOWERS,
    MAX_CELLS,
    MAX_PIECES,
    MAX_PLAYERS,
    MAX_SEGMENTS,
    MAX_TILES,
    NOTHING,
    Discovery,
)

__all__ = [
    "TURN_WORKSPACE",
    "TurnWorkspace",
    "beside",
    "group_at",
    "group_points",
    "join",
    "look_around",
    "mountain_cities",
    "survey",
    "watch",
]

WORD = 5  # sets of regions: bit (region & 31) of word (region >> 5)
_WORDS = (MAX_PIECES >> WORD) + 1


class TurnWorkspace(Record):
    """What the search for the best turn knows of one position."""

    position = int64()  # the number of the position; what bears another number is out of date
    worth = int64(MAX_PLAYERS)  # every player's points with placed followers counted in: after a turn
    before = int64(MAX_PLAYERS)  # the same before it
    best = int64(MAX_PLAYERS)  # the same after the best turn so far
    # followers on the map, those of the first player first, oldest first
    followers = int64()
    own = int64()  # the first one of the player on turn
    owner = int64(MAX_PLAYERS * FOLLOWERS)
    place = int64(MAX_PLAYERS * FOLLOWERS)  # the region
    terrain = int64(MAX_PLAYERS * FOLLOWERS)
    points = int64(MAX_PLAYERS * FOLLOWERS)  # what they count before the turn
    # regions
    watched = int64(_WORDS)  # the set of those on which a follower's points hang
    staked = int64(_WORDS)  # the same of followers of the player on turn
    surveyed = int64(MAX_PIECES)  # position in which the next two were read
    mountain_cities = int64(MAX_PIECES)  # of a mountain region, those of grasslands beside it included
    grasslands = int64(MAX_PIECES, _WORDS)  # the set of regions beside a mountain region
    ceiling = int64(MAX_CELLS)  # by cell of the frontier: what a turn there gains at most
    # a cell of the frontier: the tiles around it, N, E, S, W
    neighbours = int64()
    side = int64(4)
    ground = int64(4)  # the terrain
    facing = int64(4)  # the region that looks into the cell
    same = int64(4)  # the first neighbour with that region
    changes = int64()  # 1: one of them is watched
    concerns = int64()  # 1: one of them is staked
    distinct = int64()  # 1: none looks into it twice
    most = int64()  # points that a region with the tile in it can have at most
    most_cities = int64()
    # a tile in the cell: by neighbour, then by segment; segments that have joined are one group, named by the first
    segment = int64(4)
    group = int64(MAX_SEGMENTS)
    tiles = int64(MAX_SEGMENTS)  # by group: as the fields of a region
    ends = int64(MAX_SEGMENTS)
    cities = int64(MAX_SEGMENTS)
    occupants = int64(MAX_SEGMENTS)
    joined = int64(MAX_SEGMENTS)  # by group: regions that were there before


TURN_WORKSPACE = layout("discovery turn", TurnWorkspace)

_HALF = MAX_TILES // 2  # tiles of the map as two sets of bits
_BIT = (1 << WORD) - 1


@rule
def survey(s: Discovery, m: TurnWorkspace, region: int) -> None:
    """Reads, once a position, the cities of a mountain region and the grasslands beside it."""
    if m.surveyed[region] == m.position:
        return
    m.surveyed[region] = m.position
    for word in range(m.grasslands.shape[1]):
        m.grasslands[region, word] = 0
    cities = int(s.region_cities[region])
    piece = region
    while True:
        tile = int(s.piece_tile[piece])
        first = int(s.tile_piece[tile])
        beside = int(NEXT_GRASSLANDS[s.tile_kind[tile], piece - first])
        segment = first
        while beside != 0:
            if beside & 1:
                grassland = int(s.piece_region[segment])
                cities |= int(s.region_cities[grassland])
                m.grasslands[region, grassland >> WORD] |= 1 << (grassland & _BIT)
            beside >>= 1
            segment += 1
        piece = int(s.piece_next[piece])
        if piece == region:
            break
    m.mountain_cities[region] = cities


@rule
def watch(m: TurnWorkspace, region: int, mountain: bool, own: bool) -> None:
    """A follower's points hang on the region, and on a mountain region on the grasslands beside it."""
    m.watched[region >> WORD] |= 1 << (region & _BIT)
    if own:
        m.staked[region >> WORD] |= 1 << (region & _BIT)
    if mountain:
        for word in range(m.watched.shape[0]):
            m.watched[word] |= m.grasslands[region, word]
            if own:
                m.staked[word] |= m.grasslands[region, word]


@rule
def look_around(s: Discovery, m: TurnWorkspace, cell: int) -> None:
    """Notes the regions that look into a cell of the frontier."""
    around, code = int(s.cell_tiles[cell]), int(s.cell_code[cell])
    sides = int(SIDES_ASKED[code])
    n = sides & 7
    changes, concerns, distinct = 0, 0, 1
    for i in range(n):
        sides >>= 3 if i == 0 else 2
        side = sides & 3
        tile = ((around >> 8 * side) & 127) - 1
        region = int(s.piece_region[piece_at(s, tile, (side + 2) & 3)])
        m.side[i] = side
        m.ground[i] = code >> 2 * side & 3
        m.facing[i] = region
        m.same[i] = i
        for earlier in range(i):
            if m.facing[earlier] == region:
                m.same[i] = earlier
                distinct = 0
                break
        changes |= int(m.watched[region >> WORD]) >> (region & _BIT) & 1
        concerns |= int(m.staked[region >> WORD]) >> (region & _BIT) & 1
    m.neighbours, m.changes, m.concerns, m.distinct = n, changes, concerns, distinct


@rule
def join(s: Discovery, m: TurnWorkspace, kind: int, turns: int) -> None:
    """The groups of the tile in the cell that was looked at."""
    segments = int(SEGMENTS[kind])
    for g in range(segments):
        m.group[g] = g
        m.tiles[g] = 1
        m.ends[g] = int(SEGMENT_SIDES[kind, g])
        m.cities[g] = int(SEGMENT_CITIES[kind, g]) << int(s.city_count)
        m.occupants[g] = 0
        m.joined[g] = 0
    for i in range(int(m.neighbours)):
        m.segment[i] = int(SIDE_SEGMENT[kind, (int(m.side[i]) - turns) & 3])
        g = int(m.group[m.segment[i]])
        m.ends[g] -= 1
        if m.same[i] == i:
            region = int(m.facing[i])
            m.tiles[g] += int(s.region_tiles[region])
            m.ends[g] += int(s.region_ends[region]) - 1
            m.cities[g] |= int(s.region_cities[region])
            m.occupants[g] += int(s.region_followers[region])
            m.joined[g] += 1
        else:
            h = int(m.group[m.segment[m.same[i]]])
            m.ends[h] -= 1
            if h != g:
                _unite(m, min(g, h), max(g, h), segments)
    if m.neighbours > 1:
        for g in range(segments):
            if m.group[g] == g and m.joined[g] > 1:
                m.tiles[g] = 1 + _tiles_together(s, m, g)


@rule
def _unite(m: TurnWorkspace, g: int, gone: int, segments: int) -> None:
    """Two groups that meet in a region become one."""
    for segment in range(gone, segments):
        if m.group[segment] == gone:
            m.group[segment] = g
    m.tiles[g] += m.tiles[gone] - 1
    m.ends[g] += m.ends[gone]
    m.cities[g] |= m.cities[gone]
    m.occupants[g] += m.occupants[gone]
    m.joined[g] += m.joined[gone]


@rule
def _tiles_together(s: Discovery, m: TurnWorkspace, g: int) -> int:
    """Distinct tiles (CD-14) of the regions that the group joins."""
    low, high = 0, 0
    for i in range(int(m.neighbours)):
        if m.same[i] != i or m.group[m.segment[i]] != g:
            continue
        region = int(m.facing[i])
        piece = region
        while True:
            tile = int(s.piece_tile[piece])
            if tile < _HALF:
                low |= 1 << tile
            else:
                high |= 1 << (tile - _HALF)
            piece = int(s.piece_next[piece])
            if piece == region:
                break
    return city_total(low) + city_total(high)


@rule
def group_at(m: TurnWorkspace, region: int) -> int:
    """The group that a region of the map would belong to, or NOTHING."""
    for i in range(int(m.neighbours)):
        if m.facing[i] == region:
            return int(m.group[m.segment[i]])
    return NOTHING


@rule
def beside(m: TurnWorkspace, region: int) -> bool:
    """Does a grassland beside the mountain region look into the cell?"""
    for i in range(int(m.neighbours)):
        other = int(m.facing[i])
        if m.grasslands[region, other >> WORD] >> (other & _BIT) & 1:
            return True
    return False


@rule
def mountain_cities(s: Discovery, m: TurnWorkspace, region: int) -> int:
    """The cities of a mountain region (CD-21) once the grasslands beside it have joined those of the tile."""
    survey(s, m, region)
    cities = int(m.mountain_cities[region])
    for i in range(int(m.neighbours)):
        other = int(m.facing[i])
        if m.grasslands[region, other >> WORD] >> (other & _BIT) & 1:
            cities |= int(m.cities[m.group[m.segment[i]]])
    return cities


@rule
def group_points(s: Discovery, m: TurnWorkspace, kind: int, g: int, final: bool) -> int:
    """What a follower in the group earns, now or at the end."""
    terrain = int(SEGMENT_TERRAIN[kind, g])
    cities = int(m.cities[g])
    if terrain == MOUNTAINS:
        for i in range(int(m.neighbours)):
            if m.same[i] == i and m.group[m.segment[i]] == g:
                cities |= mountain_cities(s, m, int(m.facing[i]))
        for segment in range(g, int(SEGMENTS[kind])):
            if m.group[segment] == g:
                cities |= _cities_beside(m, kind, segment)
    return points_of(s, terrain, int(m.tiles[g]), int(m.ends[g]), cities, final)


@rule
def _cities_beside(m: TurnWorkspace, kind: int, segment: int) -> int:
    """The cities of the tile's grassland groups beside one of its mountain segments."""
    cities, other = 0, 0
    beside = int(NEXT_GRASSLANDS[kind, segment])
    while beside != 0:
        if beside & 1:
            cities |= int(m.cities[m.group[other]])
        beside >>= 1
        other += 1
    return cities
