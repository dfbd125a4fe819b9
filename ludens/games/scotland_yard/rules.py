"""Scotland Yard: the rules, verb by verb, on any map. Numbers such as SY-23 are those of the specification.

Action ids on a map of N stations with T kinds of tickets: ticket * N + station is a ride to the
station, T * N + pawn chooses the pawn to move next, then announcing a double move, then passing.
Chance outcomes are stations: start cards drawn.
"""

from __future__ import annotations

from typing import Any

from ludens.core.jit import rule
from ludens.core.rng import below
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.scotland_yard.belief import exclude, see, spread, still_running, suspect_starts
from ludens.games.scotland_yard.maps import MAX_PAWNS
from ludens.games.scotland_yard.movement import (
    mr_x_can_leave,
    occupied,
    others_can_follow,
    owner,
    pawn_can_move,
    pawn_has_ride,
    target_is_taken,
)
from ludens.games.scotland_yard.state import (
    BLACK,
    BUS,
    CAUGHT,
    CHOOSING,
    DOUBLE,
    ESCAPED,
    EXHAUSTED,
    FLEEING,
    HIDDEN,
    MOVING,
    NEVER,
    NOWHERE,
    OVER,
    PLACING,
    STUCK,
    TAXI,
    UNDERGROUND,
    UNLIMITED,
    tables,
)

__all__ = [
    "actor",
    "apply",
    "chance",
    "double_action",
    "draw",
    "first_pawn_action",
    "legal",
    "may_double",
    "pass_action",
    "reset_grid",
    "reset_london",
    "returns",
    "scores",
]

_REVEALS = (1 << 3) | (1 << 8) | (1 << 13) | (1 << 18) | (1 << 24)  # SY-25


# --- the first node -----------------------------------------------------------------------


@rule
def reset_london(s: Any, options: Any) -> None:
    """options: players, detectives, edition (1 classic), bobbies, max_rounds, max_moves, belief (1 weights)."""
    s.classic = options[2]
    s.bobbies = options[3]
    s.max_rounds = options[4]
    s.max_moves = options[5]
    s.keeps_weights = options[6]
    s.reveal_moves = _REVEALS
    _clear_table(s, options[0], options[1])
    taxis = 10 if s.classic else 11  # SY-19, SY-20
    for pawn in range(s.detectives):
        plain_clothes = pawn < int(s.detectives) - int(s.bobbies)
        s.pawn_tickets[pawn, TAXI] = taxis if plain_clothes else UNLIMITED
        s.pawn_tickets[pawn, BUS] = 8 if plain_clothes else UNLIMITED
        s.pawn_tickets[pawn, UNDERGROUND] = 4 if plain_clothes else UNLIMITED
    s.mr_x_tickets[TAXI] = 4 if s.classic else UNLIMITED
    s.mr_x_tickets[BUS] = 3 if s.classic else UNLIMITED
    s.mr_x_tickets[UNDERGROUND] = 3 if s.classic else UNLIMITED
    s.mr_x_tickets[BLACK] = int(s.detectives) - int(s.bobbies) if s.classic else 5
    s.mr_x_tickets[DOUBLE] = 2


@rule
def reset_grid(s: Any, options: Any) -> None:
    """options: players, detectives, max_rounds, reveal_every, start_visible, belief (1 weights)."""
    s.together = 1
    s.detectives_first = 1
    s.max_rounds = options[2]
    s.start_visible = options[4]
    s.keeps_weights = options[5]
    moves = 0
    for move in range(options[3], 61, options[3]):
        moves |= 1 << move
    s.reveal_moves = moves
    _clear_table(s, options[0], options[1])
    for pawn in range(s.detectives):
        s.pawn_tickets[pawn, TAXI] = UNLIMITED
    s.mr_x_tickets[TAXI] = UNLIMITED


