"""Linear values of Catan: v̂, rewards, learning, files and the thesis' named agents (CA-37 … CA-63, CA-84 … CA-86)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.agents.codes import kinds, make_agent
from ludens.core import kernels, record
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.games.catan import GAME, phases
from ludens.games.catan import action_ids as ids
from ludens.games.catan.players.linear.files import document_of, load_model, named_agents, read_model, write_model
from ludens.games.catan.players.linear.table import LearningTable, LinearTask
from ludens.games.catan.players.linear.value import MODEL, REWARDS, make_model, new_memo
from ludens.games.catan.players.planner.values import quick_value
from ludens.games.catan.players.thesis_features import BASE, EXPANDED, squash
from ludens.lab.series import run
from ludens.learn.linear import LinearTraining, self_play
from ludens.play.game import play_game
from tests.games.catan.compiled import expanded_at, remembered_at
from tests.games.catan.table import Table, example

THESIS = {**LinearTask.options, "turn_limit": 120}


def random_model(seed: int = 0, reward: str = "points") -> np.ndarray:
    rng = np.random.default_rng(seed)
    return make_model(rng.normal(size=EXPANDED), rng.normal(size=BASE), rng.uniform(0.5, 2, BASE), reward)


def value(states: np.ndarray, seat: int, model: np.ndarray) -> float:
    return float(quick_value(states, seat, model))


def test_values_found_again_are_those_worked_out_anew_to_the_last_bit() -> None:
    model, memo, scratch, rng = random_model(), new_memo(), record.blank(GAME.dtype), np.random.default_rng(3)
    match, met = Match(GAME, {"players": 4}, seed=2), set()
    for _ in range(250):
        state = match.state()
        met.add(int(state[0].phase))
        for seat in (0, 1, 2, 3, 0):  # the last is in the memo
            assert remembered_at(state, 0, seat, model, scratch, memo) == value(state, seat, model)
        match.play(int(rng.choice(match.legal())))
    assert len(met) > 5
    assert (memo.age > 0).sum() > 100


def test_ca_52_the_squash_is_tanh_to_eight_digits() -> None:
    x = np.concatenate([np.linspace(-60, 60, 2001), [0.0, 1e-9, -1e-9, 1e300, -1e300]])
    assert [squash(float(one)) for one in x] == pytest.approx(np.tanh(x / 2), abs=2e-8)


def test_ca_46_the_value_is_the_product_of_weights_and_features() -> None:
    table, model = example(), random_model()
    table.s.phase = phases.MAIN
    x = np.zeros(EXPANDED)
    mean, deviation = model[EXPANDED : EXPANDED + BASE], model[EXPANDED + BASE : EXPANDED + 2 * BASE]
    expanded_at(table.states, 0, 0, False, mean, deviation, False, np.zeros(BASE), x)
    assert value(table.states, 0, model) == pytest.approx(x @ model[:EXPANDED])
    assert quick_value(table.states, 0, model) == pytest.approx(x @ model[:EXPANDED])


@pytest.mark.parametrize(("reward", "won", "lost"), [("points", 1800, 500), ("win", 1100, 70)])
def test_ca_84_the_rewards_of_a_victory_with_10_and_a_defeat_with_7(reward: str, won: float, lost: float) -> None:
    table = Table()
    s = table.s
    s.phase, s.winner = phases.OVER, 0
    s.visible[0], s.cards[0, 1] = 9, 1
    s.visible[1] = 7
    model = random_model(reward=reward)
    assert value(table.states, 0, model) == won
    assert value(table.states, 1, model) == lost
    assert set(REWARDS) == {"points", "win"}


def test_ca_25_a_card_that_is_being_drawn_is_worth_the_mean_of_what_it_may_be() -> None:
    table = example()
    s = table.s
    s.phase, s.current, s.rolled = phases.MAIN, 0, 1
    s.hand[0, :] = [0, 0, 1, 1, 1]
    s.count[0] = 3
    after = table.states.copy()
    kernels.apply_at(after, 0, ids.BUY)
    assert after["phase"][0] == phases.DEAL
    outcomes, weights = np.zeros(64, np.int64), np.zeros(64)
    n = kernels.chance_at(after, 0, outcomes, weights)
    model = random_model()
    expected = 0.0
    for k in range(n):
        child = after.copy()
        kernels.apply_at(child, 0, int(outcomes[k]))
        expected += weights[k] * value(child, 0, model)
    assert value(after, 0, model) == pytest.approx(expected)


# --- files --------------------------------------------------------------------------------


def document(**changes: Any) -> dict[str, Any]:
    rng = np.random.default_rng(3)
    numbers = rng.normal(size=EXPANDED), rng.normal(size=BASE), rng.uniform(1, 2, BASE)
    return {**document_of(*numbers, "points", {"games": 3}), **changes}


def test_ca_84_weights_survive_a_file_exactly(tmp_path: Path) -> None:
    made = document()
    write_model(tmp_path / "weights.json", made)
    model = read_model(tmp_path / "weights.json")
    assert len(model) == MODEL
    assert model[:EXPANDED].tolist() == made["weights"]
    assert (load_model(str(tmp_path / "weights.json")) == model).all()


def test_ca_62_the_weights_before_stay_beside_new_ones(tmp_path: Path) -> None:
    path = tmp_path / "agent.json"
    write_model(path, document())
    assert not path.with_name("agent.json.bak").exists()
    first = read_model(path)
    write_model(path, document(weights=[1.0] * EXPANDED))
    assert (load_model(str(tmp_path / "agent.json.bak")) == first).all()
    assert (read_model(path)[:EXPANDED] == 1.0).all()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": "ludens-linear/9"}, "format"),
        ({"game": "azul@1"}, "game azul@1"),
        ({"game": "catan@7"}, "game catan@7"),
        ({"features": "thesis-9"}, "features thesis-9"),
        ({"reward": "luck"}, "reward"),
        ({"weights": [1.0]}, "weights must be a list of 1653"),
        ({"mean": [float("nan")] * BASE}, "mean must be a list of 56"),
        ({"deviation": "no"}, "deviation"),
    ],
)
def test_a_file_of_others_is_refused_by_name(changes: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps(document(**changes)))
    with pytest.raises(BadInput, match=sentence):
        make_agent(GAME, f"linear:weights={path}")


def test_a_cut_off_or_missing_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps(document())[:500])
    with pytest.raises(BadInput, match="cut off"):
        read_model(path)
    with pytest.raises(BadInput, match="Cannot read"):
        load_model(str(tmp_path / "none.json"))
    with pytest.raises(BadInput, match="did you mean modrozoubek"):
        load_model("modrozubek")


# --- the named agents ---------------------------------------------------------------------


def test_ca_61_eleven_agents_of_three_kinds() -> None:
    found = named_agents()
    assert list(found) == [
        *("modrozoubek", "turbo", "anca", "beruska", "boruvka", "dratek"),
        *("houba", "piskot", "zofka", "lisak", "bahnak"),
    ]
    assert [about["kind"] for about in found.values()].count("learning") == 6
    for name in found:
        assert name in kinds(GAME)
        make_agent(GAME, name)
    depths = [found[name]["config"]["depth"] for name in ("houba", "piskot", "zofka", "lisak")]
    assert depths == [1, 1, 3, 5]  # CA-76


def test_ca_63_the_learners_have_the_settings_of_the_thesis() -> None:
    for about in list(named_agents().values())[:6]:
        config = about["config"]
        assert (config["depth"], config["n_actions"], config["tau"], config["gamma"]) == (1, 3, 10, 0.9)
        assert config["default_reward"] == -5


@pytest.mark.parametrize("code", ["linear", "linear:epsilon=0.3,max_offers=0", "bahnak", "houba:epsilon=0.2"])
def test_games_of_linear_players_are_legal_and_repeatable(code: str) -> None:
    options = GAME.options({**THESIS, "turn_limit": 24 if code.startswith("houba") else 120})
    codes = [code, "linear", "value", "bahnak"]
    one, other = (play_game(GAME, options, codes, 5) for _ in range(2))
    assert one.choices == other.choices


def test_ca_86_the_learned_player_beats_random_turns_clearly() -> None:
    result = run(GAME, ["modrozoubek", "bahnak", "bahnak", "bahnak"], 24, options=THESIS | {"turn_limit": 500})
    assert result.agents[0].interval[0] > 0.25


# --- learning -----------------------------------------------------------------------------


def test_ca_70_self_play_is_repeatable_and_changes_the_weights() -> None:
    task = LinearTask(GAME, GAME.options(THESIS), "points", 3, 3)
    task.estimate(3, 1)
    assert (task.deviation >= 0).all()
    found = []
    for _ in range(2):
        weights = np.zeros(EXPANDED)
        figures = [self_play(task.table(), LinearTraining(), weights, game, 9) for game in range(2)]
        found.append((weights, figures))
    assert (found[0][0] == found[1][0]).all()
    assert found[0][1] == found[1][1]
    assert found[0][0].any()
    assert 0 < figures[0]["turns"] <= 120


def test_ca_44_only_ends_of_own_turns_are_met() -> None:
    table = LearningTable(GAME, GAME.options(THESIS), np.zeros(BASE), np.ones(BASE))
    table.begin(2)
    seats = []
    while (seat := table.next_turn(np.ones(4))) >= 0:
        seats.append(seat)
    assert seats[:8] == [0, 1, 2, 3, 0, 1, 2, 3]


def test_an_unknown_reward_is_refused() -> None:
    with pytest.raises(BadInput, match="did you mean points"):
        LinearTask(GAME, GAME.options(THESIS), "point", 3, 3)
