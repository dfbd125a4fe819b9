"""Azul: words and JSON for actions, refusals, events and positions; what `Game.text` needs."""

from __future__ import annotations

from ludens.games.azul.text.actions import (
    action_from_json,
    action_from_text,
    action_to_json,
    action_to_text,
    chance_to_text,
)
from ludens.games.azul.text.events import events, narrate
from ludens.games.azul.text.position import position_to_json, position_to_text
from ludens.games.azul.text.reasons import reasons
from ludens.games.azul.text.refusals import refusal

__all__ = [
    "ACTIONS_ARE_FIXED",
    "action_from_json",
    "action_from_text",
    "action_to_json",
    "action_to_text",
    "chance_to_text",
    "events",
    "narrate",
    "position_to_json",
    "position_to_text",
    "reasons",
    "refusal",
]

ACTIONS_ARE_FIXED = True
