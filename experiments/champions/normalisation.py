"""Does a network learn more of the same games if its trunk is normalised? Azul for two, small, on one core.

    python experiments/champions/normalisation.py azul2_cpu.toml --iterations 240 --games 200

Both networks begin with the same seed and play equally many decisions; their bare policies are judged by games against
`random` and `heuristic` as they go.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a bare checkout, not installed

from experiments.champions.runs import read
from ludens.core.registry import game
from ludens.lab.series import run as play
from ludens.learn.ppo import PPO


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run")
    parser.add_argument("--iterations", type=int, default=240)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--points", type=int, default=8, help="how often a network is judged")
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE")
    given = parser.parse_args()
    described = read(Path(__file__).parent / given.run, given.set)
    found = game(described.game)
    learners = {on: PPO(described.setup(schedule=given.iterations, normalise=on)) for on in (1, 0)}
    for learner in learners.values():
        learner.start()
    spent = dict.fromkeys(learners, 0.0)
    for point in range(1, given.points + 1):
        for on, learner in learners.items():
            began, figures = time.process_time(), {}
            while learner.iteration < given.iterations * point // given.points:
                figures = learner.step(learner.iteration)
            spent[on] += time.process_time() - began
            with tempfile.TemporaryDirectory() as folder:
                file = learner.trained_network().save(Path(folder) / "net.safetensors")
                shares = []
                for other in ("random", "heuristic"):
                    result = play(found, [f"net:{file}", other], given.games, 1, None, described.options, 1)
                    shares.append(f"{result.agents[0].win_share:.1%} against {other}")
            words = ", ".join(f"{key} {figures[key]:.3f}" for key in ("value_loss", "entropy"))
            print(
                f"normalise={on}: {learner.decisions:,} decisions, {spent[on]:.0f} s of one core, "
                f"{' and '.join(shares)}, {words}",
                flush=True,
            )


if __name__ == "__main__":
    main()
