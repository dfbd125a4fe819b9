"""Playing a position out: to the end, or for a few decisions and then by the game's evaluation."""

from __future__ import annotations

from ludens.core import verbs
from ludens.core.jit import rule
from ludens.core.record import Array, Position
from ludens.core.rng import below, uniform
from ludens.core.verbs import CHANCE, TERMINAL

__all__ = ["CUT", "GUIDED", "MODES", "RANDOM", "pick_by_weight", "roll_out"]

RANDOM, GUIDED, CUT = range(3)
MODES = ("random", "guided", "cut")
"""The words for the modes: uniform choices, choices by the game's prior, those with an evaluation after a while."""

_PATIENCE = 1 << 14  # decisions after which a game that does not end is evaluated where it stands


@rule
def pick_by_weight(weights: Array, n: int, rng: Array) -> int:
    """An index below n, drawn in proportion to the weights."""
    total = 0.0
    for k in range(n):
        total += weights[k]
    ticket = uniform(rng) * total
    for k in range(n):
        ticket -= weights[k]
        if ticket < 0.0:
            return k
    k = n - 1
    while k > 0 and weights[k] <= 0.0:  # rounding has let the ticket pass the last weight
        k -= 1
    return k


@rule
def roll_out(
    s: Position, mode: int, depth: int, weights: Array, rng: Array, legal: Array, priors: Array, out: Array
) -> None:
    """Plays s on, in place, and writes the utility of every seat.

    RANDOM and GUIDED play to the end; CUT makes `depth` guided decisions (forced ones are not
    counted) and then asks the evaluation. legal and priors are scratch with room for all actions.
    """
    left = depth if mode == CUT else _PATIENCE
    while True:
        who = verbs.actor(s)
        if who == TERMINAL:
            verbs.returns(s, out)
            return
        if left <= 0:
            verbs.evaluate(s, weights, out)
            return
        if who == CHANCE:
            verbs.apply(s, int(verbs.draw(s, rng)))
        else:
            n = verbs.legal(s, legal)
            a = int(legal[0])
            if n > 1:
                left -= 1
                if mode == RANDOM:
                    a = int(legal[below(rng, n)])
                else:
                    verbs.prior(s, legal, n, priors)
                    a = int(legal[pick_by_weight(priors, n, rng)])
            verbs.apply(s, a)
