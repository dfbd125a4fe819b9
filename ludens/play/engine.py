"""The engine: plays a schedule of games into a sink, wherever an executor lets them be played."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ludens.core.errors import BadInput
from ludens.core.weights import given_weights
from ludens.play.executors import DECISIONS, Board, Executor, Growing, InFlight, ThisProcess
from ludens.play.game import Outcome, play_game
from ludens.play.schedule import Schedule

__all__ = ["Estimate", "Outcomes", "Played", "Progress", "Sink", "play", "play_outcome"]

_LONG_GAME = 10.0  # seconds of a game that are not due to compiling

Kept = TypeVar("Kept")


@dataclass(frozen=True)
class Played(Generic[Kept]):
    """A game that is over, as its sink keeps it."""

    number: int
    seconds: float
    kept: Kept


@dataclass(frozen=True)
class Progress:
    """How far a schedule is."""

    finished: int
    total: int
    in_flight: list[InFlight]
    seconds_left: float | None  # None as long as nothing is known


class Sink(ABC, Generic[Kept]):
    """Is told of every game. `play` and `ended` run where the game does; they are functions of a module."""

    play: Callable[[Schedule, int, Board], Kept]
    ended: Callable[[Schedule, int, int, int], Kept]
    """What is kept of a game that ended two processes: its number, the seat that was thinking, decisions so far."""

    def missing(self, schedule: Schedule) -> Sequence[int]:
        """The numbers of the games to be played."""
        return range(schedule.total)

    @abstractmethod
    def add(self, games: Sequence[Played[Kept]]) -> None:
        """These are over, in any order."""

    def enough(self) -> bool:
        """Does no further game need to be played?"""
        return False

    def close(self) -> None:
        """No game comes any more: all were played, or the rest was broken off."""


def play_outcome(schedule: Schedule, number: int, board: Board | None = None) -> Outcome:
    """Plays a game of the schedule; what an agent does wrong is raised."""

    def note(decisions: int) -> None:
        if board is not None:
            board[DECISIONS] = decisions

    game, seed = schedule.spec_game, schedule.seed_of(number)
    with given_weights(dict(schedule.evaluations)):
        return play_game(game, schedule.option_array, schedule.codes(number), seed, schedule.thoughts, watch=note)


def _refused(schedule: Schedule, number: int, seat: int, decisions: int) -> Outcome:
    raise BadInput(f"Game {number} ended its process twice, the second time after {decisions} choices.")


class Outcomes(Sink[Outcome]):
    """Outcomes in memory, by the number of the game; `report` is told how many there are after each."""

    play = staticmethod(play_outcome)
    ended = staticmethod(_refused)

    def __init__(self, report: Callable[[int], None] = lambda finished: None) -> None:
        self.found: dict[int, Outcome] = {}
        self._report = report

    def add(self, games: Sequence[Played[Outcome]]) -> None:
        for game in games:
            self.found[game.number] = game.kept
            self._report(len(self.found))

    def in_order(self) -> tuple[Outcome, ...]:
        return tuple(self.found[number] for number in sorted(self.found))


@dataclass(frozen=True)
class _Games(Generic[Kept]):
    """The games of a schedule as a job."""

    schedule: Schedule
    kept: Callable[[Schedule, int, Board], Kept]
    given_up: Callable[[Schedule, int, int, int], Kept]

    def part(self, numbers: Sequence[int]) -> _Games[Kept]:
        return self

    def do(self, number: int, board: Board) -> Played[Kept]:
        begun = time.perf_counter()
        kept = self.kept(self.schedule, number, board)
        return Played(number, time.perf_counter() - begun, kept)

    def ended(self, number: int, seat: int, decisions: int) -> Played[Kept]:
        return Played(number, 0.0, self.given_up(self.schedule, number, seat, decisions))


def play(
    schedule: Schedule,
    sink: Sink[Kept],
    executor: Executor | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
    workers: int | None = None,
) -> None:
    """Plays the games that the sink lacks.

    Without an executor they are played here, in up to `workers` processes, by default one a core once that pays.
    `report` is told now and then how far they are.
    """
    own = executor or (ThisProcess() if workers == 1 or not schedule.portable else Growing(workers))
    estimate: Estimate | None = None
    done = 0

    def tell() -> None:
        left = None if estimate is None else estimate.seconds_left()
        report(Progress(done, schedule.total, own.in_flight(), left))

    try:
        numbers = sink.missing(schedule)
        if not numbers:
            return
        estimate, done, seen = Estimate(schedule, numbers), schedule.total - len(numbers), 0
        own.look = tell
        tell()
        for games in own.share(_Games(schedule, sink.play, sink.ended), numbers):
            done += len(games)
            for game in games:
                estimate.note(game.number, game.seconds)
            if games and own.workers != seen:  # the first games: others play now, and what compiled is compiled
                estimate.restart()
                seen = own.workers
            sink.add(games)
            tell()
            if sink.enough():
                return
    finally:
        sink.close()
        if executor is None:
            own.close()


class Estimate:
    """The time that is left, from what each arrangement took so far."""

    def __init__(self, schedule: Schedule, missing: Sequence[int]) -> None:
        self._schedule = schedule
        self._left: dict[int, int] = defaultdict(int)
        for number in missing:
            self._left[schedule.arrangement(number)] += 1
        self._seconds: dict[int, float] = defaultdict(float)
        self._games: dict[int, int] = defaultdict(int)
        self.restart()

    def restart(self) -> None:
        """Forgets how long games took by the clock on the wall."""
        self._begun, self._playing = time.monotonic(), 0.0

    def note(self, number: int, seconds: float) -> None:
        arrangement = self._schedule.arrangement(number)
        self._seconds[arrangement] += seconds
        self._games[arrangement] += 1
        self._left[arrangement] -= 1
        self._playing += seconds

    def seconds_left(self) -> float | None:
        """The time of the games that remain, times what the clock on the wall took for that of games so far."""
        games = sum(self._games.values())
        mean = sum(self._seconds.values()) / games if games else 0.0
        if self._playing <= 0 and mean < _LONG_GAME:
            return None
        playing = sum(
            left * (self._seconds[key] / self._games[key] if self._games[key] else mean)
            for key, left in self._left.items()
        )
        return playing * ((time.monotonic() - self._begun) / self._playing if self._playing > 0 else 1.0)
