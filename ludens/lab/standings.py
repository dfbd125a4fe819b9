"""The games of a run as arrays, a row a game and a column a seat, and what they say of every player."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ludens.core import registry
from ludens.core.agent import Thought
from ludens.core.errors import did_you_mean
from ludens.lab.statistics import ALPHA, CONFIDENCE, Summary, mean_interval, share_interval, summary
from ludens.play.game import Outcome
from ludens.play.record import ranks, victory_shares
from ludens.play.results import ResultsFile, Run
from ludens.play.schedule import Schedule, sides_of

__all__ = [
    "GamesTable",
    "MeanThoughts",
    "PlayerSummary",
    "Standing",
    "load_games",
    "mean_thoughts",
    "player_summaries",
    "seat_summaries",
    "standings",
    "table_of",
]


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

    def members(self, place: int) -> list[int]:
        """The seats of the side that this seat stands for."""
        return [seat for seat, side in enumerate(self.sides) if side == self.sides[place]]

    def side_scores(self) -> np.ndarray:
        """[game, place]: the score of a team is the mean of its seats'."""
        return np.stack([self.score[:, self.members(place)].mean(axis=1) for place in self.places], axis=1)

    def index(self, name: str) -> int:
        if name not in self.names:
            raise did_you_mean(name, self.names, "player")
        return self.names.index(name)

    def where(self, keep: Any) -> GamesTable:
        """The games for which `keep` is true."""
        columns = ("number", "player", "score", "result", "victory", "rank", "decisions", "simulations", "seconds")
        return replace(self, **{column: getattr(self, column)[keep] for column in columns})

    def counted(self, player: int) -> GamesTable:
        """The games that tell how good a player is: those with others; all, where it has sat beside nobody else."""
        mixed = self.where(np.any(self.player != self.player[:, :1], axis=1))
        return mixed if np.any(mixed.player == player) else self

    def without(self, names: Sequence[str]) -> GamesTable:
        """The games in which none of these players sits."""
        absent = [self.names.index(name) for name in names if name in self.names]
        return self.where(np.all(~np.isin(self.player, absent), axis=1)) if absent else self

    def with_any(self, names: Sequence[str]) -> GamesTable:
        """The games in which at least one of these players sits."""
        return self.where(np.any(np.isin(self.player, [self.index(name) for name in names]), axis=1))


