"""The learning potential player in the thesis' tournaments, and bred coefficients (CD-67 … CD-80, CD-121, CD-134).

    python experiments/discovery/learning.py tournament --out runs/discovery          # PL, H-Gr, H-Pot and H-Rnd
    python experiments/discovery/learning.py tournament --out runs/discovery --slow   # MC and Ex-2 too: minutes
    python experiments/discovery/learning.py gradient --out runs/discovery            # the descent, three seeds
    python experiments/discovery/learning.py genetic --out runs/discovery             # the genetic search, three seeds
    python experiments/discovery/learning.py curves --out runs/discovery              # learning.png of both
    python experiments/discovery/learning.py compare --out runs/discovery             # learned against bred

PL learns all the time and all games count, as in the thesis: 64 games with every opponent on every seat, from the
default coefficients. The same tournaments as experiments with reports, and with three players too, are
learning_quick.toml and learning_full.toml. Sets of coefficients, results and curves lie in the folder; a run that was
broken off goes on where it stopped.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a bare checkout, not installed

from ludens.core import registry
from ludens.games.discovery.players.coefficients import pick_set, read_sets, write_sets
from ludens.lab.series import run
from ludens.lab.statistics import mean_interval
from ludens.learn.algorithms import algorithm_for
from ludens.learn.plan import make_plan
from ludens.learn.training import Training
from ludens.play.game import play_game
from ludens.play.schedule import game_seed

THEIRS = {"all": 103.01, "H-Pot alone": 97.92}
"""Mean points in the thesis, two players, all opponents (CD-134)."""
_SEED = 60
DATA = Path(registry.__file__).resolve().parents[1] / "games" / "discovery" / "data" / "coefficients"


def tournament(out: Path, games: int, opponents: list[str]) -> None:
    game = registry.game("discovery")
    options = game.options({"players": 2})
    for opponent in opponents:
        for seat in range(2):
            file = out / f"PL-{opponent}-{seat}.jsonl"
            done = len(file.read_text().splitlines()) if file.exists() else 0
            sets = [out / f"{opponent}-{seat}-set{p}.json" for p in range(2)]
            with file.open("a") as results:
                for index in range(done, games):
                    learns = [p == seat or opponent == "PL" for p in range(2)]
                    codes = [f"learning:save={sets[p]}" if learns[p] else opponent for p in range(2)]
                    points = play_game(game, options, codes, game_seed(_SEED, index)).scores
                    results.write(json.dumps({"game": index, "own": points[seat], "other": points[1 - seat]}) + "\n")
                    results.flush()
            if opponent == "PL":
                break
    show(out, opponents)


def show(out: Path, opponents: list[str]) -> None:
    print("| PL against | games | won | points (95 %) | lead, first 16 games → last 16 |\n|---|---|---|---|---|")
    every = []
    for opponent in opponents:
        own, lead, early, late = [], [], [], []
        for file in sorted(out.glob(f"PL-{opponent}-*.jsonl")):
            rows = [json.loads(line) for line in file.read_text().splitlines()]
            own += [row["own"] for row in rows]
            both = [row["own"] - row["other"] for row in rows]
            lead += both
            early += both[:16]
            late += both[-16:]
        if len(own) > 1:
            low, high = mean_interval(own) or (0.0, 0.0)
            won = np.mean([1.0 if d > 0 else 0.5 if d == 0 else 0.0 for d in lead])
            change = f"{np.mean(early):+.1f} → {np.mean(late):+.1f}"
            print(f"| {opponent} | {len(own)} | {won:.0%} | {np.mean(own):.1f} ({low:.1f} – {high:.1f}) | {change} |")
            every.append(float(np.mean(own)))
    print(f"mean over these opponents {np.mean(every):.1f}; the thesis: {THEIRS}")


def trained(algorithm: str, seed: int, steps: int, report_every: int, out: Path) -> Training:
    """A training from nothing, finished now if it was not."""
    game = registry.game("discovery")
    config = {"seed": seed, "steps": steps, "report_every": report_every, "evaluate_every": steps}
    place, found = out / f"{algorithm}-{seed}", algorithm_for(game, algorithm)
    training = Training(game, found, *make_plan(game, found, config), place)
    training.begin(resume=(place / "checkpoint.json").exists())
    training.run()
    return training


def told(training: Training, figure: str) -> str:
    """First and last value of a figure, and what the agent then won."""
    rows, proof = training.rows, training.evaluations
    won = "; ".join(f"{e.won:.0%} ({e.low:.0%} – {e.high:.0%}) against {e.opponents}" for e in proof)
    return f"{figure} {rows[0][figure]:+.1f} → {rows[-1][figure]:+.1f}; {won}"


def gradient(out: Path, seeds: range) -> None:
    """256 games in turn with H-Gr and H-Pot on both seats; rows are means of 32."""
    for seed in seeds:
        print(f"seed {seed}: {told(trained('gradient', seed, 256, 32, out), 'lead')}", flush=True)


def genetic(out: Path, seeds: range, generations: int) -> None:
    for seed in seeds:
        print(f"seed {seed}: {told(trained('genetic', seed, generations, 1, out), 'mean_lead')}", flush=True)


def curves(out: Path) -> None:
    """Leads of the games of both learners, as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(14, 4))
    shown = (
        ("gradient", "lead", "games"),
        ("gradient", "squared_error", "games"),
        ("genetic", "mean_lead", "generations"),
    )
    for axis, (algorithm, name, unit) in zip(axes, shown, strict=True):
        for file in sorted(out.glob(f"{algorithm}-*/curve.csv")):
            rows = list(csv.DictReader(file.open()))
            axis.plot([float(row["step"]) for row in rows], [float(row[name]) for row in rows], label=file.parent.name)
        axis.set(xlabel=unit, title=f"{algorithm}: {name.replace('_', ' ')}")
        axis.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(out / "learning.png", dpi=120)
    print(out / "learning.png")


