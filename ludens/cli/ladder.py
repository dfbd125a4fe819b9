"""`ludens ladder`: the agents of a game by strength."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludens.cli.console import Json, error_console, output_console, print_json

if TYPE_CHECKING:
    from ludens.lab.ladder import Ladder, Rung

__all__ = ["ladder"]

_WIDTH = 24  # characters of the bar in the table


def ladder(
    game: Annotated[str, typer.Argument(help="The game.")],
    agents: Annotated[
        list[str] | None,
        typer.Argument(help="Only these agents; by default all that need no parameters, and whoever has played."),
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="Play about so many more games; 0 only shows.")] = 0,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Begin no game after this time.")] = None,
    workers: Annotated[int, typer.Option("--workers", help="Processes that play.")] = 1,
    file: Annotated[Path | None, typer.Option("--file", help="The file of the ladder; by default one's own.")] = None,
    chart: Annotated[
        Path | None, typer.Option("--chart", help="Draw strength against time a decision into this SVG file.")
    ] = None,
    json: Json = False,
) -> None:
    """Rate the agents of a game by games that tell most, and show who stands where."""
    from math import inf

    from ludens.cli.console import stopping_says
    from ludens.core import registry
    from ludens.core.errors import BadInput
    from ludens.core.extras import require
    from ludens.core.files import check_target, write_text
    from ludens.lab.ladder import Ladder, ladder_file
    from ludens.lab.report.figures import scatter

    found = registry.game(game)
    if games < 0 or workers < 1:
        raise BadInput("A ladder plays 0 games or more, in at least one process.")
    if seconds is not None and not seconds > 0:
        raise BadInput(f"The seconds of a ladder must be above 0, not {seconds}.")
    if chart is not None:
        require("lab", "A chart", "matplotlib")
        check_target(chart)
    own = Ladder(found, file or ladder_file(found), agents)
    if games:
        with stopping_says(lambda: f"What is finished is in {own.path}; the same command goes on."):
            _play(own, games, inf if seconds is None else seconds, workers)
    rungs = own.rungs()
    if chart is not None:
        points = [
            (rung.agent, 1000 * rung.seconds, rung.rating, rung.low, rung.high)
            for rung in rungs
            if rung.seconds is not None
        ]
        write_text(chart, scatter(points, "milliseconds a decision", "rating"))
    if json:
        print_json({"game": found.spec.identity, "rungs": [rung.to_json() for rung in rungs]})
    else:
        _show(found.spec.title, rungs)


def _play(own: Ladder, games: int, seconds: float, workers: int) -> None:
    """Plays on, with a bar on a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    from ludens.cli.console import long_games

    console = error_console()
    columns = (
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()),
        TextColumn("{task.fields[note]}"),
    )
    with Bars(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        bar = bars.add_task("", total=games, note="")
        own.play(
            *(games, seconds, workers),
            report=lambda finished, pair: bars.update(bar, completed=finished, description=pair),
            watch=lambda now: bars.update(bar, note=long_games(now.in_flight)),
        )


def _show(title: str, rungs: list[Rung]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(title=f"{title}: the ladder", box=box.SIMPLE_HEAD, title_style="bold", padding=(0, 1, 0, 0))
    table.add_column("Agent", overflow="fold")
    for head in ("Rating", "±", "Games", "A decision"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("")
    played = [rung for rung in rungs if rung.games]
    top = max((rung.rating for rung in played), default=0.0)
    low = min((rung.rating for rung in played), default=0.0)
    for rung in rungs:
        bar = round(_WIDTH * (rung.rating - low) / (top - low)) if rung.games and top > low else 0
        time = "" if rung.seconds is None else f"{1000 * rung.seconds:.2f} ms"
        rating = f"{rung.rating:.0f}" if rung.games else "–"
        spread = f"{1.96 * rung.spread:.0f}" if rung.games else "–"
        table.add_row(rung.agent, rating, spread, str(rung.games), time, "█" * bar)
    output_console().print(table)
