"""Which choice of a seat can be undone: its last one, where nothing random or hidden was revealed to it since.

In games without hidden information all choices can: the draws after an undo are the same as before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludens.core import kernels
from ludens.core.revealing import reveals
from ludens.core.verbs import CHANCE
from ludens.server.refusal import Refusal
from ludens.server.tables.table import Table

__all__ = ["choice_to_undo", "may_undo"]

_WORLDS = 512  # that a seat's sight is compared with
_FEW = 24  # of them, for a button that may be wrong


def choice_to_undo(table: Table, log: Sequence[int], seat: int, worlds: int = _WORLDS) -> int:
    """The ply before the seat's last choice; refused where it has none, or has seen too much since."""
    game, past = table.game, table.earlier()
    for ply in range(len(log) - 1, -1, -1):
        before = past.state_at(log, ply)
        actor = int(kernels.actor_at(before, 0))
        if actor == CHANCE and game.spec.hidden:
            raise Refusal("forbidden", "Dice or cards have been drawn since your last move; it stays played.")
        if actor == seat and log[ply] < game.spec.first_automatic:
            break
    else:
        raise Refusal("forbidden", "There is no move of yours to undo.")
    if game.spec.hidden:
        for later in range(ply, len(log)):
            if reveals(game, past.state_at(log, later), log[later], seat, worlds):
                raise Refusal("forbidden", "Your last move has shown you something that was hidden; it stays played.")
    return ply


def may_undo(table: Table, seat: int) -> bool:
    """Is there a choice of the seat that can be undone now, as far as a quick look tells?"""
    if table.match is None or table.ended or table.why_no_undo() is not None:
        return False
    try:
        choice_to_undo(table, table.match.log, seat, _FEW)
    except Refusal:
        return False
    return True
