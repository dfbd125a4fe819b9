"""A table: one game with its seats, from waiting to its end, held in memory while it lives."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ludens.core.match import Match, Step
from ludens.core.spec import Game
from ludens.i18n.messages import say
from ludens.server.clock import now
from ludens.server.preparing.progress import Progress
from ludens.server.refusal import Refusal
from ludens.server.tables.seats import Seat, same
from ludens.server.tables.snapshots import Snapshots
from ludens.server.tables.time import Times

__all__ = [
    "ABANDONED",
    "FINISHED",
    "RUNNING",
    "WAITING",
    "Happened",
    "Note",
    "Present",
    "Shown",
    "Subscriber",
    "Table",
    "knows",
    "may_see",
    "new_seed",
]

WAITING, RUNNING, FINISHED, ABANDONED = "waiting", "running", "finished", "abandoned"
_SEEDS = 1 << 53
_SOON = 0.25  # seconds


def new_seed() -> int:
    """A seed nobody can guess."""
    return secrets.randbelow(_SEEDS)


class Guarded(Protocol):
    """What decides who may see a table."""

    @property
    def private(self) -> bool: ...
    @property
    def seats(self) -> list[Seat]: ...
    @property
    def owner(self) -> str: ...
    @property
    def invitation(self) -> str | None: ...
    @property
    def profile(self) -> str | None: ...


def knows(table: Guarded, token: str | None) -> bool:
    """Is it a token of this table: of a seat, of somebody who sat or may sit there, of its owner, of its guests?

    The key of a person is one where they sat, or what they made.
    """
    hashes = [table.owner, table.invitation, table.profile]
    for seat in table.seats:
        hashes += [seat.token, seat.reserved, seat.profile]
    return any(same(token, stored) for stored in hashes)


def may_see(table: Guarded, token: str | None) -> bool:
    """May the bearer of the token see this table at all?"""
    return not table.private or knows(table, token)


@dataclass(frozen=True)
class Happened:
    """The steps of one change, with the state after each: what the streams publish."""

    steps: tuple[Step, ...]
    states: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Note:
    """What is known of an agent's move besides the move."""

    seat: int
    thought: dict[str, Any] | None  # as `core.agent.Thought` writes it
    stands_in: bool  # the agent failed: this move was played in its place


@dataclass(frozen=True)
class Present:
    """Who follows a table live."""

    seats: frozenset[int]
    watchers: int


@dataclass(eq=False)
class Shown:
    """What is made once of a position for all who see it; another match of the table makes another."""

    match: Match
    scores: list[float] | None = None
    legal: list[dict[str, Any]] | None = None  # in the words of the seat to act
    undo: bool | None = None  # may the one person undo a move?
    described: dict[tuple[bool, int | None], tuple[np.ndarray, dict[str, Any]]] = field(default_factory=dict)
    """What an audience sees, by whether the game has ended and the audience."""


class Subscriber(Protocol):
    """Whoever follows a table live; `streaming.subscribers` has the one there is."""

    @property
    def seats(self) -> tuple[int | None, ...]:
        """The seats it follows; (None,) for a spectator."""
        ...

    def recall_last(self, table: Table, cache: dict[Any, Any]) -> None:
        """Works out the last steps, which an `update` without a change tells; may run in a thread."""
        ...

    def update(self, table: Table, happened: Happened | None, cache: dict[Any, Any]) -> None:
        """The game has changed; None after an undo. `cache` is shared by the subscribers of one change."""
        ...

    def update_table(self, table: Table, cache: dict[Any, Any]) -> None:
        """Seats, names or status have changed."""
        ...

    def acknowledge(self, move_id: str, seat: int, ply: int, next_ply: int, repeated: bool) -> None:
        """A move that came by this connection is stored."""
        ...

    def end(self) -> None:
        """Nothing more will come."""
        ...


