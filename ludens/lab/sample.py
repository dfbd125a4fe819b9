"""How long a tournament will take, from a few of its decisions."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.core.agent import Agent
from ludens.play.game import play_game
from ludens.play.referee import Referee
from ludens.play.schedule import Schedule

__all__ = ["Sample", "measure_sample"]


@dataclass(frozen=True)
class Sample:
    """What was measured."""

    seconds: float  # of one core, for the whole schedule
    decisions: int  # that were timed
    complete: bool  # was any game played to its end? otherwise the plan takes longer
    as_random: float | None = None  # seconds if games last as long as one of random moves, where none was complete


class _Enough(Exception):
    """The sample has cost enough time."""


class _Stopwatch(Referee):
    """Times the decisions of a game in CPU time and breaks it off when its time is over."""

    def __init__(self, schedule: Schedule, seconds: float) -> None:
        super().__init__(schedule.clock)
        self._now = time.process_time
        self._end: float | None = None
        self._most = seconds

    def ask(self, agent: Agent, seat: int, shown: np.ndarray, legal: np.ndarray) -> Any:
        if self._end is not None and time.monotonic() > self._end:
            raise _Enough
        choice = super().ask(agent, seat, shown, legal)
        if self._end is None and len(set(self.seats)) > 1:  # compiling is over
            self._end = time.monotonic() + self._most
        return choice


def measure_sample(schedule: Schedule, seconds: float = 20.0) -> Sample:
    """Plays parts of games until every player was seen; the first decision of each, which may compile, is left out."""
    spent: dict[int, list[float]] = defaultdict(list)
    lengths: list[int] = []
    cut: list[int] = []
    begun = time.monotonic()
    for number in _few(schedule):
        watch = _Stopwatch(schedule, seconds / max(2, len(schedule.players)))
        try:
            codes, seed = schedule.codes(number), schedule.seed_of(number)
            play_game(schedule.spec_game, schedule.option_array, codes, seed, referee=watch)
            lengths.append(len(watch.times))
        except _Enough:
            cut.append(len(watch.times))
        first: set[int] = set()
        seated = schedule.at_seats(number)
        for seat, took in zip(watch.seats, watch.times, strict=True):
            if seat in first:
                spent[seated[seat]].append(took)
            first.add(seat)
        if time.monotonic() - begun > 5 * seconds:
            break
    each = {player: float(np.mean(times)) for player, times in spent.items()}
    usual = float(np.mean(list(each.values()))) if each else 0.0
    length = float(np.mean(lengths)) if lengths else float(max(cut, default=1))
    seats = [seat for number in range(len(schedule.arrangements)) for seat in schedule.at_seats(number)]
    decision = (
        sum(each.get(player, usual) for player in seats)
        / len(schedule.sides)
        * schedule.total
        / len(schedule.arrangements)
    )
    longer = None if lengths else max(length, _random_length(schedule)) * decision
    return Sample(length * decision, sum(map(len, spent.values())), bool(lengths), longer)


def _random_length(schedule: Schedule) -> int:
    """The decisions of a game of random moves: the only whole game that can be had in no time."""
    codes = ["random"] * len(schedule.sides)
    return len(play_game(schedule.spec_game, schedule.option_array, codes, schedule.seed_of(0)).choices)


def _few(schedule: Schedule) -> Sequence[int]:
    """Games in which every player sits at least once, those with most players not seen yet first."""
    chosen: list[int] = []
    seen: set[int] = set()
    everybody = {player for one in schedule.arrangements for player in one}
    while seen != everybody:
        best = max(range(len(schedule.arrangements)), key=lambda k: len(set(schedule.arrangements[k]) - seen))
        chosen.append(best)
        seen |= set(schedule.arrangements[best])
    return chosen
