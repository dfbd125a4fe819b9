"""For operators: is the server well, and what does it do?"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

import ludens
from ludens.server.errors import Refusal
from ludens.server.routes.common import HallOf, errors, errors_beside_text
from ludens.server.schemas import Health

__all__ = ["router"]

router = APIRouter(tags=["operations"])


@router.get("/health", response_model=Health, responses=errors(), summary="Is the server well?")
async def health(hall: HallOf) -> Any:
    """200 while the server accepts requests and its database answers; 503 otherwise."""
    if hall.closing:
        raise Refusal("unavailable", "The server is about to stop.")
    try:
        await hall.storage.read(lambda connection: connection.execute(sa.text("SELECT 1")).scalar())
    except sa.exc.SQLAlchemyError as error:
        raise Refusal("unavailable", "The database does not answer.") from error
    return {"status": "ok", "version": ludens.__version__, "tables": len(hall.tables), "sockets": hall.sockets.total}


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses=errors_beside_text(),
    summary="Figures in Prometheus' format",
)
async def metrics(hall: HallOf) -> PlainTextResponse:
    return PlainTextResponse(hall.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
