"""Catan in words and JSON: what `Game.text` offers.

actions.py writes and reads actions and outcomes, refusals.py says why not, events.py tells what happened, and
position.py shows the table.
"""

from __future__ import annotations

from ludens.games.catan.text.actions import (
    action_from_json,
    action_from_text,
    action_to_json,
    action_to_text,
    chance_to_text,
)
from ludens.games.catan.text.events import events, narrate
from ludens.games.catan.text.position import position_to_json, position_to_text, static_to_json
from ludens.games.catan.text.reasons import answers, completes, offers, reasons, taken, vain
from ludens.games.catan.text.refusals import refusal

__all__ = [
    "action_from_json",
    "action_from_text",
    "action_to_json",
    "action_to_text",
    "answers",
    "chance_to_text",
    "completes",
    "events",
    "narrate",
    "offers",
    "position_to_json",
    "position_to_text",
    "reasons",
    "refusal",
    "static_to_json",
    "taken",
    "vain",
]
