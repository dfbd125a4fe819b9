"""Self-play: its arithmetic of seats, its earlier selves, and runs that go on as if nothing had happened."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludens.core import registry  # noqa: E402
from ludens.core.errors import BadInput  # noqa: E402
from ludens.learn.selfplay import SelfPlay, Settings, _by_seat, _by_turn  # noqa: E402
from ludens.networks import network  # noqa: E402
from ludens.networks.rows import RowsLayout  # noqa: E402
from tests.examples import tiny  # noqa: E402

SMALL = Settings(
    iterations=6, games=24, steps=8, width=16, blocks=1, parts=2, warm_up=10, elder_every=1, elders=0.5, seed=3
)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def test_values_are_counted_from_the_acting_seat_and_back() -> None:
    values = torch.arange(12.0).reshape(4, 3)
    actor = torch.tensor([0, 1, 2, 1])
    assert _by_seat(values, actor)[1].tolist() == [5.0, 3.0, 4.0]  # seat 1 acts: its own value comes first
    assert torch.equal(_by_turn(_by_seat(values, actor), actor), values)


def test_advantages_follow_the_formula_for_every_seat() -> None:
    """Written out for one game of two seats in which seat 0 moves twice, then seat 1, and the game ends."""
    run = SelfPlay("azul", {}, replace(SMALL, games=2, steps=3, parts=1, warm_up=0, elders=0.0, smoothing=0.5))
    kept = run._room()
    for name in kept:
        kept[name].zero_()
    kept["actor"][:, 0] = torch.tensor([0, 0, 1])
    kept["value"][:, 0] = torch.tensor([[0.1, -0.1], [0.2, -0.2], [0.4, -0.4], [9.0, 9.0]])
    kept["reward"][2, 0] = torch.tensor([1.0, -1.0])
    kept["done"][2, 0] = 1
    run._look_back(kept)
    last = 1.0 - 0.4  # for seat 0; what follows the end does not count
    middle = 0.4 - 0.2 + 0.5 * last
    first = 0.2 - 0.1 + 0.5 * middle
    assert np.allclose(kept["advantage"][:, 0], [first, middle, -last])
    assert np.allclose(kept["goal"][2, 0], [-1.0, 1.0])  # counted from the seat that acts
    assert np.allclose(kept["goal"][0, 0], [0.1 + first, -0.1 - first])


def test_a_run_that_was_saved_goes_on_as_if_nothing_had_happened() -> None:
    whole = SelfPlay("azul", {}, SMALL)
    figures = [whole.step() for _ in range(4)]
    first = SelfPlay("azul", {}, SMALL)
    for _ in range(2):
        first.step()
    saved = first.save()
    first.step()  # does not change what was saved
    second = SelfPlay("azul", {}, SMALL)
    second.load(saved)
    assert [second.step() for _ in range(2)] == figures[2:]
    for name, array in whole.trained_network().arrays.items():
        assert np.array_equal(array, second.trained_network().arrays[name])


def test_games_of_equal_length_begin_at_different_depths() -> None:
    run = SelfPlay("discovery", {}, replace(SMALL, games=64, warm_up=400))
    depths = run.batch.save()["decisions"]
    assert len(set(depths.tolist())) >= 12 and depths.max() - depths.min() >= 100


def test_earlier_selves_hold_some_seats_of_their_games_and_never_all() -> None:
    run = SelfPlay("azul", {"players": 3}, SMALL)
    run._invite_elder()
    assert not run._elder_seats.any()  # there is none yet
    run.step()
    run._invite_elder()
    held = run._elder_seats.sum(1)
    assert held[: SMALL.games // 2].sum() == 0
    assert held[SMALL.games // 2 :].min() >= 1 and held.max() <= 2


def test_the_network_can_be_saved_and_has_learnt_something_of_its_own(tmp_path) -> None:
    run = SelfPlay("azul", {}, SMALL)
    before = run.trained_network().arrays["policy.weight"].copy()
    figures = run.step()
    assert figures["decisions"] == SMALL.games * SMALL.steps and np.isfinite(list(figures.values())).all()
    trained = run.trained_network()
    assert not np.array_equal(before, trained.arrays["policy.weight"])
    found = network.load(trained.save(tmp_path / "net.safetensors"))
    assert found.training["iterations"] == 1
    found.check(run.game, run.batch.options)


def test_a_run_ends_with_its_last_iteration() -> None:
    run = SelfPlay("azul", {}, replace(SMALL, iterations=1))
    run.step()
    with pytest.raises(BadInput, match="all of its 1 iterations"):
        run.step()


def test_how_games_end_is_kept_by_seat_and_foretold_by_heads() -> None:
    run = SelfPlay("azul", {"players": 3}, replace(SMALL, endings="walls boards", steps=4, warm_up=0))
    assert run.trained_network().layout.auxiliary == {"points": 3, "walls": 75, "boards": 15}
    kept, live = run._room(), run._tensors()
    live["final_seat"][:] = 1
    live["final_features"][:] = torch.arange(live["final_features"].shape[1], dtype=torch.float32)
    run._keep_ending(kept, live, 0)
    begin = run.endings["walls"][0]
    assert kept["ending"][0, 0, :, 0].tolist() == [begin + 50, begin, begin + 25]  # the first wall is that of seat 1
    figures = run.step()
    assert np.isfinite(list(figures.values())).all()
    with pytest.raises(BadInput, match="no block bag with a row a player"):
        SelfPlay("azul", {}, replace(SMALL, endings="bag"))


def test_a_network_can_be_shared_over_the_cells_of_a_map() -> None:
    small = replace(SMALL, games=4, steps=2, warm_up=0, table="cells", table_slots=4, table_width=16)
    run = SelfPlay("discovery", {}, small)
    assert isinstance(run.network.layout, RowsLayout) and run.network.layout.rows == 92
    assert np.isfinite(list(run.step().values())).all()


def test_a_rival_holds_seats_of_every_game_and_stays_as_it_is() -> None:
    champion = SelfPlay("azul", {}, replace(SMALL, width=32)).trained_network()
    run = SelfPlay("azul", {}, SMALL, rival=champion)
    for _ in range(2):
        run.step()
        assert (run._elder_seats.sum(1) == 1).all()
    assert len(run.elders) == 1
    for name, tensor in run.elder.state_dict().items():
        assert np.array_equal(tensor.numpy(), champion.arrays[name])


def test_the_first_iterations_copy_the_prior() -> None:
    run = SelfPlay("azul", {}, replace(SMALL, games=64, iterations=40, copying=12, epochs=4, rate=5e-3))
    far = [run.step()["policy_loss"] for _ in range(12)]
    assert far[-1] < 0.8 * far[0] and not run.elders
    kept = run._room()
    shares = kept["advice"].sum(2)
    assert torch.allclose(shares, torch.ones_like(shares)) and not (kept["advice"] * (kept["mask"] == 0)).any()
    run.step()
    assert run.iteration == 13


def test_a_game_without_a_prior_cannot_be_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._loaded, "pig", tiny.GAME)
    with pytest.raises(BadInput, match="Pig has no prior to copy"):
        SelfPlay("pig", {}, replace(SMALL, copying=1))
