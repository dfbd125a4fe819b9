"""Playing: views, moves, reasons, undo, resignation, the steps of a game and the finished game."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from ludens.core.errors import BadInput
from ludens.i18n.messages import say
from ludens.server.encoding import encode_bytes
from ludens.server.http.dependencies import Address, Bearer, ServicesOf, TableId, as_json, errors, found, own_seat
from ludens.server.http.errors import envelope_of
from ludens.server.http.limits import steps_cost
from ludens.server.http.schemas.play import (
    AcceptedMove,
    CheckAnswer,
    CheckMove,
    Move,
    SavedGame,
    Steps,
    Undo,
    Undone,
    View,
)
from ludens.server.http.schemas.tables import TableInfo
from ludens.server.refusal import Refusal
from ludens.server.storage import rows
from ludens.server.streaming import views
from ludens.server.streaming.subscribers import in_thread
from ludens.server.tables.all_tables import Unreadable
from ludens.server.tables.table import Table

__all__ = ["router"]

router = APIRouter(tags=["playing"])
Ply = Annotated[int | None, Query(ge=0, le=10_000_000, description="an earlier ply")]


@router.get("/tables/{table_id}/view", response_model=View, responses=errors(403, 404, 409), summary="See the game")
async def view(
    services: ServicesOf,
    address: Address,
    token: Bearer,
    table_id: TableId,
    ply: Ply = None,
    after: Annotated[int | None, Query(ge=0, description="wait until the version is beyond this")] = None,
    wait: Annotated[float, Query(ge=0, le=60, description="for at most so many seconds")] = 25.0,
    record: Annotated[bool, Query(description="add the raw fields, for local agents")] = False,
) -> Any:
    """The view of the token's seat, or the spectator's. With `after` this is a long poll."""
    table = await found(services, table_id, token)
    if after is not None and ply is None:
        with services.connections.holding(address):
            await services.tables.wait(table, after, wait)
    await services.tables.settled(table)
    seat = table.seat_of(token)
    if ply is None or table.match is None:
        return as_json(views.view_payload(table, seat, record))
    if ply > table.ply:
        raise Refusal("bad_request", say("The log has plies 0 … {last}, not {ply}.", last=table.ply, ply=ply))
    log = table.match.log.copy()
    return as_json(await in_thread(views.earlier_view_payload, table, log, ply, seat, record))


@router.get("/tables/{table_id}/steps", response_model=Steps, responses=errors(403, 404, 409), summary="What happened")
async def steps(
    services: ServicesOf,
    address: Address,
    token: Bearer,
    table_id: TableId,
    start: Annotated[int, Query(alias="from", ge=0, le=10_000_000)] = 0,
    end: Annotated[int | None, Query(alias="to", ge=0, le=10_000_000, description="before this ply")] = None,
    positions: Annotated[bool, Query(description="with the position after every step")] = False,
) -> Any:
    """The steps as the seat (or spectator) may know them; everything once the game has ended.

    An answer has at most 1000 steps, with positions 100; `next` is where the following page begins.
    """
    table = await found(services, table_id, token)
    await services.tables.settled(table)
    answer = {"ply": table.ply, "undos": table.undos, "next": None}
    log = table.match.log.copy() if table.match else []
    end = len(log) if end is None else min(end, len(log))
    stop = min(end, start + views.most_steps(positions))
    if stop < end:
        answer["next"] = stop
    if start >= stop:
        return as_json({**answer, "steps": []})
    services.buckets.charge(address, steps_cost(stop - start, positions))
    encoded = await in_thread(_encoded_steps, table, log, table.seat_of(token), start, stop, positions, answer)
    return Response(encoded, media_type="application/json")


def _encoded_steps(
    table: Table, log: list[int], seat: int | None, start: int, stop: int, positions: bool, answer: dict[str, Any]
) -> bytes:
    return encode_bytes({**answer, "steps": views.history(table, log, seat, start, stop, positions)})


@router.post(
    "/tables/{table_id}/moves",
    response_model=AcceptedMove,
    responses=errors(401, 403, 404, 409),
    summary="Make a move",
)
async def make_move(services: ServicesOf, token: Bearer, table_id: TableId, wish: Move) -> Any:
    """Answered once the move is stored. Sending it again with the same id is harmless.

    A move that answers an older ply is refused with `stale_move` and the present view.
    """
    table = await found(services, table_id, token)
    accepted = await services.moves.play(table, own_seat(table, token), wish.move, wish.ply, wish.id)
    answer = {"id": wish.id, "ply": accepted.ply, "next_ply": accepted.next_ply, "repeated": accepted.repeated}
    return as_json(answer)


@router.post(
    "/tables/{table_id}/check",
    response_model=CheckAnswer,
    responses=errors(401, 403, 404, 409),
    summary="Ask whether a move is legal, and why not",
)
async def check(services: ServicesOf, token: Bearer, table_id: TableId, wish: CheckMove) -> Any:
    """Nothing changes. Only the seat to act may ask."""
    table = await found(services, table_id, token)
    seat = own_seat(table, token)
    await services.tables.settled(table)
    if table.running().actor != seat:
        raise Refusal("not_your_turn", "Only the seat to act may ask about its moves.")
    try:
        services.moves.parse(table, seat, wish.move)
    except (BadInput, Refusal) as refusal:
        error = envelope_of(refusal)["error"]
        return as_json({"legal": False, "reason": error["message"], "rules": error.get("rules", [])})
    return as_json({"legal": True, "reason": None, "rules": []})


@router.post(
    "/tables/{table_id}/undo",
    response_model=Undone,
    responses=errors(401, 403, 404, 409),
    summary="Undo the last move",
)
async def undo(services: ServicesOf, token: Bearer, table_id: TableId, wish: Undo | None = None) -> Any:
    """Where all other seats are agents, and nothing random or hidden was revealed to the seat since.

    In games without hidden information all moves can be undone. The log keeps what was undone.
    """
    table = await found(services, table_id, token)
    return as_json({"ply": await services.moves.undo(table, own_seat(table, token), wish.ply if wish else None)})


@router.post(
    "/tables/{table_id}/resign", response_model=TableInfo, responses=errors(401, 403, 404, 409), summary="Resign"
)
async def resign(services: ServicesOf, token: Bearer, table_id: TableId) -> Any:
    """The game ends if one side or no person is left; otherwise an agent plays the seat on."""
    table = await found(services, table_id, token)
    await services.moves.resign(table, own_seat(table, token))
    return as_json(views.table_payload(table))


@router.get(
    "/tables/{table_id}/game",
    response_model=SavedGame,
    responses=errors(403, 404, 409),
    summary="Download an ended game",
)
async def download(services: ServicesOf, token: Bearer, table_id: TableId) -> Any:
    """Options, seed and log: enough to replay the game and to verify every draw.

    A game of other rules than today's comes as it was stored, for the version of the package that it names.
    """
    try:
        table = await found(services, table_id, token)
        if not table.ended or table.match is None:
            raise Refusal("wrong_status", "The seed and the log are published when the game has ended.")
        document = {**table.match.to_json(), "result": table.result, "undos": table.undos, "table": table.id}
        if table.made_with is not None:
            document["game"] = f"{table.game.spec.name}@{table.made_with}"
    except Unreadable as unreadable:
        if not unreadable.stored.ended:
            raise
        stored = await services.storage.read(rows.document(table_id))
        document = {**(stored or {}), "table": table_id}
    answer = as_json(document)
    name = str(document["game"]).partition("@")[0]
    answer.headers["content-disposition"] = f'attachment; filename="{name}-{table_id}.json"'
    return answer
