"""What the moves of a position are worth: candidates ranked, with expected result, points and continuation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.core import kernels, verbs
from ludens.core.errors import BadInput
from ludens.core.jit import kernel
from ludens.core.record import blank
from ludens.core.rng import generator
from ludens.core.spec import Game
from ludens.search.budget import Budget
from ludens.search.forest import Findings, Forest
from ludens.search.mcts import find_node, make_scratch
from ludens.search.rollout import GUIDED, roll_out

__all__ = ["Analysis", "Candidate", "analyse"]

_PLAYOUTS = 100  # games played to the end for the expected points of one move
_LONGEST_LINE = 12
_POINTS_STREAM = 7  # apart from the streams of the trees


@dataclass(frozen=True)
class Candidate:
    """One move of the position."""

    action: int
    text: str
    result: float  # expected return of the seat to act, in [-1, 1]
    points: tuple[float, ...]  # expected final points of every seat if both sides play sensibly, not perfectly
    visits: int
    share: float  # of all visits
    line: tuple[str, ...]  # the principal variation, this move first, up to the next draw or unseen move

    def to_json(self) -> dict[str, Any]:
        return {
            "action": self.action,
            "text": self.text,
            "result": round(self.result, 4),
            "points": [round(x, 2) for x in self.points],
            "visits": self.visits,
            "share": round(self.share, 4),
            "line": list(self.line),
        }


@dataclass(frozen=True)
class Analysis:
    """The moves of one position, the best first."""

    seat: int
    simulations: int
    result: float  # expected return of the seat to act, with best play as far as the search saw
    candidates: tuple[Candidate, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "simulations": self.simulations,
            "result": round(self.result, 4),
            "candidates": [candidate.to_json() for candidate in self.candidates],
        }


@kernel
def _final_points(
    views: Any, seat: int, action: int, rng: Any, world: Any, legal: Any, priors: Any, out: Any, games: int
) -> None:
    """The mean final points of every seat when the action is followed by guided play."""
    total = np.zeros(out.shape[0])
    for _ in range(games):
        verbs.determinize(views[0], seat, rng, world)
        verbs.apply(world[0], action)
        roll_out(world[0], GUIDED, 0, priors, rng, legal, priors, out)
        verbs.scores(world[0], out)
        for p in range(out.shape[0]):
            total[p] += out[p]
    for p in range(out.shape[0]):
        out[p] = total[p] / games


def analyse(
    game: Game,
    view: np.ndarray,
    seat: int,
    legal: np.ndarray,
    forest: Forest,
    budget: Budget,
    seed: int = 0,
    candidates: int = 5,
) -> Analysis:
    """The best moves for a seat that must act, from its view alone.

    `forest` is the search to use; it is cleared first, so that equal seeds and simulations give equal
    analyses. Candidates are ordered by visits, which the search gives to what it trusts.
    """
    if not len(legal):
        raise BadInput("There is nothing to analyse: nobody has a move here.")
    if candidates < 1:
        raise BadInput(f"An analysis shows at least 1 candidate, not {candidates}.")
    forest.clear()
    if len(legal) == 1:
        budget = Budget(1)
    findings = forest.search(view, seat, legal, budget, seed)
    order = np.lexsort((findings.priors, findings.values, findings.visits))[::-1]
    total = max(1, int(findings.visits.sum()))
    found = []
    for k in order[:candidates]:
        action = int(findings.actions[k])
        found.append(
            Candidate(
                action=action,
                text=game.text.action_to_text(view[0], action),
                result=float(findings.values[k]),
                points=_points(game, view, seat, action, seed),
                visits=int(findings.visits[k]),
                share=int(findings.visits[k]) / total,
                line=_line(game, forest, view, seat, action),
            )
        )
    return Analysis(seat, findings.simulations, _value(findings), tuple(found))


def _value(findings: Findings) -> float:
    return float(findings.values[np.lexsort((findings.priors, findings.values, findings.visits))[-1]])


def _points(game: Game, view: np.ndarray, seat: int, action: int, seed: int) -> tuple[float, ...]:
    out = np.zeros(int(view["players"][0]))
    legal, priors = np.zeros(game.spec.actions, np.int64), np.zeros(game.spec.actions)
    rng = generator(seed, _POINTS_STREAM)  # the same luck for every candidate
    _final_points(view, seat, action, rng, blank(game.dtype), legal, priors, out, _PLAYOUTS)
    return tuple(float(x) for x in out)


def _line(game: Game, forest: Forest, view: np.ndarray, seat: int, action: int) -> tuple[str, ...]:
    """The most visited continuation in the first tree; in a hidden game only as long as the seat itself moves."""
    scratch = make_scratch(game.dtype, game.spec.actions, int(view["players"][0]))
    kernels.determinize_at(view, 0, seat, generator(0), scratch.position)
    tree, legal = forest.trees[0], np.zeros(game.spec.actions, np.int64)
    words: list[str] = []
    while len(words) < _LONGEST_LINE:
        words.append(game.text.action_to_text(scratch.position[0], action))
        kernels.apply_at(scratch.position, 0, action)
        who, n = _settled(scratch.position, legal, words, game)
        if who < 0 or (game.spec.hidden and who != seat):
            break
        node = int(find_node(tree, scratch, seat, forest.plan))
        if node < 0:
            break
        edges = slice(tree.first[node], tree.first[node] + tree.breadth[node])
        best = int(tree.visits[edges].argmax())
        action = int(tree.action[edges][best])
        if tree.visits[edges][best] == 0 or action not in legal[:n]:
            break
    return tuple(words)


def _settled(position: np.ndarray, legal: np.ndarray, words: list[str], game: Game) -> tuple[int, int]:
    """Plays moves that leave no choice, adding those that a player makes; returns who acts then and how many ways."""
    while True:
        who = int(kernels.actor_at(position, 0))
        n = int(kernels.legal_at(position, 0, legal)) if who >= 0 else 0
        if n != 1:
            return who, n
        if int(legal[0]) < game.spec.first_automatic:
            words.append(game.text.action_to_text(position[0], int(legal[0])))
        kernels.apply_at(position, 0, int(legal[0]))
