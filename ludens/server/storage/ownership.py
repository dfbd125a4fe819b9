"""Who uses a database: of an SQLite file one process, which may then hold it in memory; of PostgreSQL many servers.

A restored backup takes the place of everything: no server may run meanwhile.
"""

from __future__ import annotations

import os
from typing import Any

import sqlalchemy as sa
from filelock import FileLock, Timeout

from ludens.core.errors import BadInput

__all__ = ["Ownership"]

_KEY = 0x4C7564656E73  # of PostgreSQL's advisory lock: "Ludens"


class Ownership:
    """Held from `take` to `give_back`, or until the process ends, however that happens.

    A `shared` one lets others share PostgreSQL.
    """

    def __init__(self, engine: sa.Engine, shared: bool = False) -> None:
        self._engine = engine
        self._lock = f"pg_try_advisory_lock{'_shared' if shared else ''}(:key)"
        self._held: Any = None

    def take(self) -> None:
        """Takes the database for this process; one that is taken by somebody else is refused in a sentence."""
        taken = self._take_file() if self._engine.dialect.name == "sqlite" else self._take_advisory()
        if not taken:
            where = self._engine.url.render_as_string()
            raise BadInput(f"Another server uses the database {where}; stop it, or choose another with --database.")

    def _take_file(self) -> bool:
        name = self._engine.url.database
        if not name or name == ":memory:":
            return True
        lock = FileLock(f"{os.path.realpath(name)}.lock", timeout=0)  # a link is no other database
        try:
            lock.acquire()
        except Timeout:
            return False
        except OSError as error:
            raise BadInput(f"The folder of the database {name} cannot be written: {error.strerror}.") from error
        self._held = lock
        return True

    def _take_advisory(self) -> bool:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if not connection.execute(sa.text(f"SELECT {self._lock}"), {"key": _KEY}).scalar():
            connection.close()
            return False
        self._held = connection
        return True

    def renew(self) -> None:
        """After a lost connection: the database may have been away, and have forgotten whose it is."""
        if self._engine.dialect.name == "sqlite":
            return
        if self._held is not None:
            try:
                self._held.execute(sa.text("SELECT 1"))
                return
            except sa.exc.DBAPIError:
                self._held.close()
                self._held = None
        self.take()

    def give_back(self) -> None:
        if isinstance(self._held, FileLock):
            self._held.release()
        elif self._held is not None:
            self._held.close()
        self._held = None
