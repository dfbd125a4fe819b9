"""Agent codes: `name` or `name:key=value,key=value`, checked against what the kind declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludens.agents.random import RANDOM
from ludens.agents.search_kinds import search_kinds
from ludens.core.agent import Agent, AgentKind, Level, Parameter
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.spec import Game

__all__ = ["kinds", "make_agent", "parse_code"]


def kinds(game: Game) -> dict[str, AgentKind]:
    """All kinds of agents that can play the game, by name: those of every game, then its own from weak to strong."""
    found = {RANDOM.name: RANDOM, **search_kinds(game)}
    for name, kind in game.agents().items():
        found[name] = _preset(found, kind) if isinstance(kind, Level) else kind
    return found


def _preset(known: Mapping[str, AgentKind], level: Level) -> AgentKind:
    """The kind that a level names, with the parameters of its code fixed beforehand."""
    kind, values = _parse(known, level.code, f"level {level.name}")
    return AgentKind(level.name, level.help, kind.make, kind.parameters, values, kind.oracle)


def parse_code(game: Game, code: str) -> tuple[AgentKind, dict[str, Any]]:
    """The kind and the checked parameters of a code; anything unknown is refused by name."""
    return _parse(kinds(game), code, f"agent of {game.spec.name}")


def _parse(known: Mapping[str, AgentKind], code: str, what: str) -> tuple[AgentKind, dict[str, Any]]:
    name, colon, rest = code.partition(":")
    if name not in known:
        raise did_you_mean(name, known, what)
    kind = known[name]
    declared = {parameter.name: parameter for parameter in kind.parameters}
    values: dict[str, Any] = dict(kind.preset)
    if colon and not rest:
        raise BadInput(f"Agent {code!r} ends with a colon; write name or name:key=value.")
    for part in rest.split(",") if rest else []:
        key, equals, value = part.partition("=")
        if not equals or not value:
            raise BadInput(f"Parameter {part!r} of agent {name} must read key=value.")
        if key not in declared:
            raise did_you_mean(key, declared, f"parameter of agent {name}")
        values[key] = _parse_value(name, declared[key], value)
    return kind, values


def _parse_value(agent: str, parameter: Parameter, text: str) -> Any:
    if parameter.choices and text not in parameter.choices:
        raise BadInput(f"{agent}:{parameter.name} must be one of {', '.join(parameter.choices)}, not {text!r}.")
    try:
        value = parameter.type(text)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{agent}:{parameter.name} cannot be {text!r} ({parameter.help}).") from error
    low, high = parameter.low, parameter.high
    if (low is not None and not value >= low) or (high is not None and not value <= high):
        bounds = f"at least {low}" if high is None else f"at most {high}" if low is None else f"from {low} to {high}"
        raise BadInput(f"{agent}:{parameter.name} must be {bounds}, not {text}.")
    return value


def make_agent(game: Game, code: str) -> Agent:
    """A new agent for a code."""
    kind, values = parse_code(game, code)
    return kind.make(**values)
