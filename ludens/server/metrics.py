"""Counters and gauges in Prometheus' text format."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable

__all__ = ["Metrics"]

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_COUNTED = {
    "agents_compiled": "Agents that were compiled by the preparing process.",
    "games_imported": "Saved games that were brought here.",
    "moves": "Moves that were stored, by game.",
    "requests": "Answers to requests, by status.",
    "tables_ended": "Tables that have ended, by status.",
    "tables_made": "Tables that were made, by game.",
    "tables_removed": "Ended games that were removed.",
    "watchdog_repairs": "Games that stood still and were let go on.",
    "wrong_tokens": "Tokens that were nobody's, by whose they should have been.",
}


class Metrics:
    """What the server counts; gauges are asked for when somebody looks."""

    def __init__(self) -> None:
        self._counters: Counter[tuple[str, str]] = Counter()
        self._gauges: dict[str, tuple[str, Callable[[], dict[str, float]]]] = {}
        self._moves = [0] * (len(_BUCKETS) + 1)
        self._move_seconds = 0.0

    def count(self, name: str, labels: str = "", by: int = 1) -> None:
        """Adds to a counter; labels are written as in the output: `status="200"`."""
        self._counters[name, labels] += by

    def gauge(self, name: str, help_text: str, read: Callable[[], dict[str, float]]) -> None:
        """Declares a gauge; `read` answers label text -> value."""
        self._gauges[name] = (help_text, read)

    def move_took(self, seconds: float) -> None:
        """Notes how long a move took from its arrival to its commit."""
        self._moves[bisect_left(_BUCKETS, seconds)] += 1
        self._move_seconds += seconds

    def text(self) -> str:
        lines = []
        for name in sorted({name for name, _ in self._counters} | set(_COUNTED)):
            if name in _COUNTED:
                lines.append(f"# HELP ludens_{name}_total {_COUNTED[name]}")
            lines.append(f"# TYPE ludens_{name}_total counter")
            for (other, labels), value in sorted(self._counters.items()):
                if other == name:
                    lines.append(f"ludens_{name}_total{_braced(labels)} {value}")
        for name, (help_text, read) in self._gauges.items():
            lines += [f"# HELP ludens_{name} {help_text}", f"# TYPE ludens_{name} gauge"]
            lines += [f"ludens_{name}{_braced(labels)} {value:g}" for labels, value in read().items()]
        lines += [
            "# HELP ludens_move_seconds From a move's arrival to its commit.",
            "# TYPE ludens_move_seconds histogram",
        ]
        total = 0
        for bound, count in zip((*map(str, _BUCKETS), "+Inf"), self._moves, strict=True):
            total += count
            lines.append(f'ludens_move_seconds_bucket{{le="{bound}"}} {total}')
        lines += [f"ludens_move_seconds_sum {self._move_seconds:.6f}", f"ludens_move_seconds_count {total}"]
        return "\n".join(lines) + "\n"


def _braced(labels: str) -> str:
    return f"{{{labels}}}" if labels else ""
