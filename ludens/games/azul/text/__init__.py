"""Azul: words and JSON for actions, refusals, events and positions; `Game.text`."""

from __future__ import annotations

from ludens.core.words import Words
from ludens.games.azul.text import actions, events, notation, position, reasons, refusals

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
    actions_are_fixed=True,
    notation=notation.notation,
    reasons=reasons.reasons,
)
