"""The thesis' experiments with learning in Catan, ours next to theirs (CA-38, CA-70 … CA-76).

    python experiments/catan/learning.py train --out runs/catan            # λ = 0, 0.8, 1: 5,200 games, three seeds
    python experiments/catan/learning.py table --out runs/catan            # the three, frozen, and a random player
    python experiments/catan/learning.py together --out runs/catan         # learning from nothing beside the winner
    python experiments/catan/learning.py rewards --out runs/catan          # points against victories as the reward
    python experiments/catan/learning.py expectimax                        # Houba, Piškot, Žofka and Lišák
    python experiments/catan/learning.py curves --out runs/catan           # learning.png and together.png of README.md
    python experiments/catan/learning.py curves --names sarsa td-lambda boruvka dratek --picture others.png
    python experiments/catan/learning.py curves --names boruvka dratek --picture named.png

A training that was broken off goes on where it stopped. `--seeds` and `--games` make all of them shorter.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a bare checkout, not installed

from ludens.core import registry
from ludens.core.files import write_text
from ludens.games.catan.players.linear.files import load_model, read_model
from ludens.games.catan.players.linear.task import LinearTask
from ludens.games.catan.players.thesis_features import EXPANDED
from ludens.lab.series import run
from ludens.lab.statistics import share_interval
from ludens.learn.algorithms import algorithm_for
from ludens.learn.linear import LinearLearner, LinearSettings, game_seed, learn_game
from ludens.learn.plan import make_plan
from ludens.learn.training import Training

TRACES = (0.0, 0.8, 1.0)
TRACED = ("anca", "turbo", "modrozoubek")
"""Who learned by these."""
OPTIONS = LinearTask.options
VARIANTS = {  # what the named agents learned by; settings and options of the training
    "turbo": ({"trace": 0.8}, {}, "true-online"),
    "anca": ({"trace": 0.0}, {}, "true-online"),
    "modrozoubek": ({"trace": 1.0}, {}, "true-online"),
    "beruska": ({"trace": 1.0, "reward": "win"}, {}, "true-online"),
    "boruvka": ({"trace": 1.0}, {"board": "beginner"}, "true-online"),
    "dratek": ({}, {}, "monte-carlo"),
    "sarsa": ({}, {}, "sarsa"),
    "td-lambda": ({"trace": 1.0}, {}, "td-lambda"),
}

LEARNED_BY = {
    "turbo": "λ = 0.8",
    "anca": "λ = 0",
    "modrozoubek": "λ = 1",
    "beruska": "λ = 1, victories",
    "boruvka": "λ = 1, beginner board",
    "dratek": "Monte Carlo",
    "sarsa": "SARSA",
    "td-lambda": "TD(λ), λ = 1",
}


def trained(name: str, seed: int, games: int, folder: Path) -> Training:
    """The training of a variant, finished now if it was not."""
    game = registry.game("catan")
    settings, options, rule = VARIANTS[name]
    algorithm = algorithm_for(game, rule)
    config = {
        "seed": seed,
        "steps": games,
        "report_every": 50,
        "checkpoint_every": 200,
        "evaluate_games": 0,
        "settings": settings,
        "options": options,
    }
    place = folder / f"{name}-{seed}"
    training = Training(game, algorithm, *make_plan(game, algorithm, config), place)
    training.begin(resume=(place / "checkpoint.json").exists())
    training.run()
    return training


def moving(rows: Sequence[dict[str, float]], name: str, window: int = 200) -> np.ndarray:
    """Averages over 200 games (CA-73) from rows of 50."""
    values = np.array([float(row[name]) for row in rows])
    k = window // 50
    return np.convolve(values, np.ones(k) / k, "valid") if len(values) >= k else values


def train(out: Path, seeds: range, games: int, names: Sequence[str]) -> None:
    for seed in seeds:
        for name in names:
            rows = trained(name, seed, games, out).rows
            first, last = (moving(rows, "turns")[k] for k in (0, -1))
            low, high = (moving(rows, "losers_points")[k] for k in (0, -1))
            points = f"losers' points {low:.2f} → {high:.2f}"
            print(f"{name}, seed {seed}: turns {first:.1f} → {last:.1f}, {points}", flush=True)


def table(out: Path, seeds: range, games: int) -> None:
    """CA-74: the three agents and a random player at one table."""
    print("| seed | λ = 0 | λ = 0.8 | λ = 1 | random |\n|---|---|---|---|---|")
    print("| thesis | – | – | 55 % | – |")
    for seed in seeds:
        codes = [f"linear:weights={out / f'{name}-{seed}' / 'agent.json'}" for name in TRACED]
        result = run(registry.game("catan"), [*codes, "bahnak"], games, seed=500 + seed, options=OPTIONS)
        shares = [f"{s.win_share:.1%} ({s.interval[0]:.1%} – {s.interval[1]:.1%})" for s in result.agents]
        print(f"| {seed} | {' | '.join(shares)} |", flush=True)


def together(out: Path, seeds: range, games: int) -> None:
    """CA-75: λ = 0, 0.8, 1 learn from nothing at one table with the frozen winner; seats rotate."""
    game = registry.game("catan")
    frozen = load_model("modrozoubek")
    for seed in seeds:
        task = LinearTask(game, game.options(OPTIONS), "points", 3, 3)
        task.mean, task.deviation = frozen[EXPANDED : EXPANDED + 56], frozen[EXPANDED + 56 : EXPANDED + 112]
        at = task.table()
        learned = [np.zeros(EXPANDED) for _ in TRACES]
        settings = [LinearSettings(trace=trace) for trace in TRACES]
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


def rewards(out: Path, seeds: range, games: int) -> None:
    """CA-38: agents trained for points and for victories, two seats each, frozen."""
    print("| seed | games | points | victories |\n|---|---|---|---|\n| thesis | 440 | 271 | 169 |")
    for seed in seeds:
        codes = [f"linear:weights={out / f'{name}-{seed}' / 'agent.json'}" for name in ("modrozoubek", "beruska")]
        result = run(registry.game("catan"), codes, games, seed=700 + seed, players=4, options=OPTIONS)
        print(f"| {seed} | {games} | {' | '.join(str(s.wins) for s in result.agents)} |", flush=True)


def expectimax(games: int) -> None:
    """CA-76: the same weights with and without a search, ε = 0.05."""
    names = ("houba", "piskot", "zofka", "lisak")
    codes = [f"{name}:epsilon=0.05" for name in names]
    result = run(registry.game("catan"), codes, games, options=OPTIONS)
    print("| agent | wins | share (95 %) | thesis, 1045 games |\n|---|---|---|---|")
    for name, standing, theirs in zip(names, result.agents, (214, 235, 292, 304), strict=True):
        low, high = share_interval(theirs, 1045)
        print(
            f"| {name} | {standing.wins} | {standing.win_share:.1%} ({standing.interval[0]:.1%} – "
            f"{standing.interval[1]:.1%}) | {theirs / 1045:.1%} ({low:.1%} – {high:.1%}) |"
        )


def curves(out: Path, names: Sequence[str], name_of_picture: str) -> None:
    """Both curves of CA-73 for every training of these that is there, as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4))
    for colour, name in enumerate(names):  # a colour for each variant, a line for each seed
        for number, file in enumerate(sorted(out.glob(f"{name}-[0-9]/curve.csv"))):
            rows = list(csv.DictReader(file.open()))
            if len(rows) < 4:
                continue
            x, label = 200 + 50 * np.arange(len(rows) - 3), "" if number else f"{name}: {LEARNED_BY[name]}"
            left.plot(x, moving(rows, "turns"), f"C{colour}", label=label, lw=1)
            right.plot(x, moving(rows, "losers_points"), f"C{colour}", label=label, lw=1)
    left.set(xlabel="games", title="turns of a game, mean of 200")
    right.set(xlabel="games", title="mean points of the losers, mean of 200")
    left.legend(fontsize=7)
    figure.tight_layout()
    picture = out / name_of_picture
    figure.savefig(picture, dpi=120)
    print(picture)
    runs = [np.loadtxt(file, delimiter=",", skiprows=1, ndmin=2) for file in sorted(out.glob("together-[0-9].csv"))]
    if not runs:
        return
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


