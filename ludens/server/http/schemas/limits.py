"""What one address may do on a server."""

from __future__ import annotations

from pydantic import Field

from ludens.server.http.schemas.common import Answer

__all__ = ["Limits"]


class Limits(Answer):
    """Beyond each the answer is 429 or 503 and says when to come again, or 413 for what is too large."""

    requests_per_second: float = Field(description="requests and messages on sockets, in the long run")
    requests_at_once: float = Field(description="and at once")
    connections: int = Field(description="sockets, streams and long polls at once")
    tables: int = Field(description="waiting and running at once")
    tables_per_hour: int = Field(description="new ones, in the long run and at once; rematches are new tables too")
    saved_games_per_hour: int
    reviews: int = Field(description="that are being computed at once")
    bytes: int = Field(description="of a request or a message")
