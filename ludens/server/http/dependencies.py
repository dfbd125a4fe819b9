"""What all routes share: the server's parts, the bearer's token, the table found, the documented errors."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Header, Path, Request
from fastapi.responses import Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.spec import Game
from ludens.server.encoding import encode_bytes
from ludens.server.http.limits import address_of
from ludens.server.http.schemas.common import ErrorEnvelope
from ludens.server.refusal import Refusal
from ludens.server.services import Services
from ludens.server.tables.table import Table

__all__ = [
    "Address",
    "Bearer",
    "Person",
    "ServicesOf",
    "TableId",
    "as_json",
    "errors",
    "errors_beside_text",
    "found",
    "game_of",
    "is_admin",
    "own_seat",
]

_SENTENCES = {
    401: "No token was sent where one is needed.",
    403: "The token does not allow this.",
    404: "There is no such thing.",
    409: "The present state does not allow this.",
    413: "The request is too large.",
    422: "The request or the move is not valid.",
    429: "Too many requests, tables or connections.",
    503: "The server cannot do this now.",
}
_scheme = HTTPBearer(
    auto_error=False,
    scheme_name="token",
    description="The token of a seat, of the table's owner, an invitation, or the administrator's.",
)


# These are coroutines because FastAPI asks a thread for what a plain function answers, at every request.


async def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


async def _token(
    request: Request, given: Annotated[HTTPAuthorizationCredentials | None, Depends(_scheme)]
) -> str | None:
    if given:
        return given.credentials
    scheme, _, rest = request.headers.get("authorization", "").strip().partition(" ")
    if scheme and (not rest or scheme.lower() == "bearer"):  # who meant to send a token is no spectator
        raise Refusal("forbidden", "A token is sent as 'Authorization: Bearer TOKEN'.")
    return None  # any other scheme is a proxy's


async def _person(
    request: Request,
    key: Annotated[
        str | None, Header(alias="ludens-profile", pattern=r"^[!-~]{1,100}$", description="the key of a person")
    ] = None,
) -> str | None:
    services: Services = request.app.state.services
    return await services.people.known(key)


async def _address(request: Request) -> str:
    return address_of(request.scope)


ServicesOf = Annotated[Services, Depends(_services)]
Bearer = Annotated[str | None, Depends(_token)]
Person = Annotated[str | None, Depends(_person)]
Address = Annotated[str, Depends(_address)]
TableId = Annotated[str, Path(pattern="^[a-z0-9]{1,16}$", description="the table's id", examples=["k7mzp3qwxy"])]


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The documented errors of a route; some can happen everywhere."""
    common = {422, 429, 503, *statuses}
    return {status: {"model": ErrorEnvelope, "description": _SENTENCES[status]} for status in sorted(common)}


def errors_beside_text(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The same for a route whose answer is not JSON, where FastAPI would give the errors its media type."""
    shape = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorEnvelope"}}}
    return {
        status: {"description": documented["description"], "content": shape}
        for status, documented in errors(*statuses).items()
    }


def as_json(payload: Any, status: int = 200) -> Response:
    """An answer that is already in its final shape."""
    return Response(encode_bytes(payload), status, media_type="application/json")


def is_admin(services: Services, token: str | None) -> bool:
    """Is this the administrator's token?"""
    return services.admin_guesses.right(token)


def game_of(name: str) -> Game:
    """The game of that name; an unknown one is refused with the nearest names."""
    try:
        return registry.game(name)
    except BadInput as error:
        raise Refusal("not_found", str(error)) from error


async def found(services: Services, table_id: str, token: str | None) -> Table:
    """The table, if the bearer may see it."""
    try:
        return await services.tables.find(table_id, token, admin=is_admin(services, token))
    except Refusal as refusal:
        if token is not None and refusal.code in ("forbidden", "not_found"):  # the token is nobody's
            services.admin_guesses.wrong()
        raise


def own_seat(table: Table, token: str | None) -> int:
    """The seat of the bearer; anybody else is refused."""
    if token is None:
        raise Refusal("unauthorised", "This needs the token of a seat, sent as 'Authorization: Bearer …'.")
    seat = table.seat_of(token)
    if seat is None:
        raise Refusal("forbidden", "This token belongs to no seat of the table.")
    return seat
