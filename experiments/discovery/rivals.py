"""Plays the thesis' players of the Discovery against each other and prints their mean scores (CD-121, CD-134, CD-147).

    python experiments/discovery/rivals.py --games 20 --results rivals.jsonl
    python experiments/discovery/rivals.py --table --results rivals.jsonl

Every ordered pair, self-play included, plays so many games; equal numbers have equal draws. Every finished game is
appended to the file of results, and a run that was broken off goes on where it stopped, the cheapest pairs first.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from pathlib import Path

import numpy as np
from scipy import stats

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a bare checkout, not installed

from ludens.arena.one_game import play_game
from ludens.arena.workers import game_seed
from ludens.core import registry

__all__ = ["main"]

ORDER = ("Ex-2", "H-Gr", "MC", "H-Pot", "H-Rnd")
"""From strong to weak in the thesis (CD-147), without its learner."""

_SEED = 40
_COST = {"Ex-2": 10, "MC": 35}  # seconds a game, roughly


def _pairs() -> list[tuple[str, str]]:
    return sorted(itertools.product(ORDER, repeat=2), key=lambda pair: sum(_COST.get(name, 1) for name in pair))


def _stored(file: Path) -> dict[tuple[str, str], dict[int, tuple[float, float]]]:
    found: dict[tuple[str, str], dict[int, tuple[float, float]]] = {pair: {} for pair in _pairs()}
    for text in file.read_text().splitlines() if file.exists() else []:
        entry = json.loads(text)
        found[tuple(entry["pair"])][entry["game"]] = tuple(entry["points"])
    return found


def _play(file: Path, games: int) -> None:
    game = registry.game("discovery")
    options, stored = game.options({"players": 2}), _stored(file)
    with file.open("a") as out:
        for index in range(games):
            for pair in _pairs():
                if index not in stored[pair]:
                    points = play_game(game, options, list(pair), game_seed(_SEED, index)).scores
                    out.write(json.dumps({"pair": pair, "game": index, "points": list(points)}) + "\n")
                    out.flush()


def _with_interval(mean: float, half: float) -> str:
    return f"{mean:.1f} ({mean - half:.1f} – {mean + half:.1f})"


def _half_width(values: list[float]) -> float:
    """Half of the interval of 99 %, as the thesis has it (CD-125)."""
    return float(stats.t.ppf(0.995, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values)))


def _row(*cells: object) -> None:
    print("|", " | ".join(map(str, cells)), "|")


def _print_tables(file: Path) -> None:
    stored = _stored(file)
    _row("player", "games", "mean score (99 %)")
    _row(*["---"] * 3)
    for player in ORDER:
        own = [
            [points[0] for points in stored[player, other].values()]
            + [points[1] for points in stored[other, player].values()]
            for other in ORDER
        ]
        if min(map(len, own)) > 1:  # every opponent counts alike, however many games were played against it
            mean = float(np.mean([np.mean(values) for values in own]))
            error = np.sqrt(sum(np.var(values, ddof=1) / len(values) for values in own)) / len(own)
            _row(player, sum(map(len, own)), _with_interval(mean, 2.58 * error))
    print()
    _row("first – second", "games", "first wins", "points", "difference (99 %)")
    _row(*["---"] * 5)
    for first, second in itertools.combinations_with_replacement(ORDER, 2):
        both = list(stored[first, second].values())
        if first != second:  # in self-play the first is the first seat
            both += [(b, a) for a, b in stored[second, first].values()]
        if len(both) > 1:
            won = np.mean([1.0 if a > b else 0.5 if a == b else 0.0 for a, b in both])
            one, other = np.mean(both, axis=0)
            lead = _with_interval(one - other, _half_width([a - b for a, b in both]))
            _row(f"{first} – {second}", len(both), f"{won:.0%}", f"{one:.1f} : {other:.1f}", lead)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20, help="of every ordered pair")
    parser.add_argument("--results", type=Path, default=Path("rivals.jsonl"))
    parser.add_argument("--table", action="store_true", help="only print what is known")
    arguments = parser.parse_args()
    if not arguments.table:
        _play(arguments.results, arguments.games)
    _print_tables(arguments.results)


if __name__ == "__main__":
    main()
