"""Scotland Yard in words and JSON: actions, events and positions, for every map."""

from __future__ import annotations

from ludens.core.words import Words
from ludens.games.scotland_yard.text import actions, events, notation, position, reasons, refusals

__all__ = ["WORDS"]

WORDS = Words.of(actions, events, notation, position, reasons, refusals)
