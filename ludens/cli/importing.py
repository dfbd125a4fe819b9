"""`ludens import`: a game of another program or of a real table becomes a saved match."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ludens.cli.console import output_console, print_json
from ludens.core.errors import BadInput

__all__ = ["import_game"]


def import_game(
    file: Annotated[str, typer.Argument(help="A game with its moves and draws, as JSON; - reads standard input.")],
    save: Annotated[
        Path | None, typer.Option("--save", help="Where the saved game goes; otherwise it is printed.")
    ] = None,
) -> None:
    """Check a game that was played elsewhere and make it one that replay, analyse and play understand.

    The file names the game, its options, and in log every move and every draw in their order: as ids, in words or, for
    moves, as JSON. It may begin with a position instead of the set-up.
    """
    from ludens.core.files import check_target, write_text
    from ludens.core.imports import import_match

    if save is not None:
        check_target(save)
    match = import_match(_read(file))
    document = match.to_json()
    if save is None:
        print_json(document)
        return
    write_text(save, jsonlib.dumps(document, ensure_ascii=False) + "\n")
    state = "it is over" if match.over else "a draw comes next" if match.awaits_draw else "it is not over"
    console = output_console()
    console.print(f"{match.game.spec.title}, {match.players} players, {match.ply} entries; {state}.", soft_wrap=True)
    console.print(f"Saved; ludens replay {save} shows it.", soft_wrap=True)


def _read(file: str) -> Any:
    from ludens.core.files import read_text

    text = sys.stdin.read() if file == "-" else read_text(file)
    try:
        return jsonlib.loads(text)
    except jsonlib.JSONDecodeError as error:
        name = "Standard input" if file == "-" else file
        raise BadInput(f"{name} is not JSON: line {error.lineno}, column {error.colno}: {error.msg}.") from error
