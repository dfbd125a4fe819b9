"""What happens without anybody's choice: draws, and actions that leave none.

This is the one place where play goes on by itself. Matches, batches, the arena and the adapters differ in what
they note down on the way, not in what is played.
"""

from __future__ import annotations

from ludens.core import verbs
from ludens.core.jit import rule
from ludens.core.record import Array, Position
from ludens.core.rng import next_event
from ludens.core.verbs import CHANCE, TERMINAL

__all__ = ["CHOICE", "forced", "forced_among", "settle", "settle_among"]

CHOICE = -1
"""What `forced` gives where somebody must choose, and at the end of the game."""


@rule
def forced(s: Position, rng: Array, legal: Array, first_automatic: int) -> tuple[int, int]:
    """The outcome or action that comes next by itself, or CHOICE; and how many legal actions are in `legal`.

    A draw takes its words from `rng`, which then stands at the next chance event. A single legal action comes by
    itself if its id is `first_automatic` or higher. Nothing is played.
    """
    who = verbs.actor(s)
    if who == TERMINAL:
        return CHOICE, 0
    if who == CHANCE:
        outcome = int(verbs.draw(s, rng))
        next_event(rng)
        return outcome, 0
    n = int(verbs.legal(s, legal))
    if n != 1 or legal[0] < first_automatic:
        return CHOICE, n
    return int(legal[0]), n


@rule
def settle(s: Position, rng: Array, legal: Array, first_automatic: int) -> int:
    """Plays all that is forced until somebody must choose; returns the number of legal actions, 0 at the end."""
    while True:
        action, n = forced(s, rng, legal, first_automatic)
        if action == CHOICE:
            return int(n)
        verbs.apply(s, action)


@rule
def forced_among(s: Position, rng: Array, legal: Array, first_automatic: int, restricted: bool) -> tuple[int, int]:
    """`forced`; if restricted, `legal` keeps what the game leaves to policies, and one action alone comes by itself."""
    action, n = forced(s, rng, legal, first_automatic)
    if restricted and action == CHOICE and n > 1:
        n = int(verbs.restrict(s, legal, n))
        if n == 1:
            action = int(legal[0])
    return action, n


@rule
def settle_among(s: Position, rng: Array, legal: Array, first_automatic: int, restricted: bool) -> int:
    """`settle` by `forced_among`."""
    while True:
        action, n = forced_among(s, rng, legal, first_automatic, restricted)
        if action == CHOICE:
            return int(n)
        verbs.apply(s, action)
