"""Positions in which a trade would let somebody win at once, made for it and mined from games, and who could win."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ludens.agents.codes import make_agent
from ludens.core import kernels
from ludens.core.agent import Clock, Seating
from ludens.core.match import Match
from ludens.core.record import blank
from ludens.games.catan import GAME, phases
from ludens.games.catan import action_ids as ids
from ludens.games.catan.state import KINDS, VICTORY_CARD

__all__ = [
    "answers_that_give_the_game_away",
    "could_win",
    "legal_in",
    "mined",
    "mined_matches",
    "offered",
    "seen",
    "swapped",
]

_BUILDS = 3  # builds and exchanges in a row that are tried


def legal_in(states: np.ndarray) -> np.ndarray:
    out = np.zeros(GAME.spec.actions, np.int64)
    return out[: int(kernels.legal_at(states, 0, out))].copy()


def could_win(states: np.ndarray, p: int, depth: int = _BUILDS) -> bool:
    """Would player p win now, were it its turn, by builds and exchanges? Tried out by the rules themselves."""
    s = states.copy()
    s["current"], s["phase"], s["rolled"], s["has_built"] = p, phases.MAIN, 1, 0
    return _wins(s, p, depth)


def _wins(states: np.ndarray, p: int, depth: int) -> bool:
    for action in legal_in(states):
        if action < ids.ROBBER or ids.EXCHANGE <= action < ids.BUY:
            after = states.copy()
            kernels.apply_at(after, 0, int(action))
            if after["phase"][0] == phases.OVER and after["winner"][0] == p:
                return True
            if depth > 1 and after["phase"][0] == phases.MAIN and _wins(after, p, depth - 1):
                return True
    return False


def swapped(states: np.ndarray, giver: int, taker: int, terms: np.ndarray) -> np.ndarray:
    """The position after the giver's positive terms and the taker's negative ones have changed hands."""
    after = states.copy()
    for field, sign, seat in (("hand", -1, giver), ("hand", 1, taker), ("counted", -1, giver), ("counted", 1, taker)):
        after[field][0, seat] += (sign * terms).astype(after[field].dtype)
    for seat, sign in ((giver, -1), (taker, 1)):
        after["count"][0, seat] += sign * int(terms.sum())
    return after


def offered(states: np.ndarray, given: int, wanted: int) -> np.ndarray | None:
    """The position in which the first of the others answers this offer of one card for one; None if nobody may."""
    s = states.copy()
    for action in (ids.GIVE + given, ids.WANT + wanted, ids.PROPOSE):
        if action not in legal_in(s):
            return None
        kernels.apply_at(s, 0, action)
    return s if s["phase"][0] == phases.ANSWER else None


def mined_matches(seeds: range, code: str = "value:offers=0", **options: Any) -> Iterator[Match]:
    """Games of agents at every decision of a main phase."""
    for seed in seeds:
        match = Match(GAME, {"players": 4, "board": "variable", "turn_limit": 400, **options}, seed)
        agents = [make_agent(GAME, code) for _ in range(match.players)]
        for seat, agent in enumerate(agents):
            agent.start(Seating(GAME, match.options, seat, seed))
        while not match.over:
            if match.state()["phase"][0] == phases.MAIN:
                yield match
            match.play(int(agents[match.actor].choose(match.view(match.actor), match.legal(), Clock())))


def mined(seeds: range) -> Iterator[np.ndarray]:
    """The positions of games at which the active player may build and trade and somebody lacks three points at most."""
    for match in mined_matches(seeds):
        state = match.state()
        if (state["visible"][0] >= state["goal"][0] - 3).any():
            yield state.copy()


def answers_that_give_the_game_away(positions: Iterator[np.ndarray], most: int) -> list[np.ndarray]:
    """Positions in which a yes to an offer would let the active player win at once, who cannot win without it."""
    found: list[np.ndarray] = []
    for state in positions:
        p = int(state["current"][0])
        if (
            state["visible"][0, p] < state["goal"][0] - 3
            or state["cards"][0, p, VICTORY_CARD] > 1
            or could_win(state, p)
        ):
            continue
        before = len(found)
        for given, wanted in np.ndindex(KINDS, KINDS):
            if len(found) > before:
                break
            asked = None if given == wanted else offered(state, int(given), int(wanted))
            while asked is not None and asked["phase"][0] == phases.ANSWER and len(found) < most:
                q = int(asked["responder"][0])
                if ids.ACCEPT in legal_in(asked) and could_win(swapped(asked, p, q, asked["offer"][0]), p):
                    found.append(asked.copy())
                    break
                kernels.apply_at(asked, 0, ids.ACCEPT + 1)
        if len(found) >= most:
            break
    return found


def seen(states: np.ndarray, seat: int) -> np.ndarray:
    out = blank(GAME.dtype)
    kernels.view_at(states, 0, seat, out)
    return out
