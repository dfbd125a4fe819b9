"""What a game says and shows: its words and JSON, and its face in the terminal.

In all functions s, v, before and after are records or views of the game, or their `Fields` (`core.fields`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ludens.core.notation import Notation
from ludens.core.reasons import Reason

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Display", "Offers", "Words"]


@dataclass(frozen=True)
class Offers:
    """Moves that ask others, who may refuse."""

    made_by: Callable[[Sequence[int]], bool]  # do these decisions ask others?
    taken: Callable[[Any, Any, int], bool | None]  # is what the seat offers between before and after taken? None: open
    answers: Callable[[int], bool]  # is the action a plain answer to an offer?


@dataclass(frozen=True)
class Words:
    """A game's words: what every game has, then what it may have, with what holds for a game without it.

    What only some seats may learn of an event stands under its key `secret` (see `core.film.seen_by`).
    """

    action_to_text: Callable[[Any, int], str]  # of s and a; unique among legal actions
    action_from_text: Callable[[Any, str], int]  # its inverse; anything else is refused
    action_to_json: Callable[[Any, int], dict[str, Any]]
    action_from_json: Callable[[Any, Mapping[str, Any]], int]
    chance_to_text: Callable[[Any, int], str]  # of s and an outcome
    position_to_text: Callable[[Any], str]
    position_to_json: Callable[[Any], dict[str, Any]]
    refusal: Callable[[Any, int], str]  # why a is not legal in s
    events: Callable[[Any, int, Any], list[dict[str, Any]]]  # what happened between before and after by a
    narrate: Callable[[Mapping[str, Any], Sequence[str]], str]  # an event in words, with the players' names
    notation: Callable[[], Notation] = Notation  # of positions as one line of text
    static_to_json: Callable[[np.dtype], Any] = lambda dtype: None  # what never changes, such as a map
    actions_are_fixed: bool = False  # do text and JSON of an action depend on the options alone?
    completes: Callable[[Any, int, Any], bool] = lambda before, a, after: True  # does the decision end a move?
    reasons: Callable[[Any, Any, Any, int, np.ndarray], tuple[Reason, ...]] = lambda *positions: ()
    """Of before, after, end, seat and weights: what speaks for the move from one view of the seat to the next, with the
    view at the end of the expected line and the weights of the evaluation (`core.reasons`)."""
    vain: Callable[[Sequence[int]], bool] = lambda actions: False  # does a move of these decisions come to nothing?
    offers: Offers | None = None  # in a game where moves ask others, who may refuse

    @classmethod
    def of(cls, *modules: ModuleType, **others: Any) -> Self:
        """What the modules of a game tell under these names, and whatever else is given."""
        known = {field.name for field in fields(cls)}
        found = {name: getattr(module, name) for module in modules for name in module.__all__ if name in known}
        return cls(**{**found, **others})


@dataclass(frozen=True)
class Display:
    """How a game is drawn in the terminal; without a part its words are shown."""

    render: Callable[[Any, int, Sequence[str]], RenderableType] | None = None  # v as the seat sees it, with names
    final: Callable[[Any, Sequence[str]], RenderableType] | None = None  # the results of a finished game
    move: Callable[[Any, int], tuple[RenderableType, str]] | None = None
    """(heading, label) of an action: moves with one heading stand in one row; a heading with very many labels is one
    that people can type before them."""
    endings: str = ""  # what the labels are, above the rows' headings
    help: str = ""  # a few lines about the board and the moves, Rich markup
    quiet: frozenset[str] = frozenset()  # kinds of events that the board shows well enough without words
