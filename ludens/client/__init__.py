"""Clients of a game server: for Python programs, and for local agents that play at its tables."""

from ludens.core.extras import missing

try:
    from ludens.client.asynchronous import AsyncClient, Followed
    from ludens.client.calls import ServerError, ServerRefusal
    from ludens.client.remote import play_many, play_seat
    from ludens.client.synchronous import Client
except ModuleNotFoundError as error:
    raise missing("client", "A client of a server", error.name or "httpx") from error

__all__ = ["AsyncClient", "Client", "Followed", "ServerError", "ServerRefusal", "play_many", "play_seat"]
