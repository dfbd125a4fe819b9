"""Making tables and sitting down: seats are filled, renamed, left, and taken again for a rematch."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.agents.codes import parse_code
from ludens.agents.network_agent import check_network
from ludens.agents.search_kinds import check_sides
from ludens.core.agent import AgentKind
from ludens.core.match import Match
from ludens.core.spec import Game
from ludens.i18n.messages import say
from ludens.server.refusal import Refusal
from ludens.server.streaming.subscribers import in_thread
from ludens.server.tables.all_tables import AllTables
from ludens.server.tables.seats import Seat, clean_name, hashed, new_table_id, new_token, same
from ludens.server.tables.table import RUNNING, WAITING, Table
from ludens.server.tables.time import Clock, Times

__all__ = ["GUEST_PLAYS", "SeatPlan", "Seating", "check_agent"]

GUEST_PLAYS = (
    "Somebody plays here. If they are to move and stay away for {hours} hours, the owner may close the table or give "
    "their seat to somebody else."
)
"""Why a seat stays with its guest, and a table open."""
_LATER = 5.0  # seconds: tables end now and then


@dataclass(frozen=True)
class SeatPlan:
    """What a seat of a new table shall be."""

    kind: str
    name: str | None = None
    agent: str | None = None


def _refuse_files(kind: AgentKind, values: Mapping[str, Any]) -> None:
    """A free text may name a file of the server's; numbers and listed words cannot."""
    listed = {parameter.name for parameter in kind.parameters if parameter.choices}
    for name, value in values.items():
        fixed = name in kind.preset and kind.preset[name] == value
        if not (fixed or name in listed or isinstance(value, int | float)):
            raise Refusal(
                "forbidden",
                say("Parameter {name} of agent {agent} may not be set on a server.", name=name, agent=kind.name),
            )


def check_agent(
    game: Game, options: np.ndarray, code: str, check_budget: Callable[[AgentKind, Mapping[str, Any]], None]
) -> AgentKind:
    """The kind of an agent that a client has chosen; who sees, reads or costs too much, or cannot play, is refused."""
    kind, values = parse_code(game, code)
    if kind.oracle:
        raise Refusal("forbidden", say("Agent {agent} sees hidden cards and may not sit at a table.", agent=kind.name))
    _refuse_files(kind, values)
    check_budget(kind, values)
    check_network(game, options, values)
    check_sides(game, options, kind, values)
    return kind


