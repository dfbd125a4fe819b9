"""The figures of README.md: who beats whom at Scotland Yard, with 95 % intervals.

Run `python experiments/scotland_yard/duels.py options` for the choices the thesis leaves open, `london` for the
baselines of SY-65 (those of the grid are `grid_full.toml`), `solution` for the exact solution, `gap` for what does not
explain the difference to the thesis' table; table SY-43 is played by `ludens arena`.
All versions play the same start positions: game i has the seed `--seed` + i.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from ludens.core.agent import Clock, Seating
from ludens.core.match import Match
from ludens.core.spec import Game
from ludens.games.scotland_yard import GRID, LONDON
from ludens.games.scotland_yard.players.exact_solution import solve_grid
from ludens.games.scotland_yard.players.thesis_players import ThesisAgent
from ludens.lab.statistics import share_interval
from ludens.play.game import play_game

VERSIONS = ("v1", "v2", "v3", "v4")


@dataclass(frozen=True)
class Duel:
    """The result of a series with fixed seats."""

    games: int
    wins: int  # of the detectives
    length: float  # mean rounds of the games they won
    milliseconds: float  # of CPU time a decision, both sides together

    def row(self) -> str:
        low, high = share_interval(self.wins, self.games)
        share = f"{100 * self.wins / self.games:5.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
        length = f"{self.length:.1f}" if self.wins else "–"
        return f"{share:>22} | {length:>5} | {self.milliseconds:.3f}"


def duel(game: Game, mr_x: str, detectives: str, games: int, seed: int, **settings: str | int) -> Duel:
    """Plays the series; seat 0 is Mr. X in every game. Settings are the game's options."""
    options = game.options(settings)
    play_game(game, options, [mr_x, detectives], seed)  # compiles
    start = time.process_time()
    outcomes = [play_game(game, options, [mr_x, detectives], seed + i) for i in range(games)]
    seconds = time.process_time() - start
    won = [outcome for outcome in outcomes if outcome.returns[1] > 0]
    decisions = sum(len(outcome.choices) for outcome in outcomes)
    lengths = [_rounds(game, settings, outcome.seed, outcome.choices) for outcome in won]
    return Duel(games, len(won), float(np.mean(lengths)) if lengths else 0.0, 1000 * seconds / decisions)


def _rounds(game: Game, settings: dict[str, str | int], seed: int, choices: tuple[int, ...]) -> int:
    """The round in which a game ended, from its choices."""
    match = Match(game, settings, seed=seed)
    for action in choices:
        match.play(action)
    return int(match.state()["round_number"][0])


def print_options(games: int, seed: int) -> None:
    variants: dict[str, tuple[str, dict[str, str | int]]] = {
        "as SY-43": ("", {}),
        "random ties": ("ties=random", {}),
        "capture in round 3 counts": ("win_weight=n_plus_1", {}),
        "depth in plies": ("depth_unit=ply", {}),
        "Mr. X counts threats": ("x_eval=threat", {}),
        "start hidden": ("", {"start_visible": "off"}),
    }
    for name, (extra, settings) in variants.items():
        for version in VERSIONS:
            mr_x, detectives = (f"{code}:{extra}" if extra else code for code in ("v4", version))
            print(f"{name} | {version} | {duel(GRID, mr_x, detectives, games, seed, **settings).row()}", flush=True)


def print_matrix(game: Game, fugitives: list[str], hunters: list[str], games: int, seed: int) -> None:
    print("Mr. X | detectives | detectives win | rounds of won games | ms a decision")
    for mr_x in fugitives:
        for detectives in hunters:
            print(f"{mr_x} | {detectives} | {duel(game, mr_x, detectives, games, seed).row()}", flush=True)


def print_solution() -> None:
    rounds = solve_grid().rounds()
    counts = Counter(int(rounds[place]) for place in permutations(range(25), 3))
    for length, number in sorted(counts.items()):
        print(f"{length} rounds: {number} of 13800 placements")
    mean = sum(length * number for length, number in counts.items()) / 13800
    print(f"mean {mean:.2f} rounds")


class CountingAgent(ThesisAgent):
    """The thesis' player, counting its joint steps and how often it has to assume a cell (SY-35)."""

    steps = fallbacks = 0

    def _joint_step(self, view: np.ndarray) -> tuple[int, int]:
        CountingAgent.steps += 1
        return super()._joint_step(view)

    def _farthest(self, view: np.ndarray) -> int:
        CountingAgent.fallbacks += 1
        return super()._farthest(view)


def print_gap(games: int, seed: int) -> None:
    """How often the detectives leave their line, and what the depth of Mr. X's search changes."""
    for version in (1, 2, 3, 4):
        CountingAgent.steps = CountingAgent.fallbacks = 0
        for game in range(games):
            match = Match(GRID, seed=seed + game)
            agents = [ThesisAgent(), CountingAgent(version=version)]
            for seat, agent in enumerate(agents):
                agent.start(Seating(GRID, match.options, seat, seed + game))
            while not match.over:
                match.play(agents[match.actor].choose(match.view(match.actor), match.legal(), Clock()))
        print(f"v{version}: {CountingAgent.fallbacks} of {CountingAgent.steps} joint steps without a line", flush=True)
    for depth in (1, 2, 3, 4):
        for code in ("v1", "v4"):
            row = duel(GRID, f"v4:depth={depth}", code, games, seed).row()
            print(f"Mr. X with depth {depth} | {code} | {row}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("options", "london", "solution", "gap"))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    hunters = ["random", "chase:goal=seen", "chase", "shrink"]
    if given.what == "options":
        print_options(given.games, given.seed)
    elif given.what == "gap":
        print_gap(given.games, given.seed)
    elif given.what == "london":
        print_matrix(LONDON, ["random", "evade", "oracle"], [*hunters, "oracle"], given.games, given.seed)
    else:
        print_solution()


if __name__ == "__main__":
    main()
