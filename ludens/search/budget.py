"""How long a search may go on: so many simulations, so many seconds, whichever ends first."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ludens.core.errors import BadInput

__all__ = ["Budget", "in_batches", "side_by_side", "work_off"]

_SLICE = 0.004  # seconds that a search runs between two looks at the clock
_SAFETY = 0.9  # the part of a given clock that is used


@dataclass(frozen=True)
class Budget:
    """Limits of one search; at least one of them is given. The time counts from the making of the budget."""

    simulations: int | None = None
    seconds: float | None = None
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise BadInput("A search needs a budget: a number of simulations or of seconds.")
        if self.simulations is not None and not 1 <= self.simulations <= 10**9:
            raise BadInput(f"The number of simulations must be from 1 to {10**9}, not {self.simulations}.")
        if self.seconds is not None and not 0 < self.seconds <= 86400:
            raise BadInput(f"The seconds of a search must be above 0 and at most 86400, not {self.seconds}.")

    def within(self, seconds: float) -> Budget:
        """The same budget for somebody who has only so many seconds (infinite is no limit)."""
        if seconds == float("inf"):
            return self
        own = float("inf") if self.seconds is None else self.seconds
        return Budget(self.simulations, max(1e-3, min(own, _SAFETY * seconds)))

    def left(self) -> float:
        """Seconds left, infinite without a limit."""
        return float("inf") if self.seconds is None else self.seconds - (time.monotonic() - self.started)


def work_off(
    budget: Budget, share: int, run: Callable[[int], None], settled: Callable[[int], bool] | None = None
) -> int:
    """Calls run(n) for short slices until the budget, or this worker's share of the simulations, is used up.

    At least one simulation is run, however short the time. Where the clock alone limits, `settled` is asked whether
    so many more simulations would be of no use, which ends the work too. Returns how many were run.
    """
    clock_alone = budget.simulations is None
    limit = 1 << 62 if clock_alone else share
    done, size, fastest = 0, 4, 0.0
    while done < limit:
        size = min(size, limit - done)
        begun = time.monotonic()
        run(size)
        done += size
        spent = time.monotonic() - begun
        left = budget.left()
        if left <= 0:
            break
        # As many as fit into a slice at the speed just seen, but growing by steps: the first call compiles.
        speed = size / max(spent, 1e-6)
        fastest = max(fastest, speed)
        if settled is not None and clock_alone and spent > 0.5 * _SLICE and settled(int(fastest * left)):
            break
        size = max(1, min(8 * size, int(speed * min(_SLICE, left))))
    return done


def side_by_side(count: int, work: Callable[[int], object]) -> None:
    """work(0) … work(count - 1), each in a thread of its own, but for the first, which is done here."""
    others = [threading.Thread(target=work, args=(k,)) for k in range(1, count)]
    for thread in others:
        thread.start()
    work(0)
    for thread in others:
        thread.join()


def in_batches(batches: int, threads: int, look: Callable[[int, int], bool]) -> bool:
    """look(batch, thread) for every batch, by so many threads; did all of them finish?"""
    finished = [False] * batches

    def work(thread: int) -> None:
        for batch in range(thread, batches, threads):
            finished[batch] = look(batch, thread)

    side_by_side(min(threads, batches), work)
    return all(finished)