@rule
def _clear_table(s: Any, players: int, detectives: int) -> None:
    s.players = players
    s.detectives = detectives
    s.phase = PLACING
    s.round_number = 1
    s.mr_x_station = NOWHERE
    s.seen_station = NOWHERE
    s.seen_move = NEVER
    for pawn in range(MAX_PAWNS):
        s.pawn_station[pawn] = NOWHERE
        s.pawn_target[pawn] = NOWHERE
        s.pawn_left[pawn] = NOWHERE
    for k in range(s.log_station.shape[0]):
        s.log_ticket[k] = HIDDEN
        s.log_station[k] = HIDDEN


@rule
def actor(s: Any) -> int:
    if s.phase == PLACING:
        return CHANCE
    if s.phase == OVER:
        return TERMINAL
    return int(s.current)


# --- chance: start cards, the detectives' first, then Mr. X's (SY-6, SY-21) -----------------


@rule
def _cards_left(s: Any, starts: Any) -> int:
    n = 0
    for k in range(starts.shape[0]):
        if not occupied(s, starts[k]):
            n += 1
    return n


@rule
def _deck(s: Any) -> Any:
    """The cards the next one is drawn from; those of occupied stations are out of it."""
    if s.pawn < s.detectives:
        return tables(s).detective_starts
    return tables(s).mr_x_starts


@rule
def chance(s: Any, outcomes: Any, weights: Any) -> int:
    if s.phase != PLACING:
        return 0
    starts = _deck(s)
    left = _cards_left(s, starts)
    n = 0
    for k in range(starts.shape[0]):
        if not occupied(s, starts[k]):
            outcomes[n] = starts[k]
            weights[n] = 1.0 / left
            n += 1
    return n


@rule
def draw(s: Any, rng: Any) -> int:
    starts = _deck(s)
    left = below(rng, _cards_left(s, starts))
    k = 0
    while True:
        if not occupied(s, starts[k]):
            if left == 0:
                return int(starts[k])
            left -= 1
        k += 1


@rule
def _place(s: Any, station: int) -> None:
    if s.pawn < s.detectives:
        s.pawn_station[s.pawn] = station
        s.pawn += 1
        return
    s.pawn = 0
    s.mr_x_station = station
    suspect_starts(s)
    if s.start_visible:
        see(s, station)
    _begin_round(s)


# --- the course of a round ------------------------------------------------------------------


@rule
def _begin_round(s: Any) -> None:
    if s.detectives_first:
        _begin_detectives(s)
    else:
        _begin_mr_x(s)


@rule
def _begin_mr_x(s: Any) -> None:
    s.phase = FLEEING
    s.current = 0
    if mr_x_can_leave(s, int(s.mr_x_station)):
        still_running(s)
    else:
        _finish(s, STUCK)  # SY-8b, SY-28


@rule
def _begin_detectives(s: Any) -> None:
    for pawn in range(s.detectives):
        s.pawn_moved[pawn] = 0
        s.pawn_target[pawn] = NOWHERE
    s.current = 1
    _next_pawn(s)  # there is one: the game ends when the last detective leaves it


@rule
def _next_pawn(s: Any) -> bool:
    """Sets who moves next, if a pawn is left: controllers in the order of their seats, pawns in any (SY-22).

    A pawn that other detectives block moves after those that can move, and skips if it still
    cannot (SY-27). Pawns that step together choose one after another (SY-7).
    """
    while s.current < s.players:
        free, blocked, first_free, first_blocked = 0, 0, 0, 0
        for pawn in range(int(s.detectives) - 1, -1, -1):
            if s.pawn_moved[pawn] or s.pawn_station[pawn] == NOWHERE or owner(s, pawn) != s.current:
                continue
            if s.together or pawn_can_move(s, pawn):
                free += 1
                first_free = pawn
            else:
                blocked += 1
                first_blocked = pawn
        if free > 0:
            s.pawn = first_free
            s.phase = CHOOSING if free > 1 and not s.together else MOVING
            return True
        if blocked > 0:
            s.pawn = first_blocked
            s.phase = MOVING
            return True
        s.current += 1
    return False


