"""What a decision is worth to a learner, by name: the result, the growth of a lead, or a reward of the game's own.

`result`           the return of the seat, in [-1, 1], at the end and nothing before: works for every game
`lead`             how much the lead over the best seat of another side has grown, in the game's points
`name:key=value`   a reward that the game offers (`Game.learning()["rewards"]`), with constants
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ludens.core import verbs
from ludens.core.errors import BadInput, did_you_mean
from ludens.core.jit import kernel
from ludens.core.spec import Game

__all__ = ["LEAD", "RESULT", "describe_reward", "leads", "parse_reward"]

RESULT, LEAD = "result", "lead"

MoveReward = Callable[[np.ndarray, np.ndarray, np.ndarray, Mapping[str, float]], np.ndarray]


def parse_reward(game: Game, text: str) -> tuple[str, MoveReward | None, dict[str, float]]:
    """The name, the game's function if it is one of its own, and all constants; anything unknown is refused."""
    own: Mapping[str, Any] = (game.learning() if game.learning is not None else {}).get("rewards", {})
    name, _, rest = text.partition(":")
    if name not in (RESULT, LEAD, *own):
        raise did_you_mean(name, (RESULT, LEAD, *own), f"reward of {game.spec.name}")
    constants = dict(own[name].constants) if name in own else {}
    for part in rest.split(",") if rest else []:
        key, equals, value = part.partition("=")
        if key not in constants:
            if not constants:
                raise BadInput(f"The reward {name} has no constants, so {part!r} cannot be set.")
            raise did_you_mean(key, constants, f"constant of the reward {name}")
        try:
            constants[key] = float(value)
        except ValueError:
            constants[key] = math.nan
        if not equals or not math.isfinite(constants[key]):
            raise BadInput(f"The constant {key} of the reward {name} must be a number, not {value!r}.")
    return name, own.get(name), constants


def describe_reward(game: Game, text: str) -> str:
    """The reward with all of its constants, for records (AZ-120)."""
    name, _, constants = parse_reward(game, text)
    return name + (":" + ",".join(f"{key}={value:g}" for key, value in constants.items()) if constants else "")


@kernel
def leads(states: Any, seats: Any, sides: Any, numbers: Any, out: Any) -> None:
    """out[i] = points of seats[i] in states[i] less those of the best seat of another side."""
    for i in range(states.shape[0]):
        verbs.scores(states[i], numbers)
        best = -1e9
        for p in range(sides.shape[0]):
            if sides[p] != sides[seats[i]]:
                best = max(best, numbers[p])
        out[i] = numbers[seats[i]] - best
