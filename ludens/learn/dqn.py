"""Q-learning, double or single, with a network, a replay memory and masks, in one file (AZ-94 … AZ-102).

One step of learning is, `horizon` times over:

 1. play one decision in each of `games` games: any legal action with chance epsilon, else the best by its values;
 2. remember them; the oldest are forgotten;
 3. make `updates` updates of the network, each on `batch` decisions drawn from the memory.

What a decision should have been worth is what was earned in the next `n_step` decisions of the seat, and then the
value of the action that the network prefers there, as a slower copy of the network, the target network, sees it;
with `target` single, the copy's own largest value. Nothing follows the end of a game, and illegal actions are
preferred nowhere.

The values of actions stand where other networks have logits: the largest is played. The expected result of every seat
is learned beside them, for players and searches to look at.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ludens.core.batch_kernels import DRAWN
from ludens.core.errors import BadInput
from ludens.learn.deep import (
    check_bounds,
    compressed,
    first_network,
    inflated,
    load_state,
    random_of,
    save_state,
    under,
)
from ludens.learn.learner import Setup
from ludens.learn.rewards import Rewards, describe_reward
from ludens.networks.layout import Layout
from ludens.networks.network import Network
from ludens.networks.torch_network import module_of, trained
from ludens.play.batch import SeatedGames
from ludens.play.opponents import Opponents

__all__ = ["DQN", "RENAMED", "Settings"]

CRITIC = "critic"  # a head that networks of this learner have kept

_TARGETS = ("double", "single")
_NEVER = -1e9  # the value of an illegal action


@dataclass(frozen=True)
class Settings:
    """What a training by DQN is described by; none of these is the thesis's value, which names none (AZ-112)."""

    reward: str = "result"  # or "lead", or one of the game's own; with constants as name:key=value,key=value
    reward_scale: float = 1.0  # what the reward is multiplied by: sums of a game should be around 1
    result_weight: float = 0.0  # of the result, added to another reward
    against: tuple[str, ...] = ()  # who holds the other seats: agents, "self", "target"; twice counts twice
    games: int = 128  # played at once
    horizon: int = 16  # decisions of each in a step
    replay_size: int = 65536  # decisions that are remembered
    warm_up: int = 8192  # decisions before the first update
    updates: int = 1  # after every decision of all games
    batch: int = 256  # decisions of an update
    architecture: str = "plain"  # of the network; or "rows", where the game names a table for it
    width: int = 256  # of the network's layers
    blocks: int = 1  # hidden layers after the first
    row_width: int = 64  # of the small network of a row
    learning_rate: float = 1e-3  # at the beginning
    last_learning_rate: float = 1e-4
    schedule: int = 300  # steps after which the last rate is reached; the last epsilon half-way
    discount: float = 0.99  # of rewards to come
    target: str = "double"  # or "single": the target network chooses the action that it values, as in the thesis
    n_step: int = 3  # decisions until the target network's value takes over
    epsilon: float = 1.0  # chance of any legal action, at the beginning
    last_epsilon: float = 0.05
    target_every: int = 200  # updates after which the target network is made anew
    value_coefficient: float = 0.5
    max_gradient_norm: float = 5.0
    threads: int = 1  # of torch


RENAMED = {
    "length": "horizon",
    "memory": "replay_size",
    "rate": "learning_rate",
    "last_rate": "last_learning_rate",
    "lookahead": "n_step",
    "copy_every": "target_every",
    "value_weight": "value_coefficient",
    "norm": "max_gradient_norm",
}
"""Settings under their former names."""

_BOUNDS = {
    **dict.fromkeys(("games", "horizon", "replay_size", "batch", "n_step", "target_every", "threads"), (1, 1 << 24)),
    **dict.fromkeys(("discount", "epsilon", "last_epsilon"), (0, 1)),
    **dict.fromkeys(("learning_rate", "last_learning_rate", "max_gradient_norm"), (1e-12, 1e6)),
    **dict.fromkeys(("warm_up", "updates", "schedule"), (0, 10**9)),
    "value_coefficient": (0, 1e6),
}
_MOST_DECISIONS = 1 << 24  # of a step, or remembered: more do not fit


