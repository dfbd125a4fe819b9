"""What an address may still ask of all processes of a database together."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from ludens.server.storage import database as db

__all__ = ["forget_full", "take"]

_NOW = sa.func.extract("epoch", sa.func.clock_timestamp())
_LONGEST = 7200.0  # seconds after which every allowance is full again
_FIRST = sa.text(
    "INSERT INTO allowances (kind, address, tokens, time) "
    "VALUES (:kind, :address, :burst, extract(epoch from clock_timestamp())) ON CONFLICT DO NOTHING"
)


def take(
    kind: str, address: str, rate: float, burst: float, owed: float, wanted: float
) -> Callable[[sa.Connection], tuple[float, float]]:
    """Takes as many tokens as are wanted and there; what is owed was spent already, and is taken in any case.

    Returns how many were taken, and what is left.
    """
    columns = db.allowances.c
    which = (columns.kind == kind) & (columns.address == address)
    there = sa.func.least(burst, columns.tokens + (_NOW - columns.time) * rate)

    def write(connection: sa.Connection) -> tuple[float, float]:
        connection.execute(_FIRST, {"kind": kind, "address": address, "burst": burst})
        left = float(connection.execute(sa.select(there).where(which).with_for_update()).scalar_one())
        taken = max(owed, min(wanted, left))
        connection.execute(sa.update(db.allowances).where(which).values(tokens=left - taken, time=_NOW))
        return taken, left - taken

    return write


def forget_full(connection: sa.Connection) -> None:
    """Removes what says no more than its absence."""
    connection.execute(sa.delete(db.allowances).where(db.allowances.c.time < _NOW - _LONGEST))
