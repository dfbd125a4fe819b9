"""What is claimed of the champions: lines as those of `lines.py`, played by `measure.py --champions`.

`net` and `champion` are those that ship; a game without them has no lines. What a champion is measured against are the
levels of before there were champions, written out (`PRESENT`), whatever the levels are now. A learner comes from
`experiments/champions/train.py RUN.toml --rival NETWORK`: its share tells how exploitable the champion is.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from experiments.strength.lines import Line, Share
from ludens.core.registry import game
from ludens.networks.shipped import shipped

__all__ = ["PRESENT", "champion_lines"]

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


def champion_lines(wanted: list[str], learner: str | None = None) -> Iterator[Line]:
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
