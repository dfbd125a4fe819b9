"""How long a game will still be compiled: by what its tasks took before, and how fast this computer was so far."""

from __future__ import annotations

import json
import time
from pathlib import Path

__all__ = ["Estimate"]

_TASKS, _SECONDS = 14, 6.0  # of a game that was never compiled here, until one was


class Estimate:
    """Learns from every task; keeps the seconds of each in a file, where one can be written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, list[float]] = {}
        self._now: dict[str, list[float]] = {}  # of this run
        self._since: dict[str, float] = {}  # when the present task began
        try:
            told = json.loads(path.read_text())
            self._known = {str(game): [float(s) for s in seconds] for game, seconds in told.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            pass  # it is only an estimate

    def began(self, game: str) -> None:
        """A process compiles the game from its first task on; what was compiled before goes fast."""
        self._now[game], self._since[game] = [], time.monotonic()

    def done(self, game: str) -> None:
        """The next task is compiled."""
        now = time.monotonic()
        self._now.setdefault(game, []).append(now - self._since.get(game, now))
        self._since[game] = now

    def finished(self, game: str) -> None:
        """All tasks are; the longer times are kept, for what lay in the cache tells nothing."""
        before, now = self._known.get(game, []), self._now.get(game, [])
        kept = before if sum(before) > sum(now) else now
        self._known[game] = [round(seconds, 2) for seconds in kept]
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps(self._known))
        except OSError:
            return

    def left(self, game: str, total: int | None = None) -> float:
        """Seconds until the game is ready, if it is compiled now or next."""
        now, known = self._now.get(game, []), self._known.get(game, [])
        all_known = [seconds for times in (known or [], *self._now.values()) for seconds in times]
        usual = sum(all_known) / len(all_known) if all_known else _SECONDS
        expected = known or [usual] * (total or _TASKS)
        pace = sum(now) / sum(expected[: len(now)]) if now and sum(expected[: len(now)]) > 0 else 1.0
        running = time.monotonic() - self._since[game] if game in self._since else 0.0
        rest = sum(expected[len(now) :]) * min(max(pace, 0.2), 5.0)
        return max(rest - running, 0.1 * rest, 1.0)
