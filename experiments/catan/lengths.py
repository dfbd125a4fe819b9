"""How long random games of Catan last, with and without trade between players.

python experiments/catan/lengths.py --games 4000
"""

from __future__ import annotations

import argparse

import numpy as np

from ludens.core.random_play import play_on_cpu
from ludens.core.registry import game

__all__ = ["lengths"]


def lengths(games: int, seed: int, **options: object) -> tuple[np.ndarray, np.ndarray]:
    """Decisions and turns of every game; decisions with one legal action count too."""
    catan = game("catan")
    values = catan.options(options)
    played = [play_on_cpu(catan, values, seed + k, 1) for k in range(games)]
    return np.array([decisions for _, decisions in played]), np.array([s["turn_number"][0] for s, _ in played])


def _mean(numbers: np.ndarray) -> str:
    return f"{numbers.mean():8,.1f} ±{numbers.std(ddof=1) / len(numbers) ** 0.5:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Mean length of random games.")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print("players  offers  board      decisions        turns")
    for players in (2, 3, 4):
        for offers in (0, 3):
            for board in ("beginner", "variable"):
                found = lengths(given.games, given.seed, players=players, offers_per_turn=offers, board=board)
                print(f"{players:7}  {offers:6}  {board:8}  {_mean(found[0]):>14}  {_mean(found[1]):>14}")


if __name__ == "__main__":
    main()
