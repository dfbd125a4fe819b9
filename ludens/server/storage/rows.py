"""Rows and tables: what of a table is stored, and how it is rebuilt from its log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from ludens.core.errors import BadInput
from ludens.core.match import FORMAT, Match
from ludens.core.registry import game as registered
from ludens.core.registry import identified, names
from ludens.core.renamed import with_new_names
from ludens.core.spec import Game
from ludens.server.clock import now
from ludens.server.storage import database as db
from ludens.server.storage.writer import Insert
from ludens.server.tables.seats import Seat, same
from ludens.server.tables.table import ABANDONED, FINISHED, RUNNING, WAITING, Table, may_see
from ludens.server.tables.time import Clock, Times

__all__ = [
    "Since",
    "StoredTable",
    "UnreadableTable",
    "append",
    "bring_up_to_date",
    "close_stored",
    "count_living",
    "create",
    "delete",
    "document",
    "find_move",
    "find_review",
    "game_name",
    "list_tables",
    "living",
    "load",
    "save",
    "save_review",
    "since",
    "with_seats",
]

Write = Callable[[sa.Connection], None]
Kept = list[tuple[str, str]]  # ids of tables, each with the name of its game
_REVIEWS = 60.0  # seconds without a word after which a review is given up
LIVING = (WAITING, RUNNING)


def _seat_row(table: Table, seat: Seat) -> dict[str, Any]:
    return {
        "table_id": table.id,
        "seat": seat.index,
        "kind": seat.kind,
        "name": seat.name,
        "agent": seat.agent,
        "token": seat.token,
        "reserved": seat.reserved,
        "resigned": seat.resigned,
        "profile": seat.profile,
    }


def _seat(row: Any) -> Seat:
    agent = with_new_names(row.agent)
    return Seat(row.seat, row.kind, row.name, agent, row.token, row.reserved, row.resigned, row.profile)


def create(table: Table, keeper: str | None = None) -> Write:
    """Stores a new table with its seats, and with what was played before: a game brought here or played on."""
    row = {
        "id": table.id,
        "game": table.game.spec.identity,
        "game_name": table.game.spec.name,
        "options": table.game.show_options(table.options),
        "status": table.status,
        "private": table.private,
        "invitation": table.invitation,
        "owner": table.owner,
        "address": table.address,
        "seed": table.seed,
        "agent_seed": table.agent_seed,
        "created": table.created,
        "updated": table.updated,
        "hints": table.hints,
        "result": table.result,
        "imported": table.imported,
        "keeper": keeper,
        "profile": table.profile,
        "hinted": table.hinted,
        "clock": table.times.clock.to_json() if table.times else None,
        "rated": False,
    }
    document = table.match.to_json() if table.match else None
    seats = [_seat_row(table, seat) for seat in table.seats]

    def write(connection: sa.Connection) -> None:
        connection.execute(sa.insert(db.tables), row)
        connection.execute(sa.insert(db.seats), seats)
        if document is not None:
            connection.execute(sa.insert(db.imports), {"table_id": row["id"], "document": document})

    return write


def bring_up_to_date(table: Table) -> Write:
    """A table at which nothing was played yet is one of today's rules."""
    return save(table, game=table.game.spec.identity)


def save(table: Table, seats: Sequence[Seat] = (), **changed: Any) -> Write:
    """Stores changed columns of a table (status, result, rematch), and its new seats if they changed."""
    row = {**changed, "updated": now()}
    rows = [_seat_row(table, seat) for seat in seats]

    def write(connection: sa.Connection) -> None:
        connection.execute(sa.update(db.tables).where(db.tables.c.id == table.id).values(row))
        for values in rows:
            which = (db.seats.c.table_id == table.id) & (db.seats.c.seat == values["seat"])
            connection.execute(sa.update(db.seats).where(which).values(values))

    return write


def append(
    table: Table,
    kind: str,
    ply: int,
    log: list[int],
    seat: int | None = None,
    move_id: str | None = None,
    thought: dict[str, Any] | None = None,
    clock: float | None = None,
) -> Write:
    """Appends one entry to the table's log; the entries of a common commit are inserted together."""
    row = {
        "table_id": table.id,
        "number": table.entries,
        "kind": kind,
        "seat": seat,
        "ply": ply,
        "log": log,
        "move_id": move_id,
        "time": now(),
        "thought": thought,
        "clock": clock,
    }
    return Insert(db.entries, row)


