"""The rules of the Discovery. In reading order: tiles.py (the box), map.py (the map grows by a tile), scoring.py
(what a follower earns), followers.py (placing and taking back), deck.py (the draw), verbs.py (the turn, all verbs)."""

from ludens.games.discovery.rules.deck import chance, draw
from ludens.games.discovery.rules.verbs import actor, apply, legal, reset, returns, scores

__all__ = ["actor", "apply", "chance", "draw", "legal", "reset", "returns", "scores"]
