"""PPO and DQN by reward and opponent: the thesis's six plots, those of DQN, and what the agents win (AZ-126 … AZ-136).

    python experiments/azul/learning.py train --out runs/azul    # all cells; what was broken off goes on
    python experiments/azul/learning.py judge --out runs/azul    # games of every trained agent: learning_results.csv
    python experiments/azul/learning.py show --out runs/azul     # plots, curves and the table of README.md
    python experiments/azul/learning.py recipe --out runs/azul   # recipe_ppo.toml and recipe_dqn.toml, judged
    python experiments/azul/learning.py speed                    # decisions a second of CPU time, update included
    python experiments/azul/learning.py teacher                  # what the game's prior wins, which the recipe copies
    python experiments/azul/learning.py ship --out runs/azul     # the recipes' networks become the agents ppo and dqn

A cell is an algorithm, a reward and the opponent it learns against; every cell is trained with several seeds.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a bare checkout, not installed

import numpy as np
import torch

from ludens.core import registry
from ludens.core.files import write_text
from ludens.lab.statistics import share_interval
from ludens.learn.algorithms import algorithm_for
from ludens.learn.configuration import read_config
from ludens.learn.learner import Setup
from ludens.learn.plan import make_plan
from ludens.learn.training import Training
from ludens.networks.network import load, load_for
from ludens.networks.torch_network import module_of
from ludens.play.batch import SeatedGames, Teacher
from ludens.play.opponents import Opponents

HERE = Path(__file__).resolve().parent
AZUL = registry.game("azul")
OPTIONS = AZUL.options({**AZUL.spec.tournament, "players": 2})
ALGORITHMS = ("ppo", "dqn")
REWARDS = {"immediate": 1, "wall": 2, "projected": 3, "result": 4}  # the thesis's numbers; the fourth is the result
OPPONENTS = ("heuristic", "random")
SCALES = {"immediate": 0.02, "wall": 0.05, "projected": 0.05, "result": 1.0}
PLACE = HERE.parents[1] / "ludens" / "games" / "azul" / "players" / "networks"

# None of these is the thesis's: it gives no value (AZ-112).
SETTINGS: dict[str, dict[str, Any]] = {
    "ppo": {"games": 128, "horizon": 32, "schedule": 60, "discount": 0.97},
    "dqn": {"games": 128, "horizon": 16, "schedule": 120, "discount": 0.97, "replay_size": 32768},
}
STEPS = {"ppo": 60, "dqn": 120}  # 245,760 decisions of the learner each


@dataclass(frozen=True)
class Cell:
    algorithm: str
    reward: str
    opponent: str

    @property
    def name(self) -> str:
        return f"{self.algorithm}-{self.reward}-{self.opponent}"

    @property
    def figure(self) -> str:
        """The thesis's number of the plot (AZ-127); DQN and the result have none there."""
        number = REWARDS[self.reward] + 3 * OPPONENTS.index(self.opponent)
        return f"8.{number}" if self.algorithm == "ppo" and REWARDS[self.reward] < 4 else "–"

    def config(self, seed: int) -> dict[str, Any]:
        settings = {**SETTINGS[self.algorithm], "reward": self.reward, "reward_scale": SCALES[self.reward]}
        steps = STEPS[self.algorithm]
        return {
            "seed": seed, "steps": steps, "report_every": steps // 30, "checkpoint_every": steps // 3,
            "evaluate_games": 0, "opponents": [self.opponent], "settings": settings,
        }  # fmt: skip


def cells() -> Iterator[Cell]:
    for opponent in OPPONENTS:
        for reward in REWARDS:
            for algorithm in ALGORITHMS:
                yield Cell(algorithm, reward, opponent)


def trained(config: dict[str, Any], algorithm: str, place: Path) -> Training:
    chosen = algorithm_for(AZUL, algorithm)
    training = Training(AZUL, chosen, *make_plan(AZUL, chosen, config), place)
    training.begin(resume=(place / "checkpoint.json").exists())
    training.run()
    return training


