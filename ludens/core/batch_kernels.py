"""The compiled part of `core.batch`: ranges of games reset, stepped and written; actions checked and sampled.

The three kernels over a range take the same arguments in the same order; the step takes the actions besides. What is
legal is kept in the mask alone: rows of ids beside it cost a tenth of the speed, and bits a twentieth.
"""

from __future__ import annotations

from ludens.core import verbs
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records
from ludens.core.rng import below, uniform
from ludens.core.settle import settle_among
from ludens.core.verbs import TERMINAL, view

__all__ = [
    "first_bad_weight",
    "first_illegal",
    "prior_shares",
    "reset_range",
    "sample_by_weight",
    "sample_uniformly",
    "see_everybody",
    "step_range",
    "write_prior",
    "write_range",
]


@rule
def _see(s: Position, seat: int, views: Records[Position], features: Array) -> None:
    """Writes what the seat observes of its own view."""
    view(s, seat, views)
    verbs.observe(views[0], seat, features)


@rule
def _write(
    s: Position, legal: Array, n: int, views: Records[Position], actor: Array, mask: Array, features: Array, i: int
) -> None:
    """Writes actor, mask and features of game i, which has n legal actions; none where it is finished."""
    who = verbs.actor(s) if n > 0 else TERMINAL
    actor[i] = who
    mask[i, :] = 0
    for k in range(n):
        mask[i, legal[k]] = 1
    _see(s, max(who, 0), views, features[i])


@rule
def _begin(
    states: Records[Position], chance: Array, legal: Array, decisions: Array,
    blank: Array, options: Array, first_automatic: int, restricted: bool, i: int,
) -> int:  # fmt: skip
    """Starts game i in a blank record and plays to its first decision; returns the number of legal actions."""
    states[i] = blank[0]
    s = states[i]
    verbs.reset(s, options)
    decisions[i] = 0
    return int(settle_among(s, chance[i], legal, first_automatic, restricted))


@kernel
def reset_range(
    low: int, high: int, views: Records[Position], legal: Array,
    states: Records[Position], chance: Array, choices: Array, decisions: Array,
    actor: Array, mask: Array, features: Array, reward: Array, terminated: Array, truncated: Array,
    final_seat: Array, final_features: Array, final_returns: Array, final_scores: Array,
    blank: Array, options: Array, first_automatic: int, restricted: bool, autoreset: bool, longest: int,
    after: Records[Position],
) -> None:  # fmt: skip
    for i in range(low, high):
        choices[i] = _begin(states, chance, legal, decisions, blank, options, first_automatic, restricted, i)
        reward[i, :] = 0.0
        terminated[i] = 0
        truncated[i] = 0
        _write(states[i], legal, choices[i], views, actor, mask, features, i)


@kernel
def write_range(
    low: int, high: int, views: Records[Position], legal: Array,
    states: Records[Position], chance: Array, choices: Array, decisions: Array,
    actor: Array, mask: Array, features: Array, reward: Array, terminated: Array, truncated: Array,
    final_seat: Array, final_features: Array, final_returns: Array, final_scores: Array,
    blank: Array, options: Array, first_automatic: int, restricted: bool, autoreset: bool, longest: int,
    after: Records[Position],
) -> None:  # fmt: skip
    """Finds the legal actions again and writes the present decisions; finished games stay finished."""
    for i in range(low, high):
        if choices[i] > 0:
            choices[i] = verbs.legal(states[i], legal)
            if restricted:
                choices[i] = verbs.restrict(states[i], legal, choices[i])
        reward[i, :] = 0.0
        terminated[i] = 0
        truncated[i] = 0
        _write(states[i], legal, choices[i], views, actor, mask, features, i)


