"""Every error leaves the server as one envelope: a code, a sentence, and the rules that the sentence cites."""

from __future__ import annotations

import logging
import re
from math import ceil
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException

from ludens.core.errors import BadInput, IllegalMove
from ludens.i18n.citations import cited
from ludens.i18n.messages import say, sentence
from ludens.server.encoding import encode_bytes
from ludens.server.refusal import CODES, Refusal
from ludens.server.storage.writer import reason_of

__all__ = ["SafeJSONResponse", "answer_of", "envelope", "envelope_of", "install", "refusal_of"]

_log = logging.getLogger("ludens.server")


def envelope(code: str, message: str, **details: Any) -> dict[str, Any]:
    """The one shape of errors, over HTTP and in WebSocket messages.

    What the sentence cites stands beside it: "Roll first (CA-11)." becomes "Roll first." and `rules: ["CA-11"]`.
    """
    said, rules = cited(sentence(message))
    cites = {"rules": list(rules)} if rules or code == "illegal_move" else {}
    return {"error": {"code": code, "message": said, **cites, **details}}


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


_COMMON = {
    code: CODES[code]
    for code in ("unauthorised", "forbidden", "not_found", "method_not_allowed", "too_slow", "too_large")
}


class SafeJSONResponse(JSONResponse):
    """JSON that may repeat whatever a client has sent, half of a surrogate pair included."""

    def render(self, content: Any) -> bytes:
        return encode_bytes(content)


def answer_of(refusal: Refusal) -> JSONResponse:
    """The answer of a refusal; a client that shall come again is told when."""
    headers = {}
    if refusal.status in (429, 503):
        headers["Retry-After"] = str(max(1, ceil(refusal.details["retry_after"])))
    if refusal.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return SafeJSONResponse(envelope_of(refusal), refusal.status, headers)


def _first_sentence(error: RequestValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
    return say("The request is not valid at {where}: {trouble}.", where=where, trouble=first["msg"])


def install(app: FastAPI) -> None:
    """Turns every exception of the application into the envelope."""

    @app.exception_handler(Refusal)
    async def refused(_: Request, error: Refusal) -> JSONResponse:
        return answer_of(error)

    @app.exception_handler(BadInput)
    async def bad_input(_: Request, error: BadInput) -> JSONResponse:
        return answer_of(refusal_of(error))

    @app.exception_handler(DBAPIError)
    async def unreadable(_: Request, error: DBAPIError) -> JSONResponse:
        _log.error("the database cannot be read", extra={"facts": {"reason": reason_of(error)}})
        return answer_of(Refusal("unavailable", "The database cannot be read; its administrator has to look at it."))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        return answer_of(Refusal("bad_request", _first_sentence(error)))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        code = next((code for code, status in _COMMON.items() if status == error.status_code), "bad_request")
        sentences = {404: "There is nothing at this address.", 405: "This address does not allow that method."}
        message = sentences.get(error.status_code, str(error.detail))
        status = 422 if error.status_code == 400 else error.status_code  # one status for what cannot be read
        headers = dict(error.headers or {})
        if status == 405:
            headers["Allow"] = ", ".join(_methods(request))
        return SafeJSONResponse(envelope(code, message), status, headers)


def _methods(request: Request) -> list[str]:
    """What the address allows, by the document that describes all of them."""
    path = request.scope["path"]
    for template, operations in request.app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return sorted(method.upper() for method in operations)
    return ["GET"]  # the page's files
