"""What the moves of a position are worth: candidates ranked, with expected result, points and continuation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from ludens.core import kernels, verbs
from ludens.core.errors import BadInput
from ludens.core.fields import Fields
from ludens.core.film import seen_by
from ludens.core.jit import kernel
from ludens.core.reasons import Reason
from ludens.core.record import Array, Position, Records, blank
from ludens.core.rng import generator
from ludens.core.settle import CHOICE
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE
from ludens.search.budget import Budget, work_off
from ludens.search.mcts import Findings
from ludens.search.rollout import GUIDED, roll_out

__all__ = ["Analysis", "Candidate", "Move", "Play", "Search", "analyse", "legal_in_view", "principal_line"]

_PLAYOUTS = 100  # games played to the end for the expected points of one move
_SEARCHING = 0.8  # the part of the time for the search; the rest is for expected points
_SECOND_LOOK = 0.25  # and of that, the part for an included move that the search has hardly looked at
_HARDLY = 0.25  # looked at: less than this part of the best move's visits
_LONGEST_LINE = 12
_LONGEST_MOVE = 24  # decisions of one seat; an offer of many cards takes that many
_SERIOUSLY = 10  # visits; a move that takes several decisions and was looked at less often is left out
_TO_COMPLETE = 60  # simulations for the rest of a move that the search has not thought through
_POINTS_STREAM = 7  # apart from the streams of the trees


class Search(Protocol):
    """What analyses ask of a search, of a tree (`mcts`) or of roll-outs with sequential halving."""

    weights: np.ndarray  # of its evaluation

    @property
    def evaluates(self) -> bool:
        """Are these the weights of an evaluation?"""

    def clear(self) -> None:
        """Forgets everything."""

    def search(self, view: np.ndarray, seat: int, legal: np.ndarray, budget: Budget, seed: int) -> Findings:
        """What the legal actions of the seat to act are worth, from its view."""

    def insist(self, view: np.ndarray, seat: int, findings: Findings, k: int, budget: Budget) -> Findings:
        """The same after a longer look at the k-th of them."""

    def continuation(self, position: np.ndarray, seat: int, legal: np.ndarray, seen_by: int) -> int:
        """How the seat to act goes on in a full position of a line that was searched for `seen_by`; -1: unknown."""


@dataclass(frozen=True)
class Move:
    """One decision of a whole move."""

    action: int
    text: str
    json: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        return {"action": self.action, "text": self.text, "json": self.json}


@dataclass(frozen=True)
class Play:
    """One decision of a continuation: who makes it and what happens by it, as the asking seat is told."""

    seat: int
    events: tuple[dict[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        return {"seat": self.seat, "events": list(self.events)}


@dataclass(frozen=True)
class Candidate:
    """One move of the position."""

    action: int
    text: str
    result: float  # expected return of the seat to act, in [-1, 1]
    doubt: float  # standard error of the result, as far as the search's own simulations tell
    points: tuple[float, ...]  # expected final points of every seat if all play sensibly from there, not perfectly
    visits: int
    share: float  # of all visits
    line: tuple[str, ...]  # the principal variation, this move first, up to the next draw or unseen move
    whole: tuple[Move, ...]  # what the seat decides until the move is complete, the action first
    reasons: tuple[Reason, ...]  # what speaks for it, where the game tells that
    plays: tuple[Play, ...] = ()  # the line decision by decision, with what happens

    def to_json(self) -> dict[str, Any]:
        return {
            "action": self.action,
            "text": self.text,
            "result": round(self.result, 4),
            "doubt": round(self.doubt, 4),
            "points": [round(x, 2) for x in self.points],
            "visits": self.visits,
            "share": round(self.share, 4),
            "line": list(self.line),
            "whole": [move.to_json() for move in self.whole],
            "reasons": [reason.to_json() for reason in self.reasons],
            "plays": [play.to_json() for play in self.plays],
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
    views: Records[Position], seat: int, actions: Array, rngs: Array, world: Records[Position], legal: Array,
    priors: Array, out: Array, totals: Array, games: int,
) -> None:  # fmt: skip
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
    game: Game, view: np.ndarray, seat: int, search: Search, budget: Budget, seed: int = 0, candidates: int = 5,
    include: Sequence[int] = (), explain: int | None = None,
) -> Analysis:  # fmt: skip
    """The best moves of a seat that must act, from its view alone.

    `search` is the search to use; it is cleared first, so that equal seeds and simulations give equal
    analyses. Candidates are ordered by visits, which the search gives to the best; the actions of
    `include` are among them wherever they rank, and are looked at a second time if the search has neglected them.
    Reasons are told of the first `explain` candidates, by default of all.
    """
    if candidates < 1:
        raise BadInput(f"An analysis shows at least 1 candidate, not {candidates}.")
    legal = legal_in_view(game, view, seat)
    search.clear()
    looks = _SEARCHING * (1 - _SECOND_LOOK) if include else _SEARCHING
    searching = budget if budget.seconds is None else replace(budget, seconds=looks * budget.seconds)
    findings = search.search(view, seat, legal, Budget(1) if len(legal) == 1 else searching, seed)
    order = findings.order()
    chosen = [int(k) for rank, k in enumerate(order) if rank < candidates or findings.actions[k] in include]
    looked = _look_again(search, view, seat, findings, [k for k in chosen if findings.actions[k] in include], budget)
    lines = [_follow(game, search, view, seat, int(findings.actions[k])) for k in chosen]
    points = _points(game, view, seat, findings.actions[chosen], budget, seed)
    total = max(1, int(findings.visits.sum()))
    found: list[Candidate] = []
    vain: list[Candidate] = []
    for k, own, line in zip(chosen, points, lines, strict=True):
        asked_for = not found or findings.actions[k] in include
        if line.after is None and findings.visits[k] < _SERIOUSLY and not asked_for:
            continue
        line.complete(game, search, seat, seed)
        explained = explain is None or len(found) < explain
        candidate = Candidate(
            action=int(findings.actions[k]),
            text=game.text.action_to_text(view[0], int(findings.actions[k])),
            result=float(looked.values[k]),
            doubt=_doubt(looked, k),
            points=tuple(map(float, own)),
            visits=int(looked.visits[k]),
            share=int(findings.visits[k]) / total,
            line=tuple(line.words),
            whole=tuple(line.whole),
            reasons=line.reasons(game, view, seat, search) if explained else (),
            plays=tuple(line.plays),
        )
        (vain if line.vain(game) and findings.actions[k] not in include else found).append(candidate)
    found = found or vain
    results = () if findings.results is None else tuple(map(float, findings.results))
    return Analysis(seat, findings.simulations, found[0].result, results, tuple(found))


def _doubt(findings: Findings, k: int) -> float:
    """The standard error of a mean result; one of which nothing is known may be anything."""
    visits = int(findings.visits[k])
    if visits < 2 or findings.squares is None:
        return 1.0
    spread = max(0.0, float(findings.squares[k]) / visits - float(findings.values[k]) ** 2)
    return min(1.0, math.sqrt(spread / (visits - 1)))


def _look_again(
    search: Search, view: np.ndarray, seat: int, findings: Findings, included: list[int], budget: Budget
) -> Findings:
    """The findings with a second look at included moves that were hardly looked at.

    The tree tries the move again and again: what it is worth becomes as well known as the best move's worth.
    """
    most = int(findings.visits.max())
    for k in included:
        if findings.visits[k] >= _HARDLY * most:
            continue
        looks = max(1, int(_SECOND_LOOK * findings.simulations))
        seconds = None if budget.seconds is None else _SEARCHING * budget.seconds
        findings = search.insist(view, seat, findings, k, Budget(looks, seconds, budget.started))
    return findings


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
    game: Game, search: Search, view: np.ndarray, seat: int, action: int
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The continuation that the search thinks best, as ids and in words, from the action on.

    It ends at the next draw; in a hidden game it goes on only as long as the seat itself moves.
    """
    line = _follow(game, search, view, seat, action)
    return tuple(line.ids), tuple(line.words)