def load_games(file: ResultsFile, run: Run) -> GamesTable:
    """All games of a run that are stored."""
    seats = int(run.plan["options"]["players"])
    rows = file.seat_rows(run)
    # NULL, where an agent tells no simulations, becomes nan.
    table = np.array(rows, dtype=float).reshape(-1, seats, 11) if rows else np.zeros((0, seats, 11))
    return GamesTable(
        names=tuple(run.players),
        sides=sides_of(registry.game(run.game_name).spec, seats),
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


def table_of(schedule: Schedule, outcomes: Sequence[Outcome]) -> GamesTable:
    """The games of a schedule that were played in memory, all from the first; decisions and times were not kept."""
    sides, shape = schedule.sides, (len(outcomes), len(schedule.sides))
    shares = (victory_shares(outcome.returns, sides) for outcome in outcomes)
    return GamesTable(
        names=tuple(player.name for player in schedule.players),
        sides=sides,
        number=np.arange(len(outcomes)),
        player=np.array([schedule.at_seats(number) for number in range(len(outcomes))]).reshape(shape),
        score=np.array([outcome.scores for outcome in outcomes]).reshape(shape),
        result=np.array([outcome.returns for outcome in outcomes]).reshape(shape),
        victory=np.array([[share[side] for side in sides] for share in shares]).reshape(shape),
        rank=np.array([ranks(outcome.returns, outcome.scores, sides) for outcome in outcomes]).reshape(shape),
        decisions=np.zeros(shape),
        simulations=np.full(shape, np.nan),
        seconds=np.zeros(shape),
    )


@dataclass(frozen=True)
class MeanThoughts:
    """The thoughts of one agent; None where no decision told that number."""

    decisions: int  # that told a thought: forced moves tell none
    value: float | None
    simulations: float | None
    depth: float | None


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
        return {key: value for key, value in asdict(self).items() if key != "thoughts" or value is not None}


def standings(games: GamesTable, confidence: float = CONFIDENCE) -> list[Standing]:
    """The standings in the order of the players, games beside nobody but itself left out; no game, no standing."""
    found = []
    for player, name in enumerate(games.names):
        counted = games.counted(player)
        own = counted.player[:, counted.places] == player
        if own.any():
            shares, scores = counted.victory[:, counted.places][own].tolist(), counted.side_scores()[own].tolist()
            wins, losses = shares.count(1.0), shares.count(0.0)
            found.append(
                Standing(
                    agent=name,
                    games=len(shares),
                    wins=wins,
                    shared=len(shares) - wins - losses,
                    losses=losses,
                    win_share=_mean(shares),
                    interval=share_interval(math.fsum(shares), len(shares), confidence),
                    mean_score=_mean(scores),
                    score_interval=mean_interval(scores, confidence),
                    by_seat=tuple(_by_seat(counted, player)),
                )
            )
    return found


def _by_seat(games: GamesTable, player: int) -> Iterator[dict[str, Any]]:
    for seat in range(games.seats):
        rows = games.player[:, seat] == player
        if rows.any():
            shares, scores = games.victory[rows, seat].tolist(), games.score[rows, seat].tolist()
            yield {"seat": seat, "games": len(shares), "win_share": _mean(shares), "mean_score": _mean(scores)}


def mean_thoughts(schedule: Schedule, outcomes: Iterable[Outcome]) -> list[MeanThoughts]:
    """The mean thoughts of every player over its decisions; the outcomes are all games from the first."""
    told: list[list[Thought]] = [[] for _ in schedule.players]
    for number, outcome in enumerate(outcomes):
        players = schedule.at_seats(number)
        for seat, thought in outcome.thoughts:
            told[players[seat]].append(thought)
    return [
        MeanThoughts(
            len(own),
            _known_mean(thought.value for thought in own),
            _known_mean(thought.simulations for thought in own),
            _known_mean(thought.depth for thought in own),
        )
        for own in told
    ]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _known_mean(numbers: Iterable[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return _mean(known) if known else None


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


def player_summaries(games: GamesTable, alpha: float = ALPHA) -> list[PlayerSummary]:
    """The players with any games, best victory share first, the mean score deciding."""
    known = {standing.agent: standing for standing in standings(games, 1 - alpha)}
    found = []
    for player, name in enumerate(games.names):
        if name not in known:
            continue
        counted = games.counted(player)
        seats, own = counted.player == player, counted.player[:, counted.places] == player
        opponents: list[float] = []
        for place in counted.places:
            others = [seat for seat in range(counted.seats) if seat not in counted.members(place)]
            rows = counted.player[:, place] == player
            opponents += counted.score[rows][:, others].mean(axis=1).tolist() if others else []
        decisions = float(counted.decisions[seats].sum())
        told = counted.simulations[seats]
        found.append(
            PlayerSummary(
                standing=known[name],
                score=summary(counted.side_scores()[own], alpha),
                opponents=float(np.mean(opponents)) if opponents else float("nan"),
                rank=float(counted.rank[:, counted.places][own].mean()),
                seconds=float(counted.seconds[seats].sum()) / decisions if decisions else 0.0,
                simulations=float(np.nansum(told)) / decisions if decisions and not np.isnan(told).all() else None,
            )
        )
    return sorted(found, key=lambda one: (-one.standing.win_share, -one.score.mean))


def seat_summaries(games: GamesTable, alpha: float = ALPHA) -> list[tuple[Summary, float]]:
    """Mean score and share of victory of every seat: what sitting there is worth."""
    return [(summary(games.score[:, seat], alpha), float(games.victory[:, seat].mean())) for seat in range(games.seats)]
