"""Proximal policy optimisation with masks, in one file (AZ-103 … AZ-111).

One step of learning:

 1. play `length` decisions in each of `games` games, drawing from the policy among the legal actions;
 2. look back over them for advantages (generalised advantage estimation);
 3. improve the network on them in `epochs` passes of `parts` updates each.

The network is one of `networks.network`: a trunk, a logit for every action, the expected result of every seat, and one
auxiliary head, `critic`, for the return of the reward that is learned from. With the result as reward the two say the
same; with any other the results still tell players and searches how a game stands, and play no part in the advantage.

Opponents may be earlier selves: every `past_every` steps the network joins them, and one of them sits down for a step.
The first `teacher_steps` steps copy a teacher instead: in half of the games its moves are played, in the other half the
network's own, and what the teacher would do is learned in both.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ludens.learn.games import Games
from ludens.learn.torch_state import load_state, random_of, save_state
from ludens.networks.network import Network
from ludens.networks.torch_network import module_of, trained

__all__ = ["PPO", "Settings"]

CRITIC = "critic"
_NEVER = -1e9  # the logit of an illegal action


@dataclass(frozen=True)
class Settings:
    """What a training by PPO is described by; none of these is the thesis's value, which names none (AZ-112)."""

    reward: str = "result"  # or "lead", or one of the game's own; with constants as name:key=value,key=value
    reward_scale: float = 1.0  # what the reward is multiplied by: sums of a game should be around 1
    result_weight: float = 0.0  # of the result, added to another reward
    against: tuple[str, ...] = ()  # who holds the other seats: agents, "self", "past"; twice counts twice
    teacher: str = ""  # what is copied first: an agent, or "prior": the game's own advice for searches
    teacher_steps: int = 0  # so many steps
    teacher_power: float = 1.0  # to which its shares are raised: the higher, the more decided it is
    games: int = 256  # played at once
    length: int = 32  # decisions of each in a step
    architecture: str = "plain"  # of the network; or "rows", where the game names a table for it
    width: int = 256  # of the network's layers
    blocks: int = 1  # hidden layers after the first
    row_width: int = 64  # of the small network of a row
    rate: float = 1e-3  # of learning, at the beginning
    last_rate: float = 1e-4
    schedule: int = 300  # steps after which the last rate and the last entropy bonus are reached
    discount: float = 1.0  # of rewards to come
    smoothing: float = 0.95  # lambda of the generalised advantage
    epochs: int = 2  # passes over the decisions of a step
    parts: int = 8  # updates of a pass
    clip: float = 0.2  # how far the probability of an action may move in a step
    entropy: float = 0.01  # bonus for staying undecided
    last_entropy: float = 0.001
    value_weight: float = 0.5
    norm: float = 0.5  # longest gradient
    past_every: int = 20  # steps after which the network joins its earlier selves
    most_past: int = 12
    threads: int = 1  # of torch
    brief: int = field(default=0, metadata={"unsaid": 0})  # 1: bfloat16, faster where processors have it
    start: str = field(default="", metadata={"unsaid": ""})  # file of a network to begin with, as far as it fits
    device: str = field(default="cpu", metadata={"unsaid": "cpu"})  # or "cuda": games and network on a GPU


