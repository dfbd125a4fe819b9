"""Azul: words and JSON for actions, refusals, events and positions; `Game.text`."""

from __future__ import annotations

from ludens.core.words import Words
from ludens.games.azul.text import actions, events, notation, position, reasons, refusals

__all__ = ["WORDS"]

WORDS = Words.of(actions, events, notation, position, reasons, refusals, actions_are_fixed=True)
