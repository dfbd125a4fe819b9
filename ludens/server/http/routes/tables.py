"""Tables: make, list, join, change, leave, close, play again."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Path, Query

from ludens.i18n.messages import say
from ludens.server.http.dependencies import (
    Address,
    Bearer,
    Person,
    ServicesOf,
    TableId,
    as_json,
    errors,
    found,
    game_of,
    is_admin,
    own_seat,
)
from ludens.server.http.schemas.tables import (
    ImportedTable,
    Joined,
    JoinTable,
    MadeTable,
    MakeTable,
    PlayOn,
    Rematch,
    RematchTable,
    SeatChange,
    TableInfo,
    TableList,
)
from ludens.server.refusal import Refusal
from ludens.server.services import Services
from ludens.server.storage import rows
from ludens.server.streaming import views
from ludens.server.tables.all_tables import Unreadable
from ludens.server.tables.seating import GUEST_PLAYS, SeatPlan
from ludens.server.tables.table import ABANDONED, FINISHED, RUNNING, WAITING
from ludens.server.tables.time import Clock

__all__ = ["listed", "router"]

_LISTED_COST = 0.05  # requests that a table of a list counts for
_MADE_COST = 4.0  # and a new one, beside its own: it is stored for good, even if it is closed at once
_REPLAYED_COST = 0.02  # and a ply of the game that it goes on from
router = APIRouter(tags=["tables"])
SeatIndex = Annotated[int, Path(ge=0, le=15, description="the seat, counted from 0")]
Status = Literal["waiting", "running", "finished", "abandoned", "living", "ended"]
_GROUPS = {"living": (WAITING, RUNNING), "ended": (FINISHED, ABANDONED)}


@router.post("/tables", status_code=201, response_model=MadeTable, responses=errors(403, 404), summary="Make a table")
async def make_table(services: ServicesOf, address: Address, token: Bearer, person: Person, wish: MakeTable) -> Any:
    """Starts at once if no seat is open. The secrets in the answer are shown only here."""
    game = game_of(wish.game)
    services.buckets.charge(address, _MADE_COST)
    plans = [SeatPlan(seat.kind, seat.name, seat.agent) for seat in wish.seats]
    admin = is_admin(services, token)
    clock = Clock.from_json(wish.clock.model_dump() if wish.clock else None)
    table, secrets = await services.seating.create(
        game, wish.options, plans, address, wish.private, wish.seed, admin, wish.hints, person, clock
    )
    return as_json({"table": views.table_payload(table), **secrets}, 201)


@router.post(
    "/tables/import", status_code=201, response_model=ImportedTable, responses=errors(413), summary="Open a saved game"
)
async def import_game(
    services: ServicesOf,
    address: Address,
    person: Person,
    document: Annotated[dict[str, Any], Body(description="a saved match, as `GET /tables/{table_id}/game` gives it")],
    private: Annotated[bool, Query(description="not listed; reached only with the invitation")] = True,
) -> Any:
    """Finished or not, of this server, of `ludens` or of another program (`"chance": "recorded"`).

    It becomes an ended table that nobody sits at: to be looked at, reviewed and downloaded again.
    """
    services.import_buckets.charge(address)
    table, invitation = await services.saved_games.bring(document, address, private, person)
    return as_json({"table": views.table_payload(table), "invitation": invitation}, 201)


@router.get("/tables", response_model=TableList, responses=errors(), summary="List tables")
async def list_tables(
    services: ServicesOf,
    address: Address,
    status: Annotated[
        Status, Query(description="living: waiting and running; ended: finished and abandoned")
    ] = "living",
    game: Annotated[str | None, Query(pattern="^[A-Za-z0-9_.-]{1,64}$")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[float | None, Query(description="only tables changed before this time")] = None,
) -> Any:
    """Public tables, those first that were made, filled or ended last."""
    page = await listed(services, status, game, limit, before)
    services.buckets.charge(address, _LISTED_COST * len(page["tables"]))
    return as_json(page)


async def listed(
    services: Services, status: str, game: str | None, limit: int, before: float | None, private: bool = False
) -> dict[str, Any]:
    """A page of tables: the stored rows, with what memory knows of the living ones."""
    wanted = _GROUPS.get(status, (status,))
    stored = await services.storage.read(rows.list_tables(game, wanted, limit, before, private))
    held = services.tables.living
    living = {row.id: held[row.id] for row in stored if row.id in held and not held[row.id].doubtful}
    shown = [
        views.table_payload(living[row.id]) if row.id in living else views.stored_table_payload(row) for row in stored
    ]
    return {"tables": shown, "before": stored[-1].updated if len(stored) == limit else None}


@router.get("/tables/{table_id}", response_model=TableInfo, responses=errors(403, 404, 409), summary="One table")
async def one_table(services: ServicesOf, token: Bearer, table_id: TableId) -> Any:
    """Of a table that was made with other rules, and that these do not lead through, `notice` says so."""
    try:
        return as_json(views.table_payload(await found(services, table_id, token)))
    except Unreadable as unreadable:
        return as_json(views.stored_table_payload(unreadable.stored, unreadable.message))


@router.post(
    "/tables/{table_id}/join",
    response_model=Joined,
    responses=errors(403, 404, 409),
    summary="Sit down on an open seat",
)
async def join(services: ServicesOf, token: Bearer, person: Person, table_id: TableId, wish: JoinTable) -> Any:
    """The token in the answer is given only once. A private table needs its invitation as token."""
    table = await found(services, table_id, token)
    name = wish.name or (None if person is None else (await services.people.profile(person))["name"])
    seat, given = await services.seating.join(table, wish.seat, name, token, person)
    return as_json({"seat": seat, "token": given, "table": views.table_payload(table)})


@router.patch(
    "/tables/{table_id}/seats/{seat}",
    response_model=MadeTable,
    responses=errors(401, 403, 404, 409),
    response_model_exclude={"owner_token"},
    summary="Rename a seat, or change its kind",
)
async def change_seat(services: ServicesOf, token: Bearer, table_id: TableId, seat: SeatIndex, wish: SeatChange) -> Any:
    """A seat may rename itself; the owner may rename agents and empty seats and change any seat of a waiting table.

    At a running table the owner gives the seat of a guest to somebody else who is to move and has vanished.
    """
    table = await found(services, table_id, token)
    if token is None:
        raise Refusal("unauthorised", "This needs the token of the seat or of the table's owner.")
    owner = table.owned_by(token) or is_admin(services, token)
    tokens = []
    if wish.kind is not None:
        if not owner:
            raise Refusal("forbidden", "Only the owner of the table changes its seats.")
        given = await services.seating.plan_seat(table, seat, SeatPlan(wish.kind, wish.name, wish.agent))
        tokens = [{"seat": seat, "token": given}] if given else []
    elif wish.name is not None and wish.agent is None:
        place = table.seat(seat)
        if table.seat_of(token) != seat and not (owner and place.token is None):
            raise Refusal("forbidden", "A taken seat is renamed only by whoever sits there.")
        await services.seating.rename(table, seat, wish.name)
    else:
        raise Refusal("bad_request", "Send a name, or a kind with what belongs to it.")
    return as_json({"table": views.table_payload(table), "tokens": tokens, "invitation": None})


@router.post(
    "/tables/{table_id}/leave", response_model=TableInfo, responses=errors(401, 403, 404, 409), summary="Leave a seat"
)
async def leave(services: ServicesOf, token: Bearer, table_id: TableId) -> Any:
    """The token becomes void and the seat open to others; the game goes on when somebody sits down there."""
    table = await found(services, table_id, token)
    await services.seating.leave(table, own_seat(table, token))
    return as_json(views.table_payload(table))


@router.post(
    "/tables/{table_id}/close",
    response_model=TableInfo,
    responses=errors(401, 403, 404, 409),
    summary="Close a table without a result",
)
async def close(services: ServicesOf, token: Bearer, table_id: TableId) -> Any:
    """By the owner, while no other person sits there or one who is to move has vanished; by the administrator."""
    admin = is_admin(services, token)
    try:
        table = await found(services, table_id, token)
    except Unreadable as unreadable:
        if not (admin or unreadable.stored.owned_by(token)):
            raise Refusal("forbidden", "Only the owner of the table closes it.") from None
        await services.tables.close_unreadable(unreadable.stored, "closed")
        return await one_table(services, token, table_id)
    if not admin:
        if not table.owned_by(token):
            raise Refusal("forbidden", "Only the owner of the table closes it.")
        hours = services.settings.vanished_hours
        guests = table.status == RUNNING and any(seat.kind == "open" and seat.taken for seat in table.seats)
        if guests and not table.vanished(3600 * hours):
            raise Refusal("forbidden", say(GUEST_PLAYS, hours=f"{hours:g}"))
    await services.tables.abandon(table, "closed")
    return as_json(views.table_payload(table))


@router.post(
    "/tables/{table_id}/continue",
    status_code=201,
    response_model=MadeTable,
    responses=errors(403, 404, 409),
    summary="Play on from a position of an ended game",
)
async def play_on(
    services: ServicesOf, address: Address, token: Bearer, person: Person, table_id: TableId, wish: PlayOn
) -> Any:
    """A new, unlisted table that runs at once. Draws from there on are new ones. The secrets are shown only here."""
    table = await found(services, table_id, token)
    services.buckets.charge(address, _MADE_COST + _REPLAYED_COST * min(wish.ply, table.ply))
    plans = [SeatPlan(seat.kind, seat.name, seat.agent) for seat in wish.seats]
    begun, secrets = await services.seating.play_on(table, wish.ply, plans, address, wish.hints, person)
    return as_json({"table": views.table_payload(begun), **secrets}, 201)


@router.post(
    "/tables/{table_id}/rematch",
    response_model=RematchTable,
    responses=errors(401, 403, 404, 409),
    summary="Play again",
)
async def rematch(services: ServicesOf, address: Address, token: Bearer, table_id: TableId, wish: Rematch) -> Any:
    """The first to ask opens the new table, the others find it; it starts when all have asked."""
    table = await found(services, table_id, token)
    own_seat(table, token)
    again, tokens = await services.seating.rematch(table, [str(token), *wish.tokens], address)
    return as_json({"table": views.table_payload(again), "tokens": tokens})
