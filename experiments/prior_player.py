"""The prior's favourite move: `PYTHONPATH=. ludens arena azul experiments.prior_player:Prior heuristic`."""

from __future__ import annotations

import numpy as np

from ludens.core import kernels
from ludens.core.agent import Agent, Clock

__all__ = ["Prior"]


class Prior(Agent):
    """Plays without looking ahead."""

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        shares = np.zeros(len(legal), np.float32)
        kernels.prior_at(view, 0, legal, len(legal), shares)
        return int(legal[shares.argmax()])
