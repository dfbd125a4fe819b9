"""python experiments/discovery/evaluation.py --out FILE.json: teaches the Discovery's small network who wins.

A player that takes the turn (tile and follower together) after which the tuned evaluation likes its position best plays
against itself; some turns are random, because a search also asks about positions that good players avoid. Of every game
some positions are kept, each with everybody's features (`ludens/games/discovery/learned.py`), everybody's share of the
victory and what the other evaluations say.

The network is fitted in torch: first to the tuned evaluation, which has no noise, then more and more to the results. An
eighth of the games is held out, and on it the network is compared with the other evaluations. The file is one of
weights: with its folder as LUDENS_EVALUATIONS, `mcts:evaluation=FILE` searches with it.
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

from ludens.core import record, verbs
from ludens.core.jit import kernel, rule
from ludens.core.registry import game
from ludens.core.rng import CHANCE_STREAM, POLICY, below, generators, next_event
from ludens.core.verbs import CHANCE, TERMINAL
from ludens.games.discovery.evaluate import EVALUATIONS
from ludens.games.discovery.learned import FEATURES, FIRST, SECOND, SIZE, describe
from ludens.games.discovery.state import FOLLOWER

Sample = tuple[np.ndarray, np.ndarray, np.ndarray]
DISCOVERY = game("discovery")
KEPT = 16  # positions of a game
_EXPLORING = (0.0, 0.03, 0.12)  # part of the turns that are random, a third of the games each
_ROOM = 16  # follower moves
_BATCH = 2048
# Part of the tuned evaluation in what is taught, epochs, learning rate.
_STAGES = ((1.0, 3, 5e-3), (0.3, 4, 1.5e-3), (0.0, 2, 5e-4))


@rule
def keep(s: Any, met: int, kept: int, policy: Any, others: Any, worth: Any, features: Any, told: Any) -> None:
    """The met-th position of a game (from 0), if it is drawn: all of a game are as likely to be among the kept ones."""
    place = met if met < kept else below(policy, met + 1)
    if place < kept:
        describe(s, features[place])
        for e in range(others.shape[0]):
            verbs.evaluate(s, others[e], worth)
            for p in range(s.players):
                told[place, p, e] = worth[p]


@rule
def best_turn(s: Any, moves: Any, weights: Any, scratch: Any, options: Any, worth: Any, plan: Any) -> None:
    """plan[:2] = the tile and follower moves after which the evaluation promises the mover most."""
    p, best = int(s.current), -1e9
    for k in range(moves.shape[0]):
        scratch[0] = s
        verbs.apply(scratch[0], int(moves[k]))
        n = int(verbs.legal(scratch[0], options))
        for j in range(n):
            scratch[1] = scratch[0]
            verbs.apply(scratch[1], int(options[j]))
            if verbs.actor(scratch[1]) == TERMINAL:
                verbs.returns(scratch[1], worth)
            else:
                verbs.evaluate(scratch[1], weights, worth)
            if worth[p] > best:
                best = worth[p]
                plan[0], plan[1] = int(moves[k]), int(options[j])


@kernel
def play(
    seeds: Any, policies: Any, options: Any, exploring: Any, weights: Any, others: Any,
    states: Any, legal: Any, room: Any, features: Any, told: Any, shares: Any, worth: Any,
) -> None:  # fmt: skip
    """Plays a game with every pair of generators; the mover takes the best turn by the evaluation `weights`.

    features[g, k, p] and told[g, k, p, e] (what the evaluations `others` say) are of game g, shares[g] its victory.
    """
    plan = room[_ROOM:]
    for g in range(seeds.shape[0]):
        s, chance, policy = states[0], seeds[g], policies[g]
        states[0] = states[3]
        verbs.reset(s, options)
        met, free = 0, exploring[g % exploring.shape[0]]
        while True:
            who = verbs.actor(s)
            if who == TERMINAL:
                break
            keep(s, met, features.shape[1], policy, others, worth, features[g], told[g])
            met += 1
            if who == CHANCE:
                verbs.apply(s, int(verbs.draw(s, chance)))
                next_event(chance)
                continue
            n = int(verbs.legal(s, legal))
            if s.phase == FOLLOWER:
                a = int(plan[1]) if plan[0] >= 0 else int(legal[below(policy, n)])
            elif below(policy, 1000) < 1000 * free:
                plan[0], a = -1, int(legal[below(policy, n)])
            else:
                best_turn(s, legal[:n], weights, states[1:3], room, worth, plan)
                a = int(plan[0])
            verbs.apply(s, a)
        _share(s, shares[g])


@rule
def _share(s: Any, out: Any) -> None:
    """Everybody's part of the victory."""
    players = int(s.players)
    verbs.returns(s, out)
    for p in range(players):
        out[p] = (out[p] * (players - 1) + 1.0) / players


