"""Proves puzzles: by measuring every move, by a second evaluation, and by games that champions play out.

A puzzle is proved if the measuring instrument finds its answer better than every other move by more than it may err,
a search that plays games to their ends in place of an evaluation agrees, and champions win more with the answer than
with each other move. The last is a sequential test: for every rival it bets that the answer brings more in the next
pair of games, both from one world and with the same luck. If it does not, in the mean, a capital of 1 reaches 1000 with
a probability of one in a thousand at most, however long one plays (Ville's inequality). So a rival is beaten at 99.9 %
when the capital reaches 1000, and no earlier end or later look changes that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ludens.agents.analysis import strongest_search
from ludens.agents.puzzle_book import Line, Proof, Puzzle, Try
from ludens.agents.search_settings import mcts_settings
from ludens.core import kernels
from ludens.core.match import Match
from ludens.core.record import blank
from ludens.core.rng import CHANCE_STREAM, DETERMINIZE, generator
from ludens.core.settle import CHOICE
from ludens.core.spec import Game
from ludens.core.verbs import TERMINAL, has_prior
from ludens.search.budget import Budget
from ludens.search.candidates import WORK, Analysis, Search, analyse
from ludens.search.mcts import TreeSearch
from ludens.search.rollout import GUIDED, MODES, RANDOM

__all__ = ["ERROR", "ProofSettings", "Verdict", "effort", "prove"]

ERROR = 0.001
"""The probability that a rival is taken for beaten which is as good as the answer."""

_CLEAR = 0.1  # of expected return
_STREAM = 29  # of the play-outs
_BOLDEST = 0.9  # part of the capital that a bet risks at the most
_BELIEF = 2.0  # pairs of games that the distance which was measured counts for, in the first bets
_FUTILE = 100  # pairs after which a rival is given up
_SLOWLY = 0.25  # if the capital has grown by less than this part of what would reach the end in time
_MEMORY = 8  # MiB of a champion's tree


@dataclass(frozen=True)
class ProofSettings:
    """How much is looked at."""

    simulations: int = WORK["tree"]  # by the instrument; half of it by the second evaluation
    champions: int = 100  # simulations of a champion's decision, where it searches a tree; the eighth part by roll-outs
    games: int = 400  # pairs of games for one rival at most
    seed: int = 0


@dataclass(frozen=True)
class Verdict:
    """What came of a puzzle: it is proved, or why not."""

    key: str
    puzzle: Puzzle | None  # with its proof, and what refutes every other move
    why: str = ""  # not proved: `measured`, `second` or `played`: which of the three does not find the answer better
    games: int = 0  # that champions played

    def to_json(self) -> dict[str, Any]:
        told = None if self.puzzle is None else self.puzzle.to_json()
        return {"key": self.key, "puzzle": told, "why": self.why, "games": self.games}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Verdict:
        return cls(**{**data, "puzzle": None if data["puzzle"] is None else Puzzle.from_json(data["puzzle"])})


def effort(puzzle: Puzzle) -> float:
    """About how long a proof takes, to begin with what is soon known."""
    match = Match.from_json(puzzle.match)
    return len(match.legal()) / max(0.05, puzzle.gap) ** 2


def prove(game: Game, puzzle: Puzzle, settings: ProofSettings | None = None) -> Verdict:
    """Proves a puzzle, or says what does not agree with it."""
    cfg = settings or ProofSettings()
    match = Match.from_json(puzzle.match)
    view, legal = match.view(puzzle.seat), match.legal()
    right = [int(action) for action in Line(match, puzzle.seat, puzzle.answer.line).first()]
    rivals = [int(action) for action in legal if action not in right]
    search = strongest_search(game, view, 1, 64, match.options)
    share = WORK["roll-outs"] / WORK["tree"] if not isinstance(search, TreeSearch) else 1.0
    measured = _measured(game, match, search, int(cfg.simulations * share), cfg.seed)
    if not _finds(measured, right, surely=True):
        return Verdict(puzzle.key, None, "measured")
    if not _finds(_measured(game, match, _second(game, match), cfg.simulations // 2, cfg.seed), right, surely=False):
        return Verdict(puzzle.key, None, "second")
    results = {move.action: move for move in measured.candidates}
    table = _Table(game, match, puzzle.seat, cfg)
    for rival in sorted(rivals, key=lambda action: -results[action].result):
        behind = max(results[puzzle.answer.action].result - results[rival].result, 0.0)
        if not _beaten(table, puzzle.answer.action, rival, behind / 2, cfg.games):
            return Verdict(puzzle.key, None, "played", table.played)
    tries = {a: Try(a, round(results[a].result, 3), results[a].line) for a in (puzzle.answer.action, *rivals)}
    answer = tries.pop(puzzle.answer.action)
    proof = Proof(games=table.played, error=ERROR)
    proved = replace(
        puzzle,
        answer=replace(answer, line=puzzle.answer.line),
        wrong=tries[puzzle.wrong.action],
        gap=answer.result - max(one.result for one in tries.values()),
        simulations=measured.simulations,
        others=tuple(one for one in tries.values() if one.action != puzzle.wrong.action),
        proof=proof,
    )
    return Verdict(puzzle.key, proved, games=table.played)


def _measured(game: Game, match: Match, search: Search, simulations: int, seed: int) -> Analysis:
    """Every move of the position, measured."""
    legal = match.legal().tolist()
    view = match.view(match.actor)
    return analyse(game, view, match.actor, search, Budget(simulations), seed, len(legal), include=legal, explain=0)


def _finds(measured: Analysis, right: Sequence[int], surely: bool) -> bool:
    """Is the answer better than every other move, and if `surely` clearly, and by more than the measuring may err?"""
    rivals = [move for move in measured.candidates if move.action not in right]
    ahead = [move.behind > (max(_CLEAR, move.precision) if surely else 0.0) for move in rivals]
    return measured.candidates[0].action in right and all(ahead)


def _second(game: Game, match: Match) -> TreeSearch:
    """A search that plays games to their ends where the strongest one asks an evaluation or a network."""
    settings, weights = mcts_settings(game, rollout=MODES[GUIDED if has_prior(game.rules) else RANDOM])
    return TreeSearch(game, match.players, settings, weights, 1, 64)


class _Table:
    """Where champions play games to their ends from one position: what a move brings in world k is played once."""

    def __init__(self, game: Game, match: Match, seat: int, cfg: ProofSettings) -> None:
        self.played = 0
        self._game, self._seat, self._cfg = game, seat, cfg
        self._view = match.view(seat)
        self._champion = strongest_search(game, self._view, 1, _MEMORY, match.options)
        tree = isinstance(self._champion, TreeSearch)
        self._budget = Budget(cfg.champions if tree else max(8, cfg.champions // 8))
        self._known: dict[tuple[int, int], float] = {}

    def result(self, action: int, world: int) -> float:
        """What the seat gets in this world if it plays the action and champions go on."""
        if (action, world) not in self._known:
            self._known[action, world] = self._play(action, world)
        return self._known[action, world]

    def _play(self, action: int, world: int) -> float:
        game, champion = self._game, self._champion
        position, seen = blank(game.dtype), blank(game.dtype)
        legal = np.zeros(game.spec.actions, np.int64)
        kernels.determinize_at(
            self._view, 0, self._seat, generator(self._cfg.seed, _STREAM, DETERMINIZE, world), position
        )
        luck = generator(self._cfg.seed, _STREAM, CHANCE_STREAM, world)
        kernels.apply_at(position, 0, action)
        decisions = 0
        while int(kernels.actor_at(position, 0)) != TERMINAL:
            chosen, n = kernels.forced_at(position, 0, luck, legal, game.spec.first_automatic)
            if chosen == CHOICE and n == 1:
                chosen = int(legal[0])
            elif chosen == CHOICE:
                who = int(kernels.actor_at(position, 0))
                kernels.view_at(position, 0, who, seen)
                champion.clear()
                decisions += 1
                chosen = champion.search(seen, who, legal[:n].copy(), self._budget, world * 1000 + decisions).best()
            kernels.apply_at(position, 0, chosen)
        returns = np.zeros(int(self._view["players"][0]))
        kernels.returns_at(position, 0, returns)
        self.played += 1
        return float(returns[self._seat])


def _beaten(table: _Table, answer: int, rival: int, belief: float, most: int) -> bool:
    """Does the answer bring more than the rival, but for a probability of `ERROR`?"""
    capital, pairs = 0.0, 0  # its logarithm
    total, squares = _BELIEF * belief, _BELIEF * max(belief, belief**2)
    while pairs < most:
        mean, square = total / (pairs + _BELIEF), squares / (pairs + _BELIEF)
        bet = min(_BOLDEST, max(0.0, mean / max(square, 1e-9)))
        ahead = (table.result(answer, pairs) - table.result(rival, pairs)) / 2  # in [-1, 1]
        capital += math.log1p(bet * ahead)
        total, squares, pairs = total + ahead, squares + ahead**2, pairs + 1
        if capital >= -math.log(ERROR):
            return True
        if pairs >= _FUTILE and capital < -math.log(ERROR) * _SLOWLY * pairs / most:
            return False
    return False
