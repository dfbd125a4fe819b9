"""`ludens mcp`: a language model plays, by any client of the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["mcp"]


def mcp(
    results: Annotated[
        Path | None, typer.Option("--results", help="Store every game in this file, and go on with what is in it.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="What results call the client, such as the model's name.")] = (
        "client"
    ),
) -> None:
    """Serve the tools to list games, sit down, see one's view, move and ask rules, on standard input and output."""
    from ludens.core.errors import BadInput
    from ludens.core.files import check_target

    try:
        from ludens.adapters.mcp import make_server
    except ImportError as error:
        raise BadInput(str(error)) from error
    if results is not None:
        check_target(results)
    make_server(name, results).run("stdio")
