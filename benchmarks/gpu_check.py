"""Does everything that the documents promise of a GPU work on this one, and how fast is it?

python3 benchmarks/gpu_check.py [--only NAMES ...] [--total SECONDS]

One line a check: ok or FAILED, its name, its seconds and a figure; below eight minutes on one H200, compiling included.
Checks run in processes of their own, several that compile at once, those that are timed alone. Needs NumPy, Numba,
numba-cuda, PyTorch and safetensors only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # a bare checkout, not installed

GAMES = {"azul": 2, "catan": 4, "discovery": 2, "scotland_yard": 4, "scotland_yard_grid": 2}
TINY: dict[str, Any] = {"games": 512, "horizon": 8, "minibatches": 4, "width": 64, "league_every": 1, "device": "cuda"}


def learner(game: str, players: int, without: tuple[str, ...] = (), **settings: Any) -> Any:
    from ludens.core import registry
    from ludens.learn.learner import Setup
    from ludens.learn.ppo import PPO, Settings

    found = registry.game(game)
    options = found.options({**found.spec.tournament, "players": players})
    run = PPO(Setup(found, options, Settings(**{**TINY, **settings}), 1, ("random",), 20), without)
    run.start()
    return run


def trains(game: str, **settings: Any) -> str:
    """Six steps, of which the last are recorded graphs; saved, loaded and gone on with."""
    import numpy as np
    import torch

    players = settings.pop("players", GAMES[game])
    run = learner(game, players, **settings)
    figures = [run.step(k) for k in range(6)]
    assert all(np.isfinite(list(row.values())).all() for row in figures), figures[-1]
    again = learner(game, players, **settings)
    again.load(*run.save())
    for name, tensor in run.module.state_dict().items():
        assert torch.equal(again.module.state_dict()[name], tensor), name
    one, other = run.step(6), again.step(6)
    assert abs(one["policy_loss"] - other["policy_loss"]) < 0.05, (one, other)
    return f"{len(run._recorded)} graphs, entropy {one['entropy']:.2f}"


def rival(game: str) -> str:
    """Learns against a network of a file, by another reward, beginning with its weights."""
    with tempfile.TemporaryDirectory() as folder:
        file = learner(game, GAMES[game]).trained_network().save(Path(folder) / "net.safetensors")
        return trains(game, against=(f"net:{file}", "league"), reward="lead", reward_scale=0.05, start=str(file))


def equal(game: str) -> str:
    """All arrays of all steps are those of a CPU, bit for bit."""
    from ludens.core.registry import game as game_named
    from ludens.gpu.check import first_difference

    found = first_difference(game_named(game), 250, 60, seed=1, threads=4, players=GAMES[game])
    assert not found, found
    return "bit for bit"


def equal_seats(game: str, reward: str, against: tuple[str, ...]) -> str:
    """The same of games in which others hold seats, with what is earned."""
    import numpy as np
    import torch

    from ludens.core import registry
    from ludens.gpu.kernels import COMPILED
    from ludens.learn.rewards import Rewards
    from ludens.play.batch import SeatedGames, compiled_agents
    from ludens.play.opponents import Opponents

    found = registry.game(game)
    options, size = found.options({**found.spec.tournament, "players": GAMES[game]}), 200
    tables = []
    for device in ("cpu", "cuda"):
        held = {"self": 0} | (dict.fromkeys(compiled_agents(found), COMPILED) if device == "cuda" else {})
        games = SeatedGames(
            found, options, size, Opponents(found, options, size, pool=against, held=held), device=device
        )
        games.start(5)
        rewards = Rewards(games, reward, 0.5, 0.25)
        rewards.begin()
        tables.append((games, rewards))
    random = np.random.default_rng(1)
    for step in range(60):
        mask = tables[0][0].out.mask
        action = np.where(mask == 1, random.random(mask.shape), -1).argmax(1)
        worth = []
        for games, rewards in tables:
            chosen = torch.from_numpy(action).to(games.device)
            actor, held = torch.as_tensor(games.out.actor).long(), torch.as_tensor(games.holders) == 0
            rewards.before(chosen)
            games.step(action if games.device == "cpu" else chosen)
            rewards.after()
            names = ("reward", "terminated", "truncated", "final_scores")
            live = {name: torch.as_tensor(getattr(games.out, name)) for name in names}
            worth.append(rewards.of_step(live, actor, held, True).cpu())
        assert torch.allclose(*worth), f"rewards at step {step}"
        for name in ("actor", "mask", "features", "terminated", "final_scores"):
            one, other = (torch.as_tensor(getattr(games.out, name)).cpu() for games, _ in tables)
            assert torch.equal(one, other), f"{name} at step {step}"
    return "bit for bit"


def speed(game: str, games: int, horizon: int, **settings: Any) -> str:
    """Decisions a second of self-play, learning included, as champions are trained."""
    import torch

    given: dict[str, Any] = {
        "width": 384,
        "blocks": 2,
        "layers": 2,
        "minibatches": 16,
        "against": ("self",),
        "league": 0.1,
    }
    given |= {"random_decisions": 50, "league_every": 2, "league_size": 2, **settings}
    run = learner(game, GAMES[game], games=games, horizon=horizon, **given)
    for k in range(7):
        run.step(k)
    torch.cuda.synchronize()
    began, made = time.perf_counter(), 0
    while time.perf_counter() - began < 10:
        run.step(7 + made)
        made += 1
    torch.cuda.synchronize()
    return f"{made * games * horizon / (time.perf_counter() - began) / 1e6:.2f} M decisions/s"


def strength() -> str:
    """A minute of self-play of Azul, and how often the network wins against `heuristic` while it learns against it."""
    big: dict[str, Any] = {
        "games": 8192,
        "horizon": 32,
        "width": 256,
        "blocks": 1,
        "minibatches": 16,
        "learning_rate": 6e-4,
    }
    with tempfile.TemporaryDirectory() as folder:
        run = learner("azul", 2, against=("self",), random_decisions=100, behaviour_cloning_steps=10, **big)
        began, k = time.perf_counter(), 0
        while time.perf_counter() - began < 30:
            run.step(k)
            k += 1
        file = run.trained_network().save(Path(folder) / "net.safetensors")
        judge = learner("azul", 2, against=("heuristic",), start=str(file), **{**big, "learning_rate": 1e-12})
        won = [judge.step(k)["won"] for k in range(4)][-1]
    assert won > 0.3, won
    return f"{k} steps, then {won:.1%} of games against heuristic, drawing"


def commands() -> str:
    """`ludens train` with files of the documents, if the parts of the command line are installed."""
    try:
        import typer  # noqa: F401
    except ImportError:
        return "left out: no typer here"
    with tempfile.TemporaryDirectory() as folder:
        config = ROOT / "experiments/azul/gpu_ppo.toml"
        command = [sys.executable, "-m", "ludens", "train", "azul", "ppo", "--config", str(config), "--steps", "6",
                   "--out", folder, "--set", "games=2048"]  # fmt: skip
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-500:]
    return "experiments/azul/gpu_ppo.toml"


CHECKS: dict[str, Callable[[], str]] = {
    **{f"equal {game}": partial(equal, game) for game in GAMES},
    "seats azul lead": lambda: equal_seats("azul", "lead", ("heuristic", "random")),
    "seats azul wall": lambda: equal_seats("azul", "wall", ("heuristic", "self")),
    "seats catan lead": lambda: equal_seats("catan", "lead", ("random", "self")),
    "seats london result": lambda: equal_seats("scotland_yard", "result", ("random", "self")),
    **{f"self-play {game}": partial(trains, game, against=("self",), league=0.2) for game in GAMES},
    **{f"random and league {game}": partial(trains, game, against=("random", "league")) for game in GAMES},
    "cloning catan": lambda: trains("catan", against=("self",), behaviour_cloning_steps=3),
    "cloning azul": lambda: trains("azul", against=("self", "league"), behaviour_cloning_steps=3, reward="lead"),
    "heuristic azul wall": lambda: trains("azul", against=("heuristic", "league"), reward="wall", reward_scale=0.05),
    "rows discovery": lambda: trains("discovery", against=("self",), architecture="rows", endings="players"),
    "rival azul": lambda: rival("azul"),
    "rival catan": lambda: rival("catan"),
    "command line": commands,
}
ALONE: dict[str, Callable[[], str]] = {
    "strength azul": strength,
    "speed azul 32,768 x 32": lambda: speed("azul", 32768, 32, endings="walls"),
    "speed catan 16,384 x 64": lambda: speed(
        "catan", 16384, 64, width=336, minibatches=32, endings="players", gae_lambda=0.97, points_scale=5.0
    ),
}


def check(name: str, deadline: float) -> bool:
    """One check in a process of its own; prints its line."""
    began = time.perf_counter()
    left = max(5.0, deadline - time.monotonic())
    command = [sys.executable, __file__, "--one", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=left, env=dict(os.environ))
        good, told = done.returncode == 0, (done.stdout if done.returncode == 0 else done.stderr).strip()
    except subprocess.TimeoutExpired:
        good, told = False, "not finished in time"
    lines = told.splitlines() or [""]
    passed = time.perf_counter() - began
    print(f"{'ok    ' if good else 'FAILED'} {name:32} {passed:6.1f} s  {lines[-1]}", flush=True)
    if not good:
        print("\n".join(f"       | {line}" for line in lines[-12:-1]), flush=True)
    return good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="checks whose names contain one of these")
    parser.add_argument("--total", type=float, default=470.0, help="seconds for all")
    parser.add_argument("--lanes", type=int, default=min(8, max(1, (os.cpu_count() or 2) // 2)))
    parser.add_argument("--one")
    given = parser.parse_args()
    if given.one:
        print(({**CHECKS, **ALONE})[given.one]())
        return
    deadline = time.monotonic() + given.total
    chosen = [name for name in (*CHECKS, *ALONE) if not given.only or any(word in name for word in given.only)]
    with ThreadPoolExecutor(given.lanes) as lanes:
        found = list(lanes.map(lambda name: check(name, deadline), [name for name in chosen if name in CHECKS]))
    found += [check(name, deadline) for name in chosen if name in ALONE]
    print(
        f"{sum(found)} of {len(found)} checks passed in {given.total - (deadline - time.monotonic()):.0f} s", flush=True
    )
    sys.exit(0 if all(found) else 1)


if __name__ == "__main__":
    main()
