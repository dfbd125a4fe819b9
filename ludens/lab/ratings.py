"""Ratings: one number a player. Bradley–Terry with intervals from resampled games; Plackett–Luce for many players."""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ludens.core.extras import require
from ludens.lab.standings import GamesTable

__all__ = [
    "ELO",
    "Comparisons",
    "Rating",
    "SkillRating",
    "bradley_terry",
    "comparisons",
    "fit_strengths",
    "skill_ratings",
]

ELO = 400 / np.log(10)  # points of the scale known from chess: 400 points are odds of ten to one
_ROUNDS = 10_000
_PRIOR = 0.5  # imagined draws between players who met: an unbeaten player's rating stays finite


@dataclass(frozen=True)
class Rating:
    """A player's strength on the scale of chess, the mean of all players being 0."""

    player: str
    games: int
    rating: float
    low: float
    high: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class SkillRating:
    """A player's strength by OpenSkill: mean and uncertainty."""

    player: str
    mu: float
    sigma: float


@dataclass(frozen=True)
class Comparisons:
    """Who came out ahead of whom: a row for every two different players at a table."""

    players: int
    game: np.ndarray  # which game, 0 … games - 1
    one: np.ndarray
    two: np.ndarray
    share: np.ndarray  # of `one`: 1, ½ or 0

    def wins(self, weights: np.ndarray | None = None) -> np.ndarray:
        """wins[i, j]: how often i was ahead of j, games counted by their weights."""
        k = self.players
        factor = np.ones(len(self.game)) if weights is None else weights[self.game]
        ahead = np.bincount(self.one * k + self.two, self.share * factor, k * k)
        behind = np.bincount(self.two * k + self.one, (1 - self.share) * factor, k * k)
        return np.asarray((ahead + behind).reshape(k, k))


def comparisons(games: GamesTable) -> Comparisons:
    """The comparisons that a table of games holds; a player is not compared with itself."""
    parts: list[tuple[np.ndarray, ...]] = []
    for left, right in itertools.combinations(games.places, 2):
        one, two = games.player[:, left], games.player[:, right]
        rows = np.flatnonzero(one != two)
        ahead = games.rank[rows, right] - games.rank[rows, left]
        parts.append((rows, one[rows], two[rows], (np.sign(ahead) + 1) / 2))
    game, first, second, share = (np.concatenate([part[k] for part in parts]) for k in range(4))
    return Comparisons(len(games.names), game, first, second, share)


def fit_strengths(wins: np.ndarray) -> np.ndarray:
    """Bradley and Terry's strengths by minorisation, on the scale of chess; players who never met anybody get nan."""
    met = (wins + wins.T) > 0
    games = wins + wins.T + _PRIOR * met
    won = (wins + _PRIOR / 2 * met).sum(axis=1)
    active = met.any(axis=1)
    strength = np.ones(len(wins))
    for _ in range(_ROUNDS):
        shared = games / (strength[:, None] + strength[None, :])
        new = np.where(active, won / np.maximum(shared.sum(axis=1), 1e-300), 1.0)
        new /= np.exp(np.log(new[active]).mean()) if active.any() else 1.0
        if np.abs(np.log(new / strength)).max() < 1e-7:
            strength = new
            break
        strength = new
    return np.where(active, ELO * np.log(strength), np.nan)


def bradley_terry(games: GamesTable, alpha: float = 0.05, samples: int = 200, seed: int = 0) -> list[Rating]:
    """Ratings in the order of strength, with intervals from games drawn again with replacement."""
    pairs = comparisons(games)
    wins = pairs.wins()
    ratings = fit_strengths(wins)
    generator = np.random.default_rng(seed)
    drawn = []
    for _ in range(samples):
        weights = np.bincount(generator.integers(0, games.games, games.games), minlength=games.games).astype(float)
        drawn.append(fit_strengths(pairs.wins(weights)))
    counted = (wins + wins.T).sum(axis=1)
    found = []
    for player, name in enumerate(games.names):
        own = np.array([sample[player] for sample in drawn])
        known = own[~np.isnan(own)]
        if counted[player] == 0:
            continue
        low, high = np.quantile(known, [alpha / 2, 1 - alpha / 2]) if len(known) else (np.nan, np.nan)
        found.append(Rating(name, round(counted[player]), float(ratings[player]), float(low), float(high)))
    return sorted(found, key=lambda rating: -rating.rating)


def skill_ratings(games: GamesTable, most: int = 5000, seed: int = 0) -> list[SkillRating]:
    """OpenSkill's Plackett–Luce ratings, from at most so many games in random order."""
    require("lab", "An OpenSkill rating", "openskill")
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known = {player: model.rating(name=name) for player, name in enumerate(games.names)}
    order = np.random.default_rng(seed).permutation(games.games)[:most]
    for game in order:
        players = [int(games.player[game, seat]) for seat in games.places]
        if len(set(players)) < len(players):
            continue  # a player beside itself: its two seats would be rated against each other
        ranks = [float(games.rank[game, seat]) for seat in games.places]
        rated = model.rate([[known[player]] for player in players], ranks=ranks)
        for player, team in zip(players, rated, strict=True):
            known[player] = team[0]
    found = [SkillRating(games.names[player], float(one.mu), float(one.sigma)) for player, one in known.items()]
    return sorted(found, key=lambda rating: -rating.mu)