@rule
def _after_pawn(s: Any) -> None:
    if _next_pawn(s):
        return
    if s.together:
        _step_together(s)
    if s.phase == OVER:
        return
    if s.detectives_first:
        _begin_mr_x(s)
    else:
        _end_round(s)


@rule
def _end_round(s: Any) -> None:
    if s.round_number >= s.max_rounds or (s.max_moves > 0 and s.moves >= s.max_moves):
        _finish(s, ESCAPED)  # SY-9, SY-28, SY-29
    else:
        s.round_number += 1
        _begin_round(s)


@rule
def _finish(s: Any, ending: int) -> None:
    """The game is over and Mr. X shows himself."""
    s.ending = ending
    s.phase = OVER
    s.current = 0
    s.double_left = 0
    see(s, int(s.mr_x_station))


# --- decisions ------------------------------------------------------------------------------


@rule
def first_pawn_action(s: Any) -> int:
    """The id of choosing the first pawn: rides have the ids below."""
    targets = tables(s).targets
    return targets.shape[0] * targets.shape[1]


@rule
def double_action(s: Any) -> int:
    """The id of announcing a double move."""
    return first_pawn_action(s) + MAX_PAWNS


@rule
def pass_action(s: Any) -> int:
    """The id of passing, the only automatic one."""
    return first_pawn_action(s) + MAX_PAWNS + 1


@rule
def may_double(s: Any) -> bool:
    """May Mr. X announce a double move now? One a round, and both entries must fit the log (SY-26, SY-29)."""
    if s.mr_x_tickets[DOUBLE] == 0 or s.double_left > 0:
        return False
    return s.max_moves == 0 or int(s.moves) + 2 <= s.max_moves


@rule
def legal(s: Any, out: Any) -> int:
    if s.phase == FLEEING:
        return _legal_flights(s, out)
    if s.phase == MOVING:
        return _legal_steps(s, out) if s.together else _legal_rides(s, out)
    if s.phase != CHOOSING:
        return 0
    n = 0
    for pawn in range(s.detectives):
        if s.pawn_moved[pawn] == 0 and s.pawn_station[pawn] != NOWHERE and owner(s, pawn) == s.current:
            if pawn_can_move(s, pawn):
                out[n] = first_pawn_action(s) + pawn
                n += 1
    return n


@rule
def _legal_flights(s: Any, out: Any) -> int:
    """Any ticket he has to a station free of detectives (SY-7, SY-23, SY-24)."""
    board = tables(s)
    stations = board.targets.shape[1]
    here = int(s.mr_x_station)
    n = 0
    for ticket in range(board.targets.shape[0]):
        if s.mr_x_tickets[ticket] != 0:
            for k in range(board.degree[ticket, here]):
                target = int(board.targets[ticket, here, k])
                if not occupied(s, target):
                    out[n] = ticket * stations + target
                    n += 1
    if may_double(s):
        out[n] = double_action(s)
        n += 1
    return n


@rule
def _legal_rides(s: Any, out: Any) -> int:
    """Any ticket the pawn has to a station free of other detectives; a blocked pawn passes (SY-23, SY-27)."""
    board = tables(s)
    stations = board.targets.shape[1]
    here = int(s.pawn_station[s.pawn])
    n = 0
    for ticket in range(min(3, board.targets.shape[0])):
        if s.pawn_tickets[s.pawn, ticket] != 0:
            for k in range(board.degree[ticket, here]):
                target = int(board.targets[ticket, here, k])
                if not occupied(s, target):
                    out[n] = ticket * stations + target
                    n += 1
    if n == 0:
        out[0] = pass_action(s)
        n = 1
    return n


@rule
def _legal_steps(s: Any, out: Any) -> int:
    """Any neighbouring cell that no other pawn steps to and that leaves the later pawns one each (SY-7)."""
    board = tables(s)
    pawn = int(s.pawn)
    here = int(s.pawn_station[pawn])
    n = 0
    for k in range(board.degree[0, here]):
        target = int(board.targets[0, here, k])
        if not target_is_taken(s, pawn, target) and others_can_follow(s, pawn, target):
            out[n] = target
            n += 1
    return n


