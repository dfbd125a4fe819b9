"""How often do the chances come true that hints and reviews tell? Measures it on games of agents, and fits the chances.

    python experiments/calibration.py azul --agents beginner --games 60 --out calibration
    python experiments/calibration.py scotland_yard --agents beginner evade -o starts=apart --games 60 --out calibration
    python experiments/calibration.py catan --agents mcts:simulations=40 --slopes --games 69 --out calibration

Some decisions of every game are analysed as a review would do it, from what the player saw; who won is known. The
agents sit on the sides in turn as they are named, one alone on all. The games of each pairing lie in a file of the
folder and stay there: asked again, the command adds what is missing (`--seconds` ends it earlier, `--workers` plays in
several processes). Then it fits all files of the folder: a slope by which log-odds are multiplied and, where the sides
of a game differ, a shift for the first. Both are tested on games that had no part in them, a fifth at a time; games,
not decisions, are the unit of every error, because the decisions of a game share its result.

`ludens/agents/pairings.json` holds the pairings, each with what was said and what came true in every tenth of the
scale, and `docs/images/calibration.svg` draws them. With `--slopes` the slope of the whole game in
`ludens/agents/calibration.json` is fitted instead, from files of games between equal searches.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from ludens.agents.analysis import analyse_view, tells_chances
from ludens.agents.calibration import (
    FILE,
    PAIRINGS,
    Pairing,
    adjusted,
    chances_of,
    sides_differ,
    slope_of,
    special_options,
)
from ludens.core import registry
from ludens.core.match import Match
from ludens.core.rng import generator, pick
from ludens.core.spec import Game
from ludens.lab.series import run

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from experiments.gathering import gather, rows_of

__all__ = ["collect", "fit", "tenths"]

_STREAM = 17  # of the choice of decisions
_FOLDS = 5
_DRAWING = Path(__file__).resolve().parent.parent / "docs" / "images" / "calibration.svg"


def collect(asked: tuple[int, str, dict[str, Any], tuple[str, ...], int, int]) -> dict[str, Any]:
    """One game: what analyses expected at some decisions, and the result."""
    number, name, given, agents, looks, simulations = asked
    game = registry.game(name)
    options = {**game.spec.tournament, **given}
    players = int(game.options(options)[0])
    codes = [agents[side % len(agents)] for side in game.spec.sides(players)]
    (played,) = run(game, codes, 1, number, options=options, workers=1, rotating=False).outcomes
    match = Match(game, options, played.seed)
    rng = generator(number, _STREAM)
    chosen = {pick(rng, max(1, len(played.choices))) for _ in range(looks)}
    expected, times = [], []
    for place, action in enumerate(played.choices):
        if place in chosen and len(match.legal()) > 1:
            found = analyse_view(
                game, match.view(match.actor), match.actor, simulations=simulations, raw=True, candidates=1, explain=0,
                options=match.options,
            )  # fmt: skip
            expected.append([round(x, 5) for x in found.results])
            times.append(round(place / len(played.choices), 3))
        match.play(int(action))
    told = {"game": name, "agents": list(agents), "options": given, "simulations": simulations}
    return {**told, "returns": match.returns(), "expected": expected, "times": times}


def fit(game: Game, games: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Slope and shift of a pairing, tested on games that had no part in them, as `Pairing` has them."""
    told, came, owners = [], [], []
    for owner, played in enumerate(games):
        sides = game.spec.sides(len(played["returns"]))
        for expected in played["expected"]:
            told.append(chances_of(expected, sides))
            came.append(chances_of(played["returns"], sides))
            owners.append(owner)
    chances, results, owner_of = np.array(told), np.array(came), np.array(owners)
    shifting = sides_differ(game, len(games[0]["returns"]))
    held_out = np.zeros_like(chances)
    for fold in range(_FOLDS):
        here = owner_of % _FOLDS == fold
        held_out[here] = adjusted(chances[here], *_fitted(chances[~here], results[~here], shifting))
    before, after = _log_loss(chances, results), _log_loss(held_out, results)
    slope, shift = _fitted(chances, results, shifting) if after < before else (1.0, 0.0)
    shown = held_out if after < before else chances
    rows = tenths(shown, results, owner_of)
    return {
        "slope": round(slope, 3),
        "shift": round(shift, 3),
        "games": len(games),
        "decisions": len(chances),
        "off": round(float(np.average([abs(row[0] - row[1]) for row in rows], weights=[row[3] for row in rows])), 4),
        "tenths": rows,
        "log loss": [round(before, 4), round(after, 4)],
    }


def _fitted(chances: np.ndarray, results: np.ndarray, shifting: bool) -> tuple[float, float]:
    """The slope and the shift that make the results likeliest, with a weak guess of 1 and 0 for few games."""

    def loss(x: np.ndarray) -> float:
        slope, shift = float(np.exp(x[0])), float(x[1]) if shifting else 0.0
        return _log_loss(adjusted(chances, slope, shift), results) + 0.5 * float(x @ x) / len(chances)

    best = minimize(loss, np.zeros(2), method="Nelder-Mead").x
    return float(np.exp(best[0])), float(best[1]) if shifting else 0.0


def _log_loss(chances: np.ndarray, results: np.ndarray) -> float:
    return float(-np.mean(np.sum(results * np.log(np.clip(chances, 1e-6, 1)), axis=1)))


