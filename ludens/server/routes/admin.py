"""Administration, guarded by the administrator's token."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from ludens.server import records
from ludens.server.errors import Refusal
from ludens.server.hall import Hall
from ludens.server.routes.common import Bearer, HallOf, TableId, as_json, errors, is_admin
from ludens.server.routes.tables import listed
from ludens.server.schemas import TableList

__all__ = ["router"]

router = APIRouter(prefix="/admin", tags=["administration"])


def _admit(hall: Hall, token: str | None) -> None:
    if hall.settings.admin_token is None:
        raise Refusal("forbidden", "Administration is switched off; start the server with an admin token.")
    if token is None:
        raise Refusal("unauthorised", "This needs the administrator's token.")
    if not is_admin(hall, token):
        raise Refusal("forbidden", "This is not the administrator's token.")


@router.get("/tables", response_model=TableList, responses=errors(401, 403), summary="All tables, private ones too")
async def all_tables(
    hall: HallOf,
    token: Bearer,
    status: Literal["waiting", "running", "finished", "abandoned", "living", "ended"] = "living",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: float | None = None,
) -> Any:
    _admit(hall, token)
    return as_json(await listed(hall, status, None, limit, before, private=True))


@router.delete("/tables/{table_id}", status_code=204, responses=errors(401, 403, 404, 409), summary="Remove a table")
async def remove(hall: HallOf, token: Bearer, table_id: TableId) -> Response:
    """A living table is closed first. Nothing of it remains."""
    _admit(hall, token)
    table = await hall.table(table_id, admin=True)
    if not table.ended:
        await hall.abandon(table, "removed by the administrator")
    await hall.storage.write(records.delete(table_id))
    hall.forget(table_id)
    return Response(status_code=204)
