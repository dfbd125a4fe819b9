"""A game as it is stored: the outcome, the whole log and what every seat spent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ludens.play.executors import Board
from ludens.play.game import Outcome, play_game
from ludens.play.logs import log_of, pack
from ludens.play.referee import ENDED, Referee, forfeited_returns
from ludens.play.schedule import Schedule

__all__ = ["GameRecord", "SeatRecord", "forfeited_record", "play_record", "ranks", "victory_shares"]


@dataclass(frozen=True)
class SeatRecord:
    """What became of one seat; `seconds` and `slowest` are no part of what makes two records equal."""

    player: int
    score: float
    result: float  # in [-1, 1]
    victory: float  # its side's share
    rank: float  # 1 is best; equal ones share the mean
    decisions: int
    simulations: int | None
    seconds: float = field(compare=False)  # of all its decisions
    slowest: float = field(compare=False)  # decision


@dataclass(frozen=True)
class GameRecord:
    """One finished game of a schedule."""

    number: int
    seed: int
    seats: tuple[SeatRecord, ...]
    reason: str
    culprit: int | None
    error: str = field(compare=False)  # may tell times
    log: bytes  # see `logs.unpack`
    times: bytes = field(compare=False)  # seconds of every decision, as 32-bit numbers


def play_record(schedule: Schedule, number: int, board: Board | None = None) -> GameRecord:
    """Plays a game of the schedule; an agent that fails loses it."""
    referee = Referee(schedule.clock, board)
    game, seed = schedule.spec_game, schedule.seed_of(number)
    outcome = play_game(game, schedule.option_array, schedule.codes(number), seed, referee=referee)
    return _record_of(schedule, number, outcome, referee)


def forfeited_record(schedule: Schedule, number: int, seat: int, decisions: int) -> GameRecord:
    """A game that the agent on this seat has lost by ending its process; what was played before is lost."""
    sides, code = schedule.sides, schedule.codes(number)[seat]
    sentence = f"Agent {code} on seat {seat + 1} ended its process after {decisions} choices."
    returns, scores = forfeited_returns(sides, seat), (0.0,) * len(sides)
    outcome = Outcome(schedule.seed_of(number), returns, scores, (), (), ENDED, seat, sentence)
    return _record_of(schedule, number, outcome, Referee(schedule.clock))


def _record_of(schedule: Schedule, number: int, outcome: Outcome, referee: Referee) -> GameRecord:
    sides = schedule.sides
    shares, order = victory_shares(outcome.returns, sides), ranks(outcome.returns, outcome.scores, sides)
    deciders, times = np.array(referee.seats, np.int64), np.array(referee.times)
    seats = []
    for seat, player in enumerate(schedule.at_seats(number)):
        own = times[deciders == seat]
        seats.append(
            SeatRecord(
                player=player,
                score=outcome.scores[seat],
                result=outcome.returns[seat],
                victory=shares[sides[seat]],
                rank=order[seat],
                decisions=len(own),
                simulations=referee.simulations.get(seat),
                seconds=float(own.sum()),
                slowest=float(own.max(initial=0.0)),
            )
        )
    log = log_of(schedule.spec_game, schedule.option_array, outcome.seed, outcome.choices)
    return GameRecord(
        number=number,
        seed=outcome.seed,
        seats=tuple(seats),
        reason=outcome.reason,
        culprit=outcome.culprit,
        error=outcome.error,
        log=pack(log),
        times=times.astype("<f4").tobytes(),
    )


def victory_shares(returns: Sequence[float], sides: Sequence[int]) -> list[float]:
    """The share of victory of every side: 1 / k for each of the k sides with the highest return."""
    by_side = [
        max(returns[seat] for seat in range(len(sides)) if sides[seat] == side) for side in range(max(sides) + 1)
    ]
    best = max(by_side)
    winners = [math.isclose(value, best, abs_tol=1e-9) for value in by_side]
    return [1 / sum(winners) if won else 0.0 for won in winners]


def ranks(returns: Sequence[float], scores: Sequence[float], sides: Sequence[int]) -> list[float]:
    """The rank of every seat, 1 for the best; equal seats share the mean of their ranks, a team is one rank.

    The returns decide, and the scores among equal returns: most games tell only winners and losers apart.
    """
    best: dict[int, tuple[float, float]] = {}
    for seat, side in enumerate(sides):
        best[side] = max(best.get(side, (-2.0, float("-inf"))), (round(returns[seat], 9), scores[seat]))
    own = [best[side] for side in sides]
    teams = list(best.values())
    return [sum(other > mine for other in teams) + (1 + sum(other == mine for other in teams)) / 2 for mine in own]
