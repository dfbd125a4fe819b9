"""Catan in words and JSON: `Game.text`.

actions.py writes and reads actions and outcomes, refusals.py says why not, events.py tells what happened, and
position.py shows the table.
"""

from __future__ import annotations

from ludens.core.words import Offers, Words
from ludens.games.catan.text import actions, events, notation, position, reasons, refusals

__all__ = ["WORDS"]

WORDS = Words.of(
    *(actions, events, notation, position, reasons, refusals),
    offers=Offers(reasons.offers, reasons.taken, reasons.answers),
)
