"""Who sits opposite the learner in many games at once: agents by code, class or object, per game or from a pool."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ludens.agents.codes import parse_code
from ludens.agents.random import RANDOM
from ludens.core import kernels, record
from ludens.core.agent import Agent, Clock, Seating, agent_seed
from ludens.core.batch_kernels import LEARNER
from ludens.core.batch_kernels import RANDOM as IN_KERNEL
from ludens.core.errors import BadInput, IllegalMove
from ludens.core.rng import game_seed
from ludens.core.spec import Game

__all__ = ["ManyGames", "Opponents", "one_each"]


class ManyGames(Protocol):
    """A player of many games in one call, such as a network: it remembers nothing between calls."""

    def choose_many(self, views: np.ndarray, features: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """int[k]: a legal action for each of k views (records), features (float32) and masks (int8) of seats to act."""


def one_each(given: Any, others: int) -> list[Any]:
    """One opponent for every other seat, of one for all or a list of one for each."""
    ones = list(given) if isinstance(given, list | tuple) else [given]
    if len(ones) not in (1, others):
        raise BadInput(f"Name one opponent for all {others} other seats or one for each, not {len(ones)}.")
    return ones * others if len(ones) == 1 else ones


class Opponents:
    """Makes agents for the seats of `size` games and asks them, those of one kind together.

    One of three says who sits where: `everywhere`, one for all other seats or a list of one for each in the order of
    seats; `by_game`, a list of one such for every game; `pool`, from which every seat draws when a game begins.
    Each is a code, an `AgentKind`, a class, an agent (every game gets a copy) or an object that is `ManyGames`; or a
    name of `held`, for which others than this play: the number that stands there (see `core.batch_kernels`).
    """

    def __init__(
        self,
        game: Game,
        options: np.ndarray,
        size: int,
        everywhere: Any = None,
        by_game: Sequence[Any] | None = None,
        pool: Sequence[Any] | None = None,
        held: Mapping[str, int] | None = None,
    ) -> None:
        if sum(given is not None for given in (everywhere, by_game, pool)) > 1:
            raise BadInput("Name the opponents by one of opponents, by_game and pool, not by several.")
        self._game, self._options, self._players = game, options, int(options[0])
        self._held = dict(held or {})
        self._first_number = max([LEARNER, *self._held.values()]) + 1
        self._known: list[Any] = []  # what was given, each thing once; numbered from the one above
        self._makers: list[Any] = []
        self.pool = np.zeros(0, np.int64)  # numbers of agents, or IN_KERNEL
        self.others = np.full((size, self._players - 1), IN_KERNEL)  # the same for every other seat, in their order
        if pool is not None:
            if isinstance(pool, str) or not len(pool):
                raise BadInput("The pool is a list of at least one opponent.")
            self.pool = np.array([self.number(one) for one in pool])
        elif by_game is not None:
            if isinstance(by_game, str) or len(by_game) != size:
                raise BadInput(f"by_game names the opponents of each of the {size} games, not of {len(by_game)}.")
            self.others[:] = [self._row(one) for one in by_game]
        else:
            self.others[:] = self._row("random" if everywhere is None else everywhere)
        self._agents: dict[tuple[int, int], Agent] = {}  # by game and seat
        self._playing: dict[tuple[int, int], tuple[int, int]] = {}  # the agent and the game it was made for

    @property
    def asked(self) -> list[Any]:
        """Who is asked here; those who choose in compiled code are not."""
        return [str(known) for known in self._known]

    def forget(self, first: int) -> None:
        """Nobody sits anywhere any more; the next games are those of the batch seed `first`."""
        self._first = first
        self._agents.clear()
        self._playing.clear()

    def waiting(self, holders: np.ndarray, actors: np.ndarray) -> np.ndarray:
        """The games in which somebody who is asked here must choose."""
        held = holders[np.arange(len(actors)), np.maximum(actors, 0)]
        return np.flatnonzero((actors >= 0) & (held >= self._first_number))

    def answer(
        self, asked: np.ndarray, who: np.ndarray, numbers: np.ndarray, deals: np.ndarray,
        states: np.ndarray, views: np.ndarray, features: np.ndarray, masks: np.ndarray,
    ) -> np.ndarray:  # fmt: skip
        """int64: the actions in the games `asked`, where seat who[k], held by numbers[k], is to act."""
        actions = np.zeros(len(asked), np.int64)
        for number in np.unique(numbers):
            mine, known = np.flatnonzero(numbers == number), int(number) - self._first_number
            many = getattr(self._known[known], "choose_many", None)
            if many is not None:
                chosen = np.asarray(many(views[mine], features[mine], masks[mine]))
                if chosen.shape != mine.shape or chosen.dtype.kind not in "iu":
                    raise BadInput(
                        f"choose_many must return {len(mine)} whole numbers, not {chosen.dtype}{chosen.shape}."
                    )
                actions[mine] = chosen
            else:
                for k in mine.tolist():
                    kind, _ = self._makers[known]
                    shown = states[k : k + 1] if kind.oracle else views[k : k + 1]
                    agent = self._agent(int(asked[k]), int(who[k]), known, int(deals[k]))
                    actions[k] = int(agent.choose(shown.copy(), np.flatnonzero(masks[k]), Clock()))
        within = (actions >= 0) & (actions < masks.shape[1])
        legal = within & (masks[np.arange(len(asked)), np.where(within, actions, 0)] == 1)
        if not legal.all():
            k = int(np.flatnonzero(~legal)[0])
            raise IllegalMove(f"An opponent in game {asked[k]} plays {actions[k]}, which is not legal.")
        return actions

    def end(self, ended: np.ndarray, final_states: np.ndarray) -> None:
        """Shows the last positions to the agents that played in the games `ended`."""
        view = record.blank(self._game.dtype)
        for i in ended.tolist():
            for seat in range(self._players):
                agent = self._agents.pop((i, seat), None)
                if agent is not None and self._playing.pop((i, seat)):
                    kernels.view_at(final_states, i, seat, view)
                    agent.end(view.copy())

    def _agent(self, i: int, seat: int, number: int, played: int) -> Agent:
        """Who sits there in this game: a new agent in a new game."""
        if self._playing.get((i, seat)) != (number, played):
            kind, values = self._makers[number]
            agent = kind.make(**values)
            if agent is self._known[number]:
                agent = copy.deepcopy(agent)
            seed = game_seed(self._first, i)
            seed = seed if played == 1 else game_seed(seed, played)
            agent.start(Seating(self._game, self._options, seat, agent_seed(seed, seat)))
            self._agents[i, seat], self._playing[i, seat] = agent, (number, played)
        return self._agents[i, seat]

    def _row(self, given: Any) -> list[int]:
        """The numbers of the opponents on all other seats."""
        return [self.number(one) for one in one_each(given, self._players - 1)]

    def number(self, given: Any) -> int:
        """The number of what was given; things given before keep theirs."""
        if isinstance(given, str) and given in self._held:
            return self._held[given]
        for number, known in enumerate(self._known, self._first_number):
            if known is given or (isinstance(given, str) and known == given):
                return number
        if callable(getattr(given, "choose_many", None)) and not isinstance(given, type):
            maker = None
        else:
            maker = parse_code(self._game, given, outside=True)
            if maker[0] is RANDOM:
                return IN_KERNEL
        self._known.append(given)
        self._makers.append(maker)
        return self._first_number + len(self._known) - 1
