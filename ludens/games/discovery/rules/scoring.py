"""The Discovery: what a follower earns (CD-18, CD-21 … CD-23)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.games.discovery.rules.tiles import GRASSLAND, MOUNTAINS, NEXT_GRASSLANDS, SEGMENT_TERRAIN
from ludens.games.discovery.state import ACTUAL, CLOSED, Discovery

__all__ = [
    "all_cities",
    "city_total",
    "counts_as_closed",
    "counts_closed",
    "final_points",
    "points_now",
    "points_of",
    "region_points",
    "table_points",
    "terrain_of",
]


@rule
def terrain_of(s: Discovery, piece: int) -> int:
    tile = int(s.piece_tile[piece])
    return int(SEGMENT_TERRAIN[s.tile_kind[tile], piece - int(s.tile_piece[tile])])


@rule
def city_total(cities: int) -> int:
    """How many bits are set."""
    count = 0
    while cities != 0:
        cities &= cities - 1
        count += 1
    return count


@rule
def all_cities(s: Discovery, region: int) -> int:
    """The cities on a mountain region or on a grassland beside it, each one bit: a union (CD-21)."""
    cities = int(s.region_cities[region])
    piece = region
    while True:
        tile = int(s.piece_tile[piece])
        first = int(s.tile_piece[tile])
        beside = int(NEXT_GRASSLANDS[s.tile_kind[tile], piece - first])
        segment = first
        while beside != 0:
            if beside & 1:
                cities |= int(s.region_cities[s.piece_region[segment]])
            beside >>= 1
            segment += 1
        piece = int(s.piece_next[piece])
        if piece == region:
            return cities


@rule
def table_points(terrain: int, size: int, cities: int, closed: bool) -> int:
    """The table of CD-21; `cities` counts those of adjoining grasslands too when it is a mountain's."""
    if terrain == GRASSLAND:
        return 2 * size if closed else size
    if terrain == MOUNTAINS:
        return 2 * cities if closed else cities
    return cities + size if closed else cities


@rule
def region_points(s: Discovery, region: int, closed: bool) -> int:
    """The region's score as a closed or as an open one (CD-21)."""
    terrain = terrain_of(s, region)
    cities = 0
    if terrain == MOUNTAINS:
        cities = city_total(all_cities(s, region))
    elif terrain != GRASSLAND:
        cities = city_total(int(s.region_cities[region]))
    return table_points(terrain, int(s.region_tiles[region]), cities, closed)


@rule
def counts_closed(s: Discovery, size: int, ends: int) -> bool:
    """`counts_as_closed` of a region with so many tiles and open ends."""
    if s.small_regions == CLOSED:
        return size == 2 or ends == 0
    return size > 2 and ends == 0


@rule
def counts_as_closed(s: Discovery, region: int) -> bool:
    """Closed (CD-15), but regions of one or two tiles follow the option (CD-22)."""
    return counts_closed(s, int(s.region_tiles[region]), int(s.region_ends[region]))


@rule
def points_of(s: Discovery, terrain: int, size: int, ends: int, cities: int, final: bool) -> int:
    """`points_now`, or with `final` `final_points`, of a region with these numbers; `cities` are bits (CD-21)."""
    if final and s.final_scoring != ACTUAL:
        closed = s.final_scoring == CLOSED
    else:
        closed = counts_closed(s, size, ends)
    return table_points(terrain, size, city_total(cities), closed)


@rule
def points_now(s: Discovery, region: int) -> int:
    """The score of a follower on the region that is taken back now (CD-18)."""
    return region_points(s, region, counts_as_closed(s, region))


@rule
def final_points(s: Discovery, region: int) -> int:
    """The score of a follower that is still there at the end (CD-12, CD-23)."""
    if s.final_scoring == ACTUAL:
        return points_now(s, region)
    return region_points(s, region, s.final_scoring == CLOSED)
