"""Agents that play by a network of the package or of a file: at once, or by looking ahead with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ludens.agents.manners import MANNERS, manners_of
from ludens.core import kernels
from ludens.core.agent import AgentKind, Clock, Parameter, Seating, Thought
from ludens.core.errors import BadInput
from ludens.core.rng import pick
from ludens.core.spec import Game
from ludens.networks.network import Network
from ludens.networks.shipped import SHIPPED, champion, network_named, shipped

__all__ = ["NET", "NetworkAgent", "check_network", "network_kinds"]

_TICKETS = 1 << 30


class NetworkAgent:
    """Plays the legal action that its network prefers, or draws one: the hotter, the more evenly."""

    def __init__(self, network: str, temperature: float = 0.0, manners: str = "off") -> None:
        self._file, self._temperature = network, temperature
        self._well_mannered = manners == "on"
        self._network: Network | None = None
        self._thought: Thought | None = None
        self._policy: dict[int, float] | None = None

    def start(self, seating: Seating) -> None:
        self._network = network_named(self._file, seating.game, seating.options)
        if self._network is None:
            raise BadInput("The agent net needs the file of a network, or `shipped`.")
        self._seat, self._rng = seating.seat, seating.generator()
        self._manners = manners_of(seating) if self._well_mannered else None
        self._features = np.zeros(self._network.layout.inputs, np.float32)

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        self._thought = self._policy = None
        if self._manners is None:
            return self._play(view, legal)
        choice = self._play(view, self._manners.polite(view, legal))
        self._manners.chosen(view, choice)
        return choice

    def _play(self, view: np.ndarray, legal: np.ndarray) -> int:
        if len(legal) == 1:
            return int(legal[0])
        assert self._network is not None, "start comes before choose"
        if self._network.restricted:
            legal = legal.copy()
            legal = legal[: kernels.restrict_at(view.copy(), 0, legal, len(legal))]
        kernels.observe_at(view, 0, self._seat, self._features)
        logits, values = self._network.evaluate_one(self._features, legal)
        shares = np.exp(logits - logits.max())
        best = int(logits.argmax())
        if self._temperature > 0:
            hot = np.cumsum(shares ** (1 / self._temperature))
            ticket = pick(self._rng, _TICKETS) / _TICKETS * hot[-1]
            best = min(int(np.searchsorted(hot, ticket, "right")), len(legal) - 1)
        shares /= shares.sum()
        share = shares[best]
        self._policy = dict(zip(legal.tolist(), shares.tolist(), strict=True))
        self._thought = Thought(float(values[0]), line=(int(legal[best]),), note=f"share {share:.0%}")
        return int(legal[best])

    def policy(self) -> dict[int, float] | None:
        """The network's shares of the actions at the last choice."""
        return self._policy

    def thought(self) -> Thought | None:
        """The network's value of the last position and the share it gave to the choice."""
        return self._thought

    def end(self, view: np.ndarray) -> None:
        self._network = None


NET = AgentKind(
    "net",
    "plays what a network says, at once",
    NetworkAgent,
    (
        Parameter("network", f"file of the network; {SHIPPED}: that of the package", "", required=True),
        Parameter(
            "temperature", "0: the preferred move; 1: drawn by the network's shares", 0.0, float, low=0, high=100
        ),
        MANNERS,
    ),
)


def network_kinds(game: Game) -> dict[str, AgentKind]:
    """`net`, which needs a file where no network ships."""
    return {NET.name: replace(NET, preset={"network": SHIPPED, "manners": "on"}) if shipped(game) else NET}


def check_network(game: Game, options: np.ndarray, values: Mapping[str, Any]) -> None:
    """Refuses an agent with these parameters if the network of the package is not for these options."""
    if values.get("network") == SHIPPED:
        champion(game, options)