@kernel
def step_range(
    low: int, high: int, views: Records[Position], legal: Array,
    states: Records[Position], chance: Array, choices: Array, decisions: Array,
    actor: Array, mask: Array, features: Array, reward: Array, terminated: Array, truncated: Array,
    final_seat: Array, final_features: Array, final_returns: Array, final_scores: Array,
    blank: Array, options: Array, first_automatic: int, restricted: bool, autoreset: bool, longest: int,
    after: Records[Position], actions: Array,
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
            n = settle_among(s, chance[i], legal, first_automatic, restricted)
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
                _see(s, seat, views, final_features[i])
                n = 0
                if autoreset:
                    n = _begin(states, chance, legal, decisions, blank, options, first_automatic, restricted, i)
            choices[i] = n
        _write(s, legal, n, views, actor, mask, features, i)


@kernel
def see_everybody(
    low: int, high: int, views: Records[Position], states: Records[Position], after: Records[Position],
    terminated: Array, truncated: Array, seat_features: Array, final_seat_features: Array,
) -> None:  # fmt: skip
    """Writes what all seats observe now and, where a game has just ended, of its last position in `after`."""
    for i in range(low, high):
        for p in range(seat_features.shape[1]):
            _see(states[i], p, views, seat_features[i, p])
            if terminated[i] or truncated[i]:
                _see(after[i], p, views, final_seat_features[i, p])


@kernel
def first_illegal(mask: Array, choices: Array, actions: Array) -> int:
    """The first game whose action is not legal, or -1; in finished games any action will do."""
    for i in range(actions.shape[0]):
        a = actions[i]
        if choices[i] > 0 and (a < 0 or a >= mask.shape[1] or mask[i, a] == 0):
            return i
    return -1


@rule
def _uniform_choice(mask: Array, policy: Array) -> int:
    """A uniform choice from a mask; 0 from one without ones."""
    n = 0
    for a in range(mask.shape[0]):
        n += int(mask[a])
    k = below(policy, n) if n > 1 else 0
    for a in range(mask.shape[0]):
        if mask[a]:
            if k == 0:
                return a
            k -= 1
    return 0


@kernel
def sample_uniformly(mask: Array, policy: Array, actions: Array) -> None:
    for i in range(actions.shape[0]):
        actions[i] = _uniform_choice(mask[i], policy[i])


@rule
def write_prior(s: Position, legal: Array, n: int, shares: Array) -> None:
    """shares[a] = the share of legal action a in what the game's prior says; `legal` ascends, other shares are zero.

    The prior writes its weights into shares[:n]; each is moved to the place of its action, the last one first.
    """
    for a in range(shares.shape[0]):
        shares[a] = 0.0
    if n == 0:
        return
    verbs.prior(s, legal, n, shares)
    total = 0.0
    for k in range(n):
        total += float(shares[k])
    for k in range(n - 1, -1, -1):
        weight = float(shares[k])
        shares[k] = 0.0
        shares[legal[k]] = weight / total if total > 0.0 else 1.0 / n


@kernel
def prior_shares(states: Records[Position], mask: Array, legal: Array, shares: Array) -> None:
    """shares[i] = what the game's prior gives to the actions of mask[i] in states[i]."""
    for i in range(states.shape[0]):
        n = 0
        for a in range(mask.shape[1]):
            if mask[i, a]:
                legal[n] = a
                n += 1
        write_prior(states[i], legal, n, shares[i])


@kernel
def first_bad_weight(mask: Array, weights: Array) -> int:
    """The first game in which a legal action has a weight that is negative, infinite or not a number; or -1."""
    for i in range(weights.shape[0]):
        for a in range(weights.shape[1]):
            if mask[i, a] and not 0.0 <= float(weights[i, a]) < 3.5e38:
                return i
    return -1


@kernel
def sample_by_weight(mask: Array, policy: Array, weights: Array, actions: Array) -> None:
    """Draws one number where a legal action has a weight; sums in double precision, in the order of ids."""
    for i in range(actions.shape[0]):
        total = 0.0
        for a in range(weights.shape[1]):
            if mask[i, a]:
                total += float(weights[i, a])
        if total <= 0.0:
            actions[i] = _uniform_choice(mask[i], policy[i])
            continue
        wanted = uniform(policy[i]) * total
        passed = 0.0
        for a in range(weights.shape[1]):
            weight = float(weights[i, a])
            if weight > 0.0 and mask[i, a]:
                actions[i] = a  # the last possible one, should rounding leave a rest
                passed += weight
                if passed > wanted:
                    break
