"""The ladder of a game: how strong its agents are, for everybody who wonders whom to play."""

from __future__ import annotations

import asyncio
from pathlib import Path as File
from typing import Annotated, Any

from fastapi import APIRouter, Path

from ludens.server.http.dependencies import ServicesOf, as_json, errors, game_of
from ludens.server.http.schemas.laboratory import Ladder

__all__ = ["router"]

router = APIRouter(tags=["laboratory"])


@router.get("/games/{name}/ladder", response_model=Ladder, responses=errors(404), summary="A game's ladder")
async def ladder(services: ServicesOf, name: Annotated[str, Path(max_length=64, examples=["azul"])]) -> Any:
    """The ratings of its agents, by the games of `ludens ladder` on this computer, else by those that ship.

    With them what else was measured: how levels beat each other, how often sides win, how chances came true.
    """
    from ludens.agents.calibration import pairings
    from ludens.lab.ladder import ladder_file, ladder_json
    from ludens.lab.measured import measured

    game = game_of(name)
    folder = services.settings.ladders
    path = ladder_file(game) if folder is None else folder / f"{game.spec.name}.db"
    shipped = measured(game.spec.name)
    told = {
        "game": game.spec.identity,
        **shipped,
        "shipped": True,
        "calibration": [one.to_json() for one in pairings() if one.game == game.spec.name],
    }
    if not path.is_file():
        return as_json(told)
    known = services.ladders.get(name)
    stamp = _stamp(path)
    if known is None or known[0] != stamp:
        known = services.ladders[name] = (stamp, await asyncio.to_thread(ladder_json, game, path))
    if any(rung["games"] for rung in known[1]["rungs"]):
        told |= {**known[1], "shipped": False, "commit": ""}
    return as_json(told)


def _stamp(path: File) -> float:
    """When the file, or its log of writes, was last changed."""
    files = [path, path.with_name(f"{path.name}-wal")]
    return max((file.stat().st_mtime for file in files if file.exists()), default=0.0)
