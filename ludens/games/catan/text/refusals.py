"""Catan: why an action is not legal now, with the rule that stands in the way."""

from __future__ import annotations

from ludens.core.jit import plain
from ludens.core.verbs import UNKNOWN
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.rules.trade import exchanged
from ludens.games.catan.state import (
    CARD_KINDS,
    COST,
    KINDS,
    KNIGHT_CARD,
    MONOPOLY_CARD,
    NOBODY,
    PLENTY_CARD,
    RESOURCES,
    ROAD_CARD,
    Catan,
)
from ludens.games.catan.text.events import counted
from ludens.i18n.messages import say

__all__ = ["obstacles", "refusal"]

_EXPECTED = {
    phases.PLACE_SETTLEMENT: "Place a settlement first (CA-7).",
    phases.PLACE_ROAD: "Place a road at the settlement just placed (CA-7).",
    phases.BEFORE_ROLL: "Roll the dice first; before that only a development card may be played (CA-11).",
    phases.DISCARDING: "Cards are being discarded after the seven (CA-13).",
    phases.ROBBING: "The robber must move to another hex first (CA-13).",
    phases.VICTIMISING: "Choose whom to rob (CA-13).",
    phases.FREE_ROADS: "Place the free roads of the road building card first (CA-15).",
    phases.PLENTY: "Take the cards of the year of plenty first (CA-15).",
    phases.OFFERING: "An offer is being put together; propose or cancel it first (CA-18).",
    phases.ANSWER: "The offer waits for an answer: accept, decline or counter (CA-18).",
    phases.COUNTERING: "A counter-offer is being put together; propose or cancel it first (CA-18).",
    phases.PARTNERING: "Choose a partner among the willing, or cancel (CA-18).",
    phases.MAIN: "That is not possible at this point of the turn (CA-11).",
}
_CARD_OF = {ids.KNIGHT: KNIGHT_CARD, ids.ROAD_BUILDING: ROAD_CARD, ids.YEAR_OF_PLENTY: PLENTY_CARD}
_exchanged = plain(exchanged)
_PURCHASES = ("road", "settlement", "city", "development card")


def refusal(s: Catan, a: int) -> str:
    """One sentence; the action is known to be illegal."""
    phase = int(s.phase)
    if phase == phases.OVER:
        return "The game is over."
    if a < ids.ROBBER:
        return _refuse_place(s, a)
    if a < ids.VICTIM:
        return "The robber must move to a different hex (CA-13)." if phase == phases.ROBBING else _expected(s)
    if a < ids.DISCARD:
        return _refuse_victim(s, a - ids.VICTIM)
    if a < ids.EXCHANGE:
        if phase != phases.DISCARDING:
            return "Nobody discards now; that follows a seven (CA-13)."
        return say("You have no {resource} to discard (CA-13).", resource=RESOURCES[a - ids.DISCARD])
    if ids.BUY < a < ids.TAKE:
        return _refuse_card(s, a)
    if ids.TAKE <= a < ids.GIVE:
        if phase != phases.PLENTY:
            return "Cards are taken from the bank by a year of plenty only (CA-15)."
        return say("The bank has no {resource} left (CA-15).", resource=RESOURCES[a - ids.TAKE])
    if a == ids.ROLL:
        return "The dice have been rolled this turn (CA-11)." if phase == phases.MAIN else _expected(s)
    if phase != phases.MAIN and (a <= ids.BUY or a == ids.END):
        return _expected(s)
    if a < ids.BUY:
        return _refuse_exchange(s, a)
    if a == ids.BUY:
        return obstacles(s)["development card"] or _expected(s)
    return _refuse_trade(s, a)


def _expected(s: Catan) -> str:
    return _EXPECTED[int(s.phase)]


# --- building -----------------------------------------------------------------------------


def _missing(s: Catan, p: int, way: int) -> str | None:
    short = {RESOURCES[r]: int(COST[way, r]) for r in range(KINDS) if s.hand[p, r] < COST[way, r]}
    if not short:
        return None
    cost = counted({RESOURCES[r]: int(COST[way, r]) for r in range(KINDS) if COST[way, r]})
    return say(
        "A {purchase} costs {cost}; you lack {short} (CA-8).",
        purchase=_PURCHASES[way],
        cost=cost,
        short=counted(short, " and "),
    )


