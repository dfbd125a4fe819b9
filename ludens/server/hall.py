"""The hall: all tables of a server, and everything that can be done at one.

The order of every change is: check, store, publish. A change holds the table's lock from
the check to the publication and runs as a task of its own, so that a client that goes away
in the middle cannot leave a half-made move behind.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa

from ludens.agents.codes import kinds, parse_code
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.match import Event, Match
from ludens.core.spec import Game
from ludens.server import records, views
from ludens.server.errors import Refusal
from ludens.server.limits import Buckets, Sockets
from ludens.server.metrics import Metrics
from ludens.server.outcomes import over_result, resigned_result
from ludens.server.pool import Pool
from ludens.server.seats import Seat, clean_name, hashed, new_table_id, new_token, same
from ludens.server.settings import Settings
from ludens.server.storage import Storage
from ludens.server.subscribers import publish, publish_table
from ludens.server.tables import ABANDONED, FINISHED, RUNNING, WAITING, Happened, Table
from ludens.server.turns import Turns

__all__ = ["Accepted", "Hall", "SeatPlan"]

Result = TypeVar("Result")
_log = logging.getLogger("ludens.server")
_ENDED_KEPT = 64  # ended tables held in memory for readers


@dataclass(frozen=True)
class SeatPlan:
    """What a seat of a new table shall be."""

    kind: str
    name: str | None = None
    agent: str | None = None


@dataclass(frozen=True)
class Accepted:
    """A move that is stored: the plies before and after it, and whether it had been stored before."""

    ply: int
    next_ply: int
    repeated: bool


class Hall:
    """All tables, the storage behind them and the agents' workers."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.storage = Storage(settings.database)
        self.buckets = Buckets(settings.rate, settings.burst)
        self.sockets = Sockets(settings)
        self.pool = Pool(settings.workers, settings.plugins, settings.agent_patience)
        self.turns = Turns(self)
        self.closing = False
        self.tables: dict[str, Table] = {}  # waiting and running
        self._ended: OrderedDict[str, Table] = OrderedDict()
        self._changes: set[asyncio.Task[Any]] = set()
        self._sweeper: asyncio.Task[None] | None = None
        self._declare_gauges()

    # --- life --------------------------------------------------------------------------

    async def open(self) -> None:
        """Opens the storage, brings all living tables back and lets their agents play on."""
        await asyncio.to_thread(self.storage.open)
        self.pool.start()
        for table_id in await self.storage.read(records.living):
            try:
                table = await self.storage.read(records.load(table_id))
            except BadInput as error:
                _log.error("table cannot continue", extra={"facts": {"table": table_id, "reason": str(error)}})
                continue
            if table is not None:
                self.tables[table_id] = table
                await self._catch_up(table)
        self._sweeper = asyncio.create_task(self._sweep_forever())

    async def _catch_up(self, table: Table) -> None:
        """Starts a table that was about to start, or ends one that was about to end, when the server fell."""
        async with table.lock:
            if table.status == WAITING:
                await self._start_if_full(table)
            elif table.match is not None and table.match.over:
                await self._finish(table, over_result(table))
        self.turns.look(table)

    def stop_accepting(self) -> None:
        """The first step of a graceful end: streams close, so that nothing holds the server up."""
        self.closing = True
        for table in [*self.tables.values(), *self._ended.values()]:
            for subscriber in tuple(table.subscribers):
                subscriber.end()
            for waiter in table.waiters:
                if not waiter.done():
                    waiter.set_result(None)

    async def close(self) -> None:
        """Finishes what is under way, then the workers, then the storage."""
        self.stop_accepting()
        if self._sweeper:
            self._sweeper.cancel()
        for table in self.tables.values():
            if table.thinking:
                table.thinking.cancel()
        if self._changes:
            await asyncio.wait(self._changes, timeout=10)
        await self.pool.close()
        await asyncio.to_thread(self.storage.close)

    def _declare_gauges(self) -> None:
        def by_status() -> dict[str, float]:
            found = {WAITING: 0, RUNNING: 0}
            for table in self.tables.values():
                found[table.status] = found.get(table.status, 0) + 1
            return {f'status="{status}"': count for status, count in found.items()}

        gauge = self.metrics.gauge
        gauge("tables", "Tables in memory by status.", by_status)
        gauge("sockets", "Open WebSockets and event streams.", lambda: {"": self.sockets.total})
        gauge("agents_thinking", "Agents that think now.", lambda: {"": self.pool.thinking})
        gauge("agents_waiting", "Agents that wait for a worker.", lambda: {"": self.pool.waiting})
        gauge("agents_failed", "Agents' moves that failed since the start.", lambda: {"": self.pool.failed})
        gauge("writes_waiting", "Writes that wait for a commit.", lambda: {"": self.storage.waiting})

    # --- finding -----------------------------------------------------------------------

    async def table(self, table_id: str, token: str | None = None, admin: bool = False) -> Table:
        """The table, from memory or storage; private ones exist only for those invited."""
        table = self.tables.get(table_id) or self._ended.get(table_id)
        if table is None:
            try:
                table = await self.storage.read(records.load(table_id))
            except BadInput as error:
                raise Refusal("not_readable", str(error)) from error
            if table is not None and table.ended:
                table = self._ended.setdefault(table_id, table)
                while len(self._ended) > _ENDED_KEPT:
                    self._ended.popitem(last=False)
        if table is None or not (admin or table.may_see(token)):
            raise Refusal("not_found", f"There is no table {table_id!r}.")
        if table_id in self._ended:
            self._ended.move_to_end(table_id)
        return table

    def game(self, name: str) -> Game:
        """The game of that name; an unknown one is refused with the nearest names."""
        try:
            return registry.game(name)
        except BadInput as error:
            raise Refusal("not_found", str(error)) from error

    async def view(self, table: Table, audience: int | None, ply: int | None = None, full: bool = False) -> dict[str, Any]:
        """The audience's view, newest or at an earlier ply."""
        async with table.lock:
            await self._settle_doubt(table)
            if ply is None or table.match is None:
                return views.view_payload(table, audience, full=full)
            return views.view_payload(table, audience, table.match.at(ply), full)

    async def wait(self, table: Table, after: int, seconds: float) -> None:
        """Returns when the table's version is beyond `after`, or after so many seconds."""
        if table.version > after or self.closing:
            return
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        table.waiters.add(waiter)
        try:
            await asyncio.wait_for(waiter, seconds)
        except TimeoutError:
            pass
        finally:
            table.waiters.discard(waiter)

    # --- changes: the frame ------------------------------------------------------------

    async def _change(self, table: Table, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Runs a change under the table's lock, in a task that outlives its client."""

        async def locked() -> Result:
            async with table.lock:
                await self._settle_doubt(table)
                return await work()

        task = asyncio.create_task(locked())
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await asyncio.shield(task)

    async def _settle_doubt(self, table: Table) -> None:
        """After a failed commit, what is stored is the truth."""
        if not table.doubtful:
            return
        stored = await self.storage.read(records.load(table.id))
        if stored is None:
            raise Refusal("unavailable", "The table could not be stored; please make a new one.")
        table.match, table.entries, table.undos = stored.match, stored.entries, stored.undos
        table.seats, table.status, table.result, table.rematch = (
            stored.seats,
            stored.status,
            stored.result,
            stored.rematch,
        )
        table.doubtful = False
        table.changed()

    async def _store(self, table: Table, *writes: Callable[[sa.Connection], None]) -> None:
        """Commits, or leaves the table to be read again and says that nothing can be stored now."""

        def all_of_them(connection: sa.Connection) -> None:
            for write in writes:
                write(connection)

        try:
            await self.storage.write(all_of_them)
        except Exception as error:
            table.doubtful = True
            _log.error("commit failed", exc_info=error, extra={"facts": {"table": table.id}})
            raise Refusal("unavailable", "The server cannot store this now; send it again.") from error

    # --- making and filling tables -----------------------------------------------------

    async def create(
        self,
        game: Game,
        options: Mapping[str, Any],
        plans: list[SeatPlan],
        address: str,
        private: bool = False,
        seed: int | None = None,
        admin: bool = False,
    ) -> tuple[Table, dict[str, Any]]:
        """A new table and its secrets: the owner's token, the human seats' tokens, the invitation."""
        self._check_room(address, admin)
        given = {"players": len(plans), **options} if plans else dict(options)
        numbers = game.options(given)
        players = int(numbers[0])
        plans = plans or [SeatPlan("human")] + [SeatPlan("open")] * (players - 1)
        if len(plans) != players:
            raise Refusal("bad_request", f"{players} players need {players} seats, not {len(plans)}.")
        if seed is not None and not admin and any(plan.kind != "agent" for plan in plans):
            raise Refusal("forbidden", "Only tables of agents alone may be given a seed: it foretells all draws.")
        owner, invitation = new_token(), new_token() if private else None
        table = Table(
            id=new_table_id(),
            game=game,
            options=numbers,
            seats=[Seat(k, "open", name) for k, name in enumerate(game.spec.seat_names(players))],
            owner=hashed(owner),
            address=address,
            private=private,
            invitation=hashed(invitation) if invitation else None,
        )
        if seed is not None:
            table.seed = seed
        tokens = [{"seat": seat.index, "token": self._plan(table, seat, plan)} for seat, plan in zip(table.seats, plans)]
        secrets = {
            "owner_token": owner,
            "tokens": [given for given in tokens if given["token"]],
            "invitation": invitation,
        }
        await self._open_table(table)
        return table, secrets

    def _check_room(self, address: str, admin: bool) -> None:
        if self.closing:
            raise Refusal("unavailable", "The server is about to stop; try again in a moment.")
        if len(self.tables) >= self.settings.tables:
            raise Refusal("too_many", "The server has as many tables as it may; try again later.")
        mine = sum(table.address == address for table in self.tables.values())
        if mine >= self.settings.tables_per_address and not admin:
            raise Refusal("too_many", f"An address may have {self.settings.tables_per_address} tables at once.")

    async def _open_table(self, table: Table) -> None:
        async def work() -> None:
            self.tables[table.id] = table
            try:
                await self._store(table, records.create(table))
            except Refusal:
                del self.tables[table.id]
                raise
            await self._start_if_full(table)

        await self._change(table, work)
        self.metrics.count("tables_made", f'game="{table.game.spec.name}"')
        self.turns.look(table)

    def _plan(self, table: Table, seat: Seat, plan: SeatPlan) -> str | None:
        """Makes the seat what the plan says; returns the token if it became a human's."""
        name = None if plan.name is None else clean_name(plan.name)
        agent = None
        if plan.kind == "agent":
            if not plan.agent:
                raise Refusal("bad_request", f"Seat {seat.index} needs the name of its agent.")
            kind, _ = parse_code(table.game, plan.agent)
            if kind.oracle:
                raise Refusal("forbidden", f"Agent {kind.name} sees hidden cards and may not sit at a table.")
            agent = plan.agent
            name = name or clean_name(kind.name.replace("_", " ").capitalize())
        elif plan.agent:
            raise Refusal("bad_request", f"Seat {seat.index} is {plan.kind}; only a seat of kind agent has an agent.")
        token = new_token() if plan.kind == "human" else None
        seat.kind, seat.agent, seat.reserved = plan.kind, agent, None
        seat.token = hashed(token) if token else None
        seat.name = name or table.game.spec.seat_names(len(table.seats))[seat.index]
        return token

    async def _start_if_full(self, table: Table) -> None:
        """Begins the game once every seat is taken; the caller holds the lock."""
        if table.status != WAITING or not all(seat.taken for seat in table.seats):
            return
        match = Match(table.game, table.game.show_options(table.options), table.seed, table.names)
        table.status = RUNNING
        await self._store(table, records.append(table, "start", 0, list(match.log)), records.save(table))
        table.match = match
        table.entries += 1
        table.changed()
        publish_table(table)
        publish(table, None)

    async def plan_seat(self, table: Table, index: int, plan: SeatPlan) -> str | None:
        """Changes a seat of a waiting table; returns the token of a new human seat."""
        seat = table.seat(index)

        async def work() -> str | None:
            if table.status != WAITING:
                raise Refusal("wrong_status", f"Seats change while a table waits; this one is {table.status}.")
            token = self._plan(table, seat, plan)
            await self._seats_changed(table)
            return token

        token = await self._change(table, work)
        self.turns.look(table)
        return token

    async def rename(self, table: Table, index: int, name: str) -> None:
        """Gives a seat a new name."""
        name = clean_name(name)
        seat = table.seat(index)

        async def work() -> None:
            seat.name = name
            if table.match is not None:
                table.match.names = tuple(table.names)
            await self._seats_changed(table)

        await self._change(table, work)

    async def _seats_changed(self, table: Table) -> None:
        await self._store(table, records.save(table, seats=True))
        table.changed()
        publish_table(table)
        await self._start_if_full(table)

    async def join(self, table: Table, index: int | None, name: str | None, token: str | None = None) -> tuple[int, str]:
        """Sits down on an open seat (the first, if none is named); returns the seat and its token."""
        cleaned = None if name is None else clean_name(name)

        async def work() -> tuple[int, str]:
            if table.ended:
                raise Refusal("wrong_status", f"The table is {table.status}; nobody can join.")
            free = [seat for seat in table.seats if not seat.taken and not seat.resigned]
            if index is not None:
                free = [seat for seat in free if seat is table.seat(index)]
            free = [seat for seat in free if seat.reserved is None or same(token, seat.reserved)]
            if not free:
                raise Refusal("seat_taken", "That seat is taken." if index is not None else "Every seat is taken.")
            seat, given = free[0], new_token()
            seat.token, seat.reserved = hashed(given), None
            seat.name = cleaned or seat.name
            if table.match is not None:
                table.match.names = tuple(table.names)
            await self._seats_changed(table)
            return seat.index, given

        joined = await self._change(table, work)
        self.turns.look(table)
        return joined

    async def leave(self, table: Table, index: int) -> None:
        """Gives a seat up: its token is void and the seat open to others."""
        seat = table.seat(index)

        async def work() -> None:
            if table.ended:
                raise Refusal("wrong_status", f"The table is {table.status}; there is nothing to leave.")
            seat.kind, seat.token = "open", None
            await self._seats_changed(table)

        await self._change(table, work)

    # --- playing -----------------------------------------------------------------------

    def parse(self, table: Table, seat: int, move: Any) -> int:
        """The legal action for an id, a text or a JSON form; words and reasons come from the seat's view."""
        match = table.running()
        view, text = match.view(seat)[0], table.game.text
        if isinstance(move, str):
            move = text.action_from_text(view, move)
        elif isinstance(move, Mapping):
            move = text.action_from_json(view, move)
        if isinstance(move, bool) or not isinstance(move, int):
            raise Refusal("bad_request", "A move is an action id, a text or a JSON object.")
        if not 0 <= move < table.game.spec.actions:
            raise Refusal("bad_request", f"Action ids are 0 to {table.game.spec.actions - 1}, not {move}.")
        if move not in match.legal():
            raise Refusal("illegal_move", text.refusal(view, move))
        return int(move)

    async def play(self, table: Table, seat: int, move: Any, ply: int, move_id: str) -> Accepted:
        """Plays a move of the seat at the ply it answers; the same id again is answered, not played."""
        began = time.monotonic()

        async def work() -> Accepted:
            if table.status != RUNNING or table.undos or ply != table.ply:
                earlier = await self.storage.read(records.find_move(table.id, seat, move_id))
                if earlier is not None:
                    return Accepted(*earlier, repeated=True)
            match = table.running()
            if ply != match.ply:
                sentence = f"The move answers ply {ply}, but the game is at ply {match.ply}."
                raise Refusal("stale_move", sentence, view=views.view_payload(table, seat))
            if seat != match.actor:
                raise Refusal("not_your_turn", f"It is {table.names[match.actor]}'s turn.")
            action = self.parse(table, seat, move)
            await self._apply(table, action, seat, move_id)
            return Accepted(ply, match.ply, repeated=False)

        accepted = await self._change(table, work)
        self.metrics.move_took(time.monotonic() - began)
        self.turns.look(table)
        return accepted

    async def play_for_agent(self, table: Table, seat: int, action: int, version: int) -> None:
        """Plays an agent's answer, unless the table has changed while it thought."""

        async def work() -> None:
            if table.version == version and table.actor == seat:
                await self._apply(table, action, seat, None)

        await self._change(table, work)

    async def _apply(self, table: Table, action: int, seat: int, move_id: str | None) -> None:
        """Check is done: play, store, publish."""
        match = table.running()
        ply = match.ply
        states: list[Any] = []

        def remember(event: Event) -> None:
            if event.kind == "step":
                states.append(match.state())

        match._listeners[:] = [remember]
        steps = match.play(action, seat)
        match._listeners.clear()
        writes = [records.append(table, "move", ply, match.log[ply:], seat, move_id)]
        if match.over:
            table.status, table.result = FINISHED, over_result(table)
            writes.append(records.save(table))
        await self._store(table, *writes)
        table.entries += 1
        table.changed()
        self.metrics.count("moves", f'game="{table.game.spec.name}"')
        publish(table, Happened(tuple(steps), tuple(states)))
        if table.status == FINISHED:
            self._retire(table)

    async def undo(self, table: Table, seat: int, move_id: str | None = None) -> int:
        """Takes the seat's last choice back, with all that followed; returns the ply it leads to."""

        async def work() -> int:
            match = table.running()
            if table.game.spec.hidden:
                raise Refusal("forbidden", "Moves are not taken back in a game with hidden information.")
            if len(table.person_seats()) != 1:
                raise Refusal("forbidden", "Moves are taken back only where all other seats are agents.")
            first_automatic = table.game.spec.first_automatic
            mine = [step.ply for step in match.steps() if step.actor == seat and step.action < first_automatic]
            if not mine:
                raise Refusal("bad_request", "There is no move to take back.")
            match.undo(mine[-1])
            await self._store(table, records.append(table, "undo", mine[-1], [], seat, move_id))
            table.entries += 1
            table.undos += 1
            table.changed()
            publish(table, None)
            return mine[-1]

        ply = await self._change(table, work)
        self.turns.look(table)
        return ply

    async def resign(self, table: Table, index: int) -> None:
        """Gives a running game up.

        If one side is left, or no person, the game ends; otherwise an agent plays the seat on.
        """
        seat = table.seat(index)

        async def work() -> None:
            table.running()
            seat.resigned = True
            result = resigned_result(table)
            if result is not None:
                await self._finish(table, result)
                return
            seat.kind, seat.token, seat.agent = "agent", None, self._substitute(table.game)
            await self._seats_changed(table)

        await self._change(table, work)
        self.turns.look(table)

    def _substitute(self, game: Game) -> str:
        known = kinds(game)
        return next((name for name in ("medium", "easy", "heuristic") if name in known), "random")

    async def _finish(self, table: Table, result: dict[str, Any], status: str = FINISHED) -> None:
        """Ends a table; the caller holds the lock."""
        before = table.status, table.result
        table.status, table.result = status, result
        try:
            await self._store(table, records.save(table, seats=True))
        except Refusal:
            table.status, table.result = before
            raise
        table.changed()
        publish(table, None)
        self._retire(table)

    def _retire(self, table: Table) -> None:
        """Moves an ended table out of the living ones and tells everybody."""
        publish_table(table)
        self.turns.end(table)
        self.tables.pop(table.id, None)
        self._ended[table.id] = table
        while len(self._ended) > _ENDED_KEPT:
            self._ended.popitem(last=False)
        self.metrics.count("tables_ended", f'status="{table.status}"')
        _log.info("table ended", extra={"facts": {"table": table.id, "status": table.status}})

    async def abandon(self, table: Table, reason: str) -> None:
        """Ends a waiting or running table without a result."""

        async def work() -> None:
            if table.ended:
                raise Refusal("wrong_status", f"The table is {table.status} already.")
            await self._finish(table, {"reason": reason, "scores": None, "returns": None}, ABANDONED)

        await self._change(table, work)

    async def rematch(self, table: Table, tokens: list[str], address: str) -> tuple[Table, list[dict[str, Any]]]:
        """The same game again: the first to ask opens it, the others find it; each gets new tokens."""
        seats = sorted({seat for token in tokens if (seat := table.seat_of(token)) is not None})
        if not seats:
            raise Refusal("forbidden", "A rematch needs the token of a seat of the finished game.")

        async def work() -> Table:
            if not table.ended:
                raise Refusal("wrong_status", f"The table is {table.status}; a rematch needs a finished one.")
            if table.rematch is not None:
                return await self.table(table.rematch, admin=True)
            self._check_room(address, admin=False)
            again = Table(
                id=new_table_id(),
                game=table.game,
                options=table.options,
                seats=[
                    Seat(s.index, s.kind, s.name, s.agent, None, None if s.kind == "agent" else s.token)
                    for s in table.seats
                ],
                owner=table.owner,
                address=address,
                private=table.private,
                invitation=table.invitation,
            )
            table.rematch = again.id
            await self._store(table, records.create(again), records.save(table))
            self.tables[again.id] = again
            table.changed()
            publish_table(table)
            return again

        again = await self._change(table, work)
        given = []
        for seat in seats:
            token = next(token for token in tokens if same(token, table.seats[seat].token))
            if not again.seats[seat].taken:
                joined, new = await self.join(again, seat, None, token)
                given.append({"seat": joined, "token": new})
        return again, given

    # --- time --------------------------------------------------------------------------

    async def _sweep_forever(self) -> None:
        while True:
            await asyncio.sleep(self.settings.sweep)
            await self.sweep()

    async def sweep(self) -> int:
        """Abandons tables where nothing has happened for too long; returns how many."""
        now, swept = time.time(), 0
        hours = {WAITING: self.settings.waiting_hours, RUNNING: self.settings.running_hours}
        for table in list(self.tables.values()):
            idle = table.thinking is None and now - table.updated > 3600 * hours.get(table.status, 0.0)
            if idle and not table.ended:
                try:
                    await self.abandon(table, f"nothing happened for {hours[table.status]:g} hours")
                    swept += 1
                except Refusal:
                    continue
        return swept
