"""The application: routes, streams and the guard before them, over the server's parts."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware

import ludens
from ludens.server.http import errors
from ludens.server.http.admission import Admission
from ludens.server.http.limits import Guard
from ludens.server.http.page import mount_page
from ludens.server.http.routes import (
    admin,
    analysis,
    embed,
    games,
    laboratory,
    ladder,
    limits,
    network,
    operations,
    people,
    play,
    puzzles,
    rules,
    tables,
)
from ludens.server.services import Services
from ludens.server.settings import Settings
from ludens.server.streaming import events, server_sent_events, websocket
from ludens.server.thinking import remote_worker
from ludens.server.thinking.worker import load_plugins

__all__ = ["PREFIX", "create_app"]

PREFIX = "/api/v1"

_DESCRIPTION = """
Tables where people and programs play. Everything a client receives is the view of its seat.

**Tokens.** Whoever sits down gets the seat's token, once. Send it as `Authorization: Bearer …`.
Without a token you watch as a spectator.

**Moves.** `POST /tables/{id}/moves` with an `id` of your own and the `ply` of the view you answer.
The same `id` again is harmless; another ply is refused with `stale_move` and the present view.

**Live.** `WS /tables/{id}/socket`: send `{"type": "hello", "tokens": […], "from": 0}` first, then receive
`table`, `view` (the full view), `update` (steps and changed fields) and `heartbeat`; send `move` and receive
`accepted` or `refused`. `GET /tables/{id}/stream` has the same messages as server-sent events, and
`GET /tables/{id}/view?after=VERSION` is a long poll.

**Errors** are always `{"error": {"code": "…", "message": "…"}}`: a word for programs, a sentence for people.
"""


_WORTH_COMPRESSING = 600  # bytes: lists of tables, views, maps; short acknowledgements stay as they are


def _document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document; a token is optional wherever its lack is no error."""
    if app.openapi_schema is None:
        document = FastAPI.openapi(app)
        for operations in document["paths"].values():
            for operation in operations.values():
                if "security" in operation and "401" not in operation["responses"]:
                    operation["security"] = [*operation["security"], {}]
        app.openapi_schema = document
    return app.openapi_schema


def create_app(settings: Settings | None = None) -> FastAPI:
    """A server's application; it opens its storage and its workers when it starts."""
    settings = settings or Settings()
    load_plugins(settings.plugins)
    services = Services(settings)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await services.open()
        try:
            yield
        finally:
            await services.close()

    app = FastAPI(
        title="Ludens",
        version=ludens.__version__,
        summary="Tables for board games, for people and programs.",
        description=_DESCRIPTION,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,  # their scripts come from other hosts
        redoc_url=None,
        lifespan=lifespan,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.services = services
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]
    errors.install(app)
    often = (websocket, play, tables)  # the first are found first, and looking takes a third of a short request
    seldom = (games, people, rules, puzzles, ladder, limits, network, embed, analysis, laboratory)
    for part in (*often, *seldom, events, server_sent_events, remote_worker, admin):
        app.include_router(part.router, prefix=PREFIX)
    app.include_router(operations.router)
    mount_page(app, settings.static)
    app.add_middleware(GZipMiddleware, minimum_size=_WORTH_COMPRESSING, compresslevel=4)
    admission: Any = Admission
    app.add_middleware(admission, settings=settings)
    guard: Any = Guard
    app.add_middleware(
        guard,
        settings=settings,
        buckets=services.buckets,
        connections=services.connections,
        metrics=services.metrics,
    )
    return app
