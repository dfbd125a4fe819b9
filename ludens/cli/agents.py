"""`ludens agents`: who can play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludens.cli.console import Json, output_console, print_json
from ludens.core.errors import did_you_mean

if TYPE_CHECKING:
    from ludens.core.agent import AgentKind, Parameter

__all__ = ["agents"]


def agents(
    game: Annotated[str | None, typer.Argument(help="One game only.")] = None,
    agent: Annotated[str | None, typer.Argument(help="One agent only, with its parameters.")] = None,
    json: Json = False,
) -> None:
    """List the agents of a game, or of all, a line each; or one agent with its parameters.

    An agent is written as name or name:key=value,key=value. Agents of installed packages are listed too.
    """
    from ludens.agents.codes import known_kinds, named_kinds
    from ludens.core import registry

    chosen = registry.games() if game is None else [registry.game(game)]
    found = [(one.spec.name, kind) for one in chosen for kind in known_kinds(one).values()]
    if agent is not None:
        aliases = {kind.name: (one.spec.name, kind) for one in chosen for kind in named_kinds(one).values()}
        known = aliases | {kind.name: (name, kind) for name, kind in found}
        if agent not in known:
            raise did_you_mean(agent, known, f"agent of {game}")
        found = [known[agent]]
    if json:
        print_json({"agents": [_to_json(name, kind) for name, kind in found]})
    elif agent is not None:
        _show(found[0][1])
    else:
        _list(found, with_game=game is None)


def _list(found: list[tuple[str, AgentKind]], with_game: bool) -> None:
    """One line an agent, however narrow the terminal is."""
    from rich.text import Text

    console = output_console()
    games, agents = (
        max(len(word) for word in words) + 2 for words in zip(*((g, k.name) for g, k in found), strict=True)
    )
    for name, kind in found:
        line = Text(f"{name:<{games}}" if with_game else "")
        line.append(f"{kind.name:<{agents}}", "bold").append(_about(kind))
        console.print(line, soft_wrap=True)


def _show(kind: AgentKind) -> None:
    """The agent and all of its parameters."""
    from rich.table import Table
    from rich.text import Text

    console = output_console()
    console.print(Text(kind.name, "bold").append(f"  {_about(kind)}", "not bold"))
    if not kind.parameters:
        console.print("It has no parameters.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Parameter", "Value", "About"):
        table.add_column(heading)
    for parameter in kind.parameters:
        value = kind.preset.get(parameter.name, parameter.default)
        table.add_row(parameter.name, Text("" if value is None else str(value)), Text(_describe(parameter)))
    console.print(table)


def _about(kind: AgentKind) -> str:
    if kind.broken:
        return kind.broken
    return kind.help + (" (sees hidden things; for upper bounds only)" if kind.oracle else "")


def _describe(parameter: Parameter) -> str:
    """What the parameter means and which values it takes."""
    if parameter.choices:
        return f"{parameter.help} ({', '.join(parameter.choices)})"
    low, high = parameter.low, parameter.high
    if low is None and high is None:
        return parameter.help
    bounds = f"at least {low}" if high is None else f"at most {high}" if low is None else f"{low} to {high}"
    return f"{parameter.help} ({bounds})"


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
