"""Processes that play the games of plans: one that dies costs only the game it was playing, and tells by whose fault.

Every process has a pipe of its own and a board in shared memory, on which it writes how far its game is. Which
process plays what changes no result.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from typing import Any, Protocol

from ludens.arena.batch_size import BatchSize
from ludens.arena.one_game import Outcome
from ludens.arena.plan import Plan
from ludens.arena.record import GameRecord, play_number, record_of
from ludens.arena.referee import ENDED, Referee, forfeited_returns
from ludens.arena.workers import starting_quietly

__all__ = ["Here", "InFlight", "Players", "Processes"]

_DECISIONS, _SEAT, _GAME = 0, 1, 2  # what stands on a board
_GLANCE = 0.5  # seconds between two looks at games that are being played


@dataclass(frozen=True)
class InFlight:
    """A game that is being played."""

    number: int
    decisions: int
    seconds: float


class Players(Protocol):
    """Whoever plays games of plans."""

    workers: int

    def play(self, plan: Plan, numbers: Sequence[int]) -> Iterator[list[GameRecord]]:
        """Plays the games and yields them as they finish, in any order; an empty list is a moment to look around."""
        ...

    def in_flight(self) -> list[InFlight]: ...

    def close(self) -> None: ...


class _WatchedBoard(list[int]):
    """A board of this process: `look` is called now and then while its game goes on."""

    def __init__(self, look: Callable[[], None]) -> None:
        super().__init__((0, 0, 0))
        self._look, self._looked = look, time.monotonic()

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        if key == _DECISIONS and (now := time.monotonic()) - self._looked > _GLANCE:
            self._looked = now
            self._look()


class Here:
    """Plays in this process; `look` is called now and then, also within a game."""

    workers = 1

    def __init__(self) -> None:
        self.look: Callable[[], None] = lambda: None
        self._board = _WatchedBoard(lambda: self.look())
        self._since: float | None = None

    def play(self, plan: Plan, numbers: Sequence[int]) -> Iterator[list[GameRecord]]:
        for number in numbers:
            self._since = time.monotonic()
            record = _play(plan, number, self._board)
            self._since = None
            yield [record]

    def in_flight(self) -> list[InFlight]:
        if self._since is None:
            return []
        return [InFlight(self._board[_GAME], self._board[_DECISIONS], time.monotonic() - self._since)]

    def close(self) -> None:
        return


@dataclass
class _Worker:
    process: Any
    pipe: Connection
    board: Any
    busy: list[int] = field(default_factory=list)  # the games it was given and has not returned
    since: float = 0.0


class Processes:
    """Plays in several processes, which stay for several plans."""

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

    def play(self, plan: Plan, numbers: Sequence[int]) -> Iterator[list[GameRecord]]:
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
                        worker.pipe.send((plan, part))
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
                    records = worker.pipe.recv()
                except (EOFError, OSError):
                    size.alone = True
                    yield from self._accident(plan, place, waiting, suspects)
                    continue
                if isinstance(records, BaseException):
                    raise records
                size.note(len(records), time.monotonic() - worker.since)
                worker.busy = []
                yield records

    def _accident(
        self, plan: Plan, place: int, waiting: list[int], suspects: dict[int, int]
    ) -> Iterator[list[GameRecord]]:
        """A process has ended: its games are played again; who was thinking when one ends a second process has lost."""
        dead = self._crew[place]
        number, seat, decisions = dead.board[_GAME], int(dead.board[_SEAT]), int(dead.board[_DECISIONS])
        dead.pipe.close()
        self._crew[place] = self._start()
        suspects[number] = suspects.get(number, 0) + 1
        again = dead.busy
        if suspects[number] > 1 and len(dead.busy) == 1:
            again = []
            yield [_fatal(plan, number, seat, decisions)]
        waiting += reversed(again)

    def in_flight(self) -> list[InFlight]:
        now = time.monotonic()
        return [
            InFlight(int(worker.board[_GAME]), int(worker.board[_DECISIONS]), now - worker.since)
            for worker in self._crew
            if worker.busy
        ]

    def close(self) -> None:
        for worker in self._crew:
            worker.process.terminate()
        for worker in self._crew:
            worker.process.join(5)
            worker.pipe.close()


def _fatal(plan: Plan, number: int, seat: int, decisions: int) -> GameRecord:
    """The record of a game in which an agent ended its process; what was played before is lost."""
    sentence = f"Agent {plan.codes(number)[seat]} on seat {seat + 1} ended its process after {decisions} choices."
    returns = forfeited_returns(plan.sides, seat)
    outcome = Outcome(plan.seed_of(number), returns, (0.0,) * len(plan.sides), (), (), ENDED, seat, sentence)
    return record_of(plan, number, outcome, Referee(plan.clock))


def _serve(pipe: Connection, board: Any) -> None:
    """The life of a process: plays what it is told until the pipe is closed or its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    _end_with_parent()
    with suppress(EOFError, OSError):
        while True:
            plan, numbers = pipe.recv()
            records: list[GameRecord] | BaseException = []
            try:
                records = [_play(plan, number, board) for number in numbers]
            except Exception as error:
                records = error
            pipe.send(records)


def _play(plan: Plan, number: int, board: Any) -> GameRecord:
    board[_GAME], board[_DECISIONS] = number, 0
    return play_number(plan, number, board)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()
