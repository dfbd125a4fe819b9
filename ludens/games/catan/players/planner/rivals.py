"""Catan: what opponents are expected to make of their turns, compiled (CA-26, CA-28, CA-30, CA-32).

What they buy depends on the number of their cards alone.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ludens.core import record
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Records, blank, workspace
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.players.linear.value import Memo, new_memo
from ludens.games.catan.players.planner.twins import Twins, forget_twins, new_twins, records_and_words, twin_of
from ludens.games.catan.players.planner.values import known_value
from ludens.games.catan.rules.building import found, upgrade
from ludens.games.catan.rules.island import lowest
from ludens.games.catan.rules.production import produce
from ludens.games.catan.rules.roads import lay_road
from ludens.games.catan.rules.verbs import apply
from ludens.games.catan.state import DTYPE, EDGES, NOBODY, VERTICES, Catan

__all__ = [
    "CHANCES",
    "PURCHASES",
    "Rivals",
    "buy_for",
    "expected_value",
    "kind_of",
    "new_rivals",
    "purchases_of",
    "rival_turns",
    "roll_for",
]

_PRICES = np.array([2, 4, 5], np.int64)  # cards that a road, a settlement and a city cost

CHANCES = np.array([0.0, 0.0, *((6 - abs(7 - total)) / 36 for total in range(2, 13))])
"""The probability of every sum of two dice (CA-4)."""
PURCHASES = EDGES + 2 * VERTICES
"""Ids of an opponent's purchases: an edge, then a vertex for a settlement, then a vertex for a city."""


@rule
def kind_of(purchase: int) -> int:
    """0 for a road, 1 for a settlement, 2 for a city."""
    return 0 if purchase < EDGES else 1 if purchase < EDGES + VERTICES else 2


@kernel
def roll_for(states: Records[Catan], total: int) -> None:
    """The active player has rolled this sum; a seven just yields nothing."""
    s = states[0]
    s.rolled = 1
    s.die[0] = max(1, total - 6)
    s.die[1] = total - max(1, total - 6)
    if total != 7:
        produce(s, total)
    s.phase = phases.MAIN


@kernel
def purchases_of(states: Records[Catan], out: Array) -> int:
    """What the active player could buy with the right cards, by their number alone, into out[:n]."""
    s = states[0]
    p = int(s.current)
    n = 0
    if s.count[p] >= _PRICES[0] and s.roads_left[p] > 0:
        for word in range(2):
            edges = int(s.open_roads[p, word])
            while edges != 0:
                out[n] = lowest(edges) + 36 * word
                edges &= edges - 1
                n += 1
    if s.count[p] >= _PRICES[1] and s.settlements_left[p] > 0:
        sites = int(s.open_sites) & int(s.touched[p])
        while sites != 0:
            out[n] = EDGES + lowest(sites)
            sites &= sites - 1
            n += 1
    if s.count[p] >= _PRICES[2] and s.cities_left[p] > 0:
        sites = int(s.settlements[p])
        while sites != 0:
            out[n] = EDGES + VERTICES + lowest(sites)
            sites &= sites - 1
            n += 1
    return n


@kernel
def buy_for(states: Records[Catan], purchase: int) -> None:
    """The active player makes one of those purchases; its hand is not modelled, only the number of cards."""
    s = states[0]
    p = int(s.current)
    if purchase < EDGES:
        s.count[p] -= _PRICES[0]
        lay_road(s, p, purchase)
    elif purchase < EDGES + VERTICES:
        s.count[p] -= _PRICES[1]
        found(s, p, purchase - EDGES)
    else:
        s.count[p] -= _PRICES[2]
        upgrade(s, p, purchase - EDGES - VERTICES)
    if int(s.visible[p]) >= s.goal:  # hidden cards of opponents are not guessed here
        s.winner = p
        s.phase = phases.OVER
        s.victim = NOBODY


_MOST = 2000  # positions within an opponent's turn, whatever the settings
_MOST_ROLLED = 300  # more than there are two turns of opponents ahead, two turns each
_FIRST, _LAST = 2, 12  # sums of two dice


