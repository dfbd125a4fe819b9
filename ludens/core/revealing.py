"""What a step of a game told a seat that it could not know before."""

from __future__ import annotations

import numpy as np

from ludens.core import kernels, record
from ludens.core.rng import DETERMINIZE, generator
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE

__all__ = ["reveals"]


def reveals(game: Game, before: np.ndarray, action: int, seat: int, worlds: int) -> bool:
    """Did this entry of the log, played in the state `before`, tell the seat something random or hidden?

    Draws do. So does a choice whose sight for the seat differs between worlds that agree with what it saw before (of
    which so many are tried), and a choice of somebody who knows what the seat does not.
    """
    actor = int(kernels.actor_at(before, 0))
    if actor == CHANCE:
        return True
    if not game.spec.hidden:
        return False
    seen, world, known = record.blank(game.dtype), record.blank(game.dtype), record.blank(game.dtype)
    kernels.view_at(before, 0, seat, seen)
    legal = np.zeros(game.spec.actions, np.int64)
    sights = None
    for k in range(worlds):
        kernels.determinize_at(seen, 0, seat, generator(k, DETERMINIZE), world)
        kernels.view_at(world, 0, actor, known)
        told = known.tobytes()
        count = kernels.legal_at(world, 0, legal)
        if action not in legal[:count]:
            return True
        kernels.apply_at(world, 0, action)
        kernels.view_at(world, 0, seat, known)
        sight = (told if actor != seat else b"", known.tobytes())
        sights = sights or sight
        if sight != sights:
            return True
    return False
