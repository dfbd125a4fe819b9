"""How rules and kernels are compiled.

Two decorators: a `kernel` is called from Python and kept on disk, under an identity that changes with everything it
is compiled from (`core.identity`, `core.kernel_cache`); a `rule` is only compiled into kernels. Names that mean another
function for every game are resolved from the record's type at compile time (`by_record`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, TypeVar, cast

import numba
from numba.extending import overload

from ludens.core.identity import BY_RECORD
from ludens.core.kernel_cache import KernelCache
from ludens.core.numba_internals import InlinedDispatcher

__all__ = ["JIT", "by_record", "kernel", "plain", "rule"]

JIT: bool = not numba.config.DISABLE_JIT


F = TypeVar("F", bound=Callable[..., Any])


def rule(function: F) -> F:
    """Compiles a function that only other compiled functions call."""
    return cast(F, InlinedDispatcher(function)) if JIT else function


def kernel(function: F) -> F:
    """Compiles and keeps a function that Python calls."""
    compiled: Any = numba.njit(nogil=True)(function)
    if JIT:
        compiled._cache = KernelCache(function)
    return cast(F, compiled)


def by_record(function: Callable[..., Any], find: Callable[[Any], Any], call: bool = True) -> None:
    """In compiled code, `function(s, …)` becomes `found(s, …)` where found = find(type of the record s).

    With `call` false it becomes the value `found` itself, such as the tables of a map. What is found is part of the
    identity of every kernel that uses it.
    """
    names = ", ".join(inspect.signature(function).parameters)
    # Numba wants the very parameters of the function in its stand-in.
    source = f"def stand_in({names}):\n    found = find({names.split(',')[0]})\n"
    source += f"    return lambda {names}: found({names})" if call else f"    return lambda {names}: found"
    scope: dict[str, Any] = {"find": find}
    exec(source, scope)
    overload(function)(scope["stand_in"])
    BY_RECORD[function] = find


def plain(function: F) -> F:
    """The Python function behind a rule, with the rules that it calls: for single calls, not worth compiling."""
    return cast(F, _interpreted(function)) if hasattr(function, "py_func") else function


@cache
def _interpreted(function: Any) -> Any:
    python = function.py_func
    names = python.__code__.co_names
    called = {name: python.__globals__[name] for name in names if name in python.__globals__}
    rules = {name: plain(found) for name, found in called.items() if hasattr(found, "py_func")}
    for name, found in called.items():
        if isinstance(found, ModuleType) and found.__name__.startswith("ludens."):  # its rules are called by its name
            parts = {part: getattr(found, part) for part in names if hasattr(found, part)}
            rules[name] = SimpleNamespace(**{part: plain(value) for part, value in parts.items()})
    return FunctionType(python.__code__, {**python.__globals__, **rules}, python.__name__, python.__defaults__)
