"""Who sits opposite the learner in many games at once: agents by code, class or object, per game or from a pool."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from ludens.agents.codes import parse_code
from ludens.agents.random import RANDOM
from ludens.core import kernels, record
from ludens.core.agent import Agent, Clock, Seating, agent_seed
from ludens.core.errors import BadInput, IllegalMove
from ludens.core.rng import game_seed
from ludens.core.spec import Game
from ludens.play.seat_kernel import IN_KERNEL

__all__ = ["ManyGames", "Opponents"]


class ManyGames(Protocol):
    """A player of many games in one call, such as a network: it remembers nothing between calls."""

    def choose_many(self, views: np.ndarray, features: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """int[k]: a legal action for each of k views (records), features (float32) and masks (int8) of seats to act."""


class Opponents:
    """Makes agents for the seats of `size` games and asks them, those of one kind together.

    One of three says who sits where: `everywhere`, one for all other seats or a list of one for each in the order of
    seats; `by_game`, a list of one such for every game; `pool`, from which every seat draws when a game begins.
    Each is a code, an `AgentKind`, a class, an agent (every game gets a copy) or an object that is `ManyGames`.
    """

    def __init__(
        self,
        game: Game,
        options: np.ndarray,
        size: int,
        everywhere: Any = None,
        by_game: Sequence[Any] | None = None,
        pool: Sequence[Any] | None = None,
    ) -> None:
        if sum(given is not None for given in (everywhere, by_game, pool)) > 1:
            raise BadInput("Name the opponents by one of opponents, by_game and pool, not by several.")
        self._game, self._options, self._players = game, options, int(options[0])
        self._known: list[Any] = []  # what was given, each thing once
        self._makers: list[Any] = []
        self.pool = np.zeros(0, np.int64)  # numbers of agents, or IN_KERNEL
        self.others = np.full((size, self._players - 1), IN_KERNEL)  # the same for every other seat, in their order
        if pool is not None:
            if isinstance(pool, str) or not len(pool):
                raise BadInput("The pool is a list of at least one opponent.")
            self.pool = np.array([self._number(one) for one in pool])
        elif by_game is not None:
            if isinstance(by_game, str) or len(by_game) != size:
                raise BadInput(f"by_game names the opponents of each of the {size} games, not of {len(by_game)}.")
            self.others[:] = [self._row(one) for one in by_game]
        else:
            self.others[:] = self._row("random" if everywhere is None else everywhere)
        self._agents: dict[tuple[int, int], Agent] = {}  # by game and seat
        self._playing: dict[tuple[int, int], tuple[int, int]] = {}  # the agent and the game it was made for

    @property
    def asked(self) -> bool:
        """Is there anybody to ask? (those who choose in the kernel are not)"""
        return bool(self._known)

    def forget(self, first: int) -> None:
        """Nobody sits anywhere any more; the next games are those of the batch seed `first`."""
        self._first = first
        self._agents.clear()
        self._playing.clear()

    def answer(
        self, asked: np.ndarray, who: np.ndarray, sitting: np.ndarray, games: np.ndarray,
        states: np.ndarray, views: np.ndarray, features: np.ndarray, masks: np.ndarray, actions: np.ndarray,
    ) -> None:  # fmt: skip
        """Writes actions[i] for every game i in `asked`, where seat who[k] is to act, each agent's games together."""
        numbers = sitting[asked, who]
        for number in np.unique(numbers):
            mine = asked[numbers == number]
            many = getattr(self._known[number], "choose_many", None)
            if many is not None:
                chosen = np.asarray(many(views[mine], features[mine], masks[mine]))
                if chosen.shape != mine.shape or chosen.dtype.kind not in "iu":
                    raise BadInput(
                        f"choose_many must return {len(mine)} whole numbers, not {chosen.dtype}{chosen.shape}."
                    )
                actions[mine] = chosen
            else:
                for i, seat in zip(mine.tolist(), who[numbers == number].tolist(), strict=True):
                    kind, _ = self._makers[number]
                    shown = states[i : i + 1] if kind.oracle else views[i : i + 1]
                    agent = self._agent(i, seat, int(number), int(games[i]))
                    actions[i] = int(agent.choose(shown.copy(), np.flatnonzero(masks[i]), Clock()))
            within = (actions[mine] >= 0) & (actions[mine] < masks.shape[1])
            legal = within & (masks[mine, np.where(within, actions[mine], 0)] == 1)
            if not legal.all():
                i = int(mine[~legal][0])
                raise IllegalMove(f"An opponent in game {i} plays {actions[i]}, which is not legal.")

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
        ones = list(given) if isinstance(given, list | tuple) else [given]
        others = self._players - 1
        if len(ones) not in (1, others):
            raise BadInput(f"Name one opponent for all {others} other seats or one for each, not {len(ones)}.")
        return [self._number(one) for one in (ones * others if len(ones) == 1 else ones)]

    def _number(self, given: Any) -> int:
        """The number of what was given; things given before keep theirs."""
        for number, known in enumerate(self._known):
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
        return len(self._known) - 1
