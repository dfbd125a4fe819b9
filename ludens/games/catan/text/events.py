"""Catan: what happened, as events and as sentences.

An event may carry `secret`: {"seats": […], …} with facts for these seats only (the kind of a
stolen or bought card); everything else in it is public. `ludens.core.film.seen_by` opens it for a seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludens.core.record import Array
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.rules import island
from ludens.games.catan.state import (
    CARD_KINDS,
    MAX_PLAYERS,
    NOBODY,
    RESOURCES,
    TERRAINS,
    UNLIMITED,
    VICTORY_CARD,
    Catan,
)
from ludens.i18n.messages import joined, say

__all__ = ["HARBOUR_KINDS", "cards_to_json", "counted", "events", "narrate", "terms_to_json"]

HARBOUR_KINDS = (*RESOURCES, "any")
Event = dict[str, Any]


def cards_to_json(counts: Iterable[int]) -> dict[str, int]:
    """Resource cards by name, without zeros."""
    return {name: int(n) for name, n in zip(RESOURCES, counts, strict=True) if n}


def terms_to_json(terms: Array, sign: int = 1) -> dict[str, dict[str, int]]:
    """Terms as `give` and `want` of the active player, or with sign -1 of the partner."""
    numbers = [sign * int(x) for x in terms]
    return {
        "give": cards_to_json([max(x, 0) for x in numbers]),
        "want": cards_to_json([max(-x, 0) for x in numbers]),
    }


# --- events -------------------------------------------------------------------------------


def events(before: Catan, a: int, after: Catan) -> list[Event]:
    """What an action or outcome did, as small dictionaries with a `kind` each (counted from 0)."""
    phase = int(before.phase)
    if phase <= phases.HARBOUR_DEAL:
        return _setup_events(before, a)
    find = _main_events if phase in (phases.MAIN, phases.BEFORE_ROLL) else _phase_events
    return find(before, a, after) + _consequences(before, after)


def _setup_events(before: Catan, outcome: int) -> list[Event]:
    phase, dealt = int(before.phase), int(before.dealt)
    if phase == phases.TERRAIN_DEAL:
        return [{"kind": "terrain", "hex": dealt, "terrain": TERRAINS[outcome]}]
    if phase == phases.SPIRAL:
        return [{"kind": "spiral", "hex": int(island.SPIRALS[outcome, 0])}]
    if phase == phases.RED_DEAL:
        return [{"kind": "token", "hex": outcome, "number": 6 if dealt < 2 else 8}]
    if phase == phases.TOKEN_DEAL:
        return [{"kind": "token", "hex": dealt, "number": outcome}]
    return [{"kind": "harbour", "harbour": dealt, "type": HARBOUR_KINDS[outcome]}]


def _near(s: Catan, vertices: Sequence[int]) -> list[str]:
    """The landscapes that all these corners touch, as people name them: `forest 8`."""
    hexes = [h for h, around in enumerate(island.HEX_VERTICES.tolist()) if set(vertices) <= set(around)]
    return [f"{TERRAINS[int(s.terrain[h])]} {int(s.number[h]) or ''}".strip() for h in hexes]


def _built(s: Catan, kind: str, p: int, vertex: int) -> Event:
    return {"kind": kind, "seat": p, "vertex": vertex, "near": _near(s, [vertex])}


def _road(s: Catan, p: int, edge: int, free: bool) -> Event:
    return {
        "kind": "road",
        "seat": p,
        "edge": edge,
        "free": free,
        "near": _near(s, island.EDGE_VERTICES[edge].tolist()),
    }


def _gains(before: Catan, after: Catan, hexes: Sequence[int], site: int | None = None) -> list[Event]:
    """Who got which cards from the bank, and from which of the hexes: at a site, or at everything built (CA-12)."""
    found: list[Event] = []
    for p in range(int(before.players)):
        cards = cards_to_json([int(x) for x in after.counted[p] - before.counted[p]])
        if not cards:
            continue
        own = {v for v, b in enumerate(after.building) if b != NOBODY and b % MAX_PLAYERS == p}
        giving = [h for h in hexes if (own if site is None else {site}) & set(island.HEX_VERTICES[h].tolist())]
        sources = {name: [h for h in giving if before.terrain[h] == RESOURCES.index(name)] for name in cards}
        found.append({"kind": "production", "seat": p, "cards": cards, "sources": sources})
    return found


def _roll_events(before: Catan, after: Catan) -> list[Event]:
    total = int(after.die[0]) + int(after.die[1])
    hexes = [int(h) for h in before.sources[total] if h != NOBODY and h != before.robber] if total != 7 else []
    roll: Event = {
        "kind": "roll",
        "seat": int(before.current),
        "dice": [int(after.die[0]), int(after.die[1])],
        "hexes": hexes,
    }
    found = [roll, *_gains(before, after, hexes)]
    for kind in sorted({int(before.terrain[h]) for h in hexes}):
        demand = sum(
            1 + int(before.building[v] >= 4)
            for h in hexes
            if before.terrain[h] == kind
            for v in island.HEX_VERTICES[h]
            if before.building[v] != NOBODY
        )
        if before.bank[kind] != UNLIMITED and demand > before.bank[kind]:
            found.append({"kind": "shortage", "resource": RESOURCES[kind]})
    if total == 7:
        owing = [{"seat": p, "count": int(n)} for p, n in enumerate(after.to_discard[: int(after.players)]) if n]
        found.append({"kind": "seven", "discards": owing})
    return found


def _main_events(before: Catan, a: int, after: Catan) -> list[Event]:
    p = int(before.current)
    if a < ids.SETTLEMENT:
        return [_road(before, p, a - ids.ROAD, free=False)]
    if a < ids.CITY:
        return [_built(before, "settlement", p, a - ids.SETTLEMENT)]
    if a < ids.ROBBER:
        return [_built(before, "city", p, a - ids.CITY)]
    if ids.EXCHANGE <= a < ids.BUY:
        change = [int(x) for x in after.hand[p] - before.hand[p]]
        gave, got = [max(-x, 0) for x in change], [max(x, 0) for x in change]
        return [{"kind": "exchange", "seat": p, "gave": cards_to_json(gave), "got": cards_to_json(got)}]
    if a == ids.BUY:
        return [{"kind": "buy", "seat": p}]
    if ids.KNIGHT <= a < ids.MONOPOLY:
        name = CARD_KINDS[{ids.KNIGHT: 0, ids.ROAD_BUILDING: 2}.get(a, 3)]
        return [{"kind": "play", "seat": p, "card": name}]
    if a < ids.TAKE:
        kind = a - ids.MONOPOLY
        found: list[Event] = [{"kind": "play", "seat": p, "card": "monopoly", "resource": RESOURCES[kind]}]
        for q in range(int(before.players)):
            if q != p and before.hand[q, kind] > 0:
                count = int(before.hand[q, kind])
                found.append({"kind": "monopoly", "seat": p, "from": q, "resource": RESOURCES[kind], "count": count})
        return found
    return []


def _phase_events(before: Catan, a: int, after: Catan) -> list[Event]:
    phase, p = int(before.phase), int(before.current)
    if phase == phases.DICE:
        return _roll_events(before, after)
    if phase == phases.PLACE_SETTLEMENT:
        site = a - ids.SETTLEMENT
        return [_built(before, "settlement", p, site), *_gains(before, after, range(len(island.HEX_VERTICES)), site)]
    if phase in (phases.PLACE_ROAD, phases.FREE_ROADS):
        return [_road(before, p, a - ids.ROAD, free=True)]
    if phase == phases.DISCARDING:
        seat = next(q for q in range(int(before.players)) if after.count[q] < before.count[q])
        return [{"kind": "discard", "seat": seat, "resource": RESOURCES[a - ids.DISCARD]}]
    if phase == phases.ROBBING:
        h = a - ids.ROBBER
        return [{"kind": "robber", "seat": p, "hex": h, "near": _near(before, island.HEX_VERTICES[h].tolist())}]
    if phase == phases.VICTIMISING:
        return [{"kind": "victim", "seat": p, "victim": a - ids.VICTIM}]
    if phase == phases.THEFT:
        victim = int(before.victim)
        return [
            {
                "kind": "theft",
                "seat": p,
                "victim": victim,
                "secret": {"seats": [p, victim], "resource": RESOURCES[a]},
            }
        ]
    if phase == phases.DEAL:
        return [{"kind": "card", "seat": p, "secret": {"seats": [p], "card": CARD_KINDS[a]}}]
    if phase == phases.PLENTY:
        return [{"kind": "take", "seat": p, "resource": RESOURCES[a - ids.TAKE]}]
    return _trade_events(before, a, after)


def _trade_events(before: Catan, a: int, after: Catan) -> list[Event]:
    p, q = int(before.current), int(before.responder)
    if ids.GIVE <= a < ids.PROPOSE or a == ids.COUNTER:
        return []  # nothing is on the table before it is proposed
    if a == ids.PROPOSE:
        if before.phase == phases.OFFERING:
            return [{"kind": "offer", "seat": p, **terms_to_json(before.offer)}]
        return [{"kind": "counter", "seat": q, **terms_to_json(before.counter[q], -1)}]
    if a == ids.CANCEL:
        return (
            [{"kind": "answer", "seat": q, "answer": "decline"}]
            if before.phase == phases.COUNTERING
            else [{"kind": "cancel", "seat": p, "proposed": bool(before.phase == phases.PARTNERING)}]
        )
    if a == ids.DECLINE:
        return [{"kind": "answer", "seat": q, "answer": "decline"}]
    found: list[Event] = []
    if a == ids.ACCEPT:
        found.append({"kind": "answer", "seat": q, "answer": "accept"})
        if not before.first_acceptor:
            return found
    partner = q if a == ids.ACCEPT else a - ids.PARTNER
    terms = before.counter[partner] if before.counter[partner].any() else before.offer
    sides = terms_to_json(terms)
    found.append({"kind": "trade", "seat": p, "partner": partner, "gave": sides["give"], "got": sides["want"]})
    return found


def _consequences(before: Catan, after: Catan) -> list[Event]:
    """Cards that changed owner, the next turn, the end."""
    found: list[Event] = []
    if after.road_holder != before.road_holder:
        holder = int(after.road_holder)
        length = int(after.road_length[holder]) if holder != NOBODY else 0
        found.append({"kind": "longest road", "holder": holder if holder != NOBODY else None, "length": length})
    if after.army_holder != before.army_holder:
        holder = int(after.army_holder)
        found.append({"kind": "largest army", "holder": holder, "knights": int(after.army[holder])})
    if after.phase == phases.OVER:
        players = range(int(after.players))
        found.append(
            {
                "kind": "over",
                "winner": int(after.winner) if after.winner != NOBODY else None,
                "points": [int(after.visible[p]) + int(after.cards[p, VICTORY_CARD]) for p in players],
                "victory_cards": [int(after.cards[p, VICTORY_CARD]) for p in players],
                "cut_off": bool(after.cut_off),
            }
        )
    elif after.turn_number != before.turn_number:
        found.append({"kind": "turn", "seat": int(after.current), "turn": int(after.turn_number)})
    return found


# --- sentences ----------------------------------------------------------------------------


def counted(cards: Mapping[str, int], last: str = ", ") -> str:
    """Cards by kind, as one says them: `2 wool, 1 ore`."""
    return joined([say("{n} {resource}", n=n, resource=name) for name, n in cards.items()], last)


def _land(near: str) -> str:
    """A landscape as events name it: `forest 8`."""
    terrain, _, number = near.partition(" ")
    return say("{terrain} {number}", terrain=terrain, number=number) if number else say("{terrain}", terrain=terrain)


def narrate(event: Mapping[str, Any], names: Sequence[str]) -> str:
    """One event as a sentence without a full stop; empty for what goes without saying."""
    kind = event["kind"]
    who = names[event["seat"]] if "seat" in event else ""
    if kind in _SENTENCES:
        near = joined([_land(name) for name in event.get("near", ())])
        return say(_SENTENCES[kind], **{**event, "who": who, "near": near}) if _SENTENCES[kind] else ""
    if kind == "roll":
        a, b = event["dice"]
        return say("{who} rolls {a} and {b}: {sum}", who=who, a=a, b=b, sum=a + b)
    if kind == "production":
        return say("{who} gets {cards}", who=who, cards=counted(event["cards"]))
    if kind == "seven":
        owing = ", ".join(f"{names[d['seat']]} {d['count']}" for d in event["discards"])  # names and numbers alone
        return say("cards to discard: {owing}", owing=owing) if owing else ""
    if kind == "victim":
        return say("{who} robs {name}", who=who, name=names[event["victim"]])
    if kind == "theft":
        victim = names[event["victim"]]
        if "resource" not in event:
            return say("{who} steals a card from {name}", who=who, name=victim)
        return say("{who} steals {resource} from {name}", who=who, resource=event["resource"], name=victim)
    if kind == "card":
        return say("{who} draws a card: {card}", who=who, card=event["card"]) if "card" in event else ""
    if kind == "exchange":
        return say(
            "{who} gives the bank {gave} for {got}", who=who, gave=counted(event["gave"]), got=counted(event["got"])
        )
    if kind == "play":
        if "resource" in event:
            return say("{who} plays {card} on {resource}", who=who, card=event["card"], resource=event["resource"])
        return say("{who} plays {card}", who=who, card=event["card"])
    if kind == "monopoly":
        taken = {"n": event["count"], "resource": event["resource"], "name": names[event["from"]]}
        return say("{who} takes {n} {resource} from {name}", who=who, **taken)
    if kind in ("offer", "counter"):
        terms = "{who} offers {give} for {want}" if kind == "offer" else "{who} would give {give} for {want}"
        return say(terms, who=who, give=counted(event["give"]), want=counted(event["want"]))
    if kind == "answer":
        return say("{who} accepts" if event["answer"] == "accept" else "{who} declines", who=who)
    if kind == "trade":
        cards = {"gave": counted(event["gave"]), "got": counted(event["got"])}
        return say("{who} gives {name} {gave} for {got}", who=who, name=names[event["partner"]], **cards)
    if kind == "cancel":
        return say("{who} withdraws the offer", who=who) if event["proposed"] else ""
    if kind == "longest road":
        if event["holder"] is None:
            return say("nobody has the Longest Road now")
        return say("{who} has the Longest Road with {n}", who=names[event["holder"]], n=event["length"])
    if kind == "largest army":
        return say("{who} has the Largest Army with {n} knights", who=names[event["holder"]], n=event["knights"])
    winner = event["winner"]
    if winner is None:
        return say("the turn limit ends the game")
    return say("{who} wins with {n} points", who=names[winner], n=event["points"][winner])


_SENTENCES = {
    "terrain": "hex {hex} is {terrain}",
    "spiral": "the tokens start at hex {hex}",
    "token": "hex {hex} gets the {number}",
    "harbour": "harbour {harbour} trades {type}",
    "settlement": "{who} builds a settlement at {vertex} ({near})",
    "road": "{who} builds a road at {edge} ({near})",
    "city": "{who} builds a city at {vertex} ({near})",
    "shortage": "the bank is short of {resource}",
    "discard": "{who} discards {resource}",
    "robber": "{who} moves the robber to hex {hex} ({near})",
    "buy": "{who} buys a development card",
    "take": "{who} takes {resource} from the bank",
    "turn": "",
}
