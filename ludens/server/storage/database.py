"""The tables of the database, how it is opened and brought to the newest schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from ludens.core.errors import BadInput
from ludens.core.extras import missing

__all__ = ["connect", "entries", "imports", "metadata", "migrate", "reviews", "seats", "tables"]

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("game", sa.String(80), nullable=False),  # name@version
    sa.Column("game_name", sa.String(64), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),  # waiting, running, finished, abandoned
    sa.Column("private", sa.Boolean, nullable=False),
    sa.Column("invitation", sa.String(64)),  # hash
    sa.Column("owner", sa.String(64), nullable=False),  # hash
    sa.Column("address", sa.String(64), nullable=False),  # who made it, for the limits
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("agent_seed", sa.BigInteger, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("updated", sa.Float, nullable=False),
    sa.Column("result", sa.JSON),
    sa.Column("rematch", sa.String(16)),
    sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.true()),
    sa.Column("imported", sa.Boolean, nullable=False, server_default=sa.false()),  # a saved game, not played here
    sa.Index("ix_tables_status_updated", "status", "updated"),
    sa.Index("ix_tables_game_name", "game_name"),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("agent", sa.String(400)),
    sa.Column("token", sa.String(64)),  # hash
    sa.Column("reserved", sa.String(64)),  # hash
    sa.Column("resigned", sa.Boolean, nullable=False),
)

entries = sa.Table(
    "entries",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # 0, 1, … per table
    sa.Column("kind", sa.String(8), nullable=False),  # start, move, undo; standin: a move for an agent that failed
    sa.Column("seat", sa.Integer),  # who moved
    sa.Column("ply", sa.Integer, nullable=False),  # the log's length before the entry (undo: after it)
    sa.Column("log", sa.JSON, nullable=False),  # what joined the log: an action, then chance outcomes
    sa.Column("move_id", sa.String(64)),  # the client's own id
    sa.Column("time", sa.Float, nullable=False),
    sa.Column("thought", sa.JSON(none_as_null=True)),  # what an agent thought of its move
    sa.UniqueConstraint("table_id", "seat", "move_id"),
)
"""Append-only: a row is never changed; taking back is a row of its own."""

reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("review", sa.JSON, nullable=False),
    sa.Column("time", sa.Float, nullable=False),
)
"""What every decision of an ended game was worth, computed once."""


imports = sa.Table(
    "imports",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("document", sa.JSON, nullable=False),
)
"""The saved games that were brought here, as `Match.to_json` writes them; their tables have no entries."""


def connect(url: str) -> sa.Engine:
    """An engine for the URL; SQLite keeps a write-ahead log and waits for the disk at every commit."""
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise BadInput(
            f"{url!r} is not a database URL; write sqlite:///file or postgresql://user@host/name."
        ) from error
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise BadInput(f"The database must be SQLite or PostgreSQL, not {parsed.get_backend_name()}.")
    try:
        if parsed.get_backend_name() == "postgresql":
            waits = {"connect_timeout": 10, "options": "-c statement_timeout=30000"}
            return sa.create_engine(parsed, pool_size=5, max_overflow=5, pool_pre_ping=True, connect_args=waits)
        engine = sa.create_engine(parsed, connect_args={"timeout": 30})
    except ModuleNotFoundError as error:
        raise missing("postgres", "PostgreSQL", "psycopg") from error
    sa.event.listen(engine, "connect", _prepare_sqlite)
    return engine


_LOG = "wal_autocheckpoint=4000"  # pages: what is written again and again is copied to its place less often


def _prepare_sqlite(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000", _LOG):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def migrate(engine: sa.Engine) -> None:
    """Brings the schema to the newest version; an unreachable database is one clear sentence."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).resolve().parent / "migrations"))
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise BadInput(f"The database {engine.url.render_as_string()} cannot be used: {reason}.") from error
