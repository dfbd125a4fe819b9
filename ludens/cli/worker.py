"""`ludens worker`: this machine thinks for the agents of a server."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from ludens.core.extras import require

__all__ = ["worker"]


def worker(
    url: Annotated[str, typer.Argument(help="The server, such as http://play.example.org.")],
    token: Annotated[str, typer.Option(envvar="LUDENS_WORKER_TOKEN", help="The token that its operator gave you.")],
    workers: Annotated[int, typer.Option(min=1, help="Agents that think at once.")] = os.cpu_count() or 1,
    memory: Annotated[float, typer.Option(min=256, help="MiB that each process may take.")] = 2048.0,
    plugin: Annotated[list[str] | None, typer.Option(help="module:ATTRIBUTE of a further game.")] = None,
) -> None:
    """Lend this machine's processors to a server's agents, until Ctrl+C."""
    import asyncio

    require("client", "`ludens worker`")
    from ludens.server.thinking.lending import lend
    from ludens.server.thinking.worker import load_plugins

    plugins = tuple(plugin or ())
    load_plugins(plugins)

    async def run() -> None:
        await asyncio.gather(*(lend(url, token, plugins, memory) for _ in range(workers)))

    asyncio.run(run())
