"""What agents thought in a series of games: means over their decisions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ludens.core.agent import Thought
from ludens.play.game import Outcome
from ludens.play.lineup import Lineup

__all__ = ["MeanThoughts", "mean_thoughts"]


@dataclass(frozen=True)
class MeanThoughts:
    """The thoughts of one agent; None where no decision told that number."""

    decisions: int  # that told a thought: forced moves tell none
    value: float | None
    simulations: float | None
    depth: float | None

    def to_json(self) -> dict[str, Any]:
        return {
            "decisions": self.decisions,
            "value": self.value,
            "simulations": self.simulations,
            "depth": self.depth,
        }


def mean_thoughts(agents: int, lineup: Lineup, outcomes: Sequence[Outcome]) -> list[MeanThoughts]:
    """The mean thoughts of every agent; outcomes[i] is the game of index i."""
    told: list[list[Thought]] = [[] for _ in range(agents)]
    for index, outcome in enumerate(outcomes):
        seats = lineup.at_seats(index)
        for seat, thought in outcome.thoughts:
            told[seats[seat]].append(thought)
    return [
        MeanThoughts(
            len(own),
            _mean(thought.value for thought in own),
            _mean(thought.simulations for thought in own),
            _mean(thought.depth for thought in own),
        )
        for own in told
    ]


def _mean(numbers: Iterable[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return math.fsum(known) / len(known) if known else None
