"""A finished game as a page of its own, for a frame on any other site."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from ludens.core.film import film_page
from ludens.i18n.messages import say
from ludens.server.http.dependencies import Address, Bearer, ServicesOf, TableId, errors_beside_text, found
from ludens.server.http.embedding import EMBEDDED
from ludens.server.refusal import Refusal
from ludens.server.streaming.subscribers import in_thread

__all__ = ["router"]

router = APIRouter(tags=["tables"])
_COST = 20.0  # requests that it counts for: all positions are described
_PLY_COST = 0.05  # and so much a ply, where that is more
_LONGEST = 5000  # plies


@router.get(
    "/tables/{table_id}/embed",
    response_class=HTMLResponse,
    responses=errors_beside_text(403, 404, 409, 413),
    summary="An ended game for other sites",
)
async def embed(services: ServicesOf, address: Address, token: Bearer, table_id: TableId) -> HTMLResponse:
    """One page with the board and a slider through the moves, to be shown in a frame; it loads nothing else."""
    table = await found(services, table_id, token)
    if not table.ended or table.match is None:
        raise Refusal(
            "wrong_status", say("Only an ended game can be shown elsewhere; this one is {status}.", status=table.status)
        )
    if table.ply > _LONGEST:
        raise Refusal("too_large", say("A game of more than {n} plies is not shown elsewhere.", n=_LONGEST))
    services.buckets.charge(address, max(_COST, _PLY_COST * table.ply))
    match = table.match.copy()
    match.names = tuple(table.names)
    page = await in_thread(film_page, match)
    return HTMLResponse(page, headers={**EMBEDDED, "cache-control": "public, max-age=3600"})
