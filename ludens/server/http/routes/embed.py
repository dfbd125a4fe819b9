"""A finished game as a page of its own, for a frame on any other site."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from ludens.core.film import film_page
from ludens.core.said import say
from ludens.server.http.dependencies import Address, Bearer, ServicesOf, TableId, errors_beside_text, found
from ludens.server.http.embedding import EMBEDDED
from ludens.server.refusal import Refusal

__all__ = ["router"]

router = APIRouter(tags=["tables"])
_COST = 20.0  # requests that it counts for: all positions are described


@router.get(
    "/tables/{table_id}/embed",
    response_class=HTMLResponse,
    responses=errors_beside_text(403, 404, 409),
    summary="An ended game for other sites",
)
async def embed(services: ServicesOf, address: Address, token: Bearer, table_id: TableId) -> HTMLResponse:
    """One page with the board and a slider through the moves, to be shown in a frame; it loads nothing else."""
    table = await found(services, table_id, token)
    if not table.ended or table.match is None:
        raise Refusal(
            "wrong_status", say("Only an ended game can be shown elsewhere; this one is {status}.", status=table.status)
        )
    services.buckets.charge(address, _COST)
    match = table.match.copy()
    match.names = tuple(table.names)
    page = await asyncio.to_thread(film_page, match)
    return HTMLResponse(page, headers={**EMBEDDED, "cache-control": "public, max-age=3600"})
