"""The health of a server."""

from __future__ import annotations

from pydantic import Field

from ludens.server.http.schemas.common import Answer

__all__ = ["Health"]


class Health(Answer):
    status: str = Field(examples=["ok"])
    version: str
    tables: int
    sockets: int
    standing_still: int = Field(description="running tables where an agent is to move and none thinks or waits")
