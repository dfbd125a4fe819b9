"""Results of tournaments in one SQLite file: games are appended as they finish and are never lost again.

Tables: `runs` (a configuration each), `games` (a row each, with its whole log), `seats` (a row for every seat of every
game, for statistics), `sessions` (who played how many games of a run: commit, command, machine, versions). A file holds
any number of runs by name; what belongs to another version, program or configuration is refused, never mixed in.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ludens.core import registry
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.match import Match
from ludens.core.provenance import provenance
from ludens.core.renamed import with_new_names
from ludens.play.logs import unpack
from ludens.play.record import GameRecord, SeatRecord
from ludens.play.referee import OVER
from ludens.play.schedule import ClockRule, Player, Schedule, identity_of
from ludens.version import __version__

__all__ = ["ResultsFile", "Run", "is_results_file"]

_FORMAT = 1
_APPLICATION = 0x4C554445  # "LUDE": marks the file as one of ours
_VERSIONS = {"game": "the rules", "ludens": "version", "files": "content", "programs": "program"}
"""Keys of a plan that say what played, and what each is called."""
_NEEDED = {"options", "players", "arrangements", "seed"}  # keys of a plan that its results are read by
_SEAT_COLUMNS = tuple(column.name for column in fields(SeatRecord))
_SEATS = ", ".join(_SEAT_COLUMNS)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, game TEXT NOT NULL, version TEXT NOT NULL,
    identity TEXT NOT NULL, plan TEXT NOT NULL, games INTEGER NOT NULL, begun TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (
    run INTEGER NOT NULL REFERENCES runs, number INTEGER NOT NULL, seed INTEGER NOT NULL, reason TEXT NOT NULL,
    culprit INTEGER, error TEXT NOT NULL, log BLOB NOT NULL, times BLOB NOT NULL,
    PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seats (
    run INTEGER NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, player INTEGER NOT NULL,
    score REAL NOT NULL, result REAL NOT NULL, victory REAL NOT NULL, rank REAL NOT NULL, decisions INTEGER NOT NULL,
    simulations INTEGER, seconds REAL NOT NULL, slowest REAL NOT NULL,
    PRIMARY KEY (run, number, seat)) WITHOUT ROWID;
"""
_SESSIONS = """CREATE TABLE IF NOT EXISTS sessions (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs, games INTEGER NOT NULL, told TEXT NOT NULL)"""


@dataclass(frozen=True)
class Run:
    """A run as it is stored."""

    id: int
    name: str
    game: str  # name@version
    version: str  # of the package
    identity: str
    plan: dict[str, Any]
    total: int  # games
    begun: str

    @property
    def players(self) -> list[str]:
        return list(self.plan["players"])

    @property
    def game_name(self) -> str:
        return self.game.partition("@")[0]

    def schedule(self) -> Schedule:
        """The schedule that it was played by, in terms of the present version."""
        game, clock = registry.game(self.game_name), self.plan["clock"]
        orders = tuple(tuple(order) for order in self.plan["arrangements"])
        return Schedule(
            game=game.spec.name,
            options=tuple(game.options(self.plan["options"]).tolist()),
            players=tuple(Player(name, code) for name, code in self.plan["players"].items()),
            arrangements=orders,
            repetitions=math.ceil(self.total / len(orders)),
            seed=self.plan["seed"],
            paired=self.plan["paired"],
            clock=ClockRule(clock["move"], clock["game"], clock["measure"]),
            most=self.total,
        )

    def continued(self) -> Schedule:
        """The schedule that goes on with it; one of another version is refused."""
        schedule = self.schedule()
        if schedule.identity != self.identity:
            raise BadInput(
                f"{self.name} was begun with ludens {self.version}, {self.game} and the programs of that time; its "
                "games stay as they are, and the present programs add none to them."
            )
        return schedule


def _told(key: str, kept: Any, now: Any) -> str:
    """How what played then differs from what would play now."""
    if isinstance(now, dict):
        changed = [name for name in now if not isinstance(kept, dict) or kept.get(name) != now[name]]
        return f"another {_VERSIONS[key]} of {', '.join(changed)}"
    return f"{_VERSIONS[key]} {kept}, not {now}"


