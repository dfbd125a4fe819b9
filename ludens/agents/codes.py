"""Agent codes: `name` or `name:key=value,key=value`, checked against what the kind declares.

The only parameter that a kind needs may stand first without its key: `net:FILE`.

Where agents from outside are welcome, `module:Class` and `module:Class:key=value` name one to import. Nothing is
imported unless the caller says so: whoever may name a module may run what is in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludens.agents.exploiter_agent import exploiter_kind
from ludens.agents.guests import imported_kind, installed_kinds, is_import, kind_of
from ludens.agents.network_agent import network_kinds
from ludens.agents.one_ply_agents import one_ply_kinds
from ludens.agents.random import RANDOM
from ludens.agents.search_kinds import search_kinds
from ludens.agents.sequential_halving_agent import sequential_halving_kinds
from ludens.core.agent import Agent, AgentKind, Level, Parameter
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.renamed import AGENTS, PARAMETERS, refuse_old
from ludens.core.spec import Game

__all__ = ["kinds", "known_kinds", "make_agent", "named_kinds", "parse_code", "short_name"]


def kinds(game: Game) -> dict[str, AgentKind]:
    """The kinds of agents that can play the game, by name: those of every game, then its own from weak to strong."""
    return {name: kind for name, kind in named_kinds(game).items() if not kind.alias}


def named_kinds(game: Game) -> dict[str, AgentKind]:
    """The same with the aliases that lists do not show."""
    one_ply = {**one_ply_kinds(game), **sequential_halving_kinds(game)}
    found = {RANDOM.name: RANDOM, **search_kinds(game), **one_ply, **network_kinds(game)}
    exploiter = exploiter_kind(lambda code: make_agent(game, code))
    found[exploiter.name] = exploiter
    for name, kind in game.agents().items():
        if isinstance(kind, Level):
            found[name] = _preset(found, kind)
        elif isinstance(kind, AgentKind):
            found[name] = kind
    return found


def known_kinds(game: Game) -> dict[str, AgentKind]:
    """The kinds of the game and, after them, those of installed packages; the game's own names come first."""
    own = kinds(game)
    return own | {name: kind for name, kind in installed_kinds().items() if name not in own}


def short_name(code: str) -> str:
    """What to call an agent of this code: its name, or the class of one that is imported."""
    head = code.split(":")
    return head[1].rpartition(".")[2] if is_import(code) and "=" not in head[1] else head[0]


def _preset(known: Mapping[str, AgentKind], level: Level) -> AgentKind:
    """The kind that a level names, with the parameters of its code fixed beforehand."""
    kind, values = _parse(known, level.code, f"level {level.name}")
    return AgentKind(level.name, level.help, kind.make, kind.parameters, values, kind.oracle, level.alias)


def parse_code(game: Game, code: Any, outside: bool = False) -> tuple[AgentKind, dict[str, Any]]:
    """The kind and the checked parameters of a code; anything unknown is refused by name.

    With `outside` a code may also name a module to import, and an `AgentKind`, a class or an agent may stand in
    place of a code.
    """
    if not isinstance(code, str):
        if not outside:
            raise BadInput(f"An agent is named by a code here, not given as {code!r}.")
        kind = kind_of(code)
        return kind, _values(kind, "", kind.name)
    known = named_kinds(game)
    name = code.partition(":")[0]
    if name not in known:
        if name in installed_kinds():
            known = installed_kinds()
        elif is_import(code):
            if not outside:
                raise BadInput(f"Agent {code!r} would have to be imported from a module, which is not possible here.")
            kind, rest = imported_kind(code)
            return kind, _values(kind, rest, code)
    return _parse(known, code, f"agent of {game.spec.name}")


def _parse(known: Mapping[str, AgentKind], code: str, what: str) -> tuple[AgentKind, dict[str, Any]]:
    name, colon, rest = code.partition(":")
    if name not in known:
        refuse_old(name, AGENTS)
        raise did_you_mean(name, known, what)
    if colon and not rest:
        raise BadInput(f"Agent {code!r} ends with a colon; write name or name:key=value.")
    return known[name], _values(known[name], rest, code)


def _values(kind: AgentKind, rest: str, code: str) -> dict[str, Any]:
    """The parameters written after a name, checked, on top of those fixed beforehand."""
    if kind.broken:
        raise BadInput(kind.broken)
    name = kind.name
    declared = {parameter.name: parameter for parameter in kind.parameters}
    values: dict[str, Any] = dict(kind.preset)
    required = [parameter.name for parameter in kind.parameters if parameter.required]
    for place, part in enumerate(rest.split(",") if rest else []):
        if place == 0 and "=" not in part and len(required) == 1:
            part = f"{required[0]}={part}"
        key, equals, value = part.partition("=")
        if not equals or not value:
            raise BadInput(f"Parameter {part!r} of agent {name} must read key=value.")
        if key not in declared:
            refuse_old(key, {old: new for old, new in PARAMETERS.items() if new in declared})
            raise did_you_mean(key, declared, f"parameter of agent {name}")
        values[key] = _parse_value(name, declared[key], value)
    given = {part.partition("=")[0] for part in rest.split(",")}
    if "seconds" in given and "simulations" not in given:
        values.pop("simulations", None)  # a level that is told the time is not held to its simulations
    missing = [key for key in required if key not in values]
    if missing:
        raise BadInput(f"Agent {code!r} needs {' and '.join(f'{key}=…' for key in missing)}.")
    return values


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


def make_agent(game: Game, code: Any, outside: bool = False) -> Agent:
    """A new agent for a code; see `parse_code`."""
    kind, values = parse_code(game, code, outside)
    return kind.make(**values)
