"""Catan: trade with the bank and between players (CA-18, CA-21).

An offer is put together card by card: `give` and `want` add one card to either side, `propose`
submits it, `cancel` drops it. The opponents answer in seat order; where counter-offers are
allowed an answer may be one, put together in the same way. Then the active player chooses among
the willing, or (thesis) the first who accepted has the trade already. Terms are vectors: positive
numbers are cards the active player gives, negative ones cards the active player gets. Whoever put
them together is their maker.

What may be added to them is found as a bit set, without branches: no processor predicts them in random play.
"""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.rules.knowledge import gain, pay, spend, take, witness
from ludens.games.catan.rules.turn import following
from ludens.games.catan.state import ACCEPTED, ASKED, COUNTERED, DECLINED, KINDS, MAX_PLAYERS, NOBODY, NOT_ASKED, Catan

__all__ = [
    "apply_exchange",
    "apply_trade",
    "exchanged",
    "legal_answers",
    "legal_exchanges",
    "legal_openings",
    "legal_partners",
    "legal_terms",
    "may_trade",
    "plain_terms",
    "swap",
    "take_offer",
]

_LARGEST = 60  # cards of one kind in an offer: more are never in one hand


@rule
def may_trade(s: Catan) -> bool:
    """With strict phases all trading comes before building (CA-11)."""
    return not (s.strict and s.has_built)


# --- the bank -----------------------------------------------------------------------------


@rule
def legal_exchanges(s: Catan, out: Array, n: int) -> int:
    """Appends the maritime trades of the active player to out[:n]."""
    p = int(s.current)
    payable = 0
    for given in range(KINDS):
        payable |= int(s.hand[p, given] >= s.price[p, given]) << given
    if payable == 0:
        return n
    for given in range(KINDS):
        if payable >> given & 1:
            for k in range(KINDS - 1):
                wanted = k if k < given else k + 1
                if s.bank[wanted] > 0:
                    out[n] = ids.EXCHANGE + 4 * given + k
                    n += 1
    return n


@rule
def apply_exchange(s: Catan, a: int) -> None:
    p = int(s.current)
    given, wanted = exchanged(a)
    pay(s, p, given, int(s.price[p, given]))
    take(s, p, wanted, 1)


@rule
def exchanged(a: int) -> tuple[int, int]:
    """(given, wanted): the kinds of a maritime trade."""
    given, k = (a - ids.EXCHANGE) // 4, (a - ids.EXCHANGE) % 4
    return given, k if k < given else k + 1


# --- thoughts about trades: cards change hands, and nobody counts them ----------------------


@rule
def swap(w: Catan, p: int, q: int, given: int, n: int, wanted: int, m: int) -> None:
    """Player p gives player q n cards of one kind for m of another."""
    w.hand[p, given] -= n
    w.hand[p, wanted] += m
    w.count[p] += m - n
    w.hand[q, given] += n
    w.hand[q, wanted] -= m
    w.count[q] += n - m


@rule
def take_offer(w: Catan, p: int, times: int) -> None:
    """Player p gets the cards of the offer on the table so many times, and gives those that it asks for."""
    for r in range(KINDS):
        w.hand[p, r] += times * w.offer[r]
        w.count[p] += times * w.offer[r]


@rule
def plain_terms(s: Catan) -> tuple[int, int, int]:
    """(given, cards, wanted) of an offer of one kind for one other, as far as it is put together; -1 for no kind."""
    given, cards, wanted = -1, 0, -1
    for r in range(KINDS):
        if s.offer[r] > 0:
            given, cards = r, cards + int(s.offer[r])
        elif s.offer[r] < 0:
            wanted = r
    return given, cards, wanted


# --- terms and their maker ----------------------------------------------------------------


@rule
def _given(s: Catan, maker: int, kind: int) -> int:
    """Cards of a kind that the maker's terms give; what they ask for is negative."""
    if maker == s.current:
        return int(s.offer[kind])
    return -int(s.counter[maker, kind])


@rule
def _wanted(s: Catan, maker: int) -> int:
    """How many cards the maker's terms ask for."""
    wanted = 0
    for r in range(KINDS):
        wanted -= min(_given(s, maker, r), 0)
    return wanted


@rule
def _can_pay(s: Catan, p: int, maker: int) -> bool:
    """Does player p hold the cards that the maker's terms ask for?"""
    missing = 0
    for r in range(KINDS):
        missing |= int(-_given(s, maker, r) > s.hand[p, r])
    return missing == 0


@rule
def _most_cards_of_others(s: Catan, p: int) -> int:
    """The largest number of cards anybody else holds: nobody can give more."""
    most = 0
    for q in range(MAX_PLAYERS):
        if q != p:
            most = max(most, int(s.count[q]))
    return most


@rule
def _additions(s: Catan) -> int:
    """What the maker of an offer (or counter-offer) may add or do with it, as a bit set from GIVE on.

    Nobody can want more cards of a kind than are in the hands of others, which everybody can count.
    """
    maker = int(s.responder) if s.phase == phases.COUNTERING else int(s.current)
    room = int(s.count[s.current]) if s.phase == phases.COUNTERING else _most_cards_of_others(s, maker)
    given, wanted, may_give, may_want = 0, 0, 0, 0
    for r in range(KINDS):
        n = _given(s, maker, r)
        held = int(s.hand[maker, r])
        outside = -held
        for q in range(MAX_PLAYERS):
            outside += int(s.counted[q, r])
        given += max(n, 0)
        wanted -= min(n, 0)
        may_give |= (int(n >= 0) & int(n < min(held, _LARGEST))) << r
        may_want |= (int(n <= 0) & int(-n < min(outside, _LARGEST))) << r
    if s.offer_limit:
        may_give *= int(given < 2)
        may_want *= int(wanted < 1)
    may_want *= int(wanted < room)
    complete = int(given > 0) & int(wanted > 0)  # CA-18: no gifts
    return may_give | may_want << KINDS | complete << (ids.PROPOSE - ids.GIVE)


