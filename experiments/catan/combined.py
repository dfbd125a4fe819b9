"""How the list of choices changes the length of random games of Catan.

A uniform choice depends on how decisions are listed. This plays random games without trade between players, choosing
as if the package's split decisions were listed in one piece, one variation at a time and then all together:

- robber: one choice for every pair of a hex and a victim who has cards
- discard: one choice a discarder, cards at random
- plenty: one choice for every pair of cards from the bank, listed beside the other actions
- rates: with a harbour the dearer rates of the bank stay on the list

python experiments/catan/combined.py --games 3000
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from ludens.core import record, verbs
from ludens.core.jit import kernel, rule
from ludens.core.registry import game
from ludens.core.rng import CHANCE_STREAM, POLICY, below, generators, next_event
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.catan.rules.island import HEX_VERTICES
from ludens.games.catan.state import (
    BUY,
    DISCARD,
    DISCARDING,
    EXCHANGE,
    HEXES,
    KINDS,
    MAX_PLAYERS,
    NOBODY,
    PLENTY,
    ROBBER,
    ROBBING,
    TAKE,
    VICTIM,
    VICTIMISING,
    YEAR_OF_PLENTY,
)

__all__ = ["VARIATIONS", "lengths"]

VARIATIONS = ("robber", "discard", "plenty", "rates")
_WITH_ROBBER, _WITH_DISCARD, _WITH_PLENTY, _WITH_RATES = (1 << k for k in range(4))


@rule
def _move_robber(s: Any, rng: Any, choices: Any) -> None:
    """A uniform choice among pairs of a hex and a victim with cards; a hex without one counts once."""
    n = 0
    for h in range(HEXES):
        if h == s.robber:
            continue
        victims = 0
        for k in range(6):
            building = int(s.building[HEX_VERTICES[h, k]])
            if building != NOBODY and building % MAX_PLAYERS != s.current and s.count[building % MAX_PLAYERS] > 0:
                victims |= 1 << building % MAX_PLAYERS
        if victims == 0:
            choices[n] = MAX_PLAYERS * h
            n += 1
        for p in range(MAX_PLAYERS):
            if victims >> p & 1:
                choices[n] = MAX_PLAYERS * h + p
                n += 1
    pair = int(choices[below(rng, n)])
    verbs.apply(s, ROBBER + pair // MAX_PLAYERS)
    if s.phase == VICTIMISING:
        verbs.apply(s, VICTIM + pair % MAX_PLAYERS)


@rule
def _discard_half(s: Any, p: int, rng: Any) -> None:
    """All cards that player p owes, drawn from the hand like from a deck."""
    for _ in range(int(s.to_discard[p])):
        ticket = below(rng, int(s.count[p]))
        kind = 0
        while ticket >= s.hand[p, kind]:
            ticket -= int(s.hand[p, kind])
            kind += 1
        verbs.apply(s, DISCARD + kind)


@rule
def _pair_in_bank(s: Any, pair: int) -> bool:
    first, second = pair // KINDS, pair % KINDS
    return first <= second and s.bank[first] > 0 and s.bank[second] > (1 if first == second else 0)


@rule
def _take_pair(s: Any, rng: Any, choices: Any) -> None:
    """The year of plenty with a uniform choice among the pairs of cards that the bank has."""
    n = 0
    for pair in range(KINDS * KINDS):
        if _pair_in_bank(s, pair):
            choices[n] = pair
            n += 1
    verbs.apply(s, YEAR_OF_PLENTY)
    if n == 0:  # the bank has a single card
        n = int(verbs.legal(s, choices))
        verbs.apply(s, int(choices[below(rng, n)]))
        return
    pair = int(choices[below(rng, n)])
    verbs.apply(s, TAKE + pair // KINDS)
    if s.phase == PLENTY:
        verbs.apply(s, TAKE + pair % KINDS)


@rule
def _rates(s: Any, p: int, kind: int) -> int:
    """The rates at which player p may give this kind to the bank, as a bit set: 4, and those of harbours."""
    rates = 1 << 4 | 1 << int(s.price[p, kind])
    generic = True  # who has the harbour of all kinds pays 4 for none
    for r in range(KINDS):
        generic = generic and s.price[p, r] < 4
    if generic:
        rates |= 1 << 3
    payable = 0
    for rate in range(2, 5):
        if rates >> rate & 1 and s.hand[p, kind] >= rate:
            payable |= 1 << rate
    return payable


@rule
def _exchange(s: Any, a: int, rng: Any) -> None:
    """A trade with the bank at a rate chosen uniformly among those on the list."""
    p, kind = int(s.current), (a - EXCHANGE) // 4
    rates, price = _rates(s, p, kind), int(s.price[p, kind])
    n = 0
    for rate in range(2, 5):
        n += rates >> rate & 1
    chosen = below(rng, n)
    for rate in range(2, 5):
        if rates >> rate & 1:
            if chosen == 0:
                s.price[p, kind] = rate
            chosen -= 1
    verbs.apply(s, a)
    s.price[p, kind] = price


@rule
def _weight(s: Any, a: int, variation: int) -> int:
    """How many entries of the other list stand for an action."""
    n = 0
    if variation & _WITH_PLENTY and a == YEAR_OF_PLENTY:
        for pair in range(KINDS * KINDS):
            n += int(_pair_in_bank(s, pair))
    elif variation & _WITH_RATES and EXCHANGE <= a < BUY:
        rates = _rates(s, int(s.current), (a - EXCHANGE) // 4)
        for rate in range(2, 5):
            n += rates >> rate & 1
    return max(n, 1)


@rule
def _choose(s: Any, variation: int, rng: Any, choices: Any) -> None:
    """One uniform choice from the list, carried out."""
    n = int(verbs.legal(s, choices))
    total = 0
    for k in range(n):
        total += _weight(s, int(choices[k]), variation)
    ticket = below(rng, total)
    k = 0
    while ticket >= _weight(s, int(choices[k]), variation):
        ticket -= _weight(s, int(choices[k]), variation)
        k += 1
    a = int(choices[k])
    if variation & _WITH_PLENTY and a == YEAR_OF_PLENTY:
        _take_pair(s, rng, choices)
    elif variation & _WITH_RATES and EXCHANGE <= a < BUY:
        _exchange(s, a, rng)
    else:
        verbs.apply(s, a)


@kernel
def _play(
    states: Any, options: Any, variation: int, chance_rngs: Any, rngs: Any, choices: Any, decisions: Any, sole: Any
) -> None:
    """Plays every blank state to its end; counts the decisions of each game, and those with one choice."""
    for i in range(states.shape[0]):
        s = states[i]
        verbs.reset(s, options)
        while True:
            who = verbs.actor(s)
            if who == TERMINAL:
                break
            if who == CHANCE:
                verbs.apply(s, int(verbs.draw(s, chance_rngs[i])))
                next_event(chance_rngs[i])
                continue
            decisions[i] += 1
            if variation & _WITH_ROBBER and s.phase == ROBBING:
                _move_robber(s, rngs[i], choices)
            elif variation & _WITH_DISCARD and s.phase == DISCARDING:
                _discard_half(s, int(who), rngs[i])
            else:
                sole[i] += int(verbs.legal(s, choices) == 1)
                _choose(s, variation, rngs[i], choices)


def lengths(games: int, seed: int, variation: int, **options: object) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Decisions, those of them with one choice, and turns of every game."""
    catan = game("catan")
    states = record.blank(catan.dtype, games)
    decisions, sole = np.zeros(games, np.int64), np.zeros(games, np.int64)
    streams = generators(seed, games, CHANCE_STREAM), generators(seed, games, POLICY)
    values = catan.options({"offers_per_turn": 0, "board": "variable", **options})
    _play(states, values, variation, *streams, np.zeros(catan.spec.actions, np.int64), decisions, sole)
    return decisions, sole, states["turn_number"].astype(np.int64)


def _mean(numbers: np.ndarray) -> str:
    return f"{numbers.mean():,.0f} ±{numbers.std(ddof=1) / len(numbers) ** 0.5:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Length of random games by how choices are listed.")
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print(f"{'listed in one piece':30} {'decisions':>12} {'with one choice':>16} {'turns':>10}")
    everything = (1 << len(VARIATIONS)) - 1
    for variation in (0, *(1 << k for k in range(len(VARIATIONS))), everything - _WITH_DISCARD, everything):
        names = ", ".join(name for k, name in enumerate(VARIATIONS) if variation >> k & 1) or "nothing"
        decisions, sole, turns = lengths(given.games, given.seed, variation)
        print(f"{names:30} {_mean(decisions):>12} {_mean(sole):>16} {_mean(turns):>10}", flush=True)


if __name__ == "__main__":
    main()
