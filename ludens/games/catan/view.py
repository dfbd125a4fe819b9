"""Catan: what a seat knows, and full states that agree with it (CA-20).

Hidden from a seat are: the kinds of stolen cards in undecided thefts of which the seat was neither
thief nor victim, the hands that depend on them, the unplayed development cards of others, and the
deck. All that everybody counted stays (see rules/knowledge.py), so a hand is UNKNOWN only where a theft
makes it so. At the end all cards are laid open.

`determinize` draws from the true distribution given all that the seat has seen, as far as the rules
decide it (what players choose is no evidence):

- Stolen cards: the thefts are played again in order. An unknown kind is drawn from the victim's hand
  as it then was; a known kind must come up in such a draw; every hand must have sufficed for what was
  spent and shown, and monopolies must have taken all. A failure starts again. This rejection sampling
  is exact; should it not succeed in _TRIES attempts, a search finds some consistent kinds.
- Development cards: the unseen ones are dealt at random, and again if somebody had won with them.
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array, Records
from ludens.core.rng import below, drawn
from ludens.core.verbs import UNKNOWN
from ludens.games.catan import phases
from ludens.games.catan.state import DECK, KINDS, THEFTS, VICTORY_CARD, Catan

__all__ = ["determinize", "view"]

_TRIES = 200


@rule
def view(s: Catan, seat: int, out: Records[Catan]) -> None:
    out[0] = s
    if s.phase == phases.OVER:
        return
    v = out[0]
    for i in range(s.thefts):
        if s.thief[i] != seat and s.robbed[i] != seat:
            v.stolen[i] = UNKNOWN
            _hide_hand(v, int(s.thief[i]))
            _hide_hand(v, int(s.robbed[i]))
    for kind in range(KINDS):
        v.deck[kind] = UNKNOWN
        for p in range(s.players):
            if p != seat:
                v.cards[p, kind] = UNKNOWN
        if s.current != seat:
            v.fresh[kind] = UNKNOWN


@rule
def _hide_hand(v: Catan, p: int) -> None:
    for r in range(KINDS):
        v.hand[p, r] = UNKNOWN


@rule
def determinize(v: Catan, seat: int, rng: Array, out: Records[Catan]) -> None:
    out[0] = v
    if v.phase == phases.OVER:
        return
    s = out[0]
    hidden = False
    for i in range(v.thefts):
        if v.stolen[i] == UNKNOWN:
            hidden = True
    if hidden:
        _restore_thefts(v, s, rng)
    if v.deck[0] == UNKNOWN:
        _deal_cards(v, s, rng)


# --- stolen cards -------------------------------------------------------------------------
# While kinds are drawn, s.hand holds the net effect of the thefts drawn so far.


@rule
def _restore_thefts(v: Catan, s: Catan, rng: Array) -> None:
    found = False
    tries = 0
    while not found and tries < _TRIES:
        found = _replay_thefts(v, s, rng)
        tries += 1
    if not found:
        _search_thefts(v, s, rng)
    for p in range(s.players):
        for r in range(KINDS):
            s.hand[p, r] += v.counted[p, r]


@rule
def _forget(s: Catan) -> None:
    for p in range(s.players):
        for r in range(KINDS):
            s.hand[p, r] = 0


@rule
def _move(s: Catan, i: int, kind: int, n: int) -> None:
    """Makes (n = 1) or takes back (n = -1) theft i with this kind."""
    s.hand[s.thief[i], kind] += n
    s.hand[s.robbed[i], kind] -= n


@rule
def _held(s: Catan, i: int, kind: int) -> int:
    """Cards of a kind the victim held just before theft i."""
    return int(s.before[i, kind]) + int(s.hand[s.robbed[i], kind])


@rule
def _sufficed(s: Catan, i: int) -> bool:
    """Do the thefts up to i explain all that was seen until the next one?"""
    for p in range(s.players):
        for r in range(KINDS):
            if int(s.least[i, p, r]) + int(s.hand[p, r]) < 0:
                return False
    for c in range(s.clearings):
        if s.cleared_after[c] == i:
            for p in range(s.players):
                if p != s.monopolist[c]:
                    if int(s.cleared[c, p]) + int(s.hand[p, s.cleared_kind[c]]) != 0:
                        return False
    return True


@rule
def _replay_thefts(v: Catan, s: Catan, rng: Array) -> bool:
    """One attempt of the rejection sampling."""
    _forget(s)
    for i in range(s.thefts):
        total = 0
        for r in range(KINDS):
            total += _held(s, i, r)
        ticket = below(rng, total)
        kind = 0
        if v.stolen[i] == UNKNOWN:
            while ticket >= _held(s, i, kind):
                ticket -= _held(s, i, kind)
                kind += 1
        else:
            kind = int(v.stolen[i])
            if ticket >= _held(s, i, kind):
                return False
        _move(s, i, kind, 1)
        s.stolen[i] = kind
        if not _sufficed(s, i):
            return False
    return True


@rule
def _search_thefts(v: Catan, s: Catan, rng: Array) -> None:
    """Finds consistent kinds depth first, trying the kinds of each theft from a random one on."""
    _forget(s)
    first = 0  # the first kind tried for each theft, three bits each
    for i in range(THEFTS):
        first |= below(rng, KINDS) << 3 * i
    tried = 0  # how many kinds were tried for each theft, three bits each
    i = 0
    while 0 <= i < s.thefts:
        count = tried >> 3 * i & 7
        placed = False
        while count < KINDS and not placed:
            kind = ((first >> 3 * i & 7) + count) % KINDS
            count += 1
            if (v.stolen[i] == UNKNOWN or v.stolen[i] == kind) and _held(s, i, kind) > 0:
                _move(s, i, kind, 1)
                if _sufficed(s, i):
                    s.stolen[i] = kind
                    placed = True
                else:
                    _move(s, i, kind, -1)
        tried = tried & ~(7 << 3 * i) | count << 3 * i
        if placed:
            i += 1
        else:
            tried &= ~(7 << 3 * i)
            i -= 1
            if i >= 0:
                _move(s, i, int(s.stolen[i]), -1)


# --- development cards --------------------------------------------------------------------


@rule
def _deal_cards(v: Catan, s: Catan, rng: Array) -> None:
    tries = 0
    while not _deal_once(v, s, rng, tries >= _TRIES):
        tries += 1


@rule
def _deal_once(v: Catan, s: Catan, rng: Array, careful: bool) -> bool:
    """Deals the unseen cards; false if somebody would have won with them. Careful: nobody can."""
    left = 0
    for kind in range(KINDS):
        unseen = DECK[kind] - int(v.played[kind])
        for p in range(v.players):
            if v.cards[p, kind] != UNKNOWN:
                unseen -= int(v.cards[p, kind])
        s.deck[kind] = unseen
        left += unseen
    for p in range(v.players):
        if v.cards[p, 0] == UNKNOWN:
            for kind in range(KINDS):
                s.cards[p, kind] = 0
                if p == v.current:
                    s.fresh[kind] = 0
            for k in range(v.card_count[p]):
                kind = drawn(rng, s.deck, left)
                if kind == VICTORY_CARD and s.cards[p, kind] >= v.most_victory[p]:
                    if not careful:
                        return False
                    kind = _other_unseen(s)
                s.deck[kind] -= 1
                left -= 1
                s.cards[p, kind] += 1
                if p == v.current and k < v.fresh_count:
                    s.fresh[kind] += 1
    return True


@rule
def _other_unseen(s: Catan) -> int:
    """An unseen card that is no victory point, or a victory point if there is no other."""
    for kind in range(KINDS):
        if kind != VICTORY_CARD and s.deck[kind] > 0:
            return kind
    return VICTORY_CARD
