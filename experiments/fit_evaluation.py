"""Fits the weights of a game's evaluation to the results of games between agents, by penalised logistic regression.

    python experiments/fit_evaluation.py azul --games 1000 --agent mcts:simulations=400,depth=8
    python experiments/fit_evaluation.py discovery --games 400 --agent mcts:simulations=500,depth=2
    python experiments/fit_evaluation.py scotland_yard --games 400 --agent evade --against chase

Works for evaluations that are, for two players, the logistic function of a sum that is linear in the weights.
Every position with a choice in every game is one sample: what each weight adds to the log-odds of the first
seat, and who won. An agent plays itself, or with `--against` every agent of the first side plays every one of the
second, in as many games each. The start values for `ludens tune`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import minimize

from ludens.agents.search_settings import evaluation_weights
from ludens.core import kernels, record, registry, verbs
from ludens.core.jit import kernel
from ludens.core.rng import CHANCE_STREAM, generator, next_event
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.lab.series import run

__all__ = ["fit", "samples"]

_SMALL = 1e-3  # a weight small enough for the logistic function not to saturate
_NOISE = 1e-6  # what is less comes from rounding


@kernel
def _log_odds(states: Any, weights: Any, result: Any, out: Any) -> None:
    """What a weight of one adds to the log-odds of seat 0, for every weight."""
    for i in range(weights.shape[0]):
        weights[:] = 0.0
        weights[i] = _SMALL
        verbs.evaluate(states[0], weights, result)
        out[i] = np.log((1.0 + result[0]) / (1.0 - result[0])) / _SMALL


def samples(
    game: Game, pairs: Sequence[tuple[str, str]], games: int, seed: int, length: int, workers: int
) -> tuple[np.ndarray, ...]:
    """Log-odds a weight, results (1, ½, 0 for the first seat) and the game of every sample."""
    legal, trial, result = np.zeros(game.spec.actions, np.int64), np.zeros(length), np.zeros(2)
    rows, results, owners = [], [], []
    series = [
        run(game, pair, games // len(pairs), seed + k, 2, workers=workers, rotating=pair[0] == pair[1])
        for k, pair in enumerate(pairs)
    ]
    options = game.options(series[0].options)
    for index, outcome in enumerate(outcome for played in series for outcome in played.outcomes):
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
                    row = np.zeros(length)
                    _log_odds(state, trial, result, row)
                    rows.append(row)
                    results.append((outcome.returns[0] + 1) / 2)
                    owners.append(index)
            kernels.apply_at(state, 0, action)
    return np.array(rows), np.array(results), np.array(owners)


def fit(rows: np.ndarray, results: np.ndarray, penalty: float) -> np.ndarray:
    """The weights that make the results likeliest, drawn towards zero by `penalty` a squared unit of scaled weight."""
    scale = rows.std(axis=0)
    constant = scale < _NOISE
    scale[constant] = np.where(
        abs(rows[0, constant]) < _NOISE, np.inf, 1.0
    )  # unseen: no weight; a constant may have one
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
    share = np.clip(results.mean(), 1e-9, 1 - 1e-9)
    blind = -share * np.log(share) - (1 - share) * np.log(1 - share)
    right = np.mean((logits > 0) == (results > 0.5))
    return f"log loss {loss:.4f} (without any {blind:.4f}), winner foretold {right:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--agent", action="append", required=True, help="who plays; may be repeated")
    parser.add_argument("--against", action="append", help="who plays the other side, if it is not the agent itself")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--penalty", type=float, default=1e-4)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    game = registry.game(arguments.game)
    present = evaluation_weights(game)
    pairs = list(product(arguments.agent, arguments.against or [])) or [(code, code) for code in arguments.agent]
    rows, results, owners = samples(game, pairs, arguments.games, arguments.seed, len(present), arguments.processes)
    held_out = owners % 5 == 0
    print(f"{len(rows)} positions of {arguments.games} games")
    print("held out, present weights:", _report(rows[held_out], results[held_out], present))
    tried = fit(rows[~held_out], results[~held_out], arguments.penalty)
    print("held out, fitted weights: ", _report(rows[held_out], results[held_out], tried))
    weights = fit(rows, results, arguments.penalty)
    print("all:", _report(rows, results, weights))
    print(np.array2string(weights.round(4), separator=", ", max_line_width=110))


if __name__ == "__main__":
    main()
