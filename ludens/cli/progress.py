"""How a tournament shows where it is: games, time left, and the decisions of games that are being played."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludens.cli.console import error_console

if TYPE_CHECKING:
    from ludens.arena.tournament import Progress

__all__ = ["LongGame", "duration", "long_games", "stopping_says", "tournament_progress"]

_GLANCE = 0.5  # seconds between two notes
_LONG = 3.0  # seconds after which a game is long enough to be watched


def duration(seconds: float) -> str:
    """A time in words that are short."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def long_games(now: Progress) -> list[str]:
    """How far the games are that last long, a few of them."""
    return [f"game {game.number}: {game.decisions} decisions" for game in now.in_flight if game.seconds > _LONG][:3]


@contextmanager
def stopping_says(sentence: Callable[[], str]) -> Iterator[None]:
    """Says after Ctrl-C what was kept and how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        if words := sentence():
            error_console().print(words, markup=False, soft_wrap=True)
        raise


class LongGame:
    """Tells how far a long game is, as a note beside a bar."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show, self._begun, self._shown = show, time.monotonic(), 0.0

    def decided(self, decisions: int) -> None:
        """So many decisions were made in the game that is being played."""
        now = time.monotonic()
        if decisions == 1:
            self._begun = now
        if now - self._begun > _LONG and now - self._shown > _GLANCE:
            self._shown = now
            self._show(f"this game: {decisions} decisions")

    def finished(self) -> None:
        """The game is over."""
        if self._shown:
            self._shown = 0.0
            self._show("")


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
            left = [] if now.seconds_left is None else [f"{duration(now.seconds_left)} left"]
            bars.update(bar, completed=now.finished, total=now.total, note="  ".join([*left, *long_games(now)]))

        yield report
