"""People: profiles without accounts, and what belongs to whoever has the key of one."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from ludens.core import registry
from ludens.server.http.dependencies import Address, Bearer, ServicesOf, as_json, errors
from ludens.server.http.schemas.people import (
    Export,
    MyGames,
    NewProfile,
    NewProfileAnswer,
    Profile,
    ProfileChange,
    Results,
)
from ludens.server.people.ratings import PROVISIONAL, levels_of
from ludens.server.services import Services
from ludens.server.storage import people as stored
from ludens.server.storage.rows import StoredTable
from ludens.server.streaming import views

__all__ = ["router"]

_LISTED_COST = 0.05  # requests that a game of a list counts for
_MADE_COST = 20.0  # and a profile: it is stored for long
_COUNTED_COST = 20.0  # and all results, or all games of a person
router = APIRouter(prefix="/me", tags=["people"])


@router.post("", status_code=201, response_model=NewProfileAnswer, responses=errors(), summary="Begin to play here")
async def begin_as(services: ServicesOf, address: Address, wish: NewProfile) -> Any:
    """A profile; its key is given only once. No sign-in, no password, no address is asked for."""
    services.buckets.charge(address, _MADE_COST)
    services.profile_buckets.charge(address)
    key, profile = await services.people.create(wish.name, wish.colour, wish.language)
    return as_json({"key": key, "profile": _told(profile)}, 201)


@router.get("", response_model=Profile, responses=errors(401, 403, 404), summary="Who I am")
async def who_i_am(services: ServicesOf, key: Bearer) -> Any:
    return as_json(_told(await services.people.profile(await services.people.require(key))))


@router.patch("", response_model=Profile, responses=errors(401, 403, 404), summary="Change who I am")
async def change_me(services: ServicesOf, key: Bearer, wish: ProfileChange) -> Any:
    """Name, colour and language are replaced; what was seen is added to what is known."""
    profile = await services.people.require(key)
    return as_json(_told(await services.people.change(profile, wish.model_dump(exclude_none=True))))


@router.delete("", status_code=204, responses=errors(401, 403, 404), summary="Forget me")
async def forget_me(services: ServicesOf, address: Address, key: Bearer) -> Response:
    """Removes profile, ratings and ended games without another person; at other tables the name is taken away."""
    services.buckets.charge(address, _COUNTED_COST)
    await services.people.remove(await services.people.require(key))
    return Response(status_code=204)


@router.get("/games", response_model=MyGames, responses=errors(401, 403, 404), summary="My games")
async def my_games(
    services: ServicesOf,
    address: Address,
    key: Bearer,
    status: Annotated[
        Literal["living", "ended"], Query(description="living: where it is my turn first; ended: the newest first")
    ] = "living",
    game: Annotated[str | None, Query(pattern="^[A-Za-z0-9_.-]{1,64}$")] = None,
    opponent: Annotated[str | None, Query(max_length=64, description="a part of a name, or an agent")] = None,
    result: Literal["won", "lost", "drawn", "none"] | None = None,
    since: Annotated[float | None, Query(description="seconds since 1970")] = None,
    until: float | None = None,
    search: Annotated[str | None, Query(max_length=64, description="a part of a name or of the game's name")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[float | None, Query(description="only games that ended before this time")] = None,
) -> Any:
    """All tables that I made or sat at, also those played on from another game. Filters are for ended ones."""
    profile = await services.people.require(key)
    more = None
    if status == "living":
        found = await services.storage.read(stored.living_of(profile))
        told = sorted((_mine(services, table, profile) for table in found), key=lambda one: not one["turn"])
    else:
        wanted = stored.Wanted(game, opponent, result, since, until, search)
        page, more = await services.storage.read(stored.history(profile, wanted, limit, before))
        told = [_mine(services, table, profile) for table in page]
    services.buckets.charge(address, _LISTED_COST * len(told))
    return as_json({"games": told, "before": more})


@router.get("/results", response_model=Results, responses=errors(401, 403, 404), summary="My results and ratings")
async def my_results(services: ServicesOf, address: Address, key: Bearer) -> Any:
    """Against every level and person; a rating a game by Glicko-2, with its curve."""
    profile = await services.people.require(key)
    services.buckets.charge(address, _COUNTED_COST)
    await services.people.counted()
    counted = await services.storage.read(stored.results_of(profile))
    curves = await services.storage.read(stored.ratings_of(profile))
    ratings = [
        {
            "game": game,
            "rating": curve[-1].rating,
            "deviation": curve[-1].deviation,
            "provisional": curve[-1].deviation > PROVISIONAL,
            "games": len(curve),
            "curve": _points(curve),
        }
        for game, curve in curves.items()
    ]
    levels = {name: levels_of(name) for name in registry.names()}
    return as_json({"results": counted, "ratings": ratings, "levels": levels})


@router.get("/export", response_model=Export, responses=errors(401, 403, 404), summary="All that is mine, as one file")
async def all_that_is_mine(services: ServicesOf, address: Address, key: Bearer) -> Any:
    """The profile, all games (those that have ended as saved games, which can be opened again) and the ratings."""
    profile = await services.people.require(key)
    services.buckets.charge(address, 10 * _COUNTED_COST)
    await services.people.counted()
    told = _told(await services.people.profile(profile))
    all_games = await services.storage.read(stored.exported(profile))
    curves = await services.storage.read(stored.ratings_of(profile))
    ratings = {game: _points(curve) for game, curve in curves.items()}
    answer = as_json({"format": "ludens-person/1", "profile": told, "games": all_games, "ratings": ratings})
    answer.headers["content-disposition"] = 'attachment; filename="ludens.json"'
    return answer


def _points(curve: list[Any]) -> list[dict[str, float]]:
    return [{"time": one.time, "rating": round(one.rating, 1), "deviation": round(one.deviation, 1)} for one in curve]


def _told(profile: dict[str, Any]) -> dict[str, Any]:
    return {name: profile[name] for name in ("name", "colour", "language", "seen", "created")}


def _mine(services: Services, table: StoredTable, profile: str) -> dict[str, Any]:
    """A table as its person sees it in a list: with what memory knows of it, if it lives."""
    seat, result = stored.outcome(table, profile)
    living = services.tables.living.get(table.id)
    shown = views.table_payload(living) if living is not None else views.stored_table_payload(table)
    own = {seat} | {one.index for one in table.seats if one.kind == "human" and table.profile == profile}
    turn = living is not None and living.actor is not None and living.actor in own
    played_on = table.imported or table.played_on
    return {
        "table": shown,
        "seat": seat,
        "turn": turn,
        "result": result if table.ended else None,
        "played_on": played_on,
    }
