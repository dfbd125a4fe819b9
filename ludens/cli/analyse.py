"""`ludens analyse`: what the moves of a position are worth."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludens.cli.console import HELP_JSON, output_console, print_json
from ludens.core.errors import BadInput

if TYPE_CHECKING:
    from rich.table import Table

    from ludens.core.match import Match
    from ludens.search.analyse import Analysis

__all__ = ["analyse", "register"]


def analyse(
    file: Annotated[str, typer.Argument(help="A saved game, or - to read one from standard input.")],
    ply: Annotated[
        int | None, typer.Option("--ply", help="The position after so many entries of the log; by default the last.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Time to think; 1 if nothing is given.")] = None,
    simulations: Annotated[
        int | None, typer.Option("--simulations", help="Simulations instead of, or within, the time.")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", help="Trees grown side by side.")] = 1,
    candidates: Annotated[int, typer.Option("--candidates", "-c", help="How many moves to show.")] = 5,
    seed: Annotated[int, typer.Option("--seed", help="Equal seeds and simulations give equal analyses.")] = 0,
    json: Annotated[bool, typer.Option("--json", help=HELP_JSON)] = False,
) -> None:
    """Rank the moves of a position of a saved game, from what the player to act can see."""
    from ludens.agents.hints import analyse_view
    from ludens.search.budget import Budget

    if threads < 1:
        raise BadInput(f"The number of threads must be at least 1, not {threads}.")
    match = _load(file)
    if ply is not None:
        if not 0 <= ply <= match.ply:
            raise BadInput(f"The game has positions 0 to {match.ply}, not {ply}.")
        match = match.at(ply)
    if match.actor < 0:
        raise BadInput("The game is over there: nobody has a move." if match.over else "A draw comes next there.")
    budget = Budget(simulations, 1.0 if seconds is None and simulations is None else seconds)
    view, legal = match.view(match.actor), match.legal()
    found = analyse_view(match.game, view, match.actor, legal, budget, threads, seed, candidates)
    if json:
        print_json({"game": match.game.spec.name, "ply": match.ply, **found.to_json()})
    else:
        output_console().print(_table(match, found))


def _load(file: str) -> Match:
    from ludens.cli.seats import load_match
    from ludens.core.match import Match

    return Match.from_json(sys.stdin.read()) if file == "-" else load_match(Path(file))[0]


def _table(match: Match, found: Analysis) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=f"{match.game.spec.title}, position {match.ply}: {match.names[found.seat]} to move",
        caption=f"{found.simulations} simulations; results from -1 to 1; points by sensible play to the end",
        box=box.SIMPLE_HEAD,
        title_style="bold",
    )
    table.add_column("Move")
    for heading in ("Result", "Points", "Visits"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("Continuation")
    for candidate in found.candidates:
        table.add_row(
            Text(candidate.text),
            f"{candidate.result:+.2f}",
            " : ".join(f"{points:.0f}" for points in candidate.points),
            f"{candidate.share:.0%}",
            Text(", ".join(candidate.line[1:])),
        )
    return table


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("analyse")(analyse)
