"""Why a move is good: what it changes in the named terms of a game's evaluation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["MOST_REASONS", "Reason", "strongest"]

MOST_REASONS = 3
_NOTHING = 1e-6
_BESIDE_THE_STRONGEST = 0.05


@dataclass(frozen=True)
class Reason:
    """One term of the evaluation that speaks for a move, and the numbers that people read about it."""

    term: str  # one of the game's own, as its `text/reasons.py` lists them
    worth: float  # what it adds to the mover's prospects, in the units of the evaluation
    values: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"term": self.term, "worth": round(self.worth, 4), "values": self.values}


def strongest(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """The few that speak most for the move; what speaks against it, or next to nothing beside the others, is none."""
    speaking = sorted(reasons, key=lambda reason: -reason.worth)[:MOST_REASONS]
    least = max(_NOTHING, _BESIDE_THE_STRONGEST * speaking[0].worth) if speaking else 0.0
    return tuple(reason for reason in speaking if reason.worth >= least)