def find_move(table_id: str, seat: int, move_id: str) -> Callable[[sa.Connection], tuple[int, int] | None]:
    """The plies before and after the seat's move of that id, if it was played."""
    columns = db.entries.c
    which = (columns.table_id == table_id) & (columns.seat == seat) & (columns.move_id == move_id)

    def read(connection: sa.Connection) -> tuple[int, int] | None:
        row = connection.execute(sa.select(columns.ply, columns.log).where(which)).first()
        return (row.ply, row.ply + len(row.log)) if row else None

    return read


def delete(table_id: str) -> Callable[[sa.Connection], int]:
    """Removes a table with all that belongs to it; returns how many there were."""

    def write(connection: sa.Connection) -> int:
        connection.execute(sa.delete(db.imports).where(db.imports.c.table_id == table_id))
        connection.execute(sa.delete(db.reviews).where(db.reviews.c.table_id == table_id))
        connection.execute(sa.delete(db.entries).where(db.entries.c.table_id == table_id))
        connection.execute(sa.delete(db.seats).where(db.seats.c.table_id == table_id))
        return connection.execute(sa.delete(db.tables).where(db.tables.c.id == table_id)).rowcount

    return write


def save_review(table_id: str, review: dict[str, Any]) -> Write:
    """Stores the review of an ended game, or as much of it as is computed."""
    row = {"table_id": table_id, "review": review, "time": now()}

    def write(connection: sa.Connection) -> None:
        known = sa.update(db.reviews).where(db.reviews.c.table_id == table_id).values(row)
        if connection.execute(known).rowcount == 0:
            connection.execute(sa.insert(db.reviews), row)

    return write


def find_review(table_id: str) -> Callable[[sa.Connection], dict[str, Any] | None]:
    """The review of an ended game, if it was computed, or is being computed by another process that lives."""
    query = sa.select(db.reviews.c.review, db.reviews.c.time).where(db.reviews.c.table_id == table_id)

    def read(connection: sa.Connection) -> dict[str, Any] | None:
        row = connection.execute(query).first()
        return row.review if row and (row.review.get("complete", True) or now() - row.time < _REVIEWS) else None

    return read


def living(keeper: str | None = None, status: Sequence[str] = LIVING) -> Callable[[sa.Connection], Kept]:
    """The ids of all waiting and running tables, or of those of a keeper, each with the name of its game."""
    columns = db.tables.c
    query = sa.select(columns.id, columns.game_name).where(columns.status.in_(status))
    if keeper is not None:
        query = query.where(columns.keeper == keeper)
    return lambda connection: [(row.id, row.game_name) for row in connection.execute(query)]


def count_living(address: str) -> Callable[[sa.Connection], tuple[int, int]]:
    """How many tables wait or run: in all, and of the address."""
    columns = db.tables.c
    mine = sa.func.count().filter(columns.address == address)
    query = sa.select(sa.func.count(), mine).where(columns.status.in_(LIVING))

    def read(connection: sa.Connection) -> tuple[int, int]:
        total, own = connection.execute(query).one()
        return total, own

    return read


@dataclass(frozen=True)
class Since:
    """What was stored of a table after the entries that somebody knows."""

    status: str
    result: dict[str, Any] | None
    entries: list[Any]  # rows, in their order


def since(known: Mapping[str, int]) -> Callable[[sa.Connection], dict[str, Since]]:
    """What was stored after so many entries of these tables; those that are not there any more are left out."""
    columns = db.entries.c
    number = sa.case(dict(known), value=db.tables.c.id)
    later = db.tables.outerjoin(db.entries, (columns.table_id == db.tables.c.id) & (columns.number >= number))
    names = (columns.number, columns.kind, columns.seat, columns.ply, columns.log, columns.thought, columns.clock)
    query = sa.select(db.tables.c.id, db.tables.c.status, db.tables.c.result, *names).select_from(later)
    query = query.where(db.tables.c.id.in_(list(known))).order_by(db.tables.c.id, columns.number)

    def read(connection: sa.Connection) -> dict[str, Since]:
        found: dict[str, Since] = {}
        for row in connection.execute(query):
            since = found.setdefault(row.id, Since(row.status, row.result, []))
            if row.number is not None:
                since.entries.append(row)
        return found

    return read


