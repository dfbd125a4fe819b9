"""`ludens fill`: batch play over a server, from a TOML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludens.core.extras import require

__all__ = ["fill"]


def fill(
    batch: Annotated[Path, typer.Argument(help="The batch file (TOML); see docs/bots.md.")],
    server: Annotated[str | None, typer.Option(help="Another server than the file names.")] = None,
) -> None:
    """Fill a server's tables with agents, game after game; an interrupted batch goes on where it stopped."""
    import asyncio
    from dataclasses import replace

    require("client", "`ludens fill`")
    from ludens.client.batch_file import play_batch, read_batch, summary

    content = read_batch(batch)
    if server is not None:
        content = replace(content, server=server)
    found = asyncio.run(play_batch(content, print))
    for name, games, value, score in summary(found):
        print(f"{name:<32} {games:>6} games   mean return {value:+.3f}   mean score {score:.2f}")
