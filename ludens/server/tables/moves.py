"""Moves, their reasons, undoing and resigning. Check, store, publish, in this order."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from ludens.agents.codes import kinds
from ludens.core.fields import Fields
from ludens.core.match import Match
from ludens.core.spec import Game
from ludens.i18n.messages import say
from ludens.server.clock import now
from ludens.server.refusal import Refusal
from ludens.server.storage import rows
from ludens.server.streaming import views
from ludens.server.streaming.subscribers import in_thread
from ludens.server.tables.all_tables import AllTables
from ludens.server.tables.results import REASONS, over_result, resigned_result
from ludens.server.tables.seats import Seat
from ludens.server.tables.table import ABANDONED, FINISHED, RUNNING, Subscriber, Table
from ludens.server.tables.time import LOSE
from ludens.server.tables.undoing import choice_to_undo

__all__ = ["Accepted", "AgentMove", "Moves"]


@dataclass(frozen=True)
class Accepted:
    """A move that is stored: the plies before and after it, and whether it had been stored before."""

    ply: int
    next_ply: int
    repeated: bool


@dataclass(frozen=True)
class AgentMove:
    """What an agent answered, and what it thought; or a random move that stands in for it."""

    action: int
    thought: dict[str, Any] | None
    stands_in: bool = False


class Moves:
    """Everything that happens in a running game; one a server."""

    def __init__(self, tables: AllTables) -> None:
        self._tables = tables

    def parse(self, table: Table, seat: int, move: Any) -> int:
        """The legal action for an id, a text or a JSON form; words and reasons come from the seat's view."""
        match = table.running()
        if type(move) is int and move in match.legal().tolist():  # what most programs and the page send
            return move
        return match.parse(move, Fields(match.view(seat)))

    async def play(
        self, table: Table, seat: int, move: Any, ply: int, move_id: str, mover: Subscriber | None = None
    ) -> Accepted:
        """Plays a move of the seat at the ply it answers; the same id again is answered, not played.

        The connection that it came by, if it is one, gets the acknowledgement together with the news.
        """
        began = time.monotonic()

        async def work() -> Accepted:
            accepted = await self._played(table, seat, move, ply, move_id)
            if mover is not None:
                mover.acknowledge(move_id, seat, accepted.ply, accepted.next_ply, accepted.repeated)
            return accepted

        accepted = await self._tables.change(table, work)
        self._tables.metrics.move_took(time.monotonic() - began)
        return accepted

    async def _played(self, table: Table, seat: int, move: Any, ply: int, move_id: str) -> Accepted:
        if table.status != RUNNING or table.undos or ply != table.ply:
            earlier = await self._tables.storage.read(rows.find_move(table.id, seat, move_id))
            if earlier is not None:
                return Accepted(*earlier, repeated=True)
        match = table.running()
        if ply != match.ply:
            sentence = say("The move answers ply {ply}, but the game is at ply {now}.", ply=ply, now=match.ply)
            raise Refusal("stale_move", sentence, view=views.view_payload(table, seat))
        if seat != match.actor:
            raise Refusal("not_your_turn", say("It is {name}'s turn.", name=table.names[match.actor]))
        await self._commit(table, self.parse(table, seat, move), seat, move_id)
        return Accepted(ply, table.ply, repeated=False)

    async def play_for_agent(self, table: Table, seat: int, move: AgentMove, version: int) -> None:
        """Plays an agent's answer, unless the table has changed while it thought."""

        async def work() -> None:
            if table.version == version and table.actor == seat:
                await self._commit(table, move.action, seat, None, move)

        await self._tables.change(table, work)

    async def _commit(
        self, table: Table, action: int, seat: int, move_id: str | None, agent: AgentMove | None = None
    ) -> None:
        """Check is done: play, store, publish."""
        ply = table.ply
        match, happened = table.after(action)
        thought = agent.thought if agent else None
        kind = "standin" if agent and agent.stands_in else "move"
        clock = None
        if table.times is not None and agent is None:
            if table.times.remaining(seat, seat) <= 0:
                raise Refusal("wrong_status", "Your time has run out.")
            clock = table.times.after_move(seat, match.actor != seat)
        writes = [rows.append(table, kind, ply, match.log[ply:], seat, move_id, thought, clock)]
        result, status = over_result(match) if match.over else None, FINISHED
        if result is None and match.ply >= self._tables.settings.longest_game:
            result, status = {"reason": say(REASONS[6], n=match.ply), "scores": None, "returns": None}, ABANDONED
        if result is not None:
            writes.append(rows.save(table, status=status, result=result))
        await self._tables.store(table, *writes)
        table.match, table.moved = match, now()
        if table.times is not None:
            table.times.moved(seat, table.times.left[seat] if clock is None else clock)
        if result is not None:
            table.status, table.result = status, result
        if agent is not None and (agent.stands_in or thought):
            table.note(ply, seat, thought, agent.stands_in)
        table.changed()
        self._tables.metrics.count("moves", f'game="{table.game.spec.name}"')
        table.publish(happened)
        if agent is not None and agent.stands_in:
            table.publish_table()
        if result is not None:
            self._tables.retire(table)

    async def undo(self, table: Table, seat: int, ply: int | None = None) -> int:
        """Undoes the seat's last choice, with all that followed; returns the ply it leads to.

        With the ply the client sees, asking twice undoes once.
        """

        async def work() -> int:
            match = table.running()
            if ply is not None and ply != match.ply:
                sentence = say("You saw ply {ply}, but the game is at ply {now}.", ply=ply, now=match.ply)
                raise Refusal("stale_move", sentence, view=views.view_payload(table, seat))
            reason = table.why_no_undo()
            if reason is not None:
                raise Refusal("forbidden", reason)
            reached, match = await in_thread(_undone, table, match, seat)
            await self._tables.store(table, rows.append(table, "undo", reached, [], seat))
            table.match, table.past = match, None
            if table.times is not None:
                table.times.begin()
            table.undos += 1
            table.forget_from(reached)
            table.changed()
            await self._tables.tell_anew(table)
            return reached

        return await self._tables.change(table, work)

    async def resign(self, table: Table, index: int) -> None:
        """Gives a running game up.

        If one side is left, or no person, the game ends; otherwise an agent plays the seat on.
        """

        async def work() -> None:
            table.running()
            await self._give_up(table, table.seat(index).index)

        await self._tables.change(table, work)

    async def run_out(self, table: Table, index: int) -> None:
        """A seat's time has run out: it loses, or an agent plays it on, as was agreed."""

        async def work() -> None:
            times = table.times
            if times is None or table.actor != index or times.remaining(index, index) > 0:
                return  # the move came in time
            if times.clock.expired == LOSE:
                await self._give_up(table, index, "time")
                return
            seats = table.copied_seats()
            self._hand_over(table, seats[index])
            await self._tables.seats_changed(table, seats)
            await self._tables.tell_anew(table)

        await self._tables.change(table, work)

    async def _give_up(self, table: Table, index: int, reason: str = "resigned") -> None:
        seats = table.copied_seats()
        seats[index].resigned = True
        result = resigned_result(table, seats)
        if result is not None:
            await self._tables.finish(table, {**result, "reason": reason}, seats=seats)
            return
        self._hand_over(table, seats[index])
        await self._tables.seats_changed(table, seats)

    def _hand_over(self, table: Table, seat: Seat) -> None:
        """An agent plays the seat on."""
        seat.kind, seat.agent = "agent", self._substitute(table.game)
        seat.token, seat.reserved = None, seat.token  # known as somebody who sat here

    def _substitute(self, game: Game) -> str:
        known = kinds(game)
        return next((name for name in ("medium", "easy", "heuristic") if name in known), "random")


def _undone(table: Table, match: Match, seat: int) -> tuple[int, Match]:
    """The ply before the seat's last choice, and the match there; takes long, and may run in a thread."""
    reached, earlier = choice_to_undo(table, match.log, seat), match.copy()
    earlier.undo(reached)
    return reached, earlier
