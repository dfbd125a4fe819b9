"""What is known of a game before it is played: players, options, sizes, sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from types import ModuleType
from typing import Any

import numpy as np

from ludens.core import verbs
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.published import Published

__all__ = ["Block", "Game", "GameSpec", "Option", "each_for_oneself", "split"]


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


def split(features: Any, blocks: Iterable[Block]) -> dict[str, Any]:
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


@dataclass(frozen=True, eq=False)
class Game:
    """A game as the rest of the package sees it: metadata, record, rules and words.

    `text` is the game's module of words with these functions (s is a record or view):
    action_to_text(s, a), action_from_text(s, text), action_to_json(s, a),
    action_from_json(s, data), chance_to_text(s, outcome), position_to_text(v),
    position_to_json(v), refusal(s, a), events(before, a, after), narrate(event, names).
    A game may add static_to_json(dtype): what never changes, such as a map, for drawing;
    ACTIONS_ARE_FIXED = True: the text and the JSON of an action depend on the options alone;
    completes(before, a, after): does the decision a complete a move? (else every one does);
    vain(actions): does a move of these decisions come to nothing?
    offers(actions): do these decisions ask others, who may refuse? With it taken(before, after, seat): is what the seat
    has offered taken? None while others decide; and answers(a): is the action a plain answer to an offer?
    reasons(before, after, end, seat, weights): what speaks for the move from one view of the seat to the next,
    with the view at the end of the expected line and the weights of the evaluation (`core.reasons`).
    What only some seats may learn of an event stands under its key `secret` (see `core.film.seen_by`).
    """

    spec: GameSpec
    dtype: np.dtype
    rules: verbs.Rules
    text: ModuleType
    agents: Callable[[], Mapping[str, Any]]  # name -> AgentKind, weak to strong; imported when asked for
    terminal: Callable[[], Any] | None = None  # () -> module with render(view, seat, names) for Rich
    check_options: Callable[[np.ndarray], None] | None = None  # refuses combinations
    published: Callable[[], Mapping[str, Published]] | None = None  # name -> table that the arena can play again
    check_position: Callable[[Any, Any], str | None] | None = None  # see core.positions.possible_if
    learning: Callable[[], Mapping[str, Any]] | None = None  # kind of learning -> the game's task for it (`train`)
    manners: Callable[[], Any] | None = None  # () -> class of what agents leave undone among people (`agents.manners`)

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
