"""The Discovery in words and JSON.

actions.py: moves and draws; refusals.py: why a move is not legal; events.py: what happened; position.py: the
whole position and the tiles. These stand on lookup.py (what a record says) and drawing.py (tiles in letters).
"""

from ludens.games.discovery.text.actions import (
    action_from_json,
    action_from_text,
    action_to_json,
    action_to_text,
    chance_to_text,
)
from ludens.games.discovery.text.events import events, narrate
from ludens.games.discovery.text.position import position_to_json, position_to_text, static_to_json
from ludens.games.discovery.text.reasons import completes, reasons
from ludens.games.discovery.text.refusals import refusal

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
