"""Rows of people: their profiles, their tables and their ratings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from ludens.core.registry import game as registered
from ludens.core.registry import names as known_games
from ludens.server.clock import now
from ludens.server.people.ratings import NEW, Rating, after, level_rating
from ludens.server.storage import database as db
from ludens.server.storage import rows
from ludens.server.tables.table import ABANDONED, FINISHED, RUNNING, WAITING

__all__ = [
    "Wanted",
    "change",
    "create",
    "exported",
    "find",
    "history",
    "living_of",
    "outcome",
    "outlived",
    "rate_finished",
    "ratings_of",
    "remove",
    "results_of",
    "use",
]

_A_DAY = 86_400.0
_MOST_AT_ONCE = 200
_MOST_COUNTED = 5_000  # games of a person that are counted
_LONGEST_CURVE = 1_000  # ratings of a person in a game that are kept
Write = Callable[[sa.Connection], Any]


def create(profile: str, name: str, colour: str, language: str) -> Write:
    row = {"id": profile, "name": name, "colour": colour, "language": language, "seen": [], "created": now()}
    return lambda connection: connection.execute(sa.insert(db.profiles), {**row, "used": now()})


def find(profile: str) -> Callable[[sa.Connection], dict[str, Any] | None]:
    """The profile as it is stored."""
    query = sa.select(db.profiles).where(db.profiles.c.id == profile)

    def read(connection: sa.Connection) -> dict[str, Any] | None:
        row = connection.execute(query).first()
        return None if row is None else dict(row._mapping)

    return read


def change(profile: str, **values: Any) -> Write:
    query = sa.update(db.profiles).where(db.profiles.c.id == profile).values({**values, "used": now()})
    return lambda connection: connection.execute(query)


def use(profile: str) -> Write:
    """Notes that the person was here, once a day."""
    columns = db.profiles.c
    old = (columns.id == profile) & (columns.used < now() - _A_DAY)
    query = sa.update(db.profiles).where(old).values(used=now())
    return lambda connection: connection.execute(query)


def outlived(days: float) -> Callable[[sa.Connection], list[str]]:
    """Profiles that nobody has used for so long and that have no living table."""
    columns = db.profiles.c
    living = sa.exists().where(
        (db.seats.c.profile == columns.id)
        & (db.seats.c.table_id == db.tables.c.id)
        & db.tables.c.status.in_((WAITING, RUNNING))
    )
    query = sa.select(columns.id).where(columns.used < now() - days * _A_DAY, ~living).limit(50)
    return lambda connection: list(connection.execute(query).scalars()) if days > 0 else []


def _mine(profile: str) -> sa.ColumnElement[bool]:
    """Tables that the person made, or where they sit or sat."""
    seated = sa.exists().where((db.seats.c.table_id == db.tables.c.id) & (db.seats.c.profile == profile))
    return (db.tables.c.profile == profile) | seated


def remove(profile: str) -> Callable[[sa.Connection], list[str]]:
    """Forgets the person: profile and ratings, their name at tables, and ended tables where no other person sat.

    Returns the ids of the removed tables.
    """

    def write(connection: sa.Connection) -> list[str]:
        seats, tables = db.seats.c, db.tables.c
        others = sa.exists().where(
            (seats.table_id == tables.id) & (seats.kind != "agent") & (seats.profile.is_distinct_from(profile))
        )
        ended = tables.status.in_((FINISHED, ABANDONED))
        alone = list(connection.execute(sa.select(tables.id).where(_mine(profile), ended, ~others)).scalars())
        for table_id in alone:
            rows.delete(table_id)(connection)
        query = sa.select(seats.table_id, seats.seat, tables.game_name).where(
            seats.profile == profile, seats.table_id == tables.id
        )
        for row in connection.execute(query).all():
            count = sa.select(sa.func.count()).where(seats.table_id == row.table_id)
            players = int(connection.execute(count).scalar() or 0)
            which = (seats.table_id == row.table_id) & (seats.seat == row.seat)
            values: dict[str, Any] = {"profile": None}
            if row.game_name in known_games():
                values["name"] = registered(row.game_name).spec.seat_names(players)[row.seat]
            connection.execute(sa.update(db.seats).where(which).values(values))
        connection.execute(sa.update(db.tables).where(tables.profile == profile).values(profile=None))
        connection.execute(sa.delete(db.ratings).where(db.ratings.c.profile == profile))
        connection.execute(sa.delete(db.profiles).where(db.profiles.c.id == profile))
        return alone

    return write


# --- games --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wanted:
    """Which ended games of a person are looked for."""

    game: str | None = None
    opponent: str | None = None  # a part of a name, or an agent
    result: str | None = None  # won, lost, drawn, none
    since: float | None = None
    until: float | None = None
    text: str | None = None  # a part of a name, of the game's name or the table's id


def living_of(profile: str) -> Callable[[sa.Connection], list[rows.StoredTable]]:
    """The waiting and running tables of a person, those first that changed last."""
    columns = db.tables.c
    query = sa.select(db.tables).where(_mine(profile), columns.status.in_((WAITING, RUNNING)))
    query = query.order_by(columns.updated.desc())
    return lambda connection: _told(connection, rows.with_seats(connection, query))


def _told(connection: sa.Connection, found: list[rows.StoredTable]) -> list[rows.StoredTable]:
    """The tables, with those marked that did not begin with the set-up."""
    ids = db.imports.c.table_id
    begun = set(connection.execute(sa.select(ids).where(ids.in_([table.id for table in found]))).scalars())
    return [replace(table, played_on=table.id in begun) for table in found]


def _like(column: sa.ColumnElement[str], part: str) -> sa.ColumnElement[bool]:
    return sa.func.lower(column).contains(part.lower(), autoescape=True)


def _ended(profile: str, wanted: Wanted, before: float | None) -> sa.Select[Any]:
    columns, seats = db.tables.c, db.seats.c
    query = sa.select(db.tables).where(_mine(profile), columns.status.in_((FINISHED, ABANDONED)))
    if wanted.game:
        query = query.where(columns.game_name == wanted.game)
    if wanted.since is not None:
        query = query.where(columns.updated >= wanted.since)
    if wanted.until is not None:
        query = query.where(columns.updated < wanted.until)
    if before is not None:
        query = query.where(columns.updated < before)
    here = seats.table_id == columns.id
    if wanted.opponent:
        met = _like(seats.name, wanted.opponent) | (seats.agent == wanted.opponent)
        query = query.where(sa.exists().where(here & seats.profile.is_distinct_from(profile) & met))
    if wanted.text:
        named = sa.exists().where(here & _like(seats.name, wanted.text))
        query = query.where(named | _like(columns.game_name, wanted.text) | (columns.id == wanted.text))
    return query.order_by(columns.updated.desc())


def outcome(table: rows.StoredTable, profile: str) -> tuple[int | None, str]:
    """The person's seat, and how the game ended for it: won, lost, drawn, none."""
    seat = next((seat.index for seat in table.seats if seat.profile == profile), None)
    returns = (table.result or {}).get("returns")
    if seat is None or returns is None:
        return seat, "none"
    best = [k for k, worth in enumerate(returns) if worth == max(returns)]
    won = seat in best and (len(best) < len(returns))
    return seat, "won" if won else "drawn" if seat in best else "lost"


