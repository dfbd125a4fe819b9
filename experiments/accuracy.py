"""Fits the accuracy of the page's reviews to games of agents of known strength.

    python experiments/accuracy.py --games 20 --out accuracy
    python experiments/accuracy.py azul --players 2 --games 3 --simulations 200 --out accuracy

Every level plays games against `medium` at every other seat, and its decisions are reviewed as the server does it.
The reviews lie in a file of the folder and stay there: asked again, the command adds what is missing (`--seconds` ends
it earlier). Then it fits `web/src/lib/review/accuracy.json` to all files and prints every level's mean accuracy. The
losses are those that the page counts: the command bundles `web/src/lib/review/losses.ts` and runs it, so the page must
have been built here once.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from ludens.agents.analysis import decisions
from ludens.core import registry
from ludens.core.match import Match
from ludens.core.spec import Game
from ludens.lab.series import run

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from experiments.gathering import gather, rows_of
from experiments.page import REVIEW, by_the_page, reviewed

__all__ = ["collect", "fit"]

LEVELS = ("random", "beginner", "easy", "medium", "champion")
TARGETS = {
    "random": 18.0,
    "beginner": 52.0,
    "easy": 68.0,
    "medium": 83.0,
    "champion": 97.0,
}  # per cent, each in the middle of its band
_OTHER = "medium"
_FITTED = REVIEW / "accuracy.json"


def collect(asked: tuple[str, str, int, str, int, int | None]) -> dict[str, Any]:
    """One game of a level against `medium`, and the reviewed decisions of the level."""
    _, name, players, level, number, simulations = asked
    game = registry.game(name)
    options = {**game.spec.tournament, "players": players}
    seat = number % players
    codes = [level if other == seat else _OTHER for other in range(players)]
    (played,) = run(game, codes, 1, number, options=options, workers=1, rotating=False).outcomes
    match = Match(game, options, played.seed)
    for action in played.choices:
        match.play(int(action))
    own = [made for made in decisions(match) if made.seat == seat]
    told = [reviewed(game, match.options, made, simulations) for made in own]
    return {"level": level, "number": number, "seat": seat, "scores": match.scores(), "decisions": told}


def counted(games: Sequence[dict[str, Any]], sides: Sequence[int], margin: float) -> list[float | None]:
    """The mean loss of every game, as the page counts it; None of one that left the level no choice."""
    expression = "given.games.map(({ decisions }) => page.meanLoss(page.movesOf(decisions, given.sides, given.margin)))"
    told = by_the_page(expression, {"games": games, "sides": list(sides), "margin": margin})
    return [None if loss is None else float(loss) for loss in told]


def fit(game: Game, players: int, games: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The constants of a game with so many players, and the levels' mean accuracies by them."""
    sides = game.spec.sides(players)
    able = (_OTHER, LEVELS[-1])
    margins = [_margin(played["scores"], played["seat"], sides) for played in games if played["level"] in able]
    counts_points = max(abs(points) for played in games for points in played["scores"]) > 1  # else they say who has won
    margin = round(float(np.sqrt(np.mean(np.square(margins)))), 1) if margins and counts_points else 0.0
    losses: dict[str, list[float]] = defaultdict(list)
    for played, loss in zip(games, counted(games, sides, margin), strict=True):
        if loss is not None:
            losses[played["level"]].append(loss)

    def accuracies(constants: np.ndarray) -> dict[str, float]:
        scale, power = np.exp(constants)
        return {
            level: float(np.mean(100 * np.exp(-((np.array(own) / scale) ** power)))) for level, own in losses.items()
        }

    def misses(constants: np.ndarray) -> float:
        return sum((found - TARGETS[level]) ** 2 for level, found in accuracies(constants).items())

    best = minimize(misses, np.log([30.0, 1.0]), method="Nelder-Mead")
    scale, power = (round(float(x), 3) for x in np.exp(best.x))
    means = {level: round(x, 1) for level, x in accuracies(best.x).items()}
    counts = {level: len(own) for level, own in losses.items()}
    loss_means = {level: round(float(np.mean(own)), 2) for level, own in losses.items()}
    constants = {"scale": scale, "power": power, "margin": margin, "games": min(counts.values())}
    return {**constants, "accuracies": means, "losses": loss_means}


def _margin(scores: Sequence[float], seat: int, sides: Sequence[int]) -> float:
    """By how much a seat is ahead of the best of the others."""
    others = [points for other, points in enumerate(scores) if sides[other] != sides[seat]]
    return float(scores[seat] - max(others))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_named", nargs="*", metavar="game", help="which to play; without, all")
    parser.add_argument("--players", type=int, nargs="*", help="how many; without, every number that the game allows")
    parser.add_argument("--games", type=int, default=20, help="of each level")
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), help="which to play; all are fitted")
    parser.add_argument("--simulations", type=int, help="of a review's decision; without, those of the server")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    until = time.monotonic() + arguments.seconds
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.games_named or registry.names():
        game = registry.game(name)
        for players in arguments.players or game.spec.players:
            _play(game, players, arguments, until)
    fitted = dict(json.loads(_FITTED.read_text("utf-8"))) if _FITTED.is_file() else {}
    for file in sorted(arguments.out.glob("*.jsonl")):
        name, _, players = file.stem.rpartition("-")
        rows = rows_of(file)
        if not {"random", "beginner", _OTHER} <= {row["level"] for row in rows}:
            print(f"{file.stem}: too few games")
            continue
        found = fit(registry.game(name), int(players), rows)
        print(file.stem, json.dumps(found))
        constants = {key: found[key] for key in ("scale", "power", "margin", "games")}
        fitted.setdefault(name, {})[players] = constants
    _FITTED.write_text(json.dumps(fitted, indent=2) + "\n", encoding="utf-8")


def _play(game: Game, players: int, arguments: argparse.Namespace, until: float) -> None:
    """Adds games to a file until every level has enough, or time is up."""
    asked = [
        (f"{level} {number}", game.spec.name, players, level, number, arguments.simulations)
        for number in range(arguments.games)
        for level in arguments.levels
    ]
    gather(arguments.out / f"{game.spec.name}-{players}.jsonl", collect, asked, until, arguments.workers)


if __name__ == "__main__":
    main()
