"""Are the page's verdicts true? Planted blunders are flagged, champions' moves are not, and luck has mean zero.

    python experiments/verdicts.py blunders azul --level champion --games 20 --workers 16 --out verdicts
    python experiments/verdicts.py luck azul --agents easy beginner --games 100 --workers 16 --out verdicts

`blunders`: in games of a level with itself some decisions are taken at random. There a move of the worst third is put
in place of the one that was played: worst by an analysis of all moves with a seed and worlds of its own, and four times
the work of the review, which also says what the move costs. Then both moves are reviewed as they would have been in
the game. Told are the share of planted moves that cost ten points of chance or more and are flagged as a
mistake or a blunder, and the share of the level's own moves that are.

`luck`: games in pairs with the same seeds, the agents on each side in turn. Every decision is reviewed, and the page
takes the way from the first chance to the result apart: luck, own decisions, others' decisions. Told are the largest
difference between their sum and result − start, and the mean luck of the first agent with its standard error, a pair
of games being the unit.

The rows lie in a file of the folder: asked again, a command adds what is missing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ludens.agents.analysis import analyse_view, decisions, usual_work
from ludens.core import registry
from ludens.core.match import Match
from ludens.core.rng import generator, pick
from ludens.core.spec import Game
from ludens.lab.series import run
from ludens.lab.statistics import share_interval

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from experiments.gathering import gather
from experiments.page import by_the_page, reviewed

__all__ = ["blunders", "luck"]

_STREAM = 23  # of the choice of decisions and of planted moves
_LONGER = 4  # times the work of a review, for what a planted move costs
_DEAR = 0.1  # of the chance to win
_FLAGGED = ("mistake", "blunder")


def _played(game: Game, codes: Sequence[str], seed: int, options: dict[str, Any]) -> Match:
    (outcome,) = run(game, codes, 1, seed, options=options, workers=1, rotating=False).outcomes
    match = Match(game, options, outcome.seed)
    for action in outcome.choices:
        match.play(int(action))
    return match


def blunders(asked: tuple[int, str, int, str, int, int | None]) -> dict[str, Any]:
    """One game of a level with itself: at some decisions the reviews of its own move and of a planted one."""
    number, name, players, level, looks, simulations = asked
    game = registry.game(name)
    options = {**game.spec.tournament, "players": players}
    match = _played(game, [level] * players, number, options)
    work = simulations or usual_work(game, of_review=True)
    made, rng, told = list(decisions(match)), generator(number, _STREAM), []
    for place in sorted({pick(rng, len(made)) for _ in range(looks)}):
        one = made[place]
        legal = match.at(one.ply).legal()
        if len(legal) < 3 or one.part:
            continue
        longer = analyse_view(
            game, one.view, one.seat, simulations=_LONGER * work, seed=1 + number, candidates=len(legal), explain=0,
            include=tuple(int(action) for action in legal), options=match.options,
        )  # fmt: skip
        moves = longer.candidates
        worst = moves[len(moves) - pick(rng, max(1, len(moves) // 3)) - 1]
        planted = replace(one, action=worst.action)
        sides = max(game.spec.sides(players)) + 1
        cost = worst.behind * (sides - 1) / sides
        own = reviewed(game, match.options, one, simulations)
        told.append(
            {"cost": round(cost, 4), "own": own, "planted": reviewed(game, match.options, planted, simulations)}
        )
    return {"looks": told}


def luck(asked: tuple[str, str, tuple[str, ...], int, int, int | None]) -> dict[str, Any]:
    """One game of a pair, with every decision reviewed."""
    _, name, agents, number, turned, simulations = asked
    game = registry.game(name)
    options = dict(game.spec.tournament)
    players = int(game.options(options)[0])
    codes = [agents[(side + turned) % len(agents)] for side in game.spec.sides(players)]
    match = _played(game, codes, number, options)
    told = [reviewed(game, match.options, made, simulations) for made in decisions(match)]
    side = next(side for side in game.spec.sides(players) if (side + turned) % len(agents) == 0)
    return {"number": number, "side": side, "returns": match.returns(), "decisions": told}


def _tell_blunders(game: Game, players: int, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    sides = game.spec.sides(players)
    looks = [look for row in rows for look in row["looks"]]
    expression = "given.moves.map((move) => page.gradeOf(page.movesOf([move], given.sides, 0)[0]))"
    grades = {
        kind: by_the_page(expression, {"moves": [look[kind] for look in looks], "sides": list(sides)})
        for kind in ("own", "planted")
    }
    dear = [grade for look, grade in zip(looks, grades["planted"], strict=True) if look["cost"] >= _DEAR]
    return {
        "games": len(rows),
        "planted": len(looks),
        "dear": len(dear),
        "dear and flagged": _share([grade in _FLAGGED for grade in dear]),
        "dear and open": _share([grade == "open" for grade in dear]),
        "own and flagged": _share([grade in _FLAGGED for grade in grades["own"]]),
        "own and open": _share([grade == "open" for grade in grades["own"]]),
    }


def _share(found: Sequence[bool]) -> list[float]:
    """A share with its interval of 95 %."""
    if not found:
        return []
    return [round(x, 3) for x in (sum(found) / len(found), *share_interval(sum(found), len(found)))]


def _tell_luck(game: Game, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    players = len(rows[0]["returns"])
    sides = game.spec.sides(players)
    reviews = [{"decisions": row["decisions"], "returns": row["returns"], "complete": True} for row in rows]
    seats = [[seat for seat, side in enumerate(sides) if side == row["side"]] for row in rows]
    expression = """given.reviews.map((review, k) => {
        const way = page.wayOf(review, given.seats[k], given.sides);
        return [way.result - way.start, ...[way.luck, way.own, way.others].map(page.sumOf)];
    })"""
    parts = np.array(by_the_page(expression, {"reviews": reviews, "seats": seats, "sides": max(sides) + 1}))
    pairs: dict[int, list[int]] = {}
    for k, row in enumerate(rows):
        pairs.setdefault(row["number"], []).append(k)
    whole = [numbers for numbers in pairs.values() if len(numbers) == max(sides) + 1]
    mean = np.array([parts[numbers, 1].mean() for numbers in whole])
    error = float(mean.std(ddof=1) / np.sqrt(len(mean))) if len(mean) > 1 else float("nan")
    return {
        "games": len(rows),
        "whole pairs": len(whole),
        "largest difference of sums": float(np.abs(parts[:, 0] - parts[:, 1:].sum(axis=1)).max()),
        "mean luck in points of chance": round(float(mean.mean()), 2) if len(mean) else None,
        "standard error": round(error, 2),
        "within two": bool(abs(float(mean.mean())) <= 2 * error) if len(mean) > 1 else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("blunders", "luck"))
    parser.add_argument("games_named", nargs="*", metavar="game", help="without, all")
    parser.add_argument("--level", default="champion", help="whose games blunders are planted in")
    parser.add_argument("--agents", nargs="+", default=["easy", "beginner"], help="whose luck is measured, the first's")
    parser.add_argument("--players", type=int, help="of the games with blunders; by default the game's usual number")
    parser.add_argument("--games", type=int, default=20, help="with blunders, or pairs of games")
    parser.add_argument("--looks", type=int, default=10, help="decisions of a game in which a blunder is planted")
    parser.add_argument("--simulations", type=int, help="of a review's decision; without, those of the server")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    until = time.monotonic() + given.seconds
    given.out.mkdir(parents=True, exist_ok=True)
    for name in given.games_named or registry.BUILT_IN:
        game = registry.game(name)
        if given.what == "blunders":
            players = given.players or game.spec.default_players
            file = given.out / f"blunders-{name}-{players}-{given.level}.jsonl"
            games = [
                (number, name, players, given.level, given.looks, given.simulations) for number in range(given.games)
            ]
            told = _tell_blunders(game, players, gather(file, blunders, games, until, given.workers))
        else:
            players = int(game.options(game.spec.tournament)[0])
            file = given.out / f"luck-{name}-{'-'.join(given.agents)}.jsonl"
            mirrored = [
                (f"{number} {turned}", name, tuple(given.agents), number, turned, given.simulations)
                for number in range(given.games)
                for turned in range(max(game.spec.sides(players)) + 1)
            ]
            told = _tell_luck(game, gather(file, luck, mirrored, until, given.workers))
        print(name, json.dumps(told))


if __name__ == "__main__":
    main()
