"""`ludens arena`: agents against agents, many games, with intervals; and what is in files of results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ludens.cli.console import Json, Options, Workers, output_console, parse_pairs, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from ludens.core.published import Published
    from ludens.core.spec import Game
    from ludens.lab.published_tables import MatchupResult
    from ludens.lab.standings import MeanThoughts, Standing
    from ludens.play.schedule import Schedule

__all__ = ["app"]

_PLAY = "play"


class _PlayUnlessNamed(TyperGroup):
    """What is no command is a game to play: `ludens arena azul heuristic random`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [_PLAY, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_PlayUnlessNamed,
    no_args_is_help=True,
    help="Let agents play: ludens arena GAME AGENT… (see ludens arena play --help), and open files of results.",
)
_Results = Annotated[Path, typer.Argument(help="A file of results.")]
_Run = Annotated[str | None, typer.Option("--run", help="Which run of the file; needed if it holds several.")]


@app.command(_PLAY)
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
    option: Options = None,
    workers: Workers = None,
    fixed: Annotated[bool, typer.Option("--fixed", help="Agents keep their sides instead of rotating.")] = False,
    table: Annotated[
        str | None, typer.Option("--table", help="Play a published table of the game again, instead of naming agents.")
    ] = None,
    thoughts: Annotated[
        bool, typer.Option("--thoughts", help="Ask the agents what they think and report the means.")
    ] = False,
    results: Annotated[
        Path | None, typer.Option("--results", help="Store every game in this file, and go on with what is in it.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="The name of the run in that file.")] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="Play on a Ray cluster: auto, or its address; needs --results.")
    ] = None,
    json: Json = False,
) -> None:
    """Let agents play a series with rotating seats and show win shares and scores."""
    from ludens.cli.console import tournament_progress
    from ludens.core import registry
    from ludens.core.errors import BadInput
    from ludens.lab.published_tables import play_again, published_table
    from ludens.lab.series import run
    from ludens.play.schedule import one_table

    found = registry.game(game)
    options = parse_pairs(option or [])
    if (table is None) == (not agents):
        raise BadInput("An arena needs agents, or a published table with --table; not both.")
    if cluster is not None and results is None:
        raise BadInput("Games on a cluster are stored in a file: give --results FILE.")
    if results is None and name is not None:
        raise BadInput("A run has a name in a file of results: give --results FILE.")
    if results is not None and thoughts:
        raise BadInput("Thoughts are not stored: leave out --thoughts or --results.")
    if results is not None and agents:
        schedule = one_table(found, agents, games, seed, players, options, not fixed, merged=True)
        _play_stored(schedule, results, name or " – ".join(dict.fromkeys(agents)), workers, cluster, json)
        return
    if results is not None:
        raise BadInput("A published table is not stored; write an experiment for it (ludens experiment run).")
    title = found.spec.title
    if table is not None:
        printed, options = published_table(found, table).read(options)
        if players is not None:
            options["players"] = str(players)
        lines = []
        for matchup in printed.matchups:
            with tournament_progress(f"{title}: {matchup.name}") as show:
                lines.append(play_again(found, matchup, printed, games, seed, options, workers, show))
        if json:
            told = {"game": found.spec.name, "table": table, "reading": dict(printed.reading)}
            print_json({**told, "seed": seed, "lines": [x.to_json() for x in lines]})
        else:
            output_console().print(_published_table(found, printed, lines, seed))
        return
    assert agents is not None
    with tournament_progress(f"{title}: {' – '.join(agents)}") as show:
        result = run(
            *(found, agents, games, seed, players, options, workers),
            rotating=not fixed, thoughts=thoughts, watch=show,
        )  # fmt: skip
    if json:
        print_json(result.to_json())
    else:
        console = output_console()
        console.print(_table(_title(result.game, result.games, result.seed), result.options, result.agents))
        for standing in result.agents:
            if standing.thoughts is not None:
                console.print(f"{standing.agent}: {_in_words(standing.thoughts)}", markup=False, soft_wrap=True)


def _published_table(game: Game, printed: Published, lines: list[MatchupResult], seed: int) -> Table:
    from rich import box
    from rich.table import Table

    reading = ", ".join(f"{name}={value}" for name, value in printed.reading.items())
    table = Table(
        title=f"{game.spec.title}: {printed.title}, {lines[0].games} games each, seed {seed}",
        caption=(
            f"{printed.counted}, and their mean {printed.unit}; intervals are 95 %\n"
            f"printed: {printed.source}\nreading: {reading}"
        ),
        box=box.SIMPLE_HEAD,
        title_style="bold",
        padding=(0, 1, 0, 0),
    )
    table.add_column("Version")
    for heading in ("Won", "Interval", "Printed", printed.unit.capitalize(), "Interval", "Printed"):
        table.add_column(heading, justify="right", no_wrap=True)
    for line in lines:
        table.add_row(
            line.matchup.name,
            f"{line.share:.1%}",
            f"{line.interval[0]:.1%} – {line.interval[1]:.1%}",
            f"{line.matchup.share:.0%}",
            "–" if line.length is None else f"{line.length:.2f}",
            "–" if line.length_interval is None else f"{line.length_interval[0]:.2f} – {line.length_interval[1]:.2f}",
            f"{line.matchup.length}",
        )
    return table