def train(out: Path, seeds: int, algorithms: list[str]) -> None:
    for seed in range(seeds):
        for cell in (cell for cell in cells() if cell.algorithm in algorithms):
            began = time.process_time()
            training = trained(cell.config(seed), cell.algorithm, out / f"{cell.name}-{seed}")
            row = training.rows[-1]
            told = ", ".join(f"{name} {row[name]:.2f}" for name in ("won", "points", "best_other"))
            print(f"{cell.name}, seed {seed}: {told}, {time.process_time() - began:.0f} s of CPU", flush=True)


# --- judging (AZ-133, AZ-134) ----------------------------------------------------------------


def judged(path: Path | None, opponent: str, games: int, greedy: bool, own: str = "") -> dict[str, float]:
    """Games of a network, or of the agent `own`, on both seats alternately; the seeds are unknown to training."""
    torch.set_num_threads(1)
    module = module_of(load(path)) if path is not None else None
    table = SeatedGames(AZUL, OPTIONS, games // 2, Opponents(AZUL, OPTIONS, games // 2, pool=[opponent]))
    table.start(2_000_000)
    out, adviser = table.out, Teacher(table, own) if own else None
    if adviser is not None:
        adviser.begin_step(2_000_000)
    random, left = torch.Generator().manual_seed(1), np.full(games // 2, 2)
    rows: list[tuple[float, float, float, float]] = []
    while (left > 0).any():
        with torch.no_grad():
            if adviser is not None:
                action = adviser.advice().argmax(1)
            else:
                assert module is not None
                logits = module(torch.tensor(out.features))[0].masked_fill(torch.tensor(out.mask) == 0, -1e9)
                noise = torch.empty_like(logits).exponential_(generator=random).log_()
                action = (logits if greedy else logits - noise).argmax(1).numpy()
        seats = table.batch.seats.copy()
        table.step(action)
        for i in np.flatnonzero((out.done == 1) & (left > 0)):
            left[i] -= 1
            seat, scores, rounds_played = seats[i], out.final_scores[i], float(table.batch.after[i]["round_number"])
            rows.append((out.final_returns[i, seat], scores[seat], scores[1 - seat], rounds_played))
    results, points, others, rounds = np.array(rows).T
    wins, shared = int((results > 0).sum()), int((results == 0).sum())
    low, high = share_interval(wins, games)
    lead = points - others
    return {
        "games": games, "wins": wins, "shared": shared, "losses": games - wins - shared,
        "won": wins / games, "low": low, "high": high, "points": points.mean(), "other_points": others.mean(),
        "lead": lead.mean(), "lead_error": 1.96 * lead.std() / games**0.5, "rounds": rounds.mean(),
    }  # fmt: skip


def judge(out: Path, seeds: int, games: int) -> None:
    """Every trained agent against both opponents, greedy and drawing; and the baselines (AZ-131)."""
    rows = []
    for name, other in (("random", "random"), ("heuristic", "random"), ("heuristic", "heuristic")):
        about = {"algorithm": name, "reward": "–", "learned_against": "–", "seed": "–", "choice": "–", "against": other}
        rows.append(about | judged(None, other, games, True, own=name))
    for cell in cells():
        for seed in range(seeds):
            path = out / f"{cell.name}-{seed}" / "agent.safetensors"
            if not path.exists():
                continue
            for other in OPPONENTS:
                for choice in ("greedy", "drawn"):
                    if choice == "drawn" and cell.algorithm == "dqn":
                        continue  # its numbers are values, not shares
                    about = {
                        "algorithm": cell.algorithm, "reward": cell.reward, "learned_against": cell.opponent,
                        "seed": seed, "choice": choice, "against": other,
                    }  # fmt: skip
                    rows.append(about | judged(path, other, games, choice == "greedy"))
                    print(", ".join(f"{k} {v}" for k, v in list(rows[-1].items())[:11]), flush=True)
    with (HERE / "learning_results.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({k: f"{v:.4g}" if isinstance(v, float) else v for k, v in row.items()})


# --- showing (AZ-132, AZ-136) ----------------------------------------------------------------


def curves(out: Path, cell: Cell, seeds: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Decisions, and a figure's curves [seeds, rows] by name."""
    kept = []
    for seed in range(seeds):
        path = out / f"{cell.name}-{seed}" / "curve.csv"
        if path.exists():
            kept.append([{k: float(v) for k, v in row.items()} for row in csv.DictReader(path.open())])
    if not kept:
        return np.zeros(0), {}
    per_step = SETTINGS[cell.algorithm]["games"] * SETTINGS[cell.algorithm]["length"]
    x = np.array([row["step"] for row in kept[0]]) * per_step
    return x, {name: np.array([[row[name] for row in rows] for rows in kept]) for name in kept[0][0]}


def show(out: Path, seeds: int) -> None:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "ludens"
    from matplotlib import pyplot

    lines = ["algorithm,reward,learned_against,decisions,seeds,won,won_low,won_high,points,best_other,reward_sum\n"]
    for algorithm in ALGORITHMS:
        figure, axes = pyplot.subplots(2, len(REWARDS), figsize=(3.1 * len(REWARDS), 5.2), sharex=True, sharey=True)
        for cell in cells():
            if cell.algorithm != algorithm:
                continue
            axis = axes[OPPONENTS.index(cell.opponent), list(REWARDS).index(cell.reward)]
            x, found = curves(out, cell, seeds)
            title = f"{cell.reward}, against {cell.opponent}"
            axis.set_title(f"figure {cell.figure}: {title}" if cell.figure != "–" else title, fontsize=8)
            axis.set_ylim(0, 1.02)
            axis.tick_params(labelsize=7)
            if not found:
                continue
            won = found["won"]
            axis.fill_between(x / 1000, won.min(0), won.max(0), alpha=0.25, linewidth=0)
            axis.plot(x / 1000, won.mean(0))
            for k, decisions in enumerate(x):
                means = [found[name][:, k].mean() for name in ("points", "best_other", "reward")]
                numbers = (won[:, k].mean(), won[:, k].min(), won[:, k].max(), *means)
                shown = ",".join(f"{number:.4g}" for number in numbers)
                lines.append(f"{algorithm},{cell.reward},{cell.opponent},{decisions:.0f},{len(won)},{shown}\n")
        for axis in axes[-1]:
            axis.set_xlabel("thousand decisions", fontsize=8)
        for axis in axes[:, 0]:
            axis.set_ylabel("won while learning", fontsize=8)
        figure.suptitle(f"{algorithm.upper()}: mean and range over seeds", fontsize=9)
        figure.tight_layout()
        figure.savefig(HERE / f"learning_{algorithm}.svg", metadata={"Date": None})
    write_text(HERE / "learning_curves.csv", "".join(lines))
    table()


def table() -> None:
    """The table of README.md, from learning_results.csv: seeds of a cell together."""
    with (HERE / "learning_results.csv").open() as file:
        rows = list(csv.DictReader(file))
    text = [
        "| figure | algorithm | reward | learned against | choice | seeds | won against heuristic | against random |",
        "|---|---|---|---|---|---|---|---|",
    ]
    keys = list(
        dict.fromkeys(tuple(row[k] for k in ("algorithm", "reward", "learned_against", "choice")) for row in rows)
    )
    for key in keys:
        mine = [
            row for row in rows if tuple(row[k] for k in ("algorithm", "reward", "learned_against", "choice")) == key
        ]
        shown = []
        for other in OPPONENTS:
            some = [row for row in mine if row["against"] == other]
            if not some:
                shown.append("–")
                continue
            games, wins = sum(int(row["games"]) for row in some), sum(int(row["wins"]) for row in some)
            low, high = share_interval(wins, games)
            shown.append(f"{wins / games:.1%} ({low:.1%} – {high:.1%}) of {games}")
        algorithm, reward, learned, choice = key
        figure = Cell(algorithm, reward, learned).figure if reward in REWARDS else "–"
        seeds = len({row["seed"] for row in mine})
        text.append(f"| {figure} | {algorithm} | {reward} | {learned} | {choice} | {seeds} | {shown[0]} | {shown[1]} |")
    readme = HERE / "README.md"
    before, _, rest = readme.read_text().partition("<!-- table -->\n")
    after = rest.partition("<!-- end of table -->")[2]
    write_text(readme, f"{before}<!-- table -->\n" + "\n".join(text) + f"\n<!-- end of table -->{after}")


# --- recipes, speed, shipping ----------------------------------------------------------------


def recipe(out: Path, seeds: int, games: int) -> None:
    """The committed recipes, seed by seed, judged against both opponents."""
    for algorithm in ALGORITHMS:
        path = HERE / f"recipe_{algorithm}.toml"
        for seed in range(1, seeds + 1) if path.exists() else ():
            began = time.process_time()
            place = out / f"recipe-{algorithm}-{seed}"
            trained({**read_config(path), "seed": seed}, algorithm, place)
            spent = time.process_time() - began
            for other in OPPONENTS:
                found = judged(place / "agent.safetensors", other, games, True)
                interval = f"({found['low']:.1%} – {found['high']:.1%})"
                shown = f"{found['won']:.1%} {interval} of {games} against {other}, {found['shared']} shared"
                print(f"{path.name}, seed {seed}, {spent:.0f} s of CPU: {shown}", flush=True)


def speed() -> None:
    """Decisions a second, playing and learning: of CPU time on one core, and by the clock on two."""
    for algorithm in ALGORITHMS:
        chosen = algorithm_for(AZUL, algorithm)
        for opponent in OPPONENTS:
            for threads, clock in ((1, time.process_time), (2, time.monotonic)):
                given = {"opponents": [opponent], "settings": {"threads": threads}}
                plan, options, settings = make_plan(AZUL, chosen, given)
                learner = chosen.make(Setup(AZUL, AZUL.options(options), settings, 1, plan.opponents))
                learner.start()
                first = 2 if algorithm == "ppo" else 8  # the memory is filled
                for k in range(first):
                    learner.step(k)
                began, steps = clock(), 4
                for k in range(first, first + steps):
                    learner.step(k)
                rate = steps * settings.games * settings.horizon / (clock() - began)
                measure = "of CPU time on one core" if threads == 1 else "by the clock on two cores"
                print(f"{algorithm} against {opponent}: {rate:,.0f} own decisions a second {measure}", flush=True)
    if torch.cuda.is_available():
        speed_on_gpu()


def speed_on_gpu() -> None:
    """Decisions a second by the clock, playing and learning on a GPU, with the default network of PPO."""
    ppo = algorithm_for(AZUL, "ppo")
    for against in (["heuristic"], ["random"], ["heuristic", "league"]):
        given = {"device": "cuda", "games": 65536, "against": against, "reward": "wall", "reward_scale": 0.02}
        _, options, settings = make_plan(AZUL, ppo, {"settings": given})
        learner = ppo.make(Setup(AZUL, AZUL.options(options), settings, 1, ("heuristic",)))
        learner.start()
        for k in range(3):
            learner.step(k)
        torch.cuda.synchronize()
        began, steps = time.monotonic(), 8
        for k in range(3, 3 + steps):
            learner.step(k)
        torch.cuda.synchronize()
        rate = steps * settings.games * settings.horizon / (time.monotonic() - began)
        print(f"ppo on a GPU against {' and '.join(against)}: {rate:,.0f} own decisions a second", flush=True)


def teacher(games: int) -> None:
    """The move that the game's prior likes best, against both opponents."""
    for other in OPPONENTS:
        found = judged(None, other, games, True, own="prior")
        interval = f"({found['low']:.1%} – {found['high']:.1%})"
        print(f"prior: {found['won']:.1%} {interval} of {games} against {other}, {found['shared']} shared", flush=True)


def ship(out: Path) -> None:
    """Puts the networks of the recipes, seed 1, into the package."""
    PLACE.mkdir(exist_ok=True)
    for algorithm in ALGORITHMS:
        path = out / f"recipe-{algorithm}-1" / "agent.safetensors"
        if path.exists():
            print(load_for(path, AZUL, OPTIONS).save(PLACE / f"{algorithm}.safetensors"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("train", "judge", "show", "recipe", "speed", "teacher", "ship"))
    parser.add_argument("--out", type=Path, default=Path("runs/azul"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--games", type=int, default=1000, help="of each judgement")
    parser.add_argument("--algorithms", nargs="+", choices=ALGORITHMS, default=list(ALGORITHMS), help="to train")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    if given.what == "train":
        train(given.out, given.seeds, given.algorithms)
    elif given.what == "judge":
        judge(given.out, given.seeds, given.games)
    elif given.what == "show":
        show(given.out, given.seeds)
    elif given.what == "recipe":
        recipe(given.out, given.seeds, given.games)
    elif given.what == "speed":
        speed()
    elif given.what == "teacher":
        teacher(given.games)
    else:
        ship(given.out)


if __name__ == "__main__":
    main()
