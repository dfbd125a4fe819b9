"""How many games to hand over at once: enough to keep messages cheap, few enough to lose little."""

from __future__ import annotations

__all__ = ["BatchSize"]

_LONGEST = 0.3  # seconds that a process should be busy before it reports
_MOST = 64


class BatchSize:
    """Grows as long as games turn out to be short; the last games are spread over all who play."""

    def __init__(self, workers: int) -> None:
        self._workers, self._size = workers, 1
        self.alone = False  # after an accident every game is sent by itself, to find the one that failed

    def of(self, waiting: int) -> int:
        share = max(1, waiting // (2 * self._workers))
        return min(1 if self.alone else self._size, share, waiting)

    def note(self, games: int, seconds: float) -> None:
        """So many games were played in one batch, in this time."""
        each = max(seconds / games, 1e-6)
        self._size = max(1, min(_MOST, int(_LONGEST / each), 2 * self._size))
