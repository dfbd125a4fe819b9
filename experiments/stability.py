"""Do analyses say the same with other seeds? Measures it on positions of random games.

    python experiments/stability.py --positions 4 --repetitions 20
    python experiments/stability.py azul --simulations 20000

Every position is analysed again and again, each time with another seed. Told are, of all repetitions after the first,
the share whose first move is that of the first or is worth as much but for 0.02 there, the median difference between
two values of one move, the share of precisions that hold (how often the distance from the best differs from its mean by
no more than the precision says, 0.95 if that is right), the share of distances that are known well, and seconds.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from itertools import pairwise

import numpy as np

from ludens.agents.analysis import analyse_view
from ludens.core import registry
from ludens.core.match import Match
from ludens.core.rng import generator, pick
from ludens.core.spec import Game
from ludens.search.candidates import Analysis
from ludens.search.measuring import PRECISION

__all__ = ["positions", "told"]

_STREAM = 23  # of the random games
_LEAST = 4  # legal moves of a position worth asking about


def positions(game: Game, count: int) -> list[Match]:
    """Positions of random games, from their beginnings to their ends; the game is over in none."""
    found: list[Match] = []
    number = 0
    while len(found) < count:
        rng, match = generator(number, _STREAM), Match(game, game.spec.tournament, number)
        chances: list[Match] = []
        while not match.over and match.ply < 400:
            legal = match.legal()
            if len(legal) >= _LEAST:
                chances.append(match.copy())
            match.play(int(legal[pick(rng, len(legal))]))
        if chances:
            part = (len(found) + 0.5) / count
            found.append(chances[int(part * len(chances))])
        number += 1
    return found


def told(analyses: list[Analysis]) -> dict[str, list[float]]:
    """What the analyses of one position say of their stability."""
    first = {move.action: move for move in analyses[0].candidates}
    values, distances = defaultdict(list), defaultdict(list)
    for analysis in analyses:
        for move in analysis.candidates:
            values[move.action].append(move.result)
            distances[move.action].append((move.behind, move.precision))
    agree = []
    for analysis in analyses[1:]:
        again = first.get(analysis.candidates[0].action)
        agree.append(float(again is not None and again.behind <= PRECISION))
    hold = [
        float(abs(behind - np.mean([other for other, _ in known])) <= precision)
        for known in distances.values()
        for behind, precision in known
        if len(known) > len(analyses) // 2
    ]
    return {
        "first move": agree,
        "difference": [abs(a - b) for own in values.values() for a, b in pairwise(own)],
        "precision holds": hold,
        "known": [float(move.known) for analysis in analyses for move in analysis.candidates],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="by default all")
    parser.add_argument("--positions", type=int, default=4)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=None, help="of an analysis; by default what hints take")
    arguments = parser.parse_args()
    for name in arguments.games or registry.names():
        game, begun = registry.game(name), 0.0
        sums: dict[str, list[float]] = defaultdict(list)
        for match in positions(game, arguments.positions):
            ask = {"simulations": arguments.simulations, "options": match.options}
            view, seat = match.view(match.actor), match.actor
            if not begun:  # compiling takes time that is not counted
                analyse_view(game, view, seat, simulations=1, options=match.options)
                begun = time.monotonic()
            analyses = [analyse_view(game, view, seat, seed=seed, **ask) for seed in range(arguments.repetitions)]
            for key, own in told(analyses).items():
                sums[key] += own
        seconds = (time.monotonic() - begun) / (arguments.positions * arguments.repetitions)
        print(
            f"{name}: first move {np.mean(sums['first move']):.3f}, median difference "
            f"{np.median(sums['difference']):.4f}, precision holds {np.mean(sums['precision holds']):.3f}, "
            f"known {np.mean(sums['known']):.2f}, {seconds:.2f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
