"""python experiments/catan/evaluation.py --out FILE.json [--agent CODE]: teaches Catan's small network who wins.

First games of `value` against itself, for two, three and four players, on the beginner's board and on variable ones, in
which some moves are random: a search also asks about positions that good players avoid. Of every game some positions
are kept, each with everybody's features (`ludens/games/catan/learned.py`) and the winner. With `--agent` games of that
agent follow, such as of a search with the network as it was before, and the network is taught on by them.

The network is fitted in torch; the last twentieth of the games is held out, and on it the network is compared with the
other evaluations. The file is one of weights: with its folder as LUDENS_EVALUATIONS, `mcts:evaluation=FILE` searches
with it.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ludens.arena.runner import run
from ludens.core import record, verbs
from ludens.core.jit import kernel, rule
from ludens.core.registry import game
from ludens.core.rng import CHANCE_STREAM, POLICY, below, generator, generators, next_event
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.core.weights import read_weights
from ludens.games.catan.evaluate import EVALUATIONS
from ludens.games.catan.learned import FEATURES, FIRST, SECOND, SIZE, player_features
from ludens.games.catan.players.value import OFFERS, greedy_action, remember_offer
from ludens.games.catan.state import MAX_PLAYERS, NOBODY, PROPOSE
from ludens.games.catan.view import determinize, view

Sample = tuple[np.ndarray, np.ndarray, np.ndarray]
CATAN = game("catan")
KEPT, KEPT_OF_FEW = 12, 60  # positions of a game
_EXPLORING = (0.0, 0.03, 0.12)  # part of the moves that are random, a third of the games each


@rule
def keep(s: Any, met: int, kept: int, policy: Any, others: Any, worth: Any, features: Any, told: Any) -> None:
    """The met-th position of a game (from 0), if it is drawn: all of a game are as likely to be among the kept ones."""
    place = met if met < kept else below(policy, met + 1)
    if place < kept:
        for p in range(s.players):
            player_features(s, p, features[place, p])
        for e in range(others.shape[0]):
            verbs.evaluate(s, others[e], worth)
            for p in range(s.players):
                told[place, p, e] = worth[p]


@kernel
def play(
    seeds: Any, policies: Any, options: Any, exploring: Any, others: Any,
    states: Any, legal: Any, memory: Any, features: Any, told: Any, winners: Any, worth: Any,
) -> int:  # fmt: skip
    """Plays a game of `value` with every pair of generators; returns how many had a winner.

    features[g, k, p] and told[g, k, p, e], what the evaluations `others` say, are of its game g, winners[g] is who.
    """
    found = 0
    for i in range(seeds.shape[0]):
        s, chance, policy = states[0], seeds[i], policies[i]
        states[0] = states[3]
        verbs.reset(s, options)
        memory[:] = 0
        met, free = 0, exploring[i % exploring.shape[0]]
        while True:
            who = verbs.actor(s)
            if who == TERMINAL:
                break
            n = int(verbs.legal(s, legal))
            if s.placed > 0 and (n > 1 or below(policy, 4) == 0):
                keep(s, met, features.shape[1], policy, others, worth, features[found], told[found])
                met += 1
            if who == CHANCE:
                verbs.apply(s, int(verbs.draw(s, chance)))
                next_event(chance)
                continue
            a = int(legal[0])
            if n > 1:
                if below(policy, 1000) < 1000 * free:
                    a = int(legal[below(policy, n)])
                else:
                    if memory[who, 0] != s.turn_number:
                        memory[who, 0] = s.turn_number
                        memory[who, 1] = 0
                    view(s, who, states[1:2])
                    determinize(states[1], who, policy, states[2:3])
                    a = int(greedy_action(states[2], who, legal, n, OFFERS, memory[who, 1], states[1:2]))
                    if a == PROPOSE:
                        remember_offer(s, memory[who])
            verbs.apply(s, a)
        if s.winner != NOBODY and met >= features.shape[1]:
            winners[found] = s.winner
            found += 1
    return found


@kernel
def replay(
    choices: Any, automatic: int, chance: Any, policy: Any, options: Any, others: Any,
    states: Any, legal: Any, features: Any, told: Any, worth: Any,
) -> int:  # fmt: skip
    """The same for one game that was played; returns the winner, or NOBODY where too few positions were met."""
    s, next_choice, met = states[0], 0, 0
    states[0] = states[3]
    verbs.reset(s, options)
    while True:
        who = verbs.actor(s)
        if who == TERMINAL:
            return int(s.winner) if met >= features.shape[0] else NOBODY
        n = int(verbs.legal(s, legal))
        if s.placed > 0 and (n > 1 or below(policy, 4) == 0):
            keep(s, met, features.shape[0], policy, others, worth, features, told)
            met += 1
        if who == CHANCE:
            verbs.apply(s, int(verbs.draw(s, chance)))
            next_event(chance)
            continue
        a = int(legal[0])
        if a < automatic:
            a = int(choices[next_choice])
            next_choice += 1
        verbs.apply(s, a)


def _others() -> np.ndarray:
    return np.stack([weights for weights in EVALUATIONS.values() if len(weights) != SIZE])


def _room(games: int, kept: int) -> Sample:
    """Features [games, kept, 4, FEATURES], what others say [games, kept, 4, evaluations], winners [games]."""
    features = np.zeros((games, kept, MAX_PLAYERS, FEATURES), np.float32)
    return features, np.zeros((*features.shape[:3], len(_others())), np.float32), np.zeros(games, np.int64)


def samples(players: int, board: str, games: int, seed: int) -> Sample:
    """Positions of games of `value`."""
    options = CATAN.options({"players": players, "board": board, "turn_limit": 500})
    features, told, winners = _room(games, KEPT)
    found = play(
        generators(seed, games, CHANCE_STREAM), generators(seed, games, POLICY), options, np.array(_EXPLORING),
        _others(), record.blank(CATAN.dtype, 4), np.zeros(CATAN.spec.actions, np.int64),
        np.zeros((MAX_PLAYERS, 2), np.int64), features, told, winners, np.zeros(players),
    )  # fmt: skip
    return features[:found], told[:found], winners[:found]


def searched(code: str, players: int, board: str, games: int, seed: int, workers: int) -> Sample:
    """Positions of games of a searching agent against itself."""
    played = run(CATAN, [code] * players, games, seed, players, {"board": board}, workers)
    options = CATAN.options(played.options)
    features, told, winners = _room(games, KEPT_OF_FEW)
    states, legal = record.blank(CATAN.dtype, 4), np.zeros(CATAN.spec.actions, np.int64)
    found = 0
    for outcome in played.outcomes:
        winners[found] = replay(
            np.array(list(outcome.choices), np.int64), CATAN.spec.first_automatic,
            generator(outcome.seed, CHANCE_STREAM), generator(outcome.seed, POLICY), options, _others(),
            states, legal, features[found], told[found], np.zeros(players),
        )  # fmt: skip
        found += int(winners[found] != NOBODY)
    return features[:found], told[:found], winners[:found]


class Judge(nn.Module):
    """`learned.chances` in torch: features [n, 4, FEATURES] -> logits [n, 4]."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(FEATURES, FIRST), nn.ReLU(), nn.Linear(FIRST, SECOND), nn.ReLU(), nn.Linear(SECOND, 1)
        )

    def forward(self, features: torch.Tensor, present: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.layers(features).squeeze(-1).masked_fill(~present, -1e9)
        return logits

    def packed(self) -> np.ndarray:
        """The weights as `learned` reads them."""
        linear = [layer for layer in self.layers if isinstance(layer, nn.Linear)]
        parts = [part for layer in linear for part in (layer.weight.detach().t().reshape(-1), layer.bias.detach())]
        return torch.cat(parts).double().numpy()

    def unpack(self, weights: np.ndarray) -> None:
        """The inverse of `packed`."""
        left = torch.tensor(weights, dtype=torch.float32)
        for layer in self.layers:
            if isinstance(layer, nn.Linear):
                for part, shape in ((layer.weight, layer.weight.t().shape), (layer.bias, layer.bias.shape)):
                    taken, left = left[: part.numel()].reshape(shape), left[part.numel() :]
                    part.data.copy_(taken.t() if taken.dim() == 2 else taken)


def fit(module: Judge, data: list[Sample], epochs: int, rate: float, size: int) -> None:
    """Fits the network to all but the last twentieth of the games of every sample."""
    taught = [_flat(sample, held_out=False) for sample in data]
    x, w = torch.cat([part[0] for part in taught]), torch.cat([part[2] for part in taught])
    optimiser = torch.optim.AdamW(module.parameters(), rate, weight_decay=1e-4)
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, epochs * (len(x) // size))
    for _ in range(epochs):
        for part in torch.randperm(len(x))[: len(x) // size * size].split(size):
            some = x[part]
            loss = functional.cross_entropy(module(some, _present(some)), w[part])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            falling.step()


def report(module: Judge, names: list[str], data: list[Sample]) -> None:
    """Prints log losses of the network and of the other evaluations on the games held out."""
    others = [name for name, weights in EVALUATIONS.items() if len(weights) != SIZE]
    for name, sample in zip(names, data, strict=True):
        x, told, w = _flat(sample, held_out=True)
        present = _present(x)
        players = int(present[0].sum())
        with torch.no_grad():
            losses = {"learned": float(functional.cross_entropy(module(x, present), w))}
        for e, other in enumerate(others):
            chance = (told[..., e] * (players - 1) + 1) / players
            losses[other] = float(-chance.gather(1, w[:, None]).clamp(min=1e-4).log().mean())
        print(f"{name}:", ", ".join(f"{key} {loss:.4f}" for key, loss in losses.items()), flush=True)


def _flat(sample: Sample, held_out: bool) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    features, told, winners = sample
    last = max(1, len(winners) // 20)
    part = slice(-last, None) if held_out else slice(None, -last)
    labels = np.repeat(winners[part], features.shape[1])
    return torch.tensor(features[part]).flatten(0, 1), torch.tensor(told[part]).flatten(0, 1), torch.tensor(labels)


def _present(features: torch.Tensor) -> torch.Tensor:
    return features.abs().sum(-1) > 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=90000, help="of `value`, for four; half as many for three, two")
    parser.add_argument("--agent", default="", help="whose games come after them, such as mcts:simulations=60")
    parser.add_argument(
        "--agent-games", type=int, default=3000, help="of four players; a quarter as many of three, two"
    )
    parser.add_argument("--start", type=Path, help="weights to begin with, in place of games of `value`")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    module, names, data = Judge(), list[str](), list[Sample]()
    if given.start:
        module.unpack(read_weights(given.start))
    else:
        for players, share in ((4, 2), (3, 1), (2, 1)):
            for board in ("beginner", "variable", "variable"):
                seed = 1000 * given.seed + len(data)
                data.append(samples(players, board, given.games * share // 6, seed))
                names.append(f"value, {players} players, {board}, {len(data[-1][2])} games")
                print(names[-1], flush=True)
        fit(module, data, given.epochs, 3e-3, 4096)
        report(module, names, data)
    if given.agent:
        names, data = [], []
        for players, board, share in ((4, "variable", 3), (4, "beginner", 1), (3, "variable", 1), (2, "variable", 1)):
            seed = 1000 * given.seed + 500 + len(data)
            count = given.agent_games * share // 4
            data.append(searched(given.agent, players, board, count, seed, given.workers))
            names.append(f"{given.agent}, {players} players, {board}, {len(data[-1][2])} games")
            print(names[-1], flush=True)
        report(module, names, data)
        fit(module, data, given.epochs, 1e-3, 1024)
        report(module, names, data)
    weights = [round(float(weight), 6) for weight in module.packed()]
    given.out.write_text(json.dumps({"game": "catan", "weights": weights}) + "\n", encoding="utf-8")
    print(f"{time.process_time():.0f} s of CPU, without those of workers")


if __name__ == "__main__":
    main()
