"""Scotland Yard's rules, one subject a file; in reading order:

`maps` (boards as data) · `tables` (what the rules read of a map) · `action_ids` · `movement` (who can go where) ·
`possible` (where Mr. X may be) · `setup` (tickets and start cards) · `rounds` (whose turn it is, and the end) ·
`verbs` (what the rest of the package calls) · `distances` (moves between stations, for players and evaluation).
"""

from __future__ import annotations

from ludens.games.scotland_yard.rules.verbs import (
    actor,
    apply,
    chance,
    draw,
    legal,
    reset_grid,
    reset_london,
    returns,
    scores,
)

__all__ = ["actor", "apply", "chance", "draw", "legal", "reset_grid", "reset_london", "returns", "scores"]
