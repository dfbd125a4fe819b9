"""Torch on the buffers of a batch: the same memory, no copies."""

from __future__ import annotations

import numpy as np
import pytest

from ludens import Batch

torch = pytest.importorskip("torch")


def test_tensors_stand_on_the_buffers_that_every_step_fills() -> None:
    batch = Batch("azul", 16, seed=7)
    out = batch.buffers()
    batch.reset(out)
    seen = {name: torch.from_dlpack(getattr(out, name)) for name in ("features", "mask", "reward", "actor")}
    before = {name: tensor.clone() for name, tensor in seen.items()}
    batch.step(torch.argmax(seen["mask"], 1).numpy(), out)
    for name, tensor in seen.items():
        assert tensor.data_ptr() == getattr(out, name).ctypes.data
        assert np.array_equal(tensor.numpy(), getattr(out, name))
    assert not torch.equal(seen["features"], before["features"])
