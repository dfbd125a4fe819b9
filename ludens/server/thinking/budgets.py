"""What an agent that a stranger chose may cost: memory, threads, seconds and work, by what its parameters declare.

No agent is known by name here. A parameter says what more of it costs (`core.agent.Parameter.cost`), the settings say
how much of that is lent, and everything else follows: what the lobby offers, what is refused, what a worker keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from ludens.core.agent import AgentKind, Cost, Parameter
from ludens.i18n.messages import say
from ludens.server.refusal import Refusal
from ludens.server.settings import Settings

__all__ = ["Budgets", "declared_memory"]

_BASE = 4.0  # MiB that an agent takes which declares no memory


@dataclass(frozen=True)
class Budgets:
    """The most that one agent may ask for."""

    memory: float  # MiB, of all its threads together
    threads: float  # threads and processes
    seconds: float  # a move
    work: float  # times what the agent usually does: the product over the parameters that cost work

    @classmethod
    def of(cls, settings: Settings) -> Budgets:
        """The budgets that an operator has set."""
        return cls(settings.agent_memory, settings.agent_threads, settings.agent_seconds, settings.agent_work)

    def to_json(self) -> dict[str, float]:
        return {"memory": self.memory, "threads": self.threads, "seconds": self.seconds, "work": self.work}

    def high(self, kind: AgentKind, parameter: Parameter) -> float | None:
        """The most that a parameter may be here when all others are as usual."""
        if parameter.cost is None:
            return parameter.high
        usual = _usual(kind, parameter)
        if parameter.cost == "work":
            most = self.work * max(1.0, float(usual or 0))
        else:
            others = _total(kind, {}, "threads") if parameter.cost == "memory" else 1.0
            most = float(getattr(self, parameter.cost)) / others
        most = max(most, float(usual or 0))  # what the game's author has set is lent in any case
        return most if parameter.high is None else min(parameter.high, most)

    def check(self, kind: AgentKind, values: Mapping[str, Any]) -> None:
        """Refuses an agent that asks for more than is lent; what a level has preset is lent in any case."""
        asked: dict[Cost, float] = {
            "threads": _total(kind, values, "threads"),
            "memory": _total(kind, values, "memory") * _total(kind, values, "threads"),
            "seconds": _total(kind, values, "seconds"),
            "work": _work(kind, values),
        }
        usual: dict[Cost, float] = {
            "threads": _total(kind, {}, "threads"),
            "memory": _total(kind, {}, "memory") * _total(kind, {}, "threads"),
            "seconds": _total(kind, {}, "seconds"),
            "work": 1.0,
        }
        for cost, amount in asked.items():
            lent = float(getattr(self, cost))
            if amount > max(lent, usual[cost]):
                raise Refusal(
                    "bad_request", say(_SENTENCES[cost], agent=kind.name, asked=f"{amount:g}", lent=f"{lent:g}")
                )


_SENTENCES: dict[Cost, str] = {
    "threads": "Agent {agent} asks for {asked} threads; this server lends an agent {lent}.",
    "memory": "Agent {agent} asks for {asked} MiB of memory; this server lends an agent {lent}.",
    "seconds": "Agent {agent} asks for {asked} seconds a move; this server lends an agent {lent}.",
    "work": "Agent {agent} asks for {asked} times its usual work; this server lends an agent {lent} times.",
}


def declared_memory(kind: AgentKind, values: Mapping[str, Any]) -> float:
    """MiB that an agent of this code may take, by its parameters."""
    return _BASE + _total(kind, values, "memory") * _total(kind, values, "threads")


def _usual(kind: AgentKind, parameter: Parameter) -> Any:
    return kind.preset.get(parameter.name, parameter.default)


def _costing(kind: AgentKind, values: Mapping[str, Any], cost: Cost) -> list[tuple[float, float]]:
    """(value, usual value) of every parameter of that cost that has a value."""
    found = []
    for parameter in kind.parameters:
        usual = _usual(kind, parameter)
        value = values.get(parameter.name, usual)
        if parameter.cost == cost and value is not None:
            found.append((float(value), float(usual or 0)))
    return found


def _total(kind: AgentKind, values: Mapping[str, Any], cost: Cost) -> float:
    """Threads and processes multiply; memory and seconds add up."""
    amounts = [value for value, _ in _costing(kind, values, cost)]
    return prod(amounts, start=1.0) if cost == "threads" else sum(amounts, 0.0)


def _work(kind: AgentKind, values: Mapping[str, Any]) -> float:
    return prod((max(1.0, value / max(1.0, usual)) for value, usual in _costing(kind, values, "work")), start=1.0)
