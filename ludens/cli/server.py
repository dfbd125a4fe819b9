"""`ludens server …`: backups of a server's database, and its upkeep."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from ludens.cli.serve import DAYS, Database, DatabaseFile, secret
from ludens.core.errors import BadInput
from ludens.core.extras import require

__all__ = ["app"]

app = typer.Typer(help="Backups of a server's database, and its upkeep.", no_args_is_help=True)


def _url(database: str | None, database_file: Path | None) -> str:
    require("server", "`ludens server`")
    from ludens.server.settings import default_database

    return secret(database, database_file, "--database") or default_database()


@app.command()
def backup(
    target: Annotated[Path, typer.Argument(help="The file to be written.")],
    database: Database = None,
    database_file: DatabaseFile = None,
) -> None:
    """Copy the database into a file, while the server runs."""
    url = _url(database, database_file)
    from ludens.server.storage.upkeep import back_up

    back_up(url, target)
    typer.echo(f"{target} holds all tables ({target.stat().st_size / 1e6:.1f} MB).")


@app.command()
def restore(
    source: Annotated[Path, typer.Argument(help="A file that `ludens server backup` wrote.")],
    database: Database = None,
    database_file: DatabaseFile = None,
) -> None:
    """Put a backup in the place of the database; the server must not run."""
    url = _url(database, database_file)
    from ludens.server.storage.upkeep import restore as put_back

    kept = put_back(url, source)
    typer.echo("The backup is in its place." + (f" What was there is kept as {kept}." if kept else ""))


@app.command()
def check(
    games: Annotated[bool, typer.Option(help="Play every ended game through, too.")] = False,
    database: Database = None,
    database_file: DatabaseFile = None,
    plugin: Annotated[list[str] | None, typer.Option(help="module:ATTRIBUTE of a further game.")] = None,
) -> None:
    """Look whether all of the database can be read; exit code 1 if not."""
    url = _url(database, database_file)
    from ludens.server.storage.upkeep import faults
    from ludens.server.thinking.worker import load_plugins

    load_plugins(tuple(plugin or ()))
    found = 0
    for fault in faults(url, games):
        found += 1
        typer.echo(fault)
    if found:
        raise typer.Exit(1)
    typer.echo("All is well.")


@app.command()
def prune(
    keep_own: Annotated[float, DAYS["own"]] = 730.0,
    keep_agents: Annotated[float, DAYS["agents"]] = 30.0,
    keep_abandoned: Annotated[float, DAYS["abandoned"]] = 30.0,
    keep_brought: Annotated[float, DAYS["brought"]] = 90.0,
    keep_per_address: Annotated[int, DAYS["per_address"]] = 20_000,
    keep_size: Annotated[float, DAYS["size"]] = 20_480.0,
    keep_people: Annotated[float, DAYS["people"]] = 730.0,
    database: Database = None,
    database_file: DatabaseFile = None,
) -> None:
    """Remove the ended games that are not kept any longer; a server does so by itself while it runs."""
    url = _url(database, database_file)
    from ludens.server.metrics import Metrics
    from ludens.server.settings import Retention
    from ludens.server.storage import people
    from ludens.server.storage.writer import Storage
    from ludens.server.tables.cleaning import Cleaning

    kept = Retention(keep_own, keep_agents, keep_abandoned, keep_brought, keep_per_address, keep_size, keep_people)
    storage = Storage(url)
    storage.open()
    try:
        forget_person = lambda profile: storage.write(people.remove(profile))  # noqa: E731
        removed = asyncio.run(Cleaning(storage, kept, Metrics(), lambda _: None, 0.0, forget_person).clean())
    except OSError as error:
        raise BadInput(f"Nothing could be removed: {error}.") from error
    finally:
        storage.close()
    typer.echo(f"{removed} games were removed.")
