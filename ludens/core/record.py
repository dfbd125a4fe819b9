"""A position is one fixed-size record: its fields, layout, bytes, hash and JSON.

A game writes its record down once, as a class; `layout` makes the dtype from it, and types are checked by it:

>>> class Pig(Position):
...     pot = int16()
...     score = int16(4)
>>> layout("pig", Pig).itemsize
12
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar, cast, get_type_hints, overload

import numpy as np

from ludens.core.errors import BadInput

__all__ = [
    "Array",
    "Position",
    "Record",
    "Records",
    "blank",
    "copied",
    "digest",
    "float64",
    "from_bytes",
    "from_json",
    "int8",
    "int16",
    "int32",
    "int64",
    "layout",
    "to_json",
    "workspace",
]

Array = np.ndarray
"""An array of numbers, as functions take it that are compiled."""

_PADDING = "padding"


class _Field(NamedTuple):
    kind: Any  # of number or record, as NumPy names it
    shape: tuple[int | str, ...]


N = TypeVar("N", int, float)


class _Kind(Generic[N]):
    """A kind of number: called without a size it declares a field of one number, otherwise an array."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    @overload
    def __call__(self) -> N: ...

    @overload
    def __call__(self, size: int | str, *more: int | str) -> np.ndarray: ...

    def __call__(self, size: int | str = 0, *more: int | str) -> Any:
        """A size may be a name, for which `layout` is given the number."""
        return _Field(self._kind, (size, *more) if size else ())


# Signed, all of them: Numba turns `uint8 + int64` into a float.
int8, int16, int32, int64 = _Kind[int]("i1"), _Kind[int]("i2"), _Kind[int]("i4"), _Kind[int]("i8")
float64 = _Kind[float]("f8")  # not in positions


class Record:
    """The fields of a record, in order: the source of its dtype, and the type by which functions take it.

    There are no objects of it: what functions are given is a NumPy record with these fields.
    """

    if TYPE_CHECKING:
        dtype: np.dtype

        def copy(self) -> Self: ...

        def tobytes(self) -> bytes: ...

        def __getitem__(self, name: str) -> np.ndarray: ...

        def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray: ...


class Position(Record):
    """What the record of every game has."""

    players = int8()
    phase = int8()


R = TypeVar("R", bound=Record)
P = TypeVar("P", bound=Position)
W = TypeVar("W", bound=tuple)  # type: ignore[type-arg]


class Records(Protocol[R]):
    """An array of records of this class, in compiled code or out of it."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    @overload
    def __getitem__(self, i: int, /) -> R: ...

    @overload
    def __getitem__(self, part: slice, /) -> Records[R]: ...

    def __setitem__(self, i: int, value: R, /) -> None: ...

    def copy(self) -> Any: ...


def layout(name: str, record: type[Record], **sizes: int) -> np.dtype:
    """The dtype of a record; `sizes` are the numbers for sizes that the class names.

    The name becomes part of the type (as the title of the first field), so that two games never share one.
    Fields are stored widest first and filled up to whole words: a gap would hold bytes that no copy is bound to keep,
    and bytes are compared and hashed.
    """
    fields: list[tuple[str, str, tuple[int, ...]]] = []
    for base in reversed(record.__mro__):
        for field, declared in vars(base).items():
            if isinstance(declared, _Field):
                if hasattr(np.record, field):
                    raise TypeError(f"field {field} of {name}: NumPy records have an attribute of that name")
                if issubclass(record, Position) and declared.kind == "f8":
                    raise TypeError(f"field {field} of {name}: positions consist of whole numbers")
                shape = tuple(sizes[size] if isinstance(size, str) else size for size in declared.shape)
                fields.append((field, declared.kind, shape))
    widest_first = sorted(fields, key=lambda field: -np.dtype(field[1]).itemsize)
    spare = -np.dtype(widest_first).itemsize % np.dtype(widest_first[0][1]).itemsize
    if spare:
        widest_first.append((_PADDING, "i1", (spare,)))
    first = ((name, widest_first[0][0]), *widest_first[0][1:])
    plain = np.dtype([first, *widest_first[1:]], align=True)
    return np.dtype((np.record, plain))


def _names(dtype: np.dtype) -> list[str]:
    return [name for name in dtype.names or () if name != _PADDING]


def blank(dtype: np.dtype, count: int = 1) -> np.ndarray:
    """An array of `count` zeroed records."""
    return np.zeros(count, dtype)


def workspace(kind: type[W], dtype: np.dtype, **given: Any) -> W:
    """A named tuple of zeroed arrays, for kernels to work in.

    Its fields say what they are: `Annotated[Array, int64("nodes", 3)]`, or for records of the dtype
    `Annotated[Array, "nodes"]`. `given` has the sizes that have names, and the fields that are made otherwise.
    """
    fields = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if name in given:
            fields[name] = given[name]
        else:
            declared = hint.__metadata__[0]
            own = declared if isinstance(declared, _Field) else _Field(dtype, (declared,))
            fields[name] = np.zeros([given[size] if isinstance(size, str) else size for size in own.shape], own.kind)
    return cast(W, cast(Any, kind)(**fields))


def copied(states: np.ndarray) -> np.ndarray:
    """A copy of the record(s), by their bytes: NumPy would copy field by field, which takes fifteen times as long."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def from_bytes(dtype: np.dtype, data: bytes) -> np.ndarray:
    """The record(s) with these bytes, which must be whole records."""
    if not data or len(data) % dtype.itemsize:
        raise BadInput(f"A position of this game has {dtype.itemsize} bytes, not {len(data)}.")
    return np.frombuffer(data, dtype).copy()


def digest(states: np.ndarray) -> str:
    """A short hash of the record's bytes, equal on every machine of the same byte order."""
    return hashlib.blake2b(states.tobytes(), digest_size=8).hexdigest()


def to_json(states: np.ndarray) -> dict[str, Any]:
    """The first record as plain numbers and lists, field by field."""
    return {name: states[name][0].tolist() for name in _names(states.dtype)}


def from_json(dtype: np.dtype, data: dict[str, Any]) -> np.ndarray:
    """The inverse of `to_json`; a missing, unknown or ill-shaped field is refused by name."""
    names = set(_names(dtype))
    if not isinstance(data, dict) or set(data) != names:
        wrong = sorted(names ^ set(data)) if isinstance(data, dict) else ["everything"]
        raise BadInput(f"A saved position must have exactly the game's fields; wrong: {', '.join(wrong)}.")
    states = blank(dtype)
    for name, value in data.items():
        target = states[name][0]
        try:
            values = np.asarray(value, dtype=np.int64)
        except (TypeError, ValueError, OverflowError) as error:
            raise BadInput(f"Field {name} of the saved position must hold whole numbers.") from error
        if values.shape != np.shape(target):
            raise BadInput(f"Field {name} of the saved position must have the shape {np.shape(target)}.")
        info = np.iinfo(np.asarray(target).dtype)
        if values.size and (values.min() < info.min or values.max() > info.max):
            raise BadInput(f"Field {name} of the saved position is out of range.")
        states[name][0] = values
    return states
