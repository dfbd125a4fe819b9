"""Games: what can be played, with which options and agents."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from ludens.agents.codes import kinds
from ludens.core import registry
from ludens.core.spec import Game
from ludens.i18n.messages import say
from ludens.server.http.dependencies import ServicesOf, as_json, errors, game_of
from ludens.server.http.schemas.games import GameInfo
from ludens.server.services import Services
from ludens.server.thinking.budgets import Budgets

__all__ = ["describe", "describe_all", "router"]

router = APIRouter(tags=["games"])


def describe(game: Game, budgets: Budgets) -> dict[str, Any]:
    """A game's metadata for the lobby; agents that see hidden cards are not offered."""
    spec = game.spec
    return {
        "name": spec.name,
        "title": say(spec.title),
        "version": spec.version,
        "summary": say(spec.summary),
        "players": list(spec.players),
        "default_players": spec.default_players,
        "chance": spec.chance,
        "hidden": spec.hidden,
        "actions": spec.actions,
        "options": [
            {
                "name": option.name,
                "help": say(option.help),
                "default": option.show(option.default),
                "choices": list(option.choices),
                "low": option.low,
                "high": option.high,
            }
            for option in spec.options
        ],
        "agents": [
            {
                "name": kind.name,
                "help": say(kind.help),
                "parameters": [
                    {
                        "name": parameter.name,
                        "help": parameter.help,
                        "default": kind.preset.get(parameter.name, parameter.default),
                        "choices": list(parameter.choices),
                        "low": parameter.low,
                        "high": budgets.high(kind, parameter),
                        "cost": parameter.cost,
                    }
                    for parameter in kind.parameters
                ],
            }
            for kind in kinds(game).values()
            if not kind.oracle and kind.complete
        ],
        "budgets": budgets.to_json(),
        "seat_names": {str(count): list(spec.seat_names(count)) for count in spec.players},
        "sides": {str(count): list(spec.sides(count)) for count in spec.players},
    }


def describe_all(services: Services) -> None:
    """Works out what is told of the games, before anybody asks: the first time takes long."""
    for game in registry.games():
        _described(services, game)


@router.get("/games", response_model=list[GameInfo], responses=errors(), summary="All games")
async def games(
    services: ServicesOf,
    parameters: Annotated[bool, Query(description="with the parameters of the agents, which are long")] = True,
) -> Any:
    """`preparing` tells which can be played at once, and how far the others are."""
    described = [_described(services, game) for game in registry.games()]
    return as_json(described if parameters else [_brief(game) for game in described])


def _brief(described: dict[str, Any]) -> dict[str, Any]:
    """A game without the parameters of its agents."""
    return {**described, "agents": [{**agent, "parameters": []} for agent in described["agents"]]}


def _described(services: Services, game: Game) -> dict[str, Any]:
    """Everything but the preparation stays as it is, and is worked out once."""
    known = services.descriptions
    if game.spec.name not in known:
        known[game.spec.name] = describe(game, services.budgets)
    return {**known[game.spec.name], "preparing": services.preparation.progress(game.spec.name).to_json()}


@router.get("/games/{name}", response_model=GameInfo, responses=errors(404), summary="One game")
async def game(services: ServicesOf, name: Annotated[str, Path(max_length=64, examples=["azul"])]) -> Any:
    """With everything that never changes about it (`static`), such as maps and tile sets, for drawing."""
    found = game_of(name)
    services.preparation.want(found.spec.name)  # who looks at it will want to play it
    return as_json({**_described(services, found), "static": found.text.static_to_json(found.dtype)})
