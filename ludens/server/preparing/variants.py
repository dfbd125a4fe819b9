"""Unusual agents: what they need is compiled by a process of its own, one agent at a time, owners by turns."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Variants"]

_PROGRAM = "from ludens.server.preparing.child import agent_main; agent_main()"
_LONGEST = 1200.0  # seconds for one agent
_log = logging.getLogger("ludens.server")


@dataclass(eq=False)
class _Variant:
    """An agent that is waited for."""

    arguments: tuple[str, str, str]  # game, code, options in JSON
    done: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    waiting: int = 0  # tables; where none is left nothing is compiled


class Variants:
    """One a server. An owner who wants many waits for them; the next owner's first one comes between."""

    def __init__(self, plugins: tuple[str, ...], free: Callable[[], Awaitable[None]]) -> None:
        self._plugins = plugins
        self._free = free  # when nothing more important is compiled
        self._known: dict[tuple[str, str, str], _Variant] = {}
        self._lines: OrderedDict[str, deque[_Variant]] = OrderedDict()  # by owner, whose turn it is first
        self._work: asyncio.Task[None] | None = None

    async def prepare(self, owner: str, game: str, code: str, options: Mapping[str, Any]) -> None:
        """Returns when the agent was compiled, or could not be."""
        arguments = (game, code, json.dumps(dict(options), sort_keys=True))
        variant = self._known.get(arguments)
        if variant is None:
            variant = self._known[arguments] = _Variant(arguments)
            self._lines.setdefault(owner, deque()).append(variant)
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._prepare_all())
        variant.waiting += 1
        try:
            await asyncio.shield(variant.done)
        finally:
            variant.waiting -= 1

    async def close(self) -> None:
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _prepare_all(self) -> None:
        while self._lines:
            await self._free()
            owner, line = self._lines.popitem(last=False)
            variant = line.popleft()
            if line:
                self._lines[owner] = line  # behind the others
            try:
                if variant.waiting:
                    await self._compile(variant)
            except Exception as error:  # a worker compiles it then, as if there were no such process
                _log.error(
                    "preparing an agent failed", exc_info=error, extra={"facts": {"agent": variant.arguments[1]}}
                )
            finally:
                del self._known[variant.arguments]
                if not variant.done.done():
                    variant.done.set_result(None)

    async def _compile(self, variant: _Variant) -> None:
        command = [sys.executable, "-c", _PROGRAM, *variant.arguments, *self._plugins]
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL)
        try:
            await asyncio.wait_for(process.wait(), _LONGEST)
        finally:
            if process.returncode is None:
                process.kill()
