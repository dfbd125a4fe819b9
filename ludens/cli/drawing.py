"""How a game looks in the terminal: the game's own drawing (`core.words.Display`), or its plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    import numpy as np
    from rich.console import RenderableType

    from ludens.core.match import Match
    from ludens.core.spec import Game

__all__ = ["Drawing", "standings", "winners"]


class Drawing:
    """The face of a game in the terminal."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._display = display = game.terminal()
        self.quiet, self.endings, self.help = display.quiet, display.endings, display.help

    def position(self, view: np.ndarray, seat: int, names: tuple[str, ...]) -> RenderableType:
        """The position as the seat sees it; `view` is an array of one record."""
        render = self._display.render
        return Text(self._game.text.position_to_text(view[0])) if render is None else render(view[0], seat, names)

    def move(self, view: np.ndarray, action: int) -> tuple[RenderableType, str, str]:
        """(heading, the heading's plain text, label) of an action."""
        if self._display.move is not None:
            heading, label = self._display.move(view[0], action)
            return heading, str(heading), label
        *words, last = self._game.text.action_to_text(view[0], action).split()
        return " ".join(words), " ".join(words), last

    def result(self, match: Match) -> RenderableType:
        """The table of results of a finished match."""
        final = self._display.final
        return standings(match) if final is None else final(match.state()[0], match.names)


def winners(match: Match) -> list[str]:
    """The names of all who have won, alone or together."""
    returns = match.returns()
    return [name for name, value in zip(match.names, returns, strict=True) if value >= max(returns) - 1e-9]


def standings(match: Match) -> Table:
    """Names and scores, the best first."""
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("Player")
    table.add_column("Points", justify="right")
    rows = sorted(zip(match.returns(), match.scores(), match.names, strict=True), key=lambda row: row[:2], reverse=True)
    for _, score, name in rows:
        table.add_row(name, f"{score:g}")
    return table