def _others() -> np.ndarray:
    return np.stack([weights for weights in EVALUATIONS.values() if len(weights) != SIZE])


def samples(weights: np.ndarray, players: int, games: int, seed: int) -> Sample:
    """Features [games, KEPT, players, FEATURES], what others say [.., .., .., others], shares [games, players]."""
    features = np.zeros((games, KEPT, players, FEATURES), np.float32)
    told, shares = np.zeros((*features.shape[:3], len(_others())), np.float32), np.zeros((games, players))
    options = DISCOVERY.options({"players": players})
    play(
        generators(seed, games, CHANCE_STREAM), generators(seed, games, POLICY), options, np.array(_EXPLORING),
        weights, _others(), record.blank(DISCOVERY.dtype, 4), np.zeros(DISCOVERY.spec.actions, np.int64),
        np.zeros(_ROOM + 2, np.int64), features, told, shares, np.zeros(players),
    )  # fmt: skip
    return features, told, shares


class Judge(nn.Module):
    """`learned.chances` in torch: features [n, players, FEATURES] -> logits [n, players]."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(FEATURES, FIRST), nn.ReLU(), nn.Linear(FIRST, SECOND), nn.ReLU(), nn.Linear(SECOND, 1)
        )

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.layers(features).squeeze(-1)
        return logits

    def packed(self) -> np.ndarray:
        """The weights as `learned` reads them."""
        linear = [layer for layer in self.layers if isinstance(layer, nn.Linear)]
        parts = [part for layer in linear for part in (layer.weight.detach().t().reshape(-1), layer.bias.detach())]
        return torch.cat(parts).double().numpy()


def loss_of(logits: torch.Tensor, shares: torch.Tensor) -> torch.Tensor:
    """Log loss; a shared victory counts in parts."""
    return -(shares * logits.log_softmax(-1)).sum(-1).mean()


def fit(module: Judge, x: torch.Tensor, shares: torch.Tensor, epochs: int, rate: float) -> None:
    """Teaches the network these shares of the victory."""
    optimiser = torch.optim.AdamW(module.parameters(), rate, weight_decay=1e-3)
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, epochs * (len(x) // _BATCH))
    for _ in range(epochs):
        for part in torch.randperm(len(x))[: len(x) // _BATCH * _BATCH].split(_BATCH):
            loss = loss_of(module(x[part]), shares[part])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            falling.step()


def report(module: Judge, x: torch.Tensor, told: torch.Tensor, shares: torch.Tensor) -> None:
    """Prints log losses of the network and of the other evaluations."""
    with torch.no_grad():
        losses = {"learned": float(loss_of(module(x), shares))}
    for e, other in enumerate(name for name, weights in EVALUATIONS.items() if len(weights) != SIZE):
        losses[other] = float(loss_of(told[..., e].clamp(min=1e-4).log(), shares))
    print(", ".join(f"{key} {loss:.4f}" for key, loss in losses.items()), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thousands", type=int, default=37, help="of games")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=5000, help="of the first thousand")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    parts = [samples(EVALUATIONS["tuned"], given.players, 1000, given.seed + k) for k in range(given.thousands)]
    print(f"{given.thousands},000 games, {time.process_time():.0f} s of CPU", flush=True)
    x, told, shares = (torch.tensor(np.concatenate(part)) for part in zip(*parts, strict=True))
    x, told = x.flatten(0, 1), (told.flatten(0, 1) * (given.players - 1) + 1) / given.players
    shares = shares.float().repeat_interleave(KEPT, 0)
    taught = len(x) - 1000 * given.thousands // 8 * KEPT
    module = Judge()
    for trust, epochs, rate in _STAGES:
        fit(module, x[:taught], trust * told[:taught, :, 0] + (1 - trust) * shares[:taught], epochs, rate)
        report(module, x[taught:], told[taught:], shares[taught:])
    weights = [round(float(weight), 6) for weight in module.packed()]
    given.out.write_text(json.dumps({"game": "discovery", "weights": weights}) + "\n", encoding="utf-8")
    print(f"{time.process_time():.0f} s of CPU")


if __name__ == "__main__":
    main()