def history(
    profile: str, wanted: Wanted, limit: int, before: float | None
) -> Callable[[sa.Connection], tuple[list[rows.StoredTable], float | None]]:
    """A page of the ended games of a person, the newest first, and where the next one begins."""

    def read(connection: sa.Connection) -> tuple[list[rows.StoredTable], float | None]:
        found: list[rows.StoredTable] = []
        at = before
        while True:
            page = rows.with_seats(connection, _ended(profile, wanted, at).limit(_MOST_AT_ONCE))
            for number, table in enumerate(page):
                if wanted.result in (None, outcome(table, profile)[1]):
                    found.append(table)
                if len(found) == limit:
                    more = number + 1 < len(page) or len(page) == _MOST_AT_ONCE
                    return _told(connection, found), table.updated if more else None
            if len(page) < _MOST_AT_ONCE:
                return _told(connection, found), None
            at = page[-1].updated

    return read


def results_of(profile: str) -> Callable[[sa.Connection], list[dict[str, Any]]]:
    """Won, drawn and lost against every level and person, by game."""

    def read(connection: sa.Connection) -> list[dict[str, Any]]:
        counted: dict[tuple[str, str, str], dict[str, Any]] = {}
        query = _ended(profile, Wanted(), None).where(db.tables.c.status == FINISHED).limit(_MOST_COUNTED)
        for table in rows.with_seats(connection, query):
            seat, how = outcome(table, profile)
            if seat is None or how == "none" or table.imported:
                continue
            game = table.identity.partition("@")[0]
            players = len(table.seats)
            sides = registered(game).spec.sides(players) if game in known_games() else tuple(range(players))
            met = {
                ("agent" if other.agent else "person", other.agent or other.profile or other.name): other
                for other in table.seats
                if sides[other.index] != sides[seat]
            }
            for (kind, who), other in met.items():  # people go by the name they had last
                named = {"game": game, "kind": kind, "opponent": other.agent or other.name}
                row = counted.setdefault((game, kind, who), {**named, "won": 0, "drawn": 0, "lost": 0})
                row[how] += 1
        return sorted(counted.values(), key=lambda row: (row["game"], row["kind"], row["opponent"]))

    return read


