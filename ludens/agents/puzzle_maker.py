"""Makes puzzles: the strongest search plays games with itself, and positions with one good move are kept.

A position is kept if a search for play finds one move far ahead of all others, and a longer analysis with another seed,
which measures the answer and its rivals one by one (`search.measuring`), is sure of that. It is as hard as the shortest
search that finds the move is long; the wrong move is what that of a beginner, a very short search, likes best beside
the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from ludens.agents.analysis import strongest_search
from ludens.agents.puzzle_book import DIFFICULTIES, Line, Puzzle, Try
from ludens.core.match import Match
from ludens.core.rng import generator, pick
from ludens.core.spec import Game
from ludens.search.budget import Budget
from ludens.search.candidates import Search, analyse
from ludens.search.mcts import Findings

__all__ = ["MakerSettings", "make_puzzles", "puzzles_in"]

_STREAM = 11  # of the choices between moves while games are played
_RIVALS = 5  # moves that are measured to the end
_FACTORS = (16, 4)  # a beginner's search and a good player's are so many times shorter than that for play


@dataclass(frozen=True)
class MakerSettings:
    """How puzzles are looked for."""

    simulations: int = 1000  # of the search that plays
    longer: int = 8  # times as many check a puzzle
    gap: float = 0.25  # by how much the answer must be better than every other move, in expected return
    share: float = 0.6  # of the visits that the answer must have
    lost: float = -0.8  # an answer that brings no more than this saves nothing
    least: int = 4  # legal moves of a position worth showing
    each: int = 2  # puzzles of one game
    explore: int = 4  # moves of a game that are drawn from the visits: games shall differ
    seed: int = 0


def make_puzzles(
    game: Game, options: Mapping[str, Any] | None, settings: MakerSettings | None = None
) -> Iterator[Puzzle | None]:
    """Puzzles from game after game, for ever; None after every decision that makes none, so that a caller can stop."""
    known: set[bytes] = set()  # what was seen in puzzles before: short games repeat themselves
    for number in count():
        yield from puzzles_in(game, options, number, settings, known)


def puzzles_in(
    game: Game,
    options: Mapping[str, Any] | None,
    number: int,
    settings: MakerSettings | None = None,
    known: set[bytes] | None = None,
) -> Iterator[Puzzle | None]:
    """The puzzles of the game of this number; None after every decision that makes none.

    What is `known` is no puzzle again.
    """
    cfg, known = settings or MakerSettings(), set() if known is None else known
    seed = int(generator(cfg.seed, number)[0]) >> 11
    match = Match(game, {**game.spec.tournament, **(options or {})}, seed)
    search = strongest_search(game, match.view(0), threads=1, memory=64)
    rng, found, last = generator(seed, _STREAM), 0, -10
    while not match.over:
        seat, view, legal = match.actor, match.view(match.actor), match.legal()
        if len(legal) == 1:
            match.play(int(legal[0]))
            continue
        search.clear()
        findings = search.search(view, seat, legal, Budget(cfg.simulations), match.ply)
        puzzle = None
        if found < cfg.each and match.ply >= last + 10 and len(legal) >= cfg.least and _stands_out(findings, cfg):
            puzzle = None if view.tobytes() in known else _checked(game, match, search, findings, cfg)
        if puzzle is not None:
            found, last = found + 1, match.ply
            known.add(view.tobytes())
        yield puzzle
        match.play(_choice(findings, match.ply, cfg, rng))


def _choice(findings: Findings, ply: int, cfg: MakerSettings, rng: np.ndarray) -> int:
    """The best move; among the first ones any by its visits."""
    if ply > cfg.explore:
        return findings.best()
    ticket = pick(rng, max(1, int(findings.visits.sum())))
    place = int(np.searchsorted(np.cumsum(findings.visits), ticket, "right"))
    return int(findings.actions[min(place, len(findings.actions) - 1)])


def _stands_out(findings: Findings, cfg: MakerSettings) -> bool:
    """Is one move far better than all others that were looked at often enough to be sure?"""
    best = findings.order()[0]
    if findings.visits[best] < cfg.share * findings.visits.sum() or findings.values[best] <= cfg.lost:
        return False
    return _gap(findings) >= cfg.gap


def _gap(findings: Findings) -> float:
    """How much better the best move is than every other; one that was hardly tried counts as good as its few tries."""
    best = findings.order()[0]
    others = [k for k in range(len(findings.actions)) if k != best and findings.visits[k] > 0]
    if not others:
        return 0.0
    return float(findings.values[best] - max(findings.values[k] for k in others))


def _checked(game: Game, match: Match, search: Search, first: Findings, cfg: MakerSettings) -> Puzzle | None:
    """The puzzle of this position, if its moves, measured one by one, agree: the answer is better for sure."""
    seat, view, legal = match.actor, match.view(match.actor), match.legal()
    answer, shorter = first.best(), []
    for factor in _FACTORS:
        search.clear()
        shorter.append(search.search(view, seat, legal, Budget(max(8, cfg.simulations // factor)), match.ply + 1))
    natural = next(int(shorter[0].actions[k]) for k in shorter[0].order() if shorter[0].actions[k] != answer)
    budget, beside = Budget(cfg.longer * cfg.simulations), (answer, natural)
    measured = analyse(game, view, seat, search, budget, match.ply + 2, _RIVALS, include=beside, explain=0)
    best, second = measured.candidates[:2]
    if best.action != answer or best.result <= cfg.lost or second.behind - second.precision < cfg.gap:
        return None
    place = 0 if shorter[0].best() == answer else 1 if shorter[1].best() == answer else 2
    moves = {move.action: move for move in measured.candidates}
    right, wrong = (Try(action, round(moves[action].result, 3), moves[action].line) for action in beside)
    if natural in Line(match, seat, right.line).own:
        return None  # the answer does it too, only later
    document = {key: value for key, value in match.to_json().items() if key != "names"}
    return Puzzle(document, seat, DIFFICULTIES[place], right, wrong, second.behind, measured.simulations)
