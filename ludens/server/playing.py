"""Playing: moves, their reasons, taking back and giving up. Check, store, publish, in this order."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludens.agents.codes import kinds
from ludens.core.citations import cited
from ludens.core.spec import Game
from ludens.server import records, views
from ludens.server.errors import Refusal
from ludens.server.fields import Fields
from ludens.server.outcomes import over_result, resigned_result
from ludens.server.subscribers import publish
from ludens.server.tables import FINISHED, RUNNING, Table

if TYPE_CHECKING:
    from ludens.server.hall import Hall

__all__ = ["Accepted", "Playing"]


@dataclass(frozen=True)
class Accepted:
    """A move that is stored: the plies before and after it, and whether it had been stored before."""

    ply: int
    next_ply: int
    repeated: bool


class Playing:
    """Everything that happens in a running game; one a hall."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def parse(self, table: Table, seat: int, move: Any) -> int:
        """The legal action for an id, a text or a JSON form; words and reasons come from the seat's view."""
        match = table.running()
        view, text = Fields(match.view(seat)), table.game.text
        if isinstance(move, str):
            move = text.action_from_text(view, move)
        elif isinstance(move, Mapping):
            move = text.action_from_json(view, move)
        if isinstance(move, bool) or not isinstance(move, int):
            raise Refusal("bad_request", "A move is an action id, a text or a JSON object.")
        if not 0 <= move < table.game.spec.actions:
            raise Refusal("bad_request", f"Action ids are 0 to {table.game.spec.actions - 1}, not {move}.")
        if move not in match.legal():
            sentence, rules = cited(text.refusal(view, move))
            raise Refusal("illegal_move", sentence, rules=list(rules))
        return int(move)

    async def play(self, table: Table, seat: int, move: Any, ply: int, move_id: str) -> Accepted:
        """Plays a move of the seat at the ply it answers; the same id again is answered, not played."""
        began = time.monotonic()

        async def work() -> Accepted:
            if table.status != RUNNING or table.undos or ply != table.ply:
                earlier = await self._hall.storage.read(records.find_move(table.id, seat, move_id))
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

        accepted = await self._hall.change(table, work)
        self._hall.metrics.move_took(time.monotonic() - began)
        self._hall.turns.look(table)
        return accepted

    async def play_for_agent(self, table: Table, seat: int, action: int, version: int) -> None:
        """Plays an agent's answer, unless the table has changed while it thought."""

        async def work() -> None:
            if table.version == version and table.actor == seat:
                await self._apply(table, action, seat, None)

        await self._hall.change(table, work)

    async def _apply(self, table: Table, action: int, seat: int, move_id: str | None) -> None:
        """Check is done: play, store, publish."""
        match = table.running()
        ply = match.ply
        happened = table.play(action, seat)
        writes = [records.append(table, "move", ply, match.log[ply:], seat, move_id)]
        result = over_result(table) if match.over else None
        if result is not None:
            writes.append(records.save(table, status=FINISHED, result=result))
        await self._hall.store(table, *writes)
        if result is not None:
            table.status, table.result = FINISHED, result
        table.entries += 1
        table.changed()
        self._hall.metrics.count("moves", f'game="{table.game.spec.name}"')
        publish(table, happened)
        if result is not None:
            self._hall.retire(table)

    async def undo(self, table: Table, seat: int, ply: int | None = None) -> int:
        """Takes the seat's last choice back, with all that followed; returns the ply it leads to.

        With the ply the client sees, asking twice takes back once.
        """

        async def work() -> int:
            match = table.running()
            if ply is not None and ply != match.ply:
                sentence = f"You saw ply {ply}, but the game is at ply {match.ply}."
                raise Refusal("stale_move", sentence, view=views.view_payload(table, seat))
            if table.game.spec.hidden:
                raise Refusal("forbidden", "Moves are not taken back in a game with hidden information.")
            if len(table.person_seats()) != 1:
                raise Refusal("forbidden", "Moves are taken back only where all other seats are agents.")
            first_automatic = table.game.spec.first_automatic
            mine = [step.ply for step in match.steps() if step.actor == seat and step.action < first_automatic]
            if not mine:
                raise Refusal("bad_request", "There is no move to take back.")
            match.undo(mine[-1])
            await self._hall.store(table, records.append(table, "undo", mine[-1], [], seat))
            table.entries += 1
            table.undos += 1
            table.changed()
            publish(table, None)
            return mine[-1]

        reached = await self._hall.change(table, work)
        self._hall.turns.look(table)
        return reached

    async def resign(self, table: Table, index: int) -> None:
        """Gives a running game up.

        If one side is left, or no person, the game ends; otherwise an agent plays the seat on.
        """

        async def work() -> None:
            seat = table.seat(index)
            table.running()
            seat.resigned = True
            result = resigned_result(table)
            if result is not None:
                await self._hall.finish(table, result)
                return
            seat.kind, seat.token, seat.agent = "agent", None, self._substitute(table.game)
            await self._hall.seats_changed(table)

        await self._hall.change(table, work)
        self._hall.turns.look(table)

    def _substitute(self, game: Game) -> str:
        known = kinds(game)
        return next((name for name in ("medium", "easy", "heuristic") if name in known), "random")
