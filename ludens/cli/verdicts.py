"""What moves are worth, in words and figures for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludens.search.candidates import Candidate

__all__ = ["distance", "line_in_words", "reasons_in_words", "whole_move"]

_WORDS: dict[str, dict[str, str]] = {  # by game, "" for all; then by term
    "": {
        "wins": "wins at once",
        "prevents": "after most other moves the next answer wins",
        "answered": "the best answer, by {name}: {what}",
        "otherwise": "after most other moves the best answer, by {name}: {what}",
    },
    "azul": {
        "points": "{n} more after tiling",
        "line": "line {line}: {n} of {size} filled",
        "column": "{n} tiles in column {column}",
        "colour": "{n} {colour} tiles on the wall",
        "wall": "free places beside it bring {n} more",
        "marker": "you begin the next round",
        "denied": "takes {n} {colour} that {name} needs for line {line}: {points} points for them",
    },
    "discovery": {
        "points": "points at once: {n}",
        "soon": "points soon, as the game is expected to go: {n}",
        "free": "followers in the hand: {n}",
        "follower": "a follower on {terrain} worth {n} now, sides open: {ends}",
        "closed": "closes your {terrain}: worth {n}, before {before}",
        "region": "your {terrain} is worth {n} now, sides open: {ends}",
        "hindered": "the {terrain} of {name} gets harder to close, sides open: {ends}",
    },
    "catan": {
        "points": "points more: {n}",
        "production": "dots more: {n} ({resources})",
        "harbour": "a harbour: {n} for 1",
        "site": "a place to settle with {n} dots, roads away: {roads}",
        "road": "your longest road is {n} long",
        "army": "knights in your army: {n}",
        "purchase": "cards short of a {what}: {n}",
        "seven": "cards that a seven takes less: {n}",
        "card": "a development card",
        "robbed": "keeps {n} dots from {name}",
        "denied": "{name} loses a place to settle, with {n} dots",
    },
    "scotland_yard": {
        "away": "the detectives are {n} moves away in the mean, before {before}",
        "beside": "detectives beside Mr. X who can still move: {n}, before {before}",
        "safe": "ways out that no detective is beside: {n}, before {before}",
        "hiding": "places where Mr. X may be: {n}, before {before}",
        "spread": "the detectives are {n} moves from where he may be in the mean, before {before}",
    },
}
_WORDS["scotland_yard_grid"] = _WORDS["scotland_yard"]


def whole_move(candidate: Candidate) -> str:
    """All decisions of the move."""
    return ", ".join(part.text for part in candidate.whole) or candidate.text


def distance(candidate: Candidate) -> str:
    """How much better the best move is, how well that is known, and a question mark where it is open."""
    return f"{candidate.behind:.2f} ±{candidate.precision:.2f}{'' if candidate.known else ' ?'}"


def reasons_in_words(game: str, candidate: Candidate, names: Sequence[str]) -> list[str]:
    """What speaks for the move, the weightiest first."""
    return [
        f"{'-' if reason.term == 'answered' else '+'} {_sentence(game, reason.term, reason.values, names)}"
        for reason in candidate.reasons
    ]


def _sentence(game: str, term: str, values: Mapping[str, Any], names: Sequence[str]) -> str:
    template = {**_WORDS[""], **_WORDS.get(game, {})}.get(term, term)
    told: dict[str, Any] = {key: _listed(value) for key, value in values.items()}
    if "seat" in values:
        told["name"] = names[values["seat"]]
    if "by" in values:
        told |= {"name": names[values["by"]], "what": _sentence(game, values["term"], values["values"], names)}
    return template.format(**told)


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def line_in_words(candidate: Candidate) -> list[str]:
    """How play goes on after the whole move."""
    rest = candidate.line[len(candidate.whole) :]
    return [f"then {', '.join(rest)}"] if rest else []
