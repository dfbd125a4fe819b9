"""TD(λ) of a value network: it learns who wins, from games that it plays itself by one-ply values.

A game describes every seat by some numbers (`verbs.describe`); two layers, the same for all seats, make one number of
them, and a softmax over the seats everybody's chance to win. The network is one of the game's evaluations: its weights
are matrix by matrix, each followed by its biases, and searches use them as they use tuned ones.

Games are played by `verbs.one_ply_values`: the actor takes the largest. In some games a few moves in a row are
random, because a search also asks about positions that good players avoid. Of every game some positions are kept.
What the network should have said there is, from the last one to the first,

    goal[t] = (1 - λ) chances[t + 1] + λ goal[t + 1]

with everybody's share of the victory behind the last; a random move between two of them cuts this chain, and the
position before it teaches nothing, because its players did not choose what came.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from ludens.core import verbs
from ludens.core.errors import BadInput
from ludens.core.jit import kernel, rule
from ludens.core.record import blank
from ludens.core.rng import CHANCE_STREAM, POLICY, below, generators, next_event
from ludens.core.spec import Game
from ludens.core.verbs import AGENT_STATE, CHANCE, TERMINAL

__all__ = [
    "Played",
    "TdValueSettings",
    "ValueNetwork",
    "fit",
    "follow",
    "goals",
    "loss_of",
    "play",
    "size_of",
]

_LONGEST_BURST = 6  # random moves in a row


@dataclass(frozen=True)
class TdValueSettings:
    """Hyper-parameters of the training."""

    games: int = 2000  # of a round
    tasks: int = 8  # parts of a round that processes play side by side
    kept: int = 24  # positions of a game
    bold: float = 0.4  # part of the games with some random moves
    trace: float = 0.7  # λ from one kept position to the next
    rounds: int = 4  # whose positions are remembered and learnt from again
    passes: int = 1  # over what is remembered, after every round
    rate: float = 2e-3  # of learning, at the beginning
    last_rate: float = 1e-4
    batch: int = 4096  # positions of an update
    averaging: float = 0.0  # part of the average of the weights that an update leaves; it plays, if not 0
    taught: int = 2  # rounds at the beginning that the game's own best evaluation plays, and results alone teach
    start: str = ""  # an evaluation by name, or a file of weights, to begin with; its rounds are not taught
    rival: str = ""  # an evaluation by name, or a file, that holds all seats but one and does not learn
    tables: tuple[str, ...] = ()  # options by which games differ, such as "players=3,board=variable"; in turn

    def __post_init__(self) -> None:
        for name, low, high in (
            ("games", 1, 10**7), ("tasks", 1, 10**4), ("kept", 2, 1000), ("rounds", 1, 1000), ("passes", 1, 100),
            ("batch", 1, 10**7), ("taught", 0, 10**6),
        ):  # fmt: skip
            if not low <= getattr(self, name) <= high:
                raise BadInput(f"{name} must be from {low} to {high}, not {getattr(self, name)}.")
        for name in ("bold", "trace"):
            if not 0 <= getattr(self, name) <= 1:
                raise BadInput(f"{name} must be from 0 to 1, not {getattr(self, name)}.")
        if not 0 <= self.averaging < 1:
            raise BadInput(f"averaging must be from 0 to less than 1, not {self.averaging}.")
        if not 0 < self.last_rate <= self.rate < 1:
            raise BadInput("rate and last_rate must lie between 0 and 1, and last_rate not above rate.")


def size_of(described: int, layers: tuple[int, int]) -> int:
    """How many weights value seats that are described by so many numbers, in layers of these widths."""
    first, second = layers
    return (described + 1) * first + (first + 1) * second + second + 1


# --- playing ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """Some games for equally many players."""

    features: np.ndarray  # float16[games, kept, players, described], in the order of play
    whole: np.ndarray  # int8[games, kept]: 1 if no random move came between this position and the next one kept
    shares: np.ndarray  # float32[games, players]: of the victory
    decisions: int
    won: float = 0.0  # mean share of the victory that the learner had where it held one seat


@rule
def _keep(s: Any, met: int, bursts: int, policy: Any, features: Any, places: Any, features_of: Any) -> None:
    """The met-th position of a game (from 0), if it is drawn: all of a game are as likely to be among the kept ones."""
    kept = features.shape[0]
    place = met if met < kept else below(policy, met + 1)
    if place < kept:
        verbs.describe(s, features_of)
        for p in range(s.players):
            for k in range(features.shape[2]):
                features[place, p, k] = features_of[p, k]
        places[place, 0] = met
        places[place, 1] = bursts


@kernel
def _play(
    seeds: Any, policies: Any, options: Any, bold: float, weights: Any, rival: Any, states: Any, legal: Any,
    agent_state: Any, values: Any, one_ply: Any, features_of: Any, features: Any, places: Any, met_in: Any, shares: Any,
) -> int:  # fmt: skip
    """Plays a game with every pair of generators; places[g, k] = when position k was met, and random moves before.

    Where there is a rival, game g has the learner on seat g (modulo the players) and the rival on all others.
    """
    decisions = 0
    for g in range(seeds.shape[0]):
        s, chance, policy = states[0], seeds[g], policies[g]
        states[0] = states[3]
        verbs.reset(s, options)
        agent_state[:] = 0
        met, made, bursts, length = 0, 0, 0, 0
        first = 0
        if below(policy, 1000) < 1000 * bold:
            length = 1 + below(policy, _LONGEST_BURST)
            first = below(policy, 8 + 4 * (g % 32))
        while True:
            who = int(verbs.actor(s))
            if who == TERMINAL:
                break
            n = int(verbs.legal(s, legal)) if who != CHANCE else 0
            if made > 0 and (n > 1 or below(policy, 4) == 0):
                _keep(s, met, bursts, policy, features[g], places[g], features_of)
                met += 1
            if who == CHANCE:
                verbs.apply(s, int(verbs.draw(s, chance)))
                next_event(chance)
                continue
            a = int(legal[0])
            if n > 1:
                if first <= made < first + length:
                    a = int(legal[below(policy, n)])
                    bursts += 1
                else:
                    playing = weights
                    if rival.shape[0] > 0 and who != g % int(s.players):
                        playing = rival
                    verbs.one_ply_values(s, legal, n, playing, agent_state[who], states[1:3], values, one_ply)
                    best = one_ply[0]
                    for k in range(1, n):
                        if one_ply[k] > best:
                            best = one_ply[k]
                            a = int(legal[k])
                made += 1
            verbs.apply(s, a)
        decisions += made
        met_in[g] = met
        verbs.returns(s, values)
        players = int(s.players)
        for p in range(players):
            shares[g, p] = (values[p] * (players - 1) + 1.0) / players
    return decisions


def play(
    game: Game,
    options: np.ndarray,
    weights: np.ndarray,
    games: int,
    seed: int,
    settings: TdValueSettings,
    rival: np.ndarray | None = None,
) -> Played:
    """Games that the evaluation of these weights plays against itself, or against a rival that holds all seats but one.

    Those with too few positions are left out.
    """
    players, described, kept = int(options[0]), game.rules.described, settings.kept
    features = np.zeros((games, kept, players, described), np.float32)
    places, met = np.zeros((games, kept, 2), np.int64), np.zeros(games, np.int64)
    shares = np.zeros((games, players), np.float32)
    decisions = _play(
        generators(seed, games, CHANCE_STREAM), generators(seed, games, POLICY), options, settings.bold, weights,
        np.zeros(0) if rival is None else rival, blank(game.dtype, 4), np.zeros(game.spec.actions, np.int64),
        np.zeros((players, AGENT_STATE), np.int64), np.zeros(players), np.zeros(game.spec.actions),
        np.zeros((players, described)), features, places, met, shares,
    )  # fmt: skip
    full = met >= kept
    order = places[full, :, 0].argsort(axis=1)
    bursts = np.take_along_axis(places[full, :, 1], order, axis=1)
    whole = np.ones_like(bursts, np.int8)
    whole[:, :-1] = bursts[:, 1:] == bursts[:, :-1]
    found = np.take_along_axis(features[full], order[:, :, None, None], axis=1)
    won = float(shares[np.arange(games), np.arange(games) % players].mean())
    return Played(found.astype(np.float16), whole, shares[full], int(decisions), won)


# --- learning -----------------------------------------------------------------------------


class ValueNetwork(nn.Module):
    """What evaluations make of descriptions: features [..., players, described] -> logits [..., players]."""

    def __init__(self, described: int, layers: tuple[int, int]) -> None:
        super().__init__()
        first, second = layers
        self.layers = nn.Sequential(
            nn.Linear(described, first), nn.ReLU(),
            nn.Linear(first, second), nn.ReLU(),
            nn.Linear(second, 1),
        )  # fmt: skip

    def forward(self, features: Tensor) -> Tensor:
        logits: Tensor = self.layers(features).squeeze(-1)
        return logits

    def packed(self) -> np.ndarray:
        """The weights as evaluations read them."""
        parts = [part for layer in self._linear() for part in (layer.weight.detach().t().reshape(-1), layer.bias)]
        return torch.cat([part.detach() for part in parts]).double().numpy()

    def unpack(self, weights: np.ndarray) -> None:
        """The inverse of `packed`."""
        left = torch.tensor(weights, dtype=torch.float32)
        for layer in self._linear():
            for part, shape in ((layer.weight, layer.weight.t().shape), (layer.bias, layer.bias.shape)):
                taken, left = left[: part.numel()].reshape(shape), left[part.numel() :]
                part.data.copy_(taken.t() if taken.dim() == 2 else taken)

    def _linear(self) -> list[nn.Linear]:
        return [layer for layer in self.layers if isinstance(layer, nn.Linear)]


def goals(module: ValueNetwork, played: Played, trace: float) -> tuple[Tensor, Tensor]:
    """What the network should say: float32[games, kept, players], and which positions teach, bool[games, kept]."""
    whole, shares = torch.from_numpy(played.whole).bool(), torch.from_numpy(played.shares)
    with torch.no_grad():
        chances = torch.cat([module(part.float()).softmax(-1) for part in torch.from_numpy(played.features).split(512)])
    wanted = torch.empty_like(chances)
    goal = shares
    for t in reversed(range(chances.shape[1])):
        wanted[:, t] = torch.where(whole[:, t, None], goal, chances[:, t])
        goal = (1 - trace) * chances[:, t] + trace * wanted[:, t]
    return wanted, whole


def follow(average: ValueNetwork, module: ValueNetwork, averaging: float) -> None:
    """Moves the average to the network, all but so much of the way."""
    with torch.no_grad():
        for kept, raw in zip(average.parameters(), module.parameters(), strict=True):
            kept.lerp_(raw, 1 - averaging)


def loss_of(logits: Tensor, shares: Tensor) -> Tensor:
    """Log loss; a shared victory counts in parts."""
    return -(shares * logits.log_softmax(-1)).sum(-1).mean()


def fit(
    module: ValueNetwork,
    optimiser: torch.optim.Optimizer,
    remembered: list[Played],
    trace: float,
    passes: int,
    batch: int,
    random: torch.Generator,
    average: ValueNetwork | None = None,
    averaging: float = 0.0,
) -> float:
    """Teaches the network what it remembers, in parts of games for equally many players; returns the mean loss.

    Where there is an average of the network, it makes the goals, and every update leaves it so much of what it was.
    """
    lessons: list[tuple[Tensor, Tensor]] = []
    for players in sorted({played.shares.shape[1] for played in remembered}):
        alike = [played for played in remembered if played.shares.shape[1] == players]
        features, wanted = [], []
        for played in alike:
            goal, teaching = goals(module if average is None else average, played, trace)
            features.append(torch.from_numpy(played.features)[teaching])
            wanted.append(goal[teaching])
        lessons.append((torch.cat(features), torch.cat(wanted)))
    total, count = 0.0, 0
    for _ in range(passes):
        parts = []
        for k, (features, _wanted) in enumerate(lessons):
            order = torch.randperm(len(features), generator=random)
            parts += [(k, part) for part in order.split(batch)]
        for chosen in torch.randperm(len(parts), generator=random).tolist():
            k, part = parts[chosen]
            loss = loss_of(module(lessons[k][0][part].float()), lessons[k][1][part])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            if average is not None:
                follow(average, module, averaging)
            total, count = total + loss.item(), count + 1
    return total / max(1, count)
