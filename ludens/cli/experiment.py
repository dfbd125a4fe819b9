"""`ludens experiment`: series of games from a file, played, continued and reported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludens.cli.console import Json, Workers, output_console, print_json

if TYPE_CHECKING:
    from ludens.lab.experiment import Experiment

__all__ = ["app"]

app = typer.Typer(help="Play an experiment that a file describes, go on with it, report it.", no_args_is_help=True)
_File = Annotated[Path, typer.Argument(help="The experiment: a TOML file.")]
HELP_CLUSTER = "Play on a Ray cluster: auto, or its address."


@app.command("run")
def run(
    file: _File,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check the file and tell the time, from a sample; play nothing.")
    ] = False,
    workers: Workers = None,
    cluster: Annotated[str | None, typer.Option("--cluster", help=HELP_CLUSTER)] = None,
    no_report: Annotated[bool, typer.Option("--no-report", help="Only play.")] = False,
    json: Json = False,
) -> None:
    """Play the games that are missing and write the report. Run it again after any interruption."""
    from contextlib import nullcontext
    from functools import partial

    from ludens.cli.console import stopping_says, tournament_progress
    from ludens.core.errors import BadInput
    from ludens.core.extras import require
    from ludens.lab.experiment import read_experiment
    from ludens.lab.report.build import write_report
    from ludens.lab.stopping import is_decided
    from ludens.play.cluster import executor_for
    from ludens.play.tournament import check_tournament, play_tournament

    if not (no_report or dry_run):  # before the games, not after hours of them
        require("lab", "A report")
    experiment = read_experiment(file)
    if workers is not None and workers < 1:
        raise BadInput(f"The number of workers must be at least 1, not {workers}.")
    for series in experiment.series:  # the last one is not refused after hours of the first
        check_tournament(series.schedule, experiment.results, series.name)
    if dry_run:
        _tell_time(experiment, json)
        return
    kept = f"What is finished is in {experiment.results}; the same command goes on."
    hired = nullcontext() if cluster is None else executor_for(cluster=cluster)
    with stopping_says(lambda: kept), hired as executor:
        for one in experiment.series:
            enough = partial(is_decided, experiment.results, one.name, one.stop)
            with tournament_progress(one.name) as show:
                play_tournament(one.schedule, experiment.results, one.name, workers, show, executor, enough)
    written = [] if no_report else [str(path) for path in write_report(experiment)]
    stored = sum(_stored_games(experiment).values())
    if json:
        print_json({"results": str(experiment.results), "games": stored, "report": written})
    else:
        console = output_console()
        console.print(f"{stored} games in {experiment.results}", markup=False, soft_wrap=True)
        for path in written:
            console.print(path, markup=False, soft_wrap=True)


@app.command("report")
def report(file: _File) -> None:
    """Write the report of what is stored, and play nothing."""
    from ludens.lab.experiment import read_experiment
    from ludens.lab.report.build import write_report

    for path in write_report(read_experiment(file)):
        output_console().print(str(path), markup=False, soft_wrap=True)


def _stored_games(experiment: Experiment) -> dict[str, int]:
    """The games of every series that the file of results holds; a series may end before its last one."""
    from ludens.play.results import ResultsFile

    if not experiment.results.exists():
        return {}
    names = {series.name for series in experiment.series}
    with ResultsFile(experiment.results) as file:
        return {run.name: file.count(run) for run in file.runs() if run.name in names}


def _tell_time(experiment: Experiment, json: bool) -> None:
    """What would be played, and for how long."""
    import os

    from ludens.cli.console import duration
    from ludens.lab.sample import measure_sample
    from ludens.lab.statistics import visible_share

    known = _stored_games(experiment)
    lines = []
    for series in experiment.series:
        sample = measure_sample(series.schedule)
        missing = max(0, series.schedule.total - known.get(series.name, 0))
        share = missing / series.schedule.total
        least, even = series.schedule.fewest_games, 1 / (max(series.schedule.sides) + 1)
        lines.append(
            {
                "series": series.name,
                "games": series.schedule.total,
                "missing": missing,
                "core_seconds": sample.seconds * share,
                "at_least": not sample.complete,
                "core_seconds_as_random": None if sample.as_random is None else sample.as_random * share,
                "sample": sample.decisions,
                "games_of_a_player": least,
                "even": even,
                "visible_share": visible_share(least, even, experiment.alpha),
            }
        )
    if json:
        print_json({"experiment": experiment.title, "results": str(experiment.results), "series": lines})
        return
    console, cores = output_console(), os.cpu_count() or 1
    for line in lines:
        core, longer = float(str(line["core_seconds"])), line["core_seconds_as_random"]
        words = "" if longer is None else f", {duration(float(str(longer)))} if games last as long as random ones"
        console.print(
            f"{line['series']}: {line['missing']} of {line['games']} games to play, "
            f"{'at least' if line['at_least'] else 'about'} {duration(core)} of one core, {duration(core / cores)} on "
            f"{cores}{words} (from {line['sample']} decisions)",
            markup=False,
            soft_wrap=True,
        )
        told, seen = f"{line['games_of_a_player']} games of a player", line["visible_share"]
        told += (
            " are too few to tell any share of victories from"
            if seen is None
            else f" tell a share of victories of {float(str(seen)):.0%} or more from"
        )
        words = f"  {told} an even one of {float(str(line['even'])):.0%} (α = {experiment.alpha:g}, power 90 %)"
        console.print(words, markup=False, soft_wrap=True)
