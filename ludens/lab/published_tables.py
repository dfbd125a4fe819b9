"""Published tables played again: every matchup with fixed sides, the same seeds for all, intervals beside the print."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ludens.core.errors import BadInput, did_you_mean
from ludens.core.match import Match
from ludens.core.published import Matchup, Published
from ludens.core.spec import Game
from ludens.lab.series import Result, run
from ludens.lab.statistics import mean_interval
from ludens.play.engine import Progress
from ludens.play.game import Outcome

__all__ = ["MatchupResult", "play_again", "published_table"]


@dataclass(frozen=True)
class MatchupResult:
    """What became of one matchup."""

    matchup: Matchup
    games: int
    share: float  # of victories of the side that counts
    interval: tuple[float, float]
    length: float | None  # mean over the games that it won; None if it won none
    length_interval: tuple[float, float] | None

    def to_json(self) -> dict[str, Any]:
        told, matchup = asdict(self), self.matchup
        del told["matchup"]
        printed = {"share": matchup.share, "length": matchup.length}
        return {"name": matchup.name, "agents": matchup.agents, **told, "printed": printed}


def published_table(game: Game, name: str) -> Published:
    """The game's table of that name; an unknown one is refused."""
    known = game.published()
    if not known:
        raise BadInput(f"{game.spec.title} has no published table to play again.")
    if name not in known:
        raise did_you_mean(name, known, f"table of {game.spec.name}")
    return known[name]


def play_again(
    game: Game,
    matchup: Matchup,
    table: Published,
    games: int,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    workers: int | None = None,
    watch: Callable[[Progress], None] = lambda progress: None,
) -> MatchupResult:
    """Plays one matchup; equal seeds give all matchups the same draws, game by game."""
    result = run(game, matchup.agents, games, seed, None, options, workers, rotating=False, watch=watch)
    counted = result.agents[table.side]
    seat = next(seat for seat, side in enumerate(game.spec.sides(int(result.options["players"]))) if side == table.side)
    lengths = [_length(result, outcome, table) for outcome in result.outcomes if outcome.returns[seat] > 0]
    length = float(np.mean(lengths)) if lengths else None
    return MatchupResult(matchup, games, counted.win_share, counted.interval, length, mean_interval(lengths))


def _length(result: Result, outcome: Outcome, table: Published) -> int:
    """The length of a game, which its choices give again."""
    match = Match(result.game, result.options, seed=outcome.seed)
    for choice in outcome.choices:
        match.play(choice)
    return table.length(match.state()[0])
