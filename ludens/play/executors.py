"""Where work is done: in this process, in several, or on a cluster (`cluster.py`); results do not depend on it.

Work is done by number. Every process has a pipe of its own and a board in shared memory, on which it writes how far
its game is; one that dies costs only what it was doing.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from typing import Any, Protocol, Self, TypeVar

from ludens.core import registry
from ludens.core.errors import BadInput

__all__ = [
    "DECISIONS",
    "SEAT",
    "SINGLE_THREADED",
    "BatchSize",
    "Board",
    "Executor",
    "Growing",
    "InFlight",
    "Job",
    "Processes",
    "ThisProcess",
    "executor_for",
    "reachable",
]

SINGLE_THREADED = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""What tells libraries to use one thread: the games use the cores."""
DECISIONS, SEAT = 0, 1
"""Where a board says how far its game is, and which seat thinks."""
_GAME = 2  # what else stands on it
_GLANCE = 0.5  # seconds between two looks at games that are being played
_LONGEST, _MOST = 0.3, 64  # seconds that a process should be busy before it reports, and games of a batch at most
_PATIENCE = 2.0  # seconds to work alone before asking whether more processes would pay
_WORTHWHILE = 6.0  # seconds of remaining work that pay for starting processes


@dataclass(frozen=True)
class InFlight:
    """A game that is being played."""

    number: int
    decisions: int
    seconds: float


class Board(Protocol):
    """Where others can read how far a game is: its decisions, the seat that thinks, its number."""

    def __getitem__(self, key: int, /) -> int: ...

    def __setitem__(self, key: int, value: int, /) -> None: ...


Done = TypeVar("Done")
_Done_co = TypeVar("_Done_co", covariant=True)


class Job(Protocol[_Done_co]):
    """Work by number, such as games, which any process can do; picklable."""

    def part(self, numbers: Sequence[int]) -> Job[_Done_co]:
        """What a process needs for these: small, since it is sent with them."""
        ...

    def do(self, number: int, board: Board) -> _Done_co: ...

    def ended(self, number: int, seat: int, decisions: int) -> _Done_co:
        """What comes of a number that has ended two processes, the second while this seat was thinking."""
        ...


@dataclass(frozen=True)
class _Calls:
    """Calls of a function, by number."""

    function: Callable[..., Any]
    arguments: Mapping[int, tuple[Any, ...]]

    def part(self, numbers: Sequence[int]) -> _Calls:
        return _Calls(self.function, {number: self.arguments[number] for number in numbers})

    def do(self, number: int, board: Board) -> tuple[int, Any]:
        return number, self.function(*self.arguments[number])

    def ended(self, number: int, seat: int, decisions: int) -> tuple[int, Any]:
        raise BadInput(f"One of {len(self.arguments)} parts of the work ended two processes; is there memory enough?")


