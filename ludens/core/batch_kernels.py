"""The compiled part of `core.batch`: ranges of games stepped and written; seats held here; actions checked and sampled.

What is legal is kept in the mask alone: rows of ids beside it cost a tenth of the speed, and bits a twentieth.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ludens.core import verbs
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records
from ludens.core.rng import below, uniform
from ludens.core.settle import settle_among
from ludens.core.verbs import TERMINAL, view

__all__ = [
    "BEGIN",
    "CUT",
    "DRAWN",
    "LEARNER",
    "MOST_DEALS",
    "RANDOM",
    "STUCK",
    "WAIT",
    "WRITE",
    "Games",
    "Rules",
    "Scratch",
    "Seats",
    "Written",
    "first_bad_weight",
    "first_illegal",
    "prior_shares",
    "sample_by_weight",
    "sample_uniformly",
    "see_everybody",
    "step_range",
    "write_prior",
    "write_scores",
    "write_views",
]

WAIT, BEGIN, WRITE, CUT = -101, -102, -103, -104
"""In place of an action: leave the game as it is, begin another, write where it stands, or cut it off here."""
LEARNER, RANDOM, DRAWN = 0, -1, -3
"""Holders of seats: the caller by its learner; a uniform choice, made here; and, for partners, whoever is drawn.

-2 is the agent that is compiled into a game's kernel on a GPU (`gpu.kernels`). From 1 on the caller knows who it is.
"""
MOST_DEALS = 1000
"""So many games in a row may end before the caller's first choice; they are dealt again."""
STUCK = -1
"""In place of the number of choices: more than that ended so."""


class Scratch(NamedTuple):
    """Memory of one thread."""

    views: Any
    legal: Any


class Games(NamedTuple):
    """What decides how the games go on."""

    states: Any
    chance: Any
    policy: Any
    choices: Any  # legal actions of every game; 0 in a finished one
    decisions: Any  # of the caller in the current game
    after: Any  # positions before any restart, or no row


class Seats(NamedTuple):
    """Who holds which seat; without rows of holders the caller decides for all."""

    holders: Any  # int64[games, players]
    seats: Any  # of the learner
    deals: Any  # games begun
    draws: Any  # the streams by which seats are drawn from the pool
    pool: Any
    others: Any  # int64[games, players - 1]: without a pool, the holders of the other seats in their order
    sides: Any
    partner: int  # who holds the other seats of the learner's side, or DRAWN
    rotate: int  # seats by which the learner moves on with every game


class Rules(NamedTuple):
    """How all games are played."""

    blank: Any
    options: Any
    first_automatic: int
    restricted: bool  # only what the game leaves to policies counts as legal
    autoreset: bool
    longest: int


class Written(NamedTuple):
    """The caller's buffers (see `core.batch.Buffers`)."""

    actor: Any
    mask: Any
    features: Any
    reward: Any
    terminated: Any
    truncated: Any
    final_seat: Any
    final_features: Any
    final_returns: Any
    final_scores: Any


@rule
def _see(s: Position, seat: int, views: Records[Position], features: Array) -> None:
    """Writes what the seat observes of its own view."""
    view(s, seat, views)
    verbs.observe(views[0], seat, features)


@rule
def _write(s: Position, scratch: Scratch, n: int, out: Written, i: int) -> None:
    """Writes actor, mask and features of game i, which has n legal actions; none where it is finished."""
    who = verbs.actor(s) if n > 0 else TERMINAL
    out.actor[i] = who
    out.mask[i, :] = 0
    for k in range(n):
        out.mask[i, scratch.legal[k]] = 1
    _see(s, max(who, 0), scratch.views, out.features[i])


@rule
def _sit(seats: Seats, rotate: int, players: int, i: int) -> None:
    """Lets the learner move on, and says who sits on the other seats of game i: with a pool each draws from it."""
    seat = (seats.seats[i] + rotate) % players
    seats.seats[i] = seat
    seats.deals[i] += 1
    for p in range(players):
        if p == seat:
            seats.holders[i, p] = LEARNER
        elif seats.partner != DRAWN and seats.sides[p] == seats.sides[seat]:
            seats.holders[i, p] = seats.partner
        elif seats.pool.shape[0] > 0:
            seats.holders[i, p] = seats.pool[below(seats.draws[i], seats.pool.shape[0])]
        else:
            seats.holders[i, p] = seats.others[i, p - 1 if p > seat else p]


