"""Who sits on a seat: an agent made from a code, a class or an object given in Python, with a seed of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ludens.agents.codes import kinds, make_agent, named_kinds, parse_code
from ludens.agents.manners import at_table
from ludens.core.agent import Agent, Seating, agent_seed
from ludens.core.errors import BadInput
from ludens.core.spec import Game

__all__ = ["check_agents", "is_oracle", "seat_agent", "seat_agents", "strongest"]


def strongest(game: Game) -> str:
    """The code of the strongest fair agent; games list theirs from weak to strong."""
    return [name for name, kind in kinds(game).items() if not kind.oracle][-1]


def is_oracle(game: Game, code: Any) -> bool:
    """Does this agent ask for the whole state?"""
    return parse_code(game, code, outside=True)[0].oracle


def seat_agent(game: Game, options: np.ndarray, code: Any, seat: int, seed: int, with_people: bool = False) -> Agent:
    """A new agent that has sat down at a match of this seed; `code` may also name a module, or be a class or agent.

    With people it has the manners that nobody may lack at a table.
    """
    agent = make_agent(game, code, outside=True)
    agent = at_table(game, agent) if with_people else agent
    agent.start(Seating(game, options, seat, agent_seed(seed, seat)))
    return agent


def check_agents(game: Game, options: np.ndarray, seated: Iterable[tuple[str, int]]) -> None:
    """Lets agents of the package sit down, code and seat each: one that cannot, for want of a file, is refused.

    What guests do when they are made is their own affair: they lose their games.
    """
    known = named_kinds(game)
    for code, seat in seated:
        if code.partition(":")[0] in known:
            try:
                seat_agent(game, options, code, seat, 0)
            except BadInput as error:
                raise BadInput(f"Agent {code} cannot play on seat {seat + 1}: {error}") from error


def seat_agents(game: Game, options: np.ndarray, codes: Sequence[Any], seed: int) -> list[Agent]:
    """One new agent a seat; one that was given as an object cannot sit on two."""
    agents = [seat_agent(game, options, code, seat, seed) for seat, code in enumerate(codes)]
    if len({id(agent) for agent in agents}) < len(agents):
        raise BadInput("One agent cannot sit on two seats: give its class, so that every seat gets its own.")
    return agents