def _in_words(means: MeanThoughts) -> str:
    """The mean thoughts of an agent in one line."""
    named = (("value", means.value, "+.2f"), ("simulations", means.simulations, ".0f"), ("depth", means.depth, ".1f"))
    told = ", ".join(f"{name} {number:{form}}" for name, number, form in named if number is not None)
    return f"{told or 'nothing told'} (means over {means.decisions} decisions)"


def _title(game: Game, games: int, seed: int) -> str:
    return f"{game.spec.title}, {'1 game' if games == 1 else f'{games} games'}, seed {seed}"


def _table(title: str, options: dict[str, Any], standings: Sequence[Standing]) -> Table:
    from rich import box
    from rich.table import Table

    settings = ", ".join(f"{key} {value}" for key, value in options.items())
    table = Table(
        title=title,
        caption=f"{settings}; intervals are 95 %",
        box=box.SIMPLE_HEAD,
        title_style="bold",
        padding=(0, 1, 0, 0),
    )
    table.add_column("Agent", overflow="fold", min_width=9)
    for heading in ("Won", "Shared", "Lost", "Win share", "Interval", "Mean score"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("By seat", justify="right")
    for standing in standings:
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


def _play_stored(
    schedule: Schedule, results: Path, name: str, workers: int | None, cluster: str | None, json: bool
) -> None:
    """The same games as without a file, but stored; what the file has is not played again."""
    from contextlib import nullcontext

    from ludens.cli.console import stopping_says, tournament_progress
    from ludens.play.cluster import executor_for
    from ludens.play.tournament import play_tournament

    kept = f"What is finished is in {results}; the same command goes on."
    title = f"{schedule.spec_game.spec.title}: {name}"
    hired = nullcontext() if cluster is None else executor_for(cluster=cluster)
    with stopping_says(lambda: kept), hired as executor, tournament_progress(title) as show:
        play_tournament(schedule, results, name, workers, show, executor)
    _print_run(results, name, json)


def _print_run(path: Path, name: str | None, json: bool) -> None:
    from ludens.core import registry
    from ludens.lab.standings import load_games, standings
    from ludens.play.results import ResultsFile

    with ResultsFile(path) as file:
        run = file.run(name)
        games, failures = load_games(file, run), file.failures(run)
    found = standings(games)
    seed, options = run.plan["seed"], run.plan["options"]
    game = registry.game(run.game_name)
    if json:
        head = {"game": game.spec.name, "version": game.spec.version, "options": options, "seed": seed}
        print_json({**head, "games": games.games, "agents": [standing.to_json() for standing in found]})
        return
    console = output_console()
    console.print(_table(_title(game, games.games, seed), options, found))
    for number, reason, _, sentence in failures[:5]:
        console.print(f"game {number}, lost by {reason}: {sentence}", markup=False, soft_wrap=True)
    if len(failures) > 5:
        console.print(f"… and {len(failures) - 5} more games lost by an agent's own fault", markup=False)


@app.command("list")
def list_runs(file: _Results, json: Json = False) -> None:
    """Show the runs of a file and how far they are."""
    from ludens.lab.laboratory import describe_file

    found = describe_file(file)
    if json:
        print_json(found)
        return
    for run in found["runs"]:
        players = ", ".join(run["players"])
        line = f"{run['name']}: {run['game']}, {run['finished']} of {run['games']} games, {players}"
        output_console().print(line, markup=False, soft_wrap=True)


@app.command("report")
def report(file: _Results, run: _Run = None, json: Json = False) -> None:
    """Show the standings of a run."""
    _print_run(file, run, json)


@app.command("show")
def show(
    file: _Results,
    number: Annotated[int, typer.Argument(help="The number of the game, from 0.")],
    run: _Run = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the game as a saved match: for replay, analyse and the page.")
    ] = None,
) -> None:
    """Take one game out of a file of results, as a saved match."""
    from json import dumps

    from ludens.core.files import check_target, write_text
    from ludens.play.results import ResultsFile

    if out is not None:
        check_target(out)
    with ResultsFile(file) as stored:
        document = stored.document(stored.run(run), number)
    if out is None:
        print_json(document)
    else:
        write_text(out, dumps(document, ensure_ascii=False) + "\n")
        output_console().print(f"Game {number} is in {out}.", markup=False, soft_wrap=True)


@app.command("export")
def export(
    file: _Results, out: Annotated[Path, typer.Argument(help="Where to: a name that ends with .csv or .parquet.")]
) -> None:
    """Write every seat of every game as one row, as CSV or Parquet."""
    from ludens.play.export import export as write
    from ludens.play.results import ResultsFile

    with ResultsFile(file) as stored:
        output_console().print(f"Written to {write(stored, out)}.", markup=False, soft_wrap=True)
