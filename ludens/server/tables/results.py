"""How a table ends: by the game's own end, or by resignation."""

from __future__ import annotations

from typing import Any

from ludens.core.match import Match
from ludens.server.tables.seats import Seat
from ludens.server.tables.table import Table

__all__ = ["REASONS", "over_result", "resigned_result"]

REASONS = (
    "nothing happened for {hours} hours",
    "agents alone had played {n} steps without an end",
    "the rules have changed since it was begun (version {made}, now {today})",
    "closed",
    "removed by the administrator",
    "the saved game goes no further",
    "the game had {n} steps without an end",
)
"""Why a table may end without a result; it is stored as text."""


def over_result(match: Match) -> dict[str, Any]:
    """The result of a game that was played to its end."""
    return {"reason": "over", "scores": match.scores(), "returns": match.returns()}


def resigned_result(table: Table, seats: list[Seat]) -> dict[str, Any] | None:
    """The result if the resignations among the seats end the game, else None.

    They do when one side is left (it has won), or when no person is left (the rest draw).
    """
    assert table.match is not None
    sides = table.game.spec.sides(len(seats))
    left = {side for side, seat in zip(sides, seats, strict=True) if not seat.resigned}
    persons = any(seat.kind != "agent" and not seat.resigned for seat in seats)
    if len(left) > 1 and persons:
        return None
    worth = 1.0 if len(left) == 1 else 0.0
    returns = [worth if side in left and not seat.resigned else -1.0 for side, seat in zip(sides, seats)]
    return {"reason": "resigned", "scores": table.match.scores(), "returns": returns}
