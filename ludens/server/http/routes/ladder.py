"""The ladder of a game: how strong its agents are, for everybody who wonders whom to play."""

from __future__ import annotations

import asyncio
from pathlib import Path as File
from typing import Annotated, Any

from fastapi import APIRouter, Path

import ludens
from ludens.server.http.dependencies import ServicesOf, as_json, errors, game_of
from ludens.server.http.schemas.laboratory import Ladder

__all__ = ["router"]

router = APIRouter(tags=["laboratory"])


@router.get("/games/{name}/ladder", response_model=Ladder, responses=errors(404), summary="A game's ladder")
async def ladder(services: ServicesOf, name: Annotated[str, Path(max_length=64, examples=["azul"])]) -> Any:
    """The ratings of its agents, as far as `ludens ladder` has played on this computer; no rungs before that."""
    from ludens.lab.ladder import ladder_file, ladder_json

    game = game_of(name)
    folder = services.settings.ladders
    path = ladder_file(game) if folder is None else folder / f"{game.spec.name}.db"
    if not path.is_file():
        return as_json({"game": game.spec.identity, "version": ludens.__version__, "rungs": []})
    known = services.ladders.get(name)
    stamp = _stamp(path)
    if known is None or known[0] != stamp:
        told = await asyncio.to_thread(ladder_json, game, path)
        if not any(rung["games"] for rung in told["rungs"]):
            told["rungs"] = []
        known = services.ladders[name] = (stamp, told)
    return as_json(known[1])


def _stamp(path: File) -> float:
    """When the file, or its log of writes, was last changed."""
    files = [path, path.with_name(f"{path.name}-wal")]
    return max((file.stat().st_mtime for file in files if file.exists()), default=0.0)