@rule
def _next_choice(s: Position, games: Games, seats: Seats, legal: Array, rules: Rules, i: int) -> int:
    """Plays draws, forced actions and seats held here until the caller must choose; the number of choices."""
    n = settle_among(s, games.chance[i], legal, rules.first_automatic, rules.restricted)
    if seats.holders.shape[0] > 0:
        while n > 0 and seats.holders[i, verbs.actor(s)] == RANDOM:
            verbs.apply(s, int(legal[below(games.policy[i], n)]))
            n = settle_among(s, games.chance[i], legal, rules.first_automatic, rules.restricted)
    return int(n)


@rule
def _begin(games: Games, seats: Seats, rules: Rules, legal: Array, rotate: int, i: int) -> int:
    """Starts game i in a blank record and plays to its first decision; returns the number of legal actions."""
    games.states[i] = rules.blank[0]
    s = games.states[i]
    verbs.reset(s, rules.options)
    games.decisions[i] = 0
    if seats.holders.shape[0] > 0:
        _sit(seats, rotate, seats.holders.shape[1], i)
    return int(_next_choice(s, games, seats, legal, rules, i))


@rule
def _end(s: Position, games: Games, scratch: Scratch, out: Written, seat: int, over: bool, i: int) -> None:
    """Writes how game i ended, seen by a seat."""
    if over:
        out.terminated[i] = 1
    else:
        out.truncated[i] = 1
    verbs.returns(s, out.final_returns[i])
    out.reward[i, :] += out.final_returns[i, :]
    verbs.scores(s, out.final_scores[i])
    out.final_seat[i] = seat
    _see(s, seat, scratch.views, out.final_features[i])
    if games.after.shape[0] > 0:
        games.after[i] = s


@kernel
def step_range(
    low: int,
    high: int,
    scratch: Scratch,
    games: Games,
    seats: Seats,
    rules: Rules,
    out: Written,
    actions: Array,
    answers: bool,
) -> None:
    """Plays actions[i] in game i and goes on to the next decision; with `answers` it continues a step already begun.

    What is told of a step adds up over its answers, which do not count as decisions.
    """
    seated = seats.holders.shape[0] > 0
    for i in range(low, high):
        action = actions[i]
        if action == WAIT:
            continue
        s = games.states[i]
        n = games.choices[i]
        if not answers:
            out.reward[i, :] = 0.0
            out.terminated[i] = 0
            out.truncated[i] = 0
        cut = action == CUT
        seat = verbs.actor(s)
        playing = n > 0 and action != WRITE and action != BEGIN
        if action == WRITE:
            if n > 0:
                n = verbs.legal(s, scratch.legal)
                if rules.restricted and n > 1:
                    n = verbs.restrict(s, scratch.legal, n)
        elif action == BEGIN:
            n = _begin(games, seats, rules, scratch.legal, seats.rotate, i)
            playing = seated
        elif playing and not cut:
            verbs.apply(s, action)
            if not answers:
                games.decisions[i] += 1
            n = _next_choice(s, games, seats, scratch.legal, rules, i)
            if games.after.shape[0] > 0:
                games.after[i] = s
        deals = 0
        while playing:
            who = verbs.actor(s)
            over = who == TERMINAL
            if not over and not cut:
                if rules.longest == 0 or games.decisions[i] < rules.longest:
                    break
                if seated and seats.holders[i, who] != LEARNER:
                    break
                seat = who
            if seated and games.decisions[i] == 0 and not cut:  # it ended before the learner's first choice
                deals += 1
                if deals > MOST_DEALS:
                    n = STUCK
                    break
                n = _begin(games, seats, rules, scratch.legal, 0, i)
                continue
            _end(s, games, scratch, out, seats.seats[i] if seated else seat, over, i)
            cut = False
            n = 0
            if rules.autoreset:
                n = _begin(games, seats, rules, scratch.legal, seats.rotate, i)
            playing = seated and rules.autoreset
        games.choices[i] = n
        if n != STUCK:
            _write(s, scratch, n, out, i)


@kernel
def write_views(states: Records[Position], seats: Array, views: Records[Position]) -> None:
    """views[i] = what seats[i] sees of states[i]."""
    for i in range(states.shape[0]):
        view(states[i], seats[i], views[i : i + 1])


@kernel
def write_scores(states: Records[Position], scores: Array) -> None:
    """scores[i] = the points of all seats in states[i]."""
    for i in range(states.shape[0]):
        verbs.scores(states[i], scores[i])


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