def tenths(chances: np.ndarray, results: np.ndarray, owner_of: np.ndarray) -> list[list[float]]:
    """Of every tenth of the scale that has any: what was said, what came true, its standard error, how many games.

    Games are the unit: the error is that of a ratio of sums over games, since the decisions of one share its result.
    """
    rows = []
    for low in range(10):
        inside = (np.minimum(9, np.floor(10 * chances)) == low).astype(float)
        said, came, count = (np.sum(inside * what, axis=1) for what in (chances, results, np.ones_like(chances)))
        games = np.unique(owner_of)
        by_game = np.array([[part[owner_of == game].sum() for part in (said, came, count)] for game in games])
        by_game = by_game[by_game[:, 2] > 0]
        if not len(by_game):
            continue
        total = by_game.sum(axis=0)
        share, n = total[1] / total[2], len(by_game)
        spread = np.sum((by_game[:, 1] - share * by_game[:, 2]) ** 2)
        guess = (share * n + 1) / (n + 2)  # few games that ended alike are no proof
        error = np.sqrt(spread * n / (n - 1)) / total[2] if n > 1 else 0.0
        error = max(float(error), float(np.sqrt(guess * (1 - guess) / (n + 2))))
        rows.append([round(total[0] / total[2], 4), round(share, 4), round(error, 4), n])
    return rows


def _draw(pairings: Sequence[Pairing]) -> None:
    """What was said and what came true, a panel a pairing, with two standard errors."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "calibration"
    from matplotlib import pyplot

    columns = 4
    lines = -(-len(pairings) // columns)
    figure, panels = pyplot.subplots(lines, columns, figsize=(11, 2.9 * lines), squeeze=False)
    for panel in panels.flat[len(pairings) :]:
        panel.axis("off")
    for panel, one in zip(panels.flat, pairings, strict=False):
        said, came, error, _ = np.array(one.tenths).T
        panel.plot([0, 1], [0, 1], color="#bbb", linewidth=1)
        panel.errorbar(said, came, 2 * error, fmt="o", markersize=3.5, color="#7d1f2b", linewidth=1)
        extra = "".join(f", {key} {value}" for key, value in one.options.items())
        panel.set_title(f"{one.game}, {one.players}: {' – '.join(one.agents)}{extra}\n{one.games} games", fontsize=7)
        panel.set(xlim=(0, 1), ylim=(0, 1))
        panel.tick_params(labelsize=7)
    figure.supxlabel("said", fontsize=8)
    figure.supylabel("came true", fontsize=8)
    figure.tight_layout()
    figure.savefig(_DRAWING, metadata={"Date": None})


def _name(game: str, agents: Sequence[str], given: Mapping[str, Any]) -> str:
    words = "-".join([game, *agents, *(f"{key}={value}" for key, value in sorted(given.items()))])
    return (
        words
        if words.replace("-", "").replace("=", "").replace("_", "").isalnum()
        else (f"{game}-{hashlib.sha1(words.encode()).hexdigest()[:10]}")
    )


def _pairing(game: Game, rows: Sequence[dict[str, Any]]) -> tuple[Pairing, dict[str, Any]]:
    found = fit(game, rows)
    options = game.options({**game.spec.tournament, **rows[0]["options"]})
    sides, agents = max(game.spec.sides(int(options[0]))) + 1, rows[0]["agents"]
    known = {key: value for key, value in found.items() if key != "log loss"}
    known["tenths"] = tuple(map(tuple, known["tenths"]))
    seats = tuple(agents[side % len(agents)] for side in range(sides))
    return Pairing(game.spec.name, int(options[0]), seats, special_options(game, options), **known), found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_named", nargs="*", metavar="game", help="which to play; without, only fit")
    parser.add_argument("--agents", nargs="+", default=["mcts:simulations=60"], help="on the sides in turn")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE", help="of the game")
    parser.add_argument("--games", type=int, default=60, help="of each")
    parser.add_argument("--looks", type=int, default=8, help="decisions of a game that are analysed")
    parser.add_argument("--simulations", type=int, default=400, help="of an analysis")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--slopes", action="store_true", help="fit the slopes of games instead")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    until = time.monotonic() + arguments.seconds
    arguments.out.mkdir(parents=True, exist_ok=True)
    given = dict(option.split("=", 1) for option in arguments.option)
    for name in arguments.games_named:
        file = arguments.out / f"{_name(name, arguments.agents, given)}.jsonl"
        asked = [
            (number, name, given, tuple(arguments.agents), arguments.looks, arguments.simulations)
            for number in range(arguments.games)
        ]
        gather(file, collect, asked, until, arguments.workers)
    slopes = dict(json.loads(FILE.read_text("utf-8"))) if FILE.is_file() else {}
    found: list[Pairing] = []
    for file in sorted(arguments.out.glob("*.jsonl")):
        rows = rows_of(file)
        game = registry.game(rows[0]["game"])
        if len(rows) < 2 * _FOLDS:
            print(f"{file.stem}: too few games")
            continue
        pairing, fitted = _pairing(game, rows)
        print(file.stem, json.dumps({**fitted, "before": slope_of(game)}))
        if not arguments.slopes:
            found.append(pairing)
        elif not tells_chances(game):  # else the slope is for puzzles of the evaluation before it
            slopes[game.spec.name] = round(pairing.slope, 2)
    if arguments.slopes:
        FILE.write_text(json.dumps(slopes, indent=1) + "\n", encoding="utf-8")
    elif found:
        PAIRINGS.write_text(json.dumps([one.to_json() for one in found], indent=1) + "\n", encoding="utf-8")
        _draw(found)


if __name__ == "__main__":
    main()
