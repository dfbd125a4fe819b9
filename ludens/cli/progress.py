"""How a tournament shows where it is: games, time left, and the decisions of games that are being played."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludens.cli.console import error_console

if TYPE_CHECKING:
    from ludens.play.engine import Progress
    from ludens.play.executors import InFlight

__all__ = ["duration", "long_games", "stopping_says", "tournament_progress"]

_LONG = 3.0  # seconds after which a game is long enough to be watched


def duration(seconds: float) -> str:
    """A time in words that are short."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def long_games(playing: Sequence[InFlight]) -> str:
    """How far the games are that last long, a few of them."""
    long = [game for game in playing if game.seconds > _LONG]
    return "  ".join(f"game {game.number}: {game.decisions} decisions" for game in long[:3])


@contextmanager
def stopping_says(sentence: Callable[[], str]) -> Iterator[None]:
    """Says after Ctrl-C what was kept and how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        if words := sentence():
            error_console().print(words, markup=False, soft_wrap=True)
        raise


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
            note = "  ".join(filter(None, (left, long_games(now.in_flight))))
            bars.update(bar, completed=now.finished, total=now.total, note=note)

        yield report
