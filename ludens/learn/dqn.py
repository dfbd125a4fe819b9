"""Q-learning, double or single, with a network, a memory and masks, in one file (AZ-94 … AZ-102).

One step of learning is, `length` times over:

 1. play one decision in each of `games` games: any legal action with chance epsilon, else the best by its values;
 2. remember them; the oldest are forgotten;
 3. make `updates` updates of the network, each on `batch` decisions drawn from the memory.

What a decision should have been worth is what was earned in the next `lookahead` decisions of the seat, and then the
value of the action that the network prefers there, as a slower copy of the network sees it; with `target` single, the
copy's own largest value. Nothing follows the end of a game, and illegal actions are preferred nowhere.

The values of actions stand where other networks have logits: the largest is played. The expected result of every seat
is learned beside them, for players and searches to look at.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ludens.core.errors import BadInput
from ludens.learn.games import Games
from ludens.learn.torch_state import compressed, inflated, load_state, random_of, save_state
from ludens.networks.network import Network
from ludens.networks.torch_network import module_of, trained

__all__ = ["DQN", "Settings"]

_TARGETS = ("double", "single")
_NEVER = -1e9  # the value of an illegal action


@dataclass(frozen=True)
class Settings:
    """What a training by DQN is described by; none of these is the thesis's value, which names none (AZ-112)."""

    reward: str = "result"  # or "lead", or one of the game's own; with constants as name:key=value,key=value
    reward_scale: float = 1.0  # what the reward is multiplied by: sums of a game should be around 1
    result_weight: float = 0.0  # of the result, added to another reward
    against: tuple[str, ...] = ()  # who holds the other seats: agents, "self", "past"; twice counts twice
    games: int = 128  # played at once
    length: int = 16  # decisions of each in a step
    memory: int = 65536  # decisions that are remembered
    warm_up: int = 8192  # decisions before the first update
    updates: int = 1  # after every decision of all games
    batch: int = 256  # decisions of an update
    architecture: str = "plain"  # of the network; or "rows", where the game names a table for it
    width: int = 256  # of the network's layers
    blocks: int = 1  # hidden layers after the first
    row_width: int = 64  # of the small network of a row
    rate: float = 1e-3  # of learning, at the beginning
    last_rate: float = 1e-4
    schedule: int = 300  # steps after which the last rate is reached; the last epsilon half-way
    discount: float = 0.99  # of rewards to come
    target: str = "double"  # or "single": the slower copy chooses the action that it values, as in the thesis
    lookahead: int = 3  # decisions until the copy's value takes over
    epsilon: float = 1.0  # chance of any legal action, at the beginning
    last_epsilon: float = 0.05
    copy_every: int = 200  # updates after which the slower copy is made anew
    value_weight: float = 0.5
    norm: float = 5.0  # longest gradient
    threads: int = 1  # of torch


