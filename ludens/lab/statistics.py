"""What a series of games says about the agents: win shares and mean scores with 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import special

from ludens.play.game import Outcome
from ludens.play.lineup import Lineup
from ludens.play.thoughts import MeanThoughts, mean_thoughts
from ludens.play.victory import victory_shares

__all__ = ["CONFIDENCE", "Standing", "mean_interval", "share_interval", "standing_of", "standings"]

CONFIDENCE = 0.95


def share_interval(total: float, games: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's interval for a mean share of victory, `total` being the sum of the shares.

    A share lies between 0 and 1, so its variance is at most that of wins and losses with the same
    mean: for plain wins this is Wilson's interval exactly, with shared victories it errs on the wide side.
    """
    if games == 0:
        return 0.0, 1.0
    z = float(special.ndtri(0.5 + confidence / 2))
    mean = total / games
    centre = mean + z * z / (2 * games)
    spread = z * math.sqrt(max(0.0, mean * (1 - mean)) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    # At the ends the formula gives exactly 0 or 1, but for rounding.
    low = 0.0 if total <= 0 else (centre - spread) / scale
    high = 1.0 if total >= games else (centre + spread) / scale
    return low, high


def mean_interval(values: Sequence[float] | np.ndarray, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """Student's interval for a mean; None for fewer than two values."""
    n = len(values)
    if n < 2:
        return None
    numbers = np.asarray(values, float)
    spread = float(special.stdtrit(n - 1, 0.5 + confidence / 2)) * float(numbers.std(ddof=1)) / math.sqrt(n)
    mean = float(numbers.mean())
    return mean - spread, mean + spread


@dataclass(frozen=True)
class Standing:
    """The results of one agent; a game counts once for every place the agent had in it."""

    agent: str
    games: int
    wins: int  # alone
    shared: int  # with others
    losses: int
    win_share: float
    interval: tuple[float, float]
    mean_score: float
    score_interval: tuple[float, float] | None
    by_seat: tuple[dict[str, Any], ...]  # seat (from 0), games, win_share, mean_score
    thoughts: MeanThoughts | None = None  # where the agents were asked

    def to_json(self) -> dict[str, Any]:
        told = {} if self.thoughts is None else {"thoughts": self.thoughts.to_json()}
        return {
            "agent": self.agent,
            "games": self.games,
            "wins": self.wins,
            "shared": self.shared,
            "losses": self.losses,
            "win_share": self.win_share,
            "interval": list(self.interval),
            "mean_score": self.mean_score,
            "score_interval": None if self.score_interval is None else list(self.score_interval),
            "by_seat": list(self.by_seat),
            **told,
        }


def standings(
    agents: Sequence[str], lineup: Lineup, outcomes: Sequence[Outcome], with_thoughts: bool = False
) -> list[Standing]:
    """The standing of every agent, in the order given; outcomes[i] is the game of index i.

    The score of a team is the mean of its seats' scores.
    """
    seats = range(len(lineup.sides))
    shares: list[list[float]] = [[] for _ in agents]
    scores: list[list[float]] = [[] for _ in agents]
    seat_shares: list[list[list[float]]] = [[[] for _ in seats] for _ in agents]
    seat_scores: list[list[list[float]]] = [[[] for _ in seats] for _ in agents]
    for index, outcome in enumerate(outcomes):
        won = victory_shares(outcome.returns, lineup.sides)
        for place, agent in enumerate(lineup.at_places(index)):
            members = [seat for seat in seats if lineup.sides[seat] == place]
            shares[agent].append(won[place])
            scores[agent].append(sum(outcome.scores[seat] for seat in members) / len(members))
            for seat in members:
                seat_shares[agent][seat].append(won[place])
                seat_scores[agent][seat].append(outcome.scores[seat])
    found = [standing_of(name, shares[i], scores[i], seat_shares[i], seat_scores[i]) for i, name in enumerate(agents)]
    if not with_thoughts:
        return found
    told = mean_thoughts(len(agents), lineup, outcomes)
    return [replace(standing, thoughts=means) for standing, means in zip(found, told, strict=True)]


def standing_of(
    agent: str,
    shares: list[float],
    scores: list[float],
    seat_shares: list[list[float]],
    seat_scores: list[list[float]],
) -> Standing:
    """The standing from shares of victory and scores, game by game, and the same for every seat."""
    games = len(shares)
    wins, losses = shares.count(1.0), shares.count(0.0)
    by_seat = tuple(
        {"seat": seat, "games": len(won), "win_share": _mean(won), "mean_score": _mean(points)}
        for seat, (won, points) in enumerate(zip(seat_shares, seat_scores, strict=True))
        if won
    )
    return Standing(
        agent=agent,
        games=games,
        wins=wins,
        shared=games - wins - losses,
        losses=losses,
        win_share=_mean(shares),
        interval=share_interval(math.fsum(shares), games),
        mean_score=_mean(scores),
        score_interval=mean_interval(scores),
        by_seat=by_seat,
    )


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
