"""python experiments/catan/evaluation.py --games N --out FILE.json: teaches Catan's small network who wins.

Games of `value` against itself, for two, three and four players, on the beginner's board and on variable ones, in which
some moves are random: a search also asks about positions that good players avoid. Of every game some positions are
kept, each with everybody's features (`ludens/games/catan/learned.py`) and the winner. The network is fitted to them in
torch; the last twentieth of the games is held out, and on it the network is compared with the other evaluations. The
file is one of weights: with its folder as LUDENS_EVALUATIONS, `mcts:evaluation=FILE` searches with it.
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

from ludens.core import record, verbs
from ludens.core.jit import kernel
from ludens.core.registry import game
from ludens.core.rng import CHANCE_STREAM, POLICY, below, generators, next_event
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.catan.evaluate import EVALUATIONS
from ludens.games.catan.learned import FEATURES, FIRST, SECOND, SIZE, player_features
from ludens.games.catan.players.value import OFFERS, greedy_action, remember_offer
from ludens.games.catan.state import MAX_PLAYERS, NOBODY, PROPOSE
from ludens.games.catan.view import determinize, view

CATAN = game("catan")
KEPT = 12  # positions of a game
_EXPLORING = (0.0, 0.03, 0.12)  # part of the moves that are random, a third of the games each


@kernel
def play(
    seeds: Any, policies: Any, options: Any, exploring: Any, others: Any,
    states: Any, legal: Any, memory: Any, features: Any, told: Any, winners: Any, judged: Any, worth: Any,
) -> int:  # fmt: skip
    """Plays a game with every pair of generators; keeps positions of each, drawn evenly, and what `others` say of them.

    Returns how many games had a winner: features[g, k, p], told[g, k, p, e] and winners[g] are of game g of those.
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
            if who == CHANCE:
                verbs.apply(s, int(verbs.draw(s, chance)))
                next_event(chance)
                continue
            n = int(verbs.legal(s, legal))
            a = int(legal[0])
            if n > 1:
                met += 1  # the first KEPT stay, later ones take a place by chance: all are as likely to be kept
                place = met - 1 if met <= judged.shape[1] else below(policy, met)
                if place < judged.shape[1]:
                    for p in range(s.players):
                        player_features(s, p, features[found, place, p])
                    for e in range(others.shape[0]):
                        verbs.evaluate(s, others[e], worth)
                        for p in range(s.players):
                            told[found, place, p, e] = worth[p]
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
        if s.winner != NOBODY and met >= judged.shape[1]:
            winners[found] = s.winner
            found += 1
    return found


def samples(players: int, board: str, games: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features [games, KEPT, 4, FEATURES], what other evaluations say [games, KEPT, 4, evaluations], winners [games]."""
    options = CATAN.options({"players": players, "board": board, "turn_limit": 500})
    others = np.stack([weights for weights in EVALUATIONS.values() if len(weights) != SIZE])
    features = np.zeros((games, KEPT, MAX_PLAYERS, FEATURES), np.float32)
    told = np.zeros((games, KEPT, MAX_PLAYERS, len(others)), np.float32)
    winners, judged = np.zeros(games, np.int64), np.zeros((1, KEPT))
    found = play(
        generators(seed, games, CHANCE_STREAM), generators(seed, games, POLICY), options, np.array(_EXPLORING), others,
        record.blank(CATAN.dtype, 4), np.zeros(CATAN.spec.actions, np.int64), np.zeros((MAX_PLAYERS, 2), np.int64),
        features, told, winners, judged, np.zeros(players),
    )  # fmt: skip
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


def fit(data: list[tuple[np.ndarray, np.ndarray, np.ndarray]], epochs: int, seed: int) -> tuple[Judge, dict[str, float]]:
    """The network fitted to all but the last twentieth of every part, and log losses on the rest."""
    torch.manual_seed(seed)
    held = [max(1, len(winners) // 20) for _, _, winners in data]

    def flat(part: slice | None, which: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        features, told, winners = data[which]
        chosen = slice(-held[which], None) if part is None else slice(None, -held[which])
        x, t, w = features[chosen], told[chosen], winners[chosen]
        return torch.tensor(x).flatten(0, 1), torch.tensor(t).flatten(0, 1), torch.tensor(np.repeat(w, KEPT))

    taught, tested = ([flat(part, k) for k in range(len(data))] for part in (slice(0), None))
    x, w = torch.cat([part[0] for part in taught]), torch.cat([part[2] for part in taught])
    module, size = Judge(), 4096
    optimiser = torch.optim.AdamW(module.parameters(), 3e-3, weight_decay=1e-4)
    steps = epochs * (len(x) // size)
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(epochs):
        for part in torch.randperm(len(x))[: len(x) // size * size].split(size):
            some = x[part]
            loss = functional.cross_entropy(module(some, _present(some)), w[part])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            falling.step()
    losses = {}
    names = [name for name, weights in EVALUATIONS.items() if len(weights) != SIZE]
    with torch.no_grad():
        for k, (x, told, w) in enumerate(tested):
            present = _present(x)
            losses[f"{k} learned"] = float(functional.cross_entropy(module(x, present), w))
            players = int(present[0].sum())
            for e, name in enumerate(names):
                chance = (told[..., e] * (players - 1) + 1) / players
                losses[f"{k} {name}"] = float(-chance.gather(1, w[:, None]).clamp(min=1e-4).log().mean())
    return module, losses


def _present(features: torch.Tensor) -> torch.Tensor:
    return features.abs().sum(-1) > 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60000, help="of four players; half as many of three and of two")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    torch.set_num_threads(1)
    began, data = time.process_time(), []
    for k, (players, share) in enumerate(((4, 2), (3, 1), (2, 1))):
        for board in ("beginner", "variable", "variable"):
            seed = 1000 * given.seed + 10 * k + len(data)
            data.append(samples(players, board, given.games * share // 6, seed))
            print(players, board, len(data[-1][2]), f"games, {time.process_time() - began:.0f} s of CPU", flush=True)
    module, losses = fit(data, given.epochs, given.seed)
    for name, loss in losses.items():
        print(name, f"{loss:.4f}")
    weights = [round(float(weight), 6) for weight in module.packed()]
    given.out.write_text(json.dumps({"game": "catan", "weights": weights}) + "\n", encoding="utf-8")
    print(f"{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
