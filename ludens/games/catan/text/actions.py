"""Catan: actions and chance outcomes in words and in JSON, and back.

Hexes, vertices and edges have the numbers of rules/island.py (from 0); players are counted from 1 in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludens.core.errors import BadInput, checked_index, did_you_mean
from ludens.core.jit import plain
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.rules.trade import exchanged
from ludens.games.catan.state import CARD_KINDS, EDGES, HEXES, KINDS, MAX_PLAYERS, RESOURCES, TERRAINS, VERTICES, Catan
from ludens.games.catan.text.events import HARBOUR_KINDS

__all__ = ["action_from_json", "action_from_text", "action_to_json", "action_to_text", "chance_to_text"]

# Blocks of actions: type -> (first id, how many, the name of the number in JSON).
_PLACES = {
    "road": (ids.ROAD, EDGES, "edge"),
    "settlement": (ids.SETTLEMENT, VERTICES, "vertex"),
    "city": (ids.CITY, VERTICES, "vertex"),
    "robber": (ids.ROBBER, HEXES, "hex"),
}
_SEATS = {"rob": (ids.VICTIM, "victim"), "trade": (ids.PARTNER, "partner")}
_CARDS = {"discard": ids.DISCARD, "monopoly": ids.MONOPOLY, "take": ids.TAKE, "give": ids.GIVE, "want": ids.WANT}
_PLAIN = {
    "buy": ids.BUY,
    "knight": ids.KNIGHT,
    "road building": ids.ROAD_BUILDING,
    "year of plenty": ids.YEAR_OF_PLENTY,
    "propose": ids.PROPOSE,
    "cancel": ids.CANCEL,
    "accept": ids.ACCEPT,
    "decline": ids.DECLINE,
    "counter": ids.COUNTER,
    "roll": ids.ROLL,
    "end": ids.END,
}
_PLAIN_NAMES = {a: name for name, a in _PLAIN.items()}
_exchanged = plain(exchanged)
_ALIASES = {"wood": "lumber", "sheep": "wool", "wheat": "grain", "clay": "brick"}
_HELP = (
    "moves read 'road 12', 'settlement 3', 'city 3', 'robber 9', 'rob 2', 'discard ore', 'exchange wool ore', 'buy', "
    "'knight', 'road building', 'year of plenty', 'take ore', 'monopoly ore', 'give wool', 'want ore', 'propose', "
    "'cancel', 'accept', 'decline', 'counter', 'trade 2', 'roll' or 'end'"
)


def _exchange(given: int, wanted: int) -> int:
    if given == wanted:
        raise BadInput(f"An exchange needs two different resources, not {RESOURCES[given]} for itself.")
    return ids.EXCHANGE + 4 * given + (wanted if wanted < given else wanted - 1)


# --- words --------------------------------------------------------------------------------


def action_to_text(s: Catan, a: int) -> str:
    if a in _PLAIN_NAMES:
        return _PLAIN_NAMES[a]
    for name, (first, count, _) in _PLACES.items():
        if first <= a < first + count:
            return f"{name} {a - first}"
    for name, (first, _) in _SEATS.items():
        if first <= a < first + MAX_PLAYERS:
            return f"{name} {a - first + 1}"
    for name, first in _CARDS.items():
        if first <= a < first + KINDS:
            return f"{name} {RESOURCES[a - first]}"
    given, wanted = _exchanged(a)
    return f"exchange {RESOURCES[given]} {RESOURCES[wanted]}"


def action_from_text(s: Catan, text: str) -> int:
    words = text.lower().replace(",", " ").split()
    phrase = " ".join(words).removeprefix("play ")
    if phrase in _PLAIN:
        return _PLAIN[phrase]
    if len(words) == 2:
        name, value = words
        if name in _PLACES:
            first, count, what = _PLACES[name]
            return first + _number(value, 0, count - 1, f"The number of a {what}")
        if name in _SEATS:
            return _SEATS[name][0] + _number(value, 1, int(s.players), "A player") - 1
        if name in _CARDS:
            return _CARDS[name] + _resource(value)
    if words and words[0] == "exchange":
        kinds = [word for word in words[1:] if word != "for"]
        if len(kinds) == 2:
            return _exchange(_resource(kinds[0]), _resource(kinds[1]))
    raise BadInput(f"{text!r} is not a move; {_HELP}.")


def _number(word: str, low: int, high: int, what: str) -> int:
    if not (word.isascii() and word.isdigit() and low <= int(word) <= high):
        raise BadInput(f"{what} is a whole number from {low} to {high}, not {word!r}.")
    return int(word)


def _resource(word: object) -> int:
    name = _ALIASES.get(word, word) if isinstance(word, str) else ""
    if name not in RESOURCES:
        raise did_you_mean(str(word), RESOURCES, "resource")
    return RESOURCES.index(name)


# --- JSON ---------------------------------------------------------------------------------


def action_to_json(s: Catan, a: int) -> dict[str, Any]:
    if a in _PLAIN_NAMES:
        return {"type": _PLAIN_NAMES[a]}
    for name, (first, count, what) in _PLACES.items():
        if first <= a < first + count:
            return {"type": name, what: a - first}
    for name, (first, what) in _SEATS.items():
        if first <= a < first + MAX_PLAYERS:
            return {"type": name, what: a - first}
    for name, first in _CARDS.items():
        if first <= a < first + KINDS:
            return {"type": name, "resource": RESOURCES[a - first]}
    given, wanted = _exchanged(a)
    return {"type": "exchange", "give": RESOURCES[given], "want": RESOURCES[wanted]}


def action_from_json(s: Catan, data: Mapping[str, Any]) -> int:
    kind = data.get("type")
    rest = set(data) - {"type"}
    if isinstance(kind, str):
        if kind in _PLAIN and not rest:
            return _PLAIN[kind]
        if kind in _PLACES and rest == {_PLACES[kind][2]}:
            first, count, what = _PLACES[kind]
            return first + checked_index(data[what], count, what)
        if kind in _SEATS and rest == {_SEATS[kind][1]}:
            first, what = _SEATS[kind]
            return first + checked_index(data[what], int(s.players), what)
        if kind in _CARDS and rest == {"resource"}:
            return _CARDS[kind] + _resource(data["resource"])
        if kind == "exchange" and rest == {"give", "want"}:
            return _exchange(_resource(data["give"]), _resource(data["want"]))
    raise BadInput(
        'A move of catan is {"type": …} with one of: road (edge), settlement (vertex), city (vertex), robber (hex), '
        "rob (victim), trade (partner), discard, monopoly, take, give, want (resource), exchange (give, want), or "
        "alone " + ", ".join(_PLAIN) + "."
    )


def chance_to_text(s: Catan, outcome: int) -> str:
    phase = int(s.phase)
    if phase == phases.TERRAIN_DEAL:
        return f"hex {int(s.dealt)}: {TERRAINS[outcome]}"
    if phase == phases.SPIRAL:
        return f"tokens start at corner {outcome + 1}"
    if phase == phases.RED_DEAL:
        return f"{6 if s.dealt < 2 else 8} on hex {outcome}"
    if phase == phases.TOKEN_DEAL:
        return f"{outcome} on hex {int(s.dealt)}"
    if phase == phases.HARBOUR_DEAL:
        return f"harbour {int(s.dealt)}: {HARBOUR_KINDS[outcome]}"
    if phase == phases.DICE:
        return f"dice {outcome // 6 + 1} {outcome % 6 + 1}"
    return f"draw {CARD_KINDS[outcome]}" if phase == phases.DEAL else f"steal {RESOURCES[outcome]}"
