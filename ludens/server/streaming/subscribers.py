"""Subscribers of a table: each has a bounded queue of messages that are already encoded.

Publishing never waits for a client. A client that reads too slowly loses its connection,
not the others their time; it reconnects and gets the full view again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from ludens.server.streaming import views
from ludens.server.tables.table import Happened, Table

__all__ = ["Subscriber", "encode", "subscribed"]

_MOST_WAITING = 64


def encode(message: Any) -> str:
    """The message as compact JSON."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


class Subscriber:
    """One connection to a table, for one or several seats (hot seat), or for the spectator's view."""

    def __init__(self, seats: Sequence[int | None], positions: bool = False, full: bool = False) -> None:
        self.seats = tuple(seats) or (None,)
        self.positions = positions  # wants the position after every step, to animate it
        self.full = full  # wants the record, to let an agent choose
        self.too_slow = False
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._sent: dict[int | None, dict[str, Any]] = {}

    def offer(self, message: str) -> None:
        """Queues a message; a full queue ends the connection."""
        if self.queue.qsize() >= _MOST_WAITING:
            self.too_slow = True
            self.end()
        else:
            self.queue.put_nowait(message)

    def end(self) -> None:
        """Lets the connection close after what is queued."""
        self.queue.put_nowait(None)

    def greet(self, table: Table, start: int | None, undos: int | None) -> None:
        """The full view of every seat first; with `start` the steps from that ply on too.

        A client that names the number of undos it knows gets all steps if another undo has happened.
        """
        self.offer(encode({"type": "table", "table": views.table_payload(table)}))
        if start is not None and undos is not None and undos != table.undos:
            start = 0
        for seat in self.seats:
            self._send_view(table, seat, start)

    def _send_view(self, table: Table, seat: int | None, start: int | None) -> None:
        payload = views.view_payload(table, seat, full=self.full)
        first = table.ply if start is None else min(start, table.ply)
        steps = views.history(table, seat, first, positions=self.positions) if first < table.ply else []
        self._sent[seat] = payload
        self.offer(encode({"type": "view", "seat": seat, "from": first, "steps": steps, "view": payload}))

    def update(self, table: Table, happened: Happened | None, cache: dict[Any, Any]) -> None:
        """The change as a delta; as a full view where a delta does not suffice.

        `cache` is shared by the subscribers of one change: equal audiences get equal bytes.
        """
        for seat in self.seats:
            before = self._sent.get(seat)
            key = (seat, self.full)
            if key not in cache:
                cache[key] = views.view_payload(table, seat, full=self.full)
            payload = cache[key]
            changed = None if before is None or happened is None else views.changes(before, payload)
            if changed is None:
                self._send_view(table, seat, 0 if happened is None else happened.steps[0].ply)
                continue
            assert before is not None
            wanted = (*key, self.positions, before["version"])
            if wanted not in cache:
                steps = views.published_steps(table, happened, seat, self.positions) if happened else []
                message = {"type": "update", "seat": seat, "from": before["ply"], "ply": payload["ply"]}
                cache[wanted] = encode({**message, "steps": steps, "changes": changed})
            self._sent[seat] = payload
            self.offer(cache[wanted])

    def update_table(self, table: Table, cache: dict[Any, Any]) -> None:
        """Seats, names or status as a message; the same bytes for all."""
        if "table" not in cache:
            cache["table"] = encode({"type": "table", "table": views.table_payload(table)})
        self.offer(cache["table"])


@contextlib.asynccontextmanager
async def subscribed(table: Table, subscriber: Subscriber, start: int | None, undos: int | None) -> AsyncIterator[None]:
    """Greets under the lock, so that no change falls between the view and the first delta."""
    async with table.lock:
        subscriber.greet(table, start, undos)
        table.subscribers.add(subscriber)
    table.publish_table()
    try:
        yield
    finally:
        table.subscribers.discard(subscriber)
        table.publish_table()
