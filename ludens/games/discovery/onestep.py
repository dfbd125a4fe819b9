"""The Discovery: the player that looks one turn ahead, tile and follower together (CD-30, CD-31)."""

from __future__ import annotations

from typing import Any

from ludens.core.jit import kernel, rule
from ludens.core.rng import below, next_event
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.discovery.heuristics import prepare, value_after
from ludens.games.discovery.potential import begin_decision
from ludens.games.discovery.rules import actor, apply, draw, follower_actions, legal, place_tile
from ludens.games.discovery.state import PLACING

__all__ = ["ROOM", "best_turn", "choose_turn", "one_step_game"]

ROOM = 16  # follower moves: at most five regions, four followers and pass

_WORST = -1e300


@rule
def best_turn(s: Any, moves: Any, settings: Any, notes: Any, scratch: Any, options: Any, rng: Any, plan: Any) -> None:
    """plan[0] = the best of the tile moves, plan[1] = the follower move that goes with it.

    When the tile is placed already, plan[0] is -1. Cells, turns and follower moves are tried in
    ascending order and the first of equal values stays (CD-31), or any of them with random ties.
    `scratch` is an array of one record, `options` an integer array of `ROOM`.
    """
    begin_decision(s, settings, notes)
    p = int(s.current)
    best = _WORST
    ties = 0
    count = moves.shape[0] if s.phase == PLACING else 1
    for k in range(count):
        tile = -1
        scratch[0] = s
        w = scratch[0]
        if s.phase == PLACING:
            tile = moves[k]
            place_tile(w, tile)
        prepare(w, settings, notes)
        n = follower_actions(w, options)
        for j in range(n):
            worth = value_after(w, settings, notes, p, options[j], rng)
            if worth > best:
                best = worth
                ties = 1
                plan[0] = tile
                plan[1] = options[j]
            elif worth == best and settings.random_ties:
                ties += 1
                if below(rng, ties) == 0:
                    plan[0] = tile
                    plan[1] = options[j]


@kernel
def choose_turn(
    views: Any, moves: Any, settings: Any, notes: Any, scratch: Any, options: Any, rng: Any, plan: Any
) -> None:
    """`best_turn` for Python, on views[0]."""
    best_turn(views[0], moves, settings[0], notes[0], scratch, options, rng, plan)


@kernel
def one_step_game(
    states: Any, settings: Any, notes: Any, scratch: Any, legal_ids: Any, options: Any, chance_rng: Any, rngs: Any
) -> None:
    """Plays states[0] to its end; seat p follows settings[p] and draws from rngs[p].

    Chance reads its stream as a match does, so equal seeds give equal draws.
    """
    s = states[0]
    plan = options[ROOM - 2 :]
    while True:
        who = actor(s)
        if who == TERMINAL:
            break
        if who == CHANCE:
            outcome = draw(s, chance_rng)
            next_event(chance_rng)
            apply(s, outcome)
        else:
            n = legal(s, legal_ids)
            best_turn(s, legal_ids[:n], settings[who], notes[0], scratch, options, rngs[who], plan)
            follower = plan[1]
            apply(s, plan[0])
            apply(s, follower)
