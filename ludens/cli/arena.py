"""`ludens arena`: agents against agents, many games, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ludens.cli.console import HELP_JSON, HELP_OPTION, error_console, output_console, parse_pairs, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from ludens.arena.published_tables import ContestResult
    from ludens.arena.runner import Result
    from ludens.arena.thoughts import MeanThoughts
    from ludens.core.published import Published
    from ludens.core.spec import Game

__all__ = ["arena"]


def arena(
    game: Annotated[str, typer.Argument(help="The game to play.")],
    agents: Annotated[
        list[str] | None, typer.Argument(help="The agents, each as name or name:key=value,… or module:Class.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="How many games to play.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Equal seeds give equal results.")] = 0,
    players: Annotated[
        int | None, typer.Option("--players", help="More players than agents: the agents fill the seats in turn.")
    ] = None,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help=HELP_OPTION)] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", help="Processes to use; by default all cores once it pays.")
    ] = None,
    fixed: Annotated[bool, typer.Option("--fixed", help="Agents keep their sides instead of rotating.")] = False,
    table: Annotated[
        str | None, typer.Option("--table", help="Play a published table of the game again, instead of naming agents.")
    ] = None,
    thoughts: Annotated[
        bool, typer.Option("--thoughts", help="Ask the agents what they think and report the means.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help=HELP_JSON)] = False,
) -> None:
    """Let agents play a series with rotating seats and show win shares and scores."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ludens.arena.published_tables import play_again, published_table
    from ludens.arena.runner import run
    from ludens.core import registry
    from ludens.core.errors import BadInput

    found = registry.game(game)
    options = parse_pairs(option or [])
    if (table is None) == (not agents):
        raise BadInput("An arena needs agents, or a published table with --table; not both.")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = error_console()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(found.spec.title, total=games)

        def report(finished: int) -> None:
            progress.update(bar, completed=finished)

        if table is not None:
            printed = published_table(found, table)
            if players is not None:
                options["players"] = str(players)
            lines = []
            for contest in printed.contests:
                progress.update(bar, description=f"{found.spec.title}: {contest.name}", completed=0)
                lines.append(play_again(found, contest, printed, games, seed, options, workers, report))
        else:
            assert agents is not None
            progress.update(bar, description=f"{found.spec.title}: {' – '.join(agents)}")
            result = run(found, agents, games, seed, players, options, workers, report, not fixed, thoughts)
    if table is not None:
        if json:
            print_json({"game": found.spec.name, "table": table, "seed": seed, "lines": [x.to_json() for x in lines]})
        else:
            output_console().print(_published_table(found, printed, lines, seed))
    elif json:
        print_json(result.to_json())
    else:
        console = output_console()
        console.print(_table(result))
        for standing in result.agents:
            if standing.thoughts is not None:
                console.print(f"{standing.agent}: {_in_words(standing.thoughts)}", markup=False, soft_wrap=True)


def _published_table(game: Game, printed: Published, lines: list[ContestResult], seed: int) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(
        title=f"{game.spec.title}: {printed.title}, {lines[0].games} games each, seed {seed}",
        caption=f"{printed.counted}, and their mean {printed.unit}; intervals are 95 %\nprinted: {printed.source}",
        box=box.SIMPLE_HEAD,
        title_style="bold",
        padding=(0, 1, 0, 0),
    )
    table.add_column("Version")
    for heading in ("Won", "Interval", "Printed", printed.unit.capitalize(), "Interval", "Printed"):
        table.add_column(heading, justify="right", no_wrap=True)
    for line in lines:
        table.add_row(
            line.contest.name,
            f"{line.share:.1%}",
            f"{line.interval[0]:.1%} – {line.interval[1]:.1%}",
            f"{line.contest.share:.0%}",
            "–" if line.length is None else f"{line.length:.2f}",
            "–" if line.length_interval is None else f"{line.length_interval[0]:.2f} – {line.length_interval[1]:.2f}",
            f"{line.contest.length}",
        )
    return table


def _in_words(means: MeanThoughts) -> str:
    """The mean thoughts of an agent in one line."""
    named = (("value", means.value, "+.2f"), ("simulations", means.simulations, ".0f"), ("depth", means.depth, ".1f"))
    told = ", ".join(f"{name} {number:{form}}" for name, number, form in named if number is not None)
    return f"{told or 'nothing told'} (means over {means.decisions} decisions)"


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
