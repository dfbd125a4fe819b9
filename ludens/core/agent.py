"""Who sits on a seat: the interface of agents, and how kinds of agents describe themselves."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from ludens.core.rng import AGENT, enter_event, generator
from ludens.core.spec import Game

__all__ = [
    "LEVELS",
    "NEWCOMERS",
    "ROLL_OUTS",
    "TREE_SEARCHES",
    "Agent",
    "AgentKind",
    "Clock",
    "Cost",
    "Level",
    "Parameter",
    "Seating",
    "Thought",
    "agent_seed",
    "levels",
    "thought_of",
]


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


@dataclass(frozen=True)
class Thought:
    """What an agent thought when it made its last choice, as far as it tells.

    It is made of what the agent's seat knows: who may not see the seat's view may not see its thoughts.
    """

    value: float | None = None  # expected result of its seat, in [-1, 1] where the agent expects results
    simulations: int | None = None
    depth: int | None = None  # decisions or turns that were looked ahead
    line: tuple[int, ...] = ()  # the principal variation: action ids, the choice first
    note: str = ""  # anything else, in a few words
    cut: bool = False  # the clock ended the search before its simulations were done: it plays weaker than it should

    def to_json(self) -> dict[str, Any]:
        return {
            "value": None if self.value is None else round(self.value, 4),
            "simulations": self.simulations,
            "depth": self.depth,
            "line": list(self.line),
            "note": self.note,
            "cut": self.cut,
        }


class Agent(Protocol):
    """A player. It is given views only, never the state.

    `start` is called once before its first choice. `choose` gets the seat's view (an array of
    one record), the legal ids (ascending) and the clock, and returns one of the ids. `end` gets
    the final view. Agents keep no file or process open between games. An agent may also have a method
    `thought()`, which tells what it thought at its last choice as a `Thought`, or None.

    A class that derives from this one needs `choose` alone:

    >>> class First(Agent):
    ...     def choose(self, view, legal, clock):
    ...         return int(legal[0])
    """

    def start(self, seating: Seating) -> None:
        return

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int: ...

    def end(self, view: np.ndarray) -> None:
        return


def thought_of(agent: Agent) -> Thought | None:
    """What the agent tells of its last choice; None where it tells nothing."""
    tell = getattr(agent, "thought", None)
    told = tell() if callable(tell) else None
    return told if isinstance(told, Thought) else None


Cost = Literal["memory", "threads", "seconds", "work"]
"""What more of a parameter costs whoever runs the agent.

MiB (of every thread), threads or processes, seconds a move, or work: more of it takes more time than any clock bounds.
"""


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
    required: bool = False  # there is no default: the code must say it
    cost: Cost | None = None  # a server for strangers bounds these (`server.thinking.budgets`)


@dataclass(frozen=True)
class AgentKind:
    """A named kind of agent: one line of explanation, its parameters, how to make one."""

    name: str
    help: str
    make: Callable[..., Agent]  # called with the parameters by name
    parameters: tuple[Parameter, ...] = ()
    preset: Mapping[str, Any] = field(default_factory=dict)  # for levels: parameters fixed beforehand
    oracle: bool = False  # sees the whole state; for upper bounds only, never offered to people
    alias: bool = False  # another name of an agent, such as a thesis gave it: understood in codes, not listed
    broken: str = ""  # why it cannot be made, in a sentence: a package that does not load

    @property
    def complete(self) -> bool:
        """Can an agent be made from the name alone? Others need a file or the like, and are not offered in lists."""
        return all(parameter.name in self.preset for parameter in self.parameters if parameter.required)


@dataclass(frozen=True)
class Level:
    """A name for a code, in a game's list of agents: `medium` for `mcts:simulations=1500`.

    A game thus presets the agents that every game has without knowing how they are made.
    """

    name: str
    help: str
    code: str
    alias: bool = False  # see `AgentKind`


LEVELS = ("beginner", "easy", "medium", "hard", "champion")
"""The levels of a game, from weak to strong; their work is fixed, so that they play alike on every machine."""


NEWCOMERS = (
    "one look at most moves, valued with the errors of somebody who has just read the rules",
    "one look at nearly all moves, with smaller errors in their values",
)
TREE_SEARCHES = (
    "tree search that looks a little ahead",
    "tree search that looks ahead well",
    "tree search that looks far ahead, on two cores",
    "the strongest tree search of the game, on two cores",
)
ROLL_OUTS = (
    "roll-outs of the likely moves with the value network",
    "more roll-outs of the likely moves with the value network, on two cores",
    "the most roll-outs of the likely moves with the value network, on two cores",
)
"""Lines of help for levels, from weak to strong."""


def levels(codes: Sequence[str], help: Sequence[str]) -> dict[str, Level]:
    """The five levels with these codes, from weak to strong."""
    return {name: Level(name, about, code) for name, about, code in zip(LEVELS, help, codes, strict=True)}
