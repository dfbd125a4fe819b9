"""Scotland Yard: the rules, verb by verb, on any map. docs/rules/scotland_yard.md explains numbers such as SY-23.

Chance outcomes are stations: start cards drawn. The ids of actions are in `action_ids.py`.
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules import action_ids, movement, possible, rounds
from ludens.games.scotland_yard.rules.setup import chance, draw, reset_grid, reset_london
from ludens.games.scotland_yard.rules.tables import tables
from ludens.games.scotland_yard.state import DOUBLE, NOWHERE, ScotlandYard

__all__ = ["actor", "apply", "chance", "draw", "legal", "reset_grid", "reset_london", "returns", "scores"]


@rule
def actor(s: ScotlandYard) -> int:
    if s.phase == phases.PLACING:
        return CHANCE
    if s.phase == phases.OVER:
        return TERMINAL
    return int(s.current)


@rule
def legal(s: ScotlandYard, out: Array) -> int:
    if s.phase == phases.FLEEING:
        return movement.legal_flights(s, out)
    if s.phase == phases.MOVING:
        return movement.legal_steps(s, out) if s.together else movement.legal_rides(s, out)
    if s.phase != phases.CHOOSING:
        return 0
    n = 0
    for pawn in range(s.detectives):
        if s.pawn_moved[pawn] == 0 and s.pawn_station[pawn] != NOWHERE and movement.owner(s, pawn) == s.current:
            if movement.pawn_can_move(s, pawn):
                out[n] = action_ids.first_pawn_action(s) + pawn
                n += 1
    return n


@rule
def apply(s: ScotlandYard, a: int) -> None:
    if s.phase == phases.PLACING:
        _place(s, a)
    elif s.phase == phases.FLEEING:
        if a == action_ids.double_action(s):
            s.mr_x_tickets[DOUBLE] -= 1
            s.double_left = 2
            possible.double_announced(s)
        else:
            stations = tables(s).degree.shape[1]
            _flee(s, a // stations, a % stations)
    elif s.phase == phases.CHOOSING:
        s.pawn = a - action_ids.first_pawn_action(s)
        s.phase = phases.MOVING
    elif s.together:
        s.pawn_target[s.pawn] = a
        s.pawn_moved[s.pawn] = 1
        rounds.after_pawn(s)
    elif a == action_ids.pass_action(s):
        s.pawn_moved[s.pawn] = 1
        rounds.after_pawn(s)
    else:
        stations = tables(s).degree.shape[1]
        _ride(s, a // stations, a % stations)


@rule
def _flee(s: ScotlandYard, ticket: int, target: int) -> None:
    """Mr. X moves: the ticket is seen, the station is not, unless he must show himself (SY-24, SY-25)."""
    possible.spread(s, ticket)
    if s.mr_x_tickets[ticket] > 0:
        s.mr_x_tickets[ticket] -= 1
    s.mr_x_station = target
    s.log_ticket[s.moves] = ticket
    s.moves += 1
    if (int(s.reveal_moves) >> int(s.moves)) & 1:
        s.log_station[int(s.moves) - 1] = target
        possible.see(s, target)
    if s.double_left == 2:
        s.double_left = 1
        rounds.begin_mr_x(s)
        return
    s.double_left = 0
    if s.detectives_first:
        rounds.end_round(s)
    else:
        rounds.begin_detectives(s)


@rule
def _ride(s: ScotlandYard, ticket: int, target: int) -> None:
    """A detective moves, alone (SY-23)."""
    pawn = int(s.pawn)
    if s.pawn_tickets[pawn, ticket] > 0:
        s.pawn_tickets[pawn, ticket] -= 1
        if s.classic:  # SY-20
            s.mr_x_tickets[ticket] += 1
    s.pawn_station[pawn] = target
    s.pawn_moved[pawn] = 1
    if target == s.mr_x_station:
        rounds.finish(s, phases.CAUGHT)
        return
    possible.exclude(s, target)
    if s.stuck_stay:
        if not movement.any_pawn_can_move(s):
            rounds.finish(s, phases.EXHAUSTED)
            return
    elif not movement.pawn_has_ride(s, pawn):
        s.pawn_station[pawn] = NOWHERE  # SY-27: it no longer blocks anybody
        s.pawn_left[pawn] = target
        if _nobody_left(s):
            rounds.finish(s, phases.EXHAUSTED)
            return
    rounds.after_pawn(s)


@rule
def _place(s: ScotlandYard, station: int) -> None:
    if s.pawn < s.detectives:
        s.pawn_station[s.pawn] = station
        s.pawn += 1
        return
    s.pawn = 0
    s.mr_x_station = station
    possible.suspect_starts(s)
    if s.start_visible:
        possible.see(s, station)
    rounds.begin_round(s)


@rule
def _nobody_left(s: ScotlandYard) -> bool:
    for pawn in range(s.detectives):
        if s.pawn_station[pawn] != NOWHERE:
            return False
    return True


# --- the end --------------------------------------------------------------------------------


@rule
def returns(s: ScotlandYard, out: Array) -> None:
    """+1 for the winning side's seats, -1 for the others: detectives share one utility (SY-3)."""
    value = 0.0
    if s.ending == phases.ESCAPED or s.ending == phases.EXHAUSTED:
        value = 1.0
    elif s.ending == phases.CAUGHT or s.ending == phases.STUCK:
        value = -1.0
    out[0] = value
    for seat in range(1, s.players):
        out[seat] = -value


@rule
def scores(s: ScotlandYard, out: Array) -> None:
    """One point for having won."""
    escaped = s.ending == phases.ESCAPED or s.ending == phases.EXHAUSTED
    for seat in range(s.players):
        out[seat] = 1.0 if s.phase == phases.OVER and (seat == 0) == escaped else 0.0
