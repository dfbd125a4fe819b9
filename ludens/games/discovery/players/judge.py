"""The Discovery: the player that takes the turn, tile and follower together, that an evaluation likes best."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludens.core.agent import Clock, Seating
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.jit import kernel, rule
from ludens.core.record import blank
from ludens.core.weights import LEARNED, TUNED, own_weights
from ludens.games.discovery.evaluate import EVALUATIONS, HEURISTICS, evaluate
from ludens.games.discovery.frontier import survey
from ludens.games.discovery.learned import MEMORY, SIZE, chances_after
from ludens.games.discovery.players.one_step import ROOM
from ludens.games.discovery.rules.followers import follower_actions
from ludens.games.discovery.rules.verbs import apply, place_tile, returns
from ludens.games.discovery.state import DTYPE, FIRST_FOLLOWER, FOLLOWER, MAX_PLAYERS, NOTHING, PASS, PLACING

__all__ = ["JudgeAgent", "choose", "judge_weights"]

_WORST = -1e300


@rule
def choose(s: Any, legal: Any, n: int, weights: Any, scratch: Any, worth: Any) -> int:
    """The action of legal[:n] that begins the best turn for the player on turn; the first of equally good ones.

    Before the tile is laid every place is tried with every follower move behind it. What the evaluation, or the
    result, says after the turn goes to `worth`, for all players. `scratch` has two records; s stays as it is.
    """
    p, best, found = int(s.current), _WORST, int(legal[0])
    options, told, memory = np.empty(ROOM, np.int64), np.empty(MAX_PLAYERS), np.empty(MEMORY)
    placing = s.phase == PLACING
    for k in range(n if placing else 1):
        scratch[0] = s
        w = scratch[0]
        if placing:
            place_tile(w, int(legal[k]))
        regions = survey(w, memory) if weights.shape[0] == SIZE else 0  # the same for all follower moves
        for j in range(follower_actions(w, options)):
            _after(w, int(options[j]), weights, scratch, memory, regions, told)
            if told[p] > best:
                best = told[p]
                found = int(legal[k]) if placing else int(options[j])
                for q in range(int(s.players)):
                    worth[q] = told[q]
    return found


@rule
def _after(w: Any, a: int, weights: Any, scratch: Any, memory: Any, regions: int, told: Any) -> None:
    """What the follower move promises everybody. It is played on w itself and taken back, unless it ends the game."""
    if w.deck_left == 0:
        scratch[1] = w
        apply(scratch[1], a)
        returns(scratch[1], told)
        return
    p = int(w.current)
    score, piece = int(w.score[p]), int(w.follower[p, a - FIRST_FOLLOWER]) if FIRST_FOLLOWER <= a < PASS else 0
    apply(w, a)
    if weights.shape[0] == SIZE:
        chances_after(w, memory, regions, weights, told)
    else:
        evaluate(w, weights, told)
    w.current, w.phase, w.score[p] = p, FOLLOWER, score
    if a < FIRST_FOLLOWER:
        _take_back(w, p)
    elif a < PASS:
        _put_back(w, p, a - FIRST_FOLLOWER, piece)


@rule
def _take_back(w: Any, p: int) -> None:
    """Undoes placing the youngest follower."""
    k = int(w.follower_count[p]) - 1
    w.region_followers[w.piece_region[w.follower[p, k]]] -= 1
    w.follower_count[p] = k
    w.follower[p, k] = NOTHING


@rule
def _put_back(w: Any, p: int, k: int, piece: int) -> None:
    """Undoes taking the k-th follower, which stood on that piece."""
    for j in range(int(w.follower_count[p]), k, -1):
        w.follower[p, j] = w.follower[p, j - 1]
    w.follower[p, k] = piece
    w.follower_count[p] += 1
    w.region_followers[w.piece_region[piece]] += 1


@kernel
def choose_at(views: Any, legal: Any, weights: Any, scratch: Any, worth: Any) -> int:
    """`choose` for Python, on views[0]."""
    return choose(views[0], legal, legal.shape[0], weights, scratch, worth)


def judge_weights(name: str = "") -> np.ndarray:
    """The evaluation of that name, or of a file in the folder of further ones; by default the game's learned one."""
    known = {**EVALUATIONS, **HEURISTICS}
    if not name:
        name = LEARNED if LEARNED in known else TUNED
    if name in known:
        return known[name]
    own = own_weights(name, "discovery")
    if own is None:
        raise did_you_mean(name, known, "evaluation of discovery")
    lengths = sorted({SIZE, *map(len, known.values())})
    if len(own) not in lengths:
        raise BadInput(f"Evaluation {name} has {len(own)} weights; discovery needs {' or '.join(map(str, lengths))}.")
    return own


class JudgeAgent:
    """Plays by `choose`. The follower is chosen anew once the tile lies: that finds the same turn."""

    def __init__(self, evaluation: str = "") -> None:
        self._weights = judge_weights(evaluation)
        self._scratch = blank(DTYPE, 2)
        self._worth = np.zeros(MAX_PLAYERS)

    def start(self, seating: Seating) -> None:
        """Nothing is kept from game to game."""

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        return int(choose_at(view, legal, self._weights, self._scratch, self._worth))

    def end(self, view: np.ndarray) -> None:
        """Nothing is kept from game to game."""
