"""Catan: actions and chance outcomes in words and in JSON, and back.

Hexes, vertices and edges have the numbers of rules/island.py (from 0); players are counted from 1 in words.
"""

from __future__ import annotations

from bisect import bisect
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

# Blocks of actions: type -> (first id, how many, the name of the number in JSON, "" where there is none).
_BLOCKS = {
    "road": (ids.ROAD, EDGES, "edge"),
    "settlement": (ids.SETTLEMENT, VERTICES, "vertex"),
    "city": (ids.CITY, VERTICES, "vertex"),
    "robber": (ids.ROBBER, HEXES, "hex"),
    "rob": (ids.VICTIM, MAX_PLAYERS, "victim"),
    "discard": (ids.DISCARD, KINDS, "resource"),
    "exchange": (ids.EXCHANGE, ids.COASTAL_TRADES, "exchange"),
    "buy": (ids.BUY, 1, ""),
    "knight": (ids.KNIGHT, 1, ""),
    "road building": (ids.ROAD_BUILDING, 1, ""),
    "year of plenty": (ids.YEAR_OF_PLENTY, 1, ""),
    "monopoly": (ids.MONOPOLY, KINDS, "resource"),
    "take": (ids.TAKE, KINDS, "resource"),
    "give": (ids.GIVE, KINDS, "resource"),
    "want": (ids.WANT, KINDS, "resource"),
    "propose": (ids.PROPOSE, 1, ""),
    "cancel": (ids.CANCEL, 1, ""),
    "accept": (ids.ACCEPT, 1, ""),
    "decline": (ids.DECLINE, 1, ""),
    "counter": (ids.COUNTER, 1, ""),
    "trade": (ids.PARTNER, MAX_PLAYERS, "partner"),
    "roll": (ids.ROLL, 1, ""),
    "end": (ids.END, 1, ""),
}
_FIRSTS = [first for first, _, _ in _BLOCKS.values()]  # ascending
_PLAIN = [name for name, (_, _, what) in _BLOCKS.items() if not what]
_SEATS = ("victim", "partner")
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


def _block_of(a: int) -> tuple[str, str, int]:
    """(type, the name of its number, the number) of an action."""
    name = list(_BLOCKS)[bisect(_FIRSTS, a) - 1]
    return name, _BLOCKS[name][2], a - _BLOCKS[name][0]


# --- words --------------------------------------------------------------------------------


def action_to_text(s: Catan, a: int) -> str:
    name, what, k = _block_of(a)
    if name == "exchange":
        return " ".join([name, *(RESOURCES[kind] for kind in _exchanged(a))])
    if what == "resource":
        return f"{name} {RESOURCES[k]}"
    return f"{name} {k + (what in _SEATS)}" if what else name


def action_from_text(s: Catan, text: str) -> int:
    words = text.lower().replace(",", " ").split()
    phrase = " ".join(words).removeprefix("play ")
    if phrase in _PLAIN:
        return _BLOCKS[phrase][0]
    if words and words[0] == "exchange":
        kinds = [word for word in words[1:] if word != "for"]
        if len(kinds) == 2:
            return _exchange(_resource(kinds[0]), _resource(kinds[1]))
    elif len(words) == 2 and words[0] in _BLOCKS and words[0] not in _PLAIN:
        first, count, what = _BLOCKS[words[0]]
        if what == "resource":
            return first + _resource(words[1])
        if what in _SEATS:
            return first + _number(words[1], 1, int(s.players), "A player") - 1
        return first + _number(words[1], 0, count - 1, f"The number of a {what}")
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
    name, what, k = _block_of(a)
    if name == "exchange":
        given, wanted = _exchanged(a)
        return {"type": name, "give": RESOURCES[given], "want": RESOURCES[wanted]}
    return {"type": name, what: RESOURCES[k] if what == "resource" else k} if what else {"type": name}


def action_from_json(s: Catan, data: Mapping[str, Any]) -> int:
    kind = data.get("type")
    rest = set(data) - {"type"}
    if kind == "exchange" and rest == {"give", "want"}:
        return _exchange(_resource(data["give"]), _resource(data["want"]))
    if isinstance(kind, str) and kind in _BLOCKS:
        first, count, what = _BLOCKS[kind]
        if rest == ({what} if what else set()) and kind != "exchange":
            if what == "resource":
                return first + _resource(data[what])
            return first + (checked_index(data[what], int(s.players) if what in _SEATS else count, what) if what else 0)
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
