"""PPO and its games on a stand-in of a GPU beside those on the CPU: run with NUMBA_DISABLE_JIT=1.

python -m tests.learn.gpu_games games GAME REWARD AGAINST …
python -m tests.learn.gpu_games learner GAME REWARD AGAINST …

`games` plays both with the same random actions and names the first number that differs; `learner` trains some steps on
a pretended GPU, on which tensors of the CPU and the GPU do not mix (`tests.conformance.pretended_gpu`).
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import torch

from ludens.core import registry
from ludens.gpu.kernels import COMPILED
from ludens.learn import ppo
from ludens.learn.learner import Setup
from ludens.learn.ppo import PPO, Settings
from ludens.learn.rewards import Rewards
from ludens.play.batch import SeatedGames, Teacher
from ludens.play.opponents import Opponents
from tests.conformance.gpu_stand_in import stand_in
from tests.conformance.pretended_gpu import pretending

LIMITS = {"azul": {"players": 2, "round_limit": 2}}


def same_games(name: str, reward: str, against: list[str]) -> str:
    """The first thing that differs between the games of both devices; empty if nothing does."""
    game = registry.game(name)
    options = game.options({**game.spec.tournament, **LIMITS.get(name, {})})
    players = int(options[0])
    both = []
    for device in ("cpu", "cuda"):
        held = {"self": 0, "league": 1, **({} if device == "cpu" else {"heuristic": COMPILED})}
        opponents = Opponents(game, options, 4, pool=against, held=held)
        games = SeatedGames(game, options, 4, opponents, device=device, partner=0)
        games.start(5)
        rewards = Rewards(games, reward, 0.5, 0.25)
        rewards.begin()
        both.append((games, rewards, Teacher(games, "prior")))
    (cpu, of_cpu, there), (gpu, of_gpu, here) = both
    random, ends = np.random.default_rng(1), 0
    for step in range(14):
        pairs: list[Any] = [(name, getattr(cpu.out, name), getattr(gpu.out, name)) for name in ("actor", "mask")]
        pairs += [("features", cpu.out.features, gpu.out.features), ("lead", of_cpu.lead, of_gpu.lead)]
        pairs += [(name, getattr(cpu.batch, name), getattr(gpu.batch, name)) for name in ("seats", "deals")]
        if not np.allclose(there.advice(), here.advice().cpu().numpy(), rtol=1e-4, atol=1e-6):
            return f"advice at step {step}"
        action = np.where(cpu.out.mask == 1, random.random(cpu.out.mask.shape), -1).argmax(1)
        worth = []
        for games, rewards, device in ((cpu, of_cpu, "cpu"), (gpu, of_gpu, "cuda")):
            chosen, actor = torch.from_numpy(action).to(device), torch.as_tensor(games.out.actor).long()
            held = torch.as_tensor(games.holders) == 0
            rewards.before(chosen)
            games.step(chosen if device == "cuda" else action)
            rewards.after()
            names = ("reward", "terminated", "truncated", "final_scores")
            live = {name: torch.as_tensor(getattr(games.out, name)) for name in names}
            worth.append(rewards.of_step(live, actor, held, True))
        pairs += [("worth", *worth), ("ended", cpu.out.terminated, gpu.out.terminated)]
        for title, one, other in pairs:
            first, second = (np.asarray(x.cpu().numpy() if isinstance(x, torch.Tensor) else x) for x in (one, other))
            if not np.array_equal(first, second):
                return f"{title} at step {step}"
        ends += int(cpu.out.terminated.sum())
        if step == 7:
            saved = gpu.save()
            gpu.load(saved)
    if name == "azul" and (ends < 3 or of_cpu.figures() != of_gpu.figures()):
        return f"figures after {ends} games"
    return "" if players else "nobody plays"


def learns(name: str, reward: str, against: list[str]) -> str:
    """Trains on the pretended GPU, from its teacher on, keeps it and goes on."""
    game = registry.game(name)
    options = game.options({**game.spec.tournament, **LIMITS.get(name, {})})
    settings = Settings(
        games=4, horizon=3, minibatches=2, width=16, reward=reward, reward_scale=0.1, league_every=1, device="cuda",
        behaviour_cloning_steps=1, random_decisions=2, against=tuple(against),
    )  # fmt: skip
    setup = Setup(game, options, settings, 1, ("random",), 4)
    run = PPO(setup, without=("compiled", "recorded"))
    run.start()
    figures = [run.step(k) for k in range(3)]
    again = PPO(setup, without=("compiled", "recorded"))
    again.load(*run.save())
    figures += [again.step(3)]
    return "" if all(np.isfinite(list(row.values())).all() for row in figures) else f"figures {figures}"


def main() -> None:
    kind, name, reward, *against = sys.argv[1:]
    stand_in("cuda")
    ppo.torch_with_gpu = lambda: torch  # type: ignore[attr-defined]
    with pretending():
        print((same_games if kind == "games" else learns)(name, reward, against) or "same")


if __name__ == "__main__":
    main()