def obstacles(s: Catan) -> dict[str, str | None]:
    """For each thing the active player could buy or start: why it is impossible now, or None."""
    p = int(s.current)
    wait = _EXPECTED.get(int(s.phase), "It is not time for that (CA-11).")
    cards = {CARD_KINDS[kind]: _card_reason(s, kind, wait) for kind in (*_CARD_OF.values(), MONOPOLY_CARD)}
    if s.phase != phases.MAIN:
        return dict.fromkeys((*_PURCHASES, "bank", "offer", "end"), wait) | cards
    found = {name: _missing(s, p, way) for way, name in enumerate(_PURCHASES)} | cards | {"end": None}
    if not s.roads_left[p]:
        found["road"] = "All 15 roads are built (CA-8)."
    elif not s.open_roads[p].any():
        found["road"] = "There is no free edge at your roads (CA-14)."
    if not s.settlements_left[p]:
        found["settlement"] = "All 5 settlements are on the board; a city frees one (CA-8)."
    elif not int(s.open_sites) & int(s.touched[p]):
        found["settlement"] = "No road of yours reaches a free vertex (CA-14)."
    if not s.cities_left[p]:
        found["city"] = "All 4 cities are built (CA-8)."
    elif not s.settlements[p]:
        found["city"] = "A city replaces a settlement of yours, and you have none (CA-14)."
    if not s.deck_count:
        found["development card"] = "The development cards are sold out (CA-9)."
    strict = "All trading comes before building in this game (CA-11)." if s.strict and s.has_built else None
    found["bank"] = strict
    if strict is None and all(s.hand[p, r] < s.price[p, r] for r in range(KINDS)):
        found["bank"] = "You have too few equal cards for an exchange with the bank (CA-18)."
    found["offer"] = strict
    if strict is None and s.offers_made >= s.max_offers:
        found["offer"] = say("No more than {n} offers are allowed in a turn (CA-21).", n=int(s.max_offers))
    elif strict is None and not s.count[p]:
        found["offer"] = "You have no card to offer (CA-18)."
    return found


def _refuse_place(s: Catan, a: int) -> str:
    phase, p = int(s.phase), int(s.current)
    way = 0 if a < ids.SETTLEMENT else 1 if a < ids.CITY else 2
    allowed = {(phases.PLACE_ROAD, 0), (phases.FREE_ROADS, 0), (phases.PLACE_SETTLEMENT, 1)}
    if phase == phases.MAIN:
        reason = obstacles(s)[_PURCHASES[way]]
        if reason:
            return reason
    elif (phase, way) not in allowed:
        return _expected(s)
    if way == 0:
        return _refuse_road(s, p, a - ids.ROAD)
    if way == 1:
        return _refuse_settlement(s, p, a - ids.SETTLEMENT)
    return "A city must replace a settlement of yours (CA-14)."


def _refuse_road(s: Catan, p: int, edge: int) -> str:
    if s.road[edge] != NOBODY:
        return say("Edge {n} has a road already (CA-14).", n=edge)
    if s.phase == phases.PLACE_ROAD:
        return _expected(s)
    own = [v for v in island.EDGE_VERTICES[edge] if int(s.touched[p]) >> int(v) & 1]
    if own:
        return say("A road cannot pass the building of another player at vertex {n} (CA-14).", n=int(own[0]))
    return say("Edge {n} does not touch a road or building of yours (CA-14).", n=edge)


def _refuse_settlement(s: Catan, p: int, vertex: int) -> str:
    if s.building[vertex] != NOBODY:
        return say("Vertex {n} is occupied (CA-14).", n=vertex)
    if any(n >= 0 and s.building[n] != NOBODY for n in island.VERTEX_NEIGHBOURS[vertex]):
        return say("Vertex {n} is next to a building: the distance rule (CA-14).", n=vertex)
    return say("No road of yours reaches vertex {n} (CA-14).", n=vertex)


# --- robber, cards and trade --------------------------------------------------------------


