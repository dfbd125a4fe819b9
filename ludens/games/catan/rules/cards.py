"""Catan: buying and playing development cards (CA-9, CA-11, CA-15, CA-17)."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.rules.building import can_lay_road, pay_cost
from ludens.games.catan.rules.knowledge import clear, gain, spend, take
from ludens.games.catan.rules.turn import check_victory, resume_turn
from ludens.games.catan.state import (
    KINDS,
    KNIGHT_CARD,
    LARGEST_ARMY_MINIMUM,
    MONOPOLY_CARD,
    NOBODY,
    PLENTY_CARD,
    PLENTY_CARDS,
    ROAD_CARD,
    Catan,
)

__all__ = [
    "buy_card",
    "deal_card",
    "legal_cards",
    "legal_takes",
    "play_card",
    "playable",
    "take_card",
]


@rule
def playable(s: Catan, kind: int) -> bool:
    """Has the active player a card of this kind that is older than this turn, and played none yet? (CA-11)"""
    return not s.card_played and s.cards[s.current, kind] > s.fresh[kind]


@rule
def _bank_has_cards(s: Catan) -> bool:
    for r in range(KINDS):
        if s.bank[r] > 0:
            return True
    return False


@rule
def legal_cards(s: Catan, out: Array, n: int) -> int:
    """Appends the cards the active player may play; each must be able to do something."""
    p = int(s.current)
    if s.card_played or s.card_count[p] == s.fresh_count:
        return n
    if playable(s, KNIGHT_CARD):
        out[n] = ids.KNIGHT
        n += 1
    if playable(s, ROAD_CARD) and can_lay_road(s, p):
        out[n] = ids.ROAD_BUILDING
        n += 1
    if playable(s, PLENTY_CARD) and _bank_has_cards(s):
        out[n] = ids.YEAR_OF_PLENTY
        n += 1
    if playable(s, MONOPOLY_CARD):
        for r in range(KINDS):
            out[n] = ids.MONOPOLY + r
            n += 1
    return n


@rule
def _discard_card(s: Catan, p: int, kind: int) -> None:
    s.cards[p, kind] -= 1
    s.card_count[p] -= 1
    s.played[kind] += 1
    s.card_played = 1


@rule
def play_card(s: Catan, a: int) -> None:
    p = int(s.current)
    if a == ids.KNIGHT:
        _discard_card(s, p, KNIGHT_CARD)
        s.army[p] += 1
        _award_largest_army(s, p)
        check_victory(s)
        if s.phase != phases.OVER:
            s.phase = phases.ROBBING
    elif a == ids.ROAD_BUILDING:
        _discard_card(s, p, ROAD_CARD)
        s.free_roads = 2
        s.phase = phases.FREE_ROADS
    elif a == ids.YEAR_OF_PLENTY:
        _discard_card(s, p, PLENTY_CARD)
        s.to_take = PLENTY_CARDS
        s.phase = phases.PLENTY
    else:
        _discard_card(s, p, MONOPOLY_CARD)
        _monopolise(s, p, a - ids.MONOPOLY)
        resume_turn(s)


@rule
def _award_largest_army(s: Catan, p: int) -> None:
    holder = int(s.army_holder)
    if s.army[p] >= LARGEST_ARMY_MINIMUM and p != holder:
        if holder == NOBODY or s.army[p] > s.army[holder]:  # CA-17: strictly larger
            if holder != NOBODY:
                s.visible[holder] -= 2
            s.visible[p] += 2
            s.army_holder = p


@rule
def _monopolise(s: Catan, p: int, kind: int) -> None:
    for q in range(s.players):
        n = int(s.hand[q, kind])
        if q != p and n > 0:
            spend(s, q, kind, n)
            gain(s, p, kind, n)
    clear(s, p, kind)


@rule
def legal_takes(s: Catan, out: Array) -> int:
    n = 0
    for r in range(KINDS):
        if s.bank[r] > 0:
            out[n] = ids.TAKE + r
            n += 1
    return n


@rule
def take_card(s: Catan, kind: int) -> None:
    """A card of the year of plenty; one only if the bank has no second (CA-15)."""
    take(s, int(s.current), kind, 1)
    s.to_take -= 1
    if not _bank_has_cards(s):
        s.to_take = 0
    if s.to_take == 0:
        resume_turn(s)


# --- buying -------------------------------------------------------------------------------


@rule
def buy_card(s: Catan) -> None:
    pay_cost(s, int(s.current), 3)
    s.has_built = 1
    s.phase = phases.DEAL


@rule
def deal_card(s: Catan, kind: int) -> None:
    p = int(s.current)
    s.deck[kind] -= 1
    s.deck_count -= 1
    s.cards[p, kind] += 1
    s.card_count[p] += 1
    s.fresh[kind] += 1
    s.fresh_count += 1
    check_victory(s)
    resume_turn(s)
