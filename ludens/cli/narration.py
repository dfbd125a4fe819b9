"""What happened, line by line, as one seat may know it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from ludens.core.events import seen_by

if TYPE_CHECKING:
    from ludens.core.agent import Thought
    from ludens.core.match import Match, Step

__all__ = ["bullets", "narrate", "thought_in_words", "told"]


def told(match: Match, step: Step, seat: int | None, quiet: frozenset[str]) -> list[str]:
    """The sentences of one step for a seat (None knows all); kinds of events in `quiet` are left out."""
    events = (seen_by(event, seat, everything=seat is None) for event in step.events if event["kind"] not in quiet)
    return [line for event in events if (line := match.game.text.narrate(event, match.names))]


def narrate(match: Match, first: int, seat: int | None, quiet: frozenset[str]) -> Iterator[str]:
    """The sentences of all steps from ply `first` on."""
    for step in match.steps():
        if step.ply >= first:
            yield from told(match, step, seat, quiet)


def bullets(lines: Iterable[str]) -> Table:
    """The sentences one below the other, each with a mark in front."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    for line in lines:
        grid.add_row(Text("  ›", "dim"), Text(line))
    return grid


def thought_in_words(thought: Thought, line: Sequence[str]) -> str:
    """What an agent thought, in one line; `line` is its principal variation in words."""
    parts = []
    if thought.value is not None:
        parts.append(f"value {thought.value:+.2f}")
    if thought.simulations is not None:
        parts.append(f"{thought.simulations} simulations")
    if thought.depth is not None:
        parts.append(f"depth {thought.depth}")
    if thought.note:
        parts.append(thought.note)
    if line:
        parts.append("line " + ", ".join(line))
    return "; ".join(parts) or "nothing that it tells"
