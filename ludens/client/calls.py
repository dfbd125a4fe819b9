"""The calls of the server's interface, described once for the synchronous and the asynchronous client."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from ludens.core.errors import BadInput

CALLS = (
    *("games", "game", "make_table", "tables", "table", "join", "rename", "leave", "resign", "rematch"),
    *("view", "steps", "move", "check", "undo", "download"),
)
"""The names of the functions that make a call."""
__all__ = ["CALLS", "PREFIX", "Call", "ServerError", "ServerRefusal", "answer_of", *CALLS]

PREFIX = "/api/v1"
Choice = int | str | Mapping[str, Any]  # an action's id, text or JSON form


class ServerError(BadInput):
    """The server cannot be reached, or its answer cannot be understood."""


class ServerRefusal(BadInput):
    """The server refused; `code` is for programs, the message for people, `details` has the rest."""

    def __init__(self, status: int, code: str, message: str, details: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.details = details


@dataclass(frozen=True)
class Call:
    """One request; `repeatable` ones are sent again when the connection fails."""

    method: str
    path: str
    token: str | None = None
    body: Any = None
    query: Mapping[str, Any] = field(default_factory=dict)
    repeatable: bool = True
    wait: float = 0.0  # the server may take so long by itself

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def answer_of(response: httpx.Response) -> Any:
    """The answer's JSON; refusals and garbage are raised."""
    foreign = f"{response.url.host} does not answer as a Ludens server ({response.status_code})."
    try:
        content = response.json()
    except ValueError as error:
        raise ServerError(foreign) from error
    if response.is_success:
        return content
    body = content.get("error") if isinstance(content, dict) else None
    if not isinstance(body, dict):
        raise ServerError(foreign)
    details = {key: value for key, value in body.items() if key not in ("code", "message")}
    raise ServerRefusal(response.status_code, str(body.get("code")), str(body.get("message")), details)


def games() -> Call:
    return Call("GET", "/games")


def game(name: str) -> Call:
    return Call("GET", f"/games/{name}")


def make_table(
    name: str,
    seats: Sequence[Mapping[str, Any]] = (),
    options: Mapping[str, Any] | None = None,
    private: bool = False,
    seed: int | None = None,
    token: str | None = None,
) -> Call:
    body = {"game": name, "seats": list(seats), "options": dict(options or {}), "private": private, "seed": seed}
    return Call("POST", "/tables", token, body, repeatable=False)


def tables(status: str = "living", name: str | None = None, limit: int = 50, before: float | None = None) -> Call:
    query = {"status": status, "game": name, "limit": limit, "before": before}
    return Call("GET", "/tables", query={key: value for key, value in query.items() if value is not None})


def table(table_id: str, token: str | None = None) -> Call:
    return Call("GET", f"/tables/{table_id}", token)


def join(table_id: str, seat: int | None = None, name: str | None = None, token: str | None = None) -> Call:
    return Call("POST", f"/tables/{table_id}/join", token, {"seat": seat, "name": name}, repeatable=False)


def rename(table_id: str, seat: int, name: str, token: str) -> Call:
    return Call("PATCH", f"/tables/{table_id}/seats/{seat}", token, {"name": name})


def leave(table_id: str, token: str) -> Call:
    return Call("POST", f"/tables/{table_id}/leave", token, repeatable=False)


def resign(table_id: str, token: str) -> Call:
    return Call("POST", f"/tables/{table_id}/resign", token, repeatable=False)


def rematch(table_id: str, token: str, tokens: Sequence[str] = ()) -> Call:
    return Call("POST", f"/tables/{table_id}/rematch", token, {"tokens": list(tokens)}, repeatable=False)


def view(
    table_id: str,
    token: str | None = None,
    ply: int | None = None,
    after: int | None = None,
    wait: float = 25.0,
    record: bool = False,
) -> Call:
    query: dict[str, Any] = {"ply": ply, "after": after, "record": record or None}
    query = {key: value for key, value in query.items() if value is not None}
    if after is not None:
        query["wait"] = wait
    return Call("GET", f"/tables/{table_id}/view", token, query=query, wait=wait if after is not None else 0.0)


def steps(table_id: str, token: str | None = None, start: int = 0, positions: bool = False) -> Call:
    """A page of steps; `next` of the answer is where the following one begins, None at the end."""
    return Call("GET", f"/tables/{table_id}/steps", token, query={"from": start, "positions": positions})


def move(table_id: str, token: str, choice: Choice, ply: int, move_id: str | None = None) -> Call:
    """Repeatable because of its id: however often it arrives, it is played once."""
    body = {"id": move_id or uuid.uuid4().hex, "ply": ply, "move": choice}
    return Call("POST", f"/tables/{table_id}/moves", token, body)


def check(table_id: str, token: str, choice: Choice) -> Call:
    return Call("POST", f"/tables/{table_id}/check", token, {"move": choice})


def undo(table_id: str, token: str, ply: int) -> Call:
    return Call("POST", f"/tables/{table_id}/undo", token, {"ply": ply})


def download(table_id: str, token: str | None = None) -> Call:
    return Call("GET", f"/tables/{table_id}/game", token)
