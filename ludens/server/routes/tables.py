"""Tables: make, list, join, change, leave, close, play again."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query

from ludens.core import registry
from ludens.server import records, views
from ludens.server.errors import Refusal
from ludens.server.hall import Hall
from ludens.server.reception import SeatPlan
from ludens.server.routes.common import Address, Bearer, HallOf, TableId, as_json, errors, found, is_admin, own_seat
from ludens.server.schemas import (
    Joined,
    JoinTable,
    MadeTable,
    MakeTable,
    Rematch,
    RematchTable,
    SeatChange,
    TableInfo,
    TableList,
)
from ludens.server.seats import same
from ludens.server.tables import ABANDONED, FINISHED, RUNNING, WAITING

__all__ = ["listed", "router"]

router = APIRouter(tags=["tables"])
SeatIndex = Annotated[int, Path(ge=0, le=15, description="the seat, counted from 0")]
Status = Literal["waiting", "running", "finished", "abandoned", "living", "ended"]
_GROUPS = {"living": (WAITING, RUNNING), "ended": (FINISHED, ABANDONED)}


@router.post("/tables", status_code=201, response_model=MadeTable, responses=errors(403, 404), summary="Make a table")
async def make_table(hall: HallOf, address: Address, token: Bearer, wish: MakeTable) -> Any:
    """Starts at once if no seat is open. The secrets in the answer are shown only here."""
    game = hall.game(wish.game)
    plans = [SeatPlan(seat.kind, seat.name, seat.agent) for seat in wish.seats]
    admin = is_admin(hall, token)
    table, secrets = await hall.reception.create(
        game, wish.options, plans, address, wish.private, wish.seed, admin, wish.hints
    )
    return as_json({"table": views.table_payload(table), **secrets}, 201)


@router.get("/tables", response_model=TableList, responses=errors(), summary="List tables")
async def list_tables(
    hall: HallOf,
    status: Annotated[
        Status, Query(description="living: waiting and running; ended: finished and abandoned")
    ] = "living",
    game: Annotated[str | None, Query(pattern="^[A-Za-z0-9_.-]{1,64}$")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[float | None, Query(description="only tables changed before this time")] = None,
) -> Any:
    """Public tables, those first that were made, filled or ended last."""
    return as_json(await listed(hall, status, game, limit, before))


async def listed(
    hall: Hall, status: str, game: str | None, limit: int, before: float | None, private: bool = False
) -> dict[str, Any]:
    """A page of tables: the stored rows, with what memory knows of the living ones."""
    wanted = _GROUPS.get(status, (status,))
    rows = await hall.storage.read(records.list_tables(game, wanted, limit, before, private))
    shown = []
    for found_row in rows:
        row = found_row["row"]
        table = hall.tables.get(row.id)
        if table is not None:
            shown.append(views.table_payload(table))
            continue
        name, _, version = row.game.partition("@")
        payload = {"id": row.id, "game": name, "title": _title(name), "version": int(version), "options": row.options}
        payload |= {
            "status": row.status,
            "private": row.private,
            "hints": row.hints,
            "created": row.created,
            "updated": row.updated,
        }
        payload |= {"seats": found_row["seats"], "ply": None, "actor": None, "undos": None}
        shown.append(
            payload
            | {"undo_allowed": False, "watchers": 0, "result": row.result, "rematch": row.rematch, "notice": None}
        )
    return {"tables": shown, "before": rows[-1]["row"].updated if len(rows) == limit else None}


def _title(name: str) -> str:
    return registry.game(name).spec.title if name in registry.names() else name


@router.get("/tables/{table_id}", response_model=TableInfo, responses=errors(404, 409), summary="One table")
async def one_table(hall: HallOf, token: Bearer, table_id: TableId) -> Any:
    return as_json(views.table_payload(await found(hall, table_id, token)))


@router.post(
    "/tables/{table_id}/join", response_model=Joined, responses=errors(404, 409), summary="Sit down on an open seat"
)
async def join(hall: HallOf, token: Bearer, table_id: TableId, wish: JoinTable) -> Any:
    """The token in the answer is given only once. A private table needs its invitation as token."""
    table = await found(hall, table_id, token)
    seat, given = await hall.reception.join(table, wish.seat, wish.name, token)
    return as_json({"seat": seat, "token": given, "table": views.table_payload(table)})


@router.patch(
    "/tables/{table_id}/seats/{seat}",
    response_model=MadeTable,
    responses=errors(401, 403, 404, 409),
    response_model_exclude={"owner_token"},
    summary="Rename a seat, or change its kind",
)
async def change_seat(hall: HallOf, token: Bearer, table_id: TableId, seat: SeatIndex, wish: SeatChange) -> Any:
    """A seat may rename itself; the owner may rename agents and empty seats and change any seat of a waiting table."""
    table = await found(hall, table_id, token)
    if token is None:
        raise Refusal("unauthorised", "This needs the token of the seat or of the table's owner.")
    owner = same(token, table.owner) or is_admin(hall, token)
    tokens = []
    if wish.kind is not None:
        if not owner:
            raise Refusal("forbidden", "Only the owner of the table changes its seats.")
        given = await hall.reception.plan_seat(table, seat, SeatPlan(wish.kind, wish.name, wish.agent))
        tokens = [{"seat": seat, "token": given}] if given else []
    elif wish.name is not None and wish.agent is None:
        place = table.seat(seat)
        if table.seat_of(token) != seat and not (owner and place.token is None):
            raise Refusal("forbidden", "A taken seat is renamed only by whoever sits there.")
        await hall.reception.rename(table, seat, wish.name)
    else:
        raise Refusal("bad_request", "Send a name, or a kind with what belongs to it.")
    return as_json({"table": views.table_payload(table), "tokens": tokens, "invitation": None})


@router.post(
    "/tables/{table_id}/leave", response_model=TableInfo, responses=errors(401, 403, 404, 409), summary="Leave a seat"
)
async def leave(hall: HallOf, token: Bearer, table_id: TableId) -> Any:
    """The token becomes void and the seat open to others; the game goes on when somebody sits down there."""
    table = await found(hall, table_id, token)
    await hall.reception.leave(table, own_seat(table, token))
    return as_json(views.table_payload(table))


@router.post(
    "/tables/{table_id}/close",
    response_model=TableInfo,
    responses=errors(401, 403, 404, 409),
    summary="Close a table without a result",
)
async def close(hall: HallOf, token: Bearer, table_id: TableId) -> Any:
    """By the owner, while no other person sits at the table; by the administrator always."""
    table = await found(hall, table_id, token)
    if not is_admin(hall, token):
        if not same(token, table.owner):
            raise Refusal("forbidden", "Only the owner of the table closes it.")
        if table.status == RUNNING and any(seat.kind == "open" and seat.taken for seat in table.seats):
            raise Refusal("forbidden", "Somebody plays here; resign or leave instead.")
    await hall.abandon(table, "closed")
    return as_json(views.table_payload(table))


@router.post(
    "/tables/{table_id}/rematch",
    response_model=RematchTable,
    responses=errors(401, 403, 404, 409),
    summary="Play again",
)
async def rematch(hall: HallOf, address: Address, token: Bearer, table_id: TableId, wish: Rematch) -> Any:
    """The first to ask opens the new table, the others find it; it starts when all have asked."""
    table = await found(hall, table_id, token)
    own_seat(table, token)
    again, tokens = await hall.reception.rematch(table, [str(token), *wish.tokens], address)
    return as_json({"table": views.table_payload(again), "tokens": tokens})
