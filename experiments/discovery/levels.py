"""Score levels of the one-step players, under all readings of the scoring rules (CD-22 … CD-24).

    python experiments/discovery/levels.py --games 1000
    python experiments/discovery/levels.py --games 300 --readings

Every ordered pair of players is seated; pair and seat do not change the tiles drawn. Prints the mean score
of each seat with its standard error, the wins of the first seat, draws, and games per second of CPU time.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Sequence

import numpy as np

from ludens.core import kernels, record
from ludens.core.rng import AGENT, CHANCE_STREAM, generator
from ludens.games.discovery import GAME
from ludens.games.discovery.players.one_step import ROOM, one_step_game
from ludens.games.discovery.players.settings import (
    GEOMETRIC,
    GREEDY,
    PLAIN,
    POTENTIAL,
    RANDOM,
    SETTINGS,
    blank_workspace,
    make_settings,
)

PLAYERS = {
    "random-turn": make_settings(RANDOM),
    "greedy": make_settings(GREEDY),
    "greedy:ties=random": make_settings(GREEDY, random_ties=True),
    "greedy:terminal_aware=on": make_settings(GREEDY, terminal_aware=True),
    "potential": make_settings(POTENTIAL),
    "potential:weighting=geometric": make_settings(POTENTIAL, weighting=GEOMETRIC),
    "potential:weighting=plain": make_settings(POTENTIAL, weighting=PLAIN),
    "potential:terminal_aware=on": make_settings(POTENTIAL, terminal_aware=True),
}


def play(seats: Sequence[str], games: int, seed: int, rules: dict[str, str]) -> tuple[np.ndarray, float]:
    """Final scores `[game, seat]` and games per second of CPU time."""
    options = GAME.options({"players": len(seats), **rules})
    settings = np.zeros(len(seats), SETTINGS)
    for seat, name in enumerate(seats):
        settings[seat] = PLAYERS[name][0]
    workspace, scratch = blank_workspace(), record.blank(GAME.dtype)
    legal, room = np.zeros(GAME.spec.actions, np.int64), np.zeros(ROOM, np.int64)
    scores = np.zeros((games, len(seats)))

    def one(game: int) -> np.ndarray:
        states = record.blank(GAME.dtype)
        kernels.reset_at(states, 0, options)
        rngs = np.array([generator(seed + game, AGENT, seat) for seat in range(len(seats))])
        draws = generator(seed + game, CHANCE_STREAM)
        one_step_game(states, settings, workspace, scratch, legal, room, draws, rngs)
        return states["score"][0, : len(seats)]

    one(0)
    started = time.process_time()
    for game in range(games):
        scores[game] = one(game)
    return scores, games / (time.process_time() - started)


def report(seats: Sequence[str], games: int, seed: int, rules: dict[str, str]) -> None:
    scores, speed = play(seats, games, seed, rules)
    means = " : ".join(
        f"{mean:6.2f} ±{error:4.2f}"
        for mean, error in zip(scores.mean(0), scores.std(0, ddof=1) / games**0.5, strict=True)
    )
    best = scores.max(1, keepdims=True)
    first = ((scores[:, :1] == best) & ((scores == best).sum(1, keepdims=True) == 1)).mean()
    draws = ((scores == best).sum(1) > 1).mean()
    print(
        f"{' - '.join(seats):45} {means}  first wins {first:5.1%}, draws {draws:5.1%}  {speed:7.0f} games/s", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--players", nargs="+", default=["random-turn", "greedy", "potential"], choices=list(PLAYERS))
    parser.add_argument("--readings", action="store_true", help="all combinations of CD-22 and CD-23")
    arguments = parser.parse_args()
    readings: list[dict[str, str]] = [{}]
    if arguments.readings:
        readings = [
            {"small_region_scoring": small, "final_scoring": final}
            for small, final in itertools.product(("open", "closed"), ("open", "closed", "actual"))
        ]
    for rules in readings:
        print(f"rules: {rules or 'default'}")
        for seats in itertools.product(arguments.players, repeat=arguments.seats):
            report(seats, arguments.games, arguments.seed, rules)


if __name__ == "__main__":
    main()