def exported(profile: str) -> Callable[[sa.Connection], list[dict[str, Any]]]:
    """All games of a person that have ended, as saved games; of those that live only the ids."""

    def read(connection: sa.Connection) -> list[dict[str, Any]]:
        told = []
        for table in _all_of(connection, profile):
            ended = table.status in (FINISHED, ABANDONED)
            seat = next((one.index for one in table.seats if one.profile == profile), None)
            entry = {"table": table.id, "seat": seat, "status": table.status, "created": table.created}
            told.append({**entry, "game": rows.document(table.id)(connection) if ended else None})
        return told

    return read


def _all_of(connection: sa.Connection, profile: str) -> Iterator[rows.StoredTable]:
    query = sa.select(db.tables).where(_mine(profile)).order_by(db.tables.c.updated.desc())
    yield from rows.with_seats(connection, query.limit(_MOST_COUNTED))


# --- ratings ------------------------------------------------------------------------------


def ratings_of(profile: str) -> Callable[[sa.Connection], dict[str, list[Rating]]]:
    """The curve of every game, the oldest first."""
    columns = db.ratings.c
    query = sa.select(db.ratings).where(columns.profile == profile).order_by(columns.time, columns.table_id)

    def read(connection: sa.Connection) -> dict[str, list[Rating]]:
        found: dict[str, list[Rating]] = {}
        for row in connection.execute(query):
            found.setdefault(row.game_name, []).append(Rating(row.rating, row.deviation, row.volatility, row.time))
        return found

    return read


def _latest(connection: sa.Connection, profile: str, game: str) -> Rating:
    columns = db.ratings.c
    query = sa.select(db.ratings).where(columns.profile == profile, columns.game_name == game)
    row = connection.execute(query.order_by(columns.time.desc(), columns.table_id.desc()).limit(1)).first()
    return NEW if row is None else Rating(row.rating, row.deviation, row.volatility, row.time)


def rate_finished(connection: sa.Connection) -> int:
    """Counts the games that have ended and were not counted yet, in the order of their ends; returns how many."""
    columns = db.tables.c
    ended = sa.select(db.tables).where(columns.rated.is_(False), columns.status.in_((FINISHED, ABANDONED)))
    found = rows.with_seats(connection, ended.order_by(columns.updated, columns.id).limit(_MOST_AT_ONCE))
    for table in found:
        undone = sa.exists().where((db.entries.c.table_id == table.id) & (db.entries.c.kind == "undo"))
        played_on = sa.exists().where(db.imports.c.table_id == table.id)
        unfair = columns.hinted | undone | played_on | (columns.status != FINISHED)
        fair = not connection.execute(sa.select(unfair).where(columns.id == table.id)).scalar()
        returns = (table.result or {}).get("returns")
        if fair and returns is not None:
            _rate(connection, table, returns)
        connection.execute(sa.update(db.tables).where(columns.id == table.id).values(rated=True))
    return len(found)


def _rate(connection: sa.Connection, table: rows.StoredTable, returns: Sequence[float]) -> None:
    game = table.identity.partition("@")[0]
    if game not in known_games():
        return
    sides = registered(game).spec.sides(len(table.seats))
    here = {seat.profile for seat in table.seats if seat.profile is not None}
    known = set(connection.execute(sa.select(db.profiles.c.id).where(db.profiles.c.id.in_(here))).scalars())
    before: dict[int, Rating] = {}
    for seat in table.seats:
        if seat.profile in known:
            before[seat.index] = _latest(connection, str(seat.profile), game)
        elif seat.agent and not seat.resigned and (level := level_rating(game, seat.agent)) is not None:
            before[seat.index] = level
    for seat in table.seats:
        if seat.profile not in known:
            continue
        mine = returns[seat.index]
        games = [
            (rating, 1.0 if mine > returns[other] else 0.0 if mine < returns[other] else 0.5)
            for other, rating in before.items()
            if sides[other] != sides[seat.index]
        ]
        if games:
            new = after(before[seat.index], games, table.updated)
            _keep(connection, str(seat.profile), game, table, new)


def _keep(connection: sa.Connection, profile: str, game: str, table: rows.StoredTable, rating: Rating) -> None:
    columns = db.ratings.c
    row = {"profile": profile, "table_id": table.id, "game_name": game, "time": table.updated}
    known = sa.select(columns.table_id).where(columns.profile == profile, columns.table_id == table.id)
    if connection.execute(known).first() is not None:
        return
    figures = {"rating": rating.rating, "deviation": rating.deviation, "volatility": rating.volatility}
    connection.execute(sa.insert(db.ratings), {**row, **figures})
    old = sa.select(columns.table_id).where(columns.profile == profile, columns.game_name == game)
    old = old.order_by(columns.time.desc()).offset(_LONGEST_CURVE)
    for table_id in list(connection.execute(old).scalars()):
        connection.execute(sa.delete(db.ratings).where(columns.profile == profile, columns.table_id == table_id))