class PPO:
    """A network that learns; `step` plays and improves it."""

    def __init__(self, network: Network, settings: Settings, seed: int) -> None:
        self.network, self.settings, self.seed = network, settings, seed
        self.device = torch.device(settings.device)
        self.module = module_of(network).to(self.device)
        self.optimiser = torch.optim.Adam(self.module.parameters(), lr=settings.rate, eps=1e-5)
        self.past: list[dict[str, Tensor]] = []
        self.players: dict[str, _Drawing] = {
            "self": _Drawing(self.module, settings.brief),
            "past": _Drawing(copy.deepcopy(self.module).requires_grad_(False), settings.brief),
        }

    # --- one step ------------------------------------------------------------------------

    def step(self, index: int, games: Games) -> dict[str, float]:
        """Plays, learns, and tells figures of it."""
        cfg = self.settings
        torch.set_num_threads(cfg.threads)
        self.random = random_of(self.seed, index, self.device.type)
        gone = min(1.0, index / max(1, cfg.schedule - 1))
        for group in self.optimiser.param_groups:
            group["lr"] = cfg.rate + (cfg.last_rate - cfg.rate) * gone
        self._invite()
        games.begin_step(self.seed * 1_000_003 + index)
        copying = index < cfg.teacher_steps
        kept = self._play(games, copying)
        self._look_back(kept)
        if copying:
            figures = self._copy(kept)
        else:
            figures = self._improve(kept, cfg.entropy + (cfg.last_entropy - cfg.entropy) * gone)
        if (index + 1) % cfg.past_every == 0:
            self.past.append({name: tensor.detach().clone() for name, tensor in self.module.state_dict().items()})
            if len(self.past) > cfg.most_past:  # the first ones thin out, the latest stay
                self.past.pop(len(self.past) // 2)
        return {**games.figures(), **figures}

    def _invite(self) -> None:
        """One of the earlier selves sits down, or the network itself while there is none."""
        states = self.past or [self.module.state_dict()]
        chosen = int(torch.randint(len(states), (), generator=self.random, device=self.device))
        self.players["past"].module.load_state_dict(states[chosen])
        for player in self.players.values():
            player.random = self.random

    # --- playing -------------------------------------------------------------------------

    def _play(self, games: Games, copying: bool) -> dict[str, Tensor]:
        """`length` decisions of every game, with what learning needs of each: tensors [length, games, …]."""
        cfg, rows = self.settings, list[dict[str, Tensor]]()
        with torch.no_grad():
            for _ in range(cfg.length):
                features, mask = self._copied(games.features), self._copied(games.mask).bool()
                logits, values = self._think(features, mask)
                action = _draw(logits, self.random)
                if cfg.brief:
                    features = features.bfloat16()  # as which they are multiplied
                row = {"features": features, "mask": mask, "values": values}
                if copying:
                    shares = self._copied(games.advice()) ** cfg.teacher_power
                    row["advice"] = functional.normalize(shares, p=1, dim=1)
                    half = games.size // 2
                    action = torch.cat([_draw(row["advice"][:half].log(), self.random), action[half:]])
                outcome = games.step(action.numpy() if self.device.type == "cpu" else action)
                row["action"] = action
                row["chance"] = logits.log_softmax(1).gather(1, action[:, None])[:, 0]
                row["earned"] = torch.cat([self._copied(outcome.reward)[:, None], self._copied(outcome.results)], 1)
                row["ended"] = self._copied(outcome.ended)
                rows.append(row)
            kept = {name: torch.stack([row[name] for row in rows]) for name in rows[0]}
            kept["next"] = self._think(self._copied(games.features), self._copied(games.mask).bool())[1]
        return kept

    def _copied(self, numbers: Any) -> Tensor:
        """A tensor of its own of what the games will write over."""
        return torch.as_tensor(numbers).to(self.device, copy=True)

    def _look_back(self, kept: dict[str, Tensor]) -> None:
        """Advantages and returns, from the last decision to the first; results are not discounted (AZ-106, AZ-107).

        delta[t] = earned[t] + discount · V[t+1] - V[t], and nothing follows the end of a game.
        """
        cfg = self.settings
        discount = torch.ones(kept["values"].shape[-1], device=self.device)
        discount[0] = cfg.discount
        following, ahead, found = kept["next"], torch.zeros_like(kept["next"]), []
        for t in reversed(range(cfg.length)):
            goes_on = discount * (~kept["ended"][t]).float()[:, None]
            delta = kept["earned"][t] + goes_on * following - kept["values"][t]
            ahead = delta + cfg.smoothing * goes_on * ahead
            following = kept["values"][t]
            found.append(ahead)
        advantages = torch.stack(found[::-1])
        kept["goal"] = advantages + kept["values"]
        kept["advantage"] = advantages[..., 0]

    def _think(self, features: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Logits with illegal actions ruled out, and [critic, result of the own seat, of the next one, …]."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.settings.brief == 1):
            logits, results, others = self.module(features)
        return logits.float().masked_fill(~mask, _NEVER), torch.cat([others[CRITIC], results], 1).float()

    # --- learning ------------------------------------------------------------------------

    def _improve(self, kept: dict[str, Tensor], entropy_bonus: float) -> dict[str, float]:
        """Passes over the decisions in random parts, each an update of the clipped objective (AZ-108 … AZ-110)."""
        cfg, totals = self.settings, dict.fromkeys(("policy_loss", "value_loss", "entropy", "moved"), 0.0)
        rows = {name: tensor.flatten(0, 1) for name, tensor in kept.items() if name != "next"}
        advantage = rows["advantage"]
        rows["advantage"] = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        for _ in range(cfg.epochs):
            for part in torch.randperm(len(advantage), generator=self.random, device=self.device).chunk(cfg.parts):
                some = {name: tensor[part] for name, tensor in rows.items()}
                logits, values = self._think(some["features"], some["mask"])
                chances = logits.log_softmax(1)
                change = (chances.gather(1, some["action"][:, None])[:, 0] - some["chance"]).exp()
                gain = some["advantage"]
                policy_loss = -torch.minimum(change * gain, change.clamp(1 - cfg.clip, 1 + cfg.clip) * gain).mean()
                value_loss = functional.mse_loss(values, some["goal"])
                entropy = -(chances.exp() * chances.clamp(min=-30)).sum(1).mean()
                self._update(policy_loss + cfg.value_weight * value_loss - entropy_bonus * entropy)
                moved = ((change - 1) - change.log()).mean()
                for name, value in zip(totals, (policy_loss, value_loss, entropy, moved), strict=True):
                    totals[name] += float(value.detach()) / (cfg.epochs * cfg.parts)
        return totals

    def _copy(self, kept: dict[str, Tensor]) -> dict[str, float]:
        """The same passes, towards what the teacher would do; the figures have the names of the others."""
        cfg, totals = self.settings, dict.fromkeys(("policy_loss", "value_loss", "entropy", "moved"), 0.0)
        rows = {name: tensor.flatten(0, 1) for name, tensor in kept.items() if name != "next"}
        for _ in range(cfg.epochs):
            for part in torch.randperm(len(rows["action"]), generator=self.random, device=self.device).chunk(cfg.parts):
                logits, values = self._think(rows["features"][part], rows["mask"][part])
                chances = logits.log_softmax(1)
                policy_loss = -(rows["advice"][part] * chances).sum(1).mean()
                value_loss = functional.mse_loss(values, rows["goal"][part])
                entropy = -(chances.exp() * chances.clamp(min=-30)).sum(1).mean()
                self._update(policy_loss + cfg.value_weight * value_loss)
                for name, value in zip(totals, (policy_loss, value_loss, entropy), strict=False):
                    totals[name] += float(value.detach()) / (cfg.epochs * cfg.parts)
        return totals

    def _update(self, loss: Tensor) -> None:
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.module.parameters(), self.settings.norm)
        self.optimiser.step()

    # --- keeping -------------------------------------------------------------------------

    def trained_network(self, **record: Any) -> Network:
        """The network as it is now."""
        return trained(self.network, self.module, **record)

    def save(self) -> dict[str, np.ndarray]:
        """Everything that later steps depend on."""
        arrays = save_state(self.module, self.optimiser)
        for k, state in enumerate(self.past):
            arrays |= {f"past/{k}/{name}": tensor.cpu().numpy() for name, tensor in state.items()}
        return arrays

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes on where `save` was called."""
        load_state(self.module, self.optimiser, arrays)
        count = len({name.split("/")[1] for name in arrays if name.startswith("past/")})
        self.past = [
            {name: self._copied(arrays[f"past/{k}/{name}"]) for name in self.module.state_dict()} for k in range(count)
        ]


class _Drawing:
    """A network that plays by drawing, in the seats of opponents."""

    def __init__(self, module: nn.Module, brief: int = 0) -> None:
        self.module, self.brief = module, brief == 1
        self.random = torch.Generator()

    def choose_many(self, views: np.ndarray, features: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return self.draw(torch.tensor(features), torch.tensor(masks)).numpy()

    def draw(self, features: Tensor, mask: Tensor) -> Tensor:
        """The same for tensors, wherever they are."""
        with torch.no_grad(), torch.autocast(features.device.type, torch.bfloat16, enabled=self.brief):
            logits = self.module(features)[0].float()
        return _draw(logits.masked_fill(mask == 0, _NEVER), self.random)


def _draw(logits: Tensor, random: torch.Generator) -> Tensor:
    """An action by its probability: shares are added up in the order of ids until they pass a number drawn."""
    passed = logits.softmax(1).cumsum(1)
    wanted = torch.rand(len(logits), 1, generator=random, device=logits.device) * passed[:, -1:]
    return (passed > wanted * (1 - 1e-6)).int().argmax(1)
