"""The learners in one file: the page shows the shorter one as it is, they run, and they beat random play."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "ppo_vector.py"


@pytest.fixture(scope="module", params=["ppo_vector", "selfplay_batch"])
def example(request: pytest.FixtureRequest) -> ModuleType:
    spec = importlib.util.spec_from_file_location(request.param, ROOT / "examples" / f"{request.param}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_shows_it_letter_by_letter() -> None:
    code = EXAMPLE.read_text(encoding="utf-8")
    assert f'```python title="examples/ppo_vector.py"\n{code}```' in (ROOT / "docs" / "adapters.md").read_text("utf-8")
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 60


def test_a_few_updates_change_the_net_and_leave_it_sound(example: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(example, "GAMES", 8)
    monkeypatch.setattr(example, "STEPS", 32)
    untrained, trained = example.train(0), example.train(1)
    assert all(torch.isfinite(weights).all() for weights in trained.parameters())
    pairs = zip(untrained.parameters(), trained.parameters(), strict=True)
    assert all(not torch.equal(before, after) for before, after in pairs)
    shares = example.win_shares(trained, games=20)
    assert set(np.unique(shares)) <= {0, 0.5, 1}


@pytest.mark.slow
def test_a_minute_of_training_beats_random_play(example: ModuleType) -> None:
    shares = example.win_shares(example.train(60))
    assert shares.mean() - 1.96 * shares.std(ddof=1) / len(shares) ** 0.5 > 0.85
