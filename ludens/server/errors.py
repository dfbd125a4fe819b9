"""Refusals: every error leaves the server as one envelope with a code and a sentence."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ludens.core.errors import BadInput

__all__ = ["CODES", "Refusal", "envelope", "install"]

CODES = {
    "bad_request": 422,
    "unauthorised": 401,
    "forbidden": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "stale_move": 409,
    "not_your_turn": 409,
    "illegal_move": 422,
    "wrong_status": 409,
    "seat_taken": 409,
    "too_large": 413,
    "too_many": 429,
    "hints_off": 403,
    "not_readable": 409,
    "unavailable": 503,
    "internal": 500,
}
"""Every error code with its HTTP status."""


class Refusal(Exception):
    """A request that is refused with a code and a sentence; `details` join them in the envelope."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.status = CODES[code]
        self.message = message
        self.details = details


def envelope(code: str, message: str, **details: Any) -> dict[str, Any]:
    """The one shape of errors, over HTTP and in WebSocket messages."""
    return {"error": {"code": code, "message": message, **details}}


def _answer(refusal: Refusal) -> JSONResponse:
    headers = {"Retry-After": "1"} if refusal.status in (429, 503) else {}
    if refusal.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(envelope(refusal.code, refusal.message, **refusal.details), refusal.status, headers)


def _first_sentence(error: RequestValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
    return f"The request is not valid at {where}: {first['msg']}."


def install(app: FastAPI) -> None:
    """Turns every exception of the application into the envelope."""

    @app.exception_handler(Refusal)
    async def refused(_: Request, error: Refusal) -> JSONResponse:
        return _answer(error)

    @app.exception_handler(BadInput)
    async def bad_input(_: Request, error: BadInput) -> JSONResponse:
        return _answer(Refusal("bad_request", str(error), **({"rules": list(error.rules)} if error.rules else {})))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        return _answer(Refusal("bad_request", _first_sentence(error)))

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> JSONResponse:
        codes = {401: "unauthorised", 403: "forbidden", 404: "not_found", 405: "method_not_allowed", 413: "too_large"}
        code = codes.get(error.status_code, "bad_request")
        sentences = {404: "There is nothing at this address.", 405: "This address does not allow that method."}
        message = sentences.get(error.status_code, str(error.detail))
        status = 422 if error.status_code == 400 else error.status_code  # one status for what cannot be read
        return JSONResponse(envelope(code, message), status, error.headers)