def compare(out: Path, games: int) -> None:
    """Learned and bred coefficients against each other and the formula without learning, frozen."""
    pairs = [("PL", "H-Pot"), ("PL", "H-Gr")]
    for file in sorted(out.glob("genetic-[0-9]/agent.json")):
        bred = f"learning:load={file}"
        pairs += [(bred, "H-Pot"), (bred, "H-Gr"), (bred, "PL")]
    for pair in pairs:
        own = run(registry.game("discovery"), list(pair), games, seed=900).agents[0]
        print(f"{pair[0]} – {pair[1]}: {own.win_share:.1%} ({own.interval[0]:.1%} – {own.interval[1]:.1%})", flush=True)


def ship(out: Path, opponents: list[str]) -> None:
    """Puts the sets of the tournament into the package: one an opponent and seat, and their mean for any opponent."""
    sets = {}
    for opponent in opponents:
        for seat in range(2):
            file = out / f"{opponent}-{seat if opponent != 'PL' else 0}-set{seat}.json"
            if file.exists():
                sets[f"{opponent}/{seat}"] = np.float32(pick_set(read_sets(file)[0], "any", seat)).astype(float)
    for seat in range(2):
        sets[f"any/{seat}"] = np.mean([values for name, values in sets.items() if name.endswith(f"/{seat}")], axis=0)
    write_sets(DATA / "thesis.json", sets, {"rate": 0.005, "training": "experiments/discovery/learning.py tournament"})


def ship_bred(out: Path) -> None:
    """Puts the coefficients of the genetic search with seed 0 into the package: those of the agent `bred`."""
    sets, facts = read_sets(out / "genetic-0" / "agent.json")
    values = np.float32(sets["any/0"]).astype(float)  # all seats have the same
    write_sets(DATA / "bred.json", {f"any/{seat}": values for seat in range(5)}, {"training": facts["training"]})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("tournament", "gradient", "genetic", "curves", "compare", "ship", "ship-bred"))
    parser.add_argument("--out", type=Path, default=Path("runs/discovery"))
    parser.add_argument("--games", type=int, default=64, help="with every opponent on every seat")
    parser.add_argument("--generations", type=int, default=40)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--slow", action="store_true", help="with MC and Ex-2")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    opponents = ["H-Gr", "H-Pot", "H-Rnd", "PL", *(["Ex-2", "MC"] if given.slow else [])]
    if given.what == "tournament":
        tournament(given.out, given.games, opponents)
    elif given.what == "gradient":
        gradient(given.out, range(given.seeds))
    elif given.what == "curves":
        curves(given.out)
    elif given.what == "genetic":
        genetic(given.out, range(given.seeds), given.generations)
    elif given.what == "compare":
        compare(given.out, given.games)
    elif given.what == "ship-bred":
        ship_bred(given.out)
    else:
        ship(given.out, opponents)


if __name__ == "__main__":
    main()
