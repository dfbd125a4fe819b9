"""Catan: why a move is good, in the terms of the evaluation.

points: that everybody sees; production: dots of the own fields; harbour: a better price at the bank; site: a place to
settle in reach; road, army: the races for the two awards; purchase: how near the cards are to a purchase, for an offer
if it is accepted; seven: fewer cards that a seven would take; card: a development card; robbed: what the robber keeps
from somebody; denied: a place that somebody could have settled.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludens.core.jit import plain
from ludens.core.reasons import DANGER, DENIES, Reason, strongest
from ludens.core.record import Array
from ludens.core.weights import TUNED
from ludens.games.catan import action_ids as ids
from ludens.games.catan import evaluate, phases
from ludens.games.catan.rules import island
from ludens.games.catan.rules.island import lowest
from ludens.games.catan.state import ACCEPTED, COST, DOTS, KINDS, NOBODY, RESOURCES, Catan

__all__ = ["answers", "completes", "offers", "reasons", "taken", "vain"]

_BLOCKED = 1  # quarters of a dot under the robber, as the evaluation counts them
_PURCHASES = ("road", "settlement", "city", "development card")
_INSIDE = (
    *(phases.PLACE_ROAD, phases.DISCARDING, phases.ROBBING, phases.VICTIMISING),
    *(phases.FREE_ROADS, phases.PLENTY, phases.OFFERING, phases.COUNTERING),
)
_POINT, _RISK = evaluate.NAMES.index("point"), evaluate.NAMES.index("risk at seven")
_OWN_CARDS = evaluate.NAMES.index("own knight")
_packed_dots = plain(evaluate.packed_dots)
_production_value = plain(evaluate._production_value)
_site_prospects = plain(evaluate._site_prospects)
_site_value = plain(evaluate.site_value)
_hand_value = plain(evaluate.hand_value)
_races = plain(evaluate._races)
_lowest = plain(lowest)


def completes(before: Catan, action: int, after: Catan) -> bool:
    """A settlement and its first road, the robber and its victim, all cards of an offer are one move."""
    return int(after.phase) not in _INSIDE


def vain(actions: Sequence[int]) -> bool:
    """An offer that is withdrawn before it is made is no move."""
    return len(actions) > 1 and actions[-1] == ids.CANCEL


def offers(actions: Sequence[int]) -> bool:
    """An offer or a counter-offer ends with the question."""
    return actions[-1] == ids.PROPOSE


def answers(action: int) -> bool:
    """Yes, no or a partner: whatever is no counter-offer."""
    return action != ids.COUNTER


def taken(before: Catan, after: Catan, seat: int) -> bool | None:
    """Has somebody taken what the seat has offered since `before`? None as long as others decide."""
    if after.phase in (phases.ANSWER, phases.COUNTERING):
        return None
    if after.phase == phases.PARTNERING:
        return None if after.current != seat else bool((after.answer == ACCEPTED).any())
    return bool((after.hand[seat] != before.hand[seat]).any())


def reasons(before: Catan, after: Catan, end: Catan, seat: int, weights: np.ndarray) -> tuple[Reason, ...]:
    """What the seat's line from `before` to `end` improves for it, by the evaluation that has names for its terms."""
    if len(weights) != len(evaluate.NAMES):
        weights = evaluate.EVALUATIONS[TUNED]
    s = _as_agreed(before, after, end, seat)
    dots = [_dots(before, seat), _dots(s, seat)]
    priced = np.array([s], s.dtype)
    priced[0].price[seat] = before.price[seat]
    packed = [_packed_dots(state, seat, _BLOCKED) for state in (before, s)]
    production = _production_value(priced[0], seat, packed[1], weights) - _production_value(
        before, seat, packed[0], weights
    )
    harbour = _production_value(s, seat, packed[1], weights) - _production_value(priced[0], seat, packed[1], weights)
    first = before.phase == phases.PLACE_SETTLEMENT  # of the first settlements each is worth the same point
    points = 0 if first else int(s.visible[seat]) - int(before.visible[seat])
    gained = [RESOURCES[r] for r in range(KINDS) if dots[1][r] > dots[0][r]]
    found = []
    if points > 0 and before.phase != phases.PLACE_ROAD:  # there everybody gets one, wherever it is
        found.append(Reason("points", float(weights[_POINT] * points), {"n": points}))
    if sum(dots[1]) > sum(dots[0]):
        found.append(Reason("production", float(production), {"n": sum(dots[1]) - sum(dots[0]), "resources": gained}))
    cheaper = [r for r in range(KINDS) if s.price[seat, r] < before.price[seat, r]]
    if cheaper:
        price = int(s.price[seat, cheaper[0]])
        what = [RESOURCES[r] for r in cheaper] if len(cheaper) < KINDS else []
        found.append(Reason("harbour", float(harbour), {"n": price, "resources": what}))
    found += [*_sites(before, s, seat, packed, weights), *_awards(before, s, seat, weights)]
    found += [*_cards(before, s, seat, weights), *_harm(before, s, seat, weights)]
    return strongest(found)


def _as_agreed(before: Catan, after: Catan, end: Catan, seat: int) -> Catan:
    """The end of the line; an offer that was made or accepted counts as traded."""
    s: Catan = np.array([end], end.dtype)[0]
    if after.phase == phases.ANSWER and after.current == seat:
        _trade(s, seat, after.offer, -1)
    elif before.phase == phases.ANSWER and before.responder == seat and after.answer[seat] == ACCEPTED:
        _trade(s, seat, before.offer, 1)
    return s


