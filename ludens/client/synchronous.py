"""The client for ordinary programs: every call waits for its answer."""

from __future__ import annotations

import time
from typing import Any

import httpx

from ludens.client import calls
from ludens.client.calls import Call, ServerError, ServerRefusal

__all__ = ["Client"]


class Client:
    """A connection to one server; use it as a context manager.

    Every method is a call of the same name in `ludens.client.calls` and returns its JSON.
    Calls that may be repeated are, for `patience` seconds, while the server cannot be reached:
    a move carries an id, so it is never doubled.

        with Client("http://localhost:8137") as client:
            made = client.make_table("azul", [{"kind": "human"}, {"kind": "agent", "agent": "random"}])
    """

    def __init__(self, url: str, patience: float = 30.0, transport: httpx.BaseTransport | None = None) -> None:
        self._patience = patience
        self._http = httpx.Client(base_url=url.rstrip("/") + calls.PREFIX, timeout=30.0, transport=transport)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def send(self, call: Call) -> Any:
        """Sends a call, again if need be, and returns its answer."""
        until, pause = time.monotonic() + self._patience, 0.1
        while True:
            try:
                return calls.answer_of(self._http.request(**request_of(call)))
            except (httpx.TransportError, ServerRefusal) as error:
                wait = max(pause, asked_to_wait(error))
                if not worth_repeating(call, error) or time.monotonic() + wait > until:
                    raise reported(error, str(self._http.base_url)) from error
            time.sleep(wait)
            pause = min(2 * pause, 3.0)

    def _object(self, call: Call) -> dict[str, Any]:
        answer: dict[str, Any] = self.send(call)
        return answer

    def games(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.send(calls.games())
        return found

    def game(self, name: str) -> dict[str, Any]:
        return self._object(calls.game(name))

    def make_table(self, name: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
        return self._object(calls.make_table(name, *args, **kwargs))

    def tables(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        return self._object(calls.tables(*args, **kwargs))

    def table(self, table_id: str, token: str | None = None) -> dict[str, Any]:
        return self._object(calls.table(table_id, token))

    def join(self, table_id: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
        return self._object(calls.join(table_id, *args, **kwargs))

    def rename(self, table_id: str, seat: int, name: str, token: str) -> dict[str, Any]:
        return self._object(calls.rename(table_id, seat, name, token))

    def leave(self, table_id: str, token: str) -> dict[str, Any]:
        return self._object(calls.leave(table_id, token))

    def resign(self, table_id: str, token: str) -> dict[str, Any]:
        return self._object(calls.resign(table_id, token))

    def rematch(self, table_id: str, token: str, *args: Any) -> dict[str, Any]:
        return self._object(calls.rematch(table_id, token, *args))

    def view(self, table_id: str, token: str | None = None, **kwargs: Any) -> dict[str, Any]:
        return self._object(calls.view(table_id, token, **kwargs))

    def steps(self, table_id: str, token: str | None = None, start: int = 0, positions: bool = False) -> dict[str, Any]:
        """All steps from a ply on, page by page."""
        answer = self._object(calls.steps(table_id, token, start, positions))
        while answer["next"] is not None:
            page = self._object(calls.steps(table_id, token, answer["next"], positions))
            answer = {**page, "steps": answer["steps"] + page["steps"]}
        return answer

    def move(self, table_id: str, token: str, choice: Any, ply: int, move_id: str | None = None) -> dict[str, Any]:
        return self._object(calls.move(table_id, token, choice, ply, move_id))

    def check(self, table_id: str, token: str, choice: Any) -> dict[str, Any]:
        return self._object(calls.check(table_id, token, choice))

    def undo(self, table_id: str, token: str, ply: int) -> dict[str, Any]:
        return self._object(calls.undo(table_id, token, ply))

    def download(self, table_id: str, token: str | None = None) -> dict[str, Any]:
        return self._object(calls.download(table_id, token))


def request_of(call: Call) -> dict[str, Any]:
    """The arguments of httpx for a call."""
    request = {"method": call.method, "url": call.path, "headers": call.headers, "params": dict(call.query)}
    return {**request, "json": call.body, "timeout": 30.0 + call.wait}


def worth_repeating(call: Call, error: Exception) -> bool:
    """May the call be sent again after this error? What surely did not arrive may always be."""
    if isinstance(error, ServerRefusal):
        return error.status in (429, 503)
    return call.repeatable or isinstance(error, httpx.ConnectError)


def asked_to_wait(error: Exception) -> float:
    """The seconds after which the server wants to be asked again; 0 where it says nothing."""
    wanted = error.details.get("retry_after") if isinstance(error, ServerRefusal) else None
    return float(wanted) if isinstance(wanted, int | float) else 0.0


def reported(error: Exception, url: str) -> Exception:
    """The error for the caller: a refusal as it is, a lost connection as one sentence."""
    return (
        error if isinstance(error, ServerRefusal) else ServerError(f"The server at {url} cannot be reached ({error}).")
    )
