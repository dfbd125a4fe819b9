"""Q-learning on the grid: the set-up that failed in the thesis and the improved one (SY-55 … SY-60, SY-70).

    python experiments/scotland_yard/learning.py train --out runs/grid    # both set-ups, 100,000 games, three seeds
    python experiments/scotland_yard/learning.py table --out runs/grid    # what they win against v4, beside the others
    python experiments/scotland_yard/learning.py curves --out runs/grid   # learning.png, a line for every set-up

A training that was broken off goes on where it stopped. `ablations` leaves one improvement out at a time.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a bare checkout, not installed

from ludens.core import registry
from ludens.games.scotland_yard.players.tabular.agent import read_table, write_table
from ludens.lab.series import run
from ludens.learn.algorithms import algorithm_for
from ludens.learn.plan import make_plan
from ludens.learn.training import Training

SETUPS: dict[str, dict[str, Any]] = {
    "improved": {},
    "thesis": {"form": "thesis", "exploration": "sum", "final_alpha": 0.1, "final_epsilon": 0.3},
    "thesis-epsilon": {"form": "thesis", "credit": "step"},  # its table and moves, ordinary credit and exploration
    "no-reveals": {"reveal": 0.0},  # improved, but rewarded at the end alone (SY-60)
    "no-symmetry": {"form": "unfolded"},  # improved, but every situation for itself (SY-57)
    "joint-moves": {"form": "joint"},  # improved, but one decision for both detectives (SY-59)
}


def trained(setup: str, seed: int, steps: int, folder: Path) -> Training:
    game = registry.game("scotland_yard_grid")
    algorithm = algorithm_for(game, "q-learning")
    config = {
        "seed": seed,
        "steps": steps,
        "report_every": 10,
        "checkpoint_every": 50,
        "evaluate_every": steps,
        "settings": {"schedule": steps, **SETUPS[setup]},
    }
    place = folder / f"{setup}-{seed}"
    training = Training(game, algorithm, *make_plan(game, algorithm, config), place)
    training.begin(resume=(place / "checkpoint.json").exists())
    training.run()
    return training


def train(out: Path, seeds: range, steps: int, setups: list[str]) -> None:
    for seed in seeds:
        for setup in setups:
            rows = trained(setup, seed, steps, out).rows
            names = ("won", "rounds", "learned_actions")
            first, last = ({key: row[key] for key in names} for row in (rows[0], rows[-1]))
            told = ", ".join(f"{key} {first[key]:.2f} → {last[key]:.2f}" for key in first)
            print(f"{setup}, seed {seed}, means of 1,000 games: {told}", flush=True)


def table(out: Path, seeds: range, games: int, setups: list[str]) -> None:
    """Wins of the detectives against Mr. X of the thesis, on the same placements for all."""
    game = registry.game("scotland_yard_grid")
    codes = {"random": "random", "v1": "v1", "v4": "v4", "packaged": "table"}
    for setup in setups:
        for seed in seeds:
            codes[f"{setup}, seed {seed}"] = f"table:table={out / f'{setup}-{seed}' / 'agent.json'}"
    print("| detectives | won against v4 (95 %) | thesis |\n|---|---|---|")
    theirs = {"v1": "92 %", "v4": "89 %", "thesis, seed 0": "as random"}
    for name, code in codes.items():
        own = run(game, ["v4", code], games, seed=3000, rotating=False).agents[1]
        interval = f"{own.interval[0]:.1%} – {own.interval[1]:.1%}"
        print(f"| {name} | {own.win_share:.1%} ({interval}) | {theirs.get(name, '–')} |", flush=True)


def curves(out: Path) -> None:
    """Rounds and reward of every training, as means of 1,000 games (SY-56)."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(14, 4))
    for colour, setup in enumerate(SETUPS):  # a colour for each set-up, a line for each seed
        for number, file in enumerate(sorted(out.glob(f"{setup}-[0-9]/curve.csv"))):
            rows = list(csv.DictReader(file.open()))
            x = [100 * float(row["step"]) for row in rows]
            for axis, name in zip(axes, ("rounds", "reward", "won"), strict=True):
                axis.plot(x, [float(row[name]) for row in rows], f"C{colour}", label="" if number else setup, lw=1)
                axis.set(xlabel="games", title=name)
    axes[2].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(out / "learning.png", dpi=120)
    print(out / "learning.png")


def summary(out: Path) -> None:
    """Every set-up in a line: means of the first and the last 1,000 games, and what the table then won, by seeds."""
    print("| set-up | games | won, first → last | rounds, first → last | the table against v4 |\n|---|---|---|---|---|")
    for setup in SETUPS:
        folders = sorted(path.parent for path in out.glob(f"{setup}-[0-9]/curve.csv"))
        told: dict[str, list[str]] = {"won": [], "rounds": [], "table": []}
        games = []
        for folder in folders:
            rows = list(csv.DictReader((folder / "curve.csv").open()))
            games.append(f"{100 * float(rows[-1]['step']):,.0f}")
            first, last = rows[0], rows[-1]
            told["won"].append(f"{float(first['won']):.0%} → {float(last['won']):.0%}")
            told["rounds"].append(f"{float(first['rounds']):.1f} → {float(last['rounds']):.1f}")
            proof = list(csv.DictReader((folder / "evaluations.csv").open()))
            told["table"].append(f"{float(proof[-1]['won']):.0%}" if proof else "–")
        if folders:
            cells = [setup, ", ".join(sorted(set(games))), *(", ".join(cell) for cell in told.values())]
            print(f"| {' | '.join(cells)} |")


def ship(out: Path) -> None:
    """Puts the improved table of seed 0 into the package."""
    data = Path(registry.__file__).resolve().parents[1] / "games" / "scotland_yard" / "data" / "q-learning.table.json"
    facts = {"training": "python experiments/scotland_yard/learning.py train, improved, seed 0"}
    write_table(data, read_table(out / "improved-0" / "agent.json"), facts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("train", "ablations", "table", "curves", "ship"))
    parser.add_argument("--out", type=Path, default=Path("runs/grid"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=1000, help="hundreds of games")
    parser.add_argument("--games", type=int, default=1000, help="of each line of the table")
    given = parser.parse_args()
    seeds, both = range(given.seeds), ["improved", "thesis"]
    given.out.mkdir(parents=True, exist_ok=True)
    if given.what == "train":
        train(given.out, seeds, given.steps, both)
    elif given.what == "ablations":
        train(given.out, seeds, given.steps, list(SETUPS))
    elif given.what == "table":
        table(given.out, seeds, given.games, [s for s in SETUPS if (given.out / f"{s}-0" / "agent.json").exists()])
    elif given.what == "curves":
        curves(given.out)
        summary(given.out)
    else:
        ship(given.out)


if __name__ == "__main__":
    main()
