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
import torch
from torch import Tensor

from ludens.core.errors import BadInput, did_you_mean
from ludens.core.spec import Game
from ludens.play.batch import SeatedGames

__all__ = ["FIGURES", "LEAD", "RESULT", "Rewards", "describe_reward", "parse_reward"]

RESULT, LEAD = "result", "lead"
FIGURES = ("won", "result", "points", "best_other", "lead", "reward")
"""Means over games that ended, of the learner's seats."""

MoveReward = Callable[[np.ndarray, np.ndarray, np.ndarray, Mapping[str, float]], np.ndarray]


def parse_reward(game: Game, text: str) -> tuple[str, MoveReward | None, dict[str, float]]:
    """The name, the game's function if it is one of its own, and all constants; anything unknown is refused."""
    own: Mapping[str, Any] = game.learning().get("rewards", {})
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


class Rewards:
    """What every step of many games is worth to every seat, and the figures of games that ended.

    Tensors, wherever the games are; nothing waits for a GPU but `figures`. With another reward than the result there
    are two streams, the reward in use and the result, so that the result can be foretold whatever is learned from.
    """

    def __init__(self, games: SeatedGames, text: str, scale: float, result_weight: float) -> None:
        self._games, game = games, games.game
        self.device = torch.device(games.device)
        self.name, self._own, self._constants = parse_reward(game, text)
        self._scale, self._result_weight = scale, result_weight
        self.streams = 1 if self.name == RESULT else 2
        sides = torch.tensor(game.spec.sides(games.players), device=self.device)
        self._rivals = sides[:, None] != sides[None, :]
        self._scores, self.lead, self.sums = (self._zeros(games.size, games.players) for _ in range(3))
        self._moved, self.totals = self._zeros(games.size), self._zeros(len(FIGURES) + 1, torch.float64)
        self._told = dict.fromkeys(FIGURES, 0.0)
        if self._own is not None and games.device != "cpu":
            own: Any = self._own
            if games.batch.kernels.reward is None:
                raise BadInput(f"The reward {self.name} of {game.spec.title} is none on a GPU; set device to cpu.")
            self._numbers = torch.tensor(own.numbers(self._constants), dtype=torch.float64, device=self.device)

    def _zeros(self, *shape: Any) -> Tensor:
        dtype = shape[-1] if isinstance(shape[-1], torch.dtype) else torch.float32
        sizes = [size for size in shape if isinstance(size, int)]
        return torch.zeros(sizes, dtype=dtype, device=self.device)

    def begin(self) -> None:
        """The games have begun, or stand elsewhere."""
        self.sums.zero_()
        self._count()
        self.lead.copy_(self._leads(self._scores))

    def _count(self) -> None:
        if self.name == LEAD:
            self._games.batch.scores(self._scores if self._games.device != "cpu" else self._scores.numpy())

    def before(self, actions: Tensor) -> None:
        """To be called before these actions are played."""
        if self._own is None:
            return
        batch = self._games.batch
        if self._games.device != "cpu":
            own: Any = self._own
            batch.earned(actions, int(own.kind), self._numbers, self._moved)
        else:
            actor = self._games.out.actor.astype(np.int64)
            earned = self._own(batch.states, actor, actions.numpy(), self._constants)
            self._moved.copy_(torch.from_numpy(earned))

    def after(self) -> None:
        """To be called when they were played."""
        self._count()

    def of_step(self, live: Mapping[str, Tensor], actor: Tensor, held: Tensor, others: bool) -> Tensor:
        """float32[games, players, streams]: of the step that `actor` made where `held` seats were the learner's.

        Figures count the learner's seats; where there are `others`, in games with one of them.
        """
        ended = (live["terminated"] | live["truncated"]).bool()[:, None]
        result = live["reward"]
        final = self._leads(live["final_scores"])
        earned = result
        if self.name != RESULT:
            earned = torch.zeros_like(result)
            if self.name == LEAD:
                now = self._leads(self._scores)
                earned = torch.where(ended, final, now) - self.lead
                self.lead.copy_(now)
            else:
                earned = earned.scatter(1, actor[:, None], self._moved[:, None])
            earned = earned * self._scale + self._result_weight * result
        self.sums += earned
        counted = held & ended
        if others:
            counted = counted & ~held.all(1, keepdim=True)
        points = live["final_scores"]
        won = (result.sign() + 1) / 2
        figures = torch.stack([won, result, points, points - final, final, self.sums, torch.ones_like(won)])
        self.totals += (figures.double() * counted).sum((1, 2))
        self.sums.masked_fill_(ended, 0.0)
        return earned[..., None] if self.streams == 1 else torch.stack([earned, result], 2)

    def _leads(self, scores: Tensor) -> Tensor:
        """Points of every seat less those of the best seat of another side."""
        best = scores[:, None, :].masked_fill(~self._rivals, -1e9).amax(2)
        return scores - best

    def figures(self) -> dict[str, float]:
        """Of the games that ended since the last call; those told last where none has."""
        *sums, count = self.totals.tolist()
        if count:
            self._told = {name: found / count for name, found in zip(FIGURES, sums, strict=True)}
            self.totals.zero_()
        return dict(self._told)

    def save(self) -> dict[str, np.ndarray]:
        """What later steps depend on besides the games."""
        return {
            "sums": self.sums.cpu().numpy().copy(),
            "lead": self.lead.cpu().numpy().copy(),
            "told": np.array(list(self._told.values())),
        }

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes on where `save` was called."""
        for own, name in ((self.sums, "sums"), (self.lead, "lead")):
            if tuple(own.shape) != arrays[name].shape:
                raise ValueError(f"an array {name} of the right shape")
            own.copy_(torch.from_numpy(np.array(arrays[name])))
        self._told = dict(zip(FIGURES, arrays["told"].tolist(), strict=True))
        self._count()
