"""Agents that look ahead, for every game: one for each algorithm of `ludens.search`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ludens.agents.manners import manners_of
from ludens.agents.search_settings import evaluation_weights, mcts_settings, reply_weights, rollout_mode
from ludens.core import kernels
from ludens.core.agent import Clock, Parameter, Seating, Thought
from ludens.core.errors import BadInput
from ludens.core.rng import AGENT, generator
from ludens.core.spec import Manners
from ludens.core.verbs import has_prior
from ludens.networks.shipped import network_named
from ludens.search.alphabeta import AlphaBeta
from ludens.search.budget import Budget
from ludens.search.candidates import principal_line
from ludens.search.endgame import DRAW, END, OFF, Endgame, can_solve
from ludens.search.expectimax import DRAWS, Expectimax, can_prune
from ludens.search.mcts import Findings, TreeSearch
from ludens.search.montecarlo import FlatMonteCarlo, Prediction
from ludens.search.rollout import CUT

__all__ = [
    "DEFAULT_SECONDS",
    "SECONDS",
    "AlphaBetaAgent",
    "ExpectimaxAgent",
    "FlatAgent",
    "MctsAgent",
    "MonteCarloAgent",
    "Thinker",
]

DEFAULT_SECONDS = 0.5
"""The budget of an agent that is given none."""

_ABOUT = f"seconds a move; {DEFAULT_SECONDS} if simulations are not given either"
SECONDS = Parameter("seconds", _ABOUT, None, float, low=0.001, high=86400, cost="seconds")
"""What search agents may be told of their time."""


class Thinker:
    """What search agents share: sitting down, a budget, a seed for every choice, single moves played at once.

    Seconds are for a whole move: where it takes several decisions of the seat, each gets its part.
    """

    def __init__(self, simulations: int | None, seconds: float | None) -> None:
        self._simulations = simulations
        self._seconds = DEFAULT_SECONDS if simulations is None and seconds is None else seconds
        self._choices = 0
        self._thought: Thought | None = None

    def thought(self) -> Thought | None:
        """What the last search found; None after a move without an alternative."""
        return self._thought

    def start(self, seating: Seating) -> None:
        self._game, self._seat = seating.game, seating.seat
        self._players = int(seating.options[0])
        self._decisions = seating.game.spec.decisions(seating.options, seating.seat)
        self._own_seed = seating.seed
        self._choices = 0

    def _budget(self, clock: Clock) -> Budget:
        seconds = None if self._seconds is None else self._seconds / self._decisions
        return Budget(self._simulations, seconds).within(clock.left())

    def _time(self, clock: Clock) -> Budget | None:
        """A budget of seconds alone, for searches to a depth; None where neither the code nor the clock limits."""
        if self._seconds is None and clock.seconds is None:
            return None
        return Budget(None, (self._seconds or 86400) / self._decisions).within(clock.left())

    def _cut(self, simulations: int, budget: Budget) -> bool:
        """Did the clock end a search with a fixed number of simulations after so many?"""
        return self._simulations is not None and simulations < self._simulations and budget.left() <= 0

    def _seed(self) -> int:
        """A new seed for this choice, the same in every game with this agent's seed."""
        self._choices += 1
        self._thought = None
        return int(generator(self._own_seed, AGENT, self._seat, self._choices)[0]) >> 11

    def end(self, view: np.ndarray) -> None:
        pass


