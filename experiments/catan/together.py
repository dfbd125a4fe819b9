"""λ = 0, 0.8 and 1 learn from nothing at one table with the frozen winner; seats rotate (CA-75).

python experiments/catan/together.py --out runs/catan    # a table for every seed, and together.png of README.md
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from ludens.core import registry
from ludens.core.files import write_text
from ludens.games.catan.players.linear.files import load_model
from ludens.games.catan.players.linear.table import LinearTask
from ludens.games.catan.players.thesis_features import EXPANDED
from ludens.learn.linear import LinearLearner, LinearTraining, learn_game
from ludens.play.schedule import game_seed

TRACES = (0.0, 0.8, 1.0)


def play(out: Path, seed: int, games: int) -> None:
    """Plays the games of a seed and writes the victories of every hundred."""
    game = registry.game("catan")
    frozen = load_model("modrozoubek")
    task = LinearTask(game, game.options(LinearTask.options), "points", 3, 3)
    task.mean, task.deviation = frozen[EXPANDED : EXPANDED + 56], frozen[EXPANDED + 56 : EXPANDED + 112]
    at = task.table()
    learned = [np.zeros(EXPANDED) for _ in TRACES]
    settings = [LinearTraining(trace=trace) for trace in TRACES]
    wins = []
    for index in range(games):
        players = [(k + index) % 4 for k in range(4)]  # which player sits on which seat; 3 is the frozen one
        learners: list[LinearLearner | None] = []
        for seat, player in enumerate(players):
            at.weights[seat][:] = frozen[:EXPANDED] if player == 3 else learned[player]
            learners.append(None if player == 3 else LinearLearner(settings[player], at.weights[seat]))
        epsilon = [0.0 if player == 3 else settings[0].epsilon(index) for player in players]
        winner = int(learn_game(at, learners, game_seed(900 + seed, index), epsilon)["winner"])
        wins.append(players[winner] if winner >= 0 else -1)
        for seat, player in enumerate(players):
            if player < 3:
                learned[player][:] = at.weights[seat]
    rows = ["game,lambda_0,lambda_0.8,lambda_1,frozen"]
    for start in range(0, games - 99, 100):
        part = wins[start : start + 100]
        rows.append(",".join(map(str, [start + 100, *(part.count(player) for player in range(4))])))
    write_text(out / f"together-{seed}.csv", "\n".join(rows) + "\n")
    print(f"seed {seed}, wins of the first and the last 100 games: {rows[1]}; {rows[-1]}", flush=True)


def draw(out: Path) -> None:
    """The victories of every run that is there, and their means."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    runs = [np.loadtxt(file, delimiter=",", skiprows=1, ndmin=2) for file in sorted(out.glob("together-[0-9].csv"))]
    figure, axis = pyplot.subplots(figsize=(7, 4))
    for player, label in enumerate(("λ = 0", "λ = 0.8", "λ = 1", "frozen, λ = 1"), 1):
        for wins in runs:
            axis.plot(wins[:, 0], wins[:, player], f"C{player}", lw=0.5, alpha=0.4)
        axis.plot(runs[0][:, 0], np.mean([wins[:, player] for wins in runs], axis=0), f"C{player}", label=label)
    axis.set(xlabel="games", title="victories in 100 games, learning together: each run and the mean")
    axis.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(out / "together.png", dpi=120)
    print(out / "together.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/catan"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--games", type=int, default=5000)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for seed in range(given.seeds):
        play(given.out, seed, given.games)
    draw(given.out)


if __name__ == "__main__":
    main()
