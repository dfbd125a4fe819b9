"""How often do the chances come true that hints and reviews tell? Measures it on games of agents, and fits the slopes.

    python experiments/calibration.py --games 60 --out calibration
    python experiments/calibration.py catan --agent mcts:simulations=40 --games 69 --out calibration

Some decisions of every game are analysed as a review would do it, from what the player saw; who won is known. The games
of each game lie in a file of the folder and stay there: asked again, the command adds what is missing (`--seconds` ends
it earlier). Then it fits `ludens/agents/calibration.json` to all files and says how far chances were off before and
after. Slopes are tested on games that had no part in them, a fifth at a time: where that is no better than what the
search says by itself, the slope stays 1.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from ludens.agents.analysis import analyse_view, tells_chances
from ludens.agents.calibration import FILE, chances_of, sharpened
from ludens.core import registry
from ludens.core.match import Match
from ludens.core.rng import generator, pick
from ludens.core.spec import Game
from ludens.lab.series import run

__all__ = ["collect", "fit"]

_STREAM = 17  # of the choice of decisions
_BINS = 5
_FOLDS = 5


def collect(game: Game, code: str, number: int, looks: int, simulations: int) -> dict[str, Any]:
    """One game, played by the agent with itself: what an analysis expected at some decisions, and the result."""
    players = game.options(game.spec.tournament)[0]
    (played,) = run(game, [code] * int(players), 1, number, int(players)).outcomes
    match = Match(game, game.spec.tournament, played.seed)
    rng = generator(number, _STREAM)
    chosen = {pick(rng, max(1, len(played.choices))) for _ in range(looks)}
    expected, times = [], []
    for place, action in enumerate(played.choices):
        if place in chosen and len(match.legal()) > 1:
            found = analyse_view(game, match.view(match.actor), match.actor, simulations=simulations, raw=True)
            expected.append([round(x, 5) for x in found.results])
            times.append(round(place / len(played.choices), 3))
        match.play(int(action))
    told = {"game": game.spec.name, "agent": code, "number": number, "returns": match.returns()}
    return {**told, "expected": expected, "times": times}


def fit(game: Game, games: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The slope of a game, and its errors on games that had no part in it."""
    told, came, owners = [], [], []
    for owner, played in enumerate(games):
        sides = game.spec.sides(len(played["returns"]))
        for expected in played["expected"]:
            told.append(chances_of(expected, sides))
            came.append(chances_of(played["returns"], sides))
            owners.append(owner)
    chances, results, owner_of = np.array(told), np.array(came), np.array(owners)
    held_out = np.zeros_like(chances)
    for fold in range(_FOLDS):
        here = owner_of % _FOLDS == fold
        held_out[here] = sharpened(chances[here], _slope(chances[~here], results[~here]))
    helps = _log_loss(held_out, results) < _log_loss(chances, results)
    return {
        "slope": round(_slope(chances, results), 2) if helps else 1.0,
        "games": len(games),
        "decisions": len(chances),
        "before": _tested(chances, results),
        "after": _tested(held_out, results),
    }


def _slope(chances: np.ndarray, results: np.ndarray) -> float:
    """The slope that makes the results likeliest."""
    return float(np.exp(minimize_scalar(lambda x: _log_loss(sharpened(chances, np.exp(x)), results), (-1, 1)).x))


def _log_loss(chances: np.ndarray, results: np.ndarray) -> float:
    return float(-np.mean(np.sum(results * np.log(np.clip(chances, 1e-6, 1)), axis=1)))


def _tested(chances: np.ndarray, results: np.ndarray) -> dict[str, Any]:
    """Log loss, mean squared error, and how far chances were off, in bins of equal size."""
    flat, true = chances.ravel(), results.ravel()
    order = np.argsort(flat)
    bins = [(float(flat[part].mean()), float(true[part].mean())) for part in np.array_split(order, _BINS)]
    return {
        "log loss": round(_log_loss(chances, results), 4),
        "squared error": round(float(np.mean((flat - true) ** 2)), 4),
        "off by": round(float(np.mean([abs(said - came) for said, came in bins])), 3),
        "said and came": [[round(said, 2), round(came, 2)] for said, came in bins],
    }


def play(game: Game, file: Path, arguments: argparse.Namespace, until: float) -> None:
    """Adds games to a file until there are enough, or time is up."""
    known = len(file.read_text("utf-8").splitlines()) if file.is_file() else 0
    with file.open("a", encoding="utf-8") as out:
        for number in range(known, arguments.games):
            if time.monotonic() > until:
                break
            told = collect(game, arguments.agent, number, arguments.looks, arguments.simulations)
            out.write(json.dumps(told) + "\n")
            out.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_named", nargs="*", metavar="game", help="which to play; without, all")
    parser.add_argument("--agent", default="mcts:simulations=60", help="the agent that plays itself")
    parser.add_argument("--games", type=int, default=60, help="of each")
    parser.add_argument("--looks", type=int, default=8, help="decisions of a game that are analysed")
    parser.add_argument("--simulations", type=int, default=400, help="of an analysis")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    until = time.monotonic() + arguments.seconds
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.games_named or registry.names():
        play(registry.game(name), arguments.out / f"{name}.jsonl", arguments, until)
    slopes = dict(json.loads(FILE.read_text("utf-8"))) if FILE.is_file() else {}
    for file in sorted(arguments.out.glob("*.jsonl")):
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        found = fit(registry.game(file.stem), rows)
        if not tells_chances(registry.game(file.stem)):  # else the slope is for puzzles of the evaluation before it
            slopes[file.stem] = found["slope"]
        print(file.stem, json.dumps(found))
    FILE.write_text(json.dumps(slopes, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
