"""Catan in words and JSON: `Game.text`.

actions.py writes and reads actions and outcomes, refusals.py says why not, events.py tells what happened, and
position.py shows the table.
"""

from __future__ import annotations

from ludens.core.words import Offers, Words
from ludens.games.catan.text import actions, events, notation, position, reasons, refusals

__all__ = ["WORDS"]

WORDS = Words(
    action_to_text=actions.action_to_text,
    action_from_text=actions.action_from_text,
    action_to_json=actions.action_to_json,
    action_from_json=actions.action_from_json,
    chance_to_text=actions.chance_to_text,
    position_to_text=position.position_to_text,
    position_to_json=position.position_to_json,
    refusal=refusals.refusal,
    events=events.events,
    narrate=events.narrate,
    notation=notation.notation,
    static_to_json=position.static_to_json,
    completes=reasons.completes,
    reasons=reasons.reasons,
    vain=reasons.vain,
    offers=Offers(reasons.offers, reasons.taken, reasons.answers),
)
