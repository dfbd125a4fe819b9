"""What the best answer to a move takes away: told of the move, and of the best one, which no such answer meets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.core import kernels
from ludens.core.reasons import DENIES, MOST_REASONS, REFUTES, Reason
from ludens.core.record import blank
from ludens.core.spec import Game
from ludens.core.verbs import TERMINAL
from ludens.search.winning import settled

__all__ = ["Answered", "takes_away", "with_refutation"]

_MOST = 0.5  # the part of the other moves after which the same answer comes


@dataclass(frozen=True)
class Answered:
    """The best answer to a move: who gives it, the positions before it and after it, and whether it is all."""

    seat: int
    before: np.ndarray
    after: np.ndarray
    complete: bool


def takes_away(game: Game, answered: Answered | None, seat: int, weights: np.ndarray) -> Mapping[str, Any] | None:
    """What the answer does to the seat, in the words of a reason for it; None if it takes nothing that has a name."""
    if answered is None or not answered.complete:
        return None
    who, after = answered.seat, answered.after
    end = after.copy()
    settled(game, end)
    sides = game.spec.sides(int(after["players"][0]))
    if sides[who] == sides[seat]:
        return None
    if int(kernels.actor_at(end, 0)) == TERMINAL:
        returns = np.zeros(len(sides))
        kernels.returns_at(end, 0, returns)
        won = returns[who] > 0 and returns[seat] < 0
        return {"by": who, "term": "wins", "values": {}} if won else None
    if not game.rules.evaluations:
        return None
    views = blank(game.dtype), blank(game.dtype)
    for position, view in zip((answered.before, after), views, strict=True):
        kernels.view_at(position, 0, who, view)
    told = game.text.reasons(views[0][0], views[1][0], views[1][0], who, weights)
    for reason in told:
        if reason.kind == DENIES and reason.values.get("seat") == seat:
            return {"by": who, "term": reason.term, "values": reason.values}
    return None


def with_refutation(
    reasons: Sequence[Reason], taken: Mapping[str, Any] | None, best: bool, others: Sequence[Mapping[str, Any] | None]
) -> tuple[Reason, ...]:
    """The reasons of a move with what its best answer takes away; of the best move what the answers to others take."""
    found = list(reasons)
    if not best and taken is not None:
        found.append(Reason("answered", 1.0, dict(taken), REFUTES))
    if best and others:
        for other in others:
            same = sum(one == other for one in others)
            if other is not None and other != taken and same >= _MOST * len(others):
                found.append(Reason("otherwise", 1.0, dict(other), REFUTES))
                break
    return tuple(sorted(found, key=lambda reason: reason.kind))[:MOST_REASONS]
