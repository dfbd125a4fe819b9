"""Where guests find this server: what an invitation must say when it is sent from the computer that serves."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from typing import Any

from fastapi import APIRouter, Request
from pydantic import Field

from ludens.server.http.dependencies import errors
from ludens.server.http.schemas.common import Answer

__all__ = ["Network", "addresses", "router"]

router = APIRouter(tags=["operations"])

_SOMEWHERE = "192.0.2.1"  # an address of documentations: nothing is ever sent there


class Network(Answer):
    """Told in full only to a browser on the same computer; others know the address they came by."""

    open: bool = Field(description="does the server listen to other computers?")
    addresses: list[str] = Field(description="origins by which they reach it", examples=[["http://192.168.1.20:8000"]])


def addresses(bound: tuple[Any, ...] | None) -> list[str]:
    """The origins under which other computers reach a socket that is bound so."""
    if bound is None or not isinstance(bound[0], str):
        return []
    host, port = bound[0], int(bound[1])
    if ipaddress.ip_address(host).is_loopback:
        return []
    if not ipaddress.ip_address(host).is_unspecified:
        return [_origin(host, port)]
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect((_SOMEWHERE, 9))  # only looks up which way it would go
        own = str(asking.getsockname()[0])
        return [] if ipaddress.ip_address(own).is_loopback else [_origin(own, port)]
    return []


def _origin(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@router.get("/network", response_model=Network, responses=errors(), summary="How guests reach this server")
def network(request: Request) -> Any:
    """For invitations: a link to `localhost` works for nobody else."""
    bound = getattr(request.app.state, "bound", None)
    found = addresses(bound)
    near = request.client is not None and _is_near(request.client.host)
    return {"open": bool(found), "addresses": found if near else []}


def _is_near(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
