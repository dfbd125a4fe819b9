"""`ludens puzzles`: makes positions in which one move is to be found, and proves that it is the best one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludens.cli.console import Options, error_console, output_console, parse_pairs
from ludens.core.errors import BadInput

if TYPE_CHECKING:
    from ludens.core.spec import Game

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
    check: Annotated[
        bool, typer.Option("--check", help="Prove puzzles: those that ship, or of --file; --out keeps the proved ones.")
    ] = False,
    file: Annotated[list[Path] | None, typer.Option("--file", help="The puzzles to check; several files.")] = None,
    workers: Annotated[int, typer.Option("--workers", help="Processes that make or check.")] = 1,
) -> None:
    """Make puzzles from games of the strongest search with itself: one move is far better than all others.

    Each is proved: the answer is measured, compared by a second evaluation, and played out by champions against every
    other move, until it is better at 99.9 %. With --check this is done anew for puzzles that are there. What is found
    out is noted beside --out, so that the same command goes on after a break.
    """
    from ludens.agents.puzzle_book import DIFFICULTIES, Puzzle, puzzles_of, write_puzzles
    from ludens.agents.puzzle_maker import MakerSettings
    from ludens.core import registry
    from ludens.lab.proofs import made_and_proved

    found = registry.game(game)
    if workers < 1:
        raise BadInput(f"Puzzles are made and checked by at least 1 process, not {workers}.")
    if check:
        _check(found, file or [], out, workers, seconds)
        return
    if file:
        raise BadInput("Puzzles are read from --file to be checked: add --check.")
    if out is None:
        shipped = puzzles_of(found)
        by_difficulty = ", ".join(f"{sum(p.difficulty == word for p in shipped)} {word}" for word in DIFFICULTIES)
        output_console().print(f"{found.spec.title}: {len(shipped)} puzzles ship ({by_difficulty}).")
        return
    if count < 1 or not 8 <= simulations <= 10**7 or not 0 < gap <= 2:
        raise BadInput("Puzzles need a count of 1 or more, 8 to 10000000 simulations and a gap above 0 and up to 2.")
    settings = MakerSettings(simulations=simulations, gap=gap, seed=seed)
    options = parse_pairs(option or [])
    made: list[Puzzle] = []
    notes = out.with_suffix(".made.jsonl")
    for games, verdicts in enumerate(made_and_proved(found, options, notes, settings, workers, seconds), 1):
        made += [verdict.puzzle for verdict in verdicts if verdict.puzzle is not None]
        if any(verdict.puzzle is not None for verdict in verdicts):
            record = {"options": options, "simulations": simulations, "gap": gap, "seed": seed, "games": games}
            write_puzzles(out, found, made[:count], record)
            error_console().print(f"{len(made)} of {count} after {games} games")
        if len(made) >= count:
            break
    output_console().print(f"{len(made[:count])} puzzles of {found.spec.title}" + (f" in {out}" if made else ""))


def _check(game: Game, files: Sequence[Path], out: Path | None, workers: int, seconds: float | None) -> None:
    """Proves puzzles, and writes those that are proved."""
    from ludens.agents.puzzle_book import Puzzle, puzzles_of, read_puzzles, write_puzzles
    from ludens.lab.proofs import proofs_of

    known = {puzzle.key: puzzle for file in files for puzzle in read_puzzles(file, game)}
    asked = list(known.values()) if files else list(puzzles_of(game))
    if out is not None and any(out.resolve() == file.resolve() for file in files):
        raise BadInput("The puzzles that are proved go to a file of their own: --out is --file.")
    notes = None if out is None else out.with_suffix(".proofs.jsonl")
    proved: list[Puzzle] = []
    doubtful = 0
    for verdict in proofs_of(game, asked, notes, workers, seconds):
        if verdict.puzzle is not None:
            proved.append(verdict.puzzle)
        else:
            doubtful += 1
        state = "proved" if verdict.puzzle else f"doubtful ({verdict.why})"
        error_console().print(f"{len(proved) + doubtful} of {len(asked)}: {verdict.key} {state}, {verdict.games} games")
    if out is not None and proved:
        write_puzzles(out, game, proved, {"checked": len(proved) + doubtful})
    left = len(asked) - len(proved) - doubtful
    output_console().print(
        f"{game.spec.title}: {len(proved)} proved, {doubtful} doubtful, {left} not looked at"
        + (f"; the proved ones are in {out}" if out is not None and proved else "")
    )
