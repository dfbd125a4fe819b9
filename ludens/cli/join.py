"""`ludens join`: a local agent plays a seat of a table on a server."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ludens.core.address import DEFAULT_SERVER
from ludens.core.extras import require

__all__ = ["join"]


def join(
    url: Annotated[str | None, typer.Argument(help=f"The server, such as {DEFAULT_SERVER}.")] = None,
    table: Annotated[str | None, typer.Option(help="The table's id.")] = None,
    game: Annotated[
        list[str] | None, typer.Option(help="Instead of one table: play wherever one of this game wants a player.")
    ] = None,
    most: Annotated[int, typer.Option(min=1, help="Tables at once, with --game.")] = 20,
    seat: Annotated[int | None, typer.Option(min=0, help="The seat, from 0; default: the first open one.")] = None,
    agent: Annotated[
        str | None, typer.Option(help="The agent: name or name:key=value,key=value, or module:Class.")
    ] = None,
    parameter: Annotated[
        list[str] | None, typer.Option("--parameter", "-p", help="key=value, a further parameter of the agent.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="The name to show.")] = None,
    token: Annotated[str | None, typer.Option(help="The seat's token, to take a seat up again.")] = None,
    invitation: Annotated[str | None, typer.Option(help="The invitation to a private table.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.01, help="Time for a move; default: no limit.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The agent's own seed.")] = None,
    patience: Annotated[float, typer.Option(min=1, help="Seconds to wait for a server that is away.")] = 300.0,
) -> None:
    """Let a local agent play at a table of a server; what is missing is asked for."""
    import asyncio

    from ludens.agents.codes import short_name

    require("client", "`ludens join`")
    from ludens.client import AsyncClient, play_many, play_seat

    url = url or _ask("Server", DEFAULT_SERVER)
    if not game:
        table = table or _ask("Table", None)
    agent = agent or _ask("Agent", "random")
    for extra in parameter or []:
        agent += ("," if "=" in agent else ":") + extra

    async def run() -> None:
        async with AsyncClient(url, patience) as client:
            if game:
                await play_many(client, agent, game, most, name or short_name(agent), seconds, print)
                return
            ended = await play_seat(
                client, str(table), agent, seat, name or short_name(agent), token, invitation, seconds, seed, print
            )
        result = ended.get("result") or {}
        print(f"The table is {ended['status']} ({result.get('reason')}); scores: {result.get('scores')}.")

    asyncio.run(run())


def _ask(what: str, default: str | None) -> str:
    """Asks for what was not given; without a terminal that is an error."""
    if not sys.stdin.isatty():
        from ludens.core.errors import BadInput

        raise BadInput(f"{what} is missing, and there is nobody to ask; see ludens join --help.")
    return str(typer.prompt(what, default=default))
