"""Scotland Yard: the course of a round, whose turn it is, and how the game ends (SY-6 … SY-9, SY-22, SY-27 … SY-29)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.movement import mr_x_can_leave, owner, pawn_can_move
from ludens.games.scotland_yard.rules.possible import exclude, see, still_running
from ludens.games.scotland_yard.state import NOWHERE, ScotlandYard

__all__ = ["after_pawn", "begin_detectives", "begin_mr_x", "begin_round", "end_round", "finish"]


@rule
def begin_round(s: ScotlandYard) -> None:
    if s.detectives_first:
        begin_detectives(s)
    else:
        begin_mr_x(s)


@rule
def begin_mr_x(s: ScotlandYard) -> None:
    s.phase = phases.FLEEING
    s.current = 0
    if mr_x_can_leave(s, int(s.mr_x_station)):
        still_running(s)
    else:
        finish(s, phases.STUCK)  # SY-8b, SY-28


@rule
def begin_detectives(s: ScotlandYard) -> None:
    for pawn in range(s.detectives):
        s.pawn_moved[pawn] = 0
        s.pawn_target[pawn] = NOWHERE
    s.current = 1
    _next_pawn(s)  # there is one: the game ends when the last detective leaves it


@rule
def _next_pawn(s: ScotlandYard) -> bool:
    """Sets who moves next, if a pawn is left: controllers in the order of their seats, pawns in any (SY-22).

    A pawn that cannot move, blocked by other detectives or stuck for good, comes after those that
    can, and skips if it still cannot (SY-27). Pawns that step together choose one after another (SY-7).
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
            s.phase = phases.CHOOSING if free > 1 and not s.together else phases.MOVING
            return True
        if blocked > 0:
            s.pawn = first_blocked
            s.phase = phases.MOVING
            return True
        s.current += 1
    return False


@rule
def after_pawn(s: ScotlandYard) -> None:
    if _next_pawn(s):
        return
    if s.together:
        _step_together(s)
    if s.phase == phases.OVER:
        return
    if s.detectives_first:
        begin_mr_x(s)
    else:
        end_round(s)


@rule
def end_round(s: ScotlandYard) -> None:
    if s.round_number >= s.max_rounds or (s.max_moves > 0 and s.moves >= s.max_moves):
        finish(s, phases.ESCAPED)  # SY-9, SY-28, SY-29
    else:
        s.round_number += 1
        begin_round(s)


@rule
def finish(s: ScotlandYard, ending: int) -> None:
    """The game is over and Mr. X shows himself."""
    s.ending = ending
    s.phase = phases.OVER
    s.current = 0
    s.double_left = 0
    see(s, int(s.mr_x_station))


@rule
def _step_together(s: ScotlandYard) -> None:
    """All pawns step at once; who stands on Mr. X's cell then has caught him (SY-7, SY-8a)."""
    caught = False
    for pawn in range(s.detectives):
        s.pawn_station[pawn] = s.pawn_target[pawn]
        s.pawn_target[pawn] = NOWHERE
        if s.pawn_station[pawn] == s.mr_x_station:
            caught = True
    if caught:
        finish(s, phases.CAUGHT)
        return
    for pawn in range(s.detectives):
        exclude(s, int(s.pawn_station[pawn]))
