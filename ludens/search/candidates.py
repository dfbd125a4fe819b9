"""What the moves of a position are worth: candidates ranked, with expected result, points and continuation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from ludens.core import kernels, verbs
from ludens.core.errors import BadInput
from ludens.core.fields import Fields
from ludens.core.film import seen_by
from ludens.core.jit import kernel
from ludens.core.reasons import MOST_REASONS, Reason
from ludens.core.record import Array, Position, Records, blank
from ludens.core.rng import generator
from ludens.core.settle import CHOICE
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE
from ludens.search.budget import Budget, work_off
from ludens.search.mcts import Findings
from ludens.search.measuring import ENOUGH, Bench, Measured, known_well, measure
from ludens.search.refuting import Answered, takes_away, with_refutation
from ludens.search.rollout import GUIDED, roll_out
from ludens.search.winning import urgent

__all__ = [
    "WORK",
    "Analysis",
    "Candidate",
    "Move",
    "Play",
    "Search",
    "analyse",
    "legal_in_view",
    "principal_line",
    "with_candidates",
]

_PLAYOUTS = 100  # games played to the end for the expected points of one move
_CHOOSING = 0.2  # the part of the work and of the time in which the search chooses the moves that are measured
_MEASURING = 0.85  # the part of the time after which measuring ends; the rest is for expected points
_FIELD = 10  # moves that are measured at first
_LONGEST_LINE = 12
_LONGEST_MOVE = 24  # decisions of one seat; an offer of many cards takes that many
_TO_COMPLETE = 60  # simulations for the rest of a move that the search has not thought through
_POINTS_STREAM = 7  # apart from the streams of the trees
WORK = {"tree": 60_000, "roll-outs": 6_000}
"""Simulations of an analysis without a budget: enough to tell moves apart, as `experiments/stability.py` measures."""


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

    def bench(self, view: np.ndarray, seat: int, legal: np.ndarray, moves: int, seed: int, work: int = 0) -> Bench:
        """Where so many of the legal actions are looked at one by one, with so many simulations in all."""

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
class Answer(Move):
    """What somebody else decides next, if both play as the search thinks best."""

    seat: int

    def to_json(self) -> dict[str, Any]:
        return {"seat": self.seat, **super().to_json()}


@dataclass(frozen=True)
class Candidate:
    """One move of the position."""

    action: int
    text: str
    result: float  # expected return of the seat to act, in [-1, 1]
    doubt: float  # standard error of the result
    behind: float  # by how much the best move's result is better
    precision: float  # that is known to so much, in 95 of 100 cases
    known: bool  # is the precision as good as it should be? Else it is open how good the move is
    points: tuple[float, ...]  # expected final points of every seat if all play sensibly from there, not perfectly
    visits: int  # results of looks at this move alone
    share: float  # of the visits of the search that chose the moves
    line: tuple[str, ...]  # the principal variation, this move first, up to the next draw or unseen move
    whole: tuple[Move, ...]  # what the seat decides until the move is complete, the action first
    answer: Answer | None  # the best answer of somebody else, where it may be told
    reasons: tuple[Reason, ...]  # what speaks for it, where the game tells that
    plays: tuple[Play, ...] = ()  # the line decision by decision, with what happens

    def to_json(self) -> dict[str, Any]:
        return {
            "action": self.action,
            "text": self.text,
            "result": round(self.result, 4),
            "doubt": round(self.doubt, 4),
            "behind": round(self.behind, 4),
            "precision": round(self.precision, 4),
            "known": self.known,
            "points": [round(x, 2) for x in self.points],
            "visits": self.visits,
            "share": round(self.share, 4),
            "line": list(self.line),
            "whole": [move.to_json() for move in self.whole],
            "answer": None if self.answer is None else self.answer.to_json(),
            "reasons": [reason.to_json() for reason in self.reasons],
            "plays": [play.to_json() for play in self.plays],
        }


@dataclass(frozen=True)
class Analysis:
    """The moves of one position, by their results, the best first."""

    seat: int
    simulations: int
    result: float  # expected return of the seat to act if it plays the first candidate
    results: tuple[float, ...]  # expected return of every seat after that
    candidates: tuple[Candidate, ...]
    cut: bool = False  # did the clock end the work before it was done?

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "simulations": self.simulations,
            "result": round(self.result, 4),
            "results": [round(x, 4) for x in self.results],
            "candidates": [candidate.to_json() for candidate in self.candidates],
            "cut": self.cut,
        }


@kernel
def _play_to_the_end(
    views: Records[Position], seat: int, actions: Array, key: int, first: int, world: Records[Position], legal: Array,
    priors: Array, out: Array, totals: Array, games: int,
) -> None:  # fmt: skip
    """Follows every action by the guided games first, first + 1, … of this key, whose luck is the same for all actions.

    Adds their final points to totals[action, seat].
    """
    rng = np.empty(2, np.uint64)
    for game in range(first, first + games):
        for k in range(actions.shape[0]):
            rng[0], rng[1] = np.uint64(key) + np.uint64(game), np.uint64(0)
            verbs.determinize(views[0], seat, rng, world)
            verbs.apply(world[0], actions[k])
            roll_out(world[0], GUIDED, 0, priors, rng, legal, priors, out)
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
    analyses. It chooses the moves that are measured (`search.measuring`), the actions of `include` among them however
    bad they are. Candidates are ordered by their results. Reasons are told of the first `explain` candidates, by
    default of all.
    """
    if candidates < 1:
        raise BadInput(f"An analysis shows at least 1 candidate, not {candidates}.")
    legal = legal_in_view(game, view, seat)
    search.clear()
    findings = search.search(view, seat, legal, _part(budget, _CHOOSING, _CHOOSING), seed)
    order = [int(k) for k in findings.order()]
    wanted = [k for k in order if findings.actions[k] in include]
    work = findings.simulations * (1 - _CHOOSING) / _CHOOSING
    if budget.simulations is not None:
        work = min(work, budget.simulations - findings.simulations)
    bench = search.bench(view, seat, legal, max(_FIELD, candidates) + len(wanted), seed, int(work))
    field = _field(order, wanted, max(_FIELD, candidates), int(work) // bench.batches)
    if len(legal) == 1:
        measured = _without_choice(findings, seat)
    else:
        clock = replace(budget, seconds=None if budget.seconds is None else _MEASURING * budget.seconds)
        measured = measure(bench, field, wanted, candidates, int(work), clock)
    chosen = [k for rank, k in enumerate(measured.places) if rank < candidates or k in wanted]
    best = chosen[0]
    alone = partial(search.continuation, seen_by=seat) if len(legal) == 1 else None
    lines = [_follow(game, alone or partial(bench.continuation, k), view, seat, int(legal[k])) for k in chosen]
    points = _points(game, view, seat, findings.actions[chosen], budget, seed)
    total = max(1, int(findings.visits.sum()))
    found: list[Candidate] = []
    vain: list[Candidate] = []
    taken: dict[int, Mapping[str, Any] | None] = {}  # by the best answer to each move
    weights = _weights_for_reasons(game, search)
    for k, own, line in zip(chosen, points, lines, strict=True):
        line.complete(game, search, seat, seed)
        explained = explain is None or len(found) < explain
        taken[int(legal[k])] = takes_away(game, line.answered, seat, weights) if explain != 0 else None
        candidate = Candidate(
            action=int(legal[k]),
            text=game.text.action_to_text(view[0], int(legal[k])),
            result=measured.values[k],
            doubt=measured.doubts[k],
            behind=measured.behind[k],
            precision=measured.precisions[k],
            known=False,
            points=tuple(map(float, own)),
            visits=bench.visits(k) if len(legal) > 1 else findings.simulations,
            share=int(findings.visits[k]) / total,
            line=tuple(line.words),
            whole=tuple(line.whole),
            answer=line.answer,
            reasons=line.reasons(game, view, seat, search, legal.tolist()) if explained else (),
            plays=tuple(line.plays),
        )
        (vain if line.vain(game) and k not in wanted else found).append(candidate)
    found = _refuted(found or vain, taken, explain)
    expected = findings.results if len(legal) == 1 else bench.results(best)
    results = () if expected is None else tuple(map(float, expected))
    simulations = findings.simulations + measured.simulations
    analysis = Analysis(seat, simulations, found[0].result, results, (), measured.cut)
    return with_candidates(game, analysis, found)


def _refuted(
    found: Sequence[Candidate], taken: Mapping[int, Mapping[str, Any] | None], explain: int | None
) -> list[Candidate]:
    """The candidates, the best first, with what their best answers take away."""
    told = []
    for rank, move in enumerate(found):
        if explain is not None and rank >= explain:
            told.append(move)
            continue
        surely = move.behind > move.precision
        others = [taken[other.action] for other in found if other is not move]
        reasons = with_refutation(move.reasons, taken[move.action] if rank == 0 or surely else None, rank == 0, others)
        told.append(replace(move, reasons=reasons))
    return told


def _weights_for_reasons(game: Game, search: Search) -> np.ndarray:
    """Of the evaluation that has names for its terms."""
    if search.evaluates or not game.rules.evaluations:
        return search.weights
    return next(iter(game.rules.evaluations.values()))


def with_candidates(game: Game, analysis: Analysis, candidates: Sequence[Candidate]) -> Analysis:
    """The analysis with these candidates, the best first: all that it tells agrees with the first of them."""
    best, moves = candidates[0], []
    for move in candidates:
        behind = max(0.0, best.result - move.result)
        known = move.visits >= ENOUGH and known_well(behind, move.precision)
        moves.append(replace(move, behind=behind, known=known))
    results = analysis.results
    if results:
        sides = game.spec.sides(len(results))
        results = _agreeing(np.array(results), sides, analysis.seat, best.result)
    return replace(analysis, result=best.result, results=results, candidates=tuple(moves))


def _part(budget: Budget, work: float, time: float) -> Budget:
    """A part of the work, and of the time."""
    return replace(
        budget,
        simulations=None if budget.simulations is None else max(1, int(work * budget.simulations)),
        seconds=None if budget.seconds is None else time * budget.seconds,
    )


def _field(order: Sequence[int], wanted: Sequence[int], most: int, affordable: int) -> list[int]:
    """The moves that are measured: those that were asked for, and the likeliest."""
    room = max(1, min(most, affordable - len(wanted)))
    return list(dict.fromkeys([*wanted, *order[:room]]))


def _without_choice(findings: Findings, seat: int) -> Measured:
    """The only legal action: it is worth what the position is worth."""
    value = 0.0 if findings.results is None else float(findings.results[seat])
    return Measured([0], {0: value}, {0: 0.0}, {0: 0.0}, {0: 0.0}, 0, cut=False)


def _agreeing(results: np.ndarray, sides: Sequence[int], seat: int, own: float) -> tuple[float, ...]:
    """Results of all seats in which the seat's side has this one.

    Of two sides the other has the opposite; several share what is left as they did.
    """
    mine = np.array([side == sides[seat] for side in sides])
    if len(set(sides)) == 2:
        told = np.where(mine, own, -own)
    else:
        told = np.where(mine, own, results)
        told = told + ~mine * (results.sum() - told.sum()) / max(1, (~mine).sum())
    return tuple(map(float, told))


def _points(game: Game, view: np.ndarray, seat: int, actions: np.ndarray, budget: Budget, seed: int) -> np.ndarray:
    """The mean final points of every seat after every action, from as many games as the time allows."""
    out = np.zeros(int(view["players"][0]))
    totals = np.zeros((len(actions), len(out)))
    legal, priors, world = np.zeros(game.spec.actions, np.int64), np.zeros(game.spec.actions), blank(game.dtype)
    key, played = int(generator(seed, _POINTS_STREAM)[0]) >> 2, 0

    def play(games: int) -> None:
        nonlocal played
        _play_to_the_end(view, seat, actions, key, played, world, legal, priors, out, totals, games)
        played += games

    work_off(Budget(_PLAYOUTS, budget.seconds, budget.started), _PLAYOUTS, play)
    return totals / played


def principal_line(
    game: Game, search: Search, view: np.ndarray, seat: int, action: int
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The continuation that the search thinks best, as ids and in words, from the action on.

    It ends at the next draw; in a hidden game it goes on only as long as the seat itself moves.
    """
    line = _follow(game, partial(search.continuation, seen_by=seat), view, seat, action)
    return tuple(line.ids), tuple(line.words)


@dataclass
class _Line:
    """A continuation that is being followed."""

    position: np.ndarray  # at its end so far
    ids: list[int] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    plays: list[Play] = field(default_factory=list)
    whole: list[Move] = field(default_factory=list)  # the decisions of the first move
    answer: Answer | None = None  # the first decision of somebody else
    after: np.ndarray | None = None  # the position when that is complete
    answered: Answered | None = None  # all decisions of somebody else that follow it, where they may be told

    def play(self, game: Game, seat: int, action: int) -> None:
        """Plays one decision."""
        before, who = self.position.copy(), int(kernels.actor_at(self.position, 0))
        self.ids.append(action)
        self.words.append(game.text.action_to_text(before[0], action))
        if who != seat and self.answer is None:
            self.answer = Answer(action, self.words[-1], game.text.action_to_json(before[0], action), who)
        kernels.apply_at(self.position, 0, action)
        events = game.text.events(Fields(before), action, Fields(self.position))
        self.plays.append(Play(who, tuple(seen_by(event, seat) for event in events)))
        if who != seat and (self.answered is None or not self.answered.complete):
            begun = before if self.answered is None else self.answered.before
            complete = game.text.completes(before[0], action, self.position[0]) or not self._goes_on(who)
            self.answered = Answered(who, begun, self.position.copy(), complete)
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
        return game.text.vain([move.action for move in self.whole])

    def reasons(
        self, game: Game, view: np.ndarray, seat: int, search: Search, legal: Sequence[int]
    ) -> tuple[Reason, ...]:
        """What speaks for the first move, told of what the seat sees."""
        first = urgent(game, view, seat, [move.action for move in self.whole], legal)
        if self.after is None or not game.rules.evaluations:
            return tuple(first)
        weights = _weights_for_reasons(game, search)
        after, end = blank(game.dtype), blank(game.dtype)
        kernels.view_at(self.after, 0, seat, after)
        kernels.view_at(self.position, 0, seat, end)
        return (*first, *game.text.reasons(view[0], after[0], end[0], seat, weights))[:MOST_REASONS]


def _follow(
    game: Game,
    continuation: Callable[[np.ndarray, int, np.ndarray], int],
    view: np.ndarray,
    seat: int,
    action: int,
) -> _Line:
    """The continuation that is thought best, from the action on."""
    position, legal = blank(game.dtype), np.zeros(game.spec.actions, np.int64)
    kernels.determinize_at(view, 0, seat, generator(0), position)
    line = _Line(position)
    while len(line.words) < _LONGEST_LINE:
        line.play(game, seat, action)
        who, n = _settled(line, legal, game, seat)
        if who < 0:
            break
        action = continuation(position, who, legal[:n])
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