class MctsAgent(Thinker):
    """Monte Carlo tree search; the trees are kept from move to move and given back after the game.

    Where the rest of an open game for two sides, or what comes before the next draw, is short enough, it is
    solved instead; `solve` says which (see `search.endgame`). With a network whose values count
    alone there are no roll-outs. `words` are those of `mcts_settings`.
    """

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        memory: float = 64.0,
        reuse: str = "on",
        solve: str = END,
        network: str = "",
        manners: str = "off",
        **words: Any,
    ) -> None:
        super().__init__(simulations, seconds)
        self._well_mannered = manners == "on"
        self._manners: Manners | None = None
        self._threads, self._memory, self._words = threads, memory, words
        self._reuse, self._horizon, self._network = reuse == "on", solve, network
        self._tree_search: TreeSearch | None = None
        self._policy: Findings | None = None

    def start(self, seating: Seating) -> None:
        super().start(seating)
        game = self._game
        network = network_named(self._network, game, seating.options)
        settings, weights = mcts_settings(game, **self._words, network=network)
        packed = None if network is None else network.packed
        self._tree_search = TreeSearch(game, self._players, settings, weights, self._threads, self._memory, packed)
        self._manners = manners_of(seating) if self._well_mannered else None
        self._endgame = None
        if self._horizon != OFF and can_solve(game, self._players):
            leaves = evaluation_weights(game, self._words.get("evaluation", "")) if self._horizon == DRAW else weights
            self._endgame = Endgame(game, self._players, leaves, self._horizon)

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        if self._manners is None:
            return self._search(view, legal, legal, clock)
        choice = self._search(view, legal, self._manners.polite(view, legal), clock)
        self._manners.chosen(view, choice)
        return choice

    def _search(self, view: np.ndarray, legal: np.ndarray, polite: np.ndarray, clock: Clock) -> int:
        """The best of the polite moves by a search over all legal ones."""
        seed = self._seed()
        self._policy = None
        if len(polite) == 1:
            return int(polite[0])
        assert self._tree_search is not None, "start comes before choose"
        budget = self._budget(clock)
        if self._endgame is not None:
            solved = self._endgame.solve(view, self._seat, legal, budget)
            if solved is not None:
                self._thought = Thought(float(np.nanmax(solved.values)), line=(solved.best,), note="solved")
                return solved.best
        if not self._reuse:
            self._tree_search.clear()
        findings = self._tree_search.search(view, self._seat, legal, budget, seed, choice_only=True)
        best = next(k for k in findings.order() if len(polite) == len(legal) or findings.actions[k] in polite)
        choice = int(findings.actions[best])
        cut = self._cut(findings.simulations, budget)
        self._thought = Thought(float(findings.values[best]), findings.simulations, line=(choice,), cut=cut)
        self._searched = view.copy()
        self._policy = findings
        return choice

    def policy(self) -> dict[int, float] | None:
        """The shares of the visits of the last search; none where nothing was searched."""
        told = self._policy
        if told is None or not told.visits.sum():
            return None
        return dict(zip(told.actions.tolist(), (told.visits / told.visits.sum()).tolist(), strict=True))

    def thought(self) -> Thought | None:
        """What the last search found; the line is read from the tree when somebody asks."""
        told = self._thought
        if told is None or told.simulations is None or self._tree_search is None:
            return told
        line, _ = principal_line(self._game, self._tree_search, self._searched, self._seat, told.line[0])
        return replace(told, line=line)

    def end(self, view: np.ndarray) -> None:
        self._tree_search, self._endgame = None, None


class _DeepeningAgent(Thinker):
    """An agent that looks ahead to a depth, and tells how far it came."""

    _search: AlphaBeta | Expectimax

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        seed = self._seed()
        if len(legal) == 1:
            return int(legal[0])
        outlook = self._search.search(view, self._seat, legal, self._time(clock), seed)
        value = float(outlook.values[outlook.actions == outlook.best][0])
        note = "solved" if outlook.exact else ""
        told = None if np.isnan(value) else value
        self._thought = Thought(told, depth=outlook.depth, line=(outlook.best,), note=note)
        return outlook.best


class ExpectimaxAgent(_DeepeningAgent):
    """Expectiminimax to a fixed depth, or level by level while the time lasts."""

    def __init__(
        self,
        depth: int = 2,
        seconds: float | None = None,
        unit: str = "decisions",
        opponents: str = "own",
        pruning: str = "auto",
        draws: int = DRAWS,
        worlds: int = 8,
        evaluation: str = "",
        replies: str = "",
    ) -> None:
        super().__init__(1, seconds)
        self._depth, self._unit, self._draws = depth, unit, draws
        self._worlds, self._evaluation, self._replies = worlds, evaluation, replies
        self._paranoid, self._pruning = opponents == "paranoid", pruning

    def start(self, seating: Seating) -> None:
        super().start(seating)
        heuristic = self._evaluation in self._game.rules.heuristics
        # Every seat maximises its own heuristic: what one wins the other need not lose, and nothing can be pruned.
        possible = can_prune(self._game, self._players, self._paranoid) and (self._paranoid or not heuristic)
        replies = reply_weights(self._game, self._replies)
        prune = possible and replies is None if self._pruning == "auto" else self._pruning == "on"
        if prune and not possible and heuristic:
            raise BadInput(f"Pruning by {self._evaluation} needs opponents=paranoid: its values do not sum to zero.")
        self._search = Expectimax(
            self._game,
            self._players,
            evaluation_weights(self._game, self._evaluation, heuristics=True),
            self._depth,
            self._unit,
            self._paranoid,
            prune,
            order=prune and has_prior(self._game.rules),
            worlds=self._worlds,
            heuristic=heuristic,
            draws=self._draws,
            replies=replies,
        )


