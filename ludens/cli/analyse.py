"""`ludens analyse`: what the moves of a position are worth."""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludens.cli.console import Json, output_console, print_json
from ludens.cli.verdicts import distance, line_in_words, reasons_in_words, whole_move
from ludens.core.errors import BadInput

if TYPE_CHECKING:
    import numpy as np
    from rich.table import Table

    from ludens.core.match import Match
    from ludens.core.spec import Game
    from ludens.search.candidates import Analysis

__all__ = ["analyse"]


def analyse(
    file: Annotated[
        str,
        typer.Argument(help="A saved game, a view with game, seat and record, or a position; - reads standard input."),
    ],
    ply: Annotated[
        int | None, typer.Option("--ply", help="The position after so many entries of the log; by default the last.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", help="Time to think; without any budget, as long as it needs to tell moves apart."),
    ] = None,
    simulations: Annotated[
        int | None, typer.Option("--simulations", help="Simulations instead of, or within, the time.")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", help="Trees grown side by side.")] = 1,
    candidates: Annotated[int, typer.Option("--candidates", "-c", help="How many moves to show.")] = 5,
    seed: Annotated[int, typer.Option("--seed", help="Equal seeds and simulations give equal analyses.")] = 0,
    json: Json = False,
) -> None:
    """Rank the moves of a position from what the player to act can see.

    The position is one of a saved game, a view as programs get it from a server (a JSON object with game, seat and
    record), or one line of text such as azul/1:players=2;…
    """
    from ludens.agents.analysis import analyse_view, begun_move

    if not 1 <= threads <= 256:
        raise BadInput(f"The number of threads must be from 1 to 256, not {threads}.")
    document = _read(file)
    if "record" in document:
        if ply is not None:
            raise BadInput("A view is one position: --ply is for saved games.")
        game, view, seat, names = _from_view(document)
        title = f"{game.spec.title}: {names[seat] if 0 <= seat < len(names) else f'seat {seat}'} to move"
        options = begun = None
    else:
        match = _from_match(document, ply)
        game, view, seat, options = match.game, match.view(match.actor), match.actor, match.options
        begun = begun_move(match)
        names = list(match.names)
        title = f"{game.spec.title}, position {match.ply}: {match.names[seat]} to move"
    found = analyse_view(
        game, view, seat, seconds, simulations, threads, seed, candidates, options=options, begun=begun
    )
    if json:
        print_json({"game": game.spec.name, **found.to_json()})
    else:
        output_console().print(_table(title, game, found, names))


def _read(file: str) -> dict[str, Any]:
    from ludens.core.files import read_text
    from ludens.core.match import Match
    from ludens.core.positions import is_notation

    text = sys.stdin.read() if file == "-" else file if is_notation(file) else read_text(file)
    if is_notation(text):
        return Match.from_notation(text).to_json()
    try:
        document = jsonlib.loads(text)
    except ValueError as error:
        raise BadInput(f"{_name(file)} is neither a saved game nor a view: it is not JSON.") from error
    if not isinstance(document, dict):
        raise BadInput(f"{_name(file)} is neither a saved game nor a view: it is not a JSON object.")
    return document


def _name(file: str) -> str:
    return "Standard input" if file == "-" else file


def _from_match(document: dict[str, Any], ply: int | None) -> Match:
    from ludens.core.match import Match

    match = Match.from_json(document)
    if ply is not None:
        if not 0 <= ply <= match.ply:
            raise BadInput(f"The game has positions 0 to {match.ply}, not {ply}.")
        match = match.at(ply)
    if match.actor < 0:
        where = f"at position {match.ply}"
        raise BadInput(f"Nobody has a move {where}: " + ("the game is over." if match.over else "a draw comes next."))
    return match


def _from_view(document: dict[str, Any]) -> tuple[Game, np.ndarray, int, list[str]]:
    from ludens.core import record, registry

    missing = [key for key in ("game", "seat") if key not in document]
    if missing:
        raise BadInput(f"The view lacks {' and '.join(missing)}.")
    name, seat = str(document["game"]), document["seat"]
    game = registry.identified(name) if "@" in name else registry.game(name)
    if isinstance(seat, bool) or not isinstance(seat, int):
        raise BadInput(f"The seat of a view is a whole number, not {seat!r}.")
    view = record.from_json(game.dtype, document["record"])
    players = int(view["players"][0])
    if players not in game.spec.players:
        raise BadInput(f"{game.spec.title} is for {', '.join(map(str, game.spec.players))} players, not {players}.")
    return game, view, seat, list(document.get("names") or game.spec.seat_names(players))


def _table(title: str, game: Game, found: Analysis, names: Sequence[str]) -> Table:
    """The moves with what they are worth, why, and how play goes on."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    points = game.spec.counts_points
    table = Table(title=title, caption=_caption(found, points), box=box.SIMPLE_HEAD, title_style="bold")
    table.add_column("Move")
    for heading in ("Result", "Behind the best", *(["Points"] if points else []), "Visits"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("Why, and how play goes on")
    for candidate in found.candidates:
        table.add_row(
            Text(whole_move(candidate)),
            f"{candidate.result:+.2f}",
            distance(candidate),
            *([" : ".join(f"{own:.0f}" for own in candidate.points)] if points else []),
            str(candidate.visits),
            Text("\n".join([*reasons_in_words(game.spec.name, candidate, names), *line_in_words(candidate)])),
        )
    return table


def _caption(found: Analysis, points: bool) -> str:
    told = f"{found.simulations} simulations; results from -1 to 1; with ? it is open how good a move is"
    told += "; points by sensible play to the end" if points else ""
    return told + ("; the time ended before the work was done" if found.cut else "")
