"""Roll-outs in common worlds: moves are compared with the same luck, by players who look one move ahead.

A world is a determinisation and all the chance that follows. Every move that is compared is played in it, then all
seats go on by the largest of `verbs.one_ply_values`, through so many chance events, and the evaluation values the
position that this has led to. What the dice give to one move they give to all, so that differences show in few worlds:
of every world only what a move is better than the others there is counted. The first events of the worlds are spread
evenly over what may come, in place of being drawn one by one (additive sequences of irrational steps).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ludens.core import verbs
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records, blank
from ludens.core.rng import next_event
from ludens.core.verbs import AGENT_STATE, CHANCE, TERMINAL

__all__ = ["SPREAD", "Stage", "Tally", "make_stage", "make_tally", "one_ply_values_of", "roll_out"]

SPREAD = 2
"""Chance events at the beginning of a world that are spread evenly."""
_STEPS = np.sqrt(np.array([5.0, 2.0])) % 1.0
_LONGEST = 200  # choices of one sequential-halving: a turn of many decisions may not go on for ever


class Stage(NamedTuple):
    """Workspace of one thread."""

    records: np.ndarray  # four: the world, the position that is played on, two for looking ahead
    agent_state: np.ndarray  # int64[seats, AGENT_STATE]: of every seat, from one decision to the next
    legal: np.ndarray  # int64[actions]
    values: np.ndarray  # float64[seats]
    one_ply: np.ndarray  # float64[actions]
    outcomes: np.ndarray  # int64[outcomes] of a chance event
    weights: np.ndarray  # float64[outcomes]
    luck: np.ndarray  # uint64[2]: the generator of a world
    ends: np.ndarray  # float64[actions, seats]: how the moves came out in the present world


class Tally(NamedTuple):
    """What came out, by the place of a move among the legal ones."""

    worlds: np.ndarray  # int64[actions]
    results: np.ndarray  # float64[actions, seats]: sums of results
    ahead: np.ndarray  # float64[actions]: sums of what the move had more than the mean of the moves compared
    squares: np.ndarray  # float64[actions]: sums of their squares


def make_stage(dtype: np.dtype, actions: int, outcomes: int, seats: int) -> Stage:
    """An empty workspace."""
    return Stage(
        records=blank(dtype, 4),
        agent_state=np.zeros((seats, AGENT_STATE), np.int64),
        legal=np.zeros(actions, np.int64),
        values=np.zeros(seats),
        one_ply=np.zeros(actions),
        outcomes=np.zeros(outcomes, np.int64),
        weights=np.zeros(outcomes),
        luck=np.zeros(2, np.uint64),
        ends=np.zeros((actions, seats)),
    )


def make_tally(actions: int, seats: int) -> Tally:
    """No roll-outs yet."""
    return Tally(np.zeros(actions, np.int64), np.zeros((actions, seats)), np.zeros(actions), np.zeros(actions))


@kernel
def one_ply_values_of(
    views: Records[Position], seat: int, legal: Array, weights: Array, rng: Array, agent_state: Array, stage: Stage
) -> None:
    """stage.one_ply[k] = the one-ply value of legal[k] in one world that agrees with the view."""
    verbs.determinize(views[0], seat, rng, stage.records)
    s = stage.records[0]
    n = legal.shape[0]
    verbs.one_ply_values(s, legal, n, weights, agent_state, stage.records[2:4], stage.values, stage.one_ply)


@rule
def _spread(s: Position, event: int, world: int, shift: Array, stage: Stage) -> int:
    """The outcome of a chance event that falls to this world if its worlds divide what may come evenly."""
    n = int(verbs.chance(s, stage.outcomes, stage.weights))
    left = shift[event] + world * _STEPS[event]
    left -= math.floor(left)
    k = 0
    while k < n - 1 and left >= stage.weights[k]:
        left -= stage.weights[k]
        k += 1
    return int(stage.outcomes[k])


@rule
def _play_on(s: Position, draws: int, world: int, shift: Array, weights: Array, stage: Stage) -> None:
    """Plays s through so many chance events; stage.values are the results that are expected then."""
    events, choices = 0, 0
    while True:
        who = int(verbs.actor(s))
        if who == TERMINAL:
            verbs.returns(s, stage.values)
            return
        if (who == CHANCE and events == draws) or choices == _LONGEST:
            verbs.evaluate(s, weights, stage.values)
            return
        if who == CHANCE:
            if events < SPREAD:
                verbs.apply(s, _spread(s, events, world, shift, stage))
            else:
                verbs.apply(s, int(verbs.draw(s, stage.luck)))
            next_event(stage.luck)
            events += 1
            continue
        n = int(verbs.legal(s, stage.legal))
        a = int(stage.legal[0])
        if n > 1:
            looking = stage.records[2:4]
            verbs.one_ply_values(
                s, stage.legal, n, weights, stage.agent_state[who], looking, stage.values, stage.one_ply
            )
            best = stage.one_ply[0]
            for k in range(1, n):
                if stage.one_ply[k] > best:
                    best = stage.one_ply[k]
                    a = int(stage.legal[k])
            choices += 1
        verbs.apply(s, a)


@kernel
def roll_out(
    views: Records[Position], seat: int, legal: Array, compared: Array, weights: Array, draws: int, key: int,
    first: int, worlds: int, shift: Array, agent_state: Array, stage: Stage, tally: Tally,
) -> None:  # fmt: skip
    """Adds how the moves legal[compared] come out in worlds first, first + 1, … of this key to the tally.

    The seat begins with its agent state, which stays as it is.
    """
    rng = np.empty(2, np.uint64)
    for world in range(first, first + worlds):
        rng[0], rng[1] = np.uint64(key) + np.uint64(world), np.uint64(0)
        verbs.determinize(views[0], seat, rng, stage.records)
        next_event(rng)
        mean = 0.0
        for j in range(compared.shape[0]):
            stage.luck[0], stage.luck[1] = rng[0], rng[1]
            stage.agent_state[:] = 0
            stage.agent_state[seat] = agent_state
            stage.records[1] = stage.records[0]
            verbs.apply(stage.records[1], int(legal[compared[j]]))
            _play_on(stage.records[1], draws, world, shift, weights, stage)
            stage.ends[j] = stage.values
            mean += stage.values[seat] / compared.shape[0]
        for j in range(compared.shape[0]):
            k = compared[j]
            ahead = stage.ends[j, seat] - mean
            tally.worlds[k] += 1
            tally.results[k] += stage.ends[j]
            tally.ahead[k] += ahead
            tally.squares[k] += ahead * ahead
