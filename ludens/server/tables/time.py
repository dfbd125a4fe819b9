"""Time for people: none, minutes with an increment, or days a move. Agents have clocks of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludens.server.clock import now

__all__ = ["AGENT", "LOSE", "Clock", "Times"]

LOSE, AGENT = "lose", "agent"  # what becomes of a seat whose time has run out
_DAY = 86_400.0


@dataclass(frozen=True)
class Clock:
    """How much time the people of a table have."""

    minutes: float | None = None  # for the whole game
    increment: float = 0.0  # seconds, for every turn that is passed on
    days: float | None = None  # for a move
    expired: str = LOSE

    @property
    def first(self) -> float:
        """Seconds that everybody begins with."""
        return self.days * _DAY if self.days is not None else (self.minutes or 0.0) * 60

    def to_json(self) -> dict[str, Any]:
        return {"minutes": self.minutes, "increment": self.increment, "days": self.days, "expired": self.expired}

    @classmethod
    def from_json(cls, told: dict[str, Any] | None) -> Clock | None:
        return None if told is None else cls(**told)


@dataclass
class Times:
    """What everybody has left at a table, by the server's time. While the server rests, nobody's time runs."""

    clock: Clock
    left: dict[int, float]  # by seat, without the present move
    since: float | None = None  # when the present move began; None before the game

    @classmethod
    def of(cls, clock: Clock, seats: int) -> Times:
        return cls(clock, dict.fromkeys(range(seats), clock.first))

    def begin(self) -> None:
        """The time of whoever is to act runs from now on: the game begins, or the server is back."""
        self.since = now()

    def remaining(self, seat: int, actor: int | None) -> float:
        """Seconds that a seat has now; less than none where its time has run out."""
        running = actor == seat and self.since is not None
        return self.left[seat] - (now() - self.since if running and self.since is not None else 0.0)

    def after_move(self, seat: int, passes: bool) -> float:
        """What the seat has after a move; where the turn is passed on, with what that brings."""
        left = self.remaining(seat, seat)
        if not passes:
            return left
        return self.clock.first if self.clock.days is not None else left + self.clock.increment

    def moved(self, seat: int, left: float) -> None:
        """The move is stored."""
        self.left[seat], self.since = left, now()
