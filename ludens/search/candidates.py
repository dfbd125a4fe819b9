"""What the moves of a position are worth: candidates ranked, with expected result, points and continuation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ludens.core import kernels, verbs
from ludens.core.errors import BadInput
from ludens.core.jit import kernel
from ludens.core.record import blank
from ludens.core.rng import generator
from ludens.core.settle import CHOICE
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE
from ludens.search.budget import Budget, work_off
from ludens.search.mcts import TreeSearch
from ludens.search.mcts_kernel import find_node, make_scratch
from ludens.search.rollout import GUIDED, roll_out

__all__ = ["Analysis", "Candidate", "analyse", "legal_in_view", "principal_line"]

_PLAYOUTS = 100  # games played to the end for the expected points of one move
_SEARCHING = 0.8  # the part of the time for the search; the rest is for expected points
_LONGEST_LINE = 12
_POINTS_STREAM = 7  # apart from the streams of the trees


@dataclass(frozen=True)
class Candidate:
    """One move of the position."""

    action: int
    text: str
    result: float  # expected return of the seat to act, in [-1, 1]
    points: tuple[float, ...]  # expected final points of every seat if all play sensibly from there, not perfectly
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
    result: float  # expected return of the seat to act if it plays the first candidate
    results: tuple[float, ...]  # expected return of every seat, the mean of all simulations
    candidates: tuple[Candidate, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "simulations": self.simulations,
            "result": round(self.result, 4),
            "results": [round(x, 4) for x in self.results],
            "candidates": [candidate.to_json() for candidate in self.candidates],
        }


@kernel
def _play_to_the_end(
    views: Any,
    seat: int,
    actions: Any,
    rngs: Any,
    world: Any,
    legal: Any,
    priors: Any,
    out: Any,
    totals: Any,
    games: int,
) -> None:
    """Follows every action by so many guided games and adds their final points to totals[action, seat]."""
    for _ in range(games):
        for k in range(actions.shape[0]):
            verbs.determinize(views[0], seat, rngs[k], world)
            verbs.apply(world[0], actions[k])
            roll_out(world[0], GUIDED, 0, priors, rngs[k], legal, priors, out)
            verbs.scores(world[0], out)
            for p in range(out.shape[0]):
                totals[k, p] += out[p]


def legal_in_view(game: Game, view: np.ndarray, seat: int) -> np.ndarray:
    """The actions of the seat to act, which the view alone determines; a seat that has no move there is refused."""
    world, legal = blank(game.dtype), np.zeros(game.spec.actions, np.int64)
    if not 0 <= seat < int(view["players"][0]):
        raise BadInput(f"The seats of this game are 0 to {int(view['players'][0]) - 1}, not {seat}.")
    kernels.determinize_at(view, 0, seat, generator(0), world)
    who = int(kernels.actor_at(world, 0))
    if who != seat:
        nobody = "nobody has a move" if who < 0 else f"seat {who} is to move"
        raise BadInput(f"There is nothing to analyse for seat {seat}: {nobody} in this position.")
    return legal[: int(kernels.legal_at(world, 0, legal))].copy()


def analyse(
    game: Game,
    view: np.ndarray,
    seat: int,
    tree_search: TreeSearch,
    budget: Budget,
    seed: int = 0,
    candidates: int = 5,
    include: Sequence[int] = (),
) -> Analysis:
    """The best moves of a seat that must act, from its view alone.

    `tree_search` is the search to use; it is cleared first, so that equal seeds and simulations give equal
    analyses. Candidates are ordered by visits, which the search gives to what it trusts; the actions of
    `include` are among them wherever they rank.
    """
    if candidates < 1:
        raise BadInput(f"An analysis shows at least 1 candidate, not {candidates}.")
    legal = legal_in_view(game, view, seat)
    tree_search.clear()
    searching = budget if budget.seconds is None else replace(budget, seconds=_SEARCHING * budget.seconds)
    findings = tree_search.search(view, seat, legal, Budget(1) if len(legal) == 1 else searching, seed)
    order = findings.order()
    chosen = [int(k) for rank, k in enumerate(order) if rank < candidates or findings.actions[k] in include]
    points = _points(game, view, seat, findings.actions[chosen], budget, seed)
    total = max(1, int(findings.visits.sum()))
    found = tuple(
        Candidate(
            action=int(findings.actions[k]),
            text=game.text.action_to_text(view[0], int(findings.actions[k])),
            result=float(findings.values[k]),
            points=tuple(map(float, own)),
            visits=int(findings.visits[k]),
            share=int(findings.visits[k]) / total,
            line=principal_line(game, tree_search, view, seat, int(findings.actions[k]))[1],
        )
        for k, own in zip(chosen, points, strict=True)
    )
    results = () if findings.results is None else tuple(map(float, findings.results))
    return Analysis(seat, findings.simulations, found[0].result, results, found)


def _points(game: Game, view: np.ndarray, seat: int, actions: np.ndarray, budget: Budget, seed: int) -> np.ndarray:
    """The mean final points of every seat after every action, from as many games as the time allows."""
    out = np.zeros(int(view["players"][0]))
    totals = np.zeros((len(actions), len(out)))
    legal, priors, world = np.zeros(game.spec.actions, np.int64), np.zeros(game.spec.actions), blank(game.dtype)
    rngs = np.stack([generator(seed, _POINTS_STREAM)] * len(actions))  # the same luck for every candidate
    games = work_off(
        Budget(_PLAYOUTS, budget.seconds, budget.started),
        _PLAYOUTS,
        lambda n: _play_to_the_end(view, seat, actions, rngs, world, legal, priors, out, totals, n),
    )
    return totals / games


def principal_line(
    game: Game, tree_search: TreeSearch, view: np.ndarray, seat: int, action: int
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The most visited continuation in the first tree, as ids and in words, from the action on.

    It ends at the next draw; in a hidden game it goes on only as long as the seat itself moves.
    """
    scratch = make_scratch(game.dtype, game.spec.actions, int(view["players"][0]))
    kernels.determinize_at(view, 0, seat, generator(0), scratch.position)
    tree, legal = tree_search.trees[0], np.zeros(game.spec.actions, np.int64)
    ids: list[int] = []
    words: list[str] = []
    while len(words) < _LONGEST_LINE:
        ids.append(action)
        words.append(game.text.action_to_text(scratch.position[0], action))
        kernels.apply_at(scratch.position, 0, action)
        who, n = _settled(scratch.position, legal, ids, words, game, seat)
        if who < 0:
            break
        node = int(find_node(tree, scratch, seat, tree_search.settings))
        if node < 0:
            break
        edges = slice(tree.first[node], tree.first[node] + tree.breadth[node])
        best = int(tree.visits[edges].argmax())
        action = int(tree.action[edges][best])
        if tree.visits[edges][best] == 0 or action not in legal[:n]:
            break
    return tuple(ids), tuple(words)


def _settled(
    position: np.ndarray, legal: np.ndarray, ids: list[int], words: list[str], game: Game, seat: int
) -> tuple[int, int]:
    """Plays moves that leave no choice, noting them (in words those that a player makes); returns who acts then
    and how many ways.

    Nobody, if that is another seat in a hidden game: what it does would be told of a guess of its cards.
    """
    no_draws = generator(0)
    while True:
        who = int(kernels.actor_at(position, 0))
        if who < 0 or (game.spec.hidden and who != seat):
            return CHANCE, 0
        action, n = kernels.forced_at(position, 0, no_draws, legal, 0)
        if action == CHOICE:
            return who, n
        ids.append(int(action))
        if action < game.spec.first_automatic:
            words.append(game.text.action_to_text(position[0], action))
        kernels.apply_at(position, 0, action)
