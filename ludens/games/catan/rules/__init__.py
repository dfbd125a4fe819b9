"""The rules of Catan; docs/rules/catan.md tells them to players, with the numbers (CA-13 …) that are cited here.

Read them in this order:

- verbs.py: the verbs that the rest of the package calls, and which phase leads to which file
- island.py: hexes, vertices, edges and harbours, what lies next to what, and how sets of places are walked through
- setup.py: the board is laid out
- turn.py: a turn begins and ends, and somebody wins
- production.py: the dice and what they yield
- robber.py: the seven, the robber and theft
- building.py: costs, where roads, settlements and cities may stand, and the first of them
- roads.py: where roads may go, and the longest of them
- cards.py: development cards and the largest army
- trade.py: the bank, harbours, offers and answers
- knowledge.py: cards change hands, and who knows which
"""

from __future__ import annotations

from ludens.games.catan.rules.verbs import actor, apply, chance, draw, legal, reset, returns, scores

__all__ = ["actor", "apply", "chance", "draw", "legal", "reset", "returns", "scores"]
