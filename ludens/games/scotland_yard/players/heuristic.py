"""Scotland Yard: rules of thumb for both sides, on any map (SY-30, SY-63).

Detectives chase one station along ways that their tickets pay, or shrink the set of possible
stations; Mr. X keeps away from the detectives and keeps that set large.
"""

from __future__ import annotations

import numpy as np

from ludens.core.agent import Agent, Clock, Seating
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records, blank
from ludens.core.verbs import apply
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.evaluate import safe_ways
from ludens.games.scotland_yard.rules.action_ids import double_action, first_pawn_action
from ludens.games.scotland_yard.rules.distances import (
    FAR,
    distance_between,
    mean_distance_to_possible,
    nearest_detective,
    ticket_distance,
    visit_room,
)
from ludens.games.scotland_yard.rules.movement import can_hunt
from ludens.games.scotland_yard.rules.possible import count, exclude, holds, spread
from ludens.games.scotland_yard.rules.tables import tables
from ludens.games.scotland_yard.state import BLACK, NEVER, NOWHERE, ScotlandYard

__all__ = ["HeuristicAgent", "choose_chase", "choose_evade", "choose_shrink", "goal_station"]

# --- detectives -----------------------------------------------------------------------------


@rule
def goal_station(v: ScotlandYard, likely: bool) -> int:
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
                        cost += distance_between(v, station, other)
            if cost < best_cost:
                best, best_cost = station, cost
    return best


@rule
def _chosen_pawn(v: ScotlandYard, legal: Array, goal: int) -> int:
    """The pawn nearest to the goal moves first, before others stand in its way."""
    first = first_pawn_action(v)
    best, best_distance = legal[0], FAR + 1
    for k in range(legal.shape[0]):
        far = distance_between(v, int(v.pawn_station[legal[k] - first]), goal)
        if far < best_distance:
            best, best_distance = legal[k], far
    return int(best)


@kernel
def choose_chase(views: Records[ScotlandYard], legal: Array, likely: bool, visits: Array) -> int:
    """The detectives' move that comes nearest to the goal with the tickets left; ties to more exits."""
    v = views[0]
    goal = goal_station(v, likely)
    if v.phase == phases.CHOOSING:
        return _chosen_pawn(v, legal, goal)
    board = tables(v)
    stations = board.degree.shape[1]
    any_transport = board.degree.shape[0] - 1
    best, best_rank = legal[0], 1 << 40
    for k in range(legal.shape[0]):
        if legal[k] < first_pawn_action(v):
            ticket, target = legal[k] // stations, legal[k] % stations
            far = ticket_distance(v, int(v.pawn), target, ticket, goal, visits)
            rank = far * 100 - int(board.degree[any_transport, target])
            if rank < best_rank:
                best, best_rank = legal[k], rank
    return int(best)


@rule
def _possible_after(v: ScotlandYard, pawn: int, target: int, scratch: Records[ScotlandYard]) -> int:
    """How many possible stations there are after this move of the pawn and any next move of Mr. X."""
    scratch[0] = v
    w = scratch[0]
    w.keeps_weights = 0
    w.pawn_station[pawn] = target
    for other in range(w.detectives):
        if w.pawn_target[other] != NOWHERE:  # steps already chosen count as made
            w.pawn_station[other] = w.pawn_target[other]
        if w.pawn_station[other] != NOWHERE:
            exclude(w, int(w.pawn_station[other]))
    spread(w, tables(w).degree.shape[0] - 1)
    return count(w)


@kernel
def choose_shrink(views: Records[ScotlandYard], legal: Array, pull: float, scratch: Records[ScotlandYard]) -> int:
    """The detectives' move that leaves Mr. X the fewest possible stations after his next move.

    `pull` weighs the mean distance from the pawn to the possible stations.
    """
    v = views[0]
    if v.phase == phases.CHOOSING:
        return _chosen_pawn(v, legal, goal_station(v, True))
    stations = tables(v).degree.shape[1]
    best, best_value, possible = legal[0], 1e9, count(v)
    for k in range(legal.shape[0]):
        if legal[k] < first_pawn_action(v):
            target = legal[k] % stations
            far = mean_distance_to_possible(v, target, possible)
            value = _possible_after(v, int(v.pawn), target, scratch) + pull * far
            if v.mr_x_station == target:
                value = -1e9
            if value < best_value:
                best, best_value = legal[k], value
    return int(best)


