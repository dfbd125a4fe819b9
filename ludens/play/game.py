"""One game between agents, as fast as Python calls allow: one compiled call a decision.

A game played here and a `Match` of the same options, seed and choices are the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.agents.guests import label
from ludens.core import kernels, verbs
from ludens.core.agent import Agent, Clock, Thought, thought_of
from ludens.core.errors import IllegalMove
from ludens.core.jit import kernel
from ludens.core.record import blank
from ludens.core.rng import CHANCE_STREAM, generator
from ludens.core.settle import settle
from ludens.core.spec import Game
from ludens.core.verbs import TERMINAL, view
from ludens.play.referee import ILLEGAL, OVER, Forfeit, Referee
from ludens.play.seats import is_oracle, seat_agents

__all__ = ["Outcome", "play_game"]

_REFUSED = -2  # what `_proceed` returns as the number of legal actions after an illegal choice


@dataclass(frozen=True)
class Outcome:
    """How one game ended."""

    seed: int
    returns: tuple[float, ...]  # a seat each
    scores: tuple[float, ...]  # a seat each
    choices: tuple[int, ...]  # the decisions in order; with the seed they give the whole log
    thoughts: tuple[tuple[int, Thought], ...] = ()  # seat and thought of every decision that told one, where asked
    reason: str = OVER  # how it ended; otherwise why an agent lost it
    culprit: int | None = None  # the seat of that agent
    error: str = ""  # what it did, in a sentence


@kernel
def _begin(states: Any, options: Any, rng: Any, legal: Any, first_automatic: int, views: Any) -> tuple[int, int]:
    """Resets states[0] and plays on to the first decision; returns the actor and the number of legal actions."""
    s = states[0]
    verbs.reset(s, options)
    n = settle(s, rng, legal, first_automatic)
    who = verbs.actor(s)
    if who != TERMINAL:
        view(s, who, views)
    return who, n


@kernel
def _proceed(
    states: Any, action: int, n: int, rng: Any, legal: Any, first_automatic: int, views: Any
) -> tuple[int, int]:
    """Plays the action if it is one of legal[:n], then as `_begin`; else changes nothing and returns _REFUSED."""
    s = states[0]
    found = False
    for k in range(n):
        if legal[k] == action:
            found = True
    if not found:
        return verbs.actor(s), _REFUSED
    verbs.apply(s, action)
    n = settle(s, rng, legal, first_automatic)
    who = verbs.actor(s)
    if who != TERMINAL:
        view(s, who, views)
    return who, n


def play_game(
    game: Game,
    options: np.ndarray,
    codes: Sequence[Any],
    seed: int,
    with_thoughts: bool = False,
    referee: Referee | None = None,
    watch: Callable[[int], None] | None = None,
) -> Outcome:
    """Plays one game; codes[i] names the agent on seat i, `watch` is told the number of choices after each.

    Without a referee an illegal choice is reported with its game and agent; with one, an agent that chooses so,
    crashes or exceeds its clock loses the game.
    """
    ask: Any = _ask if referee is None else referee.ask
    automatic = game.spec.first_automatic
    states, seen = blank(game.dtype), blank(game.dtype)
    legal = np.zeros(game.spec.actions, np.int64)
    rng = generator(seed, CHANCE_STREAM)
    choices: list[int] = []
    thoughts: list[tuple[int, Thought]] = []
    forfeit: Forfeit | None = None
    who, n = _begin(states, options, rng, legal, automatic, seen)
    try:
        agents = (seat_agents if referee is None else referee.seat)(game, options, codes, seed)
        oracles = [is_oracle(game, code) for code in codes]
        while who != TERMINAL:
            shown = states.copy() if oracles[who] else seen
            choice = ask(agents[who], who, shown, legal[:n].copy())
            sound = isinstance(choice, int | np.integer) and not isinstance(choice, bool)
            actor = who
            if sound:
                who, n = _proceed(states, int(choice), n, rng, legal, automatic, seen)
            if not sound or n == _REFUSED:
                sentence = (
                    f"Agent {label(codes[actor])} on seat {actor + 1} answered {choice!r}, which is not one of the "
                    f"legal moves, after {len(choices)} choices of the game with seed {seed}."
                )
                if referee is None:
                    raise IllegalMove(sentence)
                raise Forfeit(actor, ILLEGAL, sentence)
            choices.append(int(choice))
            if watch is not None:
                watch(len(choices))
            if with_thoughts and (thought := thought_of(agents[actor])) is not None:
                thoughts.append((actor, thought))
        for seat, agent in enumerate(agents):
            last = blank(game.dtype)
            kernels.view_at(states, 0, seat, last)
            final = states.copy() if oracles[seat] else last
            (agent.end if referee is None else referee.farewell(agent))(final)
    except Forfeit as failure:
        forfeit = failure
    players = int(options[0])
    returns, scores = np.zeros(players), np.zeros(players)
    kernels.scores_at(states, 0, scores)
    if forfeit is not None:
        lost = forfeit.returns(game.spec.sides(players))
        ending: tuple[Any, ...] = (forfeit.reason, forfeit.seat, forfeit.sentence)
        return Outcome(seed, lost, tuple(scores.tolist()), tuple(choices), tuple(thoughts), *ending)
    kernels.returns_at(states, 0, returns)
    return Outcome(seed, tuple(returns.tolist()), tuple(scores.tolist()), tuple(choices), tuple(thoughts))


def _ask(agent: Agent, seat: int, shown: np.ndarray, legal: np.ndarray) -> Any:
    return agent.choose(shown, legal, Clock())
