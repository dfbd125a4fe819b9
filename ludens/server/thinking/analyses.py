"""Analyses: hints for the seat to act, and the review of an ended game, computed in the workers.

A search gets the seat's own view and nothing besides. A seat asks one question at a time, a review is
computed once and stored, and both stand behind the playing agents in the queue.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ludens.agents.analysis import Decision, begun_move, decisions, usual_work
from ludens.agents.calibration import pairing_of
from ludens.core import kernels, record
from ludens.core.fields import Fields
from ludens.i18n.messages import say
from ludens.server.refusal import Refusal
from ludens.server.settings import Settings
from ludens.server.storage import rows
from ludens.server.storage.writer import Storage
from ludens.server.streaming.actions import told_actions
from ludens.server.streaming.subscribers import in_thread
from ludens.server.streaming.views import narrated
from ludens.server.tables.table import Table
from ludens.server.thinking.messages import Inquiry
from ludens.server.thinking.pool import AgentFailed, Pool
from ludens.server.thinking.turning_points import turning_points

__all__ = ["MOST_AN_ADDRESS", "Analyses", "inquiry_of"]

_COMPARED = 3  # candidates of a review's decision
_LOOKING = -1  # whoever asks about a position of an ended game, in place of a seat
_EVERY = 2.0  # seconds between two words about a review that is computed
_MOST_REVIEWS = 64  # computed at once
MOST_AN_ADDRESS = 8  # reviews of one that are computed at once
_log = logging.getLogger("ludens.server")


def inquiry_of(table: Table, seat: int, seconds: float, candidates: int) -> Inquiry:
    """The question about the present position, made of what the seat sees; refused unless it is to act."""
    match = table.running()
    if not table.hints:
        raise Refusal("hints_off", "Hints are switched off at this table.")
    if match.actor != seat:
        raise Refusal(
            "not_your_turn", say("Hints are for the seat to act; it is {name}'s turn.", name=table.names[match.actor])
        )
    seen, options = match.view(seat).tobytes(), match.options.tobytes()
    begun = begun_move(match)
    before, actions = (b"", ()) if begun is None else (begun.view.tobytes(), begun.actions)
    return Inquiry(
        table.game.spec.name, seat, seen, seconds, candidates, table=table.id, options=options, before=before,
        begun=actions, agents=_agents(table),
    )  # fmt: skip


def _agents(table: Table) -> tuple[str, ...]:
    """The code of the agent on every seat, "" where somebody else sits."""
    return tuple(seat.agent or "" if seat.kind == "agent" else "" for seat in table.seats)


def _against(table: Table) -> dict[str, Any] | None:
    """The measured pairing of which chances are told; None where they are between equals of the search's level."""
    assert table.match is not None
    pairing = pairing_of(table.game, table.match.options, _agents(table))
    return None if pairing is None else {"agents": list(pairing.agents), "games": pairing.games, "off": pairing.off}


@dataclass
class _Review:
    """A review that is being computed."""

    address: str  # of whoever asked first
    total: int = 0
    points: list[dict[str, Any]] = field(default_factory=list)  # the curve so far
    task: asyncio.Task[None] | None = None
    failed: bool = False

    def to_json(self, table: Table) -> dict[str, Any]:
        """What is known so far."""
        shown = {"table": table.id, "game": table.game.spec.name, "done": len(self.points), "total": self.total}
        told = {"decisions": self.points, "turning": [], "returns": _returns(table), "against": _against(table)}
        return {**shown, "complete": False, **told}


