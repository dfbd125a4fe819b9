"""The standing of every player in a table of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.lab.games_table import GamesTable
from ludens.lab.statistics import Standing, standing_of
from ludens.lab.summaries import ALPHA, Summary, summary

__all__ = ["PlayerSummary", "player_summaries", "seat_summaries", "table_standings"]


@dataclass(frozen=True)
class PlayerSummary:
    """What a player did over all its seats: a team's game counts once."""

    standing: Standing
    score: Summary
    opponents: float  # mean score of the others at the table
    rank: float
    seconds: float  # a decision
    simulations: float | None  # a decision

    def to_json(self) -> dict[str, Any]:
        return {
            **self.standing.to_json(),
            "score": self.score.to_json(),
            "opponents": self.opponents,
            "rank": self.rank,
            "seconds": self.seconds,
            "simulations": self.simulations,
        }


def _own(games: GamesTable, player: int) -> list[tuple[int, np.ndarray]]:
    """Every place (its first seat) and the games in which the player had it."""
    return [(seat, np.flatnonzero(games.player[:, seat] == player)) for seat in games.places]


def table_standings(games: GamesTable) -> list[Standing]:
    """The standings in the order of the players; those without a game are left out."""
    found = []
    for player, name in enumerate(games.names):
        shares: list[float] = []
        scores: list[float] = []
        seat_shares: list[list[float]] = [[] for _ in range(games.seats)]
        seat_scores: list[list[float]] = [[] for _ in range(games.seats)]
        for first, rows in _own(games, player):
            members = [seat for seat in range(games.seats) if games.sides[seat] == games.sides[first]]
            shares += games.victory[rows, first].tolist()
            scores += games.score[rows][:, members].mean(axis=1).tolist()
            for seat in members:
                seat_shares[seat] += games.victory[rows, seat].tolist()
                seat_scores[seat] += games.score[rows, seat].tolist()
        if shares:
            found.append(standing_of(name, shares, scores, seat_shares, seat_scores))
    return found


def player_summaries(games: GamesTable, alpha: float = ALPHA) -> list[PlayerSummary]:
    """The players with any games, best victory share first, the mean score deciding."""
    standings = {standing.agent: standing for standing in table_standings(games)}
    found = []
    for player, name in enumerate(games.names):
        if name not in standings:
            continue
        seats = games.player == player
        score: list[float] = []
        opponents: list[float] = []
        rank: list[float] = []
        for first, rows in _own(games, player):
            members = [seat for seat in range(games.seats) if games.sides[seat] == games.sides[first]]
            others = [seat for seat in range(games.seats) if seat not in members]
            score += games.score[rows][:, members].mean(axis=1).tolist()
            opponents += games.score[rows][:, others].mean(axis=1).tolist() if others else []
            rank += games.rank[rows, first].tolist()
        decisions = float(games.decisions[seats].sum())
        told = games.simulations[seats]
        simulations = float(np.nansum(told)) / decisions if decisions and not np.isnan(told).all() else None
        seconds = float(games.seconds[seats].sum()) / decisions if decisions else 0.0
        mean_others = float(np.mean(opponents)) if opponents else float("nan")
        found.append(
            PlayerSummary(
                standings[name], summary(score, alpha), mean_others, float(np.mean(rank)), seconds, simulations
            )
        )
    return sorted(found, key=lambda one: (-one.standing.win_share, -one.score.mean))


def seat_summaries(games: GamesTable, alpha: float = ALPHA) -> list[tuple[Summary, float]]:
    """Mean score and share of victory of every seat: what sitting there is worth."""
    return [(summary(games.score[:, seat], alpha), float(games.victory[:, seat].mean())) for seat in range(games.seats)]
