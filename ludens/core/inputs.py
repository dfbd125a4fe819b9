"""What a match is given from outside, checked: seeds, names, draws, saved documents and their results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ludens.core import kernels
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.rng import SEED_LIMIT
from ludens.core.spec import Game

__all__ = [
    "RECORDED",
    "SEEDED",
    "check_result",
    "checked_document",
    "checked_names",
    "checked_outcome",
    "checked_seed",
    "possible_outcomes",
    "same_text",
    "with_players",
]

SEEDED, RECORDED = "seeded", "recorded"
"""Where the draws of a match come from: all of them follow from its seed, or its log says what was drawn."""
_MOST_SHOWN = 8  # possible draws that a refusal lists


def same_text(one: str, other: str) -> bool:
    """Are two texts the same but for capitals and spaces?"""
    return one.casefold().split() == other.casefold().split()


def with_players(options: Mapping[str, Any] | None, players: int | None) -> Mapping[str, Any] | None:
    """The options with the number of players that is given beside them; two different numbers are refused."""
    if players is None:
        return options
    if options is not None and str(options.get("players", players)) != str(players):
        raise BadInput(f"The number of players is given twice: {players} and {options['players']}.")
    return {**(options or {}), "players": players}


def checked_seed(seed: Any) -> int:
    """A seed that a saved match can hold."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= int(seed) < SEED_LIMIT:
        raise BadInput(f"A seed is a whole number from 0 to {SEED_LIMIT - 1}, not {seed!r}.")
    return int(seed)


def checked_names(names: Any, default: tuple[str, ...]) -> tuple[str, ...]:
    """One name a player; by default the game's own."""
    if names is None:
        return default
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) and name.strip() for name in names):
        raise BadInput("Names must be a list of words, one a player.")
    if len(names) != len(default):
        raise BadInput(f"{len(default)} players need {len(default)} names, not {len(names)}.")
    return tuple(names)


def possible_outcomes(game: Game, state: np.ndarray) -> dict[int, float]:
    """The outcomes of the draw that comes next, with their probabilities; empty where none comes next."""
    outcomes, weights = np.zeros(game.spec.outcomes, np.int64), np.zeros(game.spec.outcomes)
    n = int(kernels.chance_at(state, 0, outcomes, weights))
    return {int(outcome): float(weight) for outcome, weight in zip(outcomes[:n], weights[:n], strict=True)}


def checked_outcome(game: Game, state: np.ndarray, outcome: Any) -> int:
    """The possible outcome of the draw that comes next, for its id or its text; refused otherwise."""
    texts = {k: game.text.chance_to_text(state[0], k) for k in possible_outcomes(game, state)}
    if not texts:
        raise BadInput("No draw comes next.")
    if outcome is None or outcome == "?":
        raise BadInput("What was drawn is missing: a recorded game needs full information, hidden draws too.")
    if isinstance(outcome, str):
        found = [k for k, text in texts.items() if same_text(text, outcome)]
        if not found:
            raise did_you_mean(outcome, texts.values(), "draw")
        return found[0]
    if isinstance(outcome, bool) or not isinstance(outcome, int | np.integer):
        raise BadInput(f"A draw comes next: its outcome is an id or a text, not {outcome!r}.")
    if int(outcome) not in texts:
        shown = ", ".join(f"{k} ({text})" for k, text in list(texts.items())[:_MOST_SHOWN])
        more = "" if len(texts) <= _MOST_SHOWN else f" and {len(texts) - _MOST_SHOWN} more"
        raise BadInput(f"Outcome {outcome} cannot be drawn here; possible are {shown}{more}.")
    return int(outcome)


def checked_document(document: Any, form: str) -> tuple[dict[str, Any], str]:
    """A saved match with all it needs, and where its draws come from."""
    if isinstance(document, str | bytes):
        try:
            document = json.loads(document)
        except (ValueError, RecursionError) as error:
            raise BadInput("This is not a saved match: it is not JSON.") from error
    if not isinstance(document, dict) or document.get("format") != form:
        raise BadInput(f"This is not a saved match: its format is not {form}.")
    chance = document.get("chance", RECORDED if "position" in document else SEEDED)
    if chance not in (SEEDED, RECORDED) or (chance == SEEDED and "position" in document):
        raise BadInput(f'The chance of a saved match is "{SEEDED}" or, always with a position, "{RECORDED}".')
    needed = ("game", "options", "seed", "log") if chance == SEEDED else ("game", "options", "log")
    missing = [key for key in needed if key not in document]
    if missing:
        raise BadInput(f"The saved match lacks {', '.join(missing)}.")
    if not isinstance(document["options"], dict):
        raise BadInput("The options of a saved match must be an object of names and values.")
    log = document["log"]
    if not isinstance(log, list) or any(isinstance(a, bool) or not isinstance(a, int) for a in log):
        raise BadInput("The log of a saved match must be a list of whole numbers.")
    return document, chance


def check_result(stored: Any, over: bool, scores: Sequence[float], returns: Sequence[float]) -> None:
    """Refuses a stored result that the log contradicts; a game that was broken off keeps returns of its own."""
    if stored is None:
        return
    if not isinstance(stored, dict):
        raise BadInput("The result of a saved match must be an object with scores and returns.")
    ended = stored.get("reason", "over") == "over"
    found = {"scores": list(scores), "returns": list(returns)} if ended else {"scores": list(scores)}
    told = {key: stored[key] for key in found if stored.get(key) is not None}
    if ended and not over:
        raise BadInput(f"The saved match has a result ({_numbers(told)}), but its log does not end the game.")
    if any(told[key] != found[key] for key in told):
        raise BadInput(f"The saved result ({_numbers(told)}) contradicts the log, which gives {_numbers(found)}.")


def _numbers(result: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in result.items())
