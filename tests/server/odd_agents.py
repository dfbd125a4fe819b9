"""A game of tests with agents that misbehave, to see that a table survives them."""

from __future__ import annotations

import dataclasses
import os
import time

import numpy as np
from numba.core.event import trigger_event

from ludens.core.agent import AgentKind, Parameter, Thought
from ludens.core.record import layout
from tests.examples import tiny


class _Odd:
    def __init__(self, **parameters):
        self.parameters = parameters

    def start(self, seating):
        self.seating = seating

    def end(self, view):
        pass


class Crashing(_Odd):
    def choose(self, view, legal, clock):
        raise RuntimeError("I do not want to")


class Nonsense(_Odd):
    def choose(self, view, legal, clock):
        return 12345


class Dying(_Odd):
    def choose(self, view, legal, clock):
        os._exit(7)


class Sleeping(_Odd):
    def choose(self, view, legal, clock):
        time.sleep(self.parameters["seconds"])
        return int(legal[-1])


class Lingering(_Odd):
    def choose(self, view, legal, clock):
        return int(legal[-1])

    def end(self, view):
        time.sleep(1000)


class Compiling(Sleeping):
    def choose(self, view, legal, clock):
        with trigger_event("numba:compile"), trigger_event("numba:compile"):  # a kernel, and a rule that it calls
            return super().choose(view, legal, clock)


class Hungry(_Odd):
    def choose(self, view, legal, clock):
        self.eaten = np.ones(self.parameters["mib"] << 17)
        return int(legal[-1])


class Thinking(_Odd):
    def choose(self, view, legal, clock):
        return int(legal[-1])

    def thought(self):
        return Thought(0.25, 7, 1, (1,), "hold")


KINDS = {
    "crashing": AgentKind("crashing", "raises", Crashing),
    "nonsense": AgentKind("nonsense", "answers an illegal id", Nonsense),
    "dying": AgentKind("dying", "ends its process", Dying),
    "sleeping": AgentKind("sleeping", "sleeps", Sleeping, (Parameter("seconds", "how long", 0.5, float, low=0),)),
    "compiling": AgentKind("compiling", "compiles", Compiling, (Parameter("seconds", "how long", 1.0, float, low=0),)),
    "lingering": AgentKind("lingering", "does not go", Lingering),
    "hungry": AgentKind("hungry", "takes memory", Hungry, (Parameter("mib", "how much", 1, int, low=1),)),
    "thinking": AgentKind("thinking", "tells what it thought", Thinking),
    "reading": AgentKind("reading", "names a file", Sleeping, (Parameter("path", "a file", "", str),)),
    "seeing": AgentKind("seeing", "sees everything", Sleeping, oracle=True),
}

DTYPE = layout("odd", tiny.Pig)
GAME = dataclasses.replace(
    tiny.GAME,
    spec=dataclasses.replace(tiny.GAME.spec, name="odd", title="Odd"),
    dtype=DTYPE,
    agents=lambda: KINDS,
)
