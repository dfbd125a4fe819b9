"""Agents' turns: whenever a seat of the server's own is to act, one task lets it think and plays its answer."""

from __future__ import annotations

import asyncio
import logging
import secrets

from ludens.server.refusal import Refusal
from ludens.server.tables.moves import Moves
from ludens.server.tables.table import Table
from ludens.server.thinking.pool import AgentFailed, Pool
from ludens.server.thinking.worker import Farewell, Question

__all__ = ["AgentTurns"]

_log = logging.getLogger("ludens.server")


class AgentTurns:
    """Watches over all tables; a table has at most one agent that thinks."""

    def __init__(self, moves: Moves, pool: Pool, seconds: float) -> None:
        self._moves = moves
        self._pool = pool
        self._seconds = seconds  # the clock of a move
        self._stopped = False

    def stop(self) -> None:
        """No agent begins to think any more: the server ends."""
        self._stopped = True

    def changed(self, table: Table) -> None:
        """Starts the agents of a table if one of them is to act and none is thinking."""
        if table.thinking is None and not self._stopped and self._agent(table) is not None:
            table.thinking = asyncio.create_task(self._run(table))

    def _agent(self, table: Table) -> int | None:
        actor = table.actor
        return actor if actor is not None and table.seats[actor].kind == "agent" else None

    async def _run(self, table: Table) -> None:
        try:
            while not self._stopped and await self._turn(table):
                pass
        except Refusal as refusal:
            _log.error("agent stopped", extra={"facts": {"table": table.id, "reason": refusal.message}})
            await asyncio.sleep(1.0)  # the storage is in trouble: try again, but not at once
        finally:
            table.thinking = None
        self.changed(table)

    async def _turn(self, table: Table) -> bool:
        """One move of an agent; false when it is somebody else's turn."""
        async with table.lock:
            seat = self._agent(table)
            if seat is None:
                return False
            match = table.running()
            legal, version = match.legal(), table.version
            code = table.seats[seat].agent or "random"
            question = Question(
                table=table.id,
                seat=seat,
                game=table.game.spec.name,
                code=code,
                options=table.options.tobytes(),
                seed=table.seed_of_agent(seat, match.ply),
                view=match.view(seat).tobytes(),
                legal=legal.tobytes(),
                seconds=self._seconds,
            )
        allowed = [int(a) for a in legal]
        try:
            action = await self._pool.choose(table.address, question)
            if action not in allowed:
                raise AgentFailed(f"it answered {action}, which is not a legal move")
        except AgentFailed as failure:
            action = secrets.choice(allowed)
            self._tell(table, seat, code, str(failure))
        await self._moves.play_for_agent(table, seat, action, version)
        return True

    def _tell(self, table: Table, seat: int, code: str, reason: str) -> None:
        """The table learns that an agent failed and that a random move stands in for it."""
        _log.error("agent failed", extra={"facts": {"table": table.id, "seat": seat, "agent": code, "reason": reason}})
        table.notice = f"The agent of {table.names[seat]} failed; a random move was played for it."
        table.publish_table()

    def ended(self, table: Table) -> None:
        """Lets the workers forget the agents of an ended table."""
        if table.match is not None:
            seats = [seat.index for seat in table.seats if seat.kind == "agent"]
            final = {seat: table.match.view(seat).tobytes() for seat in seats}
            self._pool.farewell(Farewell(table.id, table.game.spec.name, final))
