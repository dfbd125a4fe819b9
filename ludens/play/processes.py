"""Who plays the games of plans: this process or several, see `crew.py`; on a cluster `cluster.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ludens.play.crew import Alone, Crew, InFlight
from ludens.play.game import Outcome
from ludens.play.plan import Plan
from ludens.play.record import GameRecord, play_number, record_of
from ludens.play.referee import ENDED, Referee, forfeited_returns

__all__ = ["Here", "Players", "Processes"]


class Players(Protocol):
    """Whoever plays games of plans."""

    workers: int

    def play(self, plan: Plan, numbers: Sequence[int]) -> Iterator[list[GameRecord]]:
        """Plays the games and yields them as they finish, in any order; an empty list is a moment to look around."""
        ...

    def in_flight(self) -> list[InFlight]: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class _Stored:
    """The games of a plan: an agent that ends its process has lost."""

    plan: Plan

    def part(self, numbers: Sequence[int]) -> _Stored:
        return self

    def play(self, number: int, board: Any) -> GameRecord:
        return play_number(self.plan, number, board)

    def ended(self, number: int, seat: int, decisions: int) -> GameRecord:
        """What was played before is lost."""
        plan = self.plan
        sentence = f"Agent {plan.codes(number)[seat]} on seat {seat + 1} ended its process after {decisions} choices."
        returns = forfeited_returns(plan.sides, seat)
        outcome = Outcome(plan.seed_of(number), returns, (0.0,) * len(plan.sides), (), (), ENDED, seat, sentence)
        return record_of(plan, number, outcome, Referee(plan.clock))


class Here(Alone):
    """Plays in this process."""

    def play(self, plan: Plan, numbers: Sequence[int]) -> Iterator[list[GameRecord]]:
        return self.share(_Stored(plan), numbers)


class Processes(Crew):
    """Plays in several processes, which stay for several plans."""

    def play(self, plan: Plan, numbers: Sequence[int]) -> Iterator[list[GameRecord]]:
        return self.share(_Stored(plan), numbers)