@dataclass
class _Line:
    """A continuation that is being followed."""

    position: np.ndarray  # at its end so far
    ids: list[int] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    plays: list[Play] = field(default_factory=list)
    whole: list[Move] = field(default_factory=list)  # the decisions of the first move
    after: np.ndarray | None = None  # the position when that is complete

    def play(self, game: Game, seat: int, action: int) -> None:
        """Plays one decision."""
        before = self.position.copy()
        self.ids.append(action)
        self.words.append(game.text.action_to_text(before[0], action))
        who = int(kernels.actor_at(self.position, 0))
        kernels.apply_at(self.position, 0, action)
        events = game.text.events(Fields(before), action, Fields(self.position))
        self.plays.append(Play(who, tuple(seen_by(event, seat) for event in events)))
        if self.after is None:
            self.whole.append(Move(action, self.words[-1], game.text.action_to_json(before[0], action)))
            if game.text.completes(before[0], action, self.position[0]) or not self._goes_on(seat):
                self.after = self.position.copy()

    def complete(self, game: Game, search: Search, seat: int, seed: int) -> None:
        """Finishes a move that the search has not thought through, by a short search at every decision."""
        legal = np.zeros(game.spec.actions, np.int64)
        while self.after is None:
            n = int(kernels.legal_at(self.position, 0, legal))
            action = int(legal[0])
            if n > 1:
                seen = blank(game.dtype)
                kernels.view_at(self.position, 0, seat, seen)
                action = search.search(seen, seat, legal[:n].copy(), Budget(_TO_COMPLETE), seed).best()
            self.play(game, seat, action)

    def _goes_on(self, seat: int) -> bool:
        return int(kernels.actor_at(self.position, 0)) == seat and len(self.whole) < _LONGEST_MOVE

    def vain(self, game: Game) -> bool:
        """Does the move come to nothing, as an offer does that is withdrawn?"""
        is_vain = getattr(game.text, "vain", None)
        return is_vain is not None and bool(is_vain([move.action for move in self.whole]))

    def reasons(self, game: Game, view: np.ndarray, seat: int, search: Search) -> tuple[Reason, ...]:
        """What speaks for the first move, told of what the seat sees."""
        if self.after is None or not game.rules.evaluations:
            return ()
        weights = search.weights if search.evaluates else next(iter(game.rules.evaluations.values()))
        after, end = blank(game.dtype), blank(game.dtype)
        kernels.view_at(self.after, 0, seat, after)
        kernels.view_at(self.position, 0, seat, end)
        return game.text.reasons(view[0], after[0], end[0], seat, weights)