def ship(out: Path, seed: int, names: Sequence[str]) -> None:
    """Puts trained weights into the package, rounded to single precision: the files of the named agents."""
    data = Path(registry.__file__).resolve().parents[1] / "games" / "catan" / "data" / "weights"
    for name in names:
        document = json.loads((out / f"{name}-{seed}" / "agent.json").read_text())
        for key in ("mean", "deviation", "weights"):
            document[key] = [float(str(np.float32(number))) for number in document[key]]
        write_text(data / f"{name}.json", json.dumps(document) + "\n")
        read_model(data / f"{name}.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("train", "table", "together", "rewards", "expectimax", "curves", "ship"))
    parser.add_argument("--out", type=Path, default=Path("runs/catan"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--games", type=int, help="by default as many as in the thesis")
    parser.add_argument("--names", nargs="+", choices=tuple(VARIANTS), default=list(TRACED))
    parser.add_argument("--picture", default="learning.png", help="what the curves are called")
    given = parser.parse_args()
    seeds = range(given.seeds)
    given.out.mkdir(parents=True, exist_ok=True)
    if given.what == "train":
        train(given.out, seeds, given.games or 5200, given.names)
    elif given.what == "table":
        table(given.out, seeds, given.games or 2000)
    elif given.what == "together":
        together(given.out, seeds, given.games or 5000)
    elif given.what == "rewards":
        rewards(given.out, seeds, given.games or 440)
    elif given.what == "expectimax":
        expectimax(given.games or 1045)
    elif given.what == "curves":
        curves(given.out, given.names, given.picture)
    else:
        ship(given.out, 0, given.names)


if __name__ == "__main__":
    main()
