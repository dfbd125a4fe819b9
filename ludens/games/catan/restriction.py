"""Catan: the offers among which a policy is learnt.

An offer is put together card by card, and most of what the rules allow leads nowhere. A policy chooses among offers of
one or two equal cards for one of another kind that bring its own hand nearer to a purchase, one a turn; it proposes
them as soon as they are complete, answers yes or no, and accepts only what helps its hand. It helps nobody else to win
at once. Its own cards are read, and what everybody knows.
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.evaluate import HAND_MADE, accepted_hand_value, changed_hand_value, hand_value
from ludens.games.catan.kingmaking import helps, offer_helps, without_help
from ludens.games.catan.rules.trade import plain_terms
from ludens.games.catan.state import KINDS, Catan

__all__ = ["OFFERS", "restrict"]

OFFERS = 1
"""Offers to other players in a turn."""

_MOST_CARDS = 2  # of the own side of an offer


@rule
def _gains(s: Catan, p: int, given: int, n: int, now: float) -> bool:
    """Does giving n cards of a kind for some other one help the hand?"""
    if n > int(s.hand[p, given]):
        return False
    for wanted in range(KINDS):
        if wanted != given and changed_hand_value(s, p, given, n, wanted, 1) > now:
            return True
    return False


@rule
def _next_terms(s: Catan, p: int, legal: Array, n: int) -> int:
    """What goes on with the offer of one kind for another that player p puts together; CANCEL where nothing does."""
    given, held, asked = plain_terms(s)
    m, now = 0, hand_value(s, p, HAND_MADE)
    for k in range(n):
        a = int(legal[k])
        if asked >= 0:
            good = a == ids.PROPOSE and not helps(s, a)
        elif a < ids.WANT:
            good = a == ids.GIVE + given and held < _MOST_CARDS and _gains(s, p, given, held + 1, now)
        else:
            wanted = a - ids.WANT
            good = (
                given >= 0
                and a < ids.PROPOSE
                and wanted != given
                and changed_hand_value(s, p, given, held, wanted, 1) > now
            )
            good = good and not offer_helps(s, given, held, wanted)
        if good:
            legal[m] = a
            m += 1
    if m == 0:
        legal[0] = ids.CANCEL
        m = 1
    return m


@rule
def restrict(s: Catan, legal: Array, n: int) -> int:
    """See `core.verbs`."""
    phase = int(s.phase)
    if phase == phases.OFFERING:
        return int(_next_terms(s, int(s.current), legal, n))
    if phase == phases.COUNTERING:
        legal[0] = ids.CANCEL
        return 1
    if phase != phases.MAIN and phase != phases.ANSWER:
        return int(without_help(s, legal, n))
    p = int(s.current) if phase == phases.MAIN else int(s.responder)
    now = hand_value(s, p, HAND_MADE) if phase == phases.ANSWER or s.offers_made < OFFERS else 0.0
    m = 0
    for k in range(n):
        a = int(legal[k])
        if phase == phases.ANSWER:
            if a == ids.COUNTER or (a == ids.ACCEPT and (accepted_hand_value(s, p) <= now or helps(s, a))):
                continue
        elif ids.GIVE <= a < ids.PROPOSE:
            if a >= ids.WANT or s.offers_made >= OFFERS:
                continue
            if not (_gains(s, p, a - ids.GIVE, 1, now) or _gains(s, p, a - ids.GIVE, _MOST_CARDS, now)):
                continue
        legal[m] = a
        m += 1
    return m
