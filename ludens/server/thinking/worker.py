"""What runs in a worker process: agents that get views and answer action ids, and analyses of views.

Agents are kept by table and seat while they are used and fit into the process' memory; one that is missing is made
anew, with a seed of its own that the table derives from the ply. So a worker may be lost at any time.
"""

from __future__ import annotations

import importlib
import os
import signal
from collections import OrderedDict
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from numba.core.event import Event, Listener
from numba.core.event import register as listen

from ludens.agents.analysis import Begun, analyse_view
from ludens.agents.codes import parse_code
from ludens.agents.manners import at_table
from ludens.core import record, registry
from ludens.core.agent import Agent, Clock, Seating, thought_of
from ludens.server.thinking.budgets import declared_memory
from ludens.server.thinking.messages import COMPILING, READY, Farewell, Inquiry, Question

__all__ = ["load_plugins", "work"]

_KEPT = 256
_SHARE = 4  # a quarter of the memory is for kept agents: at a half the process is replaced, and it needs some itself
_COMMON = 1 << 28  # bytes that a process may take besides what its agents are lent: loading kernels, for one


@dataclass
class _Kept:
    agent: Agent
    memory: float  # MiB


Agents = OrderedDict[tuple[str, int, str], _Kept]  # by table, seat and code, the longest unused first


def load_plugins(plugins: tuple[str, ...]) -> None:
    """Registers games given as `module:ATTRIBUTE`."""
    for plugin in plugins:
        module, _, attribute = plugin.partition(":")
        registry.register(getattr(importlib.import_module(module), attribute or "GAME"))


def work(connection: Connection, plugins: tuple[str, ...], most_memory: int) -> None:
    """Says READY, then answers until the connection closes: (choice or analysis, None) or (None, error).

    Before an answer it may say any number of times (COMPILING, true or false).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the server's to handle
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # one agent, one core
    load_plugins(plugins)
    _bound_memory(most_memory)
    listen("numba:compile", _Telling(connection))
    try:
        connection.send(READY)
    except OSError:  # whoever wanted it has gone
        return
    agents: Agents = OrderedDict()
    prepared: set[str] = set()
    while True:
        try:
            message = connection.recv()
        except (EOFError, OSError):
            return
        answer: tuple[Any, str | None]
        try:
            if isinstance(message, Question):
                answer = (_choose(agents, message, most_memory), None)
            elif isinstance(message, Inquiry):
                answer = (_analyse(prepared, message), None)
            else:
                _end(agents, message)
                answer = (None, None)
        except Exception as error:
            answer = (None, f"{type(error).__name__}: {error}")
        try:
            connection.send(answer)
        except OSError:
            return


class _Telling(Listener):
    """Tells the server when kernels are compiled; what they call is compiled within, and not told."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._depth = 0

    def on_start(self, event: Event) -> None:
        self._depth += 1
        if self._depth == 1:
            self._connection.send((COMPILING, True))

    def on_end(self, event: Event) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._connection.send((COMPILING, False))


def _bound_memory(most: int) -> None:
    """The process may take so many bytes more than it has now; what asks for more fails, not the machine."""
    try:
        import resource

        now = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (now + most + _COMMON,) * 2)
    except (ImportError, OSError, ValueError):  # not on this system: the server watches the process all the same
        return


def _choose(agents: Agents, question: Question, most_memory: int) -> dict[str, Any]:
    game = registry.game(question.game)
    key = (question.table, question.seat, question.code)
    kept = agents.pop(key, None)  # it returns below, unless it fails: then the next move gets a new one
    if kept is None:
        kind, values = parse_code(game, question.code)
        needed = declared_memory(kind, values)
        while agents and (len(agents) >= _KEPT or _sum(agents) + needed > most_memory / _SHARE / (1 << 20)):
            agents.popitem(last=False)
        kept = _Kept(at_table(game, kind.make(**values)), needed)
        options = np.frombuffer(question.options, np.int64).copy()
        kept.agent.start(Seating(game, options, question.seat, question.seed))
    view = record.from_bytes(game.dtype, question.view)
    legal = np.frombuffer(question.legal, np.int64).copy()
    action = int(kept.agent.choose(view, legal, Clock(question.seconds)))
    thought = thought_of(kept.agent)
    agents[key] = kept
    return {"action": action, "thought": thought.to_json() if thought else None}


def _sum(agents: Agents) -> float:
    return sum(kept.memory for kept in agents.values())


def _analyse(prepared: set[str], inquiry: Inquiry) -> dict[str, Any]:
    game = registry.game(inquiry.game)
    view = record.from_bytes(game.dtype, inquiry.view)
    options = np.frombuffer(inquiry.options, np.int64).copy() if inquiry.options else None
    if inquiry.game not in prepared:  # loading or compiling the search must not use up the clock
        analyse_view(game, view, inquiry.seat, simulations=1, candidates=1, options=options)
        prepared.add(inquiry.game)
    return analyse_view(
        game,
        view,
        inquiry.seat,
        inquiry.seconds,
        inquiry.simulations,
        candidates=inquiry.candidates,
        include=inquiry.include,
        explain=inquiry.explain,
        options=options,
        agents=inquiry.agents,
        begun=Begun(record.from_bytes(game.dtype, inquiry.before), inquiry.begun) if inquiry.begun else None,
    ).to_json()


def _end(agents: Agents, farewell: Farewell) -> None:
    dtype = registry.game(farewell.game).dtype
    for key in [key for key in agents if key[0] == farewell.table]:
        agents.pop(key).agent.end(record.from_bytes(dtype, farewell.views[key[1]]))
