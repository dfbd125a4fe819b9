"""The referee of one game: keeps the clocks, notes what agents spend, and says when one has lost by its own fault."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ludens.agents.guests import label
from ludens.core.agent import Agent, Clock, thought_of
from ludens.core.spec import Game
from ludens.play.executors import DECISIONS, SEAT, Board
from ludens.play.schedule import CPU, ClockRule
from ludens.play.seats import seat_agent

__all__ = ["CRASH", "ENDED", "ILLEGAL", "OVER", "TIME", "Forfeit", "Referee", "forfeited_returns"]

OVER, CRASH, ILLEGAL, TIME, ENDED = "over", "crash", "illegal move", "time", "process ended"
"""How a game ends: by the rules; or an agent raised an error, chose what is not legal, exceeded its clock, or took
its whole process with it."""

_LATE = 0.05  # seconds after its limit at which an agent that does not come back is interrupted


class Forfeit(Exception):
    """An agent has lost the game by its own fault."""

    def __init__(self, seat: int, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.seat, self.reason, self.sentence = seat, reason, sentence

    def returns(self, sides: Sequence[int]) -> tuple[float, ...]:
        return forfeited_returns(sides, self.seat)


def forfeited_returns(sides: Sequence[int], culprit: int) -> tuple[float, ...]:
    """The culprit's side has lost; the other side has won, several others draw."""
    others = 1.0 if len(set(sides)) == 2 else 0.0
    return tuple(-1.0 if side == sides[culprit] else others for side in sides)


class _TimeIsUp(BaseException):
    """Raised inside an agent that does not come back; it is no Exception, so that agents do not catch it by chance."""


class Referee:
    """Watches one game, and writes on the board how far it is."""

    def __init__(self, rule: ClockRule, board: Board | None = None) -> None:
        self._rule = rule
        self._now: Callable[[], float] = time.process_time if rule.measure == CPU else time.perf_counter
        self._timed = rule.move is not None or rule.game is not None
        self._board = board
        self.seats: list[int] = []  # who decided, decision by decision
        self.times: list[float] = []  # and how many seconds that took
        self.simulations: dict[int, int] = {}  # seat -> simulations, where its agent tells
        self._spent: dict[int, float] = {}
        self._codes: Sequence[Any] = ()

    def seat(self, game: Game, options: np.ndarray, codes: Sequence[Any], seed: int) -> list[Agent]:
        """The agents, made and seated."""
        self._codes = codes
        agents = []
        for seat, code in enumerate(codes):
            try:
                agents.append(seat_agent(game, options, code, seat, seed))
            except Exception as error:
                raise self._crash(seat, error) from error
        return agents

    def ask(self, agent: Agent, seat: int, shown: np.ndarray, legal: np.ndarray) -> Any:
        """The agent's choice; raises Forfeit where it has none in time."""
        if self._board is not None:
            self._board[DECISIONS], self._board[SEAT] = len(self.times), seat
        limit = self._limit(seat) if self._timed else None
        choice: Any = None
        begun = self._now()
        try:
            with _interrupted(limit, self._rule.measure):
                choice = agent.choose(shown, legal, Clock(limit))
        except _TimeIsUp:
            pass
        except Exception as error:
            raise self._crash(seat, error) from error
        spent = self._now() - begun
        self.seats.append(seat)
        self.times.append(spent)
        if self._timed:
            self._spent[seat] = self._spent.get(seat, 0.0) + spent
            if limit is not None and spent > limit:
                raise Forfeit(seat, TIME, f"{self._who(seat)} thought for {spent:.2f} s and had {limit:.2f} s left.")
        if (thought := thought_of(agent)) is not None and thought.simulations is not None:
            self.simulations[seat] = self.simulations.get(seat, 0) + thought.simulations
        return choice

    def farewell(self, agent: Agent) -> Callable[[np.ndarray], None]:
        """Tells an agent how the game ended; what it does then no longer counts."""

        def say(view: np.ndarray) -> None:
            try:
                agent.end(view)
            except Exception:
                return

        return say

    def _limit(self, seat: int) -> float | None:
        limits = [self._rule.move] if self._rule.move is not None else []
        if self._rule.game is not None:
            limits.append(max(0.0, self._rule.game - self._spent.get(seat, 0.0)))
        return min(limits) if limits else None

    def _who(self, seat: int) -> str:
        return f"Agent {label(self._codes[seat])} on seat {seat + 1}"

    def _crash(self, seat: int, error: Exception) -> Forfeit:
        words = " ".join(str(error).split())
        return Forfeit(seat, CRASH, f"{self._who(seat)} failed: {type(error).__name__}{': ' + words if words else ''}.")


@contextmanager
def _interrupted(limit: float | None, measure: str) -> Iterator[None]:
    """Raises _TimeIsUp in Python code that is still running after the limit; compiled code is let end."""
    if limit is None or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    which, number = (signal.ITIMER_PROF, signal.SIGPROF) if measure == CPU else (signal.ITIMER_REAL, signal.SIGALRM)

    def ring(*_: Any) -> None:
        raise _TimeIsUp

    before = signal.signal(number, ring)
    signal.setitimer(which, limit + _LATE)
    try:
        yield
    finally:
        signal.setitimer(which, 0)
        signal.signal(number, before)
