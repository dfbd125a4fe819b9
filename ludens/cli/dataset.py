"""`ludens dataset`: games as data to learn from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludens.cli.console import Json, Options, Workers, output_console, parse_pairs, print_json

__all__ = ["dataset"]


def dataset(
    game: Annotated[str, typer.Argument(help="The game.")],
    agents: Annotated[list[str], typer.Argument(help="The agents; they fill the seats in turn and rotate.")],
    games: Annotated[int, typer.Option("--games", "-n", help="How many games.")] = 100,
    out: Annotated[Path | None, typer.Option("--out", help="The folder; the same one goes on.")] = None,
    rows: Annotated[int, typer.Option("--rows", help="Decisions of a shard, at least.")] = 50_000,
    players: Annotated[int | None, typer.Option("--players", help="How many players.")] = None,
    option: Options = None,
    seed: Annotated[int, typer.Option("--seed", help="Equal seeds give equal games.")] = 0,
    workers: Workers = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="Play on a Ray cluster: auto, or its address.")
    ] = None,
    json: Json = False,
) -> None:
    """Write positions, views, features, actions, policies, values and results of games as Parquet."""
    from contextlib import nullcontext

    from ludens.cli.console import stopping_says, tournament_progress
    from ludens.core import registry
    from ludens.play.cluster import executor_for
    from ludens.play.dataset import ParquetSink, parquet_package, shards_of
    from ludens.play.engine import play
    from ludens.play.schedule import one_table

    found = registry.game(game)
    schedule = one_table(found, agents, games, seed, players, parse_pairs(option or []), merged=True)
    schedule.check()
    parquet_package()
    folder = out or Path("data") / "-".join([game, *(code.partition(":")[0] for code in agents), str(seed)])
    sink = ParquetSink(folder, schedule, rows)
    hired = nullcontext() if cluster is None else executor_for(cluster=cluster)
    kept = f"What is finished is in {folder}; the same command goes on."
    with stopping_says(lambda: kept), hired as executor, tournament_progress(f"{found.spec.title}: data") as show:
        play(schedule, sink, executor, show, workers)
    shards = shards_of(folder)
    if json:
        print_json({"folder": str(folder), "shards": len(shards), "written": sink.written})
        return
    output_console().print(
        f"{sink.written:,} decisions written; {folder} holds {len(shards)} shards.", markup=False, soft_wrap=True
    )
