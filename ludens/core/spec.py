"""What is known of a game before it is played: players, options, sizes, sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any, Protocol

import numpy as np

from ludens.core import verbs
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.learning import Learning
from ludens.core.published import Published
from ludens.core.record import Array
from ludens.core.words import Display, Words

__all__ = ["Block", "Game", "GameSpec", "Listed", "Manners", "Option", "each_for_oneself", "split"]


@dataclass(frozen=True)
class Option:
    """One setting of a game; its value is an integer inside, a word or a number outside."""

    name: str
    help: str
    default: int = 0
    choices: tuple[str, ...] = ()  # words for the values 0, 1, …; empty for a plain number
    low: int = 0
    high: int = 0

    def parse(self, value: Any) -> int:
        """The integer for a word, a number or a truth value; anything else is refused."""
        if self.choices:
            if isinstance(value, bool) and self.choices == ("off", "on"):
                return int(value)
            if isinstance(value, str | int) and str(value) in self.choices:
                return self.choices.index(str(value))
            raise BadInput(f"Option {self.name} must be one of {', '.join(self.choices)}, not {value!r}.")
        try:
            number = int(str(value))
        except ValueError:
            number = self.low - 1
        if isinstance(value, bool) or not self.low <= number <= self.high:
            raise BadInput(f"Option {self.name} must be a whole number from {self.low} to {self.high}, not {value!r}.")
        return number

    def show(self, value: int) -> str | int:
        """The inverse of `parse`."""
        return self.choices[value] if self.choices else value


@dataclass(frozen=True)
class Block:
    """A named part of the observation, a table in row order; a game's blocks follow one another without gaps."""

    name: str
    shape: tuple[int, ...]
    help: str
    columns: tuple[str, ...] = ()  # names along the last axis, where its length depends on options

    @property
    def size(self) -> int:
        return prod(self.shape)

    def labels(self) -> list[tuple[int | str, ...]]:
        """What each number is, alike under all options: its place along every axis, or the name of its column."""
        last: tuple[int | str, ...] = self.columns or tuple(range(self.shape[-1]))
        return [(*place, column) for place in product(*map(range, self.shape[:-1])) for column in last]


def split(features: Array, blocks: Iterable[Block]) -> dict[str, Any]:
    """The parts of features[…, size] by name, each […, *shape]: views into the same memory, NumPy's or torch's."""
    parts = tuple(blocks)
    size = sum(block.size for block in parts)
    if size != features.shape[-1]:
        raise BadInput(f"The blocks take {size} numbers, but the features are {features.shape[-1]}.")
    found, start = {}, 0
    for block in parts:
        end = start + block.size
        found[block.name] = features[..., start:end].reshape(*features.shape[:-1], *block.shape)
        start = end
    return found


def each_for_oneself(players: int) -> tuple[int, ...]:
    """The sides of a game without teams: one a seat."""
    return tuple(range(players))


@dataclass(frozen=True)
class GameSpec:
    """Metadata of a game; everything generic is decided by it, never by the game's name."""

    name: str
    title: str
    version: int  # raised when rules or ids change, not for features; logs and models carry it
    summary: str  # one sentence for lists and the lobby
    players: tuple[int, ...]  # allowed numbers of players
    default_players: int
    chance: bool  # has chance nodes
    hidden: bool  # some seat cannot see everything
    zero_sum: bool = field(default=True, kw_only=True)  # the returns of all seats sum to zero
    counts_points: bool = field(default=True, kw_only=True)  # has points besides the result
    opposed: bool = field(default=True, kw_only=True)  # where there are two sides, one loses what the other wins
    actions: int  # action ids are 0 … actions - 1
    outcomes: int  # chance outcome ids are 0 … outcomes - 1
    blocks: Callable[[np.ndarray], tuple[Block, ...]]  # options -> the parts of `observe`'s vector, in order
    features_version: int = field(default=1, kw_only=True)  # raised when `observe` changes; models carry it, not logs
    longest: Callable[[np.ndarray], int | None]  # options -> bound on the log's length, None if endless
    automatic_from: int | None = None  # ids from here on leave no choice and are played by the match
    options: tuple[Option, ...] = ()  # besides `players`
    reads: tuple[int, ...] = ()  # older versions whose logs this code still reads, checked against today's rules
    tournament: Mapping[str, Any] = field(default_factory=dict)  # options that keep games finite
    for_people: Mapping[str, Any] = field(default_factory=dict)  # options of a new table, unless it is told otherwise
    sides: Callable[[int], tuple[int, ...]] = each_for_oneself  # players -> side of every seat
    decisions: Callable[[np.ndarray, int], int] = lambda options, seat: 1  # that make one move of the seat, about
    seat_names: Callable[[int], tuple[str, ...]] = lambda players: tuple(f"Player {i + 1}" for i in range(players))
    rulebook: str = ""  # the page under docs/rules that explains the numbers of rules which refusals cite

    @property
    def identity(self) -> str:
        """`name@version`, carried by logs and models."""
        return f"{self.name}@{self.version}"

    def observation_size(self, options: np.ndarray) -> int:
        """The length of `observe`'s vector: all blocks together."""
        return sum(block.size for block in self.blocks(options))

    @property
    def first_automatic(self) -> int:
        """The first id of an automatic action; equals `actions` if there is none."""
        return self.actions if self.automatic_from is None else self.automatic_from


