"""TD(λ) of value networks: the arithmetic of its targets, its games, and that it learns from them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludens.core import registry, verbs  # noqa: E402
from ludens.core.errors import BadInput  # noqa: E402
from ludens.core.jit import kernel  # noqa: E402
from ludens.learn.td_value import (  # noqa: E402
    Played,
    TdValueSettings,
    ValueNetwork,
    fit,
    goals,
    loss_of,
    play,
    size_of,
)

SMALL = TdValueSettings(games=8, tasks=2, kept=12, batch=64)
CATAN = registry.game("catan")
OPTIONS = CATAN.options({"players": 3, "board": "variable", "turn_limit": 500})
VALUE_NETWORK = CATAN.rules.evaluations["value-network"]
SHAPE = (CATAN.rules.described, CATAN.rules.network_layers)


@kernel
def _describe(states: Any, out: Any) -> None:
    verbs.describe(states[0], out)


def module_that_says(logits: list[list[float]]) -> ValueNetwork:
    """A network for games of two whose chances at position t are the softmax of logits[t]; the feature is t."""

    class Told(ValueNetwork):
        def forward(self, features: Any) -> Any:
            return torch.tensor(logits)[features[..., 0, 0].long()]

    return Told(1, (8, 8))


def test_goals_look_back_from_the_result_and_stop_at_random_moves() -> None:
    """Four positions with chances 1/2, 1/3, 1/4, 1/5 for the first seat, who wins; a random move after the second."""
    chances = [1 / 2, 1 / 3, 1 / 4, 1 / 5]
    module = module_that_says([[float(np.log(c)), float(np.log(1 - c))] for c in chances])
    features = np.zeros((1, 4, 2, 1), np.float16)
    features[0, :, :, 0] = np.arange(4)[:, None]
    played = Played(features, np.array([[1, 0, 1, 1]], np.int8), np.array([[1, 0]], np.float32), 4)
    wanted, teaching = goals(module, played, trace=0.5)
    third = 0.5 / 5 + 0.5 * 1.0  # half what the last position says, half what it should have said
    first = 1 / 3  # the second did not choose what came after it: it stands as it is
    assert wanted[0, :, 0].tolist() == pytest.approx([first, 1 / 3, third, 1.0], abs=1e-6)
    assert teaching.tolist() == [[True, False, True, True]]
    assert wanted.sum(-1).flatten().tolist() == pytest.approx([1.0] * 4)
    results, _ = goals(module, played, trace=1.0)
    assert results[0, 2:, 0].tolist() == [1.0, 1.0]


def test_played_games_are_those_of_their_seed_and_told_in_order() -> None:
    played = play(CATAN, OPTIONS, VALUE_NETWORK, 8, 5, replace(SMALL, bold=0.0))
    again = play(CATAN, OPTIONS, VALUE_NETWORK, 8, 5, replace(SMALL, bold=0.0))
    other = play(CATAN, OPTIONS, VALUE_NETWORK, 8, 6, replace(SMALL, bold=0.0))
    assert np.array_equal(played.features, again.features) and not np.array_equal(played.features, other.features)
    assert played.features.shape == (8, SMALL.kept, 3, CATAN.rules.described)
    assert played.whole.all(), "nobody played at random"
    assert played.shares.sum(axis=1) == pytest.approx(np.ones(8))
    turns = played.features[:, :, 0, 56].astype(float)  # the number of the turn
    assert (np.diff(turns, axis=1) >= 0).all() and (turns[:, -1] > turns[:, 0]).all()


def test_bold_games_have_a_few_random_moves_at_one_place() -> None:
    played = play(CATAN, OPTIONS, CATAN.rules.evaluations["tuned"], 40, 5, replace(SMALL, bold=1.0))
    broken = (played.whole == 0).sum(axis=1)
    assert 0.4 < (broken >= 1).mean() < 1, "the others lie before the first position kept, or behind the end"
    assert broken.max() <= 6


def test_the_network_in_torch_is_the_evaluation() -> None:
    module = ValueNetwork(*SHAPE)
    module.unpack(VALUE_NETWORK)
    assert len(VALUE_NETWORK) == size_of(*SHAPE) == CATAN.rules.network_size
    assert module.packed() == pytest.approx(VALUE_NETWORK, abs=1e-6)


def test_it_learns_who_wins() -> None:
    torch.manual_seed(1)
    module, tuned = ValueNetwork(*SHAPE), CATAN.rules.evaluations["tuned"]
    played = [play(CATAN, OPTIONS, tuned, 60, seed, SMALL) for seed in range(2)]
    optimiser = torch.optim.AdamW(module.parameters(), 3e-3)
    random = torch.Generator().manual_seed(1)
    losses = [fit(module, optimiser, played, 1.0, 4, 64, random) for _ in range(6)]
    assert losses[0] > losses[2] > losses[-1]
    assert losses[-1] < 0.9 < np.log(3), "with three players who knows nothing loses log 3"


def test_the_average_follows_every_update_and_makes_the_goals() -> None:
    """One update with λ = 0, where goals are what the average says: half of the way is left to it."""
    torch.manual_seed(2)
    module, average = ValueNetwork(*SHAPE), ValueNetwork(*SHAPE)
    raw, before = module.packed(), average.packed()
    played = play(CATAN, OPTIONS, VALUE_NETWORK, 4, 5, replace(SMALL, bold=0.0))
    wanted, _ = goals(average, played, 0.0)
    logits = module(torch.from_numpy(played.features).float())
    optimiser = torch.optim.SGD(module.parameters(), 0.1)
    loss = fit(module, optimiser, [played], 0.0, 1, 10**6, torch.Generator().manual_seed(1), average, 0.75)
    assert loss == pytest.approx(loss_of(logits, wanted).item(), abs=1e-6)
    assert not np.array_equal(module.packed(), raw)
    assert average.packed() == pytest.approx(0.75 * before + 0.25 * module.packed(), abs=1e-6)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"games": 0}, "games must be from 1"),
        ({"trace": 1.5}, "trace must be"),
        ({"rate": 0.0}, "rate and last_rate"),
        ({"averaging": 1.0}, "averaging must be from 0 to less than 1, not 1.0"),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, float], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        TdValueSettings(**wrong)  # type: ignore[arg-type]