def _lost(plan: dict[str, Any], now: dict[str, Any], key: str) -> bool:
    """Is somebody not there any more who has played, and is everybody else the same?"""
    kept, present = plan.get(key) or {}, now.get(key) or {}
    if not isinstance(kept, dict) or not isinstance(present, dict):
        return False
    return len(present) < len(kept) and present.items() <= kept.items()


def is_results_file(path: Path) -> bool:
    """Is this a file of results, by its first bytes?"""
    try:
        with path.open("rb") as file:
            head = file.read(72)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and int.from_bytes(head[68:72], "big") == _APPLICATION


class ResultsFile:
    """The file. Use it in a `with` block, or close it."""

    def __init__(self, path: str | Path, create: bool = False) -> None:
        self.path = Path(path).expanduser()
        self._playing: dict[int, int | None] = {}  # run -> the session of this process
        fresh = not self.path.exists() or self.path.stat().st_size == 0
        if fresh and not create:
            raise BadInput(f"There is no file of results {path}.")
        if fresh and not self.path.resolve().parent.is_dir():
            raise BadInput(f"Cannot write {path}: the folder {self.path.resolve().parent} does not exist.")
        if not fresh and not is_results_file(self.path):
            raise BadInput(f"{path} is not a file of results.")
        try:
            self._base = sqlite3.connect(self._address(create), timeout=30, isolation_level=None, uri=True)
            if fresh:
                with self._writing():
                    for statement in _SCHEMA.strip().rstrip(";").split(";"):
                        self._base.execute(statement)
                    self._base.execute(f"PRAGMA application_id = {_APPLICATION}")
                    self._base.execute(f"PRAGMA user_version = {_FORMAT}")
            if create and os.access(self.path, os.W_OK):
                self._base.execute(_SESSIONS)
                # Only now: the first bytes, which say whose file this is, must not wait in the log of writes.
                self._base.execute("PRAGMA journal_mode = WAL")
                self._base.execute("PRAGMA synchronous = NORMAL")
            found = self._base.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as error:
            raise BadInput(f"Cannot use {path} as a file of results: {error}; name another one.") from error
        if found != _FORMAT:
            raise BadInput(f"{path} holds results of format {found}; this version of ludens reads format {_FORMAT}.")

    def _address(self, create: bool) -> str:
        """The file as SQLite opens it; one in a folder that nobody can write to is read as it lies there."""
        path = self.path.absolute()
        still = not create and not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists()
        return f"{path.as_uri()}?immutable=1" if still else path.as_uri()

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._base.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction, all or nothing: what cannot be stored is told in a sentence."""
        try:
            self._base.execute("BEGIN IMMEDIATE")
            yield
            self._base.execute("COMMIT")
        except BaseException as error:
            with suppress(sqlite3.Error):  # a full disk has ended the transaction already
                self._base.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise BadInput(
                    f"Cannot write {self.path}: {error}; what it holds is safe, and the same command goes on with it."
                ) from error
            raise

    def _rows(self, query: str, values: Iterable[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query; a damaged file is told in a sentence."""
        try:
            # A `yield from` would close the cursor when it is given up, perhaps after the file was closed.
            for row in self._base.execute(query, tuple(values)):  # noqa: UP028
                yield row
        except sqlite3.Error as error:
            raise BadInput(f"Cannot read {self.path}: {error}; name another file of results.") from error

    # --- runs ----------------------------------------------------------------------------

    def runs(self) -> list[Run]:
        columns = "id, name, game, version, identity, plan, games, begun"
        rows = self._rows(f"SELECT {columns} FROM runs ORDER BY id")
        return [
            Run(number, name, game, version, *self._plan(name, plan, identity), games, begun)
            for number, name, game, version, identity, plan, games, begun in rows
        ]

    def _plan(self, name: str, text: str, identity: str) -> tuple[str, dict[str, Any]]:
        """Identity and content of a stored plan, in today's names; one that lacks what all have is refused."""
        try:
            plan: Any = json.loads(text)
        except ValueError:
            plan = None
        if not isinstance(plan, dict) or not plan.keys() >= _NEEDED:
            raise BadInput(f"Cannot read {self.path}: the plan of run {name!r} is damaged; name another file.")
        filled = False
        with suppress(BadInput, TypeError):  # options that came later have their defaults
            game = registry.game(str(plan["game"]).partition("@")[0])
            options = game.show_options(game.options(plan["options"]))
            filled = len(options) > len(plan["options"])
            plan["options"] = options if filled else plan["options"]
        named = {own: with_new_names(own) if own == code else own for own, code in plan["players"].items()}
        players = {named[own]: with_new_names(code) for own, code in plan["players"].items()}
        if players == plan["players"] and not filled:
            return identity, plan
        plan["players"] = players
        if "programs" in plan:
            plan["programs"] = {named.get(own, own): program for own, program in plan["programs"].items()}
        return identity_of(plan), plan

    def run(self, name: str | None = None) -> Run:
        """The run of that name; without a name the only one."""
        runs = {run.name: run for run in self.runs()}
        if name is None:
            if len(runs) != 1:
                raise BadInput(f"{self.path} holds {len(runs)} runs ({', '.join(runs) or 'none'}); say which.")
            return next(iter(runs.values()))
        if name not in runs:
            raise did_you_mean(name, runs, f"run in {self.path}")
        return runs[name]

    def begin(self, name: str, schedule: Schedule) -> Run:
        """The run of this schedule, to begin or to go on with; one of another version or configuration is refused."""
        row = (
            name,
            schedule.spec_game.spec.identity,
            __version__,
            schedule.identity,
            json.dumps(schedule.to_json(), ensure_ascii=False),
            schedule.total,
            datetime.now(UTC).isoformat(timespec="seconds"),
        )
        columns = "name, game, version, identity, plan, games, begun"
        if name not in {run.name for run in self.runs()}:
            with self._writing():  # another process may begin the same run at this moment: then it is that one
                self._base.execute(f"INSERT OR IGNORE INTO runs ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        known = self.run(name)
        self.check_same(known, schedule)
        if schedule.total > known.total:
            with self._writing():
                self._base.execute("UPDATE runs SET games = ? WHERE id = ?", (schedule.total, known.id))
        return self.run(name)

    def check_same(self, run: Run, schedule: Schedule, versions: bool = True) -> None:
        """Refuses a schedule that has another configuration than the run, or with `versions` another version."""
        if run.identity == schedule.identity:
            return
        now = schedule.to_json()
        differing = [key for key in now if json.dumps(run.plan.get(key)) != json.dumps(now[key])]
        told = [f"with other {key}" for key in differing if key not in _VERSIONS]
        if run.game_name != schedule.game:
            told.append("with another game")
        elif versions:
            for key in _VERSIONS:
                if key == "programs" and key not in run.plan:
                    if self.count(run) < schedule.total:
                        told.append("that does not tell which programs played")
                elif key in differing and not _lost(run.plan, now, key):
                    told.append(f"with {_told(key, run.plan.get(key), now[key])}")
        gone = any(_lost(run.plan, now, key) for key in ("files", "programs"))  # who would play has played
        if (differing or gone) and not told:
            return
        raise BadInput(
            f"{self.path} holds a run {run.name!r} {' and '.join(told) or 'with other settings'}; "
            "give another file or another name, so that results are not mixed."
        )

    # --- games ---------------------------------------------------------------------------

    def finished(self, run: Run) -> set[int]:
        """The numbers of the games that are stored."""
        return {row[0] for row in self._rows("SELECT number FROM games WHERE run = ?", (run.id,))}

    def count(self, run: Run) -> int:
        """How many games are stored."""
        return int(next(self._rows("SELECT count(*) FROM games WHERE run = ?", (run.id,)))[0])

    def add(self, run: Run, records: Iterable[GameRecord]) -> None:
        """Stores games, all or none; one that is there already stays as it is."""
        games, seats = [], []
        for one in records:
            games.append((run.id, one.number, one.seed, one.reason, one.culprit, one.error, one.log, one.times))
            seats += [
                (run.id, one.number, k, *(getattr(s, column) for column in _SEAT_COLUMNS))
                for k, s in enumerate(one.seats)
            ]
        with self._writing():
            cursor = self._base.executemany("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)", games)
            self._count_session(run, cursor.rowcount)
            self._base.executemany("INSERT OR IGNORE INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", seats)

    def _count_session(self, run: Run, games: int) -> None:
        """Notes that this process has played so many more games of the run."""
        if run.id not in self._playing:
            told = json.dumps(provenance(), ensure_ascii=False)
            self._base.execute(_SESSIONS)
            cursor = self._base.execute("INSERT INTO sessions (run, games, told) VALUES (?, 0, ?)", (run.id, told))
            self._playing[run.id] = cursor.lastrowid
        row = self._playing[run.id]
        self._base.execute("UPDATE sessions SET games = games + ? WHERE id = ?", (games, row))

    def sessions(self, run: Run) -> list[dict[str, Any]]:
        """Who played the games of a run, in order: `core.provenance.provenance` and games; older files tell nothing."""
        known = list(self._rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'sessions'"))
        if not known:
            return []
        rows = self._rows("SELECT games, told FROM sessions WHERE run = ? AND games > 0 ORDER BY id", (run.id,))
        return [{**json.loads(told), "games": games} for games, told in rows]

    def game(self, run: Run, number: int) -> GameRecord:
        """One game as it was stored."""
        columns = "number, seed, reason, culprit, error, log, times"
        row = next(self._rows(f"SELECT {columns} FROM games WHERE run = ? AND number = ?", (run.id, number)), None)
        if row is None:
            raise BadInput(
                f"Run {run.name!r} in {self.path} has no game {number} (yet); games are 0 to {run.total - 1}."
            )
        found = self._rows(f"SELECT {_SEATS} FROM seats WHERE run = ? AND number = ? ORDER BY seat", (run.id, number))
        seats = tuple(SeatRecord(*seat) for seat in found)
        return GameRecord(row[0], row[1], seats, row[2], row[3], row[4], row[5], row[6])

    def seat_rows(self, run: Run) -> list[tuple[Any, ...]]:
        """number, seat, player, score, result, victory, rank, decisions, simulations, seconds, slowest; in order."""
        query = f"SELECT number, seat, {_SEATS} FROM seats WHERE run = ? ORDER BY number, seat"
        return list(self._rows(query, (run.id,)))

    def logs(self, run: Run, below: int | None = None) -> Iterator[tuple[int, Any]]:
        """Number and log of every game, in order; `below` stops before that number."""
        query, values = "SELECT number, log FROM games WHERE run = ?", [run.id]
        if below is not None:
            query, values = f"{query} AND number < ?", [run.id, below]
        for number, log in self._rows(f"{query} ORDER BY number", values):
            yield number, unpack(log)

    def endings(self, run: Run) -> dict[int, tuple[int, str]]:
        """Seed and reason of every game by its number."""
        query = "SELECT number, seed, reason FROM games WHERE run = ?"
        return {number: (seed, reason) for number, seed, reason in self._rows(query, (run.id,))}

    def failures(self, run: Run) -> list[tuple[int, str, int | None, str]]:
        """Number, reason, seat and sentence of the games that an agent lost by its own fault."""
        query = "SELECT number, reason, culprit, error FROM games WHERE run = ? AND reason != ? ORDER BY number"
        return [(number, reason, seat, error) for number, reason, seat, error in self._rows(query, (run.id, OVER))]

    def document(self, run: Run, number: int) -> dict[str, Any]:
        """A game as a saved match, which replay, analyses and the page open."""
        game = self.game(run, number)
        codes = [run.plan["players"][run.players[seat.player]] for seat in game.seats]
        names = [run.players[seat.player] for seat in game.seats]
        plain = [name if names.count(name) == 1 else f"{name} {k + 1}" for k, name in enumerate(names)]
        document = {
            "format": "ludens-match/1",
            "game": run.game,
            "options": run.plan["options"],
            "seed": game.seed,
            "names": plain,
            "log": unpack(game.log).tolist(),
            "seats": codes,
        }
        match = Match.from_json(document)
        result: dict[str, Any] = {"scores": match.scores(), "returns": [seat.result for seat in game.seats]}
        if game.reason != OVER:
            result = {"reason": game.reason, **result}
        return {**match.to_json(), "result": result, "seats": codes}
