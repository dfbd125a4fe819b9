"""Fits the weights of Azul's evaluation to the results of self-play, by penalised logistic regression.

    python experiments/azul/fit_evaluation.py --games 1000 --agent mcts:simulations=400,depth=8 --seed 1

Every position with a choice in every game is one sample: the difference of the two players' features, and
who won. The weights are printed as the rows of `ludens/games/azul/evaluate.py`.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.optimize import minimize

from ludens.arena.loop import play_game
from ludens.arena.workers import game_seed
from ludens.core import kernels, record, registry
from ludens.core.jit import kernel
from ludens.core.rng import CHANCE_STREAM, generator, next_event
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.azul.evaluate import FEATURES, prospects, stage_of

__all__ = ["fit", "samples"]

_ROWS = 3 * len(FEATURES)


@kernel
def _features(states, weights, out):  # type: ignore[no-untyped-def]
    """The features of both players, read off the linear form by unit weights; returns the stage."""
    s = states[0]
    stage = stage_of(s)
    for i in range(out.shape[1]):
        weights[:] = 0.0
        weights[i] = 1.0
        for p in range(2):
            out[p, i] = prospects(s, p, stage, weights)
    return stage


def samples(game: Game, agents: list[str], games: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Feature differences, results (1, ½, 0 for the first seat) and the game of every sample."""
    options = game.options({**game.spec.tournament, "players": 2})
    legal, unit, found = np.zeros(game.spec.actions, np.int64), np.zeros(_ROWS), np.zeros((2, _ROWS))
    rows, results, owners = [], [], []
    for index in range(games):
        outcome = play_game(game, options, agents[:: 1 if index % 2 else -1], game_seed(seed, index))
        state, rng, choices = record.blank(game.dtype), generator(outcome.seed, CHANCE_STREAM), iter(outcome.choices)
        kernels.reset_at(state, 0, options)
        while (actor := kernels.actor_at(state, 0)) != TERMINAL:
            if actor == CHANCE:
                action = kernels.draw_at(state, 0, rng)
                next_event(rng)
            else:
                n = kernels.legal_at(state, 0, legal)
                action = int(legal[0])
                if action < game.spec.first_automatic:
                    action = next(choices)
                if n > 1:
                    _features(state, unit, found)
                    rows.append(found[0] - found[1])
                    results.append((outcome.returns[0] + 1) / 2)
                    owners.append(index)
            kernels.apply_at(state, 0, action)
        if index % 50 == 49:
            print(f"{index + 1} games, {len(rows)} positions", flush=True)
    return np.array(rows), np.array(results), np.array(owners)


def fit(rows: np.ndarray, results: np.ndarray, penalty: float) -> np.ndarray:
    """The weights that make the results likeliest, drawn towards zero by `penalty` a squared unit of scaled weight."""
    scale = rows.std(axis=0)
    scale[scale == 0] = np.inf
    scaled = rows / scale

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logits = scaled @ weights
        wins = 1 / (1 + np.exp(-logits))
        value = np.mean(np.logaddexp(0, logits) - results * logits) + penalty * weights @ weights
        return value, scaled.T @ (wins - results) / len(rows) + 2 * penalty * weights

    return minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x / scale


def _report(rows: np.ndarray, results: np.ndarray, weights: np.ndarray) -> str:
    logits = rows @ weights
    loss = np.mean(np.logaddexp(0, logits) - results * logits)
    return f"log loss {loss:.4f}, winner foretold {np.mean((logits > 0) == (results > 0.5)):.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the weights of Azul's evaluation.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--agent", action="append", help="one or two agent codes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--penalty", type=float, default=1e-4)
    parser.add_argument("--save", help="a .npz file for the samples")
    arguments = parser.parse_args()
    codes = arguments.agent or ["mcts:simulations=400,depth=8"]
    game = registry.game("azul")
    rows, results, owners = samples(game, [codes[0], codes[-1]], arguments.games, arguments.seed)
    if arguments.save:
        np.savez_compressed(arguments.save, rows=rows, results=results, owners=owners)
    held_out = owners % 5 == 0
    tried = fit(rows[~held_out], results[~held_out], arguments.penalty)
    print("held out:", _report(rows[held_out], results[held_out], tried))
    weights = fit(rows, results, arguments.penalty)
    print("all:", _report(rows, results, weights))
    print(np.array2string(weights.reshape(3, -1).round(4), separator=", ", max_line_width=110))


if __name__ == "__main__":
    main()
