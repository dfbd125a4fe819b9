"""Agents' turns: whenever a seat of the server's own is to act, one task lets it think and plays its answer."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from typing import Any

import numpy as np

from ludens.i18n.messages import say
from ludens.server.preparing.preparation import Preparation
from ludens.server.refusal import Refusal
from ludens.server.settings import Settings
from ludens.server.tables.all_tables import AllTables
from ludens.server.tables.moves import AgentMove, Moves
from ludens.server.tables.results import REASONS
from ludens.server.tables.table import Table
from ludens.server.thinking.messages import Farewell, Question
from ludens.server.thinking.pool import AgentFailed, Compiles, Overran, Pool

__all__ = ["AgentTurns"]

_MOST_OVERRUNS = 3  # of one agent; after them it is not asked any more
_PAUSE = 1.0  # seconds after a failure
_log = logging.getLogger("ludens.server")


class AgentTurns:
    """Watches over all tables; a table has at most one agent that thinks."""

    def __init__(
        self, tables: AllTables, moves: Moves, pool: Pool, preparation: Preparation, settings: Settings
    ) -> None:
        self._tables = tables
        self._moves = moves
        self._pool = pool
        self._preparation = preparation
        self._seconds = settings.agent_seconds  # the clock of a move
        self._longest_alone = settings.agents_alone
        self._stopped = False
        self._compiled: set[tuple[str, str, bytes]] = set()  # agents that the preparing process has looked at
        self._waiting: set[str] = set()  # tables whose agent it compiles

    def stop(self) -> None:
        """No agent begins to think any more: the server ends."""
        self._stopped = True

    def changed(self, table: Table) -> None:
        """Starts the agents of a table if one of them is to act and none is thinking."""
        if table.thinking is None and not self._stopped and self._agent(table) is not None:
            table.thinking = asyncio.create_task(self._run(table))

    def stands_still(self, table: Table) -> bool:
        """Is an agent to act, and none thinks or waits? It may be so for a moment, between two steps of its task."""
        if self._agent(table) is None or self._stopped or table.lock.locked():
            return False
        waits = (
            table.id in self._waiting
            or self._pool.has(table.address, table.id)
            or not self._preparation.progress(table.game.spec.name).ready
        )
        return table.thinking is None or table.thinking.done() or not waits

    def begin_anew(self, table: Table) -> None:
        """Lets the agent to act think, whatever has become of the task before."""
        if table.thinking is not None:
            table.thinking.cancel()
            table.thinking = None
        self.changed(table)

    def needs(self, table: Table) -> bool:
        """Another process lets its agents think."""
        return False

    def _agent(self, table: Table) -> int | None:
        actor = table.actor if self._tables.keeps(table.id) else None
        return actor if actor is not None and table.seats[actor].kind == "agent" else None

    async def _run(self, table: Table) -> None:
        try:
            while not self._stopped and await self._turn(table):
                pass
        except Refusal as refusal:
            _log.error("agent stopped", extra={"facts": {"table": table.id, "reason": refusal.message}})
            await asyncio.sleep(_PAUSE)  # the storage is in trouble: try again, but not at once
        except Exception as error:
            _log.error("agent stopped", exc_info=error, extra={"facts": {"table": table.id}})
            await asyncio.sleep(_PAUSE)
        finally:
            if table.thinking is asyncio.current_task():
                table.thinking = None
        self.changed(table)

    async def _turn(self, table: Table) -> bool:
        """One move of an agent; false when it is somebody else's turn."""
        await self._preparation.wait_for_agents(table.game.spec.name)
        await self._tables.settled(table)
        seat = self._agent(table)
        if seat is None:
            return False
        if self._endless(table):
            with contextlib.suppress(Refusal):  # somebody else has ended it
                await self._tables.abandon(table, say(REASONS[1], n=table.ply))
            return False
        question, version = self._question(table, seat), table.version
        await self._moves.play_for_agent(table, seat, await self._move(table, seat, question), version)
        return True

    def _endless(self, table: Table) -> bool:
        return table.ply >= self._longest_alone and all(seat.kind == "agent" for seat in table.seats)

    def _question(self, table: Table, seat: int) -> Question:
        match = table.running()
        return Question(
            table=table.id,
            seat=seat,
            game=table.game.spec.name,
            code=table.seats[seat].agent or "random",
            options=table.options.tobytes(),
            seed=table.seed_of_agent(seat, match.ply),
            view=match.view(seat).tobytes(),
            legal=match.legal().tobytes(),
            seconds=self._seconds,
        )

    async def _move(self, table: Table, seat: int, question: Question) -> AgentMove:
        """The agent's answer, or a random move in its place."""
        allowed = [int(a) for a in np.frombuffer(question.legal, np.int64)]
        if table.overruns[seat] >= _MOST_OVERRUNS:
            return AgentMove(secrets.choice(allowed), None, stands_in=True)
        try:
            return _checked(await self._choice(table, question), allowed)
        except AgentFailed as failure:
            table.overruns[seat] += isinstance(failure, Overran)
            self._tell(table, seat, question.code, str(failure))
            return AgentMove(secrets.choice(allowed), None, stands_in=True)

    async def _choice(self, table: Table, question: Question) -> dict[str, Any]:
        """A worker's answer; what is not compiled is compiled by the preparing process first, and once."""
        variant = (question.game, question.code, question.options)
        try:
            may_compile = variant in self._compiled or not self._preparation.active
            return await self._pool.choose(table.address, question, may_compile)
        except Compiles:
            _log.info("agent is compiled", extra={"facts": {"table": table.id, "agent": question.code}})
        self._waiting.add(table.id)
        try:
            options = table.shown_options
            await self._preparation.prepare_agent(table.address, question.game, question.code, options)
        finally:
            self._waiting.discard(table.id)
        self._compiled.add(variant)
        self._tables.metrics.count("agents_compiled")
        return await self._pool.choose(table.address, question)

    def _tell(self, table: Table, seat: int, code: str, reason: str) -> None:
        """The table learns that an agent failed and that a random move stands in for it."""
        facts: dict[str, Any] = {"table": table.id, "seat": seat, "agent": code, "reason": reason}
        _log.error("agent failed", extra={"facts": facts})
        table.notice = say("The agent of {name} failed; a random move was played for it.", name=table.names[seat])
        if table.overruns[seat] >= _MOST_OVERRUNS:
            table.notice = say(
                "The agent of {name} was late too often; random moves are played for it.", name=table.names[seat]
            )

    def ended(self, table: Table) -> None:
        """Gives the place in the queue up, and lets the workers forget the agents of an ended table."""
        if table.thinking is not None:
            table.thinking.cancel()
        if table.match is not None:
            seats = [seat.index for seat in table.seats if seat.kind == "agent"]
            final = {seat: table.match.view(seat).tobytes() for seat in seats}
            self._pool.farewell(Farewell(table.id, table.game.spec.name, final))


def _checked(answer: Any, allowed: list[int]) -> AgentMove:
    """The answer of a worker, which may be a program of another machine, if it is one."""
    given = answer if isinstance(answer, dict) else {}
    action, thought = given.get("action"), given.get("thought")
    if type(action) is not int or action not in allowed:
        raise AgentFailed(f"it answered {str(action)[:40]}, which is not a legal move")
    if not (thought is None or isinstance(thought, dict)):
        raise AgentFailed("its thought is none")
    return AgentMove(action, thought)
