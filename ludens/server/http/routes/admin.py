"""Administration, guarded by the administrator's token."""

from __future__ import annotations

import contextlib
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from ludens.server.http.dependencies import Bearer, ServicesOf, TableId, as_json, errors, is_admin
from ludens.server.http.routes.tables import listed
from ludens.server.http.schemas.tables import TableList
from ludens.server.refusal import Refusal
from ludens.server.services import Services
from ludens.server.storage import rows
from ludens.server.storage.writer import Told
from ludens.server.tables.all_tables import Unreadable

__all__ = ["router"]

router = APIRouter(prefix="/admin", tags=["administration"])


def _admit(services: Services, token: str | None) -> None:
    if services.settings.admin_token is None:
        raise Refusal("forbidden", "Administration is switched off; start the server with an admin token.")
    if token is None:
        raise Refusal("unauthorised", "This needs the administrator's token.")
    if not is_admin(services, token):
        services.admin_guesses.wrong()
        raise Refusal("forbidden", "This is not the administrator's token.")


@router.get("/tables", response_model=TableList, responses=errors(401, 403), summary="All tables, private ones too")
async def all_tables(
    services: ServicesOf,
    token: Bearer,
    status: Literal["waiting", "running", "finished", "abandoned", "living", "ended"] = "living",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: float | None = None,
) -> Any:
    _admit(services, token)
    return as_json(await listed(services, status, None, limit, before, private=True))


@router.delete("/tables/{table_id}", status_code=204, responses=errors(401, 403, 404, 409), summary="Remove a table")
async def remove(services: ServicesOf, token: Bearer, table_id: TableId) -> Response:
    """A living table is closed first. Nothing of it remains."""
    _admit(services, token)
    with contextlib.suppress(Unreadable):  # nothing plays there
        table = await services.tables.find(table_id, admin=True)
        if not table.ended:
            await services.tables.abandon(table, "removed by the administrator")
    await services.storage.write(rows.delete(table_id), Told(table_id))
    services.tables.forget(table_id)
    return Response(status_code=204)