def game_name(table_id: str) -> Callable[[sa.Connection], str | None]:
    """The name of a table's game, if there is such a table."""
    query = sa.select(db.tables.c.game_name).where(db.tables.c.id == table_id)
    return lambda connection: connection.execute(query).scalar()


def load(table_id: str) -> Callable[[sa.Connection], Table | None]:
    """Rebuilds a table from what is stored; None if there is none.

    Raises UnreadableTable if the game is unknown here, or if today's rules do not lead through its log.
    """

    def read(connection: sa.Connection) -> Table | None:
        row = connection.execute(sa.select(db.tables).where(db.tables.c.id == table_id)).first()
        if row is None:
            return None
        order = sa.select(db.seats).where(db.seats.c.table_id == table_id).order_by(db.seats.c.seat)
        seats = [_seat(seat) for seat in connection.execute(order)]
        columns = db.entries.c
        found = connection.execute(
            sa.select(
                columns.kind, columns.seat, columns.ply, columns.log, columns.time, columns.thought, columns.clock
            )
            .where(columns.table_id == table_id)
            .order_by(columns.number)
        ).all()
        saved = sa.select(db.imports.c.document).where(db.imports.c.table_id == table_id)
        document = connection.execute(saved).scalar()
        try:
            return _rebuild(row, seats, found, document)
        except BadInput as error:
            raise UnreadableTable(_stored(row, seats), str(error)) from error

    return read


def _todays(identity: str) -> tuple[Game, int | None]:
    """The game of that name, and the version it was made with if today's rules are others and do not claim it."""
    try:
        return identified(identity), None
    except BadInput:
        name, _, version = identity.partition("@")
        game = registered(name)
        if int(version) > game.spec.version:
            raise
        return game, int(version)


def _rebuild(row: Any, seats: list[Seat], found: Sequence[Any], document: dict[str, Any] | None) -> Table:
    game, made_with = _todays(row.game)
    table = Table(
        id=row.id,
        game=game,
        options=game.options(row.options),
        seats=seats,
        owner=row.owner,
        address=row.address,
        private=row.private,
        invitation=row.invitation,
        status=row.status,
        seed=row.seed,
        agent_seed=row.agent_seed,
        created=row.created,
        updated=max([row.updated, *(entry.time for entry in found[-1:])]),  # moves do not touch the row
        entries=len(found),
        result=row.result,
        rematch=row.rematch,
        hints=row.hints,
        hinted=row.hinted,
        imported=row.imported,
        profile=row.profile,
        times=_times(row, found, len(seats)),
        made_with=made_with,
    )
    table.moved = table.updated
    today = row.game if made_with is None else game.spec.identity
    log: list[int] = list(document["log"]) if document is not None else []
    for entry in found:
        log = log[: entry.ply] + list(entry.log)
        if entry.kind == "undo":
            table.undos += 1
            table.forget_from(entry.ply)
        elif entry.kind == "standin" or entry.thought is not None:
            table.note(entry.ply, entry.seat, entry.thought, entry.kind == "standin")
    if document is not None:
        named = document if row.imported else {**document, "log": log, "names": table.names}
        table.match = Match.from_json({**named, "game": today})
    elif any(entry.kind == "start" for entry in found):
        played = {"format": FORMAT, "game": today, "options": row.options, "seed": row.seed, "log": log}
        table.match = Match.from_json({**played, "names": table.names})
    return table


def _times(row: Any, found: Sequence[Any], seats: int) -> Times | None:
    """What everybody has left; it runs on from the moment of the load: a server that rests costs nobody time."""
    clock = Clock.from_json(row.clock)
    if clock is None:
        return None
    times = Times.of(clock, seats)
    times.left.update({entry.seat: entry.clock for entry in found if entry.clock is not None})
    if found:
        times.begin()
    return times


class UnreadableTable(BadInput):
    """A table that this version of the package cannot rebuild; what is stored of it is known all the same."""

    def __init__(self, stored: StoredTable, reason: str) -> None:
        super().__init__(reason)
        self.stored = stored

    @property
    def outdated(self) -> bool:
        """Is it of an older version of a game that is known here, so that it will never go on?"""
        name, _, version = self.stored.identity.partition("@")
        return name in names() and int(version) < registered(name).spec.version


