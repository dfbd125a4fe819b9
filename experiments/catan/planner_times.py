"""CPU seconds that each of the four players of CA-76 thinks in a game, and a digest of every game's log.

python experiments/catan/planner_times.py --games 12
"""

from __future__ import annotations

import argparse
import hashlib
import time
from itertools import permutations

from ludens.agents.codes import make_agent
from ludens.core.agent import Clock, Seating
from ludens.core.match import Match
from ludens.core.registry import game

__all__ = ["think_times"]

_NAMES = ("houba", "piskot", "zofka", "lisak")
_OPTIONS = {"players": 4, "preset": "thesis", "board": "variable", "turn_limit": 500}


def think_times(seed: int) -> tuple[dict[str, float], str]:
    """CPU seconds by player in the game of this seed, and the digest of its log."""
    catan, order = game("catan"), list(permutations(_NAMES))[seed % 24]
    match = Match(catan, _OPTIONS, seed)
    agents = [make_agent(catan, f"{name}:epsilon=0.05") for name in order]
    for seat, agent in enumerate(agents):
        agent.start(Seating(catan, match.options, seat, 1000 + seed))
    seconds = dict.fromkeys(_NAMES, 0.0)
    while not match.over:
        seat, view, legal = match.actor, match.view(match.actor), match.legal()
        begun = time.process_time()
        action = agents[seat].choose(view, legal, Clock())
        seconds[order[seat]] += time.process_time() - begun
        match.play(action)
    return seconds, hashlib.sha256(repr(match.log).encode()).hexdigest()[:16]


def main() -> None:
    parser = argparse.ArgumentParser(description="CPU seconds of the four players of CA-76.")
    parser.add_argument("--games", type=int, default=12)
    given = parser.parse_args()
    think_times(0)  # compiled code is loaded
    total = dict.fromkeys(_NAMES, 0.0)
    for seed in range(given.games):
        seconds, digest = think_times(seed)
        for name in _NAMES:
            total[name] += seconds[name]
        print(seed, digest, *(f"{name} {seconds[name]:.3f}" for name in _NAMES), flush=True)
    means = [total[name] / given.games for name in _NAMES]
    print("mean", *(f"{name} {mean:.3f}" for name, mean in zip(_NAMES, means, strict=True)), f"all {sum(means):.3f}")


if __name__ == "__main__":
    main()