class Analyses:
    """Everything that players ask about their games; one a server."""

    def __init__(self, pool: Pool, storage: Storage, settings: Settings) -> None:
        self._pool = pool
        self._storage = storage
        self._settings = settings
        self._stopped = False
        self._asked: dict[tuple[str, int], asyncio.Task[dict[str, Any]] | None] = {}  # by table and seat
        self._reviews: dict[str, _Review] = {}  # by table

    def stop(self) -> None:
        """Gives up all that is being computed: the server ends."""
        self._stopped = True
        tasks = [*self._asked.values(), *(review.task for review in self._reviews.values())]
        for task in tasks:
            if task is not None:
                task.cancel()

    # --- hints -------------------------------------------------------------------------

    async def hint(
        self, table: Table, seat: int, address: str, seconds: float | None, candidates: int
    ) -> dict[str, Any]:
        """The moves of the seat to act, the best first."""
        return await self._ask(table, seat, address, seconds, inquiry_of(table, seat, 0, candidates), table.ply)

    async def _ask(
        self, table: Table, asker: int, address: str, seconds: float | None, inquiry: Inquiry, ply: int
    ) -> dict[str, Any]:
        """The answer to one question, with the moves as JSON; one at a time for every asker at a table."""
        most = self._settings.hint_seconds
        if seconds is not None and seconds > most:
            raise Refusal(
                "bad_request",
                say("An analysis takes at most {most} seconds here, not {n}.", most=f"{most:g}", n=f"{seconds:g}"),
            )
        self._check_asker(table, asker)
        work = usual_work(table.game) if seconds is None else None  # the same on every machine, within the most
        inquiry = replace(inquiry, seconds=seconds or most, simulations=work)
        asked_at = {"table": table.id, "game": inquiry.game, "ply": ply, "undos": table.undos}
        task = self._asked[table.id, asker] = asyncio.create_task(self._pool.analyse(address, inquiry))
        try:
            found = await task
        except AgentFailed as failure:
            _log.error("analysis failed", extra={"facts": {"table": table.id, "reason": str(failure)}})
            raise Refusal("unavailable", "The analysis failed; try again in a moment.") from failure
        except asyncio.CancelledError:
            if not self._stopped:
                raise
            raise Refusal("unavailable", "The server is about to stop; try again in a moment.") from None
        finally:
            del self._asked[table.id, asker]
        view = record.from_bytes(table.game.dtype, inquiry.view)
        moves = [_in_words(table, _with_json(table, view, move)) for move in found["candidates"]]
        return {**asked_at, **found, "candidates": moves, "against": _against(table)}

    async def look(
        self,
        table: Table,
        ply: int,
        address: str,
        seconds: float | None,
        candidates: int,
        tried: Sequence[int] = (),
    ) -> dict[str, Any]:
        """The moves of a position of an ended game, by what the seat to act saw then: a longer look than a review's.

        The one that was played is among them. `tried` are decisions of that seat which may begin another move: the
        look is at the last of them, after the others.
        """
        _check_position(table, ply)
        self._check_asker(table, _LOOKING)
        assert table.match is not None
        log = table.match.log.copy()
        actor, state = await in_thread(_tried, table, log, ply, tried[:-1])
        if tried and tried[-1] not in _legal_ids(table, state):
            raise _not_possible(tried[-1])
        include = (*log[ply : ply + 1], *tried) if len(tried) < 2 else tuple(tried[-1:])
        inquiry = Inquiry(
            table.game.spec.name,
            actor,
            _seen(table, state, actor).tobytes(),
            0,
            candidates,
            tuple(dict.fromkeys(include)),
            table.id,
            options=table.match.options.tobytes(),
            agents=_agents(table),
        )
        return await self._ask(table, _LOOKING, address, seconds, inquiry, ply)

    async def trial(self, table: Table, ply: int, tried: Sequence[int]) -> dict[str, Any]:
        """What the seat to act at a ply of an ended game saw after it had tried these decisions, and what it may do.

        Nothing, once its move is complete.
        """
        _check_position(table, ply)
        assert table.match is not None
        log = table.match.log.copy()
        return await in_thread(_trial, table, log, ply, tried)

    def _check_asker(self, table: Table, asker: int) -> None:
        if (table.id, asker) in self._asked:
            raise Refusal("too_many", "The last question of this seat is still being answered; ask again then.")

    # --- reviews -----------------------------------------------------------------------

    async def review(self, table: Table, address: str) -> tuple[dict[str, Any], bool]:
        """What every decision of an ended game was worth, and whether that is all; the first to ask starts it."""
        if not table.ended or table.match is None:
            raise Refusal(
                "wrong_status", say("The table is {status}; a review needs a game that has ended.", status=table.status)
            )
        if table.id not in self._reviews:
            stored = await self._storage.read(rows.find_review(table.id))
            if stored is not None:
                return _review_in_words(table, stored), stored.get("complete", True)
        review = self._reviews.get(table.id)
        if review is None:
            review = self._begin(table, address)
        elif review.failed:
            del self._reviews[table.id]  # whoever asks next starts anew
            raise Refusal("unavailable", "The review failed; ask again to start it anew.")
        return review.to_json(table), False

    def _begin(self, table: Table, address: str) -> _Review:
        if self._stopped:
            raise Refusal("unavailable", "The server is about to stop; try again in a moment.")
        under_way = [review for review in self._reviews.values() if not review.failed]
        if len(under_way) >= _MOST_REVIEWS:
            raise Refusal("too_many", "The server reviews as many games as it may; try again later.")
        if sum(review.address == address for review in under_way) >= MOST_AN_ADDRESS:
            sentence = say("An address may have {n} games reviewed at once; try again later.", n=MOST_AN_ADDRESS)
            raise Refusal("too_many", sentence)
        if len(self._reviews) >= 2 * _MOST_REVIEWS:  # the oldest that failed is forgotten
            del self._reviews[next(known for known, review in self._reviews.items() if review.failed)]
        review = self._reviews[table.id] = _Review(address)
        review.task = asyncio.create_task(self._run(table, address, review))
        return review

    async def _run(self, table: Table, address: str, review: _Review) -> None:
        try:
            finished = await self._compute(table, address, review)
            await self._storage.write(rows.save_review(table.id, finished))
        except Exception as error:
            review.failed = True
            _log.error("review failed", exc_info=error, extra={"facts": {"table": table.id}})
        else:
            del self._reviews[table.id]

    async def _compute(self, table: Table, address: str, review: _Review) -> dict[str, Any]:
        assert table.match is not None
        made = await asyncio.to_thread(lambda match: list(decisions(match)), table.match)
        review.total = len(made)
        seconds = self._settings.review_seconds / max(1, len(made))
        work = usual_work(table.game, of_review=True)
        analyses, options, told = [], table.match.options.tobytes(), 0.0
        for decision in made:
            if self._storage.shared and time.monotonic() - told >= _EVERY:  # other processes are asked for it, too
                await self._storage.write(rows.save_review(table.id, review.to_json(table)))
                told = time.monotonic()
            view = decision.view.tobytes()
            played = (decision.action,)
            inquiry = Inquiry(
                table.game.spec.name, decision.seat, view, seconds, _COMPARED, played, table.id, 1, options,
                agents=_agents(table), simulations=work,
            )  # fmt: skip
            analyses.append(await self._pool.analyse(address, inquiry))
            review.points.append(_point(decision, analyses[-1]))
        return await in_thread(_finished, table, review, made, analyses)


