"""The games of a run as arrays, a row a game and a column a seat: what all statistics are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ludens.core import registry
from ludens.core.errors import did_you_mean
from ludens.play.lineup import sides_of
from ludens.play.results import ResultsFile, Run

__all__ = ["GamesTable", "load_games"]


@dataclass(frozen=True)
class GamesTable:
    """Finished games in the order of their numbers."""

    names: tuple[str, ...]  # of the players
    sides: tuple[int, ...]  # of the seats
    number: np.ndarray  # [game]
    player: np.ndarray  # [game, seat], index into names
    score: np.ndarray  # [game, seat], and so on
    result: np.ndarray
    victory: np.ndarray
    rank: np.ndarray
    decisions: np.ndarray
    simulations: np.ndarray  # nan where an agent does not tell
    seconds: np.ndarray

    @property
    def games(self) -> int:
        return len(self.number)

    @property
    def seats(self) -> int:
        return len(self.sides)

    @property
    def places(self) -> list[int]:
        """One seat of every side, the first."""
        return [self.sides.index(side) for side in range(max(self.sides) + 1)]

    def index(self, name: str) -> int:
        if name not in self.names:
            raise did_you_mean(name, self.names, "player")
        return self.names.index(name)

    def where(self, keep: Any) -> GamesTable:
        """The games for which `keep` is true."""
        columns = ("number", "player", "score", "result", "victory", "rank", "decisions", "simulations", "seconds")
        return replace(self, **{column: getattr(self, column)[keep] for column in columns})

    def without(self, names: Sequence[str]) -> GamesTable:
        """The games in which none of these players sits."""
        absent = [self.names.index(name) for name in names if name in self.names]
        return self.where(np.all(~np.isin(self.player, absent), axis=1)) if absent else self

    def with_any(self, names: Sequence[str]) -> GamesTable:
        """The games in which at least one of these players sits."""
        return self.where(np.any(np.isin(self.player, [self.index(name) for name in names]), axis=1))


def load_games(file: ResultsFile, run: Run) -> GamesTable:
    """All games of a run that are stored."""
    game = registry.game(run.game.partition("@")[0])
    seats = int(run.plan["options"]["players"])
    rows = file.seat_rows(run)
    # NULL, where an agent tells no simulations, becomes nan.
    table = np.array(rows, dtype=float).reshape(-1, seats, 11) if rows else np.zeros((0, seats, 11))
    return GamesTable(
        names=tuple(run.players),
        sides=sides_of(game.spec, seats),
        number=table[:, 0, 0].astype(np.int64),
        player=table[:, :, 2].astype(np.int64),
        score=table[:, :, 3],
        result=table[:, :, 4],
        victory=table[:, :, 5],
        rank=table[:, :, 6],
        decisions=table[:, :, 7],
        simulations=table[:, :, 8],
        seconds=table[:, :, 9],
    )
