"""The Discovery: the deck and the draw of the turn's tile, which is the game's chance."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.rng import below
from ludens.games.discovery.rules.map import fits_somewhere
from ludens.games.discovery.state import DRAWING, KINDS, PLACING, RETURN, Discovery

__all__ = ["chance", "draw", "take_from_deck"]


@rule
def chance(s: Discovery, outcomes: Array, weights: Array) -> int:
    """Every kind left in the deck, by its copies (CD-3, CD-7)."""
    if s.phase != DRAWING:
        return 0
    n = 0
    for kind in range(KINDS):
        if s.deck[kind] > 0:
            outcomes[n] = kind
            weights[n] = int(s.deck[kind]) / int(s.deck_left)
            n += 1
    return n


@rule
def draw(s: Discovery, rng: Array) -> int:
    ticket = below(rng, int(s.deck_left))
    kind = 0
    while ticket >= s.deck[kind]:
        ticket -= int(s.deck[kind])
        kind += 1
    return kind


@rule
def take_from_deck(s: Discovery, kind: int) -> None:
    """A drawn tile is placed by the player, or set aside for another draw when it fits nowhere (CD-9)."""
    s.deck[kind] -= 1
    s.deck_left -= 1
    if fits_somewhere(s, kind):
        s.hand = kind
        s.phase = PLACING
        if s.unplaceable == RETURN:
            _return_tiles(s)
    else:
        s.aside[kind] += 1


@rule
def _return_tiles(s: Discovery) -> None:
    """The tiles set aside in this turn go back into the deck (CD-9, option)."""
    for kind in range(KINDS):
        s.deck[kind] += int(s.aside[kind])
        s.deck_left += int(s.aside[kind])
        s.aside[kind] = 0
