"""What all commands share: consoles, JSON, options written as key=value, how far a series of games is."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludens.core.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from ludens.core.spec import Option
    from ludens.play.engine import Progress
    from ludens.play.executors import InFlight

__all__ = [
    "Json",
    "Options",
    "Workers",
    "describe_option",
    "duration",
    "error_console",
    "long_games",
    "output_console",
    "parse_pairs",
    "print_json",
    "reference",
    "stopping_says",
    "tournament_progress",
]


_ENDLESS = 1 << 20  # lines

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="An option of the game as key=value; may be repeated.")
]
Workers = Annotated[int | None, typer.Option("--workers", help="Processes to use; by default all cores once it pays.")]


def output_console() -> Console:
    """The console for results, on standard output; what is no terminal has room for everything."""
    from rich.console import Console

    return Console(highlight=False, height=None if sys.stdout.isatty() else _ENDLESS)


def error_console() -> Console:
    """The console for progress and complaints, on standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def print_json(document: Any) -> None:
    """Prints exactly one JSON document on standard output; numbers that JSON does not know are null."""
    json.dump(_known(document), sys.stdout, indent=2, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")


def _known(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _known(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_known(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def parse_pairs(pairs: Sequence[str]) -> dict[str, str]:
    """The options written as key=value; one that is written otherwise or twice is refused."""
    found: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals or not value:
            raise BadInput(f"Option {pair!r} must read key=value.")
        if key in found:
            raise BadInput(f"Option {key} is given twice.")
        found[key] = value
    return found


def reference(error: BadInput) -> str:
    """Where the rules stand that a refusal rests on, in a few words; empty if it cites none."""
    if not error.rules:
        return ""
    page = f" (docs/rules/{error.rulebook}.md)" if error.rulebook else ""
    return f"see rule{'s' if len(error.rules) > 1 else ''} {', '.join(error.rules)}{page}"


def describe_option(option: Option) -> str:
    """An option as it is written, its meaning and its default."""
    values = "|".join(option.choices) if option.choices else f"{option.low}…{option.high}"
    return f"{option.name}={values}  {option.help} (default {option.show(option.default)})"


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
