"""A batch on a GPU and one on a CPU, played side by side: is every number the same?"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from ludens.core.batch import Batch, Buffers
from ludens.core.spec import Game
from ludens.gpu.batch import GpuBatch

__all__ = ["first_difference"]


def first_difference(
    game: Game, size: int, steps: int, seed: int = 0, threads: int = 1, weighted_every: int = 3, **settings: Any
) -> str:
    """Plays both batches with actions of their own sampling; names the first array that differs, or is empty.

    Every `weighted_every`th action is drawn by random weights, the others uniformly; before some the game's priors are
    compared, which may differ in their last digits. In the middle the GPU's batch is
    saved, which must be what the CPU's saves, and goes on in a fresh batch; at the end the positions are compared.
    `settings` are those of `Batch`, and of `GpuBatch.buffers` under `buffers`.
    """
    tables = settings.pop("buffers", {})
    cpu, gpu = Batch(game, size, seed=seed, threads=threads, **settings), GpuBatch(game, size, seed=seed, **settings)
    there, here = cpu.buffers(), gpu.buffers(**tables)
    cpu.reset(there)
    gpu.reset(here)
    random = np.random.default_rng(seed)
    found = _compared(there, here, "reset")
    for step in range(steps):
        weights = None
        if step % weighted_every == weighted_every - 1:
            weights = random.random((size, game.spec.actions), np.float32)
            weights[weights < 0.5] = 0.0
        chosen = cpu.sample(weights)
        ours = gpu.sample(None if weights is None else _tensor(gpu, weights))
        if not found and chosen.tobytes() != ours.cpu().numpy().tobytes():
            found = f"actions sampled at step {step}"
        if not found and step % weighted_every == 0:
            there_prior, here_prior = cpu.prior(), gpu.prior().cpu().numpy()
            found = "" if np.allclose(there_prior, here_prior, rtol=1e-4, atol=1e-6) else f"the prior at step {step}"
        if found:
            return found
        cpu.step(chosen, there)
        gpu.step(ours, here)
        found = _compared(there, here, f"step {step}")
        if not found and step == steps // 2:
            saved, own = cpu.save(), gpu.save()
            unequal = [name for name in saved if saved[name].tobytes() != own[name].tobytes()]
            found = f"{unequal[0]} saved at step {step}" if unequal else ""
            kept = here
            gpu, here = GpuBatch(game, size, seed=seed + 1, **settings), gpu.buffers(**tables)
            gpu.restore(saved, here)
            for field in fields(Buffers):
                if field.name.startswith("final_") and getattr(here, field.name) is not None:
                    getattr(here, field.name).copy_(getattr(kept, field.name))
    if not found and cpu.states.tobytes() != gpu.states.tobytes():
        found = "positions at the end"
    return found


def _tensor(gpu: GpuBatch, array: np.ndarray) -> Any:
    import torch

    return torch.from_numpy(array).to(gpu.device)


def _compared(there: Buffers, here: Buffers, when: str) -> str:
    for field in fields(Buffers):
        wanted = getattr(there, field.name)
        if wanted is not None:
            given = np.ascontiguousarray(getattr(here, field.name).cpu().numpy())
            bits = f"i{wanted.itemsize}"
            if not np.array_equal(given.view(bits), wanted.view(bits)):
                where = np.argwhere(given != wanted)[:1].tolist()
                return f"{field.name} at {when}, first at {where}"
    return ""
