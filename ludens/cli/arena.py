"""`ludens arena`: agents against agents, many games, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ludens.cli.console import HELP_JSON, HELP_OPTION, error_console, output_console, parse_pairs, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from ludens.arena.runner import Result

__all__ = ["arena"]


def arena(
    game: Annotated[str, typer.Argument(help="The game to play.")],
    agents: Annotated[list[str], typer.Argument(help="The agents, each as name or name:key=value,….")],
    games: Annotated[int, typer.Option("--games", "-n", help="How many games to play.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Equal seeds give equal results.")] = 0,
    players: Annotated[
        int | None, typer.Option("--players", help="More players than agents: the agents fill the seats in turn.")
    ] = None,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help=HELP_OPTION)] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", help="Processes to use; by default all cores once it pays.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help=HELP_JSON)] = False,
) -> None:
    """Let agents play a series with rotating seats and show win shares and scores."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ludens.arena.runner import run
    from ludens.core import registry

    found = registry.game(game)
    options = parse_pairs(option or [])
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = error_console()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(f"{found.spec.title}: {' – '.join(agents)}", total=games)

        def report(finished: int) -> None:
            progress.update(bar, completed=finished)

        result = run(found, agents, games, seed, players, options, workers, report)
    if json:
        print_json(result.to_json())
    else:
        output_console().print(_table(result))


def _table(result: Result) -> Table:
    from rich import box
    from rich.table import Table

    settings = ", ".join(f"{key} {value}" for key, value in result.options.items())
    games = "1 game" if result.games == 1 else f"{result.games} games"
    table = Table(
        title=f"{result.game.spec.title}, {games}, seed {result.seed}",
        caption=f"{settings}; intervals are 95 %",
        box=box.SIMPLE_HEAD,
        title_style="bold",
        padding=(0, 1, 0, 0),
    )
    table.add_column("Agent", overflow="fold", min_width=9)
    for heading in ("Won", "Shared", "Lost", "Win share", "Interval", "Mean score"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("By seat", justify="right")
    for standing in result.agents:
        low, high = standing.interval
        spread = (standing.score_interval[1] - standing.mean_score) if standing.score_interval else None
        table.add_row(
            standing.agent,
            str(standing.wins),
            str(standing.shared),
            str(standing.losses),
            f"{standing.win_share:.1%}",
            f"{low:.1%} – {high:.1%}",
            f"{standing.mean_score:.2f}" + (f" ± {spread:.2f}" if spread is not None else ""),
            " ".join(f"{seat['win_share']:.0%}" for seat in standing.by_seat),
        )
    return table
