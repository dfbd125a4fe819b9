"""The page: static files at `/`, where they are built; unknown paths lead to the page itself."""

from __future__ import annotations

import gzip
import mimetypes
from functools import lru_cache
from pathlib import Path

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

__all__ = ["mount_page"]


class _Page(StaticFiles):
    """Files, or the page itself for addresses that its own router knows."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or path.startswith("api/") or "." in path.rsplit("/", 1)[-1]:
                raise
            response = await super().get_response("index.html", scope)
        hashed = path.startswith("assets/")  # the build names these by their content
        if hashed and response.status_code == 200 and "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            small = await run_in_threadpool(_small, Path(str(self.directory)) / path)
            response = small or response
        response.headers["cache-control"] = "public, max-age=31536000, immutable" if hashed else "no-cache"
        return response


_TEXTS = (".js", ".css", ".svg")


def _small(file: Path) -> Response | None:
    """A text of the page, compressed, however short: many short ones make the first load."""
    if file.suffix not in _TEXTS:
        return None
    kind = mimetypes.guess_type(file.name)[0]
    return Response(_compressed(file), media_type=kind, headers={"content-encoding": "gzip", "vary": "accept-encoding"})


@lru_cache(maxsize=256)
def _compressed(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), 9)


def mount_page(app: FastAPI, folder: Path) -> None:
    """Serves the folder at `/` if it exists."""
    if (folder / "index.html").is_file():
        app.mount("/", _Page(directory=folder, html=True), name="page")