class Seating:
    """Everything about seats; one a server."""

    def __init__(
        self,
        tables: AllTables,
        check_budget: Callable[[AgentKind, Mapping[str, Any]], None],
        charge: Callable[[str], None],
    ) -> None:
        self._tables = tables
        self._check_budget = check_budget
        self._making: Counter[str] = Counter()  # tables that are about to be stored, by address
        self._charge = charge  # an address for a new table: it is stored for good, even if it is closed at once

    async def create(
        self,
        game: Game,
        options: Mapping[str, Any],
        plans: list[SeatPlan],
        address: str,
        private: bool = False,
        seed: int | None = None,
        admin: bool = False,
        hints: bool = True,
        profile: str | None = None,
        clock: Clock | None = None,
    ) -> tuple[Table, dict[str, Any]]:
        """A new table and its secrets: the owner's token, the human seats' tokens, the invitation.

        The first human seat is that of the person whose profile is given.
        """
        await self.check_room(address, admin)
        self._tables.preparation.want(game.spec.name)
        given = {**game.spec.for_people, **({"players": len(plans)} if plans else {}), **options}
        numbers = game.options(given)
        players = int(numbers[0])
        plans = plans or [SeatPlan("human")] + [SeatPlan("open")] * (players - 1)
        if len(plans) != players:
            raise Refusal("bad_request", say("{n} players need {n} seats, not {given}.", n=players, given=len(plans)))
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
            hints=hints,
            profile=profile,
            times=None if clock is None else Times.of(clock, players),
            preparing=self._tables.preparation.progress(game.spec.name),
        )
        if seed is not None:
            table.seed = table.agent_seed = seed  # who repeats a game wants the agents' luck repeated too
        tokens = [self._plan(table, seat, plan) for seat, plan in zip(table.seats, plans, strict=True)]
        _sit(table, profile)
        secrets = {
            "owner_token": owner,
            "tokens": [{"seat": seat, "token": token} for seat, token in enumerate(tokens) if token],
            "invitation": invitation,
        }
        if not admin:
            self._charge(address)
        await self._open_table(table)
        return table, secrets

    async def play_on(
        self, ended: Table, ply: int, plans: list[SeatPlan], address: str, hints: bool, profile: str | None = None
    ) -> tuple[Table, dict[str, Any]]:
        """A running table that goes on from a position of an ended game, with draws of its own.

        It is not listed: the whole game before is known to whoever looked at it.
        """
        match = ended.match
        if not ended.ended or match is None:
            raise Refusal(
                "wrong_status",
                say("The table is {status}; one plays on from a game that has ended.", status=ended.status),
            )
        if not 0 <= ply <= match.ply:
            raise Refusal("bad_request", say("The game has positions 0 to {last}, not {ply}.", last=match.ply, ply=ply))
        if len(plans) != len(ended.seats):
            raise Refusal(
                "bad_request", say("{n} players need {n} seats, not {given}.", n=len(ended.seats), given=len(plans))
            )
        if any(plan.kind == "open" for plan in plans):
            raise Refusal("bad_request", "Whoever plays on sits down at once: seats are human or agent.")
        await self.check_room(address, admin=False)
        owner, invitation = new_token(), new_token()
        table = Table(
            id=new_table_id(),
            game=ended.game,
            options=ended.options,
            seats=[Seat(seat.index, "open", seat.name) for seat in ended.seats],
            owner=hashed(owner),
            address=address,
            private=True,
            invitation=hashed(invitation),
            hints=hints,
            profile=profile,
            status=RUNNING,
        )
        tokens = [self._plan(table, seat, plan) for seat, plan in zip(table.seats, plans, strict=True)]
        _sit(table, profile)
        self._charge(address)
        begun = {**match.to_json(), "chance": "recorded", "seed": table.seed, "log": list(match.log[:ply])}
        begun.pop("result", None)
        with self._counted(address):
            table.match = await in_thread(Match.from_json, {**begun, "names": table.names})
            if table.match.over:
                raise Refusal("wrong_status", "The game is over there; choose an earlier position.")
        await self._open_table(table)
        given = [{"seat": seat, "token": token} for seat, token in enumerate(tokens) if token]
        return table, {"owner_token": owner, "tokens": given, "invitation": invitation}

    async def check_room(self, address: str, admin: bool) -> None:
        """Refuses where the server or the address has as many tables as it may."""
        if self._tables.closing:
            raise Refusal("unavailable", "The server is about to stop; try again in a moment.")
        if self._tables.storage.full(self._tables.settings.free_disk):
            sentence = "The disk of the server is full: no new tables for now, and those that are there go on."
            raise Refusal("unavailable", sentence, retry_after=60.0)
        settings = self._tables.settings
        total, mine = await self._tables.count_living(address)
        if total + self._making.total() >= settings.tables:
            sentence = "The server has as many tables as it may; try again later."
            raise Refusal("too_many", sentence, retry_after=_LATER)
        if not admin and mine + self._making[address] >= settings.tables_per_address:
            sentence = say("An address may have {n} tables at once.", n=settings.tables_per_address)
            raise Refusal("too_many", sentence, retry_after=_LATER)

    @contextlib.contextmanager
    def _counted(self, address: str) -> Iterator[None]:
        """Counts a table while it is made: many that are asked for at once get no more room than one by one."""
        self._making[address] += 1
        try:
            yield
        finally:
            self._making -= Counter((address,))  # which forgets those that make none

    async def _open_table(self, table: Table) -> None:
        async def work() -> None:
            await self._tables.take_in(table)
            await self._tables.start_if_full(table)

        with self._counted(table.address):
            await self._tables.change(table, work)
        self._tables.metrics.count("tables_made", f'game="{table.game.spec.name}"')

    def _plan(self, table: Table, seat: Seat, plan: SeatPlan) -> str | None:
        """Makes the seat what the plan says; returns the token if it became a human's."""
        name = None if plan.name is None else clean_name(plan.name)
        agent = None
        if plan.kind == "agent":
            if not plan.agent:
                raise Refusal("bad_request", say("Seat {seat} needs the name of its agent.", seat=seat.index))
            kind = check_agent(table.game, table.options, plan.agent, self._check_budget)
            agent = plan.agent
            name = name or clean_name(kind.name.replace("_", " ").capitalize())
        elif plan.agent:
            raise Refusal(
                "bad_request",
                say("Seat {seat} is {kind}; only a seat of kind agent has an agent.", seat=seat.index, kind=plan.kind),
            )
        token = new_token() if plan.kind == "human" else None
        seat.kind, seat.agent, seat.reserved, seat.profile = plan.kind, agent, None, None
        seat.token = hashed(token) if token else None
        seat.name = name or table.game.spec.seat_names(len(table.seats))[seat.index]
        return token

    async def plan_seat(self, table: Table, index: int, plan: SeatPlan) -> str | None:
        """Changes a seat of a waiting table; returns the token of a new human seat."""

        async def work() -> str | None:
            seats = table.copied_seats()
            seat = seats[table.seat(index).index]
            hours = self._tables.settings.vanished_hours
            handed = table.status == RUNNING and table.actor == index and table.vanished(3600 * hours)
            if table.status != WAITING and not handed:
                sentence = say("Seats change while a table waits; this one is {status}.", status=table.status)
                if table.status == RUNNING:
                    sentence = say(GUEST_PLAYS, hours=f"{hours:g}")
                raise Refusal("wrong_status", sentence)
            alone = all(one.kind == "agent" for one in seats)
            token = self._plan(table, seat, plan)
            if alone and plan.kind != "agent":  # the owner may have chosen the seed, and would foretell every draw
                await self._tables.draw_seeds(table)
            await self._tables.seats_changed(table, seats)
            return token

        return await self._tables.change(table, work)

    async def rename(self, table: Table, index: int, name: str) -> None:
        """Gives a seat a new name."""
        name = clean_name(name)

        async def work() -> None:
            seats = table.copied_seats()
            seats[table.seat(index).index].name = name
            await self._tables.seats_changed(table, seats)

        await self._tables.change(table, work)

    async def join(
        self, table: Table, index: int | None, name: str | None, token: str | None = None, profile: str | None = None
    ) -> tuple[int, str]:
        """Sits down on an open seat (the first, if none is named); returns the seat and its token."""
        cleaned = None if name is None else clean_name(name)

        async def work() -> tuple[int, str]:
            if table.ended:
                raise Refusal("wrong_status", say("The table is {status}; nobody can join.", status=table.status))
            seats = table.copied_seats()
            free = [seat for seat in seats if not seat.taken and not seat.resigned]
            if index is not None:
                free = [seat for seat in free if seat is seats[table.seat(index).index]]
            free = [seat for seat in free if seat.reserved is None or same(token, seat.reserved)]
            if not free:
                raise Refusal("seat_taken", "That seat is taken." if index is not None else "Every seat is taken.")
            seat, given = free[0], new_token()
            seat.token, seat.reserved = hashed(given), None
            seat.profile = None if any(one.profile == profile for one in seats) else profile
            seat.name = cleaned or seat.name
            await self._tables.seats_changed(table, seats)
            return seat.index, given

        return await self._tables.change(table, work)

    async def leave(self, table: Table, index: int) -> None:
        """Gives a seat up: its token is void and the seat open to others."""

        async def work() -> None:
            seats = table.copied_seats()
            seat = seats[table.seat(index).index]
            if table.ended:
                raise Refusal(
                    "wrong_status", say("The table is {status}; there is nothing to leave.", status=table.status)
                )
            seat.kind, seat.token, seat.profile = "open", None, None
            await self._tables.seats_changed(table, seats)

        await self._tables.change(table, work)

    async def rematch(self, table: Table, tokens: list[str], address: str) -> tuple[Table, list[dict[str, Any]]]:
        """The same game again: the first to ask opens it, the others find it; each gets new tokens."""
        seats = sorted({seat for token in tokens if (seat := table.seat_of(token)) is not None})
        if not seats:
            raise Refusal("forbidden", "A rematch needs the token of a seat of the finished game.")

        async def work() -> Table:
            if not table.ended:
                raise Refusal(
                    "wrong_status", say("The table is {status}; a rematch needs a finished one.", status=table.status)
                )
            if table.rematch is not None:
                return await self._tables.find(table.rematch, admin=True)
            await self.check_room(address, admin=False)
            self._charge(address)
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
                hints=table.hints,
                profile=table.profile,
                times=None if table.times is None else Times.of(table.times.clock, len(table.seats)),
                preparing=table.preparing,
            )
            with self._counted(address):
                await self._tables.take_in(again, after=table)
            table.rematch = again.id
            table.changed()
            table.publish_table()
            return again

        again = await self._tables.change(table, work)
        given: list[dict[str, Any]] = []
        for seat in seats:
            if not again.seats[seat].taken:
                joined, new = await self._take_again(table, again, seat)
                given.append({"seat": joined, "token": new})
        return again, given

    async def _take_again(self, table: Table, again: Table, index: int) -> tuple[int, str]:
        """Whoever sat on a seat of an ended table sits down on it again."""

        async def work() -> tuple[int, str]:
            seats = again.copied_seats()
            seat, given = seats[index], new_token()
            if seat.taken or seat.reserved is None:
                raise Refusal("seat_taken", "That seat is taken.")
            seat.token, seat.reserved, seat.profile = hashed(given), None, table.seats[index].profile
            await self._tables.seats_changed(again, seats)
            return seat.index, given

        return await self._tables.change(again, work)


def _sit(table: Table, profile: str | None) -> None:
    """The person of the profile sits on the first human seat of a new table."""
    seat = next((seat for seat in table.seats if seat.kind == "human"), None)
    if seat is not None:
        seat.profile = profile
