"""Ratings of people by Glicko-2; those of the levels are fixed, by the measured strength that ships (`lab/measured`).

`beginner` has 1200, which is a convention; the others are as far from it as on the ladder of the game, and as uncertain
as their intervals there. A level that no games link with `beginner` has no rating.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from elote import Glicko2Competitor

from ludens.core.agent import LEVELS

__all__ = ["NEW", "PROVISIONAL", "Rating", "after", "level_rating", "levels_of"]

PROVISIONAL = 110.0
"""A rating with a larger deviation is provisional."""
_BEGINNER = 1200.0
_LEAST_DEVIATION = 30.0  # of a level's rating: many games between computers say little more of games against people


@dataclass(frozen=True)
class Rating:
    """What is known of somebody's strength in a game."""

    rating: float
    deviation: float
    volatility: float = 0.06
    time: float | None = None  # of the last game, in seconds since 1970


NEW = Rating(1500.0, 350.0)


@cache
def _levels(game: str) -> dict[str, Rating]:
    from ludens.lab.measured import measured

    rungs = {rung["agent"]: rung for rung in measured(game)["rungs"] if rung["level"]}
    beginner = rungs.get(LEVELS[0])
    if beginner is None:
        return {}
    return {
        level: Rating(
            round(_BEGINNER + rung["rating"] - beginner["rating"]),
            max(_LEAST_DEVIATION, (rung["high"] - rung["low"]) / (2 * 1.96)),
        )
        for level, rung in rungs.items()
    }


def levels_of(game: str) -> dict[str, float]:
    """The fixed ratings of a game's levels."""
    return {level: found.rating for level, found in _levels(game).items()}


def level_rating(game: str, agent: str) -> Rating | None:
    """The fixed rating of a level; None for other agents, and for levels that were not measured."""
    return _levels(game).get(agent)


def after(rating: Rating, games: Sequence[tuple[Rating, float]], time: float) -> Rating:
    """The rating after results (1, 1/2 or 0) against opponents, one after the other, of a game that ended then."""
    now = _moment(time)
    before = None if rating.time is None else min(_moment(rating.time), now)
    me = Glicko2Competitor(rating.rating, rating.deviation, rating.volatility, before)
    for opponent, result in games:
        other = Glicko2Competitor(opponent.rating, opponent.deviation, opponent.volatility, now)
        if result > 0.5:
            me.beat(other, now)
        elif result < 0.5:
            other.beat(me, now)
        else:
            me.tied(other, now)
    return Rating(me.rating, me.rd, me.volatility, time)


def _moment(time: float) -> datetime:
    return datetime.fromtimestamp(time, UTC).replace(tzinfo=None)