# --- Mr. X ------------------------------------------------------------------------------------


@rule
def _safety(w: ScotlandYard, station: int) -> float:
    """How safe Mr. X is at a station: far from the nearest detective, then from all, with safe ways on."""
    nearest = nearest_detective(w, station)
    total, pawns = 0, 0
    for pawn in range(w.detectives):
        if can_hunt(w, pawn):
            total += distance_between(w, int(w.pawn_station[pawn]), station)
            pawns += 1
    ways = safe_ways(w, station)
    exposed = 4.0 if nearest == 1 else 0.0
    return min(nearest, 5) + 0.3 * total / max(1, pawns) + 0.3 * min(ways, 6) - exposed


@rule
def _flight_value(w: ScotlandYard, scratch: Records[ScotlandYard], away: float, wide: float) -> float:
    """What a position after Mr. X's move is worth to him: safety, and places where he may be now and next."""
    if w.phase == phases.OVER:
        return -1e9
    size = count(w)
    scratch[1] = w
    spread(scratch[1], tables(w).degree.shape[0] - 1)
    return float(away * _safety(w, int(w.mr_x_station)) + wide * (size**0.5 + 0.5 * count(scratch[1]) ** 0.5))


@kernel
def choose_evade(
    views: Records[ScotlandYard], legal: Array, away: float, wide: float,
    scratch: Records[ScotlandYard],
) -> int:  # fmt: skip
    """Mr. X's move with the best mixture of distance (`away`) and possible stations (`wide`).

    Black tickets are spent where they widen the set by enough; a double move is announced when
    every single move ends beside a detective.
    """
    v = views[0]
    stations = tables(v).degree.shape[1]
    best, best_value, threatened = legal[0], -1e12, True
    for k in range(legal.shape[0]):
        if legal[k] >= first_pawn_action(v):
            continue
        scratch[0] = v
        w = scratch[0]
        w.keeps_weights = 0
        apply(w, legal[k])
        value = _flight_value(w, scratch, away, wide)
        if legal[k] // stations == BLACK:
            value -= 1.5
        if nearest_detective(v, legal[k] % stations) > 1:
            threatened = False
        if value > best_value:
            best, best_value = legal[k], value
    last = legal[legal.shape[0] - 1]
    if last == double_action(v) and threatened:
        return int(last)
    return int(best)


# --- the player --------------------------------------------------------------------------------


class HeuristicAgent(Agent):
    """Detectives who chase or shrink, and a Mr. X who evades.

    hunt: "chase" a station by ticket-aware shortest ways, or "shrink" the set of possible stations.
    goal: what is chased while Mr. X is hidden, the station last "seen" or the "likely" one.
    pull: how much shrinking detectives care to be near; away, wide: how much Mr. X cares to be far from
    the detectives, and to keep the set of possible stations large.
    """

    def __init__(
        self, hunt: str = "shrink", goal: str = "likely", pull: float = 8.0, away: float = 2.0, wide: float = 1.0
    ) -> None:
        self._chases = hunt == "chase"
        self._likely = goal == "likely"
        self._pull, self._away, self._wide = pull, away, wide

    def start(self, seating: Seating) -> None:
        dtype = seating.game.dtype
        self._visits = visit_room(dtype)
        self._scratch = blank(dtype, 2)

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        if len(legal) == 1:
            return int(legal[0])
        if view["phase"][0] == phases.FLEEING:
            wide, away = self._wide, self._away
            return int(choose_evade(view, legal, away, wide, self._scratch))
        if self._chases:
            return int(choose_chase(view, legal, self._likely, self._visits))
        return int(choose_shrink(view, legal, self._pull, self._scratch))