# --- legal decisions ----------------------------------------------------------------------


@rule
def _write_terms(choices: int, out: Array, n: int) -> int:
    """Appends the ids of a bit set from GIVE on, up to CANCEL: writes each and keeps those whose bit is set."""
    for k in range(ids.ACCEPT - ids.GIVE):
        out[n] = ids.GIVE + k
        n += choices >> k & 1
    return n


@rule
def legal_openings(s: Catan, out: Array, n: int) -> int:
    """Appends the first cards of a new offer to out[:n]."""
    p = int(s.current)
    if s.offers_made >= s.max_offers or s.count[p] == 0 or not may_trade(s) or _most_cards_of_others(s, p) == 0:
        return n
    return _write_terms(_additions(s), out, n)


@rule
def legal_terms(s: Catan, out: Array) -> int:
    """The decisions of whoever puts an offer or counter-offer together."""
    return _write_terms(_additions(s) | 1 << (ids.CANCEL - ids.GIVE), out, 0)


@rule
def legal_answers(s: Catan, out: Array) -> int:
    n = int(_can_pay(s, int(s.responder), int(s.current)))
    out[0] = ids.ACCEPT
    out[n] = ids.DECLINE
    out[n + 1] = ids.COUNTER
    return n + 1 + int(s.counter_offers)


@rule
def legal_partners(s: Catan, out: Array) -> int:
    """The willing, among whom the active player chooses."""
    out[0] = ids.CANCEL
    n = 1
    for partner in range(s.players):
        if _may_choose(s, partner):
            out[n] = ids.PARTNER + partner
            n += 1
    return n


@rule
def _may_choose(s: Catan, partner: int) -> bool:
    if s.answer[partner] == ACCEPTED:
        return True
    return s.answer[partner] == COUNTERED and _can_pay(s, int(s.current), partner)


# --- their effects ------------------------------------------------------------------------


@rule
def apply_trade(s: Catan, a: int) -> None:
    """Plays a decision of a trade; the first card of an offer opens it."""
    q = int(s.responder)
    if a < ids.PROPOSE:
        if s.phase == phases.MAIN:
            s.offers_made += 1
            s.phase = phases.OFFERING
        giving = a < ids.WANT
        kind = a - ids.GIVE if giving else a - ids.WANT
        step = 1 if giving else -1
        maker = int(s.current)
        if s.phase == phases.OFFERING:
            s.offer[kind] += step
        else:
            maker = q
            s.counter[q, kind] -= step
        if giving:  # terms are put together openly: who gives a card shows it
            witness(s, maker, kind, _given(s, maker, kind))
    elif a == ids.PROPOSE:
        if s.phase == phases.OFFERING:
            for p in range(s.players):
                s.answer[p] = NOT_ASKED
            s.phase = phases.ANSWER
            _ask(s, int(s.current))
        else:
            s.answer[q] = COUNTERED
            _ask(s, q)
    elif a == ids.CANCEL:
        if s.phase == phases.COUNTERING:
            _decline(s, q)
        else:
            _close(s)
    elif a == ids.ACCEPT:
        for r in range(KINDS):
            if s.offer[r] < 0:  # who accepts shows the cards
                witness(s, q, r, -int(s.offer[r]))
        s.answer[q] = ACCEPTED
        if s.first_acceptor:
            _swap(s, int(s.current), q)
            _close(s)
        else:
            _ask(s, q)
    elif a == ids.DECLINE:
        _decline(s, q)
    elif a == ids.COUNTER:
        s.phase = phases.COUNTERING
    else:
        partner = a - ids.PARTNER
        if s.answer[partner] == ACCEPTED:
            _swap(s, int(s.current), partner)
        else:
            _swap(s, partner, int(s.current))
        _close(s)


@rule
def _decline(s: Catan, q: int) -> None:
    s.answer[q] = DECLINED
    for r in range(KINDS):
        s.counter[q, r] = 0
    _ask(s, q)


@rule
def _ask(s: Catan, last: int) -> None:
    """The next opponent who could answer is asked; after the last one the active player chooses."""
    active = int(s.current)
    players = int(s.players)
    need = 1 if s.counter_offers else _wanted(s, active)  # publicly too few cards: not worth asking
    q = following(last, players)
    while q != active and s.count[q] < need:
        q = following(q, players)
    if q != active:
        s.answer[q] = ASKED
        s.responder = q
        s.phase = phases.ANSWER
        return
    s.responder = NOBODY
    for partner in range(players):
        if s.answer[partner] == ACCEPTED or s.answer[partner] == COUNTERED:
            s.phase = phases.PARTNERING
            return
    _close(s)


@rule
def _swap(s: Catan, maker: int, taker: int) -> None:
    """The maker's terms are carried out."""
    for r in range(KINDS):
        n = _given(s, maker, r)
        if n > 0:
            spend(s, maker, r, n)
            gain(s, taker, r, n)
        elif n < 0:
            spend(s, taker, r, -n)
            gain(s, maker, r, -n)


@rule
def _close(s: Catan) -> None:
    """The trade is over, made or not."""
    s.phase = phases.MAIN
    s.responder = NOBODY
    for r in range(KINDS):
        s.offer[r] = 0
    for p in range(MAX_PLAYERS):
        s.answer[p] = NOT_ASKED
        for r in range(KINDS):
            s.counter[p, r] = 0
