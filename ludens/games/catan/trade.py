"""Catan: trade with the bank and between players (CA-18, CA-21).

An offer is put together card by card: `give` and `want` add one card to either side, `propose`
submits it, `cancel` drops it. The opponents answer in seat order; where counter-offers are
allowed an answer may be one, put together in the same way. Then the active player chooses among
the willing, or (thesis) the first who accepted has the trade already. Terms are vectors: positive
numbers are cards the active player gives, negative ones cards the active player gets.
"""

from __future__ import annotations

from typing import Any

from ludens.core.jit import rule
from ludens.games.catan.knowledge import gain, pay, spend, take, witness
from ludens.games.catan.state import (
    ACCEPT,
    ACCEPTED,
    ANSWER,
    ASKED,
    CANCEL,
    COUNTER,
    COUNTERED,
    COUNTERING,
    DECLINE,
    DECLINED,
    EXCHANGE,
    GIVE,
    KINDS,
    MAIN,
    NOBODY,
    NOT_ASKED,
    OFFERING,
    PARTNER,
    PARTNERING,
    PROPOSE,
    WANT,
)

__all__ = ["apply_exchange", "apply_trade", "legal_exchanges", "legal_trade", "may_trade", "offer_openings"]

_LARGEST = 60  # cards of one kind in an offer: more are never in one hand


@rule
def may_trade(s: Any) -> bool:
    """With strict phases all trading comes before building (CA-11)."""
    return not (s.strict and s.has_built)


# --- the bank -----------------------------------------------------------------------------


@rule
def legal_exchanges(s: Any, out: Any, n: int) -> int:
    """Appends the maritime trades of the active player to out[:n]."""
    p = int(s.current)
    for given in range(KINDS):
        if s.hand[p, given] >= s.price[p, given]:
            for k in range(KINDS - 1):
                wanted = k if k < given else k + 1
                if s.bank[wanted] > 0:
                    out[n] = EXCHANGE + 4 * given + k
                    n += 1
    return n


@rule
def apply_exchange(s: Any, a: int) -> None:
    p = int(s.current)
    given, k = (a - EXCHANGE) // 4, (a - EXCHANGE) % 4
    wanted = k if k < given else k + 1
    pay(s, p, given, int(s.price[p, given]))
    take(s, p, wanted, 1)


# --- what may be put into an offer --------------------------------------------------------


@rule
def _most_cards_of_others(s: Any, p: int) -> int:
    """The largest number of cards anybody else holds: nobody can give more."""
    most = 0
    for q in range(s.players):
        if q != p:
            most = max(most, int(s.count[q]))
    return most


@rule
def _outside(s: Any, p: int, kind: int) -> int:
    """Cards of this kind in all hands but player p's, which p can count."""
    cards = -int(s.hand[p, kind])
    for q in range(s.players):
        cards += int(s.counted[q, kind])
    return cards


@rule
def offer_openings(s: Any, out: Any, n: int) -> int:
    """Appends the first cards of a new offer to out[:n]."""
    p = int(s.current)
    if s.offers_made < s.max_offers and s.count[p] > 0 and may_trade(s):
        if _most_cards_of_others(s, p) > 0:
            return _additions(s, p, s.offer, 1, _most_cards_of_others(s, p), out, n)
    return n


@rule
def _additions(s: Any, p: int, terms: Any, sign: int, room: int, out: Any, n: int) -> int:
    """Appends the cards that player p may add to terms; `room` is what the partner can give.

    `sign` is 1 when p is the active player, -1 when p answers: terms are the active player's.
    """
    given, wanted = _sums(terms, sign)
    if not s.offer_limit or given < 2:
        for r in range(KINDS):
            side = sign * int(terms[r])
            if side >= 0 and side < min(int(s.hand[p, r]), _LARGEST):
                out[n] = GIVE + r
                n += 1
    if wanted < room and (not s.offer_limit or wanted < 1):
        for r in range(KINDS):
            side = -sign * int(terms[r])
            if side >= 0 and side < min(_outside(s, p, r), _LARGEST):
                out[n] = WANT + r
                n += 1
    return n


@rule
def _sums(terms: Any, sign: int) -> tuple[int, int]:
    """How many cards whoever puts the terms together gives and wants."""
    given, wanted = 0, 0
    for r in range(KINDS):
        side = sign * int(terms[r])
        if side > 0:
            given += side
        else:
            wanted -= side
    return given, wanted


@rule
def _can_pay(s: Any, p: int, terms: Any, sign: int) -> bool:
    """Does player p hold the cards with this sign in the terms?"""
    for r in range(KINDS):
        if sign * int(terms[r]) > s.hand[p, r]:
            return False
    return True


# --- legal decisions and their effects ----------------------------------------------------


