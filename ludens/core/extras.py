"""What a bare install leaves out: commands and functions that need an extra name it where it is missing."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from ludens.core.errors import BadInput

__all__ = ["EXTRAS", "MissingExtra", "missing", "require"]

EXTRAS = {
    "client": ("httpx", "websockets"),
    "server": (
        *("alembic", "elote", "fastapi", "filelock", "httpx"),
        *("orjson", "sqlalchemy", "starlette", "uvicorn", "websockets"),
    ),
    "lab": ("matplotlib", "openskill"),
    "tune": ("cma",),
    "learn": ("torch",),
    "gpu": ("numba_cuda", "torch"),
    "cluster": ("ray",),
    "parquet": ("pyarrow",),
    "adapters": ("gymnasium", "pettingzoo", "pyspiel"),
    "postgres": ("psycopg",),
}
"""The modules that an extra of `pyproject.toml` installs and that are needed before anything of its can run."""

_PACKAGES = {"numba_cuda": "numba-cuda", "pyspiel": "open_spiel"}  # where the module has another name


class MissingExtra(BadInput, ImportError):
    """Something was asked for that a bare install leaves out."""


def missing(extra: str, what: str, module: str) -> MissingExtra:
    """The error for a module that is not installed, with the line that installs it."""
    return MissingExtra(f"{what} needs {_PACKAGES.get(module, module)}: pip install 'ludens[{extra}]'.")


def require(extra: str, what: str, *modules: str) -> None:
    """Refuses where one of these modules, or of all that the extra has, is not installed."""
    for module in modules or EXTRAS[extra]:
        if sys.modules.get(module) is None and find_spec(module) is None:
            raise missing(extra, what, module)
