"""Analysis for the command line, the server and the page: the strongest generic search on a view."""

from __future__ import annotations

import numpy as np

from ludens.agents.codes import kinds
from ludens.agents.search import plan_for
from ludens.core.spec import Game
from ludens.search.analyse import Analysis, analyse
from ludens.search.budget import Budget
from ludens.search.forest import Forest

__all__ = ["analyse_view"]

_WORDS = ("formula", "exploration", "reduction", "rollout", "depth", "eyes", "evaluation")
_LEVEL = "hard"


def analyse_view(
    game: Game,
    view: np.ndarray,
    seat: int,
    legal: np.ndarray,
    budget: Budget,
    threads: int = 1,
    seed: int = 0,
    candidates: int = 5,
    memory: float = 64,
) -> Analysis:
    """The moves of the seat to act, ranked; searched in the way of the game's hardest level."""
    level = kinds(game).get(_LEVEL)
    words = {key: value for key, value in (level.preset if level else {}).items() if key in _WORDS}
    plan, weights = plan_for(game, **words)
    forest = Forest(game, int(view["players"][0]), plan, weights, threads, memory)
    return analyse(game, view, seat, legal, forest, budget, seed, candidates)
