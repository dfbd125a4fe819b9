"""Limits: what one address may do here, for programs that want to know before they are told."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from ludens.server.http.dependencies import ServicesOf, errors
from ludens.server.http.schemas.limits import Limits
from ludens.server.thinking.analyses import MOST_AN_ADDRESS

__all__ = ["router"]

router = APIRouter(tags=["operations"])


@router.get("/limits", response_model=Limits, responses=errors(), summary="What one address may do")
async def limits(services: ServicesOf) -> Any:
    """What agents may cost stands in the `budgets` of every game."""
    settings = services.settings
    return {
        "requests_per_second": settings.rate,
        "requests_at_once": settings.burst,
        "connections": settings.sockets_per_address,
        "tables": settings.tables_per_address,
        "tables_per_hour": settings.tables_per_hour,
        "saved_games_per_hour": settings.imports_per_hour,
        "reviews": MOST_AN_ADDRESS,
        "bytes": settings.max_body,
    }
