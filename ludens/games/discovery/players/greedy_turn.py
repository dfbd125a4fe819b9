"""The Discovery: the turn that the greedy heuristic likes best, without trying any on a map of its own.

Followers do not change the map, and a tile changes only what followers earn on regions that touch it or lie beside a
grassland that does. So every follower's points are read once; a place for the tile changes those that hang on it, and
a follower move adds one number (CD-30, CD-33, CD-34). By rank alone (CD-R1) it is the first turn whose rank is that of
the best.
"""

from __future__ import annotations

import numpy as np

from ludens.core.jit import rule
from ludens.core.record import Array, Records
from ludens.games.discovery.players.heuristics import rank_of, standing
from ludens.games.discovery.players.joining import (
    TurnWorkspace,
    beside,
    group_at,
    group_points,
    join,
    look_around,
    mountain_cities,
    survey,
    watch,
)
from ludens.games.discovery.rules.scoring import city_total, points_of, terrain_of
from ludens.games.discovery.rules.tiles import CITIES, GRASSLAND, MOUNTAINS, SEA, SEGMENTS, fitting_turns
from ludens.games.discovery.state import (
    CLOSED,
    FIRST_FOLLOWER,
    FIRST_REGION,
    FOLLOWERS,
    NOTHING,
    PASS,
    PLACING,
    Discovery,
)

__all__ = ["best_turn", "most_gained", "moves_in_cell", "read_cells", "read_followers"]


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


_TOO_FAR = 1000 - 4 * 168
_NO_BOUND = 1 << 30


@rule
def best_turn(s: Discovery, weights: Array, workspace: Records[TurnWorkspace], values: Array, out: Array) -> int:
    """The verb, by rank and lead or rank alone before the tile is placed; the first of equally good turns (CD-31)."""
    if weights.shape[0] != 1 or s.phase != PLACING:
        return 0
    m = workspace[0]
    players, p, kind = int(s.players), int(s.current), int(s.hand)
    last = s.deck_left == 0  # then a follower that stays counts what it earns at the end
    if not read_followers(s, m, last):
        return 0
    first = read_cells(s, m, kind, last, out)
    best, best_cell, wanted = -np.inf, first, 0
    for i in range(-1, int(s.cells)):  # the best-looking cell first: then most of the others are out of the question
        cell = first if i < 0 else i
        if i == first or m.ceiling[cell] < wanted - (1 if cell < best_cell else 0):
            continue
        look_around(s, m, cell)
        changes = bool(m.changes) or last
        fitting = fitting_turns(kind, int(s.cell_code[cell]))
        for turns in range(4):
            if not fitting >> turns & 1:
                continue
            join(s, m, kind, turns)
            _value_followers(s, m, kind, changes, last)
            move = _best_move(s, m, kind, last)
            value = standing(m.worth, players, p)
            if value > best or (value == best and cell < best_cell):
                best, best_cell = value, cell
                for q in range(players):
                    m.best[q] = m.worth[q]
                out[0], out[1] = 4 * cell + turns, move
                wanted = _wanted(m, players, p, wanted, best)
    if weights[0] != 0.0:
        _first_ofrank_of(s, m, kind, last, rank_of(m.best, players, p, 0), out)
    for q in range(players):
        alone = weights[0] != 0.0
        values[q] = (players - rank_of(m.worth, players, q, 0) if alone else standing(m.best, players, q)) / players
    out[3] = 1 if last else 0
    return 2


@rule
def _first_ofrank_of(s: Discovery, m: TurnWorkspace, kind: int, last: bool, rank: int, out: Array) -> None:
    """Writes the first turn that gives the player on turn this rank, which some turn does; `worth` is what follows."""
    players, p = int(s.players), int(s.current)
    for q in range(players):
        m.worth[q] = m.before[q]
    needed = 0
    while rank_of(m.worth, players, p, needed) > rank:
        needed += 1
    for cell in range(int(s.cells)):
        if m.ceiling[cell] < needed:
            continue
        look_around(s, m, cell)
        changes = bool(m.changes) or last
        fitting = fitting_turns(kind, int(s.cell_code[cell]))
        for turns in range(4):
            if not fitting >> turns & 1:
                continue
            join(s, m, kind, turns)
            _value_followers(s, m, kind, changes, last)
            move = _first_move(s, m, kind, last, rank)
            if move >= 0:
                out[0], out[1] = 4 * cell + turns, move
                return


@rule
def _first_move(s: Discovery, m: TurnWorkspace, kind: int, last: bool, rank: int) -> int:
    """The first follower move that gives the rank, or -1; its gain is added to the worth."""
    players, p = int(s.players), int(s.current)
    placed = int(s.follower_count[p])
    if placed < FOLLOWERS:
        for g in range(int(SEGMENTS[kind])):
            if m.group[g] == g and m.occupants[g] == 0:
                gain = int(group_points(s, m, kind, g, last))
                if rank_of(m.worth, players, p, gain) == rank:
                    m.worth[p] += gain
                    return FIRST_REGION + g
    for k in range(placed):
        gain = _gained_by_taking(s, m, kind, k) if last else 0
        if rank_of(m.worth, players, p, gain) == rank:
            m.worth[p] += gain
            return FIRST_FOLLOWER + k
    return PASS if rank_of(m.worth, players, p, 0) == rank else -1


