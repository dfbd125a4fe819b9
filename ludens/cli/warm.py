"""`ludens warm`: compile everything beforehand, so that the first move is instant."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludens.cli.console import Json, error_console, output_console, print_json

if TYPE_CHECKING:
    from ludens.core.spec import Game

__all__ = ["tasks", "warm"]


def warm(
    game: Annotated[list[str] | None, typer.Argument(help="The games; all if none is named.")] = None,
    json: Json = False,
) -> None:
    """Compile the games' kernels into the cache; instant when they are there already."""
    from ludens.core import registry

    chosen = [registry.game(name) for name in game] if game else registry.games()
    reports = [_warm_one(one, quiet=json) for one in chosen]
    if json:
        print_json({"games": reports})


def _warm_one(game: Game, quiet: bool) -> dict[str, Any]:
    """Runs all tasks of a game under a progress line; returns seconds and what had to be compiled."""
    from numba.core.event import install_recorder

    console = error_console() if quiet else output_console()
    compiled: dict[str, float] = {}
    work = list(tasks(game))
    begun = time.monotonic()
    with console.status("") as status:
        for number, (name, task) in enumerate(work, 1):
            status.update(f"{game.spec.name}: compiling {name} ({number} of {len(work)})")
            started = time.monotonic()
            with install_recorder("numba:compile") as compilations:
                task()
            seconds = time.monotonic() - started
            if compilations.buffer:  # nothing is recorded when the kernel came from the cache
                compiled[name] = round(seconds, 2)
                console.print(f"{game.spec.name}: compiled {name} in {seconds:.1f} s")
    total = time.monotonic() - begun
    console.print(f"{game.spec.name}: ready ({len(work)} kernels, {len(compiled)} compiled, {total:.1f} s)")
    return {"game": game.spec.name, "seconds": round(total, 2), "kernels": len(work), "compiled": compiled}


def tasks(game: Game) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Named calls that together compile every kernel of a game: core, batch, arena, its agents and hints."""
    import numpy as np

    from ludens.agents.warming import agent_tasks, match_tasks
    from ludens.core import kernels
    from ludens.core.record import blank
    from ludens.core.rng import CHANCE_STREAM, DETERMINIZE, POLICY, generator
    from ludens.play.game import play_game

    options = game.options(game.spec.tournament)
    state, view, full = blank(game.dtype), blank(game.dtype), blank(game.dtype)
    legal = np.zeros(game.spec.actions, np.int64)
    outcomes, weights = np.zeros(game.spec.outcomes, np.int64), np.zeros(game.spec.outcomes)
    numbers = np.zeros(int(options[0]))
    features = np.zeros(game.spec.observation_size(options), np.float32)
    log = np.zeros(4096, np.int64)
    chance, policy = generator(0, CHANCE_STREAM), generator(0, POLICY)
    yield "reset", lambda: kernels.reset_at(state, 0, options)
    yield "actor", lambda: kernels.actor_at(state, 0)
    yield "legal", lambda: kernels.legal_at(state, 0, legal)
    yield "chance", lambda: kernels.chance_at(state, 0, outcomes, weights)
    yield "view", lambda: kernels.view_at(state, 0, 0, view)
    yield "observe", lambda: kernels.observe_at(view, 0, 0, features)
    yield "determinize", lambda: kernels.determinize_at(view, 0, 0, generator(0, DETERMINIZE), full)
    yield "returns", lambda: kernels.returns_at(state, 0, numbers)
    yield "scores", lambda: kernels.scores_at(state, 0, numbers)
    yield "random game", lambda: kernels.random_game(state, chance, policy, legal, log)
    yield "replay", lambda: kernels.replay(blank(game.dtype), log[:0], legal, outcomes, weights)
    yield from match_tasks(game)
    yield "batch", partial(_step_a_batch, game)
    yield "arena", lambda: play_game(game, options, ["random"] * int(options[0]), seed=0)
    yield from agent_tasks(game)


def _step_a_batch(game: Game) -> None:
    from ludens.core.batch import Batch

    batch = Batch(game, 1)
    out = batch.buffers()
    batch.reset(out)
    batch.step(out.mask.argmax(axis=1), out)
