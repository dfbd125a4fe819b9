"""The Discovery: what a turn gains at most with the tile in some cell: most cells are out of the question.

Laying a tile never takes points from a follower, unless small regions count as closed (CD-22).
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.games.discovery.players.joining import TurnWorkspace, beside, join, survey
from ludens.games.discovery.rules.scoring import city_total
from ludens.games.discovery.rules.tiles import CITIES, GRASSLAND, MOUNTAINS, SEA, SEGMENTS
from ludens.games.discovery.state import CLOSED, FOLLOWERS, Discovery

__all__ = ["most_gained", "moves_in_cell"]


@rule
def most_gained(s: Discovery, m: TurnWorkspace, kind: int) -> int:
    """The player on turn gains no more with the tile in the cell that was looked at; before the last turn."""
    p = int(s.current)
    free = s.follower_count[p] < FOLLOWERS
    if not free and not m.concerns:
        return 0
    _read_most(s, m, kind)
    gain = int(m.most) if free else 0
    if m.concerns:
        for f in range(int(m.own), int(m.own) + int(s.follower_count[p])):
            region = int(m.place[f])
            if _faces(m, region):
                gain += max(0, int(m.most) - int(m.points[f]))
            elif m.terrain[f] == MOUNTAINS and beside(m, region):
                gain += int(m.most_cities) * (2 if s.region_ends[region] == 0 else 1)
    return gain


@rule
def _read_most(s: Discovery, m: TurnWorkspace, kind: int) -> None:
    """The most points of a region, and the most cities, that the tile in the cell can be part of."""
    grasslands, seas, cities = 1, 1, 0
    times = 2 if s.small_regions == CLOSED or not m.distinct else 1
    for i in range(int(m.neighbours)):
        region = int(m.facing[i])
        if s.region_ends[region] <= 1:
            times = 2
        cities |= int(s.region_cities[region])
        size = int(s.region_tiles[region])
        grasslands += size if m.ground[i] == GRASSLAND else 0
        seas += size if m.ground[i] == SEA else 0
        if m.ground[i] == MOUNTAINS:
            survey(s, m, region)
            cities |= int(m.mountain_cities[region])
    count = city_total(cities) + int(CITIES[kind])
    m.most_cities = count
    m.most = max(times * grasslands, times * count, count + (times - 1) * seas)


@rule
def _faces(m: TurnWorkspace, region: int) -> bool:
    for i in range(int(m.neighbours)):
        if m.facing[i] == region:
            return True
    return False


@rule
def moves_in_cell(s: Discovery, m: TurnWorkspace, kind: int, fitting: int) -> int:
    """How many turns there are with the tile in the cell that was looked at."""
    placed = int(s.follower_count[int(s.current)])
    ways = city_total(fitting)
    count = ways * (placed + 1)
    if placed == FOLLOWERS:
        return count
    if m.distinct and not m.changes:
        return count + ways * int(SEGMENTS[kind])
    for turns in range(4):
        if fitting >> turns & 1:
            join(s, m, kind, turns)
            for g in range(int(SEGMENTS[kind])):
                count += 1 if m.group[g] == g and m.occupants[g] == 0 else 0
    return count
