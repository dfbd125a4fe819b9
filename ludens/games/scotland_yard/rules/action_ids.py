"""Scotland Yard: the ids of actions.

On a map of N stations with T kinds of tickets: ticket * N + station is a ride to the station, T * N + pawn
chooses the pawn to move next, then announcing a double move, then passing.
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.games.scotland_yard.rules.tables import tables
from ludens.games.scotland_yard.state import MAX_PAWNS, ScotlandYard

__all__ = ["double_action", "first_pawn_action", "pass_action"]


@rule
def first_pawn_action(s: ScotlandYard) -> int:
    """The id of choosing the first pawn: rides have the ids below."""
    degree = tables(s).degree
    return int(degree.shape[0] * degree.shape[1])


@rule
def double_action(s: ScotlandYard) -> int:
    """The id of announcing a double move."""
    return first_pawn_action(s) + MAX_PAWNS


@rule
def pass_action(s: ScotlandYard) -> int:
    """The id of passing, the only automatic one."""
    return first_pawn_action(s) + MAX_PAWNS + 1
