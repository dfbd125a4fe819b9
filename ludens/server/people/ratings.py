"""Ratings of people by Glicko-2; those of the levels are fixed, by the series of games that docs/strength.md tells of.

A level is as many points above the one below it as its share of victories says (400 points: ten to one); the weakest
has 1200, which is a convention. At a table of more than two an agent's share is read against each of the others. Where
a series was won by 100 %, the lower end of its interval counts. Levels whose steps were not measured have no rating.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from elote import Glicko2Competitor

__all__ = ["NEW", "PROVISIONAL", "Rating", "after", "level_rating", "levels_of"]

PROVISIONAL = 110.0
"""A rating with a larger deviation is provisional."""
_LEVEL_DEVIATION = 60.0  # of a level's rating, by the intervals of its series


@dataclass(frozen=True)
class Rating:
    """What is known of somebody's strength in a game."""

    rating: float
    deviation: float
    volatility: float = 0.06
    time: float | None = None  # of the last game, in seconds since 1970


NEW = Rating(1500.0, 350.0)


@cache
def _levels() -> dict[str, dict[str, float]]:
    levels: dict[str, dict[str, float]] = json.loads(Path(__file__).with_name("levels.json").read_text())
    return levels


def levels_of(game: str) -> dict[str, float]:
    """The fixed ratings of a game's levels."""
    return _levels().get(game, {})


def level_rating(game: str, agent: str) -> Rating | None:
    """The fixed rating of a level; None for other agents, and for levels that were not measured."""
    found = levels_of(game).get(agent)
    return None if found is None else Rating(found, _LEVEL_DEVIATION)


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
