"""The compiled part of `core.batch`: ranges of games reset, stepped and written; actions checked and sampled.

The three kernels over a range take the same arguments in the same order; the step takes the actions besides.
"""

from __future__ import annotations

from typing import Any

from ludens.core import verbs
from ludens.core.jit import kernel, rule
from ludens.core.rng import below, uniform
from ludens.core.settle import settle
from ludens.core.verbs import TERMINAL, view

__all__ = [
    "first_bad_weight",
    "first_illegal",
    "reset_range",
    "sample_by_weight",
    "sample_uniformly",
    "step_range",
    "write_range",
]


@rule
def _see(s: Any, seat: int, views: Any, features: Any) -> None:
    """What the seat observes of its own view."""
    view(s, seat, views)
    verbs.observe(views[0], seat, features)


@rule
def _see_all(s: Any, seat: int, views: Any, features: Any, seat_features: Any, i: int) -> None:
    """Writes what the seat observes and, where there is room for it, what all seats do."""
    if seat_features.shape[0] == 0:
        _see(s, seat, views, features[i])
    else:
        for p in range(seat_features.shape[1]):
            _see(s, p, views, seat_features[i, p])
        features[i, :] = seat_features[i, seat, :]


@rule
def _write(
    s: Any, legal: Any, n: int, views: Any, actor: Any, mask: Any, features: Any, seat_features: Any, i: int
) -> None:
    """Writes actor, mask and features of game i, which has n legal actions; none where it is finished."""
    who = verbs.actor(s) if n > 0 else TERMINAL
    actor[i] = who
    mask[i, :] = 0
    for k in range(n):
        mask[i, legal[i, k]] = 1
    _see_all(s, max(who, 0), views, features, seat_features, i)


@rule
def _begin(
    states: Any, chance: Any, legal: Any, decisions: Any, blank: Any, options: Any, first_automatic: int, i: int
) -> int:
    """Starts game i in a blank record and plays to its first decision; returns the number of legal actions."""
    states[i] = blank[0]
    s = states[i]
    verbs.reset(s, options)
    decisions[i] = 0
    return int(settle(s, chance[i], legal[i], first_automatic))


@kernel
def reset_range(
    low: int, high: int, views: Any,
    states: Any, chance: Any, legal: Any, choices: Any, decisions: Any,
    actor: Any, mask: Any, features: Any, reward: Any, terminated: Any, truncated: Any,
    final_seat: Any, final_features: Any, final_returns: Any, final_scores: Any,
    seat_features: Any, final_seat_features: Any,
    blank: Any, options: Any, first_automatic: int, autoreset: bool, longest: int, after: Any,
) -> None:  # fmt: skip
    for i in range(low, high):
        choices[i] = _begin(states, chance, legal, decisions, blank, options, first_automatic, i)
        reward[i, :] = 0.0
        terminated[i] = 0
        truncated[i] = 0
        _write(states[i], legal, choices[i], views, actor, mask, features, seat_features, i)


@kernel
def write_range(
    low: int, high: int, views: Any,
    states: Any, chance: Any, legal: Any, choices: Any, decisions: Any,
    actor: Any, mask: Any, features: Any, reward: Any, terminated: Any, truncated: Any,
    final_seat: Any, final_features: Any, final_returns: Any, final_scores: Any,
    seat_features: Any, final_seat_features: Any,
    blank: Any, options: Any, first_automatic: int, autoreset: bool, longest: int, after: Any,
) -> None:  # fmt: skip
    """Finds the legal actions again and writes the present decisions; finished games stay finished."""
    for i in range(low, high):
        if choices[i] > 0:
            choices[i] = verbs.legal(states[i], legal[i])
        reward[i, :] = 0.0
        terminated[i] = 0
        truncated[i] = 0
        _write(states[i], legal, choices[i], views, actor, mask, features, seat_features, i)


@kernel
def step_range(
    low: int, high: int, views: Any,
    states: Any, chance: Any, legal: Any, choices: Any, decisions: Any,
    actor: Any, mask: Any, features: Any, reward: Any, terminated: Any, truncated: Any,
    final_seat: Any, final_features: Any, final_returns: Any, final_scores: Any,
    seat_features: Any, final_seat_features: Any,
    blank: Any, options: Any, first_automatic: int, autoreset: bool, longest: int, after: Any,
    actions: Any,
) -> None:  # fmt: skip
    for i in range(low, high):
        s = states[i]
        reward[i, :] = 0.0
        terminated[i] = 0
        truncated[i] = 0
        n = choices[i]
        if n > 0:
            seat = verbs.actor(s)
            verbs.apply(s, actions[i])
            decisions[i] += 1
            n = settle(s, chance[i], legal[i], first_automatic)
            if after.shape[0] > 0:
                after[i] = states[i]
            over = verbs.actor(s) == TERMINAL
            if over or decisions[i] == longest:
                if over:
                    terminated[i] = 1
                else:
                    truncated[i] = 1
                    seat = verbs.actor(s)
                verbs.returns(s, reward[i])
                final_returns[i, :] = reward[i, :]
                verbs.scores(s, final_scores[i])
                final_seat[i] = seat
                _see_all(s, seat, views, final_features, final_seat_features, i)
                n = 0
                if autoreset:
                    n = _begin(states, chance, legal, decisions, blank, options, first_automatic, i)
            choices[i] = n
        _write(s, legal, n, views, actor, mask, features, seat_features, i)


@kernel
def first_illegal(legal: Any, choices: Any, actions: Any) -> int:
    """The first game whose action is not legal, or -1; in finished games any action will do."""
    for i in range(actions.shape[0]):
        low, high = 0, choices[i]
        if high > 0:
            while high - low > 1:  # the ids are ascending
                middle = (low + high) // 2
                if legal[i, middle] <= actions[i]:
                    low = middle
                else:
                    high = middle
            if legal[i, low] != actions[i]:
                return i
    return -1


@kernel
def sample_uniformly(legal: Any, choices: Any, policy: Any, actions: Any) -> None:
    for i in range(actions.shape[0]):
        n = choices[i]
        k = below(policy[i], n) if n > 1 else 0
        actions[i] = legal[i, k] if n > 0 else 0


@kernel
def first_bad_weight(weights: Any, legal: Any, choices: Any) -> int:
    """The first game in which a legal action has a weight that is negative, infinite or not a number; or -1."""
    for i in range(choices.shape[0]):
        for k in range(choices[i]):
            weight = float(weights[i, legal[i, k]])
            if not 0.0 <= weight < 3.5e38:
                return i
    return -1


@kernel
def sample_by_weight(legal: Any, choices: Any, policy: Any, weights: Any, actions: Any) -> None:
    """Sums in double precision, in the order of ids, so that every machine draws the same."""
    for i in range(actions.shape[0]):
        n = choices[i]
        total = 0.0
        for k in range(n):
            total += float(weights[i, legal[i, k]])
        chosen = 0
        if n > 1 and total <= 0.0:
            chosen = below(policy[i], n)
        elif n > 1:
            wanted = uniform(policy[i]) * total
            passed = 0.0
            for k in range(n):
                weight = float(weights[i, legal[i, k]])
                if weight > 0.0:
                    chosen = k  # the last possible one, should rounding leave a rest
                passed += weight
                if passed > wanted:
                    break
        actions[i] = legal[i, chosen] if n > 0 else 0