class Rivals(NamedTuple):
    """What expecting opponents' turns writes on."""

    queue: Annotated[Records[Catan], "queued"]  # positions within a turn
    least: Annotated[
        Array, record.int64("queued")
    ]  # the kind of purchase that may follow: 0 roads, 1 settlements, 2 cities
    ends: np.ndarray  # records: positions after a turn
    words: np.ndarray  # the same memory as numbers, to tell equal ones
    worth: Annotated[Array, record.float64("ended")]
    purchases: Annotated[Array, record.int64(PURCHASES)]
    top: Annotated[Array, record.int64("actions")]  # the best purchases of a kind
    top_worth: Annotated[Array, record.float64("actions")]
    trial: Annotated[Records[Catan], 2]  # for trying purchases
    nodes: Annotated[Records[Catan], "levels"]  # the position at every level of the search
    kids: Annotated[Array, "turns"]  # the turns of the opponent there
    totals: Annotated[Array, record.float64("levels")]  # the sum or the minimum so far
    places: Annotated[Array, record.int64("levels")]  # the sum of the dice or the turn that is looked at
    counts: Annotated[Array, record.int64("levels")]  # how many turns there are
    rolled: Records[Catan]  # records: positions after a roll that were met in this search
    rolled_words: np.ndarray  # the same memory as numbers
    rolled_twins: Twins  # equal ones at the same level
    rolled_worth: Annotated[Array, record.float64(_MOST_ROLLED)]  # what is expected there
    rolled_at: Annotated[Array, record.int64("levels")]  # the place of the position at that level among them, or -1
    memo: Memo  # values that were worked out already


def new_rivals(depth: int, n_actions: int, n_turns: int) -> Rivals:
    """Room for a search of this depth; none is needed for depth 1."""
    size = min(_MOST, 2 + (4 * n_turns + 1) * 3 * n_actions) if depth > 1 else 1
    ends = blank(DTYPE, size + 1)
    rolled, rolled_words = records_and_words(_MOST_ROLLED)
    sizes = {"queued": size, "ended": size + 1, "levels": depth + 2}
    sizes |= {"actions": n_actions, "turns": (depth + 1) * n_turns}
    made = {"rolled": rolled, "rolled_words": rolled_words, "rolled_twins": new_twins(_MOST_ROLLED), "memo": new_memo()}
    words = ends.view(np.uint64).reshape(size + 1, -1)
    return workspace(Rivals, DTYPE, ends=ends, words=words, **made, **sizes)


@rule
def _turns(
    s: Catan, seat: int, selfish: bool, n_actions: int, n_turns: int, weights: Array, rivals: Rivals, out: Array
) -> int:
    """The turns of the opponent who is to buy in s, the likeliest first, into `out`; returns how many.

    Roads come before settlements and these before cities, and of each kind the best few are tried (CA-32, CA-33).
    A selfish opponent takes what is best for itself, another what is worst for the seat.
    """
    valuer = int(s.current) if selfish else seat
    sign = -1.0 if selfish else 1.0
    rivals.queue[0] = s
    rivals.least[0] = 0
    count, at, found = 1, 0, 0
    while at < count:
        over = rivals.queue[at].phase == phases.OVER
        rivals.ends[found] = rivals.queue[at]
        if not over:
            apply(rivals.ends[found], ids.END)
        if _is_new(rivals, found):
            found += 1
        if not over and found <= 4 * n_turns:
            n = purchases_of(rivals.queue[at : at + 1], rivals.purchases)
            for kind in range(rivals.least[at], 3):
                count = _pushed(rivals, at, count, kind, n, n_actions, valuer, sign, weights)
        at += 1
    most = min(found, 1 if selfish else n_turns)
    for k in range(found):
        rivals.worth[k] = sign * known_value(rivals.ends[k], valuer, weights, rivals.trial[1:2], rivals.memo)
    for place in range(most):
        best = 0
        for k in range(1, found):
            if rivals.worth[k] < rivals.worth[best]:
                best = k
        out[place] = rivals.ends[best]
        rivals.worth[best] = np.inf
    return most


@rule
def _is_new(rivals: Rivals, found: int) -> bool:
    """Is ends[found] unlike all before it?"""
    for k in range(found):
        same = True
        for word in range(rivals.words.shape[1]):
            if rivals.words[k, word] != rivals.words[found, word]:
                same = False
                break
        if same:
            return False
    return True


