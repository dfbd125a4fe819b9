"""Which ended games are removed: by age and kind, by address, and until the whole fits its bound. Living ones stay."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from ludens.server.clock import now
from ludens.server.settings import Retention
from ludens.server.storage import database as db
from ludens.server.storage import rows
from ludens.server.tables.table import ABANDONED, FINISHED

__all__ = ["KEPT_AT_FIRST", "oldest", "outlived", "remove", "used_bytes"]

_DAY = 86_400.0
KEPT_AT_FIRST = 3600.0
"""Seconds for which an ended game is kept in any case: somebody may still look at it."""


def outlived(retention: Retention, most: int) -> Callable[[sa.Connection], list[str]]:
    """The ended games that are older than their kind is kept, or too many of their address; so many at most."""
    columns = db.tables.c
    persons = sa.exists().where((db.seats.c.table_id == columns.id) & (db.seats.c.kind != "agent"))
    kinds = (
        (retention.brought, columns.imported),
        (retention.abandoned, ~columns.imported & (columns.status == ABANDONED)),
        (retention.agents, ~columns.imported & (columns.status == FINISHED) & ~persons),
        (retention.own, ~columns.imported & (columns.status == FINISHED) & persons),
    )
    ended = columns.status.in_((FINISHED, ABANDONED))

    def read(connection: sa.Connection) -> list[str]:
        found: list[str] = []
        for days, kind in kinds:
            if days > 0 and len(found) < most:
                old = columns.updated < now() - max(days * _DAY, KEPT_AT_FIRST)
                query = sa.select(columns.id).where(ended, old, kind).order_by(columns.updated)
                found += connection.execute(query.limit(most - len(found))).scalars()
        if retention.per_address > 0 and len(found) < most:
            ranked = sa.select(
                columns.id,
                columns.updated,
                sa.func.row_number().over(partition_by=columns.address, order_by=columns.updated.desc()).label("place"),
            ).where(ended)
            ranks = ranked.subquery()
            too_many = (ranks.c.place > retention.per_address) & (ranks.c.updated < now() - KEPT_AT_FIRST)
            found += connection.execute(sa.select(ranks.c.id).where(too_many).limit(most - len(found))).scalars()
        return list(dict.fromkeys(found))

    return read


def oldest(most: int) -> Callable[[sa.Connection], list[str]]:
    """The ended games that go first where there is no room: those without a person, then the oldest."""
    columns = db.tables.c
    persons = sa.exists().where((db.seats.c.table_id == columns.id) & (db.seats.c.kind != "agent"))
    dear = sa.case((~columns.imported & (columns.status == FINISHED) & persons, 1), else_=0)
    query = sa.select(columns.id).where(
        columns.status.in_((FINISHED, ABANDONED)), columns.updated < sa.bindparam("now")
    )
    query = query.order_by(dear, columns.updated).limit(most)
    return lambda connection: list(connection.execute(query, {"now": now() - KEPT_AT_FIRST}).scalars())


def remove(table_ids: list[str]) -> Callable[[sa.Connection], int]:
    """Removes ended games with all that belongs to them; returns how many there were."""

    def write(connection: sa.Connection) -> int:
        return sum(rows.delete(table_id)(connection) for table_id in table_ids)

    return write


def used_bytes(connection: sa.Connection) -> int:
    """What the database takes, without the room that removed games have left in it."""
    if connection.dialect.name == "sqlite":
        pages, free, size = (
            int(connection.exec_driver_sql(f"PRAGMA {name}").scalar() or 0)
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size
    query = sa.text(
        "SELECT COALESCE(SUM(pg_total_relation_size(relid) * (n_live_tup + 1.0) / (n_live_tup + n_dead_tup + 1.0)), 0) "
        "FROM pg_stat_user_tables"
    )
    return int(connection.execute(query).scalar() or 0)
