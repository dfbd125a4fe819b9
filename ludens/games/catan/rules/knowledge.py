"""Catan: resource cards change hands, and everybody counts (CA-20).

All movements of resource cards are public except the kind of a stolen card. So the record keeps,
beside the true `hand`, the hand as everybody `counted` it, and a list of the thefts whose kind is
not yet decided by what was seen since:

    hand[p] = counted[p] + cards p stole in undecided thefts - cards p lost in them

`counted` may be negative: whoever spends a card that nobody saw coming must have stolen it. What is
known of theft i is kept with it: the victim's counted cards `before` it (they weigh the kinds), and
for every player and kind the `least` counted number from then on until the next theft, less the
cards shown in offers and answers; true hands were never negative, which excludes kinds. A monopoly
shows the exact number of cards of one kind; that is kept in the `cleared…` fields.

A theft whose kind follows from this by counting is entered in `counted` and leaves the list
(`settle`). The list has room for THEFTS undecided ones, far more than occur between players who
want to win; should it be full, the kind of the oldest becomes known to all.
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.verbs import UNKNOWN
from ludens.games.catan.rules.island import lowest
from ludens.games.catan.state import KINDS, THEFTS, UNLIMITED, Catan

__all__ = ["clear", "gain", "pay", "settle", "spend", "steal", "sure_cards", "take", "witness"]


@rule
def gain(s: Catan, p: int, kind: int, n: int) -> None:
    """Player p gets n cards before everybody's eyes."""
    s.hand[p, kind] += n
    s.counted[p, kind] += n
    s.count[p] += n


@rule
def spend(s: Catan, p: int, kind: int, n: int) -> None:
    """Player p gives n cards away before everybody's eyes."""
    s.hand[p, kind] -= n
    s.counted[p, kind] -= n
    s.count[p] -= n
    witness(s, p, kind, 0)


@rule
def witness(s: Catan, p: int, kind: int, n: int) -> None:
    """Everybody sees that player p holds at least n cards of a kind now."""
    if s.thefts > 0:
        last = int(s.thefts) - 1
        surplus = int(s.counted[p, kind]) - n
        if surplus < s.least[last, p, kind]:
            s.least[last, p, kind] = surplus


@rule
def take(s: Catan, p: int, kind: int, n: int) -> None:
    """Player p gets n cards from the bank."""
    if s.bank[kind] != UNLIMITED:
        s.bank[kind] -= n
    gain(s, p, kind, n)


@rule
def pay(s: Catan, p: int, kind: int, n: int) -> None:
    """Player p gives n cards to the bank."""
    if s.bank[kind] != UNLIMITED:
        s.bank[kind] += n
    spend(s, p, kind, n)


@rule
def steal(s: Catan, thief: int, victim: int, kind: int) -> None:
    """One card changes hands; others see that, but not its kind, unless it can only be one (CA-13)."""
    s.hand[victim, kind] -= 1
    s.hand[thief, kind] += 1
    s.count[victim] -= 1
    s.count[thief] += 1
    settle(s)
    if s.thefts == THEFTS:
        _decide(s, 0, int(s.stolen[0]))
    kinds = _possible_kinds(s, victim)
    if kinds & (kinds - 1) == 0:
        s.counted[victim, kind] -= 1
        s.counted[thief, kind] += 1
        witness(s, victim, kind, 0)
        return
    n = int(s.thefts)
    s.thief[n] = thief
    s.robbed[n] = victim
    s.stolen[n] = kind
    s.could[n] = kinds
    for r in range(KINDS):
        s.before[n, r] = s.counted[victim, r]
    for p in range(s.players):
        for r in range(KINDS):
            s.least[n, p, r] = s.counted[p, r]
    s.thefts = n + 1


@rule
def _possible_kinds(s: Catan, victim: int) -> int:
    """The kinds that the victim may hold for all that is public, as a bit set."""
    kinds = 0
    for r in range(KINDS):
        if int(s.counted[victim, r]) + _could_have(s, s.thief, victim, r) > 0:
            kinds |= 1 << r
    return kinds


@rule
def _could_have(s: Catan, who: Array, p: int, kind: int) -> int:
    """In how many undecided thefts player p, one of `who`, thieves or victims, may have moved a card of this kind."""
    n = 0
    for i in range(s.thefts):
        if who[i] == p and int(s.could[i]) >> kind & 1:
            n += 1
    return n


