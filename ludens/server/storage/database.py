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

__all__ = [
    "allowances",
    "connect",
    "entries",
    "imports",
    "metadata",
    "migrate",
    "processes",
    "profiles",
    "ratings",
    "reviews",
    "seats",
    "tables",
]

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
    sa.Column("keeper", sa.String(16)),  # the process that lets its agents think and sweeps it, if there are several
    sa.Column("offered", sa.Boolean, nullable=False, server_default=sa.false()),  # to a keeper that has time
    sa.Column("clock", sa.JSON(none_as_null=True)),  # how much time people have
    sa.Column("profile", sa.String(64)),  # of whoever made it
    sa.Column("hinted", sa.Boolean, nullable=False, server_default=sa.false()),  # somebody was shown a good move
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.true()),  # nothing is left to be counted
    sa.Index("ix_tables_status_updated", "status", "updated"),
    sa.Index("ix_tables_game_name", "game_name"),
    sa.Index("ix_tables_profile", "profile"),
    sa.Index("ix_tables_rated_status", "rated", "status"),
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
    sa.Column("profile", sa.String(64)),  # of whoever sits or sat here
    sa.Index("ix_seats_profile", "profile"),
)

entries = sa.Table(
    "entries",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # 0, 1, … per table
    sa.Column("kind", sa.String(8), nullable=False),
    # start, move, undo; standin: a move for an agent that failed; change: of what is not in the log, such as seats
    sa.Column("seat", sa.Integer),  # who moved
    sa.Column("ply", sa.Integer, nullable=False),  # the log's length before the entry (undo: after it)
    sa.Column("log", sa.JSON, nullable=False),  # what joined the log: an action, then chance outcomes
    sa.Column("move_id", sa.String(64)),  # the client's own id
    sa.Column("time", sa.Float, nullable=False),
    sa.Column("thought", sa.JSON(none_as_null=True)),  # what an agent thought of its move
    sa.Column("clock", sa.Float),  # seconds that whoever moved has left
    sa.UniqueConstraint("table_id", "seat", "move_id"),
)
"""Append-only: a row is never changed; taking back is a row of its own.

Whatever changes a table takes its next number: who comes second has to look again.
"""

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

processes = sa.Table(
    "processes",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("until", sa.Float, nullable=False),  # by the clock of the database
)
"""The processes that serve this database, each with the time until which it lives if nothing more is heard of it."""

allowances = sa.Table(
    "allowances",
    metadata,
    sa.Column("kind", sa.String(16), primary_key=True),
    sa.Column("address", sa.String(64), primary_key=True),
    sa.Column("tokens", sa.Float, nullable=False),
    sa.Column("time", sa.Float, nullable=False),
)
"""What an address may still ask of all processes together."""

profiles = sa.Table(
    "profiles",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),  # hash of the key
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("colour", sa.String(16), nullable=False),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("seen", sa.JSON, nullable=False),  # words for what was shown already
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("used", sa.Float, nullable=False),
    sa.Index("ix_profiles_used", "used"),
)
"""People who play here, without signing in: whoever has the key is the person."""

ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("profile", sa.String(64), sa.ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("table_id", sa.String(16), primary_key=True),  # which may have been removed since
    sa.Column("game_name", sa.String(64), nullable=False),
    sa.Column("time", sa.Float, nullable=False),
    sa.Column("rating", sa.Float, nullable=False),
    sa.Column("deviation", sa.Float, nullable=False),
    sa.Column("volatility", sa.Float, nullable=False),
    sa.Index("ix_ratings_profile_game_name_time", "profile", "game_name", "time"),
)
"""A person's rating in a game after a table: Glicko-2."""


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


_MIGRATING = 0x4C7564656E74  # of PostgreSQL's advisory locks
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
            if engine.dialect.name == "postgresql":  # others may start at the same moment
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise BadInput(f"The database {engine.url.render_as_string()} cannot be used: {reason}.") from error
