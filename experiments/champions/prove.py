"""Plays the games that prove the champions and prints them as a table: one line a claim, fixed numbers of games.

    python experiments/champions/prove.py --processes 16 --results champions.jsonl
    python experiments/champions/prove.py azul --only azul-net-heuristic --limit 200 --results champions.jsonl
    python experiments/champions/prove.py --table --results champions.jsonl
    python experiments/champions/prove.py azul --learner learner.safetensors --results champions.jsonl

Seats rotate, seeds are fixed, and every finished game is appended to the file of results: a run that is broken off goes
on where it stopped. `net` and `champion` are those that ship; a game without them has no lines. What a champion is
measured against are the levels of before there were champions, written out (`PRESENT`), whatever the levels are now. A
learner comes from `train.py RUN.toml --rival NETWORK`: its share tells how exploitable the champion is.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a bare checkout, not installed

from experiments.strength.lines import Line, Share
from experiments.strength.measure import measure, stored_games, table
from ludens.core.registry import game, names
from ludens.networks.shipped import shipped

__all__ = ["PRESENT", "lines", "main"]

PRESENT = {
    "azul": "mcts:depth=8,evaluation=fitted,seconds=0.5,threads=2",
    "discovery": "mcts:seconds=0.5,depth=2,threads=2",
    "catan": "mcts:seconds=0.5,threads=2",
    "scotland_yard": "mcts:rollout=guided,opponent_determinisation=0.5,seconds=0.5,threads=2",
    "scotland_yard_grid": "mcts:rollout=guided,opponent_determinisation=0.5,seconds=0.5,threads=2",
}
"""The level `medium` of every game before there were champions."""

_CHAMPION = "mcts:network=shipped,manners=on,seconds=0.5,threads=2"  # `champion`, also where it is not so called
_HALVING = "sequential-halving:manners=on,seconds=0.5,threads=2"  # the Discovery's champion
_VALUED = "mcts:evaluation=value-network,manners=on,seconds=0.5,threads=2"  # Catan's
_ROLLOUTS = {"azul": ",depth=8,evaluation=fitted"}  # of networks that do not give results alone
_X, _DETECTIVES = 0, 1
_RUNGS = (50, 200, 800)


def _least(share: float) -> Callable[[Share, float], bool]:
    return lambda found, best: found.share >= share


def _above(found: Share, best: float) -> bool:
    return found.share > max(best, 0.5)


def _by_clock(
    name: str, title: str, codes: tuple[str, ...], games: int, claim: str,
    holds: Callable[[Share, float], bool], side: int | None = None,
) -> Iterator[Line]:  # fmt: skip
    """A champion against the level of before, each with two cores for half a second, and each with one."""
    yield Line(name, title, codes, games, claim, holds, side)
    alone = tuple(code.replace(",threads=2", "") for code in codes)
    yield Line(f"{name}-one-core", title, alone, games, claim, holds, side)


def _azul() -> Iterator[Line]:
    strong = "mcts:simulations=3000,depth=8,evaluation=fitted"
    yield Line("azul-net-heuristic", "azul", ("net", "heuristic"), 1000, "at least 98 %", _least(0.98))
    yield Line("azul-net-mcts-3000", "azul", ("net", strong), 200, "at least 50 %", _least(0.5))
    codes = (_CHAMPION + _ROLLOUTS["azul"], PRESENT["azul"])
    yield from _by_clock("azul-champion", "azul", codes, 200, "at least 75 %", _least(0.75))


def _discovery() -> Iterator[Line]:
    name = "discovery"
    yield Line("discovery-net-H-Gr", name, ("net", "H-Gr"), 400, "at least 95 %", _least(0.95))
    yield Line("discovery-net-Ex-2", name, ("net", "Ex-2"), 100, "above one half", _above)
    yield from _by_clock("discovery-champion", name, (_HALVING, PRESENT[name]), 200, "at least 75 %", _least(0.75))


def _catan() -> Iterator[Line]:
    codes = (_VALUED, *(PRESENT["catan"],) * 3)
    yield from _by_clock("catan-champion", "catan", codes, 100, "at least 40 %, a quarter is even", _least(0.4))


def _london() -> Iterator[Line]:
    name, present = "scotland_yard", PRESENT["scotland_yard"]
    for other in ("chase", "shrink"):
        yield Line(f"london-evade-{other}", name, ("evade", other), 200, "to compare with", lambda *_: True, _X)
        yield Line(
            f"london-net-x-{other}", name, ("net", other), 200, "Mr. X wins more often than by the heuristic",
            lambda found, best: found.share > best, _X, against=(f"london-evade-{other}",),
        )  # fmt: skip
        yield Line(
            f"london-{other}-evade", name, (other, "evade"), 200, "to compare with", lambda *_: True, _DETECTIVES
        )
    yield Line(
        "london-net-detectives", name, ("net", "evade"), 200, "detectives win more often than by any heuristic",
        lambda found, best: found.share > best, _DETECTIVES, against=("london-chase-evade", "london-shrink-evade"),
    )  # fmt: skip
    codes = (_CHAMPION, present)
    yield from _by_clock("london-champion-x", name, codes, 100, "at least 55 %", _least(0.55), _X)
    yield from _by_clock("london-champion-detectives", name, codes, 100, "at least 80 %", _least(0.8), _DETECTIVES)


def _grid() -> Iterator[Line]:
    """What is best there is known: the oracle plays the exact solution of the game in which all is seen."""
    name = "scotland_yard_grid"
    for other in ("chase", "shrink", "v4"):
        yield Line(f"grid-evade-{other}", name, ("evade", other), 1000, "to compare with", lambda *_: True, _X)
        yield Line(
            f"grid-net-x-{other}", name, ("net", other), 1000, "Mr. X wins more often than by the heuristic",
            lambda found, best: found.share > best, _X, against=(f"grid-evade-{other}",),
        )  # fmt: skip
    for side, word in ((_X, "x"), (_DETECTIVES, "detectives")):
        yield Line(f"grid-oracle-{word}", name, ("oracle", "net"), 1000, "the bound", lambda *_: True, side)
        yield Line(f"grid-net-{word}", name, ("net", "net"), 1000, "near the bound", lambda *_: True, side)
    for other in ("evade", "v4"):
        yield Line(f"grid-net-d-{other}", name, ("net", other), 1000, "at least 90 %", _least(0.9), _DETECTIVES)


def _ladder(name: str) -> Iterator[Line]:
    found = game(name)
    even = 1 / len(set(found.spec.sides(found.spec.default_players)))
    champion = {"discovery": _HALVING, "catan": _VALUED}.get(name, _CHAMPION + _ROLLOUTS.get(name, ""))
    for few, many in itertools.pairwise(_RUNGS):
        codes = tuple(champion.replace("seconds=0.5,threads=2", f"simulations={n}") for n in (many, few))
        claim = f"four times the simulations: above {even:.0%}"
        holds = lambda share, _, even=even: share.low > even  # noqa: E731
        yield Line(f"{name}-champion-{few}-{many}", name, codes, 200, claim, holds)


_CLAIMS = {
    "azul": _azul, "discovery": _discovery, "catan": _catan, "scotland_yard": _london, "scotland_yard_grid": _grid,
}  # fmt: skip


def lines(wanted: list[str], learner: str | None = None) -> Iterator[Line]:
    """The lines of these games for which a network ships; with the file of a learner, those of it alone."""
    for name in wanted:
        if name == "catan" and learner is None:
            yield from _CLAIMS[name]()
            yield from _ladder(name)
        elif not shipped(game(name)):
            print(f"No network of {game(name).spec.title} ships: there is nothing to prove.", file=sys.stderr)
        elif learner is not None:
            players = game(name).spec.default_players
            for other, count in (("net", 1000), (_CHAMPION, 100)):
                codes = (f"net:{learner}", *[other] * (players - 1))
                title = f"{name}-learner-{'champion' if other == _CHAMPION else other}-{Path(learner).stem}"
                yield Line(title, name, codes, count, "how exploitable it is", lambda *_: True)
        else:
            yield from _CLAIMS[name]()
            yield from _ladder(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[], help="by default all")
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[], metavar="LINE")
    parser.add_argument("--limit", type=int, help="the most games of a line")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--learner")
    parser.add_argument("--table", action="store_true", help="play nothing, print what is known")
    given = parser.parse_args()
    known_lines = lines(given.games or list(names()), given.learner)
    found = [line for line in known_lines if line.name in given.only or not given.only]
    stored = stored_games(given.results)
    deadline = time.monotonic() + given.seconds
    for line in found if not given.table else []:
        known = stored.setdefault(line.name, {})
        left = line.games if given.limit is None else min(given.limit, line.games)
        if len(known) < left and time.monotonic() < deadline:
            measure(replace(line, games=left), known, given.results, given.processes, deadline)
            print(f"{line.name}: {line.share(known)} of {len(known)} ({line.claim})", flush=True)
    print(table(found, stored))


if __name__ == "__main__":
    main()
