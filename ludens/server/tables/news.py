"""News for those who play at many tables: which of them want a player, and where it is whose turn."""

from __future__ import annotations

from collections.abc import Iterable

from ludens.server.storage import rows
from ludens.server.tables.all_tables import AllTables
from ludens.server.tables.table import WAITING, Table

__all__ = ["Listener", "News"]


class Listener:
    """Whoever is told; subclasses say how."""

    def __init__(self) -> None:
        self.games: frozenset[str] = frozenset()  # whose tables it would join
        self.shown: set[str] = set()  # tables that it was told of
        self.seats: dict[str, dict[int, tuple[int, int] | None]] = {}  # its seats by table, and the turn it was told

    def wanted(self, table: Table) -> None:
        """A table has a free seat."""
        raise NotImplementedError

    def gone(self, table_id: str) -> None:
        """A table that had one has none any more."""
        raise NotImplementedError

    def turn(self, table: Table, seat: int) -> None:
        """It is this seat's turn."""
        raise NotImplementedError

    def ended(self, table: Table) -> None:
        """A table at which it has a seat has ended."""
        raise NotImplementedError

    def end(self) -> None:
        """Nothing more will come."""
        raise NotImplementedError


class News:
    """Watches all tables; costs next to nothing where nobody listens."""

    def __init__(self, tables: AllTables) -> None:
        self._tables = tables
        self._listeners: set[Listener] = set()
        self._following: dict[str, set[Listener]] = {}  # by table

    def listen(self, listener: Listener, games: Iterable[str]) -> None:
        """Tells of the tables of these games from now on, and of those that want a player now."""
        listener.games = frozenset(games)
        self._listeners.add(listener)
        for table in self._tables.living.values():
            self._show(listener, table)

    async def gather(self) -> None:
        """Brings the waiting tables of other processes here: there will be a listener."""
        await self.made([table_id for table_id, _ in await self._tables.storage.read(rows.living(status=(WAITING,)))])

    async def made(self, table_ids: Iterable[str]) -> None:
        """Tells of tables that other processes have made."""
        for table_id in table_ids if self._listeners else ():
            if table_id not in self._tables.living:
                await self._tables.bring_back(table_id)

    def follow(self, listener: Listener, table: Table, seat: int) -> None:
        """Tells whenever it is the seat's turn, from now on."""
        listener.seats.setdefault(table.id, {})[seat] = None
        self._following.setdefault(table.id, set()).add(listener)
        if table.ended:
            self._end(listener, table)
        else:
            self._tell_turn(listener, table)

    def leave(self, listener: Listener) -> None:
        self._listeners.discard(listener)
        for table_id in listener.seats:
            self._unfollow(listener, table_id)

    def close(self) -> None:
        """The server ends."""
        for listener in self._listeners:
            listener.end()

    # --- as a watcher of tables --------------------------------------------------------

    def needs(self, table: Table) -> bool:
        return table.id in self._following or (bool(self._listeners) and table.status == WAITING)

    def changed(self, table: Table) -> None:
        for listener in self._following.get(table.id, ()):
            self._tell_turn(listener, table)
        if table.status == WAITING or any(table.id in listener.shown for listener in self._listeners):
            for listener in self._listeners:
                self._show(listener, table)

    def ended(self, table: Table) -> None:
        for listener in tuple(self._following.get(table.id, ())):
            self._end(listener, table)
        for listener in self._listeners:
            self._show(listener, table)

    # --- inside ------------------------------------------------------------------------

    def _show(self, listener: Listener, table: Table) -> None:
        wants = table.status == WAITING and not table.private and table.game.spec.name in listener.games
        wants = wants and any(not seat.taken and seat.reserved is None for seat in table.seats)
        if wants and table.id not in listener.shown:
            listener.shown.add(table.id)
            listener.wanted(table)
        elif not wants and table.id in listener.shown:
            listener.shown.discard(table.id)
            listener.gone(table.id)

    def _tell_turn(self, listener: Listener, table: Table) -> None:
        seats, actor = listener.seats[table.id], table.actor
        now = (table.ply, table.undos)
        if actor is not None and actor in seats and seats[actor] != now:
            seats[actor] = now
            listener.turn(table, actor)

    def _end(self, listener: Listener, table: Table) -> None:
        listener.seats.pop(table.id, None)
        self._unfollow(listener, table.id)
        listener.ended(table)

    def _unfollow(self, listener: Listener, table_id: str) -> None:
        followers = self._following.get(table_id, set())
        followers.discard(listener)
        if not followers:
            self._following.pop(table_id, None)
