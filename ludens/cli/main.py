"""The command `ludens`. Commands import what they need when they run, so that help is instant."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, NoReturn

import typer

from ludens import __version__
from ludens.cli import (
    agents,
    analyse,
    arena,
    balance,
    bench,
    cache,
    dataset,
    experiment,
    exploit,
    fill,
    games,
    importing,
    join,
    ladder,
    play,
    puzzles,
    replay,
    serve,
    server,
    train,
    tune,
    warm,
    worker,
)
from ludens.cli.console import reference
from ludens.core.errors import BadInput

__all__ = ["app", "main"]

app = typer.Typer(
    name="ludens",
    help="A laboratory for modern board games with chance and hidden information.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS: dict[str, Callable[..., None] | typer.Typer] = {
    "games": games.games,
    "agents": agents.agents,
    "play": play.play,
    "replay": replay.replay,
    "arena": arena.app,
    "warm": warm.warm,
    "experiment": experiment.app,
    "exploit": exploit.exploit,
    "balance": balance.balance,
    "dataset": dataset.dataset,
    "ladder": ladder.ladder,
    "import": importing.import_game,
    "analyse": analyse.analyse,
    "puzzles": puzzles.puzzles,
    "bench": bench.bench,
    "cache": cache.cache,
    "tune": tune.tune,
    "train": train.train,
    "serve": serve.serve,
    "server": server.app,
    "join": join.join,
    "fill": fill.fill,
    "worker": worker.worker,
}
for name, command in COMMANDS.items():
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=name)
    else:
        app.command(name)(command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ludens {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """A laboratory for modern board games with chance and hidden information."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs a command and exits: 0 if all went well, 2 after bad input, 130 after Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without … shows ? instead of failing
    try:
        app(arguments, prog_name="ludens")
    except BadInput as error:
        sys.stdout.flush()
        where = reference(error)
        print(f"{error} {where[0].upper()}{where[1:]}." if where else error, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(0)


if __name__ == "__main__":
    main()
