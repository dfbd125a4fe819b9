"""Why a move is good: what it changes in the named terms of a game's evaluation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["DANGER", "DENIES", "GAINS", "MOST_REASONS", "PREVENTS", "REFUTES", "WINS", "Reason", "strongest"]

MOST_REASONS = 3
WINS, PREVENTS, REFUTES, DENIES, DANGER, GAINS = range(6)
"""Kinds of reasons in the order in which they are told: the move wins, it prevents a loss, the best answer takes
something away, the move takes something from others, it lessens a danger, it gains something."""
_NOTHING = 1e-6
_BESIDE_THE_STRONGEST = 0.1


@dataclass(frozen=True)
class Reason:
    """One term of the evaluation that speaks for a move, and the numbers that people read about it."""

    term: str  # one of the game's own, as its `text/reasons.py` lists them
    worth: float  # what it adds to the mover's prospects, in the units of the evaluation
    values: dict[str, Any] = field(default_factory=dict)
    kind: int = GAINS

    def to_json(self) -> dict[str, Any]:
        return {"term": self.term, "worth": round(self.worth, 4), "values": self.values}


def strongest(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """The few that speak most for the move, by their kinds; what speaks against it, or next to nothing, is none."""
    found = list(reasons)
    least = max([_NOTHING, *(_BESIDE_THE_STRONGEST * reason.worth for reason in found)])
    speaking = [reason for reason in found if reason.worth >= least]
    return tuple(sorted(speaking, key=lambda reason: (reason.kind, -reason.worth))[:MOST_REASONS])