@rule
def _conclude(s: Catan, who: Array, others: Array, p: int, kind: int) -> None:
    """Player p moved this kind in every theft among `who` that may have been of it, and in none among `others`."""
    for i in range(s.thefts):
        if who[i] == p and int(s.could[i]) >> kind & 1:
            s.could[i] = 1 << kind
        elif others[i] == p:
            s.could[i] = int(s.could[i]) & ~(1 << kind)


@rule
def clear(s: Catan, monopolist: int, kind: int) -> None:
    """After a monopoly nobody else holds this kind: an exact count that decides thefts (CA-15)."""
    if s.thefts == 0:
        return
    c = int(s.clearings)
    s.clearings = c + 1
    s.cleared_kind[c] = kind
    s.cleared_after[c] = s.thefts - 1
    s.monopolist[c] = monopolist
    for p in range(s.players):
        s.cleared[c, p] = s.counted[p, kind]
        if p != monopolist:
            lost = _could_have(s, s.robbed, p, kind)
            if lost > 0 and s.counted[p, kind] == lost:  # as many cards are missing as can have been lost
                _conclude(s, s.robbed, s.thief, p, kind)
    settle(s)


@rule
def settle(s: Catan) -> None:
    """Decides the thefts whose kind follows from what was spent or shown since the last one."""
    again = s.thefts > 0
    while again:
        last = int(s.thefts) - 1
        for p in range(s.players):
            for r in range(KINDS):
                surplus = int(s.least[last, p, r])
                if surplus <= 0 and surplus + _could_have(s, s.thief, p, r) == 0:
                    # Every card of this kind that p may have stolen was needed, and p cannot have lost one.
                    _conclude(s, s.thief, s.robbed, p, r)
        again = False
        for i in range(last, -1, -1):
            kinds = int(s.could[i])
            if kinds & (kinds - 1) == 0:
                _decide(s, i, lowest(kinds))
                again = s.thefts > 0


@rule
def _decide(s: Catan, i: int, kind: int) -> None:
    """Theft i was of this kind, as everybody now knows: it is counted and leaves the list."""
    thief, victim = int(s.thief[i]), int(s.robbed[i])
    s.counted[thief, kind] += 1
    s.counted[victim, kind] -= 1
    n = int(s.thefts)
    for j in range(i, n):
        s.least[j, thief, kind] += 1
        s.least[j, victim, kind] -= 1
        if j > i:
            if s.robbed[j] == thief:
                s.before[j, kind] += 1
            elif s.robbed[j] == victim:
                s.before[j, kind] -= 1
    for c in range(s.clearings):
        if s.cleared_after[c] >= i:
            if s.cleared_kind[c] == kind:
                s.cleared[c, thief] += 1
                s.cleared[c, victim] -= 1
            s.cleared_after[c] -= 1
    # The span after the theft now belongs to the theft before it.
    if i > 0:
        for p in range(s.players):
            for r in range(KINDS):
                s.least[i - 1, p, r] = min(int(s.least[i - 1, p, r]), int(s.least[i, p, r]))
    for j in range(i + 1, n):
        s.thief[j - 1] = s.thief[j]
        s.robbed[j - 1] = s.robbed[j]
        s.stolen[j - 1] = s.stolen[j]
        s.could[j - 1] = s.could[j]
        for r in range(KINDS):
            s.before[j - 1, r] = s.before[j, r]
            for p in range(s.players):
                s.least[j - 1, p, r] = s.least[j, p, r]
    s.thefts = n - 1
    s.stolen[n - 1] = 0
    while s.clearings > 0 and s.cleared_after[0] < 0:  # all thefts before it are decided
        s.clearings -= 1
        s.cleared_after[0] = s.cleared_after[1]
        s.cleared_kind[0] = s.cleared_kind[1]
        s.monopolist[0] = s.monopolist[1]
        for p in range(s.players):
            s.cleared[0, p] = s.cleared[1, p]


@rule
def sure_cards(v: Catan, p: int, kind: int) -> int:
    """Cards of a kind that player p holds for certain, in the eyes of whose view this is."""
    if v.hand[p, kind] != UNKNOWN:
        return int(v.hand[p, kind])
    sure = int(v.counted[p, kind])
    for i in range(v.thefts):
        if v.stolen[i] == kind:
            if v.thief[i] == p:
                sure += 1
            elif v.robbed[i] == p:
                sure -= 1
        elif v.stolen[i] == UNKNOWN and v.robbed[i] == p and int(v.could[i]) >> kind & 1:
            sure -= 1
    return max(sure, 0)