class AlphaBetaAgent(_DeepeningAgent):
    """Alpha-beta for two sides, level by level, up to the next draw."""

    def __init__(
        self,
        depth: int = 4,
        seconds: float | None = None,
        worlds: int = 8,
        memory: float = 32.0,
        evaluation: str = "",
    ) -> None:
        super().__init__(1, seconds)
        self._depth, self._worlds, self._memory, self._evaluation = depth, worlds, memory, evaluation

    def start(self, seating: Seating) -> None:
        super().start(seating)
        weights = evaluation_weights(self._game, self._evaluation)
        self._search = AlphaBeta(self._game, self._players, weights, self._depth, self._worlds, self._memory)

    def _time(self, clock: Clock) -> Budget:
        """Levels fill the table and order the moves of the next: they are worth their time without a clock too."""
        return super()._time(clock) or Budget(seconds=86400)


class _TurnAgent(Thinker):
    """An agent that compares whole turns and keeps the rest of the one it has begun."""

    _search: FlatMonteCarlo | Prediction

    def start(self, seating: Seating) -> None:
        super().start(seating)
        self._kept: tuple[bytes, int] | None = None

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        seed = self._seed()
        if len(legal) == 1:
            return int(legal[0])
        kept, self._kept = self._kept, None
        if kept is not None and kept[0] == view.tobytes() and kept[1] in legal:
            return kept[1]
        turn, findings = self._search.search(view, self._seat, self._budget(clock), seed)
        value = float(findings.values[findings.actions == turn[0]][0])
        self._thought = Thought(value, findings.simulations, line=tuple(int(a) for a in turn if a >= 0))
        if len(turn) > 1 and turn[1] >= 0 and not self._game.spec.hidden:
            after = view.copy()
            kernels.apply_at(after, 0, int(turn[0]))
            self._kept = (after.tobytes(), int(turn[1]))
        return int(turn[0])


class FlatAgent(_TurnAgent):
    """Plays every move out equally often and takes the best mean."""

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        rollout: str = "random",
        depth: int = 0,
        span: int = 1,
        evaluation: str = "",
    ) -> None:
        super().__init__(simulations, seconds)
        self._rollout, self._depth, self._span, self._evaluation = rollout, depth, span, evaluation

    def start(self, seating: Seating) -> None:
        super().start(seating)
        mode = rollout_mode(self._game, self._rollout)
        weights = evaluation_weights(self._game, self._evaluation) if mode == CUT else np.zeros(1)
        self._search = FlatMonteCarlo(self._game, self._players, weights, mode, self._depth, self._span)


class MonteCarloAgent(_TurnAgent):
    """Monte Carlo prediction under the one-step policy of an evaluation (CD-63 … CD-66)."""

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        gamma: float = 0.9,
        limit: float = 0.05,
        rewards: str = "all",
        span: int = 1,
        evaluation: str = "",
        replies: str = "",
    ) -> None:
        super().__init__(simulations, seconds)
        self._gamma, self._limit, self._own_only = gamma, limit, rewards == "own"
        self._span, self._evaluation, self._replies = span, evaluation, replies

    def start(self, seating: Seating) -> None:
        super().start(seating)
        weights = evaluation_weights(self._game, self._evaluation, heuristics=True)
        heuristic = self._evaluation in self._game.rules.heuristics
        self._search = Prediction(
            *(self._game, self._players, weights, self._gamma, self._limit, self._own_only, self._span, heuristic),
            reply_weights(self._game, self._replies),
        )
