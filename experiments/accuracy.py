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
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from ludens.agents.analysis import analyse_view, decisions
from ludens.core import registry
from ludens.core.match import Match
from ludens.core.spec import Game
from ludens.lab.series import run

__all__ = ["collect", "fit"]

LEVELS = ("random", "beginner", "medium", "champion")
TARGETS = {
    "random": 18.0,
    "beginner": 52.0,
    "medium": 83.0,
    "champion": 97.0,
}  # per cent, each in the middle of its band
_OTHER = "medium"
_CANDIDATES = 3  # as many as a review compares
_WEB = Path(__file__).resolve().parent.parent / "web"
_REVIEW = _WEB / "src" / "lib" / "review"
_SOURCE, _FITTED = _REVIEW / "losses.ts", _REVIEW / "accuracy.json"


def collect(game: Game, players: int, level: str, number: int, simulations: int) -> dict[str, Any]:
    """One game of a level against `medium`, and the reviewed decisions of the level."""
    options = {**game.spec.tournament, "players": players}
    seat = number % players
    codes = [level if other == seat else _OTHER for other in range(players)]
    (played,) = run(game, codes, 1, number, options=options, workers=1, rotating=False).outcomes
    match = Match(game, options, played.seed)
    for action in played.choices:
        match.play(int(action))
    told = [_reviewed(game, match, made, simulations) for made in decisions(match) if made.seat == seat]
    return {"level": level, "number": number, "seat": seat, "scores": match.scores(), "decisions": told}


def _reviewed(game: Game, match: Match, made: Any, simulations: int) -> dict[str, Any]:
    """A decision as the review of the server has it, as far as losses are counted from it."""
    found = analyse_view(
        game, made.view, made.seat, simulations=simulations, candidates=_CANDIDATES, include=(made.action,),
        explain=0, options=match.options,
    )  # fmt: skip
    moves = {"better": found.candidates[0], "played": next(m for m in found.candidates if m.action == made.action)}
    loss = max(0.0, moves["better"].result - moves["played"].result)
    doubt = float(np.hypot(moves["better"].doubt, moves["played"].doubt)) if loss else 0.0
    shown = {
        name: {"action": m.action, "result": round(m.result, 4), "points": [round(x, 2) for x in m.points]}
        for name, m in moves.items()
    }
    told = {"ply": made.ply, "seat": made.seat, "part": made.part, "loss": round(loss, 4), "doubt": round(doubt, 4)}
    return {**told, "results": [round(x, 4) for x in found.results], **shown}


def counted(games: Sequence[dict[str, Any]], sides: Sequence[int], margin: float) -> list[float]:
    """The mean loss of every game, as the page counts it."""
    with tempfile.TemporaryDirectory() as folder:
        bundler = [str(_WEB / "node_modules" / ".bin" / "rolldown"), str(_SOURCE), "--format", "esm", "-d", folder]
        subprocess.run(bundler, check=True, capture_output=True)
        program = f"""
            const {{ meanLoss, movesOf }} = await import({json.dumps(str(Path(folder, "losses.js")))});
            const {{ games, sides, margin }} = JSON.parse(require("fs").readFileSync(0, "utf8"));
            console.log(JSON.stringify(games.map(({{ decisions }}) => meanLoss(movesOf(decisions, sides, margin)))));
        """
        given = json.dumps({"games": games, "sides": list(sides), "margin": margin})
        command = ["node", "--input-type=commonjs", "-e", f"(async () => {{ {program} }})()"]
        answer = subprocess.run(command, input=given, check=True, capture_output=True, text=True)
    return [float(loss) for loss in json.loads(answer.stdout)]


def fit(game: Game, players: int, games: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The constants of a game with so many players, and the levels' mean accuracies by them."""
    sides = game.spec.sides(players)
    able = (_OTHER, LEVELS[-1])
    margins = [_margin(played["scores"], played["seat"], sides) for played in games if played["level"] in able]
    counts_points = max(abs(points) for played in games for points in played["scores"]) > 1  # else they say who has won
    margin = round(float(np.sqrt(np.mean(np.square(margins)))), 1) if margins and counts_points else 0.0
    losses: dict[str, list[float]] = defaultdict(list)
    for played, loss in zip(games, counted(games, sides, margin), strict=True):
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
    parser.add_argument("--simulations", type=int, default=2000, help="of a review's decision")
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
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        if {row["level"] for row in rows} < set(LEVELS):
            print(f"{file.stem}: too few games")
            continue
        found = fit(registry.game(name), int(players), rows)
        print(file.stem, json.dumps(found))
        constants = {key: found[key] for key in ("scale", "power", "margin", "games")}
        fitted.setdefault(name, {})[players] = constants
    _FITTED.write_text(json.dumps(fitted, indent=2) + "\n", encoding="utf-8")


def _play(game: Game, players: int, arguments: argparse.Namespace, until: float) -> None:
    """Adds games to a file until every level has enough, or time is up."""
    file = arguments.out / f"{game.spec.name}-{players}.jsonl"
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.is_file() else []
    known = {(row["level"], row["number"]) for row in rows}
    with file.open("a", encoding="utf-8") as out:
        for number in range(arguments.games):
            for level in LEVELS:
                if (level, number) in known or time.monotonic() > until:
                    continue
                out.write(json.dumps(collect(game, players, level, number, arguments.simulations)) + "\n")
                out.flush()


if __name__ == "__main__":
    main()
