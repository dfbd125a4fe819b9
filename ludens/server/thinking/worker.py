"""What runs in a worker process: agents that get views and answer action ids, and analyses of views.

Agents are kept by table and seat while they are used; one that is missing is made anew, with
a seed of its own that the table derives from the ply. So a worker may be lost at any time.
"""

from __future__ import annotations

import importlib
import os
import signal
from collections import OrderedDict
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from numba.core.event import Event, Listener
from numba.core.event import register as listen

from ludens.agents.analysis import analyse_view
from ludens.agents.codes import make_agent
from ludens.core import record, registry
from ludens.core.agent import Agent, Clock, Seating

__all__ = ["COMPILING", "READY", "Farewell", "Inquiry", "Question", "load_plugins", "work"]

READY = "ready"
"""What a worker sends first, when its imports are done."""
COMPILING = "compiling"
"""What a worker sends, with true or false, when it begins and when it has ceased to compile."""
_KEPT = 256

Agents = OrderedDict[tuple[str, int, str], Agent]  # by table, seat and code, the longest unused first


@dataclass(frozen=True)
class Question:
    """One decision: everything an agent needs, and nothing it may not know."""

    table: str
    seat: int
    game: str  # name
    code: str
    options: bytes  # int64
    seed: int
    view: bytes
    legal: bytes  # int64
    seconds: float


@dataclass(frozen=True)
class Inquiry:
    """A position to analyse, as the seat to act sees it; the answer is the analysis in its JSON form."""

    game: str  # name
    seat: int
    view: bytes
    seconds: float
    candidates: int
    include: tuple[int, ...] = ()  # actions that must be among the candidates


@dataclass(frozen=True)
class Farewell:
    """The end of a table: the final view of each seat that an agent played."""

    table: str
    game: str
    views: dict[int, bytes]


def load_plugins(plugins: tuple[str, ...]) -> None:
    """Registers games given as `module:ATTRIBUTE`."""
    for plugin in plugins:
        module, _, attribute = plugin.partition(":")
        registry.register(getattr(importlib.import_module(module), attribute or "GAME"))


def work(connection: Connection, plugins: tuple[str, ...]) -> None:
    """Says READY, then answers until the connection closes: (action or analysis, None) or (None, error).

    Before an answer it may say any number of times (COMPILING, true or false).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the server's to handle
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # one agent, one core
    load_plugins(plugins)
    listen("numba:compile", _Telling(connection))
    connection.send(READY)
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
                answer = (_choose(agents, message), None)
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


def _choose(agents: Agents, question: Question) -> int:
    game = registry.game(question.game)
    key = (question.table, question.seat, question.code)
    agent = agents.pop(key, None)  # it returns below, unless it fails: then the next move gets a new one
    if agent is None:
        agent = make_agent(game, question.code)
        options = np.frombuffer(question.options, np.int64).copy()
        agent.start(Seating(game, options, question.seat, question.seed))
    view = record.from_bytes(game.dtype, question.view)
    legal = np.frombuffer(question.legal, np.int64).copy()
    action = int(agent.choose(view, legal, Clock(question.seconds)))
    agents[key] = agent
    if len(agents) > _KEPT:
        agents.popitem(last=False)
    return action


def _analyse(prepared: set[str], inquiry: Inquiry) -> dict[str, Any]:
    game = registry.game(inquiry.game)
    view = record.from_bytes(game.dtype, inquiry.view)
    if inquiry.game not in prepared:  # loading or compiling the search must not use up the clock
        analyse_view(game, view, inquiry.seat, simulations=1, candidates=1)
        prepared.add(inquiry.game)
    return analyse_view(
        game, view, inquiry.seat, inquiry.seconds, candidates=inquiry.candidates, include=inquiry.include
    ).to_json()


def _end(agents: Agents, farewell: Farewell) -> None:
    dtype = registry.game(farewell.game).dtype
    for key in [key for key in agents if key[0] == farewell.table]:
        agent = agents.pop(key)
        agent.end(record.from_bytes(dtype, farewell.views[key[1]]))
