"""The Discovery in words and JSON.

actions.py: moves and draws; refusals.py: why a move is not legal; events.py: what happened; position.py: the
whole position and the tiles. These stand on lookup.py (what a record says) and drawing.py (tiles in letters).
"""

from __future__ import annotations

from ludens.core.words import Words
from ludens.games.discovery.text import actions, events, notation, position, reasons, refusals

__all__ = ["WORDS"]

WORDS = Words.of(actions, events, notation, position, reasons, refusals)
