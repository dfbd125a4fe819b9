"""Subscribers of a table: each has a bounded queue of messages that are already encoded.

Publishing never waits for a client. A client that reads too slowly loses its connection,
not the others their time; it reconnects and gets the full view again.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from ludens.server.encoding import encode, encoded
from ludens.server.language import answered_in
from ludens.server.streaming import views
from ludens.server.streaming.actions import encoded_actions
from ludens.server.streaming.patience import Patience
from ludens.server.tables.table import Happened, Table
from ludens.server.threads import FairThreads

__all__ = ["Subscriber", "in_thread", "subscribed"]

Result = TypeVar("Result")
Recalled = dict[int | None, list[Any]]  # steps by seat, as they are sent

_MOST_WAITING = 64
_HEARTBEAT = encode({"type": "heartbeat"})
_AFTER_UNDO = 50  # steps that are told again after an undo
_lookers: WeakKeyDictionary[asyncio.AbstractEventLoop, FairThreads] = WeakKeyDictionary()  # of every server


async def in_thread(work: Callable[..., Result], *arguments: Any) -> Result:
    """Runs what takes long, such as looking back at a game, outside the loop."""
    loop = asyncio.get_running_loop()
    if loop not in _lookers:
        _lookers[loop] = FairThreads(1, "ludens-history")  # one: who looks back shares a core with nobody who plays
    context = contextvars.copy_context()  # with the language of the request
    return await _lookers[loop].run(context.run, work, *arguments)


class Subscriber:
    """One connection to a table, for one or several seats (hot seat), or for the spectator's view."""

    def __init__(self, seats: Sequence[int | None], positions: bool = False, full: bool = False) -> None:
        self.seats = tuple(seats) or (None,)
        self.positions = positions  # wants the position after every step, to animate it
        self.full = full  # wants the record, to let an agent choose
        self.language = answered_in.get()
        self.too_slow = False
        self._queue: list[str | None] = []
        self._filled: asyncio.Future[None] | None = None  # while somebody waits for a message
        self._silence: Patience | None = None
        self._sent: dict[int | None, dict[str, Any]] = {}

    @property
    def queued(self) -> int:
        """How many messages wait to be sent."""
        return len(self._queue)

    def offer(self, *messages: str) -> None:
        """Queues messages behind those that wait; a full queue ends the connection."""
        if self.too_slow:
            return
        for message in messages:
            if len(self._queue) >= _MOST_WAITING:
                self.too_slow = True
                self.end()
                return
            self._put(message)

    def end(self) -> None:
        """Lets the connection close after what is queued."""
        self._put(None)

    def _put(self, message: str | None) -> None:
        self._queue.append(message)
        if self._filled is not None and not self._filled.done():
            self._filled.set_result(None)

    async def take(self, seconds: float) -> list[str | None]:
        """All messages that are queued, None for the end; after so long without one a heartbeat."""
        if not self._queue:
            if self._silence is None:
                self._silence = Patience(seconds, lambda: self._put(_HEARTBEAT))
            self._filled = asyncio.get_running_loop().create_future()
            self._silence.begin()
            await self._filled
            self._silence.end()
        taken, self._queue = self._queue, []
        return taken

    def close(self) -> None:
        """Nobody takes messages any more."""
        if self._silence is not None:
            self._silence.close()

    def _first(self, table: Table, start: int | None, undos: int | None) -> int:
        """The ply of the first step to tell: as far back as was asked for and is told at once.

        A client that names the number of undos it knows gets steps from the beginning if another undo has happened.
        """
        if start is None:
            return table.ply
        start = 0 if undos is not None and undos != table.undos else start
        return max(min(start, table.ply), table.ply - views.most_steps(self.positions))

    def looks_back(self, table: Table, start: int | None, undos: int | None) -> int:
        """How many steps a hello asks for, of all its audiences together."""
        audiences = {views.audience_of_steps(table, seat) for seat in self.seats}
        return (table.ply - self._first(table, start, undos)) * len(audiences)

    def recall(self, table: Table, log: list[int], start: int | None, undos: int | None) -> Recalled:
        """The steps that a hello asks for, by seat; takes long, and may run in a thread."""
        return self._recalled(table, log, self._first(table, start, undos))

    def _recalled(self, table: Table, log: list[int], first: int) -> Recalled:
        told: Recalled = {}
        for audience in {views.audience_of_steps(table, seat) for seat in self.seats}:
            steps = views.history(table, log, audience, first, len(log), self.positions)
            told[audience] = [encoded(step, self.language) for step in steps]
        return {seat: told[views.audience_of_steps(table, seat)] for seat in self.seats}

    def catch_up(self, table: Table, recalled: Recalled, ply: int, undone: bool) -> Recalled:
        """Adds what has happened since the ply; after an undo the last steps stand for all."""
        if undone:
            return {seat: self._told(table, None, seat) for seat in self.seats}
        log = table.match.log if table.match else []
        if ply == len(log):
            return recalled
        new = self._recalled(table, log, ply)
        return {seat: recalled[seat] + new[seat] for seat in self.seats}

    def greet(self, table: Table, recalled: Recalled) -> None:
        """The full view of every seat first, with the steps that were recalled."""
        self.offer(encode({"type": "table", "table": views.table_payload(table)}, self.language))
        for seat in self.seats:
            self._send_view(table, seat, recalled.get(seat, []))

    def _send_view(self, table: Table, seat: int | None, steps: list[Any]) -> None:
        payload = views.view_payload(table, seat, full=self.full)
        first = table.ply - len(steps)
        self._sent[seat] = payload
        view = self._ready(table, payload)
        self.offer(encode({"type": "view", "seat": seat, "from": first, "steps": steps, "view": view}, self.language))

    def update(self, table: Table, happened: Happened | None, cache: dict[Any, Any]) -> None:
        """The change as a delta; as a full view where a delta does not suffice.

        `cache` is shared by the subscribers of one change: equal audiences get equal bytes.
        """
        messages = []
        for seat in self.seats:
            before = self._sent.get(seat)
            wanted = (
                seat,
                self.full,
                self.positions,
                self.language,
                before["version"] if before and happened else None,
            )
            if wanted not in cache:
                cache[wanted] = self._message(table, happened, seat, before, cache)
            self._sent[seat], message = cache[wanted]
            messages.append(message)
        self.offer(*messages)

    def _message(
        self,
        table: Table,
        happened: Happened | None,
        seat: int | None,
        before: dict[str, Any] | None,
        cache: dict[Any, Any],
    ) -> tuple[dict[str, Any], str]:
        """The view that a seat has now, and the message that leads to it from the view before."""
        payload = cache.get((seat, self.full)) or views.view_payload(table, seat, full=self.full)
        cache[seat, self.full] = payload
        changed = None if before is None or happened is None else views.changes(before, payload, cache)
        steps = self._shared_steps(table, happened, seat, cache)
        if before is None or changed is None:
            first, view = steps[0]["ply"] if steps else table.ply, self._ready(table, payload)
            message = {"type": "view", "seat": seat, "from": first, "steps": steps, "view": view}
            return payload, encode(message, self.language)
        changed = self._ready(table, changed)
        if "position" in changed:
            changed["position"] = self._encoded_once(changed["position"], cache)
        message = {"type": "update", "seat": seat, "from": before["ply"], "ply": payload["ply"]}
        message |= {"steps": self._encoded_once(steps, cache), "changes": changed}
        return payload, encode(message, self.language)

    def _encoded_once(self, content: Any, cache: dict[Any, Any]) -> Any:
        """What several audiences are told, as JSON of this language."""
        key = ("json", id(content), self.language)
        if key not in cache:
            cache[key] = (content, encoded(content, self.language))  # it is kept, so that nothing else gets its id
        return cache[key][1]

    def _ready(self, table: Table, fields: dict[str, Any]) -> dict[str, Any]:
        """A view, or what changed of it, with its moves as they are sent."""
        legal = fields.get("legal")
        return {**fields, "legal": encoded_actions(table, legal, self.language)} if legal else {**fields}

    def recall_last(self, table: Table, cache: dict[Any, Any]) -> None:
        """Works out the steps that are told after an undo; takes long, and may run in a thread."""
        for seat in self.seats:
            self._shared_steps(table, None, seat, cache)

    def _shared_steps(
        self, table: Table, happened: Happened | None, seat: int | None, cache: dict[Any, Any]
    ) -> list[dict[str, Any]]:
        told = ("steps", views.audience_of_steps(table, seat), self.positions)
        if told not in cache:
            cache[told] = self._told(table, happened, seat)
        steps: list[dict[str, Any]] = cache[told]
        return steps

    def _told(self, table: Table, happened: Happened | None, seat: int | None) -> list[dict[str, Any]]:
        """The steps beside a full view: those that happened, or after an undo the last of those that are left."""
        if happened is not None:
            return views.published_steps(table, happened, seat, self.positions)
        log = table.match.log if table.match else []
        return views.history(table, log, seat, max(0, len(log) - _AFTER_UNDO), len(log), self.positions)

    def acknowledge(self, move_id: str, seat: int, ply: int, next_ply: int, repeated: bool) -> None:
        """Tells that a move is stored."""
        accepted = {"type": "accepted", "id": move_id, "seat": seat, "ply": ply}
        self.offer(encode({**accepted, "next_ply": next_ply, "repeated": repeated}))

    def update_table(self, table: Table, cache: dict[Any, Any]) -> None:
        """Seats, names or status as a message; the same bytes for all of a language."""
        key = ("table", self.language)
        if key not in cache:
            cache[key] = encode({"type": "table", "table": views.table_payload(table)}, self.language)
        self.offer(cache[key])


@contextlib.asynccontextmanager
async def subscribed(table: Table, subscriber: Subscriber, start: int | None, undos: int | None) -> AsyncIterator[None]:
    """Greets with what was recalled outside the loop; no change falls between the view and the first delta."""
    recalled: Recalled = {}
    if table.match is not None and start is not None:
        known, log = table.undos, table.match.log.copy()
        recalled = await in_thread(subscriber.recall, table, log, start, undos)
        recalled = subscriber.catch_up(table, recalled, len(log), table.undos != known)
    table.subscribers.add(subscriber)  # first: the greeting tells that it is here
    subscriber.greet(table, recalled)
    table.publish_table_soon()
    try:
        yield
    finally:
        subscriber.close()
        table.subscribers.discard(subscriber)
        table.publish_table_soon()
