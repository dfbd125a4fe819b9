"""The client for ordinary programs: every call waits for its answer."""

from __future__ import annotations

import time
from collections.abc import Callable
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

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """The call of this name, sent at once."""
        call: Callable[..., Call] | None = getattr(calls, name, None) if name in calls.CALLS else None
        if call is None:
            raise AttributeError(f"The server's interface has no call {name}.")
        return lambda *args, **kwargs: self.send(call(*args, **kwargs))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *calls.CALLS})

    def steps(self, table_id: str, token: str | None = None, start: int = 0, positions: bool = False) -> dict[str, Any]:
        """All steps from a ply on, page by page."""
        answer: dict[str, Any] = self.send(calls.steps(table_id, token, start, positions))
        while answer["next"] is not None:
            page = self.send(calls.steps(table_id, token, answer["next"], positions))
            answer = {**page, "steps": answer["steps"] + page["steps"]}
        return answer


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
