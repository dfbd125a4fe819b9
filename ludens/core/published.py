"""Published tables of results, which the arena plays again and prints next to the printed figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ludens.core.errors import BadInput

__all__ = ["Matchup", "Published"]


@dataclass(frozen=True)
class Matchup:
    """One line of a table: who plays, and what was printed."""

    name: str
    agents: tuple[str, ...]  # a code for every side; sides are kept in all games
    share: float  # printed share of victories of the side that counts, 0 … 1
    length: float  # printed mean length of the games it won


@dataclass(frozen=True)
class Published:
    """A table of one source.

    What the source leaves open is set like options of the game: `parameters` of all agents, and the `unit` of lengths.
    """

    title: str
    source: str  # where the figures were printed
    side: int  # whose victories are counted
    counted: str  # what the shares are, in words
    unit: str  # what a game's length counts: one of `units`
    units: Mapping[str, Callable[[Any], int]]  # last record of a game -> its length
    matchups: tuple[Matchup, ...]
    parameters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # name -> values
    reading: Mapping[str, str] = field(default_factory=dict)  # what fits the print best, options of the game among it

    @property
    def length(self) -> Callable[[Any], int]:
        """The length of a game from its last record."""
        return self.units[self.unit]

    def read(self, options: Mapping[str, Any]) -> tuple[Published, dict[str, Any]]:
        """The table in its reading, which options change, and those options that are the game's."""
        chosen = {**self.reading, **options}
        values = {**self.parameters, "unit": tuple(self.units)}
        own = {name: str(chosen.pop(name)) for name in values if name in chosen}
        for name, value in own.items():
            if value not in values[name]:
                raise BadInput(f"Option {name} of the table must be one of {', '.join(values[name])}, not {value!r}.")
        unit = own.pop("unit", self.unit)
        added = ",".join(f"{name}={value}" for name, value in own.items())
        matchups = tuple(replace(one, agents=tuple(_with(code, added) for code in one.agents)) for one in self.matchups)
        return replace(self, unit=unit, matchups=matchups, reading={**chosen, **own, "unit": unit}), chosen


def _with(code: str, added: str) -> str:
    """The agent's code with further parameters."""
    return f"{code}{',' if ':' in code else ':'}{added}" if added else code
