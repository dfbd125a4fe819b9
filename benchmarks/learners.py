"""Decisions a second that a learner of `ludens train` makes, playing and learning, the update included.

python benchmarks/learners.py azul ppo --opponent heuristic                  # of CPU time on one core
python benchmarks/learners.py azul dqn --opponent random --set threads=2     # by the clock on two
python benchmarks/learners.py azul ppo --opponent heuristic --set device='"cuda"' games=65536
"""

from __future__ import annotations

import argparse
import time
import tomllib

from ludens.core import registry
from ludens.learn.algorithms import algorithm_for
from ludens.learn.learner import Setup
from ludens.learn.plan import make_plan


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("algorithm", choices=("ppo", "dqn"))
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE")
    parser.add_argument("--first", type=int, default=8, help="steps before the measurement, which fill memories")
    parser.add_argument("--steps", type=int, default=4)
    given = parser.parse_args()
    game = registry.game(given.game)
    algorithm = algorithm_for(game, given.algorithm)
    config = {"opponents": [given.opponent], "settings": tomllib.loads("\n".join(given.set))}
    plan, options, settings = make_plan(game, algorithm, config)
    alone = settings.threads == 1 and getattr(settings, "device", "cpu") == "cpu"
    clock = time.process_time if alone else time.monotonic
    learner = algorithm.make(Setup(game, game.options(options), settings, 1, plan.opponents))
    learner.start()
    for k in range(given.first):
        learner.step(k)
    learner.save()  # what a GPU still computes is waited for
    began = clock()
    for k in range(given.first, given.first + given.steps):
        learner.step(k)
    learner.save()
    rate = given.steps * settings.games * settings.length / (clock() - began)
    measure = "of CPU time on one core" if alone else "by the clock"
    print(f"{algorithm.name} against {given.opponent}: {rate:,.0f} own decisions a second {measure}")


if __name__ == "__main__":
    main()
