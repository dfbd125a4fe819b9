"""Agents from outside: installed packages, modules named in a code, classes and objects given in Python.

A package offers agents by entry points of the group `ludens.agents`; the entry point's name is the agent's. What it
names, what `module:Class` names and what Python hands over may be an `AgentKind`, a class or a function that makes
agents, or an agent itself. Its parameters are those of its signature.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
import typing
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from ludens.core.agent import Agent, AgentKind, Parameter
from ludens.core.errors import BadInput

__all__ = [
    "GROUP",
    "code_of",
    "import_named",
    "imported_kind",
    "installed_kinds",
    "installed_origin",
    "is_import",
    "kind_of",
    "label",
]

GROUP = "ludens.agents"
"""The entry points of packages that bring agents."""

_IMPORT = re.compile(r"(?P<module>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)")
_METHODS = ("start", "choose", "end")
_SWITCH = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}


@cache
def installed_kinds() -> dict[str, AgentKind]:
    """The agents of installed packages by name; one that cannot be loaded is listed with the reason."""
    found: dict[str, AgentKind] = {}
    for point in entry_points(group=GROUP):
        try:
            found[point.name] = kind_of(point.load(), point.name)
        except Exception as error:  # whatever a stranger's module does, the others stay usable
            reason = f"Agent {point.name} cannot be loaded from {point.value}: {_sentence(error)}"
            found[point.name] = AgentKind(point.name, "cannot be loaded", _nothing, broken=reason)
    return found


def installed_origin(name: str) -> str | None:
    """The module that an installed package brings this agent in; None for any other name."""
    return next((point.module for point in entry_points(group=GROUP) if point.name == name), None)


def is_import(code: str) -> bool:
    """Does the code name a module and what to take from it, as in `my_bots:Clever` or `my_bots:Clever:depth=3`?"""
    whole = _IMPORT.match(code)
    return whole is not None and code[whole.end() : whole.end() + 1] in ("", ":")


def imported_kind(code: str) -> tuple[AgentKind, str]:
    """The kind that `module:Class` names, and the parameters that follow in the code; the module is imported.

    Modules are also looked for in the present folder, as Python itself does for scripts.
    """
    found = _IMPORT.match(code)
    assert found is not None, "see is_import"
    name = found.group()
    return kind_of(import_named(name, f"Agent {name}"), name), code[found.end() + 1 :]


def import_named(name: str, what: str) -> Any:
    """What `module:name` names; the module is imported, and `what` begins the sentence of a refusal."""
    found = _IMPORT.fullmatch(name)
    if found is None:
        raise BadInput(f"{what} cannot be loaded: it must read module:name.")
    module = found["module"]
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)
    try:
        thing: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = "there is no module" if error.name and module.startswith(error.name) else f"{module} needs the module"
        raise BadInput(f"{what} cannot be loaded: {missing} {error.name}.") from error
    except Exception as error:
        raise BadInput(f"{what} cannot be loaded: {_sentence(error)}") from error
    for part in found["name"].split("."):
        if not hasattr(thing, part):
            raise BadInput(f"{what} cannot be loaded: module {module} has no {found['name']}.")
        thing = getattr(thing, part)
    return thing


def kind_of(thing: Any, name: str | None = None) -> AgentKind:
    """The kind for an AgentKind, a class or function that makes agents, or an agent; anything else is refused."""
    if isinstance(thing, AgentKind):
        return thing if name is None else replace(thing, name=name)
    name = name or str(getattr(thing, "__qualname__", type(thing).__qualname__))
    make: Any = thing
    if inspect.isclass(thing):
        _check_methods(thing, name)
        return AgentKind(name, _about(thing), make, _parameters(make))
    if hasattr(thing, "choose"):
        _check_methods(thing, name)
        return AgentKind(name, _about(type(thing)), lambda: thing)
    if not callable(thing):
        raise BadInput(f"{name} is no agent: it is neither a class nor a function that makes agents, but {thing!r}.")
    return AgentKind(name, _about(thing), _checking(thing, name), _parameters(thing))


def code_of(thing: Any) -> str | None:
    """The code under which another process finds a class or function; None where it cannot."""
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if not (inspect.isclass(thing) or inspect.isfunction(thing)) or module in (None, "__main__", "builtins"):
        return None
    code = f"{module}:{name}"
    if not is_import(code):
        return None
    held: Any = sys.modules.get(str(module))
    for part in str(name).split("."):
        held = getattr(held, part, None)
    return code if held is thing else None


def label(thing: Any) -> str:
    """What stands for an agent in results: its code, or the name of its kind."""
    return thing if isinstance(thing, str) else kind_of(thing).name


def _nothing(**values: Any) -> Agent:
    raise BadInput("This agent cannot be loaded.")


def _sentence(error: BaseException) -> str:
    text = " ".join(str(error).split()) or "no reason given"
    return (text if isinstance(error, BadInput) else f"{type(error).__name__}: {text}").rstrip(".") + "."


def _check_methods(thing: Any, name: str) -> None:
    missing = [method for method in _METHODS if not callable(getattr(thing, method, None))]
    if missing:
        lacks = "method" if len(missing) == 1 else "methods"
        raise BadInput(f"{name} is no agent: it has no {lacks} {' and '.join(missing)} (see ludens.Agent).")


def _checking(make: Callable[..., Any], name: str) -> Callable[..., Agent]:
    """A function that makes agents, with a look at what it makes."""

    def checked(**values: Any) -> Agent:
        made: Agent = make(**values)
        _check_methods(made, name)
        return made

    return checked


def _about(thing: Any) -> str:
    """The first line of its description, as it stands in lists."""
    lines = (inspect.getdoc(thing) or "").splitlines()
    return lines[0].rstrip(".") if lines else "an agent from outside"


def _parameters(make: Callable[..., Any]) -> tuple[Parameter, ...]:
    """What can be written after the name: the arguments of the signature that have a name."""
    try:
        signature = inspect.signature(make)
    except (TypeError, ValueError):
        return ()
    target = make.__init__ if inspect.isclass(make) else make
    try:
        hints = typing.get_type_hints(target)
    except Exception:  # annotations that cannot be resolved; the defaults speak then
        hints = {}
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(
        Parameter(
            argument.name,
            "a parameter of this agent",
            None if argument.default is inspect.Parameter.empty else argument.default,
            _reader(hints.get(argument.name), argument.default),
            required=argument.default is inspect.Parameter.empty,
        )
        for argument in signature.parameters.values()
        if argument.kind in named
    )


def _reader(hint: Any, default: Any) -> Callable[[str], Any]:
    """What turns the text of a value into a number, a switch or a text."""
    types = [hint, *typing.get_args(hint), type(default)]
    for kind, reader in ((bool, _switch), (int, int), (float, float)):
        if kind in types:
            return reader
    return str


def _switch(text: str) -> bool:
    try:
        return _SWITCH[text.casefold()]
    except KeyError as error:
        raise ValueError(f"{text!r} is neither on nor off") from error
