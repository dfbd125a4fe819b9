"""A game as it is stored: the outcome, the whole log and what every seat spent."""

from __future__ import annotations

from collections.abc import MutableSequence
from dataclasses import dataclass, field

import numpy as np

from ludens.play.game import Outcome, play_game
from ludens.play.logs import log_of, pack
from ludens.play.plan import Plan
from ludens.play.ranks import ranks
from ludens.play.referee import Referee
from ludens.play.victory import victory_shares

__all__ = ["GameRecord", "SeatRecord", "play_number", "record_of"]


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
    """One finished game of a plan."""

    number: int
    seed: int
    seats: tuple[SeatRecord, ...]
    reason: str
    culprit: int | None
    error: str = field(compare=False)  # may tell times
    log: bytes  # see `logs.unpack`
    times: bytes = field(compare=False)  # seconds of every decision, as 32-bit numbers


def play_number(plan: Plan, number: int, board: MutableSequence[int] | None = None) -> GameRecord:
    """Plays a game of the plan."""
    referee = Referee(plan.clock, board)
    game, seed = plan.spec_game, plan.seed_of(number)
    outcome = play_game(game, plan.option_array, plan.codes(number), seed, referee=referee)
    return record_of(plan, number, outcome, referee)


def record_of(plan: Plan, number: int, outcome: Outcome, referee: Referee) -> GameRecord:
    """What is stored of a game that has ended."""
    sides = plan.sides
    shares, order = victory_shares(outcome.returns, sides), ranks(outcome.returns, outcome.scores, sides)
    deciders, times = np.array(referee.seats, np.int64), np.array(referee.times)
    seats = []
    for seat, player in enumerate(plan.at_seats(number)):
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
    log = log_of(plan.spec_game, plan.option_array, outcome.seed, outcome.choices)
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
