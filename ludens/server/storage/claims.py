"""Which process keeps a living table: a row of the database says so, and a lease how long it is believed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from ludens.server.storage.rows import Kept
from ludens.server.storage.writer import tell

__all__ = ["give_up", "renew"]

_NOW = "extract(epoch from clock_timestamp())"  # the database's clock: those of the hosts may differ
_ALIVE = sa.text(
    f"INSERT INTO processes (id, until) VALUES (:process, {_NOW} + :lease) "
    "ON CONFLICT (id) DO UPDATE SET until = excluded.until"
)
_FORGET = sa.text(f"DELETE FROM processes WHERE until < {_NOW} - 60")
_OFFER = sa.text(
    "UPDATE tables SET offered = id = ANY(:offered) "
    "WHERE keeper = :process AND status IN ('waiting', 'running') AND offered <> (id = ANY(:offered))"
)
_LEAVE = sa.text("UPDATE tables SET keeper = NULL WHERE keeper = :process AND status IN ('waiting', 'running')")
_TAKE = (
    "UPDATE tables SET keeper = :process, offered = false WHERE id IN ("
    "SELECT id FROM tables WHERE status IN ('waiting', 'running') AND {which} LIMIT :most FOR UPDATE SKIP LOCKED"
    ") RETURNING id, game_name"
)
_ORPHANS = sa.text(
    _TAKE.format(which=f"NOT EXISTS (SELECT 1 FROM processes p WHERE p.id = tables.keeper AND p.until > {_NOW})")
)
_OFFERED = sa.text(_TAKE.format(which="offered AND keeper <> :process"))


def renew(process: str, lease: float, most: int, room: int, offered: list[str]) -> Callable[[sa.Connection], Kept]:
    """Says that the process lives, and offers the tables whose agents wait; returns those that it keeps from now on.

    It takes so many at most of those without a living keeper, and as many of those offered by others as it has room.
    """

    def write(connection: sa.Connection) -> Kept:
        given: dict[str, Any] = {"process": process}
        connection.execute(_ALIVE, {**given, "lease": lease})
        connection.execute(_FORGET)
        connection.execute(_OFFER, {**given, "offered": offered})
        taken = list(connection.execute(_ORPHANS, {**given, "most": most}))
        if room:
            taken += connection.execute(_OFFERED, {**given, "most": room})
        kept = [(row.id, row.game_name) for row in taken]
        tell(connection, process, "alive", [table_id for table_id, _ in kept])
        return kept

    return write


def give_up(process: str) -> Callable[[sa.Connection], None]:
    """The process ends: others may keep its tables at once."""

    def write(connection: sa.Connection) -> None:
        connection.execute(_LEAVE, {"process": process})
        connection.execute(sa.text("DELETE FROM processes WHERE id = :process"), {"process": process})
        tell(connection, process, "gone", None)

    return write
