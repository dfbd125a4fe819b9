"""What the server and a worker say to each other, and the JSON of it for workers of other machines."""

from __future__ import annotations

import base64
from dataclasses import dataclass, fields
from typing import Any

__all__ = ["COMPILING", "READY", "Farewell", "Inquiry", "Message", "Question", "from_json", "to_json"]

READY = "ready"
"""What a worker sends first, when its imports are done."""
COMPILING = "compiling"
"""What a worker sends, with true or false, when it begins and when it has ceased to compile."""


@dataclass(frozen=True)
class Question:
    """One decision: everything an agent needs, and nothing it may not know."""

    table: str
    seat: int
    game: str  # name
    code: str
    options: bytes  # int64
    seed: int
    view: bytes
    legal: bytes  # int64
    seconds: float


@dataclass(frozen=True)
class Inquiry:
    """A position to analyse, as the seat to act sees it; the answer is the analysis in its JSON form."""

    game: str  # name
    seat: int
    view: bytes
    seconds: float
    candidates: int
    include: tuple[int, ...] = ()  # actions that must be among the candidates
    table: str = ""  # for a fair share only
    explain: int | None = None  # of how many candidates reasons are wanted, the best first; None: of all
    options: bytes = b""  # int64, those of the game: they decide which network thinks along
    before: bytes = b""  # what the seat saw before the move that it is in the middle of
    begun: tuple[int, ...] = ()  # its decisions since
    agents: tuple[str, ...] = ()  # the code of the agent on every seat, "" where a person sits
    simulations: int | None = None  # the work, within the seconds; None: as much as the seconds allow


@dataclass(frozen=True)
class Farewell:
    """The end of a table: the final view of each seat that an agent played."""

    table: str
    game: str
    views: dict[int, bytes]


Message = Question | Inquiry | Farewell
_KINDS: dict[str, Any] = {"question": Question, "inquiry": Inquiry, "farewell": Farewell}


def to_json(message: Message) -> dict[str, Any]:
    """The message for another machine; bytes as base64."""
    kind = next(name for name, made in _KINDS.items() if isinstance(message, made))
    return {"kind": kind, **{field.name: _plain(getattr(message, field.name)) for field in fields(message)}}


def from_json(content: dict[str, Any]) -> Message:
    """The inverse of `to_json`."""
    given = dict(content)
    made = _KINDS[given.pop("kind")]
    for name in ("options", "view", "legal", "before"):
        if name in given:
            given[name] = base64.b64decode(given[name])
    if "views" in given:
        given["views"] = {int(seat): base64.b64decode(view) for seat, view in given["views"].items()}
    for name in ("include", "begun", "agents"):
        if name in given:
            given[name] = tuple(given[name])
    message: Message = made(**given)
    return message


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return list(value) if isinstance(value, tuple) else value
