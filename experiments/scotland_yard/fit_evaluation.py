"""Fits the weights of Scotland Yard's evaluation to the results of games, by penalised logistic regression.

    python experiments/scotland_yard/fit_evaluation.py scotland_yard --games 400 --mr-x evade --detectives chase

Pairs of agents take turns: every code of Mr. X plays every code of the detectives. Every position with a choice is one
sample: its features, and whether Mr. X escaped. The weights are printed as the rows of
`ludens/games/scotland_yard/evaluate.py`: as they are, and in proportion to the part of the game that is left.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a bare checkout, not installed

from experiments.fit_evaluation import fit
from ludens.core import kernels, record, registry
from ludens.core.jit import kernel
from ludens.core.rng import CHANCE_STREAM, generator, next_event
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.scotland_yard.evaluate import FEATURES, prospects
from ludens.play.game import play_game
from ludens.play.schedule import game_seed

__all__ = ["samples"]

_COLUMNS = 2 * len(FEATURES)


@kernel
def _features(states, weights, out):
    """The features of a position, read off the linear form by unit weights."""
    for i in range(out.shape[0]):
        weights[:] = 0.0
        weights[i] = 1.0
        out[i] = prospects(states[0], weights)


def samples(game: Game, pairs: Sequence[tuple[str, str]], games: int, seed: int) -> tuple[np.ndarray, ...]:
    """Features, results (1 if Mr. X escaped) and the game of every sample."""
    options = game.options({})
    legal, unit, found = np.zeros(game.spec.actions, np.int64), np.zeros(_COLUMNS), np.zeros(_COLUMNS)
    rows, results, owners = [], [], []
    for index in range(games):
        outcome = play_game(game, options, pairs[index % len(pairs)], game_seed(seed, index))
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
                    rows.append(found.copy())
                    results.append(float(outcome.returns[0] > 0))
                    owners.append(index)
            kernels.apply_at(state, 0, action)
        if index % 50 == 49:
            print(f"{index + 1} games, {len(rows)} positions", flush=True)
    return np.array(rows), np.array(results), np.array(owners)


def _report(rows: np.ndarray, results: np.ndarray, weights: np.ndarray) -> str:
    logits = rows @ weights
    loss = np.mean(np.logaddexp(0, logits) - results * logits)
    share = results.mean()
    blind = -share * np.log(share) - (1 - share) * np.log(1 - share)
    return (
        f"log loss {loss:.4f} (without features {blind:.4f}), foretold {np.mean((logits > 0) == (results > 0.5)):.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the weights of Scotland Yard's evaluation.")
    parser.add_argument("game", choices=("scotland_yard", "scotland_yard_grid"))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--mr-x", action="append", help="agent codes of Mr. X")
    parser.add_argument("--detectives", action="append", help="agent codes of the detectives")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--penalty", type=float, default=1e-4)
    arguments = parser.parse_args()
    pairs = list(product(arguments.mr_x or ["evade"], arguments.detectives or ["chase"]))
    rows, results, owners = samples(registry.game(arguments.game), pairs, arguments.games, arguments.seed)
    held_out = owners % 5 == 0
    tried = fit(rows[~held_out], results[~held_out], arguments.penalty)
    print("held out:", _report(rows[held_out], results[held_out], tried))
    weights = fit(rows, results, arguments.penalty)
    print("all:", _report(rows, results, weights))
    print(np.array2string(weights.reshape(2, -1).round(3), separator=", ", max_line_width=110))


if __name__ == "__main__":
    main()
