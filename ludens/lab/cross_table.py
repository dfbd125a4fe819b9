"""Cross tables: every pair of players, with and without regard to who sat first."""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ludens.lab.standings import GamesTable
from ludens.lab.statistics import ALPHA, PairedTest, holm, paired_test

__all__ = ["Cell", "ConsecutivePair", "consecutive_pairs", "cross_table", "cross_table_json"]


@dataclass(frozen=True)
class Cell:
    """What two players did in their games; with more than two at the table, who of the two came out ahead."""

    first: str
    second: str
    games: int
    wins: int  # of the first
    draws: int
    losses: int
    share: float  # wins and half the draws
    scores: tuple[float, float]
    test: PairedTest  # of the score difference, first minus second

    def to_json(self) -> dict[str, Any]:
        told = asdict(self)
        del told["test"]
        return {**told, "difference": self.test.to_json()}


@dataclass(frozen=True)
class ConsecutivePair:
    """Two players who move one after the other at a table of three or more, and the others beside them."""

    first: str
    second: str
    games: int
    ranks: tuple[float, float, float]  # first, others, second
    scores: tuple[float, float, float]


def cross_table(games: GamesTable, ordered: bool = True, alpha: float = ALPHA) -> list[Cell]:
    """A cell for every pair that met: `ordered` tells apart who had the earlier place.

    Without order a player's games against itself are left out: there is no first then. The tests of a table are one
    family, corrected by Holm.
    """
    found: dict[tuple[int, int], list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = {}
    for left, right in itertools.combinations(games.places, 2):
        key = games.player[:, left] * len(games.names) + games.player[:, right]
        ahead = games.rank[:, right] - games.rank[:, left]
        own, other = (games.score[:, games.members(seat)].mean(axis=1) for seat in (left, right))
        for code in np.unique(key):
            one, two = divmod(int(code), len(games.names))
            rows = key == code
            part = (ahead[rows], own[rows], other[rows])
            if not ordered:
                if one == two:
                    continue
                if one > two:
                    one, two, part = two, one, (-part[0], part[2], part[1])
            found.setdefault((one, two), []).append(part)
    cells = [_cell(games, pair, parts, alpha) for pair, parts in sorted(found.items())]
    corrected = holm([cell.test.p for cell in cells])
    return [replace(cell, test=replace(cell.test, corrected=one)) for cell, one in zip(cells, corrected, strict=True)]


def _cell(
    games: GamesTable, pair: tuple[int, int], parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]], alpha: float
) -> Cell:
    ahead, own, other = (np.concatenate([part[k] for part in parts]) for k in range(3))
    wins, losses = int((ahead > 0).sum()), int((ahead < 0).sum())
    draws = len(ahead) - wins - losses
    return Cell(
        first=games.names[pair[0]],
        second=games.names[pair[1]],
        games=len(ahead),
        wins=wins,
        draws=draws,
        losses=losses,
        share=(wins + draws / 2) / len(ahead),
        scores=(float(own.mean()), float(other.mean())),
        test=paired_test(own - other, alpha),
    )


def consecutive_pairs(games: GamesTable) -> list[ConsecutivePair]:
    """Every ordered pair of neighbours in the order of play (CD-129); the last seat is followed by the first."""
    found: dict[tuple[int, int], list[np.ndarray]] = {}
    for seat in range(games.seats):
        after = (seat + 1) % games.seats
        rest = [k for k in range(games.seats) if k not in (seat, after)]
        columns = np.stack(
            [
                games.rank[:, seat], games.rank[:, rest].mean(axis=1), games.rank[:, after],
                games.score[:, seat], games.score[:, rest].mean(axis=1), games.score[:, after],
            ],
            axis=1,
        )  # fmt: skip
        key = games.player[:, seat] * len(games.names) + games.player[:, after]
        for code in np.unique(key):
            one, two = divmod(int(code), len(games.names))
            found.setdefault((one, two), []).append(columns[key == code])
    pairs = []
    for (one, two), parts in sorted(found.items()):
        rows = np.concatenate(parts)
        mean = rows.mean(axis=0).tolist()
        pairs.append(
            ConsecutivePair(
                games.names[one], games.names[two], len(rows), (mean[0], mean[1], mean[2]), (mean[3], mean[4], mean[5])
            )
        )
    return pairs


def cross_table_json(games: GamesTable, alpha: float = ALPHA) -> dict[str, Any]:
    """Both tables, for pages and programs."""
    return {
        "players": list(games.names),
        "games": games.games,
        "alpha": alpha,
        "ordered": [cell.to_json() for cell in cross_table(games, True, alpha)],
        "unordered": [cell.to_json() for cell in cross_table(games, False, alpha)],
    }
