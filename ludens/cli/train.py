"""`ludens train`: an agent that learns, with a live curve, checkpoints and games against named agents."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludens.cli.console import Json, Options, error_console, output_console, parse_pairs, print_json, stopping_says

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ludens.learn.training import Training

__all__ = ["train", "typed_pairs"]


def train(
    game: Annotated[str, typer.Argument(help="The game to learn, or a file of trainings that belong together.")],
    algorithm: Annotated[
        str, typer.Argument(help="How, or which of the file's trainings; without it a game's algorithms are listed.")
    ] = "",
    config: Annotated[
        Path | None,
        typer.Option("--config", help="A TOML file: seed, steps, … and the tables options (of the game) and settings."),
    ] = None,
    opponents: Annotated[
        str, typer.Option("--opponents", help="Agents, separated by spaces, to learn or be measured against.")
    ] = "",
    steps: Annotated[int | None, typer.Option("--steps", help="How many steps.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Equal seeds give equal curves.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", "-s", help="A setting of the algorithm as key=value; repeat it.")
    ] = None,
    option: Options = None,
    data: Annotated[
        Path | None, typer.Option("--data", help="For cloning: the folder that ludens dataset wrote.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="The folder of the training.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the folder's checkpoint.")] = False,
    processes: Annotated[
        int, typer.Option("--processes", help="Processes for games of a step that do not depend on each other.")
    ] = 1,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="Play such games on a Ray cluster: auto, or its address.")
    ] = None,
    json: Json = False,
) -> None:
    """Train an agent; the folder then holds its curve, its checkpoint and the agent's file."""
    from ludens.core import registry
    from ludens.core.errors import BadInput
    from ludens.learn.algorithms import algorithm_for, algorithms_of
    from ludens.learn.checkpoint import kept_report_every
    from ludens.learn.plan import Configuration, make_plan, read_config
    from ludens.learn.training import CHECKPOINT, Training
    from ludens.play.cluster import executor_for
    from ludens.play.executors import reachable

    if game.endswith(".toml"):
        if any(given not in (None, [], "", 1) for given in (config, opponents, set_, option, processes, cluster)):
            raise BadInput(f"What {game} says cannot be changed but by --steps, --seed and --out.")
        _train_all(Path(game), algorithm, steps, seed, out, json)
        return
    found = registry.game(game)
    if not algorithm:
        for name, known in algorithms_of(found).items():
            output_console().print(f"{name}: {known.help}", markup=False)
        return
    chosen = algorithm_for(found, algorithm)
    document = read_config(config) if config is not None else Configuration()
    for key, value in (("steps", steps), ("seed", seed), ("opponents", opponents.split() or None)):
        if value is not None:
            document[key] = value
    given = typed_pairs(set_ or []) | ({} if data is None else {"data": str(data)})
    for table, pairs in (("settings", given), ("options", parse_pairs(option or []))):
        if pairs:
            kept = document.get(table, {})
            document[table] = {**kept, **pairs} if isinstance(kept, dict) else kept  # what is no table is refused below
    folder = out or Path(f"training/{game}-{algorithm}-{document.get('seed', 0)}")
    if resume and (every := kept_report_every(folder / CHECKPOINT)) is not None:
        document.setdefault("report_every", every)  # its default hangs on the steps, of which there may be more now
    plan, options, settings = make_plan(found, chosen, document)
    if (processes > 1 or cluster is not None) and not reachable(found.spec.name):
        raise BadInput(f"Only one process can play {found.spec.name}: others do not know it.")
    with executor_for(processes, cluster) as executor:
        with document.within("settings"):
            training = Training(found, chosen, plan, options, settings, folder, executor)
        with stopping_says(lambda: _kept(folder)):
            _follow(training, resume)
    _tell(training, json)


def _train_all(file: Path, name: str, steps: int | None, seed: int | None, out: Path | None, json: bool) -> None:
    """Makes the trainings of a file that are missing, then its pictures and the table of what came out."""
    from dataclasses import replace

    from ludens.core.errors import did_you_mean
    from ludens.learn.study import draw, read_study, results, run_study

    study = read_study(file)
    study = replace(study, folder=out or study.folder, seeds=study.seeds if seed is None else (seed,))
    if name and name not in study.variants:
        raise did_you_mean(name, study.variants, "training of this file")
    chosen = {key: one for key, one in study.variants.items() if name in ("", key)}
    if steps is not None:
        chosen = {key: replace(one, config={**one.config, "steps": steps}) for key, one in chosen.items()}
    told = []
    with stopping_says(lambda: f"{study.folder} holds what was trained; the same command goes on."):
        for variant, number, training in run_study(replace(study, variants=chosen)):
            figures = ", ".join(f"{key} {value:.4g}" for key, value in training.rows[-1].items())
            error_console().print(f"{variant.name}, seed {number}: {figures}", markup=False, soft_wrap=True)
            told.append({"variant": variant.name, "seed": number, "curve": training.rows, "agent": training.code})
    begun = {key for key in study.variants if study.curves(key)}
    pictures = [str(draw(study, picture)) for picture in study.pictures if begun.intersection(picture.variants)]
    if json:
        print_json({"trainings": told, "pictures": pictures})
        return
    shown = list(dict.fromkeys(figure for picture in study.pictures for figure in picture.figures))
    output_console().print(results(study, shown), markup=False, soft_wrap=True)
    for path in pictures:
        output_console().print(path, markup=False, soft_wrap=True)


