"""Scotland Yard in words and JSON: actions, events and positions, for every map."""

from __future__ import annotations

from ludens.games.scotland_yard.text.actions import (
    action_from_json,
    action_from_text,
    action_to_json,
    action_to_text,
    chance_to_text,
)
from ludens.games.scotland_yard.text.events import events, narrate
from ludens.games.scotland_yard.text.position import position_to_json, position_to_text, static_to_json
from ludens.games.scotland_yard.text.reasons import completes, reasons
from ludens.games.scotland_yard.text.refusals import refusal

__all__ = [
    "action_from_json",
    "action_from_text",
    "action_to_json",
    "action_to_text",
    "chance_to_text",
    "completes",
    "events",
    "narrate",
    "position_to_json",
    "position_to_text",
    "reasons",
    "refusal",
    "static_to_json",
]
