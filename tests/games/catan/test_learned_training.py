"""The lessons of the network that judges positions: games of `value`, and the same network in torch."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from experiments.catan.evaluation import KEPT, Judge, fit, samples  # noqa: E402
from ludens.games.catan.evaluate import EVALUATIONS  # noqa: E402
from ludens.games.catan.learned import FEATURES, SIZE  # noqa: E402


def test_positions_of_games_teach_who_wins() -> None:
    features, told, winners = sample = samples(3, "variable", 40, 5)
    assert features.shape == (len(winners), KEPT, 4, FEATURES)
    assert len(winners) > 30 and set(winners.tolist()) == {0, 1, 2}
    assert (np.abs(features[:, :, :3]).sum(-1) > 0).all()
    assert not features[:, :, 3].any(), "nobody sits on the fourth seat"
    assert np.abs(told[:, :, :3].sum(2)).max() < 1e-5, "expected results add up to nothing"
    again = samples(3, "variable", 40, 5)
    assert all(np.array_equal(one, other) for one, other in zip(sample, again, strict=True))

    torch.manual_seed(1)
    module = Judge()
    x, w = torch.tensor(features).flatten(0, 1), torch.tensor(np.repeat(winners, KEPT))
    present = x.abs().sum(-1) > 0
    before = torch.nn.functional.cross_entropy(module(x, present), w).item()
    fit(module, [sample], epochs=20, rate=3e-3, size=64)
    assert torch.nn.functional.cross_entropy(module(x, present), w).item() < before - 0.1


def test_weights_are_packed_and_unpacked() -> None:
    module = Judge()
    module.unpack(EVALUATIONS["learned"])
    assert len(module.packed()) == SIZE
    assert module.packed() == pytest.approx(EVALUATIONS["learned"], abs=1e-6)
