"""Entry points from Python into the verbs.

A call with an array of records costs a third of one with a record, so Python always
hands over the array and an index. With JIT off these are plain functions.
"""

from __future__ import annotations

from ludens.core import verbs
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records
from ludens.core.rng import below, next_event
from ludens.core.settle import forced, settle
from ludens.core.verbs import CHANCE, TERMINAL, view  # Numba refuses any call written x.view(…)

__all__ = [
    "actor_at",
    "apply_at",
    "chance_at",
    "determinize_at",
    "draw_at",
    "evaluate_at",
    "forced_at",
    "legal_at",
    "observe_at",
    "prior_at",
    "random_game",
    "replay",
    "reset_at",
    "restrict_at",
    "returns_at",
    "scores_at",
    "settle_at",
    "symmetries_at",
    "transform_action_at",
    "transform_at",
    "transform_seat_at",
    "view_at",
]


@kernel
def reset_at(states: Records[Position], i: int, options: Array) -> None:
    verbs.reset(states[i], options)


@kernel
def actor_at(states: Records[Position], i: int) -> int:
    return verbs.actor(states[i])


@kernel
def legal_at(states: Records[Position], i: int, out: Array) -> int:
    return verbs.legal(states[i], out)


@kernel
def chance_at(states: Records[Position], i: int, outcomes: Array, weights: Array) -> int:
    return verbs.chance(states[i], outcomes, weights)


@kernel
def draw_at(states: Records[Position], i: int, rng: Array) -> int:
    return verbs.draw(states[i], rng)


@kernel
def apply_at(states: Records[Position], i: int, a: int) -> None:
    verbs.apply(states[i], a)


@kernel
def returns_at(states: Records[Position], i: int, out: Array) -> None:
    verbs.returns(states[i], out)


@kernel
def scores_at(states: Records[Position], i: int, out: Array) -> None:
    verbs.scores(states[i], out)


@kernel
def view_at(states: Records[Position], i: int, seat: int, out: Array) -> None:
    view(states[i], seat, out)


@kernel
def determinize_at(views: Records[Position], i: int, seat: int, rng: Array, out: Array) -> None:
    verbs.determinize(views[i], seat, rng, out)


@kernel
def observe_at(views: Records[Position], i: int, seat: int, out: Array) -> None:
    verbs.observe(views[i], seat, out)


@kernel
def evaluate_at(states: Records[Position], i: int, weights: Array, out: Array) -> None:
    verbs.evaluate(states[i], weights, out)


@kernel
def prior_at(states: Records[Position], i: int, legal: Array, n: int, out: Array) -> None:
    verbs.prior(states[i], legal, n, out)


@kernel
def restrict_at(states: Records[Position], i: int, legal: Array, n: int) -> int:
    return int(verbs.restrict(states[i], legal, n))


@kernel
def symmetries_at(states: Records[Position], i: int) -> int:
    return int(verbs.symmetries(states[i]))


@kernel
def transform_at(states: Records[Position], i: int, k: int, out: Array) -> None:
    verbs.transform(states[i], k, out)


@kernel
def transform_action_at(states: Records[Position], i: int, a: int, k: int, transformed: Records[Position]) -> int:
    return int(verbs.transform_action(states[i], a, k, transformed[0]))


@kernel
def transform_seat_at(states: Records[Position], i: int, p: int, k: int) -> int:
    return int(verbs.transform_seat(states[i], p, k))


@kernel
def forced_at(states: Records[Position], i: int, rng: Array, legal: Array, first_automatic: int) -> tuple[int, int]:
    found: tuple[int, int] = forced(states[i], rng, legal, first_automatic)
    return found


@kernel
def settle_at(states: Records[Position], i: int, rng: Array, legal: Array, first_automatic: int) -> int:
    return int(settle(states[i], rng, legal, first_automatic))


@rule
def _contains(ids: Array, n: int, wanted: int) -> bool:
    for k in range(n):
        if ids[k] == wanted:
            return True
    return False


@kernel
def replay(states: Records[Position], log: Array, legal: Array, outcomes: Array, weights: Array) -> int:
    """Plays a log on states[0]; returns how many entries were possible (all, if the log is sound)."""
    s = states[0]
    for k in range(log.shape[0]):
        who = verbs.actor(s)
        if who == TERMINAL:
            return k
        if who == CHANCE:
            n = verbs.chance(s, outcomes, weights)
            possible = _contains(outcomes, n, log[k])
        else:
            n = verbs.legal(s, legal)
            possible = _contains(legal, n, log[k])
        if not possible:
            return k
        verbs.apply(s, log[k])
    return int(log.shape[0])


@kernel
def random_game(states: Records[Position], chance_rng: Array, policy_rng: Array, legal: Array, log: Array) -> int:
    """Plays states[0] to its end with uniform choices, writing the log; returns its length.

    Stops early when the log's buffer is full. Chance reads its stream as a match does.
    """
    s = states[0]
    length = 0
    while length < log.shape[0]:
        who = verbs.actor(s)
        if who == TERMINAL:
            break
        if who == CHANCE:
            a = verbs.draw(s, chance_rng)
            next_event(chance_rng)
        else:
            n = verbs.legal(s, legal)
            a = legal[0]
            if n > 1:
                a = legal[below(policy_rng, n)]
        log[length] = a
        length += 1
        verbs.apply(s, a)
    return length
