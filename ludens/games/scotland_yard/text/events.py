"""Scotland Yard: what happened, as events and as sentences. What only Mr. X knows stands under `secret`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludens.games.scotland_yard import phases
from ludens.games.scotland_yard.rules.tables import map_of
from ludens.games.scotland_yard.state import NOWHERE, TICKETS, ScotlandYard
from ludens.games.scotland_yard.text.actions import controller, is_stuck, split, station_name
from ludens.i18n.messages import say

__all__ = ["events", "narrate"]


def events(before: ScotlandYard, a: int, after: ScotlandYard) -> list[dict[str, Any]]:
    """What an action or outcome did, as small dictionaries with a `kind` each; stations by number and name."""
    if before.phase == phases.PLACING:
        found = _placing_events(before, a, after)
    elif before.phase == phases.FLEEING:
        found = _flight_events(before, a, after)
    elif before.phase == phases.CHOOSING:
        pawn = split(before, a)[1]
        return [{"kind": "choose", "seat": int(before.current), "detective": pawn}]
    elif before.together:
        found = _step_events(before, a, after)
    else:
        found = _ride_events(before, a, after)
    if after.phase == phases.OVER:
        found.append(
            {"kind": "over", "ending": phases.ENDINGS[int(after.ending)], **_at(after, int(after.mr_x_station))}
        )
    elif after.round_number != before.round_number:
        found.append({"kind": "round", "round": int(after.round_number)})
    return found


def _at(s: ScotlandYard, station: int) -> dict[str, Any]:
    board = map_of(s)
    return {"station": board.numbers[station], "name": station_name(board, station)}


def _placing_events(before: ScotlandYard, station: int, after: ScotlandYard) -> list[dict[str, Any]]:
    pawn = int(before.pawn)
    if pawn < before.detectives:
        return [{"kind": "place", "seat": controller(before, pawn), "detective": pawn, **_at(before, station)}]
    if before.start_visible:
        return [{"kind": "hide", "seat": 0, **_at(before, station)}]
    return [{"kind": "hide", "seat": 0, "secret": {"seats": [0], **_at(before, station)}}]


def _flight_events(before: ScotlandYard, a: int, after: ScotlandYard) -> list[dict[str, Any]]:
    kind, ticket, station = split(before, a)
    if kind == "double":
        return [{"kind": "double", "seat": 0}]
    move = int(before.moves) + 1
    place = _at(before, station)
    flight: dict[str, Any] = {"kind": "flight", "seat": 0, "move": move}
    if not map_of(before).columns:  # on a grid one walks
        flight["ticket"] = TICKETS[ticket]
    found: list[dict[str, Any]] = [{**flight, "secret": {"seats": [0], **place}}]
    if (int(before.reveal_moves) >> move) & 1:
        found.append({"kind": "reveal", "seat": 0, "move": move, **place})
    return found


def _ride_events(before: ScotlandYard, a: int, after: ScotlandYard) -> list[dict[str, Any]]:
    kind, ticket, station = split(before, a)
    pawn, seat = int(before.pawn), int(before.current)
    if kind == "pass":
        passing = {"kind": "pass", "seat": seat, "detective": pawn}
        return [{**passing, "stuck": True} if is_stuck(before, pawn) else passing]
    ride = {"kind": "ride", "seat": seat, "detective": pawn, "ticket": TICKETS[ticket], **_at(before, station)}
    found: list[dict[str, Any]] = [ride]
    if after.pawn_station[pawn] == NOWHERE:
        found.append({"kind": "leave", "seat": seat, "detective": pawn})
    elif after.ending != phases.CAUGHT and is_stuck(after, pawn):
        found.append({"kind": "stuck", "seat": seat, "detective": pawn})
    return found


def _step_events(before: ScotlandYard, a: int, after: ScotlandYard) -> list[dict[str, Any]]:
    """Steps of pawns that move together: each is announced, and made when the last has been."""
    pawn = int(before.pawn)
    return [{"kind": "step", "seat": int(before.current), "detective": pawn, **_at(before, a)}]


def narrate(event: Mapping[str, Any], names: Sequence[str]) -> str:
    """One event as a sentence without a full stop; a secret is told only if it stands open in the event."""
    kind = event["kind"]
    who = names[event["seat"]] if "seat" in event else ""
    pawn = say("detective {n}", n=event["detective"] + 1) if "detective" in event else ""
    place = event.get("name")
    if kind == "place":
        return say("{who} starts at {place}", who=pawn, place=place)
    if kind == "hide":
        return say("{who} starts at {place}", who=who, place=place) if place else say("{who} hides", who=who)
    if kind == "flight":
        where = say(" to {place}", place=place) if place else ""
        return say("{who} makes move {n}{means}{where}", who=who, n=event["move"], means=_means(event), where=where)
    if kind == "reveal":
        return say("{who} is seen at {place}", who=who, place=place)
    if kind == "double":
        return say("{who} announces a double move", who=who)
    if kind == "choose":
        return ""
    if kind == "ride":
        return say("{who} goes{means} to {place}", who=pawn, means=_means(event), place=place)
    if kind == "step":
        return say("{who} steps to {place}", who=pawn, place=place)
    if kind == "pass":
        stuck = "{who} has no ticket to use and stays" if event.get("stuck") else "{who} is blocked and stays"
        return say(stuck, who=pawn)
    if kind == "stuck":
        return say("{who} has no ticket to use any more and stays in the way", who=pawn)
    if kind == "leave":
        return say("{who} has no ticket to use and leaves the game", who=pawn)
    if kind == "round":
        return say("round {n} begins", n=event["round"])
    return say(_ENDED[event["ending"]], who=names[0], place=place)


_ENDED = {
    "caught": "{who} is caught at {place}",
    "stuck": "{who} cannot move any more and is taken at {place}",
    "escaped": "{who} has escaped, last at {place}",
    "exhausted": "no detective can move any more; {who} has escaped, last at {place}",
}


def _means(event: Mapping[str, Any]) -> str:
    """How one went, as far as it is known: ` by taxi`."""
    ticket = event.get("ticket")
    if ticket is None:
        return ""
    return say(" with a black ticket") if ticket == "black" else say(" by {ticket}", ticket=ticket)