@dataclass
class Table:
    """A table's whole truth; only `streaming.views` decides what of it leaves the server.

    What is here is stored: a change is made on copies of match and seats, which take their places after the commit.
    So whoever reads waits for nobody; whoever changes holds `lock`.
    """

    id: str
    game: Game
    options: np.ndarray
    seats: list[Seat]
    owner: str  # hash of the token of whoever made the table
    address: str
    private: bool = False
    invitation: str | None = None  # hash
    hints: bool = True  # may players ask which moves are good?
    hinted: bool = False  # somebody was shown a good move
    imported: bool = False  # a saved game that was brought here, to be looked at
    profile: str | None = None  # hash of the key of whoever made it
    times: Times | None = None  # where people have clocks
    made_with: int | None = None  # an older version of the rules, which today's only look at
    status: str = WAITING
    seed: int = field(default_factory=new_seed)
    agent_seed: int = field(default_factory=new_seed)
    created: float = field(default_factory=now)
    updated: float = field(default_factory=now)
    moved: float = field(default_factory=now)  # the last entry, or who sat down after it
    loaded: float | None = None  # when it was read from the storage, by the server's clock
    match: Match | None = None
    entries: int = 0  # rows stored of this table
    undos: int = 0
    result: dict[str, Any] | None = None
    rematch: str | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    subscribers: set[Subscriber] = field(default_factory=set)
    waiters: set[asyncio.Future[None]] = field(default_factory=set)
    announcing: asyncio.TimerHandle | None = None
    thinking: asyncio.Task[None] | None = None
    notice: str | None = None  # the last trouble with an agent, in a sentence
    preparing: Progress | None = None  # of its game
    overruns: Counter[int] = field(default_factory=Counter)  # moves of an agent that took too long, by seat
    notes: dict[int, Note] = field(default_factory=dict)  # by ply: what is known of agents' moves
    doubtful: bool = False  # a commit failed: what is stored must be read again
    elsewhere: dict[str, Present] = field(default_factory=dict)  # who follows it at other processes, by process
    tell_presence: Callable[[Table], None] | None = None  # to the other processes
    past: Snapshots | None = None  # earlier positions, once somebody has asked for one
    acting: tuple[Match | None, int] = (None, -1)  # the match, and who is to act in it
    shown: Shown | None = None  # what the audiences of the present position share

    def note(self, ply: int, seat: int, thought: dict[str, Any] | None, stands_in: bool) -> None:
        """Remembers what an agent thought of its move, or that another was played for it."""
        self.notes[ply] = Note(seat, thought, stands_in)

    def forget_from(self, ply: int) -> None:
        """Forgets the notes of moves that were taken back."""
        self.notes = {noted: note for noted, note in self.notes.items() if noted < ply}

    def earlier(self) -> Snapshots:
        """The earlier positions of the match."""
        assert self.match is not None
        self.past = self.past or Snapshots(self.match)
        return self.past

    def after(self, action: int) -> tuple[Match, Happened]:
        """The match after an action that was found legal just now, and what happened; the table stays as it is."""
        match = self.running().copy()
        states: list[np.ndarray] = []
        steps = match.commit(action, states)
        return match, Happened(tuple(steps), tuple(states))

    def showing(self) -> Shown:
        """What the audiences of the present position share."""
        assert self.match is not None
        if self.shown is None or self.shown.match is not self.match:
            self.shown = Shown(self.match)
        return self.shown

    @cached_property
    def shown_options(self) -> dict[str, str | int]:
        """The options in words; they never change."""
        return self.game.show_options(self.options)

    @property
    def version(self) -> int:
        """Raised by every change, and the same for all processes; for long polling."""
        return self.entries

    @property
    def here(self) -> Present:
        """Who follows the table at this process."""
        seats = {seat for one in self.subscribers for seat in one.seats if seat is not None}
        return Present(frozenset(seats), sum(one.seats == (None,) for one in self.subscribers))

    @property
    def present(self) -> Present:
        """Who follows the table, wherever."""
        all_here = [self.here, *self.elsewhere.values()]
        return Present(frozenset().union(*(one.seats for one in all_here)), sum(one.watchers for one in all_here))

    @property
    def ended(self) -> bool:
        return self.status in (FINISHED, ABANDONED)

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    @property
    def ply(self) -> int:
        return self.match.ply if self.match else 0

    @property
    def actor(self) -> int | None:
        """The seat to act, or None."""
        if self.match is None or self.status != RUNNING:
            return None
        if self.acting[0] is not self.match:  # a match of a table never changes: another takes its place
            self.acting = (self.match, self.match.actor)
        return self.acting[1] if self.acting[1] >= 0 else None

    def remaining(self) -> list[float | None]:
        """Seconds that every person has now; none for agents, and without clocks."""
        if self.times is None:
            return []
        actor, times = self.actor, self.times
        return [
            None if seat.kind == "agent" else round(max(0.0, times.remaining(seat.index, actor)), 1)
            for seat in self.seats
        ]

    def running(self) -> Match:
        """The match of a running table; any other status is refused."""
        if self.status != RUNNING or self.match is None:
            raise Refusal("wrong_status", say("The table is {status}; this needs a running one.", status=self.status))
        return self.match

    def owned_by(self, token: str | None) -> bool:
        """Is it the owner's token, or the key of the person who made the table?"""
        return same(token, self.owner) or same(token, self.profile)

    def seat_of(self, token: str | None) -> int | None:
        """The seat the token belongs to, or None."""
        return next((seat.index for seat in self.seats if seat.belongs_to(token)), None)

    def seat(self, index: int) -> Seat:
        if not 0 <= index < len(self.seats):
            raise Refusal(
                "not_found",
                say("The seats of this table are 0 to {last}, not {seat}.", last=len(self.seats) - 1, seat=index),
            )
        return self.seats[index]

    def vanished(self, seconds: float) -> bool:
        """Is a guest to move who has not moved for so long, and does not follow the table?"""
        actor = self.actor
        if actor is None or self.seats[actor].kind != "open" or not self.seats[actor].taken:
            return False
        return now() - self.moved > seconds and actor not in self.present.seats

    def copied_seats(self) -> list[Seat]:
        """The seats to be changed; they take their place when they are stored."""
        return [replace(seat) for seat in self.seats]

    def may_see(self, token: str | None) -> bool:
        """May the bearer of the token see this table at all?"""
        return may_see(self, token)

    def seed_of_agent(self, seat: int, ply: int) -> int:
        """The seed of an agent that sits down at a ply: never the seed of the match's chance."""
        text = f"{self.agent_seed}/{seat}/{ply}".encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") % _SEEDS

    def why_no_undo(self) -> str | None:
        """Why moves stay played at this table, whatever has happened since, or None where they can be undone."""
        if sum(seat.kind != "agent" for seat in self.seats) != 1:
            return "Moves are undone only where all other seats are agents."
        return None

    def changed(self) -> None:
        """Notes a change and wakes the long polls."""
        self.updated = now()
        self.loaded = None
        for waiter in self.waiters:
            if not waiter.done():
                waiter.set_result(None)
        self.waiters.clear()

    def publish(self, happened: Happened | None, cache: dict[Any, Any] | None = None) -> None:
        """Tells all subscribers of a change of the game; None after an undo, when only full views will do."""
        cache = {} if cache is None else cache
        self._tell_all(lambda subscriber: subscriber.update(self, happened, cache))

    def publish_table_soon(self) -> None:
        """Tells all subscribers who comes and goes, together: two thousand who come are not two thousand messages."""
        if self.announcing is None:
            self.announcing = asyncio.get_running_loop().call_later(_SOON, self._announce)

    def _announce(self) -> None:
        self.publish_table()
        if self.tell_presence is not None:
            self.tell_presence(self)

    def publish_table(self) -> None:
        """Tells all subscribers of a change of seats, names or status."""
        if self.announcing is not None:
            self.announcing.cancel()
            self.announcing = None
        cache: dict[Any, Any] = {}
        self._tell_all(lambda subscriber: subscriber.update_table(self, cache))

    def _tell_all(self, tell: Callable[[Subscriber], None]) -> None:
        """Tells everybody, players before spectators."""
        for subscriber in sorted(self.subscribers, key=lambda one: one.seats == (None,)):
            tell(subscriber)
