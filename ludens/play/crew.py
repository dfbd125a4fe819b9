"""Processes that play games, or do other work, by number: one that dies costs only what it was doing.

Every process has a pipe of its own and a board in shared memory, on which it writes how far its game is. Which
process plays what changes no result.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from typing import Any, Protocol, TypeVar

from ludens.play.batch_size import BatchSize
from ludens.play.workers import starting_quietly

__all__ = ["DECISIONS", "Alone", "Crew", "Games", "InFlight", "Played"]

DECISIONS = 0
"""Where a board says how far its game is."""
_SEAT, _GAME = 1, 2  # what else stands on it
_GLANCE = 0.5  # seconds between two looks at games that are being played


@dataclass(frozen=True)
class InFlight:
    """A game that is being played."""

    number: int
    decisions: int
    seconds: float


Played = TypeVar("Played")
_Played_co = TypeVar("_Played_co", covariant=True)


class Games(Protocol[_Played_co]):
    """Games by number, which any process can play; picklable."""

    def part(self, numbers: Sequence[int]) -> Games[_Played_co]:
        """What a process needs for these: small, since it is sent with them."""
        ...

    def play(self, number: int, board: Any) -> _Played_co: ...

    def ended(self, number: int, seat: int, decisions: int) -> _Played_co:
        """What comes of a game that has ended two processes, the second while this seat was thinking."""
        ...


class _WatchedBoard(list[int]):
    """A board of this process: `look` is called now and then while its game goes on."""

    def __init__(self, look: Callable[[], None]) -> None:
        super().__init__((0, 0, 0))
        self._look, self._looked = look, time.monotonic()

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        if key == DECISIONS and (now := time.monotonic()) - self._looked > _GLANCE:
            self._looked = now
            self._look()


class Alone:
    """Plays in this process; `look` is called now and then, also within a game."""

    workers = 1

    def __init__(self) -> None:
        self.look: Callable[[], None] = lambda: None
        self._board = _WatchedBoard(lambda: self.look())
        self._since: float | None = None

    def share(self, games: Games[Played], numbers: Sequence[int]) -> Iterator[list[Played]]:
        """As `Crew.share`, one game after the other."""
        for number in numbers:
            self._since = time.monotonic()
            played = _play(games, number, self._board)
            self._since = None
            yield [played]

    def in_flight(self) -> list[InFlight]:
        if self._since is None:
            return []
        return [InFlight(self._board[_GAME], self._board[DECISIONS], time.monotonic() - self._since)]

    def close(self) -> None:
        return


@dataclass
class _Worker:
    process: Any
    pipe: Connection
    board: Any
    busy: list[int] = field(default_factory=list)  # the games it was given and has not returned
    since: float = 0.0


class Crew:
    """Plays in several processes, which stay until they are closed."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._context = multiprocessing.get_context("spawn")
        self._crew = [self._start() for _ in range(workers)]

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        board = RawArray("q", 3)
        with starting_quietly():
            process = self._context.Process(target=_serve, args=(theirs, board), daemon=True)
            process.start()
        theirs.close()
        return _Worker(process, ours, board)

    def share(self, games: Games[Played], numbers: Sequence[int]) -> Iterator[list[Played]]:
        """Plays the games and yields what came of them, in any order; an empty list is a moment to look around."""
        for place, worker in enumerate(self._crew):
            if worker.busy:  # with what nobody waits for any more
                worker.process.terminate()
                worker.pipe.close()
                self._crew[place] = self._start()
        waiting = list(reversed(numbers))
        size = BatchSize(self.workers)
        suspects: dict[int, int] = {}  # game -> how many processes it has taken with it
        while waiting or any(worker.busy for worker in self._crew):
            for place, worker in enumerate(self._crew):
                if not worker.busy and waiting:
                    part = [waiting.pop() for _ in range(size.of(len(waiting)))]
                    worker.busy, worker.since = part, time.monotonic()
                    worker.board[_GAME] = part[0]
                    try:
                        worker.pipe.send((games.part(part), part))
                    except OSError:  # it died while idle
                        waiting += reversed(part)
                        self._crew[place] = self._start()
            ready = wait([worker.pipe for worker in self._crew if worker.busy], timeout=_GLANCE)
            if not ready:
                yield []
            for place, worker in enumerate(self._crew):
                if worker.pipe not in ready:
                    continue
                try:
                    played = worker.pipe.recv()
                except (EOFError, OSError):
                    size.alone = True
                    yield from self._accident(games, place, waiting, suspects)
                    continue
                worker.busy, busy = [], len(worker.busy)
                if isinstance(played, BaseException):
                    raise played
                size.note(busy, time.monotonic() - worker.since)
                yield played

    def _accident(
        self, games: Games[Played], place: int, waiting: list[int], suspects: dict[int, int]
    ) -> Iterator[list[Played]]:
        """A process has ended: its games are played again; one that ends a second process is given up."""
        dead = self._crew[place]
        number, seat, decisions = dead.board[_GAME], int(dead.board[_SEAT]), int(dead.board[DECISIONS])
        dead.pipe.close()
        self._crew[place] = self._start()
        suspects[number] = suspects.get(number, 0) + 1
        again = dead.busy
        if suspects[number] > 1 and len(dead.busy) == 1:
            again = []
            yield [games.ended(number, seat, decisions)]
        waiting += reversed(again)

    def in_flight(self) -> list[InFlight]:
        now = time.monotonic()
        return [
            InFlight(int(worker.board[_GAME]), int(worker.board[DECISIONS]), now - worker.since)
            for worker in self._crew
            if worker.busy
        ]

    def close(self) -> None:
        for worker in self._crew:
            worker.process.terminate()
        for worker in self._crew:
            worker.process.join(5)
            worker.pipe.close()


def _serve(pipe: Connection, board: Any) -> None:
    """The life of a process: plays what it is told until the pipe is closed or its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    _end_with_parent()
    with suppress(EOFError, OSError):
        while True:
            games, numbers = pipe.recv()
            played: list[Any] | BaseException = []
            try:
                played = [_play(games, number, board) for number in numbers]
            except Exception as error:
                played = _portable(error)
            pipe.send(played)


def _play(games: Games[Played], number: int, board: Any) -> Played:
    board[_GAME], board[DECISIONS] = number, 0
    return games.play(number, board)


def _portable(error: Exception) -> Exception:
    """The error with where it came from, or its words where another process could not read it."""
    error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))  # what it was raised with need not be what it is made from
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()