@rule
def _pushed(
    rivals: Rivals, at: int, count: int, kind: int, n: int, n_actions: int, valuer: int, sign: float, weights: Array
) -> int:
    """Puts the positions after the best purchases of a kind into the queue; returns how many it holds."""
    made = 0
    for k in range(n):
        purchase = rivals.purchases[k]
        if kind_of(purchase) != kind:
            continue
        rivals.trial[0] = rivals.queue[at]
        buy_for(rivals.trial, purchase)
        worth = sign * known_value(rivals.trial[0], valuer, weights, rivals.trial[1:2], rivals.memo)
        place = made
        if made == n_actions:
            place -= 1
            if rivals.top_worth[place] <= worth:
                continue
        else:
            made += 1
        while place > 0 and rivals.top_worth[place - 1] > worth:
            rivals.top_worth[place] = rivals.top_worth[place - 1]
            rivals.top[place] = rivals.top[place - 1]
            place -= 1
        rivals.top_worth[place] = worth
        rivals.top[place] = purchase
    for k in range(made):
        if count == rivals.queue.shape[0]:
            return count
        rivals.queue[count] = rivals.queue[at]
        buy_for(rivals.queue[count : count + 1], rivals.top[k])
        rivals.least[count] = kind
        count += 1
    return count


@kernel
def rival_turns(
    states: Records[Catan], seat: int, selfish: bool, n_actions: int, n_turns: int, weights: Array, rivals: Rivals,
    out: Array,
) -> int:  # fmt: skip
    """The turns of the opponent who is to buy in states[0], into `out`; returns how many."""
    return _turns(states[0], seat, selfish, n_actions, n_turns, weights, rivals, out)


@kernel
def expected_value(
    states: Records[Catan], seat: int, depth: int, selfish: bool, n_actions: int, n_turns: int, weights: Array,
    rivals: Rivals,
) -> float:  # fmt: skip
    """`expectimax` of CA-26 from states[0] down, where nobody but opponents plans and no window cuts anything off.

    The levels of the search are its stack: at each a roll, a turn of an opponent, or a leaf. The same cards often come
    by other rolls, or by the same in another order; what was expected then is expected again.
    """
    rivals.nodes[0] = states[0]
    forget_twins(rivals.rolled_twins)
    level, result, entering, met = 0, 0.0, True, 0
    while True:
        node = rivals.nodes[level]
        phase = int(node.phase)
        rolling = phase == phases.BEFORE_ROLL
        if entering:
            if level == depth or (phase != phases.BEFORE_ROLL and phase != phases.MAIN):
                result = known_value(node, seat, weights, rivals.trial[1:2], rivals.memo)
                if level == 0:
                    return result
                level -= 1
                entering = False
                continue
            if rolling:
                rivals.totals[level] = 0.0
                rivals.places[level] = _FIRST
            else:
                rivals.rolled_at[level] = -1
                if met < rivals.rolled.shape[0]:
                    rivals.rolled[met] = node
                    twin = twin_of(rivals.rolled_twins, rivals.rolled_words, met, level)
                    if twin < met:
                        result = rivals.rolled_worth[twin]
                        level -= 1
                        entering = False
                        continue
                    rivals.rolled_at[level] = met
                    met += 1
                kids = rivals.kids[level * n_turns : (level + 1) * n_turns]
                rivals.counts[level] = _turns(node, seat, selfish, n_actions, n_turns, weights, rivals, kids)
                rivals.totals[level] = np.inf
                rivals.places[level] = 0
        elif rolling:
            rivals.totals[level] += CHANCES[rivals.places[level]] * result
            rivals.places[level] += 1
        else:
            rivals.totals[level] = min(rivals.totals[level], result)
            rivals.places[level] += 1
        place = rivals.places[level]
        if place > _LAST if rolling else place == rivals.counts[level]:
            result = rivals.totals[level]
            if not rolling and rivals.rolled_at[level] >= 0:
                rivals.rolled_worth[rivals.rolled_at[level]] = result
            if level == 0:
                return float(result)
            level -= 1
            entering = False
            continue
        if rolling:
            rivals.nodes[level + 1] = node
            roll_for(rivals.nodes[level + 1 : level + 2], place)
            rivals.nodes[level + 1].die[:] = 0  # nothing that follows depends on them
        else:
            rivals.nodes[level + 1] = rivals.kids[level * n_turns + place]
        level += 1
        entering = True
