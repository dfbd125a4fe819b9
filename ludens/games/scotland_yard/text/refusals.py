"""Scotland Yard: why an action is refused, naming the rule."""

from __future__ import annotations

from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.tables import map_of, neighbours
from ludens.games.scotland_yard.state import BLACK, DOUBLE, NOWHERE, TICKETS, ScotlandYard
from ludens.games.scotland_yard.text.actions import controller, is_stuck, split, station_name
from ludens.i18n.messages import say

__all__ = ["refusal"]


def refusal(s: ScotlandYard, a: int) -> str:
    """Why an action is not legal now, naming the rule."""
    kind, first, station = split(s, a)
    if s.phase == phases.OVER:
        return "The game is over."
    if s.phase == phases.CHOOSING:
        return _refuse_choosing(s, kind, first)
    if kind == "choose":
        return "The piece to move is settled; say where it goes (SY-22)."
    if kind == "pass":
        return "Everyone who can move must move (SY-22)."
    if kind == "double":
        return _refuse_double(s)
    if s.phase == phases.FLEEING:
        return _refuse_ride(s, int(s.mr_x_station), int(s.mr_x_tickets[first]), first, station, say("Mr. X"))
    pawn = int(s.pawn)
    if first == BLACK:
        return "Only Mr. X has black tickets (SY-19)."
    held = int(s.pawn_tickets[pawn, first])
    return _refuse_ride(s, int(s.pawn_station[pawn]), held, first, station, say("Detective {n}", n=pawn + 1))


def _refuse_choosing(s: ScotlandYard, kind: str, pawn: int) -> str:
    if kind != "choose":
        return "First choose the detective that moves next (SY-22)."
    if pawn >= s.detectives or s.pawn_station[pawn] == NOWHERE:
        return say("Detective {n} is not in the game (SY-27).", n=pawn + 1)
    if controller(s, pawn) != s.current:
        return say("Another player moves detective {n} (SY-15).", n=pawn + 1)
    if s.pawn_moved[pawn]:
        return say("Detective {n} has moved in this round (SY-22).", n=pawn + 1)
    if is_stuck(s, pawn):
        return say("Detective {n} has no ticket to use at its station and stays there (SY-27).", n=pawn + 1)
    return say("Detective {n} is blocked by other detectives for now (SY-27).", n=pawn + 1)


def _refuse_double(s: ScotlandYard) -> str:
    if s.phase == phases.MOVING:
        return "Only Mr. X makes double moves (SY-26)."
    if s.double_left:
        return "There is one double move a round at most (SY-26)."
    if s.mr_x_tickets[DOUBLE] == 0:
        return "Mr. X has no double move left (SY-26)."
    if s.max_moves and s.moves + 2 > s.max_moves:
        return "The travel log has no room for a double move (SY-29)."
    return "With the tickets left no first leg leaves Mr. X a second one, and a double move needs both (SY-26)."


def _refuse_ride(s: ScotlandYard, here: int, held: int, ticket: int, station: int, who: str) -> str:
    board = map_of(s)
    place, start = station_name(board, station), station_name(board, here)
    if station not in neighbours(s.dtype, ticket, here):
        if board.columns:
            steps = "{who} cannot step from {start} to {place}: pieces step up, down, left or right (SY-4)."
            return say(steps, who=who, start=start, place=place)
        if ticket == BLACK:
            return say("There is no connection of any kind from {start} to {place} (SY-23).", start=start, place=place)
        missing = "There is no {ticket} connection from {start} to {place} (SY-23)."
        return say(missing, ticket=TICKETS[ticket], start=start, place=place)
    if held == 0:
        return say("{who} has no {ticket} ticket left (SY-27).", who=who, ticket=TICKETS[ticket])
    if station in s.pawn_station and not s.together:
        return say("A detective stands on {place}; pieces move to free stations only (SY-23).", place=place)
    if s.phase == phases.FLEEING and s.double_left:
        leg = "From {place} Mr. X would have no second leg of his double move with the tickets left (SY-26)."
        return say(leg, place=place)
    if s.phase == phases.FLEEING:
        return say("A detective stands on {place} (SY-7).", place=place)
    if station in s.pawn_target[: int(s.pawn)]:
        return say("Another detective steps to {place}; two may not share a cell (SY-7).", place=place)
    blocked = "A step to {place} would leave another detective without one, and every piece must move (SY-4)."
    return say(blocked, place=place)