@dataclass(frozen=True)
class StoredTable:
    """What a list shows of a table: its rows without the log."""

    id: str
    identity: str  # name@version of the game
    options: dict[str, Any]
    status: str
    private: bool
    hints: bool
    imported: bool
    created: float
    updated: float
    result: dict[str, Any] | None
    rematch: str | None
    seats: list[Seat]
    owner: str  # hash
    invitation: str | None  # hash
    profile: str | None  # hash
    played_on: bool = False  # it began with a position of another game; told only where that was asked for

    def may_see(self, token: str | None) -> bool:
        """May the bearer of the token see this table at all?"""
        return may_see(self, token)

    def owned_by(self, token: str | None) -> bool:
        """Is it the owner's token, or the key of the person who made the table?"""
        return same(token, self.owner) or same(token, self.profile)

    @property
    def ended(self) -> bool:
        return self.status in (FINISHED, ABANDONED)


def _stored(row: Any, seats: list[Seat]) -> StoredTable:
    return StoredTable(
        id=row.id,
        identity=row.game,
        options=row.options,
        status=row.status,
        private=row.private,
        hints=row.hints,
        imported=row.imported,
        created=row.created,
        updated=row.updated,
        result=row.result,
        rematch=row.rematch,
        seats=seats,
        owner=row.owner,
        invitation=row.invitation,
        profile=row.profile,
    )


def document(table_id: str) -> Callable[[sa.Connection], dict[str, Any] | None]:
    """The saved game of a table as it is stored, whether this version can read it or not."""

    def read(connection: sa.Connection) -> dict[str, Any] | None:
        row = connection.execute(sa.select(db.tables).where(db.tables.c.id == table_id)).first()
        if row is None:
            return None
        saved = sa.select(db.imports.c.document).where(db.imports.c.table_id == table_id)
        brought: dict[str, Any] | None = connection.execute(saved).scalar()
        if row.imported:
            return brought
        columns = db.entries.c
        which = sa.select(columns.ply, columns.log).where(columns.table_id == table_id).order_by(columns.number)
        log: list[int] = list(brought["log"]) if brought else []
        for entry in connection.execute(which):
            log = log[: entry.ply] + list(entry.log)
        seated = sa.select(db.seats.c.name).where(db.seats.c.table_id == table_id).order_by(db.seats.c.seat)
        made = brought or {"format": FORMAT, "game": row.game, "options": row.options, "seed": row.seed}
        return {**made, "names": list(connection.execute(seated).scalars()), "log": log, "result": row.result}

    return read


def close_stored(table_id: str, reason: str) -> Write:
    """Ends a table that cannot be rebuilt."""
    ended = {"status": ABANDONED, "result": {"reason": reason, "scores": None, "returns": None}, "updated": now()}

    def write(connection: sa.Connection) -> None:
        connection.execute(sa.update(db.tables).where(db.tables.c.id == table_id).values(ended))

    return write


def list_tables(
    game: str | None, status: tuple[str, ...], limit: int, before: float | None, private: bool = False
) -> Callable[[sa.Connection], list[StoredTable]]:
    """Stored tables, newest change first."""
    columns = db.tables.c
    query = sa.select(db.tables).where(columns.status.in_(status)).order_by(columns.updated.desc()).limit(limit)
    if game is not None:
        query = query.where(columns.game_name == game)
    if before is not None:
        query = query.where(columns.updated < before)
    if not private:
        query = query.where(columns.private.is_(False))

    return lambda connection: with_seats(connection, query)


def with_seats(connection: sa.Connection, query: sa.Select[Any]) -> list[StoredTable]:
    """The tables that a query of their rows finds, each with its seats."""
    found = connection.execute(query).all()
    seats: dict[str, list[Seat]] = {row.id: [] for row in found}
    which = sa.select(db.seats).where(db.seats.c.table_id.in_(seats)).order_by(db.seats.c.seat)
    for row in connection.execute(which):
        seats[row.table_id].append(_seat(row))
    return [_stored(row, seats[row.id]) for row in found]