class DQN:
    """A network that learns; see `learner.Learner`. It has one seat of every game, which moves on with every game."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.settings = setup, setup.settings
        cfg: Settings = setup.settings
        check_bounds(cfg, _BOUNDS)
        if cfg.target not in _TARGETS:
            raise BadInput(f"Setting target must be one of {', '.join(_TARGETS)}, not {cfg.target!r}.")
        if max(cfg.games * cfg.horizon, cfg.replay_size) > _MOST_DECISIONS:
            raise BadInput(f"games times horizon, and a memory, may be {_MOST_DECISIONS:,} decisions and no more.")
        if cfg.warm_up + cfg.games > cfg.replay_size:
            raise BadInput(f"A memory of {cfg.replay_size} decisions has no room for a warm_up of {cfg.warm_up}.")
        self.network = first_network(setup, {CRITIC: 1})
        self.module = module_of(self.network)
        self.target = copy.deepcopy(self.module).requires_grad_(False)
        self.optimiser = torch.optim.Adam(self.module.parameters(), lr=cfg.learning_rate, eps=1e-5)
        self.updates = 0
        self.replay = _Replay(self.network.layout, cfg)
        self.players = {"self": _Exploring(self.module), "target": _Exploring(self.target)}
        pool = [self.players.get(code, code) for code in cfg.against or setup.opponents]
        teams = len(set(setup.game.spec.sides(int(setup.options[0])))) < int(setup.options[0])
        opponents = Opponents(setup.game, setup.options, cfg.games, pool=pool)
        partner = opponents.number(self.players["self"]) if teams else DRAWN
        self.games = SeatedGames(setup.game, setup.options, cfg.games, opponents, partner=partner)
        self.rewards = Rewards(self.games, cfg.reward, cfg.reward_scale, cfg.result_weight)

    # --- one step ------------------------------------------------------------------------

    def start(self) -> None:
        self.random = random_of(self.setup.seed, 0)
        for player in self.players.values():
            player.random = self.random
        self.games.start(self.setup.seed)
        self.rewards.begin()

    def step(self, index: int) -> dict[str, float]:
        """Plays and learns, and tells figures of it."""
        cfg = self.settings
        torch.set_num_threads(cfg.threads)
        self.random = random_of(self.setup.seed, index)
        gone = min(1.0, index / max(1, cfg.schedule - 1))
        epsilon = max(cfg.last_epsilon, cfg.epsilon + (cfg.last_epsilon - cfg.epsilon) * 2 * gone)
        for group in self.optimiser.param_groups:
            group["lr"] = cfg.learning_rate + (cfg.last_learning_rate - cfg.learning_rate) * gone
        for player in self.players.values():
            player.random, player.epsilon = self.random, epsilon
        self.games.begin_step(self.setup.seed * 1_000_003 + index)
        totals, made = dict.fromkeys(("q_loss", "value_loss", "q"), 0.0), 0
        self.replay.see(self.games.out.features, self.games.out.mask)
        for _ in range(cfg.horizon):
            self._play()
            if self.replay.count * cfg.games < cfg.warm_up or self.replay.count < cfg.n_step:
                continue
            for _ in range(cfg.updates):
                made += 1
                for name, value in self._improve().items():
                    totals[name] += value
        means = {name: value / max(1, made) for name, value in totals.items()}
        return {**self.rewards.figures(), **means, "epsilon": epsilon}

    def _play(self) -> None:
        """One decision of every game, with all that follows up to the next, into the replay memory."""
        games, out = self.games, self.games.out
        seats = torch.from_numpy(games.batch.seats.copy())
        held = torch.nn.functional.one_hot(seats, games.players).bool()
        action = self.players["self"].choose_many(out.features, out.features, out.mask)
        self.rewards.before(torch.from_numpy(action))
        games.step(action)
        self.rewards.after()
        names = ("reward", "terminated", "truncated", "final_scores")
        live = {name: torch.from_numpy(getattr(out, name)) for name in names}
        earned = self.rewards.of_step(live, seats, held, others=False)[..., 0].gather(1, seats[:, None])[:, 0]
        turn = (seats[:, None] + torch.arange(games.players)) % games.players
        self.replay.remember(action, earned.numpy(), out.done == 1, live["reward"].gather(1, turn).numpy())
        self.replay.see(out.features, out.mask)

    # --- learning ------------------------------------------------------------------------

    def _improve(self) -> dict[str, float]:
        """One update: towards y = earned + discount ^ n · Q⁻(s', argmax Q(s', ·)) (AZ-96, AZ-98 … AZ-101).

        Single: towards earned + discount ^ n · max Q⁻(s', ·).
        """
        cfg = self.settings
        some = self.replay.sample(cfg.batch, self.random)
        with torch.no_grad():
            target_values, target_results, _ = self.target(some["next"])
            values = self.module(some["next"])[0] if cfg.target == "double" else target_values
            best = values.masked_fill(~some["next_mask"], _NEVER).argmax(1, keepdim=True)
            goal = some["earned"] + some["follows"] * target_values.gather(1, best)[:, 0]
            result_goal = torch.where(some["follows"][:, None] > 0, target_results, some["results"])
        values, results, _ = self.module(some["features"])
        chosen = values.gather(1, some["action"][:, None])[:, 0]
        q_loss = functional.mse_loss(chosen, goal)
        value_loss = functional.mse_loss(results, result_goal)
        self.optimiser.zero_grad(set_to_none=True)
        (q_loss + cfg.value_coefficient * value_loss).backward()
        nn.utils.clip_grad_norm_(self.module.parameters(), cfg.max_gradient_norm)
        self.optimiser.step()
        self.updates += 1
        if self.updates % cfg.target_every == 0:
            self.target.load_state_dict(self.module.state_dict())  # AZ-99
        return {"q_loss": float(q_loss.detach()), "value_loss": float(value_loss.detach()), "q": float(goal.mean())}

    # --- keeping -------------------------------------------------------------------------

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        arrays = save_state(self.module, self.optimiser) | self.replay.save()
        arrays |= {f"target/{name}": tensor.numpy().copy() for name, tensor in self.target.state_dict().items()}
        arrays |= {f"games/{name}": array for name, array in self.games.save().items()}
        arrays |= {f"rewards/{name}": array for name, array in self.rewards.save().items()}
        return arrays | {"updates": np.array(self.updates)}, {}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        if any(name.startswith("learner/") for name in arrays):  # a former checkpoint: its weights, and new games
            self.start()
            load_state(self.module, self.optimiser, under("learner/", arrays))
            self.target.load_state_dict(self.module.state_dict())
            return
        load_state(self.module, self.optimiser, arrays)
        self.target.load_state_dict({name: torch.tensor(arrays[f"target/{name}"]) for name in self.target.state_dict()})
        self.replay.load(arrays)
        self.games.load(under("games/", arrays))
        self.rewards.load(under("rewards/", arrays))
        self.updates = int(arrays["updates"])

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        told = {**asdict(self.settings), "reward": describe_reward(self.setup.game, self.settings.reward)}
        network: Network = trained(self.network, self.module, **{**training, "settings": told})
        return f"net:{network.save(path.with_suffix('.safetensors'))}"


class _Replay:
    """The last decisions of every game, row after row round and round; what follows a decision stands in later rows."""

    def __init__(self, layout: Layout, settings: Settings) -> None:
        games = settings.games
        self.settings, self.actions = settings, layout.actions
        self.rows = rows = max(settings.n_step + 2, settings.replay_size // games)
        self.features = np.zeros((rows, games, layout.inputs), np.float16)
        self.mask = np.zeros((rows, games, (layout.actions + 7) // 8), np.uint8)  # a bit an action
        self.action = np.zeros((rows, games), np.int64)
        self.reward = np.zeros((rows, games), np.float32)
        self.ended = np.zeros((rows, games), np.int8)
        self.results = np.zeros((rows, games, layout.seats), np.float32)
        self.head = 0  # the row of the present decisions
        self.count = 0  # rows before it that are remembered

    def see(self, features: np.ndarray, mask: np.ndarray) -> None:
        """Writes the present decisions down."""
        self.features[self.head] = features
        self.mask[self.head] = np.packbits(mask, axis=1)

    def remember(self, action: np.ndarray, reward: np.ndarray, ended: np.ndarray, results: np.ndarray) -> None:
        """Writes down what was done in them and what came of it."""
        at = self.head
        self.action[at], self.reward[at], self.ended[at], self.results[at] = action, reward, ended, results
        self.head, self.count = (at + 1) % self.rows, min(self.count + 1, self.rows - 1)

    def sample(self, size: int, random: torch.Generator) -> dict[str, Tensor]:
        """Decisions drawn uniformly, with what was earned up to the decision `n_step` later, or to the end."""
        cfg = self.settings
        back = torch.randint(cfg.n_step, self.count + 1, (size,), generator=random).numpy()
        row = first = (self.head - back) % self.rows
        game = torch.randint(self.features.shape[1], (size,), generator=random).numpy()
        earned, follows = np.zeros(size, np.float32), np.ones(size, np.float32)
        results = np.zeros((size, self.results.shape[2]), np.float32)
        for _ in range(cfg.n_step):
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
        arrays = {f"replay/{name}": compressed(getattr(self, name)) for name in _REMEMBERED}
        return arrays | {"replay/place": np.array([self.head, self.count])}

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        for name in _REMEMBERED:
            inflated(arrays[f"replay/{name}"], getattr(self, name))
        self.head, self.count = (int(number) for number in arrays["replay/place"])


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
