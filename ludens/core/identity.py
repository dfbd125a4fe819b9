"""What a compiled kernel is made of, as one number: the code on disk is found by it, and by nothing else.

Numba keys its cache by the file of the kernel alone, so a changed rule in another file would go unnoticed. Here a
kernel's identity is a hash of everything that is compiled into it: its own bytecode and that of every function it
reaches, the constants and tables these use (whatever file they were read from), and for every verb the functions
that are bound to the record types of the call. Comments, docstrings and modules that it does not reach change nothing.
"""

from __future__ import annotations

import enum
import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core import types
from numba.core.types.containers import BaseTuple

__all__ = ["BY_RECORD", "identity", "records_in"]

BY_RECORD: dict[Any, Callable[[Any], Any]] = {}
"""Functions that compiled code resolves from a record's type -> what stands for them there (see `jit.by_record`)."""

_FOREIGN = {"builtins", "llvmlite", "math", "numba", "numba_cuda", "numpy", "operator", "typing"}
"""Modules whose functions are known by their names: their versions are part of every key."""

_PLAIN = (enum.Enum, int, float, complex, str, bytes, type(None), type(Ellipsis), np.generic)


def identity(function: Any, arguments: Iterable[Any] = ()) -> str:
    """A hash of all that is compiled into a function when it is called with arguments of these Numba types."""
    records = sorted({record for argument in arguments for record in records_in(argument)}, key=str)
    return _Reader(records).read(function)


def records_in(type_: Any) -> Iterator[Any]:
    """The record types within the type of an argument: in arrays, tuples and named tuples too."""
    if isinstance(type_, types.Record):
        yield type_
    elif isinstance(type_, types.Array):
        yield from records_in(type_.dtype)
    elif isinstance(type_, BaseTuple):
        for part in type_.types:
            yield from records_in(part)


class _Reader:
    """One walk over everything a function reaches, in an order that depends on nothing but the code."""

    def __init__(self, records: list[Any]) -> None:
        self._records = records
        self._digest = hashlib.sha256()
        self._numbers: dict[int, int] = {}  # id of a function -> when it was met
        self._waiting: list[Any] = []

    def read(self, function: Any) -> str:
        self._waiting = [function]
        while self._waiting:
            self._feed(self._waiting.pop())
        return self._digest.hexdigest()

    def _write(self, *words: object) -> None:
        for word in words:
            self._digest.update(word if isinstance(word, bytes) else str(word).encode())
            self._digest.update(b"\0")

    def _feed(self, thing: Any) -> None:
        """Adds one constant or function; what a function uses waits its turn."""
        function = getattr(thing, "py_func", thing)  # compiled or not, it is the same source
        if isinstance(function, FunctionType):
            self._feed_function(function)
        elif isinstance(thing, _PLAIN):
            self._write(type(thing).__name__, repr(thing))
        elif isinstance(thing, np.ndarray):
            self._write("array", thing.dtype.descr, thing.shape, _bytes_of(thing))
        elif isinstance(thing, np.dtype):
            self._write("dtype", thing.descr)
        elif isinstance(thing, tuple | list):
            self._write(type(thing).__qualname__, getattr(thing, "_fields", ""), len(thing))
            self._waiting.extend(thing)
        elif isinstance(thing, set | frozenset):
            self._write("set", sorted(map(repr, thing)))
        elif isinstance(thing, type):
            self._write("class", thing.__module__, thing.__qualname__, getattr(thing, "_fields", ""))
        elif isinstance(thing, types.Type):
            self._write("type", thing)
        elif isinstance(thing, BuiltinFunctionType | np.ufunc) or {_root(thing), _root(type(thing))} & _FOREIGN:
            self._write("foreign", getattr(thing, "__name__", repr(type(thing))))
        else:
            raise TypeError(f"{thing!r} is used by compiled code, but is neither a constant nor a function of it")

    def _feed_function(self, function: FunctionType) -> None:
        if id(function) in self._numbers:
            self._write("again", self._numbers[id(function)])
            return
        self._numbers[id(function)] = len(self._numbers)
        find = BY_RECORD.get(function)
        if find is not None:
            self._write("by record", function.__qualname__, len(self._records))
            self._waiting.extend(found for record in self._records if (found := _found(find, record)) is not None)
        elif _root(function) in _FOREIGN:
            self._write("foreign", function.__module__, function.__qualname__)
        else:
            self._write(
                "function", function.__module__, function.__qualname__, *_words_of(function.__code__, function.__doc__)
            )
            cells = [cell.cell_contents for cell in function.__closure__ or ()]
            cells = [content for content in cells if not isinstance(content, ModuleType)]
            self._waiting.extend([*cells, *(function.__defaults__ or ()), *_globals_of(function)])


def _found(find: Callable[[Any], Any], record: Any) -> Any:
    """What stands for a name with this record; None for records that are no positions, such as scratch memory."""
    try:
        return find(record)
    except (LookupError, StopIteration, TypeError):
        return None


def _root(thing: Any) -> str:
    return str(getattr(thing, "__module__", None) or "").partition(".")[0]


_bytes: dict[int, tuple[np.ndarray, bytes]] = {}


def _bytes_of(array: np.ndarray) -> bytes:
    """A digest of a table's contents; tables are constants, so it is taken once a process."""
    if id(array) not in _bytes:
        _bytes[id(array)] = array, hashlib.sha256(np.ascontiguousarray(array).tobytes()).digest()
    return _bytes[id(array)][1]


def _words_of(code: CodeType, docstring: str | None = None) -> Iterator[object]:
    """The bytecode and constants of a function and of those written inside it, without names of files and lines."""
    yield from (code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_argcount)
    for position, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            yield from _words_of(constant)
        elif isinstance(constant, frozenset):
            yield sorted(map(repr, constant))
        elif not (position == 0 and docstring is not None and constant == docstring):
            yield type(constant).__name__, repr(constant)


def _names_of(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_of(constant)


def _globals_of(function: FunctionType) -> list[Any]:
    """The values behind the names that a function uses; of its modules those parts that it names."""
    names = list(dict.fromkeys(_names_of(function.__code__)))
    used = []
    for name in names:
        if name not in function.__globals__:
            continue  # an attribute, or a builtin
        value = function.__globals__[name]
        if not isinstance(value, ModuleType):
            used.append(value)
        elif value.__name__.partition(".")[0] not in _FOREIGN:
            used.extend(getattr(value, part) for part in names if hasattr(value, part))
    return [value for value in used if not isinstance(value, ModuleType) and value is not sys]
