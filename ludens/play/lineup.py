"""Who plays which seat in which game: every agent gets every place equally often.

A place is a side of the game: a seat where everybody plays for oneself, all seats of a team
where the game has teams. Game i uses the i-th cyclic rotation of the agents over the places,
unless the places are fixed: then the first agent always has the first place, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludens.core.errors import BadInput
from ludens.core.spec import GameSpec

__all__ = ["Lineup", "arrange", "fitting_players", "sides_of"]


@dataclass(frozen=True)
class Lineup:
    """The places of a game and the agents that rotate over them, or keep them."""

    sides: tuple[int, ...]  # side of every seat, numbered 0 … places - 1
    entries: tuple[int, ...]  # agent (its index in the list given) for every place, before rotation
    rotating: bool = True

    @property
    def places(self) -> int:
        return len(self.entries)

    def at_places(self, game: int) -> tuple[int, ...]:
        """The agent on every place in the game of this index."""
        shift = game if self.rotating else 0
        return tuple(self.entries[(place + shift) % self.places] for place in range(self.places))

    def at_seats(self, game: int) -> tuple[int, ...]:
        """The agent on every seat in the game of this index."""
        places = self.at_places(game)
        return tuple(places[side] for side in self.sides)


def sides_of(spec: GameSpec, players: int) -> tuple[int, ...]:
    """The sides of the seats, renumbered from 0 in the order they appear."""
    raw = spec.sides(players)
    order = list(dict.fromkeys(raw))
    return tuple(order.index(side) for side in raw)


def fitting_players(spec: GameSpec, agents: int) -> int:
    """The number of players that gives every agent one place, else the smallest with room for all."""
    counts = [spec.default_players, *sorted(spec.players)]
    places = {count: max(sides_of(spec, count)) + 1 for count in counts}
    for exact in (True, False):
        for count in counts if exact else sorted(spec.players):
            if places[count] == agents or (not exact and places[count] > agents):
                return count
    raise BadInput(f"{spec.title} has room for {max(places.values())} agents at most, not {agents}.")


def arrange(spec: GameSpec, players: int, agents: Sequence[str], rotating: bool = True) -> Lineup:
    """The line-up of these agents; where places are left over, the agents fill them in turn."""
    sides = sides_of(spec, players)
    places = max(sides) + 1
    if not agents:
        raise BadInput("An arena needs at least one agent.")
    if len(agents) > places:
        raise BadInput(f"{spec.title} with {players} players has room for {places} agents, not {len(agents)}.")
    return Lineup(sides, tuple(place % len(agents) for place in range(places)), rotating)
