"""The laboratory: tournaments of agents on a server of one's own."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import HTMLResponse, Response

from ludens.server.http.dependencies import Address, ServicesOf, as_json, errors, errors_beside_text, game_of
from ludens.server.http.embedding import EMBEDDED
from ludens.server.http.schemas.laboratory import BeginTournament, GamePage, TournamentList, TournamentResults
from ludens.server.http.schemas.tables import ImportedTable
from ludens.server.laboratory.laboratory import MOST_AGENTS
from ludens.server.refusal import Refusal
from ludens.server.streaming import views

__all__ = ["router"]


async def _own_page(request: Request) -> None:
    """A page of another site can give its own name this computer's address; whoever sits here names no such site."""
    host = request.url.hostname or ""
    here = request.client is not None and _is_address(request.client.host, loopback=True)
    if here and not (host == "localhost" or host.endswith(".localhost") or _is_address(host)):
        raise Refusal("laboratory_off", "On this computer the laboratory is open under localhost only.")


def _is_address(host: str, loopback: bool = False) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or not loopback


router = APIRouter(tags=["laboratory"], prefix="/laboratory/tournaments", dependencies=[Depends(_own_page)])
TournamentId = Annotated[str, Path(pattern="^[a-z0-9]{1,16}$", description="its id", examples=["k7mzp3qwxy"])]
GameNumber = Annotated[int, Path(ge=0, le=10_000_000, description="of the game, from 0")]


@router.get("", response_model=TournamentList, responses=errors(403), summary="All tournaments")
async def tournaments(services: ServicesOf) -> Any:
    """Refused with `laboratory_off` on a server that is not one's own."""
    listed = await services.laboratory.listed()
    most = services.settings.laboratory_games
    return as_json({"tournaments": listed, "most_games": most, "most_agents": MOST_AGENTS})


@router.post(
    "", status_code=201, response_model=TournamentResults, responses=errors(403, 404), summary="Begin a tournament"
)
async def begin_tournament(services: ServicesOf, wish: BeginTournament) -> Any:
    """Everybody meets everybody; it is played in a process of its own, one tournament after the other."""
    game = game_of(wish.game)
    services.preparation.want(game.spec.name)
    begun = await services.laboratory.begin(
        game, wish.agents, wish.games, wish.players, wish.seed, wish.options, wish.seating, wish.name
    )
    return as_json(begun, 201)


@router.get("/{tournament_id}", response_model=TournamentResults, responses=errors(403, 404), summary="One tournament")
async def tournament(services: ServicesOf, tournament_id: TournamentId) -> Any:
    """With its standings and cross table, as far as it was played."""
    return as_json(await services.laboratory.described(tournament_id))


@router.delete(
    "/{tournament_id}", status_code=204, response_class=Response, responses=errors_beside_text(403, 404),
    summary="Remove a tournament",
)  # fmt: skip
async def remove_tournament(services: ServicesOf, tournament_id: TournamentId) -> Response:
    """With all its games."""
    await services.laboratory.remove(tournament_id)
    return Response(status_code=204)


@router.post(
    "/{tournament_id}/stop", response_model=TournamentResults, responses=errors(403, 404), summary="Stop a tournament"
)
async def stop_tournament(services: ServicesOf, tournament_id: TournamentId) -> Any:
    """What is finished stays; games in flight are lost."""
    return as_json(await services.laboratory.stop(tournament_id))


@router.post(
    "/{tournament_id}/continue",
    response_model=TournamentResults,
    responses=errors(403, 404, 409),
    summary="Continue a tournament",
)
async def continue_tournament(services: ServicesOf, tournament_id: TournamentId) -> Any:
    """Plays what is missing, whatever has stopped it."""
    return as_json(await services.laboratory.go_on(tournament_id))


@router.get(
    "/{tournament_id}/report",
    response_class=HTMLResponse,
    responses=errors_beside_text(403, 404, 409),
    summary="The report of a tournament",
)
async def report(services: ServicesOf, tournament_id: TournamentId) -> HTMLResponse:
    """One page with tables and figures that loads nothing from elsewhere."""
    return HTMLResponse(await services.laboratory.report(tournament_id), headers=EMBEDDED)


@router.get(
    "/{tournament_id}/games", response_model=GamePage, responses=errors(403, 404), summary="Games of a tournament"
)
async def tournament_games(
    services: ServicesOf,
    tournament_id: TournamentId,
    start: Annotated[int, Query(alias="from", ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Any:
    """The finished ones in the order of their numbers, in pages."""
    return as_json(await services.laboratory.games(tournament_id, start, limit))


@router.post(
    "/{tournament_id}/games/{number}/open",
    status_code=201,
    response_model=ImportedTable,
    responses=errors(403, 404),
    summary="Open a game of a tournament",
)
async def open_tournament_game(
    services: ServicesOf, address: Address, tournament_id: TournamentId, number: GameNumber
) -> Any:
    """It becomes an ended table that is not listed: to be stepped through and reviewed."""
    document = await services.laboratory.saved_game(tournament_id, number)
    table, invitation = await services.saved_games.bring(document, address, private=True)
    return as_json({"table": views.table_payload(table), "invitation": invitation}, 201)