class Listed(Protocol):
    """An agent in the list of a game: an `AgentKind` or a `Level` (`core.agent`)."""

    @property
    def name(self) -> str: ...

    @property
    def help(self) -> str: ...


class Manners(Protocol):
    """What an agent that plays with people leaves undone in a game, though the rules allow it (`agents.manners`)."""

    def polite(self, view: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Those of the legal actions that people would not mind, in their order; never none."""
        ...

    def fair(self, view: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Those of the legal actions that do not spoil the game for others, in their order; never none.

        The polite ones are among them.
        """
        ...

    def limited(self, view: np.ndarray, legal: np.ndarray, free: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """What an agent is shown where the rules leave people free, and what it may choose from then.

        Of a `free` one no move of its own is left out.
        """
        ...

    def chosen(self, view: np.ndarray, action: int) -> None:
        """To be told of every choice, so that it can be remembered."""
        ...


@dataclass(frozen=True, eq=False)
class Game:
    """A game as the rest of the package sees it: metadata, record, rules and words.

    Parts with a default it need not have; those that are functions without arguments are imported when asked for.
    """

    spec: GameSpec
    dtype: np.dtype
    rules: verbs.Rules
    text: Words
    agents: Callable[[], Mapping[str, Listed]]  # by name, weak to strong
    terminal: Callable[[], Display] = Display
    check_options: Callable[[np.ndarray], None] | None = None  # refuses combinations
    published: Callable[[], Mapping[str, Published]] = dict  # name -> table that the arena can play again
    check_position: Callable[[Any, Any], str | None] | None = None  # see core.positions.possible_if
    exact: Callable[[], Any] | None = None  # an `Exact` (`core.exact`), of games small enough to be solved
    learning: Callable[[], Learning] = Learning
    manners: Callable[[], Callable[..., Manners]] | None = None  # a class; it is given the `Seating`

    def __post_init__(self) -> None:
        verbs.bind(self.dtype, self.rules)

    def __repr__(self) -> str:
        return f"<Game {self.spec.identity}>"

    def options(self, values: Mapping[str, Any] | None = None) -> np.ndarray:
        """The options as integers, `players` first; unknown or bad ones are refused."""
        given = dict(values or {})
        spec = self.spec
        players = given.pop("players", spec.default_players)
        allowed = ", ".join(map(str, spec.players))
        try:
            count = int(str(players))
        except ValueError:
            count = -1
        if isinstance(players, bool) or count not in spec.players:
            raise BadInput(f"{spec.title} is for {allowed} players, not {players!r}.")
        known = {option.name: option for option in spec.options}
        for name in given:
            if name not in known:
                raise did_you_mean(str(name), ["players", *known], f"option of {spec.name}")
        numbers = [count, *(o.parse(given[o.name]) if o.name in given else o.default for o in spec.options)]
        array = np.array(numbers, np.int64)
        if self.check_options is not None:
            self.check_options(array)
        return array

    def show_options(self, array: np.ndarray) -> dict[str, str | int]:
        """The inverse of `options`, with words for choices."""
        shown: dict[str, str | int] = {"players": int(array[0])}
        for option, value in zip(self.spec.options, array[1:], strict=True):
            shown[option.name] = option.show(int(value))
        return shown