@rule
def apply(s: Any, a: int) -> None:
    if s.phase == PLACING:
        _place(s, a)
    elif s.phase == FLEEING:
        if a == double_action(s):
            s.mr_x_tickets[DOUBLE] -= 1
            s.double_left = 2
        else:
            stations = tables(s).targets.shape[1]
            _flee(s, a // stations, a % stations)
    elif s.phase == CHOOSING:
        s.pawn = a - first_pawn_action(s)
        s.phase = MOVING
    elif s.together:
        s.pawn_target[s.pawn] = a
        s.pawn_moved[s.pawn] = 1
        _after_pawn(s)
    elif a == pass_action(s):
        s.pawn_moved[s.pawn] = 1
        _after_pawn(s)
    else:
        stations = tables(s).targets.shape[1]
        _ride(s, a // stations, a % stations)


@rule
def _flee(s: Any, ticket: int, target: int) -> None:
    """Mr. X moves: the ticket is seen, the station is not, unless he must show himself (SY-24, SY-25)."""
    spread(s, ticket)
    if s.mr_x_tickets[ticket] > 0:
        s.mr_x_tickets[ticket] -= 1
    s.mr_x_station = target
    s.log_ticket[s.moves] = ticket
    s.moves += 1
    if (int(s.reveal_moves) >> int(s.moves)) & 1:
        s.log_station[int(s.moves) - 1] = target
        see(s, target)
    if s.double_left == 2:
        s.double_left = 1
        _begin_mr_x(s)
        return
    s.double_left = 0
    if s.detectives_first:
        _end_round(s)
    else:
        _begin_detectives(s)


@rule
def _ride(s: Any, ticket: int, target: int) -> None:
    """A detective moves, alone (SY-23)."""
    pawn = int(s.pawn)
    if s.pawn_tickets[pawn, ticket] > 0:
        s.pawn_tickets[pawn, ticket] -= 1
        if s.classic:  # SY-20
            s.mr_x_tickets[ticket] += 1
    s.pawn_station[pawn] = target
    s.pawn_moved[pawn] = 1
    if target == s.mr_x_station:
        _finish(s, CAUGHT)
        return
    exclude(s, target)
    if not pawn_has_ride(s, pawn):
        s.pawn_station[pawn] = NOWHERE  # SY-27: it no longer blocks anybody
        s.pawn_left[pawn] = target
        if _nobody_left(s):
            _finish(s, EXHAUSTED)
            return
    _after_pawn(s)


@rule
def _nobody_left(s: Any) -> bool:
    for pawn in range(s.detectives):
        if s.pawn_station[pawn] != NOWHERE:
            return False
    return True


@rule
def _step_together(s: Any) -> None:
    """All pawns step at once; who stands on Mr. X's cell then has caught him (SY-7, SY-8a)."""
    caught = False
    for pawn in range(s.detectives):
        s.pawn_station[pawn] = s.pawn_target[pawn]
        s.pawn_target[pawn] = NOWHERE
        if s.pawn_station[pawn] == s.mr_x_station:
            caught = True
    if caught:
        _finish(s, CAUGHT)
        return
    for pawn in range(s.detectives):
        exclude(s, int(s.pawn_station[pawn]))


# --- the end --------------------------------------------------------------------------------


@rule
def returns(s: Any, out: Any) -> None:
    """+1 for the winning side's seats, -1 for the others: detectives share one utility (SY-3)."""
    value = 0.0
    if s.ending == ESCAPED or s.ending == EXHAUSTED:
        value = 1.0
    elif s.ending == CAUGHT or s.ending == STUCK:
        value = -1.0
    out[0] = value
    for seat in range(1, s.players):
        out[seat] = -value


@rule
def scores(s: Any, out: Any) -> None:
    """One point for having won."""
    won = 0
    if s.ending == ESCAPED or s.ending == EXHAUSTED:
        won = 1
    for seat in range(s.players):
        out[seat] = 0.0
        if s.phase == OVER and (seat == 0) == (won == 1):
            out[seat] = 1.0