class Executor(ABC):
    """Does work, for several jobs one after the other, until it is closed."""

    workers: int = 1

    def __init__(self) -> None:
        self.look: Callable[[], None] = lambda: None  # called now and then, by this process also within a game

    @abstractmethod
    def share(self, job: Job[Done], numbers: Sequence[int]) -> Iterator[list[Done]]:
        """Does the numbers and yields what came of them, in any order; an empty list is a moment to look around."""

    def map(self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Calls a function of some module with each of these arguments; the results are in their order."""
        found: dict[int, Any] = {}
        for done in self.share(_Calls(function, dict(enumerate(arguments))), range(len(arguments))):
            found.update(done)
        return [found[number] for number in range(len(arguments))]

    def in_flight(self) -> list[InFlight]:
        return []

    def close(self) -> None:
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def executor_for(processes: int = 1, cluster: str | None = None) -> Executor:
    """So many processes of this machine, or a Ray cluster at an address."""
    if processes < 1:
        raise BadInput(f"The number of processes must be at least 1, not {processes}.")
    if cluster is not None:
        from ludens.play.cluster import RayCluster

        return RayCluster(cluster)
    return ThisProcess() if processes == 1 else Processes(processes)


def reachable(game: str) -> bool:
    """Can a new process find this game? (not if it was only registered in this one)"""
    return game in registry.BUILT_IN or any(point.name == game for point in entry_points(group="ludens.games"))


class BatchSize:
    """How many numbers to hand over at once: enough to keep messages cheap, few enough to lose little.

    It grows as long as games turn out to be short; the last games are spread over all processes.
    """

    def __init__(self, workers: int) -> None:
        self._workers, self._size = workers, 1
        self.alone = False  # after an accident every game is sent by itself, to find the one that failed

    def of(self, waiting: int) -> int:
        share = max(1, waiting // (2 * self._workers))
        return min(1 if self.alone else self._size, share, waiting)

    def note(self, games: int, seconds: float) -> None:
        """So many were done in one batch, in this time."""
        each = max(seconds / games, 1e-6)
        self._size = max(1, min(_MOST, int(_LONGEST / each), 2 * self._size))


# --- this process ----------------------------------------------------------------------------


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


class ThisProcess(Executor):
    """Works in this process, one number after the other."""

    def __init__(self) -> None:
        super().__init__()
        self._board = _WatchedBoard(lambda: self.look())
        self._since: float | None = None

    def share(self, job: Job[Done], numbers: Sequence[int]) -> Iterator[list[Done]]:
        for number in numbers:
            self._since = time.monotonic()
            done = _do(job, number, self._board)
            self._since = None
            yield [done]

    def in_flight(self) -> list[InFlight]:
        if self._since is None:
            return []
        return [InFlight(self._board[_GAME], self._board[DECISIONS], time.monotonic() - self._since)]


def _do(job: Job[Done], number: int, board: Board) -> Done:
    board[_GAME], board[DECISIONS] = number, 0
    return job.do(number, board)


# --- several processes -----------------------------------------------------------------------


@dataclass
class _Worker:
    process: Any
    pipe: Connection
    board: Any
    busy: list[int] = field(default_factory=list)  # the numbers it was given and has not returned
    since: float = 0.0


class Processes(Executor):
    """Works in several processes of this machine."""

    def __init__(self, workers: int) -> None:
        super().__init__()
        self.workers = workers
        self._context = multiprocessing.get_context("spawn")
        self._team = [self._start() for _ in range(workers)]

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        board = RawArray("q", 3)
        with _starting_quietly():
            process = self._context.Process(target=_serve, args=(theirs, board), daemon=True)
            process.start()
        theirs.close()
        return _Worker(process, ours, board)

    def share(self, job: Job[Done], numbers: Sequence[int]) -> Iterator[list[Done]]:
        for place, worker in enumerate(self._team):
            if worker.busy:  # with what nobody waits for any more
                worker.process.terminate()
                worker.pipe.close()
                self._team[place] = self._start()
        waiting = list(reversed(numbers))
        size = BatchSize(self.workers)
        suspects: dict[int, int] = {}  # number -> how many processes it has taken with it
        while waiting or any(worker.busy for worker in self._team):
            for place, worker in enumerate(self._team):
                if not worker.busy and waiting:
                    part = [waiting.pop() for _ in range(size.of(len(waiting)))]
                    worker.busy, worker.since = part, time.monotonic()
                    worker.board[_GAME] = part[0]
                    try:
                        worker.pipe.send((job.part(part), part))
                    except OSError:  # it died while idle
                        waiting += reversed(part)
                        self._team[place] = self._start()
            ready = wait([worker.pipe for worker in self._team if worker.busy], timeout=_GLANCE)
            if not ready:
                yield []
            for place, worker in enumerate(self._team):
                if worker.pipe not in ready:
                    continue
                try:
                    done = worker.pipe.recv()
                except (EOFError, OSError):
                    size.alone = True
                    yield from self._accident(job, place, waiting, suspects)
                    continue
                worker.busy, busy = [], len(worker.busy)
                if isinstance(done, BaseException):
                    raise done
                size.note(busy, time.monotonic() - worker.since)
                yield done

    def _accident(
        self, job: Job[Done], place: int, waiting: list[int], suspects: dict[int, int]
    ) -> Iterator[list[Done]]:
        """A process has ended: its numbers are done again; one that ends a second process is given up."""
        dead = self._team[place]
        number, seat, decisions = dead.board[_GAME], int(dead.board[SEAT]), int(dead.board[DECISIONS])
        dead.pipe.close()
        self._team[place] = self._start()
        suspects[number] = suspects.get(number, 0) + 1
        again = dead.busy
        if suspects[number] > 1 and len(dead.busy) == 1:
            again = []
            yield [job.ended(number, seat, decisions)]
        waiting += reversed(again)

    def in_flight(self) -> list[InFlight]:
        now = time.monotonic()
        return [
            InFlight(int(worker.board[_GAME]), int(worker.board[DECISIONS]), now - worker.since)
            for worker in self._team
            if worker.busy
        ]

    def close(self) -> None:
        for worker in self._team:
            worker.process.terminate()
        for worker in self._team:
            worker.process.join(5)
            worker.pipe.close()


@contextmanager
def _starting_quietly() -> Iterator[None]:
    """While a process starts: it inherits deaf ears for Ctrl-C and one thread each for numerics."""
    main = threading.current_thread() is threading.main_thread()
    before = {name: os.environ.get(name) for name in SINGLE_THREADED}
    os.environ.update(dict.fromkeys(SINGLE_THREADED, "1"))
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN) if main else None
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGINT, handler)
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _serve(pipe: Connection, board: Any) -> None:
    """The life of a process: does what it is told until the pipe is closed or its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    _end_with_parent()
    with suppress(EOFError, OSError):
        while True:
            job, numbers = pipe.recv()
            done: list[Any] | BaseException = []
            try:
                done = [_do(job, number, board) for number in numbers]
            except Exception as error:
                done = _portable(error)
            pipe.send(done)


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


class Growing(Executor):
    """This process, and several once they pay: by default one a core, when much work turns out to be left.

    A number of workers that is asked for begins after the first game, which compiles what the others then find.
    """

    def __init__(self, workers: int | None = None) -> None:
        super().__init__()
        if workers is not None and workers < 1:
            raise BadInput(f"The number of workers must be at least 1, not {workers}.")
        self._asked = workers
        self._now: Executor = ThisProcess()

    def share(self, job: Job[Done], numbers: Sequence[int]) -> Iterator[list[Done]]:
        self._now.look = lambda: self.look()
        done, begun = 0, 0.0
        for found in self._now.share(job, numbers):
            yield found
            if isinstance(self._now, Processes):
                continue
            done += 1
            begun = begun or time.monotonic()  # after the first, which compiles
            left = len(numbers) - done
            if left and self._more_would_pay(done, left, time.monotonic() - begun):
                self._now = Processes(min(self._asked or os.cpu_count() or 1, left))
                self.workers = self._now.workers
                yield from self._now.share(job, numbers[done:])
                return

    def _more_would_pay(self, done: int, left: int, seconds: float) -> bool:
        if self._asked is not None:
            return self._asked > 1
        if done == 1 or (os.cpu_count() or 1) == 1:
            return False
        return seconds >= _PATIENCE and seconds / (done - 1) * left >= _WORTHWHILE

    def in_flight(self) -> list[InFlight]:
        return self._now.in_flight()

    def close(self) -> None:
        self._now.close()
