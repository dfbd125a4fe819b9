"""Every error leaves the server as one envelope: a code, a sentence, and the rules that the sentence cites."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ludens.core.citations import cited
from ludens.core.errors import BadInput, IllegalMove
from ludens.server.refusal import Refusal

__all__ = ["envelope", "envelope_of", "install", "refusal_of"]


def envelope(code: str, message: str, **details: Any) -> dict[str, Any]:
    """The one shape of errors, over HTTP and in WebSocket messages.

    What the sentence cites stands beside it: "Roll first (CA-11)." becomes "Roll first." and `rules: ["CA-11"]`.
    """
    sentence, rules = cited(message)
    cites = {"rules": list(rules)} if rules or code == "illegal_move" else {}
    return {"error": {"code": code, "message": sentence, **cites, **details}}


def refusal_of(error: Refusal | BadInput) -> Refusal:
    """The refusal that input becomes which cannot be carried out, or which the rules of the game forbid."""
    if isinstance(error, Refusal):
        return error
    cites = {name: found for name in ("rules", "rulebook") if (found := getattr(error, name, None))}
    return Refusal("illegal_move" if isinstance(error, IllegalMove) else "bad_request", str(error), **cites)


def envelope_of(error: Refusal | BadInput) -> dict[str, Any]:
    """The envelope of a refusal."""
    refusal = refusal_of(error)
    return envelope(refusal.code, refusal.message, **refusal.details)


def _answer(refusal: Refusal) -> JSONResponse:
    headers = {"Retry-After": "1"} if refusal.status in (429, 503) else {}
    if refusal.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(envelope_of(refusal), refusal.status, headers)


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
        return _answer(refusal_of(error))

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