def _kept(folder: Path) -> str:
    """What is said of a training that was stopped."""
    from ludens.learn.training import CHECKPOINT

    if not (folder / CHECKPOINT).exists():
        return ""
    return f"{folder} holds its last checkpoint; the same command with --resume goes on."


def _follow(training: Training, resume: bool) -> None:
    """Makes the steps, with a picture on a terminal and a line for every row of the curve elsewhere."""
    console = error_console()
    if console.is_terminal:
        from rich.live import Live

        with Live(console=console, refresh_per_second=4, transient=True) as live:
            live.update("compiling and preparing …")
            training.begin(resume)
            begun, first = time.monotonic(), training.step

            def show(now: Training) -> None:
                each = (time.monotonic() - begun) / max(1, now.step - first)
                live.update(_picture(now, each * (now.plan.steps - now.step)))

            training.run(show)
    else:
        training.begin(resume)
        told = len(training.rows)

        def report(now: Training) -> None:
            nonlocal told
            if len(now.rows) > told:
                told = len(now.rows)
                figures = ", ".join(f"{key} {value:.4g}" for key, value in now.rows[-1].items())
                console.print(figures, markup=False, soft_wrap=True)

        training.run(report)


def _tell(training: Training, json: bool) -> None:
    """What came out, and how to play it."""
    if json:
        print_json(
            {
                "identity": training.identity,
                "steps": training.step,
                "curve": training.rows,
                "evaluations": [vars(evaluation) for evaluation in training.evaluations],
                "agent": training.code,
            }
        )
        return
    console = output_console()
    for evaluation in training.evaluations:
        console.print(
            f"after {evaluation.step}: {evaluation.won:.1%} ({evaluation.low:.1%} – {evaluation.high:.1%}) of "
            f"{evaluation.games} games against {evaluation.opponents}",
            markup=False,
        )
    console.print(f"The agent: {training.code}", markup=False, soft_wrap=True)
    lineup = " ".join(training.lineup(training.plan.opponents[0]))
    fixed = " --fixed" if training.algorithm.place is not None else ""
    name = training.game.spec.name
    console.print(f"Play it:   ludens arena {name} {lineup}{fixed}", markup=False, soft_wrap=True)


def typed_pairs(pairs: list[str]) -> dict[str, Any]:
    """Settings as TOML would read them: numbers, true, lists; anything else is a text."""
    import tomllib

    found: dict[str, Any] = {}
    for key, value in parse_pairs(pairs).items():
        try:
            found[key] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            found[key] = value
    return found


def _picture(training: Training, seconds_left: float) -> RenderableType:
    """Progress, the curve of the algorithm's figure and the last evaluations."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    from ludens.cli.console import duration
    from ludens.learn.curves import drawn

    algorithm, plan = training.algorithm, training.plan
    bar = Table.grid()  # a bar of its own does not end its line
    bar.add_row(ProgressBar(total=plan.steps, completed=training.step, width=72))
    done = f"{training.step} of {plan.steps} {algorithm.unit}, {duration(seconds_left)} left"
    lines: list[RenderableType] = [Text(f"{training.game.spec.title}: {algorithm.name}, {done}"), bar]
    if training.rows:
        shown = algorithm.shown or next(key for key in training.rows[-1] if key != "step")
        lines.append(Text(f"{shown}, mean of {plan.report_every} {algorithm.unit}:"))
        lines += [Text(line) for line in drawn([row[shown] for row in training.rows])]
        lines.append(Text(", ".join(f"{key} {value:.4g}" for key, value in training.rows[-1].items())))
    for evaluation in training.evaluations[-4:]:
        lines.append(
            Text(
                f"after {evaluation.step}: {evaluation.won:.1%} ({evaluation.low:.1%} – {evaluation.high:.1%}) "
                f"against {evaluation.opponents}"
            )
        )
    return Group(*lines)
