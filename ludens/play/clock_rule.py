"""The time that agents have in a tournament."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludens.core.errors import BadInput

__all__ = ["CPU", "WALL", "ClockRule"]

WALL, CPU = "wall", "cpu"
_LONGEST = 1e7  # seconds: no alarm can be set for ever


@dataclass(frozen=True)
class ClockRule:
    """The time an agent has, in seconds; who exceeds it has lost the game. None is as long as it likes."""

    move: float | None = None
    game: float | None = None
    measure: str = WALL  # or CPU: the time of the agent's process, all its threads together

    def __post_init__(self) -> None:
        if self.measure not in (WALL, CPU):
            raise BadInput(f"A clock measures {WALL} or {CPU} time, not {self.measure!r}.")
        for limit in (self.move, self.game):
            if limit is not None and not 0 < limit <= _LONGEST:
                raise BadInput(
                    f"The limit of a clock must be more than 0 seconds and at most {_LONGEST:,.0f}, not {limit}."
                )

    def to_json(self) -> dict[str, Any]:
        limits = {"move": self.move, "game": self.game}
        told = {name: None if limit is None else float(limit) for name, limit in limits.items()}
        return {**told, "measure": self.measure}
