"""One seat of many games, compiled: every game goes on until its seat, or an agent on another one, must choose.

What a game waits for is its status. The caller sets START, PLAY or ANSWER; the kernel leaves SEAT, OVER, ASK or STUCK.
"""

from __future__ import annotations

from typing import Any

from ludens.core import verbs
from ludens.core.jit import kernel, rule
from ludens.core.rng import below
from ludens.core.settle import settle
from ludens.core.verbs import view

__all__ = ["ANSWER", "ASK", "IN_KERNEL", "MOST_DEALS", "OVER", "PLAY", "SEAT", "START", "STUCK", "advance"]

SEAT = 0
"""The learner's seat is to choose: its mask and features are written."""
OVER = 1
"""The game has just ended: its last features are written, and a mask of ones, so that samplers find something."""
ASK = 2
"""An agent is to choose: mask and features of its seat are written, and its view."""
STUCK = 3
"""Game after game ended before the seat's first choice."""
START = 4
"""Begin a new game."""
PLAY = 5
"""Play the action of the learner's seat."""
ANSWER = 6
"""Play the action of the agent that was asked."""

IN_KERNEL = -1
"""In place of an agent's number: the seat chooses uniformly, in the kernel."""
MOST_DEALS = 1000
"""So many games in a row may end before the seat's first choice; they are dealt again."""


@rule
def _begin(
    states: Any, blank: Any, options: Any, games: Any, decisions: Any, seats: Any,
    others: Any, pool: Any, pool_rngs: Any, sitting: Any, i: int,
) -> None:  # fmt: skip
    """Resets game i and says who sits where: with a pool every seat draws from it."""
    states[i] = blank[0]
    verbs.reset(states[i], options)
    games[i] += 1
    decisions[i] = 0
    for p in range(sitting.shape[1]):
        if p == seats[i]:
            sitting[i, p] = IN_KERNEL
        elif pool.shape[0] > 0:
            sitting[i, p] = pool[below(pool_rngs[i], pool.shape[0])]
        else:
            sitting[i, p] = others[i, p - 1 if p > seats[i] else p]


@rule
def _next_choice(
    s: Any, seat: int, sitting: Any, chance_rng: Any, policy_rng: Any, legal: Any, first_automatic: int
) -> int:
    """Plays chance and random opponents until the seat or an agent must choose; the number of choices, 0 at the end."""
    n = settle(s, chance_rng, legal, first_automatic)
    while n > 0:
        who = verbs.actor(s)
        if who == seat or sitting[who] != IN_KERNEL:
            break
        verbs.apply(s, int(legal[below(policy_rng, n)]))
        n = settle(s, chance_rng, legal, first_automatic)
    return int(n)


@kernel
def advance(
    states: Any, chance_rngs: Any, policy_rngs: Any, pool_rngs: Any, options: Any, first_automatic: int,
    rotate: int, longest: int, same_step: bool, others: Any, pool: Any, sitting: Any,
    blank: Any, legal: Any, numbers: Any, actions: Any,
    status: Any, actors: Any, seats: Any, games: Any, decisions: Any,
    mask: Any, features: Any, views: Any, reward: Any, terminated: Any, truncated: Any, illegal: Any,
    final_states: Any, final_features: Any, final_scores: Any, final_returns: Any,
) -> None:  # fmt: skip
    """Brings every game that has something to play to SEAT, OVER, ASK or STUCK."""
    for i in range(states.shape[0]):
        if status[i] < START:
            continue
        s = states[i]
        n = 0
        deals = 0
        starting = status[i] == START
        foul = status[i] == PLAY and (actions[i] < 0 or actions[i] >= mask.shape[1] or mask[i, actions[i]] == 0)
        if not starting and not foul:
            verbs.apply(s, int(actions[i]))
            if status[i] == PLAY:
                decisions[i] += 1
        while True:  # once more where the next game begins in the same step, or one is dealt again
            if starting:
                if deals == 0:
                    seats[i] = (seats[i] + rotate) % options[0]
                _begin(states, blank, options, games, decisions, seats, others, pool, pool_rngs, sitting, i)
                starting = False
            if not foul:
                n = _next_choice(s, seats[i], sitting[i], chance_rngs[i], policy_rngs[i], legal, first_automatic)
            actors[i] = verbs.actor(s)
            cut = longest > 0 and n > 0 and decisions[i] >= longest and actors[i] == seats[i]
            if n > 0 and not cut:
                status[i] = SEAT if actors[i] == seats[i] else ASK
                break
            if decisions[i] == 0 and not foul:  # it ended before the seat's first choice
                deals += 1
                starting = True
                if deals > MOST_DEALS:
                    status[i] = STUCK
                    break
                continue
            verbs.returns(s, numbers)
            final_returns[i, :] = numbers
            verbs.scores(s, numbers)
            final_scores[i, :] = numbers
            reward[i] = -1.0 if foul else final_returns[i, seats[i]]
            illegal[i] = 1 if foul else 0
            truncated[i] = 1 if cut else 0
            terminated[i] = 1 - truncated[i]
            if final_states.shape[0] > 0:
                final_states[i] = states[i]
            view(s, seats[i], views[i : i + 1])
            verbs.observe(views[i], seats[i], final_features[i])
            status[i] = OVER
            if not same_step:
                break
            foul = False
            starting = True
        if status[i] == OVER:
            mask[i, :] = 1
            features[i, :] = final_features[i, :]
            continue
        mask[i, :] = 0
        for k in range(n):
            mask[i, legal[k]] = 1
        if n > 0:
            view(s, actors[i], views[i : i + 1])
            verbs.observe(views[i], actors[i], features[i])