def _refuse_victim(s: Catan, seat: int) -> str:
    if s.phase != phases.VICTIMISING:
        return "Nobody can be robbed now (CA-13)."
    if seat == s.current:
        return "You cannot rob yourself (CA-13)."
    return say("Player {n} has no building at the robber's hex (CA-13).", n=seat + 1)


def _refuse_card(s: Catan, a: int) -> str:
    return _card_reason(s, _CARD_OF.get(a, MONOPOLY_CARD), _expected(s)) or _expected(s)


def _card_reason(s: Catan, kind: int, wait: str) -> str | None:
    """Why the active player cannot play a development card of this kind, or None; `wait` where it is not the time."""
    p = int(s.current)
    if s.phase not in (phases.MAIN, phases.BEFORE_ROLL) or s.cards[p, kind] == UNKNOWN:
        return wait
    if s.cards[p, kind] == 0:
        return say("You have no {card} card (CA-9).", card=CARD_KINDS[kind])
    if s.card_played:
        return "Only one development card may be played in a turn (CA-11)."
    if s.cards[p, kind] == s.fresh[kind]:
        return "A card bought this turn cannot be played before the next one (CA-11)."
    if kind == ROAD_CARD and not (s.roads_left[p] and s.open_roads[p].any()):
        return "You have no road left or no place for one (CA-15)."
    if kind == PLENTY_CARD and not s.bank.any():
        return "The bank is empty (CA-15)."
    return None


def _refuse_exchange(s: Catan, a: int) -> str:
    p = int(s.current)
    given, wanted = _exchanged(a)
    if s.strict and s.has_built:
        return "All trading comes before building in this game (CA-11)."
    if s.hand[p, given] < s.price[p, given]:
        return say(
            "The bank wants {n} {resource} for a card (CA-18).", n=int(s.price[p, given]), resource=RESOURCES[given]
        )
    return say("The bank has no {resource} left (CA-10).", resource=RESOURCES[wanted])


def _refuse_trade(s: Catan, a: int) -> str:
    phase = int(s.phase)
    if ids.GIVE <= a < ids.PROPOSE:
        if phase not in (phases.MAIN, phases.OFFERING, phases.COUNTERING):
            return _expected(s)
        reason = obstacles(s)["offer"] if phase == phases.MAIN else None
        return reason or _refuse_addition(s, a)
    if a == ids.PROPOSE and phase in (phases.OFFERING, phases.COUNTERING):
        return "An offer needs cards on both sides; gifts are not allowed (CA-18)."
    if a == ids.ACCEPT and phase == phases.ANSWER:
        return "You do not hold the cards that are wanted (CA-18)."
    if a == ids.COUNTER and phase == phases.ANSWER:
        return "There are no counter-offers in this game (CA-21)."
    if a >= ids.PARTNER and phase == phases.PARTNERING:
        unwilling = "Player {n} is not willing, or you lack the cards of that counter-offer (CA-18)."
        return say(unwilling, n=a - ids.PARTNER + 1)
    if a in (ids.PROPOSE, ids.CANCEL, ids.ACCEPT, ids.DECLINE, ids.COUNTER) or a >= ids.PARTNER:
        return "There is no offer on the table for that (CA-18)." if phase == phases.MAIN else _expected(s)
    return _expected(s)


def _refuse_addition(s: Catan, a: int) -> str:
    kind = (a - ids.GIVE) % KINDS
    active = s.phase != phases.COUNTERING
    p = int(s.current) if active else int(s.responder)
    terms = [int(x) if active else -int(x) for x in (s.offer if active else s.counter[p])]
    name = RESOURCES[kind]
    if (terms[kind] < 0) == (a < ids.WANT) and terms[kind] != 0:
        return say("{resource} cannot be on both sides of an offer (CA-18).", resource=name.capitalize())
    if a < ids.WANT:
        if s.offer_limit and sum(x for x in terms if x > 0) >= 2:
            return "An offer gives 1 or 2 cards in this game (CA-21)."
        return say("You have no more {resource} to give (CA-18).", resource=name)
    if s.offer_limit and min(terms) < 0:
        return "An offer wants 1 card in this game (CA-21)."
    return "Nobody can hold that many cards (CA-18)."