def _follow(game: Game, search: Search, view: np.ndarray, seat: int, action: int) -> _Line:
    """The continuation that the search thinks best, from the action on."""
    position, legal = blank(game.dtype), np.zeros(game.spec.actions, np.int64)
    kernels.determinize_at(view, 0, seat, generator(0), position)
    line = _Line(position)
    while len(line.words) < _LONGEST_LINE:
        line.play(game, seat, action)
        who, n = _settled(line, legal, game, seat)
        if who < 0:
            break
        action = search.continuation(position, who, legal[:n], seat)
        if action < 0:
            break
    return line


def _settled(line: _Line, legal: np.ndarray, game: Game, seat: int) -> tuple[int, int]:
    """Plays moves that leave no choice, noting them (in words those that a player makes); returns who acts then
    and how many ways.

    Nobody, if that is another seat in a hidden game: what it does would be told of a guess of its cards.
    """
    no_draws = generator(0)
    position = line.position
    while True:
        who = int(kernels.actor_at(position, 0))
        if who < 0 or (game.spec.hidden and who != seat):
            return CHANCE, 0
        action, n = kernels.forced_at(position, 0, no_draws, legal, 0)
        if action == CHOICE:
            return who, n
        if action < game.spec.first_automatic:
            line.play(game, seat, int(action))
        else:
            line.ids.append(int(action))
            kernels.apply_at(position, 0, action)