class DQN:
    """A network that learns; `step` plays, remembers and improves it."""

    def __init__(self, network: Network, settings: Settings, seed: int) -> None:
        if settings.warm_up + settings.games > settings.memory:
            raise BadInput(f"A memory of {settings.memory} decisions has no room for a warm_up of {settings.warm_up}.")
        if settings.target not in _TARGETS:
            raise BadInput(f"Setting target must be one of {', '.join(_TARGETS)}, not {settings.target!r}.")
        self.network, self.settings, self.seed = network, settings, seed
        self.module = module_of(network)
        self.slow = copy.deepcopy(self.module).requires_grad_(False)
        self.optimiser = torch.optim.Adam(self.module.parameters(), lr=settings.rate, eps=1e-5)
        self.updates = 0
        self.memory = _Memory(network, settings)
        self.players: dict[str, _Exploring] = {"self": _Exploring(self.module), "past": _Exploring(self.slow)}

    # --- one step ------------------------------------------------------------------------

    def step(self, index: int, games: Games) -> dict[str, float]:
        """Plays and learns, and tells figures of it."""
        cfg = self.settings
        torch.set_num_threads(cfg.threads)
        self.random = random_of(self.seed, index)
        gone = min(1.0, index / max(1, cfg.schedule - 1))
        epsilon = max(cfg.last_epsilon, cfg.epsilon + (cfg.last_epsilon - cfg.epsilon) * 2 * gone)
        for group in self.optimiser.param_groups:
            group["lr"] = cfg.rate + (cfg.last_rate - cfg.rate) * gone
        for player in self.players.values():
            player.random, player.epsilon = self.random, epsilon
        games.begin_step(self.seed * 1_000_003 + index)
        totals, made = dict.fromkeys(("q_loss", "value_loss", "q"), 0.0), 0
        self.memory.see(games)
        for _ in range(cfg.length):
            action = self.players["self"].choose_many(games.features, games.features, games.mask)
            outcome = games.step(action)
            self.memory.remember(action, outcome.reward, outcome.ended, outcome.results)
            self.memory.see(games)
            if self.memory.count * cfg.games < cfg.warm_up or self.memory.count < cfg.lookahead:
                continue
            for _ in range(cfg.updates):
                made += 1
                for name, value in self._improve().items():
                    totals[name] += value
        return {**games.figures(), **{name: value / max(1, made) for name, value in totals.items()}, "epsilon": epsilon}

    # --- learning ------------------------------------------------------------------------

    def _improve(self) -> dict[str, float]:
        """One update: towards y = earned + discount ^ n · Q⁻(s', argmax Q(s', ·)) (AZ-96, AZ-98 … AZ-101).

        Single: towards earned + discount ^ n · max Q⁻(s', ·).
        """
        cfg = self.settings
        some = self.memory.sample(cfg.batch, self.random)
        with torch.no_grad():
            slow_values, slow_results, _ = self.slow(some["next"])
            values = self.module(some["next"])[0] if cfg.target == "double" else slow_values
            best = values.masked_fill(~some["next_mask"], _NEVER).argmax(1, keepdim=True)
            goal = some["earned"] + some["follows"] * slow_values.gather(1, best)[:, 0]
            result_goal = torch.where(some["follows"][:, None] > 0, slow_results, some["results"])
        values, results, _ = self.module(some["features"])
        chosen = values.gather(1, some["action"][:, None])[:, 0]
        q_loss = functional.mse_loss(chosen, goal)
        value_loss = functional.mse_loss(results, result_goal)
        self.optimiser.zero_grad(set_to_none=True)
        (q_loss + cfg.value_weight * value_loss).backward()
        nn.utils.clip_grad_norm_(self.module.parameters(), cfg.norm)
        self.optimiser.step()
        self.updates += 1
        if self.updates % cfg.copy_every == 0:
            self.slow.load_state_dict(self.module.state_dict())  # AZ-99
        return {"q_loss": float(q_loss.detach()), "value_loss": float(value_loss.detach()), "q": float(goal.mean())}

    # --- keeping -------------------------------------------------------------------------

    def trained_network(self, **record: Any) -> Network:
        """The network as it is now."""
        return trained(self.network, self.module, **record)

    def save(self) -> dict[str, np.ndarray]:
        """Everything that later steps depend on."""
        arrays = save_state(self.module, self.optimiser) | self.memory.save()
        arrays |= {f"slow/{name}": tensor.numpy().copy() for name, tensor in self.slow.state_dict().items()}
        return arrays | {"updates": np.array(self.updates)}

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes on where `save` was called."""
        load_state(self.module, self.optimiser, arrays)
        self.slow.load_state_dict({name: torch.tensor(arrays[f"slow/{name}"]) for name in self.slow.state_dict()})
        self.memory.load(arrays)
        self.updates = int(arrays["updates"])


class _Memory:
    """The last decisions of every game, row after row round and round; what follows a decision stands in later rows."""

    def __init__(self, network: Network, settings: Settings) -> None:
        layout, games = network.layout, settings.games
        self.settings, self.actions = settings, layout.actions
        self.rows = rows = max(settings.lookahead + 2, settings.memory // games)
        self.features = np.zeros((rows, games, layout.inputs), np.float16)
        self.mask = np.zeros((rows, games, (layout.actions + 7) // 8), np.uint8)  # a bit an action
        self.action = np.zeros((rows, games), np.int64)
        self.reward = np.zeros((rows, games), np.float32)
        self.ended = np.zeros((rows, games), np.int8)
        self.results = np.zeros((rows, games, layout.seats), np.float32)
        self.head = 0  # the row of the present decisions
        self.count = 0  # rows before it that are remembered

    def see(self, games: Games) -> None:
        """Writes the present decisions down."""
        self.features[self.head] = games.features
        self.mask[self.head] = np.packbits(games.mask, axis=1)

    def remember(self, action: np.ndarray, reward: np.ndarray, ended: np.ndarray, results: np.ndarray) -> None:
        """Writes down what was done in them and what came of it."""
        at = self.head
        self.action[at], self.reward[at], self.ended[at], self.results[at] = action, reward, ended, results
        self.head, self.count = (at + 1) % self.rows, min(self.count + 1, self.rows - 1)

    def sample(self, size: int, random: torch.Generator) -> dict[str, Tensor]:
        """Decisions drawn uniformly, with what was earned up to the decision `lookahead` later, or to the end."""
        cfg = self.settings
        back = torch.randint(cfg.lookahead, self.count + 1, (size,), generator=random).numpy()
        row = first = (self.head - back) % self.rows
        game = torch.randint(self.features.shape[1], (size,), generator=random).numpy()
        earned, follows = np.zeros(size, np.float32), np.ones(size, np.float32)
        results = np.zeros((size, self.results.shape[2]), np.float32)
        for _ in range(cfg.lookahead):
            earned += follows * self.reward[row, game]
            alive = (follows > 0)[:, None]
            results += alive * self.results[row, game]
            follows *= cfg.discount * (1 - self.ended[row, game])
            row = (row + 1) % self.rows
        return {
            "features": torch.tensor(self.features[first, game].astype(np.float32)),
            "action": torch.tensor(self.action[first, game]),
            "earned": torch.tensor(earned),
            "follows": torch.tensor(follows),
            "results": torch.tensor(results),
            "next": torch.tensor(self.features[row, game].astype(np.float32)),
            "next_mask": torch.tensor(np.unpackbits(self.mask[row, game], axis=1, count=self.actions).astype(bool)),
        }

    def save(self) -> dict[str, np.ndarray]:
        arrays = {f"memory/{name}": compressed(getattr(self, name)) for name in _REMEMBERED}
        return arrays | {"memory/place": np.array([self.head, self.count])}

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        for name in _REMEMBERED:
            inflated(arrays[f"memory/{name}"], getattr(self, name))
        self.head, self.count = (int(number) for number in arrays["memory/place"])


_REMEMBERED = ("features", "mask", "action", "reward", "ended", "results")


class _Exploring:
    """The action of largest value, or now and then any other that is legal (AZ-100)."""

    def __init__(self, module: nn.Module) -> None:
        self.module, self.random, self.epsilon = module, torch.Generator(), 0.0

    def choose_many(self, views: np.ndarray, features: np.ndarray, masks: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            legal = torch.tensor(masks) == 1
            action = self.module(torch.tensor(features))[0].masked_fill(~legal, _NEVER).argmax(1)
            explores = torch.rand(len(legal), generator=self.random) < self.epsilon
            others = legal[explores]
            drawn = torch.rand(others.shape, generator=self.random).masked_fill(~others, -1.0)
            action[explores] = drawn.argmax(1)
            return action.numpy()