def _check_position(table: Table, ply: int) -> None:
    if not table.ended or table.match is None:
        raise Refusal(
            "wrong_status", say("The table is {status}; this needs a game that has ended.", status=table.status)
        )
    if not 0 <= ply <= table.match.ply:
        raise Refusal(
            "bad_request", say("The game has positions 0 to {last}, not {ply}.", last=table.match.ply, ply=ply)
        )


def _tried(table: Table, log: list[int], ply: int, tried: Sequence[int]) -> tuple[int, np.ndarray]:
    """Who acts at a ply, and the state after decisions of its that leave its move open; refused if that cannot be."""
    state, text = table.earlier().state_at(log, ply), table.game.text
    actor = int(kernels.actor_at(state, 0))
    if actor < 0:
        raise Refusal("wrong_status", "Nobody has a move in this position.")
    for action in tried:
        if action not in _legal_ids(table, state):
            raise _not_possible(action)
        before = state.copy()
        kernels.apply_at(state, 0, action)
        if int(kernels.actor_at(state, 0)) != actor or text.completes(before[0], action, state[0]):
            raise Refusal("bad_request", "The move is complete; nothing can be tried after it.")
    return actor, state


def _trial(table: Table, log: list[int], ply: int, tried: Sequence[int]) -> dict[str, Any]:
    actor, state = _tried(table, log, ply, tried[:-1])
    goes_on = True
    if tried:
        if tried[-1] not in _legal_ids(table, state):
            raise _not_possible(tried[-1])
        before = state.copy()
        kernels.apply_at(state, 0, tried[-1])
        same = int(kernels.actor_at(state, 0)) == actor
        goes_on = same and not table.game.text.completes(before[0], tried[-1], state[0])
    seen = Fields(_seen(table, state, actor))
    legal = told_actions(table, _legal_ids(table, state), seen) if goes_on else []
    position = table.game.text.position_to_json(seen)
    return {"ply": ply, "seat": actor, "tried": list(tried), "position": position, "legal": legal}


