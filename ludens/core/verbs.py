"""The verbs of a game, resolved from the record's type.

Generic code says `apply(s, a)`; Numba looks the record type up at compile time and calls
the game's own function, on a CPU and inside a CUDA kernel alike. With JIT off the same
names look the rules up by `s.dtype`.

The contract (s is a record, arrays belong to the caller):

reset(s, options)             the first node of a game in a zeroed record; it may be a chance node.
                              `options` is an int64 array, one number an option of the spec, the
                              first always the number of players
actor(s) -> int               the seat to act (>= 0), CHANCE or TERMINAL
legal(s, out) -> n            ids of the actor's legal actions into out[:n], ascending;
                              0 at chance nodes and at the end. out has room for all actions
chance(s, outcomes, weights) -> n   the outcomes of the next chance event, ascending, with
                              probabilities that sum to one; 0 if no chance event is next
draw(s, rng) -> outcome       samples that event with the same probabilities
apply(s, a)                   plays a legal action, or a chance outcome, in place
returns(s, out)               utility of every seat in [-1, 1] at the end; zeros before
scores(s, out)                the game's own points of every seat, at any time
view(s, seat, out)            out[0] = s with all that the seat cannot know set to UNKNOWN;
                              seat SPECTATOR sees what everybody sees. out[0] may be s itself
determinize(v, seat, rng, out)  out[0] = a full state that agrees with the view v of the seat; like `view`, it copies
                              where nothing is hidden
observe(v, seat, out)         float32 features of a *view*, for a network; a spectator gets those of seat 0
                              as far as everybody knows them

Some verbs are advice for searches and learners; a game may do without (see `Rules.evaluations`, `has_prior`):

evaluate(s, weights, out)     the expected returns of every seat, in [-1, 1], of an unfinished position, at
                              chance nodes too. `weights` is one of the arrays of `Rules.evaluations`, or
                              another of that length: tuning tries many. Without the verb: zeros.
                              With an array of `Rules.heuristics` the numbers are no expected returns but only
                              larger where a seat stands better, in [-1, 1] and after the end too
prior(s, legal, n, out)       how likely a sensible player is to choose legal[k]: non-negative weights out[:n],
                              not all zero, in any scale. Without the verb: ones
best_turn(s, weights, workspace, values, out) -> n   a short cut: the whole turn of the actor, up to chance, the end or
                              another seat, after which `evaluate` is largest for it, the first of equals in the order
                              of `legal`. out[:n] are its actions, out[n] is how many turns there are, out[n + 1] is 1
                              if the game ends with it; values are what `evaluate` tells after it. workspace
                              is an array of a record that only the verb reads (`turn_workspace`). 0: try the turns
                              one by one

restrict(s, legal, n) -> m    leaves in legal[:m] the actions among which a policy is learnt, in their order; never
                              none. It reads what the actor knows, so that a view gives the same. Without the
                              verb: all

Two verbs serve value networks (`learn.td_value`):

describe(s, out)              out[p, :] = the features of seat p for the value network, `Rules.described` of them,
                              in a full state, at chance nodes too
one_ply_values(s, legal, n, weights, agent_state, scratch, values, out)  out[k] = the one-ply value of legal[k]: what
                              `evaluate` with these weights tells the actor after it, with whatever the game knows of
                              moves that take several decisions; -2 or less for a move that it does not consider.
                              Without the verb: that of every decision by itself.
                              agent_state is int64[AGENT_STATE], of the seat alone and zeros at the beginning of a
                              game; scratch is an array of two records, values float64[players]

Four verbs tell which positions are alike; a game without them knows the identity alone (docs/features.md):

symmetries(s) -> n            how many symmetries k = 0 … n - 1 the position has; k means the same wherever it is one
transform(s, k, out)          out[0] = the position as symmetry k shows it, of views too. k = 0 changes nothing that
                              rules read; it only wipes out traces, in records that keep some, of how a position arose
transform_action(s, a, k, t) -> int  the action, or at a chance node the outcome, that a becomes in t = transform(s, k)
transform_seat(s, p, k) -> int  the seat that seat p becomes

Playing and transforming may change places: for every k that is a symmetry of s and of what follows,
transform(apply(s, a), k) = transform(apply(t, transform_action(s, a, k, t)), 0), bit by bit.

Rules assume legality: whoever calls `apply` has checked. Every record has the fields
`players` and `phase`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from types import ModuleType
from typing import Any, Self

import numpy as np
from numba.np.numpy_support import from_dtype

from ludens.core import record as records
from ludens.core.errors import BadInput
from ludens.core.jit import by_record, rule
from ludens.core.record import Array, P, Position, Record, Records, blank, layout

__all__ = [
    "AGENT_STATE",
    "CHANCE",
    "SPECTATOR",
    "TERMINAL",
    "UNKNOWN",
    "Rules",
    "actor",
    "apply",
    "best_turn",
    "bind",
    "chance",
    "chance_of_counts",
    "describe",
    "determinize",
    "draw",
    "evaluate",
    "has_prior",
    "legal",
    "observe",
    "one_ply_values",
    "prior",
    "reset",
    "restrict",
    "returns",
    "scores",
    "symmetries",
    "transform",
    "transform_action",
    "transform_seat",
    "turn_workspace",
    "view",
]

CHANCE = -1
"""The actor at a chance node."""
TERMINAL = -4
"""The actor after the end."""
SPECTATOR = -1
"""The seat of somebody who only watches."""
UNKNOWN = -99
"""What stands in a view in place of a hidden number."""
AGENT_STATE = 4
"""Whole numbers that a seat remembers between two calls of `one_ply_values`."""


@rule
def _open(s: P, seat: int, out: Records[P]) -> None:
    """The view of a game in which everybody sees everything."""
    out[0] = s


@rule
def _as_seen(v: P, seat: int, rng: Array, out: Records[P]) -> None:
    out[0] = v


@rule
def _level(s: Position, weights: Array, out: Array) -> None:
    """The evaluation of a game without one: everybody stands equally well."""
    for p in range(s.players):
        out[p] = 0.0


@rule
def _even(s: Position, legal: Array, n: int, out: Array) -> None:
    """The prior of a game without one: all actions alike."""
    for k in range(n):
        out[k] = 1.0


@rule
def _all(s: Position, legal: Array, n: int) -> int:
    """What a game without restrictions leaves."""
    return n


@rule
def _no_short_cut(s: Position, weights: Array, workspace: Array, values: Array, out: Array) -> int:
    return 0


@rule
def _no_description(s: Position, out: Array) -> None:
    pass


@rule
def _values_after(
    s: Position, legal: Array, n: int, weights: Array, agent_state: Array, scratch: Records[Position], values: Array,
    out: Array,
) -> None:  # fmt: skip
    """The one-ply values of a game without that verb: what `evaluate` tells the actor after each decision."""
    seat = actor(s)
    for k in range(n):
        scratch[0] = s
        apply(scratch[0], legal[k])
        if actor(scratch[0]) == TERMINAL:
            returns(scratch[0], values)
        else:
            evaluate(scratch[0], weights, values)
        out[k] = values[seat]


@rule
def _identity_alone(s: Position) -> int:
    return 1


@rule
def _copy(s: P, k: int, out: Records[P]) -> None:
    out[0] = s


@rule
def _same_action(s: Position, a: int, k: int, t: Position) -> int:
    return a


@rule
def _same_seat(s: Position, p: int, k: int) -> int:
    return p


@rule
def chance_of_counts(counts: Array, outcomes: Array, weights: Array) -> int:
    """What `chance` tells where one thing is drawn, of which there are counts[kind] of each kind (`rng.drawn`)."""
    total, n = 0, 0
    for kind in range(counts.shape[0]):
        total += int(counts[kind])
    for kind in range(counts.shape[0]):
        if counts[kind] > 0:
            outcomes[n] = kind
            weights[n] = int(counts[kind]) / total
            n += 1
    return n


class _Nothing(Record):
    nothing = records.int64()


_NO_WORKSPACE = layout("no workspace", _Nothing)


@dataclass(frozen=True, eq=False)
class Rules:
    """The jitted functions of one game, one field a verb, and the names of its evaluations."""

    reset: Callable[..., Any]
    actor: Callable[..., Any]
    legal: Callable[..., Any]
    chance: Callable[..., Any]
    draw: Callable[..., Any]
    apply: Callable[..., Any]
    returns: Callable[..., Any]
    scores: Callable[..., Any]
    observe: Callable[..., Any]
    view: Callable[..., Any] = _open
    determinize: Callable[..., Any] = _as_seen
    evaluate: Callable[..., Any] = _level
    prior: Callable[..., Any] = _even
    evaluations: Mapping[str, np.ndarray] = field(default_factory=dict)  # name -> float64 weights, the best first
    heuristics: Mapping[str, np.ndarray] = field(default_factory=dict)  # the same for values of another kind
    restrict: Callable[..., Any] = _all
    symmetries: Callable[..., Any] = _identity_alone
    transform: Callable[..., Any] = _copy
    transform_action: Callable[..., Any] = _same_action
    transform_seat: Callable[..., Any] = _same_seat
    best_turn: Callable[..., Any] = _no_short_cut
    turn_workspace: np.dtype = _NO_WORKSPACE  # of the records that `best_turn` works with
    describe: Callable[..., Any] = _no_description
    described: int = 0  # numbers that `describe` tells of every seat; 0 in games without it
    network_size: int = 0  # weights of the value network over them
    network_layers: tuple[int, int] = (32, 16)  # how wide its layers are
    one_ply_values: Callable[..., Any] = _values_after

    @classmethod
    def of(cls, *modules: ModuleType, **others: Any) -> Self:
        """The verbs that the modules of a game have under their names, and whatever else is given."""
        found = {name: getattr(module, name) for module in modules for name in module.__all__ if name in _VERBS}
        return cls(**found, **others)


_NO_VERBS = ("evaluations", "heuristics", "turn_workspace", "described", "network_size", "network_layers")
_VERBS = [field.name for field in fields(Rules) if field.name not in _NO_VERBS]


def has_prior(rules: Rules) -> bool:
    """Does the game bring a prior of its own?"""
    return rules.prior is not _even


_BY_DTYPE: dict[np.dtype, Rules] = {}
_BY_TYPE: dict[Any, Rules] = {}


def bind(dtype: np.dtype, rules: Rules) -> None:
    """Makes the verbs of records of this dtype those of `rules`; a dtype keeps its verbs for good.

    Compiled code knows a game by its record type alone, so a variant with other functions needs a type of its own.
    """
    known = _BY_DTYPE.get(dtype)
    if known is not None and any(getattr(known, name) is not getattr(rules, name) for name in _VERBS):
        raise BadInput(
            "Records of this type have other rules already; a variant needs a record type of its own, "
            "made by layout() with another name."
        )
    _BY_DTYPE[dtype] = rules
    _BY_TYPE[from_dtype(dtype)] = rules


def turn_workspace(dtype: np.dtype) -> np.ndarray:
    """Workspace of `best_turn` of the game with such records; it may be used for one position after the other."""
    return blank(_BY_DTYPE[dtype].turn_workspace)


def _rules_of(record_type: Any) -> Rules:
    try:
        return _BY_TYPE[record_type]
    except KeyError:
        # CUDA's own type system has equal records that are other objects.
        for known, rules in _BY_TYPE.items():
            if str(known) == str(record_type):
                return rules
        raise TypeError(f"no game is bound to {record_type}") from None


def reset(s: Position, options: Array) -> None:
    _BY_DTYPE[s.dtype].reset(s, options)


def actor(s: Position) -> int:
    return int(_BY_DTYPE[s.dtype].actor(s))


def legal(s: Position, out: Array) -> int:
    return int(_BY_DTYPE[s.dtype].legal(s, out))


def chance(s: Position, outcomes: Array, weights: Array) -> int:
    return int(_BY_DTYPE[s.dtype].chance(s, outcomes, weights))


def draw(s: Position, rng: Array) -> int:
    return int(_BY_DTYPE[s.dtype].draw(s, rng))


def apply(s: Position, a: int) -> None:
    _BY_DTYPE[s.dtype].apply(s, a)


def returns(s: Position, out: Array) -> None:
    _BY_DTYPE[s.dtype].returns(s, out)


def scores(s: Position, out: Array) -> None:
    _BY_DTYPE[s.dtype].scores(s, out)


def view(s: P, seat: int, out: Records[P]) -> None:
    _BY_DTYPE[s.dtype].view(s, seat, out)


def determinize(v: P, seat: int, rng: Array, out: Records[P]) -> None:
    _BY_DTYPE[v.dtype].determinize(v, seat, rng, out)


def observe(v: Position, seat: int, out: Array) -> None:
    _BY_DTYPE[v.dtype].observe(v, seat, out)


def evaluate(s: Position, weights: Array, out: Array) -> None:
    _BY_DTYPE[s.dtype].evaluate(s, weights, out)


def prior(s: Position, legal: Array, n: int, out: Array) -> None:
    _BY_DTYPE[s.dtype].prior(s, legal, n, out)


def restrict(s: Position, legal: Array, n: int) -> int:
    return int(_BY_DTYPE[s.dtype].restrict(s, legal, n))


def best_turn(s: Position, weights: Array, workspace: Array, values: Array, out: Array) -> int:
    return int(_BY_DTYPE[s.dtype].best_turn(s, weights, workspace, values, out))


def describe(s: Position, out: Array) -> None:
    _BY_DTYPE[s.dtype].describe(s, out)


def one_ply_values(
    s: Position, legal: Array, n: int, weights: Array, agent_state: Array, scratch: Records[Position], values: Array,
    out: Array,
) -> None:  # fmt: skip
    _BY_DTYPE[s.dtype].one_ply_values(s, legal, n, weights, agent_state, scratch, values, out)


def symmetries(s: Position) -> int:
    return int(_BY_DTYPE[s.dtype].symmetries(s))


def transform(s: P, k: int, out: Records[P]) -> None:
    _BY_DTYPE[s.dtype].transform(s, k, out)


def transform_action(s: Position, a: int, k: int, t: Position) -> int:
    return int(_BY_DTYPE[s.dtype].transform_action(s, a, k, t))


def transform_seat(s: Position, p: int, k: int) -> int:
    return int(_BY_DTYPE[s.dtype].transform_seat(s, p, k))


def _find(name: str) -> Callable[[Any], Any]:
    """How compiled code finds a verb: the game's own function for the type of the record."""
    return lambda record_type: getattr(_rules_of(record_type), name)


assert set(_VERBS) <= set(__all__)
for _name in _VERBS:
    by_record(globals()[_name], _find(_name))
