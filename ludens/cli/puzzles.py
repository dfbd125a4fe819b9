"""`ludens puzzles`: makes positions in which one move is to be found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludens.cli.console import Options, error_console, output_console, parse_pairs
from ludens.core.errors import BadInput

__all__ = ["puzzles"]


def puzzles(
    game: Annotated[str, typer.Argument(help="The game.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="The file to write; without, those that ship are counted.")
    ] = None,
    count: Annotated[int, typer.Option("--count", "-n", help="How many to make.")] = 20,
    seconds: Annotated[
        float | None, typer.Option("--seconds", help="Stop after so many seconds with what there is.")
    ] = None,
    simulations: Annotated[
        int, typer.Option("--simulations", help="Of the search that plays; eight times as many check.")
    ] = 1000,
    gap: Annotated[
        float, typer.Option("--gap", help="How much better the move is than all others, in expected return.")
    ] = 0.25,
    seed: Annotated[int, typer.Option("--seed", help="Equal seeds give equal puzzles.")] = 0,
    option: Options = None,
) -> None:
    """Make puzzles from games of the strongest search with itself: one move is far better than all others."""
    import time

    from ludens.agents.puzzle_book import DIFFICULTIES, Puzzle, puzzles_of, write_puzzles
    from ludens.agents.puzzle_maker import MakerSettings, make_puzzles
    from ludens.core import registry

    found = registry.game(game)
    if out is None:
        shipped = puzzles_of(found)
        by_difficulty = ", ".join(f"{sum(p.difficulty == word for p in shipped)} {word}" for word in DIFFICULTIES)
        output_console().print(f"{found.spec.title}: {len(shipped)} puzzles ship ({by_difficulty}).")
        return
    if count < 1 or not 8 <= simulations <= 10**7 or not 0 < gap <= 2:
        raise BadInput("Puzzles need a count of 1 or more, 8 to 10000000 simulations and a gap above 0 and up to 2.")
    settings = MakerSettings(simulations=simulations, gap=gap, seed=seed)
    options, began = parse_pairs(option or []), time.monotonic()
    made: list[Puzzle] = []
    for decisions, puzzle in enumerate(make_puzzles(found, options, settings), 1):
        if puzzle is not None:
            made.append(puzzle)
            record = {"options": options, "simulations": simulations, "gap": gap, "seed": seed, "decisions": decisions}
            write_puzzles(out, found, made, record)
            error_console().print(f"{len(made)} of {count}: {puzzle.difficulty}, after {decisions} decisions")
        if len(made) >= count or (seconds is not None and time.monotonic() - began > seconds):
            break
    output_console().print(f"{len(made)} puzzles of {found.spec.title}" + (f" in {out}" if made else ""))
