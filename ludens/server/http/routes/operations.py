"""For operators: is the server well, and what does it do?"""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

import ludens
from ludens.i18n.messages import say
from ludens.server.http.dependencies import ServicesOf, errors, errors_beside_text
from ludens.server.http.schemas.operations import Health
from ludens.server.refusal import Refusal

__all__ = ["router"]

router = APIRouter(tags=["operations"])
_PATIENCE = 10.0  # seconds for the database to answer


@router.get("/health", response_model=Health, responses=errors(), summary="Is the server well?")
async def health(services: ServicesOf) -> Any:
    """200 while the server accepts requests and can store moves; 503 with the reason otherwise."""
    if services.tables.closing:
        raise Refusal("unavailable", "The server is about to stop.")
    try:
        free = services.settings.free_disk
        trouble = await asyncio.wait_for(asyncio.to_thread(services.storage.trouble, free), _PATIENCE)
    except TimeoutError:
        trouble = "The database does not answer."
    stuck = services.watchdog.stuck
    if trouble is None and stuck:
        trouble = say("Games that stand still: {n}; the log says which.", n=stuck)
    if trouble is not None:
        raise Refusal("unavailable", trouble)
    return {
        "status": "ok",
        "version": ludens.__version__,
        "tables": len(services.tables.kept()),
        "sockets": services.connections.held,
        "standing_still": services.watchdog.standing,
    }


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses=errors_beside_text(),
    summary="Figures in Prometheus' format",
)
async def metrics(services: ServicesOf) -> PlainTextResponse:
    return PlainTextResponse(services.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
