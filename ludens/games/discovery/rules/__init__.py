"""The rules of the Discovery. In reading order: tiles.py (the box), map.py (the map grows by a tile), scoring.py
(what a follower earns), followers.py (placing and taking back), verbs.py (the turn, and all verbs)."""

from ludens.games.discovery.rules.verbs import actor, apply, chance, draw, legal, reset, returns, scores

__all__ = ["actor", "apply", "chance", "draw", "legal", "reset", "returns", "scores"]
