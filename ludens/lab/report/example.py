"""A game of a series on the board, inside the report: one that went as most do."""

from __future__ import annotations

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.film import boards_script, film_element
from ludens.core.match import Match
from ludens.lab.report.document import Film
from ludens.lab.standings import GamesTable
from ludens.play.results import ResultsFile, Run

__all__ = ["example_film", "typical_game"]


def typical_game(games: GamesTable, left_out: set[int]) -> int | None:
    """The number of the game whose scores lie closest to what its players usually reach."""
    kept = games.where(~np.isin(games.number, list(left_out)))
    if kept.games == 0:
        return None
    seats = [kept.player == player for player in range(len(kept.names))]
    means = np.array([kept.score[seat].mean() if seat.any() else 0.0 for seat in seats])
    spread = np.array([kept.score[seat].std() if seat.any() else 1.0 for seat in seats])
    away = np.abs(kept.score - means[kept.player]) / np.where(spread > 0, spread, 1.0)[kept.player]
    return int(kept.number[int(away.sum(axis=1).argmin())])


def example_film(file: ResultsFile, run: Run, games: GamesTable) -> Film | None:
    """The typical game to step through; None where the boards are not built or the rules have changed since."""
    number = typical_game(games, {failure[0] for failure in file.failures(run)})
    if number is None:
        return None
    try:
        boards_script()
        document = file.document(run, number)
        match = Match.from_json(document)
    except BadInput:
        return None
    points = ", ".join(f"{name} {score:g}" for name, score in zip(match.names, match.scores(), strict=True))
    return Film(film_element(match), f"Game {number}, whose points are closest to the means: {points}.")
