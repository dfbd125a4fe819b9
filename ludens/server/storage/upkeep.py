"""Backups of a database, their return, and whether all of it can be read."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from ludens.core.errors import BadInput
from ludens.server.storage import database as db
from ludens.server.storage import rows
from ludens.server.storage.database import connect
from ludens.server.storage.ownership import Ownership

__all__ = ["back_up", "faults", "restore"]


def back_up(url: str, target: Path) -> None:
    """Copies the database into a file, while its server runs; a file that is there is not overwritten."""
    if target.exists():
        raise BadInput(f"{target} exists already; name another file.")
    unfinished = target.with_name(f"{target.name}.unfinished")
    engine = connect(url)
    try:
        if engine.dialect.name == "sqlite":
            _copy(_file_of(engine), unfinished)
            _require_whole(unfinished)
        else:
            _run(engine, ["pg_dump", "--format=custom", f"--file={unfinished}"], "pg_dump")
        os.replace(unfinished, target)
    except OSError as error:
        raise BadInput(f"The backup {target} cannot be written: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)
        engine.dispose()


def restore(url: str, source: Path) -> Path | None:
    """Puts a backup in the place of the database, whose server must not run; returns where the old one is kept."""
    if not source.is_file():
        raise BadInput(f"There is no backup {source}.")
    engine = connect(url)
    owned = Ownership(engine)
    try:
        owned.take()
        if engine.dialect.name != "sqlite":
            command = ["pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction", "--exit-on-error"]
            _run(engine, [*command, f"--dbname={engine.url.database}", str(source)], "pg_restore")
            return None
        _require_whole(source)
        return _exchange(source, _file_of(engine))
    finally:
        owned.give_back()
        engine.dispose()


def _exchange(source: Path, file: Path) -> Path | None:
    """The backup beside the database first, so that the exchange is one step."""
    arriving, kept = file.with_name(f"{file.name}.arriving"), None
    try:
        shutil.copyfile(source, arriving)
        if file.exists():
            kept = file.with_name(f"{file.name}.{time.strftime('%Y%m%d-%H%M%S')}")
            for end in ("", "-wal", "-shm"):  # what is not copied to its place yet belongs to the old one
                part = file.with_name(file.name + end)
                if part.exists():
                    os.replace(part, kept.with_name(kept.name + end))
        os.replace(arriving, file)
    except OSError as error:
        raise BadInput(f"The backup cannot take the place of {file}: {error.strerror}.") from error
    finally:
        arriving.unlink(missing_ok=True)
    return kept


def faults(url: str, games: bool = False) -> Iterator[str]:
    """What is wrong with a database, in sentences; with `games` every ended game is played through, too."""
    engine = connect(url)
    try:
        with engine.connect() as connection:
            if engine.dialect.name == "sqlite":
                for (line,) in connection.exec_driver_sql("PRAGMA integrity_check").all():
                    if line != "ok":
                        yield f"The file is damaged: {line}."
                for row in connection.exec_driver_sql("PRAGMA foreign_key_check").all():
                    yield f"A row of {row[0]} belongs to no table."
            query = sa.select(db.tables.c.id)
            if not games:
                query = query.where(db.tables.c.status.in_(("waiting", "running")))
            for table_id in connection.execute(query).scalars().all():
                try:
                    rows.load(table_id)(connection)
                except BadInput as error:
                    yield f"Table {table_id} cannot be read: {error}"
    except sa.exc.SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        yield f"The database cannot be read: {reason}."
    finally:
        engine.dispose()


def _file_of(engine: sa.Engine) -> Path:
    name = engine.url.database
    if not name or name == ":memory:":
        raise BadInput("A database in memory has no backup.")
    return Path(name)


def _copy(file: Path, target: Path) -> None:
    """SQLite's own copy, which is right while others write."""
    if not file.is_file():
        raise BadInput(f"There is no database {file}.")
    try:
        source, copy = sqlite3.connect(f"file:{file}?mode=ro", uri=True), sqlite3.connect(target)
        try:
            source.backup(copy)
        finally:
            source.close()
            copy.close()
    except sqlite3.Error as error:
        raise BadInput(f"The database {file} cannot be copied: {error}.") from error


def _require_whole(file: Path) -> None:
    try:
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        try:
            whole = connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
            known = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'").fetchone()[
                0
            ]
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise BadInput(f"{file} is no backup of a server: {error}.") from error
    if not (whole and known):
        raise BadInput(f"{file} is {'damaged' if known else 'no backup of a server'}.")


def _run(engine: sa.Engine, command: list[str], name: str) -> None:
    """A program of PostgreSQL's, with the address and the password where no other user sees them."""
    url = engine.url
    known = {"PGHOST": url.host, "PGPORT": url.port, "PGUSER": url.username, "PGPASSWORD": url.password}
    known["PGDATABASE"] = url.database
    environment = {**os.environ, **{name: str(value) for name, value in known.items() if value is not None}}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise BadInput(f"This needs PostgreSQL's program {name}; install its client package.") from error
    if done.returncode != 0:
        raise BadInput(f"{name} failed: {(done.stderr.strip() or 'without a reason').splitlines()[-1]}")
