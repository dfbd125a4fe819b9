"""Analysis: hints for the seat to act, and what the decisions of an ended game were worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from ludens.server.http.dependencies import Address, Bearer, ServicesOf, TableId, as_json, errors, found, own_seat
from ludens.server.http.schemas.analysis import Analysis, GameReview, Trial

__all__ = ["router"]

router = APIRouter(tags=["analysis"])
Tried = Annotated[
    Sequence[int], Query(max_length=32, description="ids of decisions that the seat to act tries, one after the other")
]


@router.get(
    "/tables/{table_id}/analysis",
    response_model=Analysis,
    responses=errors(401, 403, 404, 409),
    summary="Ask which moves are good",
)
async def analysis(
    services: ServicesOf,
    address: Address,
    token: Bearer,
    table_id: TableId,
    seconds: Annotated[
        float | None, Query(gt=0, description="to think; the server sets the most", examples=[1.0])
    ] = None,
    candidates: Annotated[int, Query(ge=1, le=20, description="moves to show at most")] = 5,
) -> Any:
    """Only the seat to act may ask, one question at a time, and only where the table allows hints (`hints_off`).

    The search gets what the seat sees. Agents that play go first, so the answer may take longer than it thinks.
    """
    table = await found(services, table_id, token)
    seat = own_seat(table, token)
    answer = await services.analyses.hint(table, seat, address, seconds, candidates)
    await services.tables.note_hint(table)
    return as_json(answer)


@router.get(
    "/tables/{table_id}/review/{ply}",
    response_model=Analysis,
    responses=errors(403, 404, 409),
    summary="Look longer at one position of an ended game",
)
async def look(
    services: ServicesOf,
    address: Address,
    token: Bearer,
    table_id: TableId,
    ply: Annotated[int, Path(ge=0, description="of a position in which somebody has a move")],
    seconds: Annotated[
        float | None, Query(gt=0, description="to think; the server sets the most", examples=[1.0])
    ] = None,
    candidates: Annotated[int, Query(ge=1, le=20, description="moves to show at most")] = 3,
    tried: Tried = (),
) -> Any:
    """The best moves by what the seat to act saw then; the one that was played is among them, and the one tried.

    Of several decisions that were tried the look is at the last, after the others. One question at a time is answered
    for a table.
    """
    table = await found(services, table_id, token)
    return as_json(await services.analyses.look(table, ply, address, seconds, candidates, tried))


@router.get(
    "/tables/{table_id}/review/{ply}/moves",
    response_model=Trial,
    responses=errors(403, 404, 409),
    summary="What may be tried at one position of an ended game",
)
async def trial(
    services: ServicesOf,
    token: Bearer,
    table_id: TableId,
    ply: Annotated[int, Path(ge=0, description="of a position in which somebody has a move")],
    tried: Tried = (),
) -> Any:
    """The moves of the seat to act, with the position as it saw it, after decisions of its that have been tried.

    There are none once its move is complete; what a move is worth is told by a look at it.
    """
    table = await found(services, table_id, token)
    return as_json(await services.analyses.trial(table, ply, tried))


@router.get(
    "/tables/{table_id}/review",
    response_model=GameReview,
    responses={202: {"model": GameReview, "description": "It is being computed: ask again."}, **errors(403, 404, 409)},
    summary="See how an ended game went",
)
async def review(services: ServicesOf, address: Address, token: Bearer, table_id: TableId) -> Any:
    """The expected result of every seat at every decision, and the moves where the game turned.

    The first to ask starts the computation; until it is complete the answer is 202 with what is known so far.
    """
    table = await found(services, table_id, token)
    payload, complete = await services.analyses.review(table, address)
    return as_json(payload, 200 if complete else 202)
