"""The agents without a search that take one look at every move: `value-network`, and `newcomer`, who errs."""

from __future__ import annotations

import numpy as np

from ludens.agents.manners import manners_of
from ludens.agents.search_settings import evaluation_weights, network_weights
from ludens.core import verbs
from ludens.core.agent import AgentKind, Clock, Parameter, Seating, Thought
from ludens.core.jit import kernel
from ludens.core.record import Array, Position, Records, blank
from ludens.core.spec import Game
from ludens.core.verbs import AGENT_STATE

__all__ = ["NewcomerAgent", "ValueNetworkAgent", "one_ply_kinds"]

_NOT_CONSIDERED = -2.0  # see `core.verbs.one_ply_values`


@kernel
def one_ply_values_in_worlds(
    view: Records[Position], seat: int, legal: Array, rng: Array, worlds: int, weights: Array, agent_state: Array,
    scratch: Records[Position], values: Array, one_ply: Array, out: Array,
) -> None:  # fmt: skip
    """out[k] = the mean one-ply value of legal[k] in so many worlds that agree with view[0]."""
    n = legal.shape[0]
    out[:n] = 0.0
    for _ in range(worlds):
        verbs.determinize(view[0], seat, rng, scratch)
        verbs.one_ply_values(scratch[0], legal, n, weights, agent_state, scratch[1:3], values, one_ply)
        for k in range(n):
            out[k] += one_ply[k] / worlds


NOISE, OVERLOOKS = 0.5, 0.15
"""The model of somebody who has just read the rules, in every game: see `NewcomerAgent`."""


class ValueNetworkAgent:
    """Takes the move of the largest one-ply value."""

    def __init__(self, evaluation: str = "", worlds: int = 1) -> None:
        self._evaluation, self._worlds = evaluation, worlds

    def start(self, seating: Seating) -> None:
        game, self._seat, self._rng = seating.game, seating.seat, seating.generator()
        self._weights = self._weights_for(game)
        self._worlds = self._worlds if game.spec.hidden else 1
        self._agent_state, self._scratch = np.zeros(AGENT_STATE, np.int64), blank(game.dtype, 3)
        self._values = np.zeros(int(seating.options[0]))
        self._one_ply, self._out = np.zeros((2, game.spec.actions))
        self._thought: Thought | None = None

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        self._thought = None
        if len(legal) == 1:
            return int(legal[0])
        one_ply_values_in_worlds(
            view, self._seat, legal, self._rng, self._worlds, self._weights, self._agent_state, self._scratch,
            self._values, self._one_ply, self._out,
        )  # fmt: skip
        best = self._chosen(self._out[: len(legal)])
        self._thought = Thought(float(self._out[best]), line=(int(legal[best]),))
        return int(legal[best])

    def _weights_for(self, game: Game) -> np.ndarray:
        return network_weights(game, self._evaluation)

    def _chosen(self, values: np.ndarray) -> int:
        return int(values.argmax())

    def thought(self) -> Thought | None:
        """The one-ply value of the last choice."""
        return self._thought

    def end(self, view: np.ndarray) -> None:
        pass


class NewcomerAgent(ValueNetworkAgent):
    """A model of somebody who has just read the rules: one look at the moves it notices, with errors in their values.

    What others may answer is not looked at. Every move is overlooked with the chance `overlooks`; the others are valued
    by the position after them, with a normal error of `noise` times the standard deviation of the values of all moves.
    So mistakes are second choices that look good, overlooked chances and overlooked threats.
    """

    def __init__(
        self, noise: float = NOISE, overlooks: float = OVERLOOKS, evaluation: str = "", worlds: int = 4,
        manners: str = "off",
    ) -> None:  # fmt: skip
        super().__init__(evaluation, worlds)
        self._noise, self._overlooks, self._well_mannered = noise, overlooks, manners == "on"

    def start(self, seating: Seating) -> None:
        super().start(seating)
        self._errors = np.random.default_rng([int(word) for word in self._rng])
        self._manners = manners_of(seating) if self._well_mannered else None

    def _weights_for(self, game: Game) -> np.ndarray:
        """By default those that were fitted to results of games: others were tuned to serve searches."""
        return evaluation_weights(game, self._evaluation or ("fitted" if "fitted" in game.rules.evaluations else ""))

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        if self._manners is None:
            return super().choose(view, legal, clock)
        choice = super().choose(view, self._manners.polite(view, legal), clock)
        self._manners.chosen(view, choice)
        return choice

    def _chosen(self, values: np.ndarray) -> int:
        considered = np.flatnonzero(values > _NOT_CONSIDERED)
        if len(considered) == 0:
            return int(values.argmax())
        noticed = considered[self._errors.random(len(considered)) >= self._overlooks]
        if len(noticed) == 0:
            noticed = considered[[self._errors.integers(len(considered))]]
        error = self._noise * float(values[considered].std())
        return int(noticed[(values[noticed] + error * self._errors.standard_normal(len(noticed))).argmax()])


VALUE_NETWORK_KIND = AgentKind(
    "value-network",
    "no search: the move of the largest one-ply value by an evaluation, by default the value network",
    ValueNetworkAgent,
    (
        Parameter(
            "evaluation", "of the positions after every move; by default the game's value network or best one", ""
        ),
        Parameter("worlds", "guesses of what is hidden; open games need one", 1, int, low=1, high=1000, cost="work"),
    ),
)


NEWCOMER = AgentKind(
    "newcomer",
    "a model of somebody who has just read the rules: one look at most moves, with errors in their values",
    NewcomerAgent,
    (
        Parameter(
            "noise", "error of a value, in standard deviations of the moves' values", NOISE, float, low=0, high=100
        ),
        Parameter("overlooks", "chance that a move is not noticed", OVERLOOKS, float, low=0, high=0.99),
        Parameter(
            "evaluation",
            "of the positions after every move; by default that fitted to results, else the game's best",
            "",
        ),
        Parameter("worlds", "guesses of what is hidden; open games need one", 4, int, low=1, high=1000, cost="work"),
        Parameter(
            "manners", "leave undone what people would mind, where the game has manners", "off", str, ("off", "on")
        ),
    ),
)


def one_ply_kinds(game: Game) -> dict[str, AgentKind]:
    """`newcomer`, in games with an evaluation; `value-network`, in those that describe positions for such networks."""
    found = [NEWCOMER] if game.rules.evaluations else []
    if game.rules.described:
        found.append(VALUE_NETWORK_KIND)
    return {kind.name: kind for kind in found}