@rule
def read_cells(s: Discovery, m: TurnWorkspace, kind: int, last: bool, out: Array) -> int:
    """Bounds what every cell can gain, out[2] = how many turns there are; returns the best-looking cell."""
    turns, first, most = 0, 0, NOTHING
    for cell in range(int(s.cells)):
        m.ceiling[cell] = NOTHING
        fitting = fitting_turns(kind, int(s.cell_code[cell]))
        if fitting == 0:
            continue
        look_around(s, m, cell)
        turns += moves_in_cell(s, m, kind, fitting)
        bounded = not last and not (m.changes and s.small_regions == CLOSED)
        m.ceiling[cell] = most_gained(s, m, kind) if bounded else _NO_BOUND
        if m.ceiling[cell] > most:
            first, most = cell, int(m.ceiling[cell])
    out[2] = turns
    return first


@rule
def _wanted(m: TurnWorkspace, players: int, p: int, gain: int, best: float) -> int:
    """The least gain of player p, from this one on, that is better than the best turn if nothing else changes."""
    for q in range(players):
        m.worth[q] = m.before[q]
    m.worth[p] += gain
    while standing(m.worth, players, p) <= best:
        m.worth[p] += 1
        gain += 1
    return gain


@rule
def _best_move(s: Discovery, m: TurnWorkspace, kind: int, last: bool) -> int:
    """The follower move that gains most, the first of equals; adds its gain to the worth."""
    p = int(s.current)
    placed = int(s.follower_count[p])
    most, move = -1, PASS
    if placed < FOLLOWERS:
        for g in range(int(SEGMENTS[kind])):
            if m.group[g] == g and m.occupants[g] == 0:
                gain = int(group_points(s, m, kind, g, last))
                if gain > most:
                    most, move = gain, FIRST_REGION + g
    for k in range(placed if last else min(placed, 1)):  # before the last turn taking back gains nothing, as passing
        gain = _gained_by_taking(s, m, kind, k) if last else 0
        if gain > most:
            most, move = gain, FIRST_FOLLOWER + k
    if most < 0:
        most, move = 0, PASS
    m.worth[p] += most
    return move


@rule
def read_followers(s: Discovery, m: TurnWorkspace, last: bool) -> bool:
    """What every follower counts before the tile is laid, and which regions it hangs on.

    False if the players are so far apart that more points could mean a smaller `standing`: leads of 1000 outweigh
    a rank, and a turn moves four followers by at most 168 points each.
    """
    m.position += 1
    for word in range(m.watched.shape[0]):
        m.watched[word] = 0
        m.staked[word] = 0
    n, most, least = 0, 0, 1 << 30
    for q in range(int(s.players)):
        own = q == s.current
        if own:
            m.own = n
        total = int(s.score[q])
        for k in range(int(s.follower_count[q])):
            region = int(s.piece_region[s.follower[q, k]])
            terrain = terrain_of(s, region)
            cities = int(s.region_cities[region])
            if terrain == MOUNTAINS:
                survey(s, m, region)
                cities = int(m.mountain_cities[region])
            watch(m, region, terrain == MOUNTAINS, own)
            m.owner[n] = q
            m.place[n] = region
            m.terrain[n] = terrain
            m.points[n] = points_of(s, terrain, int(s.region_tiles[region]), int(s.region_ends[region]), cities, last)
            total += m.points[n]
            n += 1
        m.before[q] = total
        most, least = max(most, total), min(least, total)
    m.followers = n
    return most - least < _TOO_FAR


@rule
def _points_after(s: Discovery, m: TurnWorkspace, kind: int, f: int, final: bool) -> int:
    """What follower f earns once the tile lies."""
    region = int(m.place[f])
    g = group_at(m, region)
    if g != NOTHING:
        return int(group_points(s, m, kind, g, final))
    terrain = int(m.terrain[f])
    cities = mountain_cities(s, m, region) if terrain == MOUNTAINS else int(s.region_cities[region])
    return int(points_of(s, terrain, int(s.region_tiles[region]), int(s.region_ends[region]), cities, final))


@rule
def _value_followers(s: Discovery, m: TurnWorkspace, kind: int, changes: bool, last: bool) -> None:
    """Everybody's worth once the tile lies."""
    for q in range(int(s.players)):
        m.worth[q] = m.before[q]
    if changes:
        for f in range(int(m.followers)):
            if m.terrain[f] == MOUNTAINS or group_at(m, int(m.place[f])) != NOTHING:
                m.worth[m.owner[f]] += _points_after(s, m, kind, f, last) - m.points[f]


@rule
def _gained_by_taking(s: Discovery, m: TurnWorkspace, kind: int, k: int) -> int:
    """After the last tile: what taking the k-th follower back gives more than leaving it."""
    f = int(m.own) + k
    return int(_points_after(s, m, kind, f, False)) - int(_points_after(s, m, kind, f, True))
