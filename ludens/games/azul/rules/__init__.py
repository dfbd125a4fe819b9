"""Azul: the rules. Numbers such as AZ-17 are those of `docs/rules/azul.md`.

In reading order: `verbs` (all that the rest of the package calls), `rounds` (the deal and the end), `taking`, `tiling`,
and `wall` (which tile may stand where, and its points).
"""

from __future__ import annotations

from ludens.games.azul.rules.rounds import factories_of
from ludens.games.azul.rules.verbs import actor, apply, chance, draw, legal, reset, returns, scores

__all__ = ["actor", "apply", "chance", "draw", "factories_of", "legal", "reset", "returns", "scores"]
