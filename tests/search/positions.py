"""Positions to search, a plain recursive look-ahead to compare with, and Pig solved exactly."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ludens.core import kernels, record
from ludens.core.kernels import apply_at, chance_at, evaluate_at, legal_at, returns_at
from ludens.core.registry import game
from ludens.core.rng import CHANCE_STREAM, POLICY, generator, next_event, pick
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL
from tests.examples import hidden, tiny

PIG, DUEL, AZUL, DISCOVERY = tiny.GAME, hidden.GAME, game("azul"), game("discovery")
TARGET = 10


def pig(mine: int, other: int, pot: int, players: int = 2) -> np.ndarray:
    """Seat 0 to decide, with these points; the target is 10."""
    state = record.blank(PIG.dtype)
    kernels.reset_at(state, 0, PIG.options({"target": TARGET, "players": players}))
    state["score"][0, :2] = mine, other
    state["pot"][0] = pot
    return state


def legal_of(game: Game, state: np.ndarray) -> np.ndarray:
    legal = np.zeros(game.spec.actions, np.int64)
    return legal[: kernels.legal_at(state, 0, legal)].copy()


def middle_of(game: Game, choices: int, seed: int = 0, **options: object) -> np.ndarray:
    """The position after so many uniform choices of a random game, or its last one with a choice."""
    state = record.blank(game.dtype)
    kernels.reset_at(state, 0, game.options({**game.spec.tournament, **options}))
    chance_rng, policy_rng = generator(seed, CHANCE_STREAM), generator(seed, POLICY)
    found = state.copy()
    made = 0
    while (actor := kernels.actor_at(state, 0)) != TERMINAL:
        if actor == CHANCE:
            action = int(kernels.draw_at(state, 0, chance_rng))
            next_event(chance_rng)
        else:
            legal = legal_of(game, state)
            action = int(legal[pick(policy_rng, len(legal))])
            if len(legal) > 1:
                found = state.copy()
                made += 1
                if made > choices:
                    break
        kernels.apply_at(state, 0, action)
    return found


def view_of(game: Game, state: np.ndarray, seat: int) -> np.ndarray:
    out = record.blank(game.dtype)
    kernels.view_at(state, 0, seat, out)
    return out


@lru_cache(maxsize=1)
def pig_values() -> dict[tuple[int, int, int], tuple[float, float]]:
    """For (mine, other, pot) the results of rolling and of holding under perfect play, by value iteration."""
    states = [(m, o, pot) for m in range(TARGET) for o in range(TARGET) for pot in range(TARGET - m + 6)]
    best = dict.fromkeys(states, 0.0)
    table: dict[tuple[int, int, int], tuple[float, float]] = {}
    for _ in range(300):
        table = {}
        for m, o, pot in states:
            hold = 1.0 if m + pot >= TARGET else -best[o, m + pot, 0]
            lucky = sum(1.0 if m + pot + side >= TARGET + 6 else best[m, o, pot + side] for side in range(2, 7))
            table[m, o, pot] = ((-best[o, m, 0] + lucky) / 6, hold)
        best = {state: max(values) for state, values in table.items()}
    return table


def _horizon(state: np.ndarray, weights: np.ndarray | None, out: np.ndarray) -> np.ndarray:
    if weights is not None:
        evaluate_at(state, 0, weights, out)
    return out


def look_ahead(
    game: Game,
    state: np.ndarray,
    depth: int,
    seat: int,
    last: int = -9,
    turns: bool = False,
    paranoid: bool = False,
    weights: np.ndarray | None = None,
    to_draw: bool = False,
) -> np.ndarray:
    """Expectiminimax by plain recursion, with zeros (or the evaluation) at the horizon: the value of every seat.

    With `to_draw` every chance node is a horizon.
    """
    players = int(state["players"][0])
    out = np.zeros(players)
    who = int(kernels.actor_at(state, 0))
    if who == TERMINAL:
        returns_at(state, 0, out)
        return out
    if who == CHANCE:
        if depth == 0 or to_draw:
            return _horizon(state, weights, out)
        outcomes, shares = np.zeros(game.spec.outcomes, np.int64), np.zeros(game.spec.outcomes)
        n = chance_at(state, 0, outcomes, shares)
        for k in range(n):
            child = state.copy()
            apply_at(child, 0, int(outcomes[k]))
            out += shares[k] * look_ahead(game, child, depth, seat, last, turns, paranoid, weights, to_draw)
        return out
    legal = np.zeros(game.spec.actions, np.int64)
    n = legal_at(state, 0, legal)
    deeper = who != last if turns else n > 1
    if deeper and depth == 0:
        return _horizon(state, weights, out)
    best: np.ndarray | None = None
    component, sign = (seat, 1 if who == seat else -1) if paranoid else (who, 1)
    for k in range(n):
        child = state.copy()
        apply_at(child, 0, int(legal[k]))
        left = depth - 1 if deeper else depth
        value = look_ahead(game, child, left, seat, who, turns, paranoid, weights, to_draw)
        if best is None or sign * value[component] > sign * best[component]:
            best = value
    assert best is not None
    return best
