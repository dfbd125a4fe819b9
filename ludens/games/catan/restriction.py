"""Catan: the offers among which a policy is learnt.

An offer is put together card by card, and most of what the rules allow leads nowhere. A policy chooses among offers of
one or two equal cards for one of another kind that bring its own hand nearer to a purchase, one a turn; it proposes
them as soon as they are complete, answers yes or no, and accepts only what helps its hand. It helps nobody else to win
at once. Its own cards are read, and what everybody knows.
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.catan.evaluate import HAND_MADE, hand_value
from ludens.games.catan.kingmaking import helps, offer_helps, without_help
from ludens.games.catan.state import (
    ACCEPT,
    ANSWER,
    CANCEL,
    COUNTER,
    COUNTERING,
    GIVE,
    KINDS,
    MAIN,
    OFFERING,
    PROPOSE,
    WANT,
    Catan,
)

__all__ = ["OFFERS", "restrict"]

OFFERS = 1
"""Offers to other players in a turn."""

_MOST_CARDS = 2  # of the own side of an offer


@rule
def _swapped(s: Catan, p: int, given: int, n: int, wanted: int) -> float:
    """The worth of player p's hand with n cards of one kind fewer and one of another more; s is left as it was."""
    s.hand[p, given] -= n
    s.hand[p, wanted] += 1
    s.count[p] += 1 - n
    worth = hand_value(s, p, HAND_MADE)
    s.count[p] -= 1 - n
    s.hand[p, wanted] -= 1
    s.hand[p, given] += n
    return float(worth)


@rule
def _gains(s: Catan, p: int, given: int, n: int, now: float) -> bool:
    """Does giving n cards of a kind for some other one help the hand?"""
    if n > int(s.hand[p, given]):
        return False
    for wanted in range(KINDS):
        if wanted != given and _swapped(s, p, given, n, wanted) > now:
            return True
    return False


@rule
def _improves(s: Catan, p: int) -> bool:
    """Does the offer that player p is asked about help the hand?"""
    now = hand_value(s, p, HAND_MADE)
    for r in range(KINDS):
        s.hand[p, r] += s.offer[r]
        s.count[p] += s.offer[r]
    after = hand_value(s, p, HAND_MADE)
    for r in range(KINDS):
        s.hand[p, r] -= s.offer[r]
        s.count[p] -= s.offer[r]
    return bool(after > now)


@rule
def _next_terms(s: Catan, p: int, legal: Array, n: int) -> int:
    """What goes on with the offer of one kind for another that player p puts together; CANCEL where nothing does."""
    given, held, asked = -1, 0, False
    for r in range(KINDS):
        if s.offer[r] > 0:
            given, held = r, held + int(s.offer[r])
        elif s.offer[r] < 0:
            asked = True
    m, now = 0, hand_value(s, p, HAND_MADE)
    for k in range(n):
        a = int(legal[k])
        if asked:
            good = a == PROPOSE and not helps(s, a)
        elif a < WANT:
            good = a == GIVE + given and held < _MOST_CARDS and _gains(s, p, given, held + 1, now)
        else:
            good = given >= 0 and a < PROPOSE and a - WANT != given and _swapped(s, p, given, held, a - WANT) > now
            good = good and not offer_helps(s, given, held, a - WANT)
        if good:
            legal[m] = a
            m += 1
    if m == 0:
        legal[0] = CANCEL
        m = 1
    return m


@rule
def restrict(s: Catan, legal: Array, n: int) -> int:
    """See `core.verbs`."""
    phase = int(s.phase)
    if phase == OFFERING:
        return int(_next_terms(s, int(s.current), legal, n))
    if phase == COUNTERING:
        legal[0] = CANCEL
        return 1
    if phase != MAIN and phase != ANSWER:
        return int(without_help(s, legal, n))
    p = int(s.current) if phase == MAIN else int(s.responder)
    now = hand_value(s, p, HAND_MADE) if phase == MAIN and s.offers_made < OFFERS else 0.0
    m = 0
    for k in range(n):
        a = int(legal[k])
        if phase == ANSWER:
            if a == COUNTER or (a == ACCEPT and (not _improves(s, p) or helps(s, a))):
                continue
        elif GIVE <= a < PROPOSE:
            if a >= WANT or s.offers_made >= OFFERS:
                continue
            if not (_gains(s, p, a - GIVE, 1, now) or _gains(s, p, a - GIVE, _MOST_CARDS, now)):
                continue
        legal[m] = a
        m += 1
    return m
