"""How a tournament shows where it is: games, time left, and the decisions of games that are being played."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludens.cli.console import error_console

if TYPE_CHECKING:
    from ludens.arena.tournament import Progress

__all__ = ["duration", "tournament_progress"]

_LONG = 3.0  # seconds after which a game is long enough to be watched


def duration(seconds: float) -> str:
    """A time in words that are short."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


@contextmanager
def tournament_progress(title: str) -> Iterator[Callable[[Progress], None]]:
    """A bar on standard error while games are played; nothing where that is no terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bars

    console = error_console()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[note]}"))
    shown = 0.0
    with Bars(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        bar = bars.add_task(title, total=None, note="")

        def report(now: Progress) -> None:
            nonlocal shown
            if time.monotonic() - shown < 0.1 and now.finished < now.total:
                return
            shown = time.monotonic()
            left = "" if now.seconds_left is None else f"{duration(now.seconds_left)} left"
            long = [f"game {game.number}: {game.decisions} decisions" for game in now.in_flight if game.seconds > _LONG]
            bars.update(bar, completed=now.finished, total=now.total, note="  ".join([left, *long[:3]]))

        yield report