@rule
def legal_trade(s: Any, out: Any) -> int:
    """The decisions of a trade in progress."""
    active = int(s.current)
    q = int(s.responder)
    n = 0
    if s.phase == OFFERING or s.phase == COUNTERING:
        if s.phase == OFFERING:
            n = _additions(s, active, s.offer, 1, _most_cards_of_others(s, active), out, n)
            given, wanted = _sums(s.offer, 1)
        else:
            n = _additions(s, q, s.counter[q], -1, int(s.count[active]), out, n)
            given, wanted = _sums(s.counter[q], -1)
        if given > 0 and wanted > 0:  # CA-18: no gifts
            out[n] = PROPOSE
            n += 1
        out[n] = CANCEL
        n += 1
    elif s.phase == ANSWER:
        if _can_pay(s, q, s.offer, -1):
            out[n] = ACCEPT
            n += 1
        out[n] = DECLINE
        n += 1
        if s.counter_offers:
            out[n] = COUNTER
            n += 1
    else:
        out[n] = CANCEL
        n += 1
        for partner in range(s.players):
            if _may_choose(s, partner):
                out[n] = PARTNER + partner
                n += 1
    return n


@rule
def _may_choose(s: Any, partner: int) -> bool:
    if s.answer[partner] == ACCEPTED:
        return True
    return s.answer[partner] == COUNTERED and _can_pay(s, int(s.current), s.counter[partner], 1)


@rule
def apply_trade(s: Any, a: int) -> None:
    """Plays a decision of a trade; the first card of an offer opens it."""
    q = int(s.responder)
    if a < PROPOSE:
        if s.phase == MAIN:
            s.offers_made += 1
            s.phase = OFFERING
        step = 1 if a < WANT else -1
        kind = (a - GIVE) % KINDS
        if s.phase == OFFERING:
            s.offer[kind] += step
            if step > 0:  # offers are put together openly: who gives a card shows it
                witness(s, int(s.current), kind, int(s.offer[kind]))
        else:
            s.counter[q, kind] -= step
            if step > 0:
                witness(s, q, kind, -int(s.counter[q, kind]))
    elif a == PROPOSE:
        if s.phase == OFFERING:
            for p in range(s.players):
                s.answer[p] = NOT_ASKED
            s.phase = ANSWER
            _ask(s, int(s.current))
        else:
            s.answer[q] = COUNTERED
            _ask(s, q)
    elif a == CANCEL:
        if s.phase == COUNTERING:
            _decline(s, q)
        else:
            _close(s)
    elif a == ACCEPT:
        for r in range(KINDS):
            if s.offer[r] < 0:  # who accepts shows the cards
                witness(s, q, r, -int(s.offer[r]))
        s.answer[q] = ACCEPTED
        if s.first_acceptor:
            _swap(s, q, s.offer)
            _close(s)
        else:
            _ask(s, q)
    elif a == DECLINE:
        _decline(s, q)
    elif a == COUNTER:
        s.phase = COUNTERING
    else:
        partner = a - PARTNER
        if s.answer[partner] == ACCEPTED:
            _swap(s, partner, s.offer)
        else:
            _swap(s, partner, s.counter[partner])
        _close(s)


@rule
def _decline(s: Any, q: int) -> None:
    s.answer[q] = DECLINED
    for r in range(KINDS):
        s.counter[q, r] = 0
    _ask(s, q)


@rule
def _ask(s: Any, last: int) -> None:
    """The next opponent who could answer is asked; after the last one the active player chooses."""
    active = int(s.current)
    players = int(s.players)
    _, wanted = _sums(s.offer, 1)
    need = 1 if s.counter_offers else wanted  # publicly too few cards: not worth asking
    q = (last + 1) % players
    while q != active and s.count[q] < need:
        q = (q + 1) % players
    if q != active:
        s.answer[q] = ASKED
        s.responder = q
        s.phase = ANSWER
        return
    s.responder = NOBODY
    for partner in range(players):
        if s.answer[partner] == ACCEPTED or s.answer[partner] == COUNTERED:
            s.phase = PARTNERING
            return
    _close(s)


@rule
def _swap(s: Any, partner: int, terms: Any) -> None:
    active = int(s.current)
    for r in range(KINDS):
        n = int(terms[r])
        if n > 0:
            spend(s, active, r, n)
            gain(s, partner, r, n)
        elif n < 0:
            spend(s, partner, r, -n)
            gain(s, active, r, -n)


@rule
def _close(s: Any) -> None:
    """The trade is over, made or not."""
    s.phase = MAIN
    s.responder = NOBODY
    for r in range(KINDS):
        s.offer[r] = 0
        for p in range(s.players):
            s.counter[p, r] = 0
    for p in range(s.players):
        s.answer[p] = NOT_ASKED
