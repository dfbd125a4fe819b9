"""Who sits on a seat: the interface of agents, and how kinds of agents describe themselves."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ludens.core.rng import AGENT, enter_event, generator
from ludens.core.spec import Game

__all__ = ["Agent", "AgentKind", "Clock", "Level", "Parameter", "Seating", "agent_seed"]


@dataclass
class Clock:
    """The time an agent may use for one move; None is as long as it likes."""

    seconds: float | None = None
    started: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Seconds left, infinite without a limit."""
        return float("inf") if self.seconds is None else self.seconds - (time.monotonic() - self.started)


@dataclass(frozen=True)
class Seating:
    """What an agent learns when it sits down: the game, its options, its seat, its own seed."""

    game: Game
    options: np.ndarray
    seat: int
    seed: int

    def generator(self, ply: int = 0) -> np.ndarray:
        """This agent's own random stream, entered at a ply: equal seeds and plies, equal choices."""
        rng = generator(self.seed, AGENT, self.seat)
        enter_event(rng, ply)
        return rng


def agent_seed(match_seed: int, seat: int) -> int:
    """The seed an agent learns: derived from the match's own, with which it could foretell the draws."""
    return int(generator(match_seed, AGENT, seat)[0]) >> 11


class Agent(Protocol):
    """A player. It is given views only, never the state.

    `start` is called once before its first choice. `choose` gets the seat's view (an array of
    one record), the legal ids (ascending) and the clock, and returns one of the ids. `end` gets
    the final view. Agents keep no file or process open between games.
    """

    def start(self, seating: Seating) -> None: ...

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int: ...

    def end(self, view: np.ndarray) -> None: ...


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kind of agent, as written in `name:key=value`."""

    name: str
    help: str
    default: Any
    type: Callable[[str], Any] = str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class AgentKind:
    """A named kind of agent: one line of explanation, its parameters, how to make one."""

    name: str
    help: str
    make: Callable[..., Agent]  # called with the parameters by name
    parameters: tuple[Parameter, ...] = ()
    preset: Mapping[str, Any] = field(default_factory=dict)  # for levels: parameters fixed beforehand
    oracle: bool = False  # sees the whole state; for upper bounds only, never offered to people


@dataclass(frozen=True)
class Level:
    """A name for a code, in a game's list of agents: `medium` for `mcts:seconds=0.5,threads=2`.

    A game thus presets the agents that every game has without knowing how they are made.
    """

    name: str
    help: str
    code: str
