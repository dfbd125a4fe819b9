"""Catan: positions in words and in JSON, from a view (what it does not hold is not told)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ludens.core.jit import plain
from ludens.core.record import Array
from ludens.core.verbs import UNKNOWN
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.rules.knowledge import sure_cards
from ludens.games.catan.rules.verbs import actor
from ludens.games.catan.state import (
    ANSWERS,
    CARD_KINDS,
    COST,
    COUNTERED,
    EDGES,
    HEXES,
    KINDS,
    MAX_PLAYERS,
    NOBODY,
    OFFERS_UNLIMITED,
    PLENTY_CARDS,
    RESOURCES,
    TERRAINS,
    UNLIMITED,
    VERTICES,
    VICTORY_CARD,
    Catan,
)
from ludens.games.catan.text.events import HARBOUR_KINDS, cards_to_json, terms_to_json
from ludens.games.catan.text.refusals import obstacles
from ludens.i18n.citations import cited
from ludens.i18n.messages import sentence

__all__ = ["actor_of", "known_cards", "position_to_json", "position_to_text", "static_to_json"]

_sure_cards = plain(sure_cards)
_actor = plain(actor)
_KEPT = 4096  # parts of positions: most stay as they are when somebody moves
_AXIAL: list[list[int]] = island.HEX_AXIAL.tolist()
_CORNERS: list[list[int]] = island.HEX_VERTICES.tolist()
_PURCHASES = ("road", "settlement", "city", "development card")


def known_cards(v: Catan, p: int) -> tuple[list[int], int]:
    """The cards of each kind that player p surely holds, and how many more of unknown kind."""
    sure = [int(_sure_cards(v, p, r)) for r in range(KINDS)]
    return sure, int(v.count[p]) - sum(sure)


def static_to_json(dtype: np.dtype) -> dict[str, Any]:
    """The island's geometry, the same in every game.

    Points are integers: x in half widths of a hex, y in quarters of its height, y down.
    """
    return {
        "hexes": [
            {
                "q": int(q),
                "r": int(r),
                "x": int(2 * q + r),
                "y": int(3 * r),
                "vertices": island.HEX_VERTICES[h].tolist(),
                "edges": island.HEX_EDGES[h].tolist(),
            }
            for h, (q, r) in enumerate(island.HEX_AXIAL)
        ],
        "vertices": [{"x": int(x), "y": int(y)} for x, y in island.VERTEX_POINTS],
        "edges": island.EDGE_VERTICES.tolist(),
        "harbours": [
            {"edge": int(e), "vertices": island.EDGE_VERTICES[e].tolist(), "hex": h, "side": side}
            for e, (h, side) in zip(island.HARBOUR_EDGES, island.HARBOUR_SIDES, strict=True)
        ],
        "costs": {name: cards_to_json(COST[way]) for way, name in enumerate(_PURCHASES)},
        "resources": list(RESOURCES),
        "development_cards": list(CARD_KINDS),
    }


def position_to_json(v: Catan) -> dict[str, Any]:
    """The position in the words of the game, for pages and programs (counted from 0).

    Parts are kept and shared by positions: nobody may change them.
    """
    phase, buildings = int(v.phase), v.building.tolist()
    laid, holds = phase > phases.HARBOUR_DEAL, tuple(count > 0 for count in v.count.tolist())
    return {
        "phase": phases.PHASES[phase],
        "turn": int(v.turn_number),
        "turn_limit": int(v.turn_limit),
        "goal": int(v.goal),
        "current": int(v.current),
        "actor": actor_of(v),
        "dice": [int(v.die[0]), int(v.die[1])] if v.rolled else None,
        "robber": int(v.robber),
        "hexes": _hexes_to_json(v.terrain.tobytes(), v.number.tobytes(), phase, int(v.dealt), int(v.robber)),
        "harbours": [
            HARBOUR_KINDS[int(k)] if laid or (i < v.dealt and phase == phases.HARBOUR_DEAL) else None
            for i, k in enumerate(v.harbour)
        ],
        "buildings": [_building_to_json(x, b) for x, b in enumerate(buildings) if b != NOBODY],
        "roads": [{"edge": e, "seat": seat} for e, seat in enumerate(v.road.tolist()) if seat != NOBODY],
        "site": int(v.site) if phase == phases.PLACE_ROAD else None,
        "bank": None if v.bank[0] == UNLIMITED else dict(zip(RESOURCES, map(int, v.bank), strict=True)),
        "deck": int(v.deck_count),
        "played": dict(zip(CARD_KINDS, map(int, v.played), strict=True)),
        "card_played": bool(v.card_played),
        "longest_road": _holder(v.road_holder),
        "largest_army": _holder(v.army_holder),
        "players": [_player_to_json(v, p) for p in range(int(v.players))],
        "trade": _trade_to_json(v),
        "free_roads": int(v.free_roads),
        "to_take": _to_take(v),
        "robber_moves": _robber_moves(tuple(buildings), holds, int(v.robber), int(v.current)),
        "victim": _holder(v.victim),
        "reasons": {what: _cited_to_json(why) for what, why in obstacles(v).items()},
        "winner": _holder(v.winner),
        "cut_off": bool(v.cut_off),
    }


@lru_cache(1024)
def _cited_to_json(why: str | None) -> dict[str, Any] | None:
    """A reason as a sentence and the numbers of the rules it cites."""
    if why is None:
        return None
    said, rules = cited(sentence(why))
    return {"sentence": said, "rules": list(rules)}


def _to_take(v: Catan) -> int:
    """Cards left of a year of plenty, or those that one would bring now; no more than the bank has (CA-15)."""
    wanted = int(v.to_take) if v.phase == phases.PLENTY else PLENTY_CARDS
    return wanted if v.bank[0] == UNLIMITED else min(wanted, int(v.bank.sum()))


def _holder(seat: int) -> int | None:
    return None if seat == NOBODY else int(seat)


def actor_of(v: Catan) -> int | None:
    """The seat to act, or None at chance nodes and at the end."""
    seat = _actor(v)
    return seat if seat >= 0 else None


@lru_cache(_KEPT)
def _hexes_to_json(terrains: bytes, numbers: bytes, phase: int, dealt: int, robber: int) -> list[dict[str, Any]]:
    found = []
    for h, (terrain, number) in enumerate(zip(terrains, numbers, strict=True)):
        known = phase > 0 or h < dealt
        found.append(
            {
                "q": _AXIAL[h][0],
                "r": _AXIAL[h][1],
                "terrain": TERRAINS[terrain] if known else None,
                "number": number or None if phase > phases.TOKEN_DEAL or number else None,
                "robber": known and h == robber,
            }
        )
    return found


@lru_cache(_KEPT)
def _robber_moves(
    building: tuple[int, ...], holds: tuple[bool, ...], robber: int, active: int
) -> list[list[int] | None]:
    """For every hex, among whom the active player chooses with the robber there; None where it may not go (CA-13)."""
    found: list[list[int] | None] = []
    for h, corners in enumerate(_CORNERS):
        owners = {building[x] % MAX_PLAYERS for x in corners if building[x] != NOBODY} - {active}
        seats = sorted(owners) if any(holds[seat] for seat in owners) else []
        found.append(None if h == robber else seats)
    return found


def _building_to_json(vertex: int, building: int) -> dict[str, Any]:
    kind = "city" if building >= MAX_PLAYERS else "settlement"
    return {"vertex": vertex, "seat": building % MAX_PLAYERS, "type": kind}


def _player_to_json(v: Catan, p: int) -> dict[str, Any]:
    sure, unknown = known_cards(v, p)
    hidden = v.cards[p, 0] == UNKNOWN
    return {
        "visible_points": int(v.visible[p]),
        "points": None if hidden else int(v.visible[p]) + int(v.cards[p, VICTORY_CARD]),
        "cards": int(v.count[p]),
        "known_cards": dict(zip(RESOURCES, sure, strict=True)),
        "unknown_cards": unknown,
        "development_cards": int(v.card_count[p]),
        "own_development_cards": None if hidden else dict(zip(CARD_KINDS, map(int, v.cards[p]), strict=True)),
        "fresh_development_cards": None
        if hidden or p != v.current
        else dict(zip(CARD_KINDS, map(int, v.fresh), strict=True)),
        "knights": int(v.army[p]),
        "road_length": int(v.road_length[p]),
        "roads_left": int(v.roads_left[p]),
        "settlements_left": int(v.settlements_left[p]),
        "cities_left": int(v.cities_left[p]),
        "prices": dict(zip(RESOURCES, map(int, v.price[p]), strict=True)),
        "to_discard": int(v.to_discard[p]),
    }


def _trade_to_json(v: Catan) -> dict[str, Any] | None:
    phase = phases.PHASES[int(v.phase)]
    left = None if v.max_offers == OFFERS_UNLIMITED else int(v.max_offers) - int(v.offers_made)
    trade: dict[str, Any] = {"offers_left": left, "open": False}
    if phase in ("main", "offer", "answer", "counter-offer"):
        trade["limits"] = _limits(v, phase in ("answer", "counter-offer"))
    if phase in ("offer", "answer", "counter-offer", "partner"):
        players = range(int(v.players))
        trade |= {
            "open": True,
            "offer": terms_to_json(v.offer),
            "responder": _holder(v.responder),
            "answers": [ANSWERS[int(v.answer[p])] for p in players],
            "counters": [
                terms_to_json(v.counter[p], -1) if v.answer[p] == COUNTERED or p == v.responder else None
                for p in players
            ],
        }
    return trade


def _limits(v: Catan, countering: bool) -> dict[str, Any] | None:
    """How many cards the terms of an offer or counter-offer may name; None to those who do not see the hand."""
    p, active = int(v.responder) if countering else int(v.current), int(v.current)
    if v.hand[p, 0] == UNKNOWN:
        return None
    others = [int(v.count[q]) for q in range(int(v.players)) if q != p]
    room = int(v.count[active]) if countering else max(others)
    outside = v.counted[: int(v.players)].sum(axis=0) - v.hand[p]
    return {
        "give": dict(zip(RESOURCES, map(int, v.hand[p]), strict=True)),
        "want": dict(zip(RESOURCES, map(int, outside), strict=True)),
        "most_given": min(2, int(v.count[p])) if v.offer_limit else int(v.count[p]),
        "most_wanted": min(1, room) if v.offer_limit else room,
    }


def position_to_text(v: Catan) -> str:
    """The position in plain lines."""
    phase = int(v.phase)
    dice = f", dice {int(v.die[0])} {int(v.die[1])}" if v.rolled else ""
    asked = actor_of(v)
    acting = "" if asked is None else f", seat {asked + 1} to act"
    rows = [f"turn {int(v.turn_number)} of seat {int(v.current) + 1}, {phases.PHASES[phase]}{dice}{acting}"]
    hexes = [
        f"{h}:{TERRAINS[int(v.terrain[h])]}{int(v.number[h]) or ''}{'*' if h == v.robber else ''}" for h in range(HEXES)
    ]
    rows.append("hexes " + " ".join(hexes))
    rows.append("harbours " + " ".join(HARBOUR_KINDS[int(k)] for k in v.harbour))
    bank = "unlimited" if v.bank[0] == UNLIMITED else " ".join(f"{r} {int(n)}" for r, n in zip(RESOURCES, v.bank))
    rows.append(f"bank {bank}; {int(v.deck_count)} development cards")
    for p in range(int(v.players)):
        rows += _player_lines(v, p)
    if v.offer.any():
        rows.append(f"offer {_terms(v.offer)}")
    return "\n".join(rows)


def _terms(terms: Array) -> str:
    sides = terms_to_json(terms)
    give = " ".join(f"{n} {r}" for r, n in sides["give"].items()) or "nothing"
    want = " ".join(f"{n} {r}" for r, n in sides["want"].items()) or "nothing"
    return f"{give} for {want}"


def _player_lines(v: Catan, p: int) -> list[str]:
    sure, unknown = known_cards(v, p)
    hand = " ".join(f"{n} {r}" for r, n in zip(RESOURCES, sure) if n)
    hand += f" {unknown} unknown" if unknown else ""
    if v.cards[p, 0] == UNKNOWN:
        cards = f"{int(v.card_count[p])} cards"
    else:
        cards = " ".join(f"{int(n)} {k}" for k, n in zip(CARD_KINDS, v.cards[p]) if n) or "no cards"
    marks = "".join(
        f", {name}"
        for name, holder in (("Longest Road", v.road_holder), ("Largest Army", v.army_holder))
        if holder == p
    )
    towns = [(x, int(v.building[x])) for x in range(VERTICES) if v.building[x] in (p, MAX_PLAYERS + p)]
    settlements = " ".join(str(x) for x, building in towns if building < MAX_PLAYERS) or "-"
    cities = " ".join(str(x) for x, building in towns if building >= MAX_PLAYERS) or "-"
    roads = " ".join(str(e) for e in range(EDGES) if v.road[e] == p) or "-"
    return [
        f"seat {p + 1}: {int(v.visible[p])} points{marks}, road {int(v.road_length[p])}, knights {int(v.army[p])}",
        f"  hand {hand.strip() or '-'}; {cards}",
        f"  settlements {settlements}; cities {cities}; roads {roads}",
    ]
