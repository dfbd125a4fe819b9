"""Azul: the deal, tile by tile, from the bag and then from the lid (AZ-11 … AZ-14)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.games.azul.rules.ending import finish
from ludens.games.azul.state import DEALING, FACTORY_ROOM, NOBODY, SIZE, TAKING, Azul

__all__ = ["begin_round", "deal", "factories_of"]


@rule
def factories_of(players: int, wanted: int) -> int:
    """The number of factories: as an option says, or as many as the players need (AZ-4, AZ-140)."""
    return wanted if wanted > 0 else 2 * players + 1


@rule
def begin_round(s: Azul, first: int) -> None:
    """Empties the table for the deal of a new round (AZ-11)."""
    s.first = first
    s.current = first
    s.marker = NOBODY
    s.dealt = 0
    s.tiles_left = 0
    s.phase = DEALING
    _refill_bag(s)
    if _bag_is_empty(s):  # AZ-14: not a single tile can be dealt
        finish(s)


@rule
def deal(s: Azul, colour: int) -> None:
    """Puts one drawn tile on the next free factory place (AZ-11)."""
    s.bag[colour] -= 1
    s.sources[s.dealt // FACTORY_ROOM, colour] += 1
    s.dealt += 1
    s.tiles_left += 1
    if s.dealt == FACTORY_ROOM * s.factories:
        s.phase = TAKING
    else:
        _refill_bag(s)
        if _bag_is_empty(s):  # AZ-13: the round starts with what there is
            s.phase = TAKING


@rule
def _bag_is_empty(s: Azul) -> bool:
    for colour in range(SIZE):
        if s.bag[colour] > 0:
            return False
    return True


@rule
def _refill_bag(s: Azul) -> None:
    """An empty bag takes the tiles of the lid (AZ-12)."""
    if _bag_is_empty(s):
        for colour in range(SIZE):
            s.bag[colour] = s.lid[colour]
            s.lid[colour] = 0
