"""Packages that can be called: `ludens.play(…)` is a public function, `ludens.play.game` a module inside.

The public functions `agents`, `games` and `play` have the names of the packages that do the work, and Python puts
an imported package in the place of the function. So the package itself answers the call.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["make_callable"]


class _Callable(ModuleType):
    """A package whose call is that of the function of its name in `ludens.api`."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        function = getattr(import_module("ludens.api"), self.__name__.rpartition(".")[2])
        return function(*arguments, **named)


def make_callable(package: str) -> None:
    """Lets the package of this name be called."""
    sys.modules[package].__class__ = _Callable
