"""`ludens tune`: better weights for a game's evaluation, from games against the present ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludens.cli.console import Json, error_console, output_console, print_json

if TYPE_CHECKING:
    from ludens.lab.tune import Generation

__all__ = ["tune"]


def tune(
    game: Annotated[str, typer.Argument(help="The game whose evaluation is tuned.")],
    agent: Annotated[
        str, typer.Option("--agent", help="The search that plays with the weights.")
    ] = "mcts:simulations=200",
    evaluation: Annotated[str, typer.Option("--evaluation", help="Begin with this one; by default the best.")] = "",
    start: Annotated[Path | None, typer.Option("--start", help="Begin with the weights of this file.")] = None,
    generations: Annotated[int, typer.Option("--generations", help="How many generations at most.")] = 50,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Begin no generation after this time.")] = None,
    games: Annotated[int, typer.Option("--games", help="Games of each candidate.")] = 20,
    population: Annotated[
        int | None, typer.Option("--population", help="Candidates of a generation; by default as CMA-ES advises.")
    ] = None,
    spread: Annotated[float, typer.Option("--spread", help="First steps, in parts of each weight.")] = 0.3,
    proof: Annotated[int, typer.Option("--proof", help="Fresh games of the favourite against the start.")] = 200,
    players: Annotated[int | None, typer.Option("--players", help="Players of a game.")] = None,
    processes: Annotated[int, typer.Option("--processes", help="Processes that play.")] = 1,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="Play on a Ray cluster: auto, or its address; needs --out.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Equal seeds give equal weights.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Write the weights, and the command that repeats them, to this file."),
    ] = None,
    json: Json = False,
) -> None:
    """Tune the weights of a game's evaluation by an evolution strategy (CMA-ES) over arena games.

    With --out every finished generation is kept: after an interruption the same command goes on.

    A file tuned.json in the game's folder becomes its best evaluation; any other goes into a folder named by
    LUDENS_EVALUATIONS and is used as evaluation=NAME.
    """
    from json import dumps

    from ludens.core import registry
    from ludens.core.errors import BadInput
    from ludens.core.files import check_target, write_text
    from ludens.core.weights import read_weights
    from ludens.lab.tune import TuningPlan
    from ludens.lab.tune import tune as run

    found = registry.game(game)
    if out is not None:
        check_target(out)
    elif cluster is not None:
        raise BadInput("A tuning on a cluster is kept in a file: give --out FILE.")
    weights = None if start is None else read_weights(start, game)
    plan = TuningPlan(
        agent, evaluation, games, generations, seconds, population, spread, proof, players, processes, seed, cluster
    )
    progress = error_console()

    def report(now: Generation) -> None:
        progress.print(
            f"generation {now.number}: mean {now.mean:+.3f}, best {now.best:+.3f}, "
            f"spread {now.spread:.3f}, {now.seconds:.0f} s"
        )

    kept = None if out is None else out.with_name(f"{out.name}.part")
    tuned = run(found, plan, weights, report, kept)
    document = tuned.to_json(plan.command(found, tuned.generations, start))
    if out is not None:
        write_text(out, dumps(document, indent=1) + "\n")
        if kept is not None:
            kept.unlink(missing_ok=True)
    if json:
        print_json(document)
        return
    low, high = tuned.standing.interval
    console = output_console()
    console.print(
        f"After {tuned.generations} generations the favourite wins {tuned.standing.win_share:.1%} "
        f"({low:.1%} – {high:.1%}) of {tuned.standing.games} games against the start."
    )
    console.print(", ".join(f"{weight:.4g}" for weight in tuned.weights))