def _legal_ids(table: Table, state: np.ndarray) -> list[int]:
    legal = np.zeros(table.game.spec.actions, np.int64)
    return [int(action) for action in legal[: int(kernels.legal_at(state, 0, legal))]]


def _not_possible(action: int) -> Refusal:
    return Refusal("bad_request", say("Action {action} is not possible there.", action=action))


def _seen(table: Table, state: np.ndarray, seat: int) -> np.ndarray:
    seen = record.blank(table.game.dtype)
    kernels.view_at(state, 0, seat, seen)
    return seen


def _finished(table: Table, review: _Review, made: list[Decision], analyses: list[dict[str, Any]]) -> dict[str, Any]:
    """The whole review; long games have thousands of moves to tell, so it may run in a thread."""
    turning = [
        _turning_point(table, made[k], review.points[k], analyses[k])
        for k in turning_points(review.points, _returns(table), len(set(table.game.spec.sides(len(table.names)))))
    ]
    told = [
        {**point, **_best_and_played(table, decision, analysis)}
        for point, decision, analysis in zip(review.points, made, analyses, strict=True)
    ]
    return {**review.to_json(table), "complete": True, "decisions": told, "turning": turning}


def _returns(table: Table) -> list[float] | None:
    return table.result["returns"] if table.result else None


def _with_json(table: Table, view: np.ndarray, move: dict[str, Any]) -> dict[str, Any]:
    return {**move, "json": table.game.text.action_to_json(Fields(view), move["action"])}


def _in_words(table: Table, move: dict[str, Any]) -> dict[str, Any]:
    """The move with its line told in sentences, which the answer says in the reader's language."""
    plays = [
        {**play, "events": [{**event, "sentence": narrated(table, event)} for event in play["events"]]}
        for play in move.get("plays", [])  # reviews that were stored before have none
    ]
    return {**move, "plays": plays}


def _review_in_words(table: Table, review: dict[str, Any]) -> dict[str, Any]:
    """The complete review with the lines of its moves told in sentences."""
    both = ("played", "better")
    told = {
        kind: [{**one, **{name: _in_words(table, one[name]) for name in both if one.get(name)}} for one in review[kind]]
        for kind in ("decisions", "turning")
    }
    return {**review, **told}


def _played(decision: Decision, analysis: dict[str, Any]) -> dict[str, Any]:
    moves: list[dict[str, Any]] = analysis["candidates"]
    return next(move for move in moves if move["action"] == decision.action)


def _point(decision: Decision, analysis: dict[str, Any]) -> dict[str, Any]:
    """One point of the curve: what was expected before the decision, and what the move that was played cost."""
    played = _played(decision, analysis)
    told = {"ply": decision.ply, "seat": decision.seat, "results": analysis["results"], "loss": played["behind"]}
    known = {"precision": played["precision"], "known": played["known"]}
    return {**told, "doubt": round(played["precision"] / 2, 4) if told["loss"] else 0.0, **known, "part": decision.part}


def _best_and_played(table: Table, decision: Decision, analysis: dict[str, Any]) -> dict[str, Any]:
    moves = {"played": _played(decision, analysis), "better": analysis["candidates"][0]}
    return {name: _with_json(table, decision.view, move) for name, move in moves.items()}


def _turning_point(table: Table, decision: Decision, point: dict[str, Any], analysis: dict[str, Any]) -> dict[str, Any]:
    shown = _best_and_played(table, decision, analysis)
    return {"ply": decision.ply, "seat": decision.seat, "loss": point["loss"], **shown}
