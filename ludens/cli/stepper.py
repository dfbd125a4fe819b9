"""Walking through a finished or unfinished game in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from ludens.cli.drawing import Drawing, bullets, told
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.core.verbs import CHANCE, SPECTATOR

__all__ = ["Stepper"]

_HELP = "Enter or n next, p previous, a number for that position, first, last, quit"


class Stepper:
    """A match, a place in it, and a console.

    Next and previous stop where somebody had acted or was to act; draws in a row go by in one step.
    """

    def __init__(self, match: Match, console: Console) -> None:
        self._match = match
        self._console = console
        self._drawing = Drawing(match.game)
        self._steps = list(match.steps())
        acted = [step.ply for step in self._steps if step.actor != CHANCE]
        self._stops = sorted({0, *acted, match.ply})
        self._here = self._stops[0]

    def run(self) -> None:
        """Shows positions as asked until the reader quits or the input ends."""
        self.show(self._here)
        while True:
            try:
                line = self._console.input(Text(f"{self._here} of {self._match.ply} (Enter, p, ? for help): ")).strip()
            except EOFError:
                self._console.print()
                return
            if line.lower() in ("q", "quit", "exit"):
                return
            try:
                self._obey(line.lower())
            except BadInput as error:
                self._console.print(Text(str(error), "red"))

    def _obey(self, line: str) -> None:
        before = self._here
        if line in ("", "n", "next"):
            target = next((stop for stop in self._stops if stop > before), None)
            if target is None:
                raise BadInput("This is the last position.")
            self.show(target, since=before)
        elif line in ("p", "previous"):
            if before == 0:
                raise BadInput("This is the first position.")
            self.show(max(stop for stop in self._stops if stop < before))
        elif line in ("first", "last"):
            self.show(0 if line == "first" else self._match.ply)
        elif line.isascii() and line.isdigit():
            if int(line) > self._match.ply:
                raise BadInput(f"The game has positions 0 to {self._match.ply}, not {line}.")
            self.show(int(line))
        elif line in ("?", "help", "h"):
            self._console.print(f"{_HELP}.")
        else:
            raise BadInput(f"{line!r} is not a command: {_HELP}.")

    def show(self, ply: int, since: int | None = None) -> None:
        """Draws the position after `ply` entries of the log, under what led to it."""
        names = self._match.names
        first = max(0, ply - 1) if since is None else since
        self._console.rule(Text(f"position {ply} of {self._match.ply}", "dim"), style="dim")
        news = [line for step in self._steps[first:ply] for line in told(self._match, step, None, self._drawing.quiet)]
        if news:
            self._console.print(bullets(news))
        position = self._match.at(ply)
        self._console.print(self._drawing.position(position.state(), SPECTATOR, names))
        if position.over:
            self._console.print(self._drawing.result(position))
        elif position.actor == CHANCE:
            self._console.print(Text("A draw comes next.", "italic"))
        self._here = ply
