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

In `ludens train` a step is a round of games and what they teach. What is remembered of earlier rounds is not kept but
played again from the weights of then, which gives the same games.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from ludens.agents.search_settings import evaluation_weights
from ludens.core import registry, verbs
from ludens.core.errors import BadInput
from ludens.core.files import write_text
from ludens.core.jit import kernel, rule
from ludens.core.record import blank
from ludens.core.rng import CHANCE_STREAM, POLICY, below, generator, generators, next_event
from ludens.core.spec import Game
from ludens.core.verbs import AGENT_STATE, CHANCE, TERMINAL
from ludens.learn.learner import Setup, kept_array

__all__ = [
    "Played",
    "TdValueLearner",
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


_FIT, _GAMES = 11, 12  # purposes of random streams


# --- the learner of `ludens train` ----------------------------------------------------------


class TdValueLearner:
    """Plays a round by what was learnt in the last one, then learns from it and from some rounds before.

    With a `rival` it learns nothing but to beat that: how often it does tells how exploitable the rival is.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._settings: TdValueSettings = setup.settings
        rules = setup.game.rules
        self._size = size_of(rules.described, rules.network_layers)
        self._module = ValueNetwork(rules.described, rules.network_layers)
        self._average = ValueNetwork(rules.described, rules.network_layers) if self._settings.averaging else None
        self._optimiser = torch.optim.AdamW(self._module.parameters(), self._settings.rate, weight_decay=1e-4)
        self._remembered: deque[tuple[int, np.ndarray, list[Played]]] = deque(maxlen=self._settings.rounds)
        self._tables = [_options(setup, table) for table in self._settings.tables] or [setup.options]
        self._rival = self._network(self._settings.rival) if self._settings.rival else None

    def start(self) -> None:
        torch.manual_seed(self._setup.seed)
        for layer in self._module.layers:
            if isinstance(layer, torch.nn.Linear):
                layer.reset_parameters()
        if self._settings.start:
            self._module.unpack(self._network(self._settings.start))
        if self._average is not None:
            self._average.unpack(self._module.packed())

    def _playing(self) -> np.ndarray:
        """The weights that play and are written: the average, where there is one."""
        return (self._module if self._average is None else self._average).packed()

    def _network(self, name: str) -> np.ndarray:
        """The weights of an evaluation by name or of a file."""
        game = self._setup.game
        weights = evaluation_weights(game, name)
        if len(weights) != self._size:
            raise BadInput(f"{name} is no value network of {game.spec.title}.")
        return weights

    def step(self, index: int) -> Mapping[str, float]:
        settings, taught = self._settings, self._taught(index)
        weights = evaluation_weights(self._setup.game, "") if taught else self._playing()
        played = self._play(index, weights)
        self._remembered.append((index, weights, played))
        random = torch.Generator().manual_seed(int(generator(self._setup.seed, _FIT, index)[0] >> np.uint64(1)))
        rate = self._rate(index)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        loss = fit(
            self._module, self._optimiser, [part for _, _, parts in self._remembered for part in parts],
            1.0 if taught else settings.trace, settings.passes, settings.batch, random,
            self._average, settings.averaging,
        )  # fmt: skip
        return {
            "loss": loss,
            "decisions_a_game": sum(part.decisions for part in played) / settings.games,
            "rate": rate,
            **({} if self._rival is None else {"won": float(np.mean([part.won for part in played]))}),
        }

    def _taught(self, index: int) -> bool:
        return index < self._settings.taught and not self._settings.start

    def _rate(self, index: int) -> float:
        """Falls from the first to the last, faster at first."""
        settings = self._settings
        part = index / max(1, self._setup.steps - 1)
        return settings.rate * (settings.last_rate / settings.rate) ** part

    def _play(self, index: int, weights: np.ndarray) -> list[Played]:
        """The games of a round, part by part; parts take the tables in turn."""
        settings, setup = self._settings, self._setup
        jobs = []
        for k in range(settings.tasks):
            games = settings.games * (k + 1) // settings.tasks - settings.games * k // settings.tasks
            seed = int(generator(setup.seed, _GAMES, index, k)[0] >> np.uint64(11))
            table = self._tables[(index * settings.tasks + k) % len(self._tables)]
            jobs.append((setup.game.spec.name, table, weights, games, seed, settings, self._rival))
        return setup.executor.map(_play_part, jobs)

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        arrays = {"weights": self._module.packed()}
        if self._average is not None:
            arrays["average"] = self._average.packed()
        for index, weights, _ in self._remembered:
            arrays[f"played/{index}"] = weights
        for k, memory in self._optimiser.state_dict()["state"].items():
            arrays |= {f"optimiser/{k}/{name}": tensor.double().numpy() for name, tensor in memory.items()}
        return arrays, {"remembered": [index for index, _, _ in self._remembered]}

    def load(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        self._module.unpack(kept_array(arrays, "weights", (self._size,)))
        if self._average is not None:
            self._average.unpack(kept_array(arrays, "average", (self._size,)))
        state = self._optimiser.state_dict()
        for k, parameter in enumerate(self._module.parameters()):
            shapes = {"step": (), "exp_avg": tuple(parameter.shape), "exp_avg_sq": tuple(parameter.shape)}
            names = {name: f"optimiser/{k}/{name}" for name in shapes}
            if all(name in arrays for name in names.values()):
                state["state"][k] = {
                    name: torch.from_numpy(kept_array(arrays, names[name], shape)).float()
                    for name, shape in shapes.items()
                }
        self._optimiser.load_state_dict(state)
        self._remembered.clear()
        for index in facts["remembered"]:
            weights = arrays[f"played/{index}"].copy()
            self._remembered.append((index, weights, self._play(index, weights)))

    def agent(self, path: Path, training: dict[str, Any]) -> str:
        file = path.with_suffix(".json")
        weights = [round(float(weight), 6) for weight in self._playing()]
        document = {"game": self._setup.game.spec.name, "training": training, "weights": weights}
        write_text(file, json.dumps(document) + "\n")
        return f"value-network:evaluation={file}"


def _options(setup: Setup, table: str) -> np.ndarray:
    """The options of the training with some changed, as `players=3,board=variable`."""
    given = dict(setup.game.show_options(setup.options))
    for part in table.split(","):
        name, equals, value = part.partition("=")
        if not equals:
            raise BadInput(f"A table is written as option=value,option=value, not {table!r}.")
        given[name.strip()] = int(value) if value.strip().lstrip("-").isdigit() else value.strip()
    return setup.game.options(given)


def _play_part(
    game: str, options: np.ndarray, weights: np.ndarray, games: int, seed: int, settings: TdValueSettings,
    rival: np.ndarray | None,
) -> Played:  # fmt: skip
    """A part of a round, in whatever process."""
    return play(registry.game(game), options, weights, games, seed, settings, rival)