def _trade(s: Catan, seat: int, offer: Array, sign: int) -> None:
    s.hand[seat] += sign * offer
    s.count[seat] += sign * int(offer.sum())


def _dots(s: Catan, seat: int, robbed: int = 4) -> list[int]:
    """Dots by resource; `robbed` quarters of those under the robber."""
    packed = int(_packed_dots(s, seat, robbed))
    return [(packed >> 12 * r & 4095) // 4 for r in range(KINDS)]


def _sites(before: Catan, s: Catan, seat: int, packed: list[int], weights: np.ndarray) -> list[Reason]:
    gain = _site_prospects(s, seat, packed[1], weights) - _site_prospects(before, seat, packed[0], weights)
    roads, vertex = _best_site(s, seat, packed[1], weights)
    if vertex is None:
        return []
    hexes = [int(h) for h in island.VERTEX_HEXES[vertex] if h >= 0]
    return [Reason("site", float(gain), {"roads": roads, "n": int(sum(DOTS[s.number[h]] for h in hexes))})]


def _best_site(s: Catan, seat: int, packed: int, weights: np.ndarray) -> tuple[int, int | None]:
    """The best place at the own roads, else the best one road further: (roads, vertex)."""
    ready = _bits(int(s.open_sites) & int(s.touched[seat]))
    if ready:
        return 0, max(ready, key=lambda v: _site_value(s, v, packed, weights))
    return 1, max(_near(s, seat), key=lambda v: _site_value(s, v, packed, weights), default=None)


def _near(s: Catan, seat: int) -> set[int]:
    """Places to settle at the roads of a seat, and one road further."""
    edges = [e + 36 * word for word in range(2) for e in _bits(int(s.open_roads[seat, word]))]
    further = {int(v) for e in edges for v in island.EDGE_VERTICES[e] if int(s.open_sites) >> int(v) & 1}
    return further | set(_bits(int(s.open_sites) & int(s.touched[seat])))


def _bits(word: int) -> list[int]:
    found = []
    while word:
        found.append(int(_lowest(word)))
        word &= word - 1
    return found


def _awards(before: Catan, s: Catan, seat: int, weights: np.ndarray) -> list[Reason]:
    gain = float(_races(s, seat, weights) - _races(before, seat, weights))
    if s.army[seat] > before.army[seat]:
        return [Reason("army", gain, {"n": int(s.army[seat])})]
    if s.road_length[seat] > before.road_length[seat]:
        return [Reason("road", gain, {"n": int(s.road_length[seat])})]
    return []


def _cards(before: Catan, s: Catan, seat: int, weights: np.ndarray) -> list[Reason]:
    """What the hand is worth, and the cards bought."""
    risks = [int(state.count[seat]) // 2 if state.count[seat] > 7 else 0 for state in (before, s)]
    saved = float(weights[_RISK] * (risks[0] - risks[1]))
    hand = float(_hand_value(s, seat, weights) - _hand_value(before, seat, weights)) - saved
    way, missing = _nearest_purchase(s, seat, weights)
    bought = float(
        sum(weights[_OWN_CARDS + k] * (int(s.cards[seat, k]) - int(before.cards[seat, k])) for k in range(KINDS))
    )
    if s.phase == phases.DEAL:
        bought += evaluate.DRAWN_CARD
    found = []
    if missing < _missing(before, seat, way):
        found.append(Reason("purchase", hand, {"what": _PURCHASES[way], "n": missing}))
    if risks[0] > risks[1]:
        found.append(Reason("seven", saved, {"n": risks[0] - risks[1]}, DANGER))
    if s.phase == phases.DEAL or s.cards[seat].sum() > before.cards[seat].sum():
        found.append(Reason("card", bought))
    return found


def _nearest_purchase(s: Catan, seat: int, weights: np.ndarray) -> tuple[int, int]:
    """The purchase that the hand is worth most for, as the evaluation has it, and how many cards are missing."""
    first = evaluate.NAMES.index("road in hand")
    missing = [_missing(s, seat, way) for way in range(len(COST))]
    worths = [weights[first + w] * (1 - missing[w] / COST[w].sum()) ** 2 for w in range(len(COST))]
    best = int(np.argmax(worths))
    return best, missing[best]


def _missing(s: Catan, seat: int, way: int) -> int:
    """How many cards of the hand a purchase still needs."""
    return int(sum(max(0, COST[way, r] - int(s.hand[seat, r])) for r in range(KINDS)))


def _harm(before: Catan, s: Catan, seat: int, weights: np.ndarray) -> list[Reason]:
    """What the others lose of all that everybody sees."""
    found = []
    others = int(s.players) - 1
    for other in range(int(s.players)):
        if other == seat:
            continue
        packed = [_packed_dots(state, other, _BLOCKED) for state in (before, s)]
        lost = _production_value(before, other, packed[0], weights) - _production_value(s, other, packed[1], weights)
        if s.robber != before.robber and s.robber != NOBODY:
            blocked = sum(_dots(s, other)) - sum(_dots(s, other, 0))
            if blocked > 0:
                found.append(Reason("robbed", float(lost) / others, {"seat": other, "n": blocked}, DENIES))
        places = _site_prospects(before, other, packed[0], weights) - _site_prospects(s, other, packed[1], weights)
        lost_places = _near(before, other) - _near(s, other)
        if lost_places:
            dots = max(int(sum(DOTS[s.number[h]] for h in island.VERTEX_HEXES[v] if h >= 0)) for v in lost_places)
            found.append(Reason("denied", float(places) / others, {"seat": other, "n": dots}, DENIES))
    return found
