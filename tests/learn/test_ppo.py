"""PPO: losses and advantages by hand, who sits where, its league, its teacher; what was saved goes on exactly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludens.core import registry  # noqa: E402
from ludens.core.errors import BadInput  # noqa: E402
from ludens.learn.learner import Setup  # noqa: E402
from ludens.learn.ppo import PPO, Settings, _by_seat, _by_turn, _drawn, _under_new_names, _weigh  # noqa: E402
from ludens.networks import network  # noqa: E402
from ludens.networks.rows import RowsLayout  # noqa: E402
from tests.examples import tiny  # noqa: E402

ALONE = Settings(
    against=("self",), games=24, horizon=8, width=16, minibatches=2, random_decisions=10, league=0.5, league_every=1,
    schedule=6, normalise=1,
)  # fmt: skip


def learner(settings: Settings = ALONE, game: str = "azul", options: dict[str, Any] | None = None) -> PPO:
    found = registry.game(game)
    values = found.options({**found.spec.tournament, **(options or {})})
    run = PPO(Setup(found, values, settings, 3, ("random",), 6))
    run.start()
    return run


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


# --- losses, by hand ---


class Two(torch.nn.Module):  # type: ignore[name-defined]
    """Two actions whose logits are a parameter, two seats whose values are another."""

    def __init__(self, chance: float) -> None:
        super().__init__()
        self.logits = torch.nn.Parameter(torch.tensor([np.log(chance), np.log(1 - chance)], dtype=torch.float32))
        self.values = torch.nn.Parameter(torch.tensor([0.5, -0.25]))

    def forward(self, features: Any) -> Any:
        n = len(features)
        others = {"points": torch.zeros(n, 2), "critic": torch.full((n, 2), 2.0)}
        if features[0, 0] > 0:
            others.pop("critic")
        return self.logits.expand(n, 2), self.values.expand(n, 2), others


def kept(advantages: list[float], actions: list[int], old: list[float], **more: Any) -> dict[str, Any]:
    """Decisions of an acting seat with goals of zero; one value stream."""
    n = len(advantages)
    return {
        "features": torch.ones(n, 1), "mask": torch.ones(n, 2, dtype=torch.int8), "action": torch.tensor(actions),
        "own": torch.ones(n, dtype=torch.bool), "log_probability": torch.tensor(old).log(),
        "advantage": torch.tensor(advantages), "goal": torch.zeros(n, 2, 1), "lead": torch.ones(n, 2),
        "lead_known": torch.zeros(n, dtype=torch.bool), **more,
    }  # fmt: skip


def weighed(chance: float, rows: dict[str, Any], bonus: float = 0.0, **settings: Any) -> tuple[Any, dict, Two]:
    module = Two(chance)
    cfg = Settings(**{"value_coefficient": 0.0, "points_coefficient": 0.0, **settings})
    part = torch.arange(len(rows["advantage"]))
    loss, figures = _weigh(module, rows, part, torch.tensor(bonus), cfg, (), False)
    return loss, figures, module


@pytest.mark.parametrize(
    ("advantage", "old", "gain", "moves"),
    [
        (2.0, 0.5, 1.2 * 2.0, False),  # ratio 1.6: a gain is counted up to 1.2, and pulls no further
        (-2.0, 0.5, 1.6 * -2.0, True),  # the same ratio with a loss is counted whole
        (2.0, 0.9, 0.8 / 0.9 * 2.0, True),  # within the clip
        (-2.0, 1.0, 0.8 * -2.0, True),  # at its edge
        (-2.0, 0.999 / 0.6, 0.8 * -2.0, False),  # ratio 0.48: a loss is counted down to 0.8
        (2.0, 0.999 / 0.6, 0.8 * 0.6 / 0.999 * 2.0, True),
    ],
)
def test_the_clipped_objective_by_hand(advantage: float, old: float, gain: float, moves: bool) -> None:
    """The new probability of action 0 is 0.8; the loss is -min(r A, clip(r, 1 - 0.2, 1 + 0.2) A)."""
    loss, figures, module = weighed(0.8, kept([advantage], [0], [old]))
    assert float(loss.detach()) == pytest.approx(-gain, rel=1e-4)
    assert float(figures["policy_loss"].detach()) == pytest.approx(-gain, rel=1e-4)
    loss.backward()
    assert bool((module.logits.grad.abs() > 1e-6).any()) == moves


def test_only_decisions_of_the_learner_count() -> None:
    rows = kept([1.0, 100.0, 3.0], [0, 0, 1], [0.8, 0.8, 0.2], own=torch.tensor([True, False, True]))
    loss, figures, _ = weighed(0.8, rows)
    assert float(loss.detach()) == pytest.approx(-(1.0 + 3.0) / 2, rel=1e-5)
    assert float(figures["approximate_kl"].detach()) == pytest.approx(0.0, abs=1e-6)


def test_the_divergence_told_is_that_of_schulman() -> None:
    _, figures, _ = weighed(0.8, kept([0.0], [0], [0.4]))
    assert float(figures["approximate_kl"].detach()) == pytest.approx(2 - 1 - np.log(2), rel=1e-5)


def test_entropy_is_a_bonus() -> None:
    """A loss without advantage falls as the policy grows undecided, by bonus · H."""
    entropy = -(0.8 * np.log(0.8) + 0.2 * np.log(0.2))
    loss, figures, module = weighed(0.8, kept([0.0], [0], [0.8]), bonus=0.5)
    assert float(figures["entropy"].detach()) == pytest.approx(entropy, rel=1e-5)
    assert float(loss.detach()) == pytest.approx(-0.5 * entropy, rel=1e-5)
    loss.backward()
    assert module.logits.grad[0] > 0 > module.logits.grad[1]  # a step down makes the likelier action less likely


def test_the_value_loss_is_the_mean_square_over_seats_and_streams() -> None:
    rows = kept([0.0], [0], [0.8], goal=torch.tensor([[[1.0], [0.25]]]))
    loss, figures, _ = weighed(0.8, rows, value_coefficient=0.5)
    square = ((0.5 - 1.0) ** 2 + (-0.25 - 0.25) ** 2) / 2
    assert float(figures["value_loss"].detach()) == pytest.approx(square)
    assert float(loss.detach()) == pytest.approx(0.5 * square)
    both = kept([0.0], [0], [0.8], goal=torch.tensor([[[1.0, 1.0], [1.0, 0.25]]]), features=torch.zeros(1, 1))
    _, figures, _ = weighed(0.8, both)
    assert float(figures["value_loss"].detach()) == pytest.approx((1.0 + 1.0 + 0.25 + 0.25) / 4)


def test_points_are_an_auxiliary_head_where_a_game_ended() -> None:
    known = kept([0.0, 0.0], [0, 0], [0.8, 0.8], lead_known=torch.tensor([True, False]), lead=torch.full((2, 2), 3.0))
    loss, figures, _ = weighed(0.8, known, points_coefficient=0.5)
    assert float(figures["points_loss"].detach()) == pytest.approx(9.0)
    assert float(loss.detach()) == pytest.approx(4.5)


def test_cloning_is_the_cross_entropy_with_what_the_teacher_says() -> None:
    rows = kept([7.0], [0], [0.8], advice=torch.tensor([[0.25, 0.75]]))
    loss, figures, module = weighed(0.8, rows, bonus=0.5)
    wanted = -(0.25 * np.log(0.8) + 0.75 * np.log(0.2))
    assert float(figures["policy_loss"].detach()) == pytest.approx(wanted, rel=1e-5)
    assert float(loss.detach()) == pytest.approx(wanted, rel=1e-5)  # neither advantage nor entropy counts
    loss.backward()
    assert module.logits.grad.tolist() == pytest.approx([0.8 - 0.25, 0.2 - 0.75], rel=1e-4)


def test_actions_are_drawn_by_their_probabilities_and_illegal_ones_never() -> None:
    logits = torch.tensor([[0.0, -1e9, np.log(3.0), -1e9]], dtype=torch.float32).repeat(4000, 1)
    noise = torch.empty_like(logits).exponential_(generator=torch.Generator().manual_seed(1))
    drawn = torch.bincount(_drawn(logits, noise), minlength=4)
    assert drawn[1] == drawn[3] == 0
    assert drawn[2].item() / 4000 == pytest.approx(0.75, abs=0.03)


# --- advantages, by hand ---


def test_values_are_counted_from_the_acting_seat_and_back() -> None:
    values = torch.arange(12.0).reshape(4, 3)
    actor = torch.tensor([0, 1, 2, 1])
    assert _by_seat(values, actor)[1].tolist() == [5.0, 3.0, 4.0]  # seat 1 acts: its own value comes first
    assert torch.equal(_by_turn(_by_seat(values, actor), actor), values)


def looked_back(run: PPO, actor: list[int], value: Any, reward: Any, done: list[int]) -> dict[str, Any]:
    room = run._room()
    for tensor in room.values():
        tensor.zero_()
    room["actor"][:, 0] = torch.tensor(actor)
    room["value"][:, 0] = torch.tensor(value)
    room["reward"][:, 0] = torch.tensor(reward)
    room["done"][:, 0] = torch.tensor(done)
    run._look_back(room)
    return room


def test_advantages_follow_the_formula_for_every_seat() -> None:
    """One game of two seats in which seat 0 moves twice, then seat 1, and the game ends; lambda 0.5."""
    run = learner(replace(ALONE, games=2, horizon=3, random_decisions=0, league=0.0, gae_lambda=0.5))
    value = [[[0.1], [-0.1]], [[0.2], [-0.2]], [[0.4], [-0.4]], [[9.0], [9.0]]]
    reward = [[[0.0], [0.0]], [[0.0], [0.0]], [[1.0], [-1.0]]]
    room = looked_back(run, [0, 0, 1], value, reward, [0, 0, 1])
    last = 1.0 - 0.4  # for seat 0; what follows the end does not count
    middle = 0.4 - 0.2 + 0.5 * last
    first = 0.2 - 0.1 + 0.5 * middle
    assert np.allclose(room["advantage"][:, 0], [first, middle, -last])
    assert np.allclose(room["goal"][2, 0, :, 0], [-1.0, 1.0])  # counted from the seat that acts
    assert np.allclose(room["goal"][0, 0, :, 0], [0.1 + first, -0.1 - first])


def test_a_reward_is_discounted_once_a_decision_of_its_seat_and_the_result_never() -> None:
    """Seat 0, then seat 1, then seat 0, whose game ends with the third decision; discount 0.5, lambda 0.8."""
    settings = replace(ALONE, games=2, horizon=4, random_decisions=0, league=0.0, reward="lead", discount=0.5)
    run = learner(replace(settings, gae_lambda=0.8))
    value = [[[1.0, 0.1], [0.0, -0.1]], [[2.0, 0.2], [0.5, -0.2]], [[3.0, 0.3], [0.0, -0.3]], [[7.0, 0.7], [8.0, 0.8]]]
    value.append([[5.0, 0.0], [6.0, 0.0]])
    reward = [[[4.0, 0.0], [0.0, 0.0]], [[5.0, 0.0], [1.0, 0.0]], [[6.0, 1.0], [0.0, -1.0]], [[0.0, 0.0], [0.0, 0.0]]]
    room = looked_back(run, [0, 1, 0, 1], value, reward, [0, 0, 1, 0])
    third = 6.0 - 3.0  # the end: the value of the next game does not count
    second = 5.0 + 3.0 - 2.0 + 0.8 * third  # another seat's decision does not discount
    first = 4.0 + 0.5 * 2.0 - 1.0 + 0.5 * 0.8 * second
    assert room["advantage"][0, 0].item() == pytest.approx(first)
    assert room["advantage"][2, 0].item() == pytest.approx(third)
    of_seat_1 = 1.0 + 0.5 * 0.0 - 0.5 + 0.5 * 0.8 * (0.0 - 0.0)
    assert room["advantage"][1, 0].item() == pytest.approx(of_seat_1)
    assert room["advantage"][3, 0].item() == pytest.approx(0.5 * 6.0 - 8.0)
    results = [0.3 - 0.2, 1.0 - 0.3]
    result = (0.2 - 0.1) + 0.8 * (results[0] + 0.8 * results[1])
    assert room["goal"][0, 0, :, 1].tolist() == pytest.approx([0.1 + result, -0.1 - result])


# --- who sits where ---


def test_games_of_equal_length_begin_at_different_depths() -> None:
    run = learner(replace(ALONE, games=64, random_decisions=400), "discovery")
    depths = run.games.batch.save()["decisions"]
    assert len(set(depths.tolist())) >= 12 and depths.max() - depths.min() >= 100


def test_the_league_holds_some_seats_of_its_games_and_never_all() -> None:
    run = learner(options={"players": 3})
    run.step(0)
    assert not run._holders().any()  # there was nobody yet
    run.step(1)
    held = run._holders().sum(1)
    assert held[: ALONE.games // 2].sum() == 0
    assert held[ALONE.games // 2 :].min() >= 1 and held.max() <= 2
    assert 0 < run._room()["own"].float().mean() < 1


def test_earlier_selves_join_and_the_oldest_thin_out() -> None:
    run = learner(replace(ALONE, league_size=2))
    for k in range(4):
        run.step(k)
    assert len(run.league) == 2
    assert torch.equal(run.league[-1]["policy.weight"], run.module.state_dict()["policy.weight"])


def test_a_rival_holds_all_other_seats_and_stays_as_it_is(tmp_path: Path) -> None:
    champion = learner(replace(ALONE, width=32)).trained_network()
    file = champion.save(tmp_path / "champion.safetensors")
    run = learner(replace(ALONE, against=(f"net:{file},temperature=1",)))
    for k in range(2):
        run.step(k)
        assert ((run._holders() > 0).sum(1) == 1).all()
    assert 0.2 < run._room()["own"].float().mean() < 0.8
    assert run._codes and not run.league
    for name, tensor in run.rivals[-1].module.state_dict().items():
        assert np.array_equal(tensor.numpy(), network.load(file).arrays[name])


def test_a_network_opposite_plays_what_the_agent_net_plays(tmp_path: Path) -> None:
    """Without a temperature it prefers its largest logit, as `net:FILE` does."""
    champion = learner(replace(ALONE, width=32)).trained_network()
    file = champion.save(tmp_path / "champion.safetensors")
    run = learner(replace(ALONE, against=(f"net:{file}",), random_decisions=0))
    run.step(0)
    room, rival = run._room(), run.rivals[-1].module
    features, mask = room["features"].flatten(0, 1), room["mask"].flatten(0, 1)
    preferred = rival(features)[0].masked_fill(mask == 0, -1e9).argmax(1)
    theirs = ~room["own"].flatten()
    assert theirs.any() and torch.equal(room["action"].flatten()[theirs], preferred[theirs])


def test_partners_are_held_by_the_learner() -> None:
    """London with three detectives: seat 0 is Mr. X; whoever learns a detective learns all of them."""
    settings = replace(ALONE, against=("random", "league"), games=8, horizon=2, random_decisions=0)
    run = learner(settings, "scotland_yard", {"players": 4})
    run.step(0)
    for seat, holders in zip(run.games.batch.seats, run._holders().tolist(), strict=True):
        assert [number == 0 for number in holders] == [(p == 0) == (seat == 0) for p in range(4)]


@pytest.mark.parametrize("against", [("self",), ("random", "league"), ("heuristic", "self")])
@pytest.mark.parametrize("reward", ["result", "lead", "wall"])
def test_everybody_may_sit_opposite_whatever_is_rewarded(against: tuple[str, ...], reward: str) -> None:
    run = learner(replace(ALONE, against=against, reward=reward, reward_scale=0.1, games=8, horizon=4))
    for k in range(3):
        assert np.isfinite(list(run.step(k).values())).all()


# --- learning, saving ---


def test_a_teacher_is_copied_first() -> None:
    run = learner(
        replace(ALONE, games=64, schedule=40, behaviour_cloning_steps=12, epochs=4, learning_rate=5e-3, blocks=1)
    )
    far = [run.step(k)["policy_loss"] for k in range(12)]
    assert far[-1] < 0.8 * far[0] and not run.league
    shares = run._room()["advice"].sum(2)
    assert torch.allclose(shares, torch.ones_like(shares))
    assert not (run._room()["advice"] * (run._room()["mask"] == 0)).any()
    run.step(12)
    assert run.iteration == 13


def test_a_game_without_a_prior_cannot_be_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._loaded, "pig", tiny.GAME)
    with pytest.raises(BadInput, match="Pig has no prior to copy"):
        learner(replace(ALONE, behaviour_cloning_steps=1), "pig")


@pytest.mark.parametrize("against", [("self",), ("heuristic:ties=random", "random", "league", "self")])
def test_what_was_saved_goes_on_as_if_nothing_had_happened(against: tuple[str, ...]) -> None:
    settings = replace(ALONE, against=against, reward="lead", reward_scale=0.05)
    whole = learner(settings)
    figures = [whole.step(k) for k in range(4)]
    first = learner(settings)
    for k in range(2):
        first.step(k)
    saved = first.save()
    first.step(2)  # does not change what was saved
    second = PPO(whole.setup)
    second.load(*saved)
    assert [second.step(k) for k in range(2, 4)] == figures[2:]
    for name, array in whole.save()[0].items():
        assert np.array_equal(array, second.save()[0][name]), name


def test_weights_and_league_of_former_checkpoints_are_read() -> None:
    """Those of self-play and of PPO against agents, with the names that they had."""
    old = learner()
    old.step(0)
    arrays, _ = old.save()
    names = [name for name, _ in old.module.named_parameters()]
    alone = {}
    for name, array in arrays.items():
        head, _, rest = name.partition("/")
        what, _, parameter = rest.partition("/")
        alone[
            {"weights": f"module/{rest}", "league": f"elders/{rest}"}.get(head)
            or (f"optimiser/{names.index(parameter)}/{what}" if head == "adam" else f"batch/{name}")
        ] = array
    against = {
        f"learner/{name.replace('league/', 'past/')}": array
        for name, array in arrays.items()
        if not name.startswith(("games/", "rewards/"))
    }
    for former in (alone, against):
        found, whole = _under_new_names(former, names)
        assert not whole and set(found) >= {
            name for name in arrays if name.startswith(("weights/", "adam/", "league/"))
        }
        new = PPO(old.setup)
        new.load(former, {})
        for name, tensor in old.module.state_dict().items():
            assert torch.equal(new.module.state_dict()[name], tensor)
            assert torch.equal(new.league[0][name], old.league[0][name])
        assert np.isfinite(list(new.step(1).values())).all()


def test_the_network_can_be_saved_and_has_learnt_something_of_its_own(tmp_path: Path) -> None:
    run = learner()
    before = run.trained_network().arrays["policy.weight"].copy()
    figures = run.step(0)
    assert figures["decisions"] == ALONE.games * ALONE.horizon and np.isfinite(list(figures.values())).all()
    trained = run.trained_network()
    assert not np.array_equal(before, trained.arrays["policy.weight"])
    found = network.load(trained.save(tmp_path / "net.safetensors"))
    assert found.training["iterations"] == 1
    found.check(run.game, run.setup.options)


def test_how_games_end_is_kept_by_seat_and_foretold_by_heads() -> None:
    settings = replace(ALONE, endings="walls boards", horizon=4, random_decisions=0)
    run = learner(settings, options={"players": 3})
    assert run.network.layout.auxiliary == {"points": 3, "walls": 75, "boards": 15}
    room, live = run._room(), run._tensors()
    live["final_seat"][:] = 1
    live["final_features"][:] = torch.arange(live["final_features"].shape[1], dtype=torch.float32)
    run._keep_ending(room, live, 0)
    begin = run.endings["walls"][0]
    assert room["ending"][0, 0, :, 0].tolist() == [begin + 50, begin, begin + 25]  # the first wall is that of seat 1
    assert np.isfinite(list(run.step(0).values())).all()
    with pytest.raises(BadInput, match="no block bag with a row a player"):
        learner(replace(ALONE, endings="bag"))


def test_a_network_can_be_shared_over_the_cells_of_a_map() -> None:
    small = replace(ALONE, games=4, horizon=2, random_decisions=0, architecture="rows", row_width=16)
    run = learner(small, "discovery")
    assert isinstance(run.network.layout, RowsLayout) and run.network.layout.rows == 92
    assert np.isfinite(list(run.step(0).values())).all()
