"""Scotland Yard: rules of thumb for both sides, on any map (SY-30, SY-63).

Detectives chase one station along ways that their tickets pay, or shrink the set of possible
stations; Mr. X keeps away from the detectives and keeps that set large.
"""

from __future__ import annotations

from typing import Any

from ludens.core.jit import kernel, rule
from ludens.core.verbs import apply
from ludens.games.scotland_yard.belief import count, exclude, holds, spread
from ludens.games.scotland_yard.movement import count_flights
from ludens.games.scotland_yard.paths import FAR, ticket_distance
from ludens.games.scotland_yard.rules import double_action, first_pawn_action
from ludens.games.scotland_yard.state import BLACK, CHOOSING, NEVER, NOWHERE, OVER, tables

__all__ = ["CHASE", "SHRINK", "choose_chase", "choose_evade", "choose_shrink", "goal_station", "hunted_spread"]

CHASE, SHRINK = 0, 1


# --- detectives -----------------------------------------------------------------------------


@rule
def goal_station(v: Any, likely: bool, distance: Any) -> int:
    """Where to chase: where he is, if that is known; else the last seen or the likeliest possible station.

    The likeliest has the largest weight if the record keeps weights, else it is the most central one:
    the least sum of distances to the other possible stations.
    """
    if v.mr_x_station >= 0:
        return int(v.mr_x_station)
    if not likely and v.seen_move != NEVER:
        return int(v.seen_station)
    best, best_cost = 0, 1 << 40
    for station in range(v.weight.shape[1]):
        if holds(v, station):
            cost = 0
            if v.keeps_weights:
                cost = -int(v.weight[v.weight_side, station])
            else:
                for other in range(v.weight.shape[1]):
                    if holds(v, other):
                        cost += distance[station, other]
            if cost < best_cost:
                best, best_cost = station, cost
    return best


@rule
def _chosen_pawn(v: Any, legal: Any, goal: int, distance: Any) -> int:
    """The pawn nearest to the goal moves first, before others stand in its way."""
    first = first_pawn_action(v)
    best, best_distance = legal[0], FAR + 1
    for k in range(legal.shape[0]):
        far = distance[v.pawn_station[legal[k] - first], goal]
        if far < best_distance:
            best, best_distance = legal[k], far
    return best


@kernel
def choose_chase(views: Any, legal: Any, likely: bool, distance: Any, visits: Any) -> int:
    """The detectives' move that comes nearest to the goal with the tickets left; ties to more exits."""
    v = views[0]
    goal = goal_station(v, likely, distance)
    if v.phase == CHOOSING:
        return _chosen_pawn(v, legal, goal, distance)
    board = tables(v)
    stations = board.targets.shape[1]
    any_transport = board.targets.shape[0] - 1
    best, best_rank = legal[0], 1 << 40
    for k in range(legal.shape[0]):
        if legal[k] < first_pawn_action(v):
            ticket, target = legal[k] // stations, legal[k] % stations
            far = ticket_distance(v, int(v.pawn), target, ticket, goal, visits)
            rank = far * 100 - int(board.degree[any_transport, target])
            if rank < best_rank:
                best, best_rank = legal[k], rank
    return best


@rule
def _nearest(v: Any, station: int, distance: Any) -> int:
    """Moves from the nearest detective to the station, tickets aside."""
    nearest = FAR
    for pawn in range(v.detectives):
        if v.pawn_station[pawn] != NOWHERE:
            nearest = min(nearest, distance[v.pawn_station[pawn], station])
    return nearest


@rule
def hunted_spread(v: Any, scratch: Any, pull: float, distance: Any) -> float:
    """How bad scratch[0] is for the detectives: possible stations after his next move, and how far off they are."""
    w = scratch[0]
    far = 0
    for station in range(w.weight.shape[1]):
        if holds(w, station):
            far += _nearest(w, station, distance)
    size = max(1, count(w))
    w.keeps_weights = 0
    spread(w, tables(w).targets.shape[0] - 1)
    return count(w) + pull * far / size


@kernel
def choose_shrink(views: Any, legal: Any, pull: float, distance: Any, scratch: Any) -> int:
    """The detectives' move that leaves Mr. X the fewest possible stations after his next move.

    `pull` weighs the mean distance of the possible stations to the nearest detective.
    """
    v = views[0]
    if v.phase == CHOOSING:
        return _chosen_pawn(v, legal, goal_station(v, True, distance), distance)
    stations = tables(v).targets.shape[1]
    best, best_value = legal[0], 1e9
    for k in range(legal.shape[0]):
        if legal[k] >= first_pawn_action(v):
            continue
        scratch[0] = v
        w = scratch[0]
        for pawn in range(w.detectives):  # steps already chosen count as made
            if w.pawn_target[pawn] != NOWHERE:
                w.pawn_station[pawn] = w.pawn_target[pawn]
                exclude(w, int(w.pawn_station[pawn]))
        w.pawn_station[w.pawn] = legal[k] % stations
        exclude(w, legal[k] % stations)
        value = hunted_spread(v, scratch, pull, distance)
        if v.mr_x_station == legal[k] % stations:
            value = -1e9
        if value < best_value:
            best, best_value = legal[k], value
    return best


# --- Mr. X ------------------------------------------------------------------------------------


@rule
def _safety(w: Any, station: int, distance: Any) -> float:
    """How safe Mr. X is at a station from detectives who know it: the nearest counts, then the mean."""
    nearest, total, pawns = FAR, 0, 0
    for pawn in range(w.detectives):
        if w.pawn_station[pawn] != NOWHERE:
            far = distance[w.pawn_station[pawn], station]
            nearest = min(nearest, far)
            total += far
            pawns += 1
    if pawns == 0:
        return float(FAR)
    exposed = 4.0 if nearest == 1 else 0.0
    return min(nearest, 5) + 0.3 * total / pawns - exposed


@rule
def _flight_value(w: Any, scratch: Any, away: float, wide: float, distance: Any) -> float:
    """What a position after Mr. X's move is worth to him; a position seen counts the places he can go next."""
    if w.phase == OVER:
        return -1e9
    station = int(w.mr_x_station)
    exposed = _safety(w, station, distance)
    size = count(w)
    if size > 1:  # hidden among many, being near a detective matters less
        exposed *= 0.4 + 0.6 / size**0.5
    scratch[1] = w
    scratch[1].keeps_weights = 0
    spread(scratch[1], tables(w).targets.shape[0] - 1)
    return away * exposed + wide * (size**0.5 + 0.5 * count(scratch[1]) ** 0.5) + 0.1 * count_flights(w, station)


@kernel
def choose_evade(views: Any, legal: Any, away: float, wide: float, distance: Any, scratch: Any) -> int:
    """Mr. X's move with the best mixture of distance (`away`) and possible stations (`wide`).

    Black tickets are spent where they widen the set by enough; a double move is announced when
    every single move ends beside a detective.
    """
    v = views[0]
    stations = tables(v).targets.shape[1]
    best, best_value, threatened = legal[0], -1e12, True
    for k in range(legal.shape[0]):
        if legal[k] >= first_pawn_action(v):
            continue
        scratch[0] = v
        w = scratch[0]
        w.keeps_weights = 0
        apply(w, legal[k])
        value = _flight_value(w, scratch, away, wide, distance)
        if legal[k] // stations == BLACK:
            value -= 1.5
        if _nearest(v, legal[k] % stations, distance) > 1:
            threatened = False
        if value > best_value:
            best, best_value = legal[k], value
    last = legal[legal.shape[0] - 1]
    if last == double_action(v) and threatened:
        return last
    return best
