"""`ludens agents`: who can play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludens.cli.console import HELP_JSON, output_console, print_json

if TYPE_CHECKING:
    from ludens.core.agent import AgentKind, Parameter

__all__ = ["agents"]


def agents(
    game: Annotated[str | None, typer.Argument(help="One game only.")] = None,
    json: Annotated[bool, typer.Option("--json", help=HELP_JSON)] = False,
) -> None:
    """List the agents of a game, or of all, with their parameters.

    An agent is written as name or name:key=value,key=value.
    """
    from rich.table import Table
    from rich.text import Text

    from ludens.agents.codes import kinds
    from ludens.core import registry

    chosen = registry.games() if game is None else [registry.game(game)]
    found = [(one.spec.name, kind) for one in chosen for kind in kinds(one).values()]
    if json:
        print_json({"agents": [_to_json(name, kind) for name, kind in found]})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Game", "Agent", "About"):
        table.add_column(heading)
    for name, kind in found:
        about = Text(kind.help + (" (sees hidden things; for upper bounds only)" if kind.oracle else ""))
        for parameter in kind.parameters:
            about.append(f"\n{kind.name}:{parameter.name}=… {_describe(parameter)}", "dim")
        table.add_row(name, Text(kind.name, "bold"), about)
    output_console().print(table)


def _describe(parameter: Parameter) -> str:
    values = f"{', '.join(parameter.choices)}; " if parameter.choices else ""
    return f"{parameter.help} ({values}default {parameter.default})"


def _to_json(game: str, kind: AgentKind) -> dict[str, Any]:
    return {
        "game": game,
        "agent": kind.name,
        "help": kind.help,
        "oracle": kind.oracle,
        "preset": dict(kind.preset),
        "parameters": [
            {
                "parameter": parameter.name,
                "help": parameter.help,
                "default": parameter.default,
                "choices": list(parameter.choices),
                "low": parameter.low,
                "high": parameter.high,
            }
            for parameter in kind.parameters
        ],
    }
