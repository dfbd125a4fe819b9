"""People: whoever has a key is a person, with a name, a colour, a language, and all games that were played with it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from functools import partial
from typing import Any

from ludens.server.clock import now
from ludens.server.refusal import Refusal
from ludens.server.storage import people as stored
from ludens.server.storage.writer import Storage, Told
from ludens.server.tables.all_tables import AllTables
from ludens.server.tables.seats import clean_name, hashed, new_token
from ludens.server.tables.table import Table

__all__ = ["COLOURS", "People"]

COLOURS = ("blue", "red", "green", "gold", "violet", "teal", "brown", "grey")
_KEPT = 10_000  # profiles that are known to exist, in memory
_MOST_SEEN = 200
_log = logging.getLogger("ludens.server")


class People:
    """One a server; counts ended games for the ratings too."""

    def __init__(self, tables: AllTables, storage: Storage) -> None:
        self._tables = tables
        self._storage = storage
        self._known: OrderedDict[str, float] = OrderedDict()  # profiles, and when they were last noted as used
        self._counting: asyncio.Task[None] | None = None
        self._again = False

    async def create(self, name: str, colour: str, language: str) -> tuple[str, dict[str, Any]]:
        """A new person: the key, which is told only once, and the profile."""
        key = new_token()
        profile = hashed(key)
        await self._storage.write(stored.create(profile, clean_name(name), colour, language))
        return key, await self.profile(profile)

    async def known(self, key: str | None) -> str | None:
        """The profile of a key; None for one that is nobody's."""
        if key is None:
            return None
        profile = hashed(key)
        noted = self._known.get(profile)
        if noted is None and await self._storage.read(stored.find(profile)) is None:
            return None
        if noted is None or now() - noted > 86_400:
            await self._storage.write(stored.use(profile))
            self._known[profile] = now()
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return profile

    async def require(self, key: str | None) -> str:
        """The same; a key that is nobody's is refused."""
        if key is None:
            raise Refusal("unauthorised", "This needs the key of a person, sent as 'Authorization: Bearer …'.")
        profile = await self.known(key)
        if profile is None:
            raise Refusal("not_found", "Nobody here has this key.")
        return profile

    async def profile(self, profile: str) -> dict[str, Any]:
        found = await self._storage.read(stored.find(profile))
        if found is None:
            raise Refusal("not_found", "Nobody here has this key.")
        return found

    async def change(self, profile: str, changed: dict[str, Any]) -> dict[str, Any]:
        """Changes name, colour or language, and adds what was seen."""
        if "name" in changed:
            changed["name"] = clean_name(changed["name"])
        if "seen" in changed:
            before = (await self.profile(profile))["seen"]
            changed["seen"] = list(dict.fromkeys([*before, *changed["seen"]]))[-_MOST_SEEN:]
        await self._storage.write(stored.change(profile, **changed))
        return await self.profile(profile)

    async def remove(self, profile: str) -> None:
        """Forgets the person, with the ended games that no other person shares; at other tables the name goes."""
        for living in await self._storage.read(stored.living_of(profile)):
            with contextlib.suppress(Refusal):  # a table of other rules, or one that has just been removed
                table = await self._tables.find(living.id, admin=True)
                await self._tables.change(table, partial(self._stand_up, table, profile))
        removed = await self._storage.write(stored.remove(profile))
        if removed:
            await self._storage.write(*map(Told, removed))
        for table_id in removed:
            self._tables.forget(table_id)
        self._tables.forget_ended()
        self._known.pop(profile, None)

    async def _stand_up(self, table: Table, profile: str) -> None:
        """The game goes on under the name of the seat; whoever has the seat's token keeps it."""
        seats = table.copied_seats()
        names = table.game.spec.seat_names(len(seats))
        for seat in seats:
            if seat.profile == profile:
                seat.profile, seat.name = None, names[seat.index]
        if table.profile == profile:
            table.profile = None
        await self._tables.seats_changed(table, seats)

    # --- as a watcher of tables --------------------------------------------------------

    def changed(self, table: Table) -> None:
        """Nothing is counted before the end."""

    def needs(self, table: Table) -> bool:
        """An end is stored, and counted by whoever looks next."""
        return False

    def ended(self, table: Table) -> None:
        if any(seat.profile is not None for seat in table.seats):
            self.count_soon()

    def count_soon(self) -> None:
        """Counts ended games, one counting at a time; what fails is counted with the next."""
        if self._counting is not None and not self._counting.done():
            self._again = True
            return
        self._counting = asyncio.create_task(self._count())

    async def counted(self) -> None:
        """Returns when what has ended is counted."""
        self.count_soon()
        while self._counting is not None and not self._counting.done():
            await asyncio.shield(self._counting)

    async def _count(self) -> None:
        while True:
            self._again = False
            try:
                async with self._storage.once("ratings") as mine:
                    while mine and await self._storage.write(stored.rate_finished):
                        pass
            except Exception as error:
                _log.error("games were not rated", exc_info=error)
            if not self._again:
                return

    async def close(self) -> None:
        if self._counting is not None:
            await asyncio.gather(self._counting, return_exceptions=True)
