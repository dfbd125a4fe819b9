"""`ppo` and `dqn` as algorithms of `ludens train`: exact resumption, rewards that add up, partners, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludens.core import kernels, record, registry  # noqa: E402
from ludens.core.agent import Clock, Seating  # noqa: E402
from ludens.core.errors import BadInput  # noqa: E402
from ludens.core.verbs import UNKNOWN  # noqa: E402
from ludens.games.azul.players.heuristic import HeuristicAgent  # noqa: E402
from ludens.games.catan import action_ids as ids  # noqa: E402
from ludens.games.catan.players.value import ValueAgent  # noqa: E402
from ludens.learn.algorithms import algorithm_for, algorithms_of  # noqa: E402
from ludens.learn.plan import make_plan, read_config  # noqa: E402
from ludens.learn.rewards import Rewards, describe_reward, parse_reward  # noqa: E402
from ludens.learn.training import Training  # noqa: E402
from ludens.networks import network  # noqa: E402
from ludens.play.batch import SeatedGames, Teacher  # noqa: E402
from ludens.play.opponents import Opponents  # noqa: E402

AZUL = registry.game("azul")
OPTIONS = AZUL.options({"players": 2, "round_limit": 50})
TINY: dict[str, dict[str, Any]] = {
    "ppo": {
        "games": 8, "horizon": 6, "minibatches": 2, "width": 16, "league_every": 1, "architecture": "rows",
        "row_width": 16, "reward": "projected:c=2", "reward_scale": 0.1, "result_weight": 0.5, "teacher": "heuristic",
        "behaviour_cloning_steps": 1, "against": ["heuristic", "heuristic:ties=random", "random", "self", "league"],
    },
    "dqn": {
        "games": 8, "horizon": 6, "width": 16, "replay_size": 64, "warm_up": 24, "batch": 16, "target_every": 5,
        "reward": "lead", "reward_scale": 0.05, "against": ["heuristic", "random", "target"],
    },
}  # fmt: skip


def training(name: str, folder: Path, evaluate_games: int = 0, **settings: Any) -> Training:
    algorithm = algorithm_for(AZUL, name)
    config = {
        "steps": 4, "seed": 3, "report_every": 1, "checkpoint_every": 1, "evaluate_every": 4,
        "evaluate_games": evaluate_games, "opponents": ["heuristic"], "settings": {**TINY[name], **settings},
    }  # fmt: skip
    return Training(AZUL, algorithm, *make_plan(AZUL, algorithm, config), folder)


@pytest.mark.parametrize("name", ["ppo", "dqn"])
def test_a_training_that_was_broken_off_gives_the_same_files(name: str, tmp_path: Path) -> None:
    whole = training(name, tmp_path / "whole", evaluate_games=2)
    whole.begin(resume=False)
    whole.run()
    broken = training(name, tmp_path / "broken", evaluate_games=2)
    broken.begin(resume=False)
    broken.run(until=2)
    again = training(name, tmp_path / "broken", evaluate_games=2)
    again.begin(resume=True)
    again.run()
    for file in ("curve.csv", "evaluations.csv", "checkpoint.json", "agent.safetensors"):
        assert (tmp_path / "broken" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes(), file
    assert whole.evaluations[-1].games == 2
    found = network.load_for(tmp_path / "whole" / "agent.safetensors", AZUL, OPTIONS)
    assert found.training["steps"] == 4
    kept = found.training["settings"]["reward"]
    assert kept == ("lead" if name == "dqn" else "projected:c=2,c1=1,c2=0,c3=0.5,real_wall=0,level_floor=0")


@pytest.mark.parametrize("damage", ["weights/policy.weight", "games/states", "adam/exp_avg/input.bias"])
def test_a_checkpoint_that_lacks_something_is_refused(damage: str, tmp_path: Path) -> None:
    one = training("ppo", tmp_path)
    one.begin(resume=False)
    one.run(until=1)
    path = tmp_path / "checkpoint.json"
    document = json.loads(path.read_text())
    del document["arrays"][damage]
    path.write_text(json.dumps(document))
    with pytest.raises(BadInput, match="no checkpoint of ppo"):
        training("ppo", tmp_path).begin(resume=True)


def test_every_game_can_be_learned_by_both() -> None:
    for game in registry.games():
        assert {"ppo", "dqn"} <= set(algorithms_of(game))


def table(size: int, *pool: str, game: Any = AZUL, options: np.ndarray = OPTIONS, seed: int = 5) -> SeatedGames:
    games = SeatedGames(game, options, size, Opponents(game, options, size, pool=pool))
    games.start(seed)
    return games


def play_randomly(games: SeatedGames, rewards: Rewards, decisions: int) -> list[tuple[float, float]]:
    """(sum of its rewards, result) of all games that ended."""
    random, sums, found = np.random.default_rng(1), np.zeros(games.size), []
    rewards.begin()
    for _ in range(decisions):
        out, seats = games.out, torch.from_numpy(games.batch.seats.copy())
        action = np.where(out.mask == 1, random.random(out.mask.shape), -1).argmax(1)
        rewards.before(torch.from_numpy(action))
        games.step(action)
        rewards.after()
        names = ("reward", "terminated", "truncated", "final_scores")
        live = {name: torch.from_numpy(getattr(out, name)) for name in names}
        held = torch.nn.functional.one_hot(seats, games.players).bool()
        worth = rewards.of_step(live, seats, held, others=True)
        mine = worth.gather(1, seats[:, None, None].expand(-1, 1, worth.shape[2]))[:, 0]
        sums += mine[:, 0].numpy()
        for i in np.flatnonzero(out.done):
            found.append((float(sums[i]), float(mine[i, -1])))
            sums[i] = 0
    return found


def test_the_fourth_reward_is_the_true_result() -> None:
    """Nothing before the end, then 1 for a victory and -1 for a defeat (AZ-137)."""
    games = table(6, "heuristic")
    rewards = Rewards(games, "result", 1.0, 0.0)
    found = play_randomly(games, rewards, 60)
    assert len(found) >= 6
    assert all(earned == pytest.approx(result) for earned, result in found)
    assert {result for _, result in found} == {-1.0}, "random play loses to the heuristic"
    assert rewards.figures()["won"] == 0


def test_rewards_of_a_lead_add_up_to_the_final_lead() -> None:
    games = table(6, "random")
    rewards = Rewards(games, "lead", 0.5, 0.0)
    found = play_randomly(games, rewards, 60)
    figures = rewards.figures()
    assert np.mean([earned for earned, _ in found]) == pytest.approx(0.5 * figures["lead"], abs=1e-4)
    assert figures["reward"] == pytest.approx(0.5 * figures["lead"], abs=1e-4)
    assert figures["lead"] == pytest.approx(figures["points"] - figures["best_other"])


def test_the_heuristic_plays_the_same_for_one_game_and_for_many() -> None:
    games = table(12, "random", seed=2)
    teacher = Teacher(games, "heuristic")
    teacher.begin_step(2)
    agent = HeuristicAgent()
    agent.start(Seating(AZUL, OPTIONS, 0, 1))
    for _ in range(8):
        advice = teacher.advice().argmax(1)
        for i in range(games.size):
            legal = np.flatnonzero(games.out.mask[i])
            assert advice[i] == agent.choose(games.batch.states[i : i + 1].copy(), legal, Clock())
        games.step(advice)


def test_catans_value_plays_the_same_for_one_game_and_for_many() -> None:
    """Seats are told apart, and a seat that remembers nothing makes one offer a turn."""
    catan = registry.game("catan")
    options = catan.options({"board": "variable"})
    games = table(12, "value", game=catan, options=options, seed=2)
    teacher = Teacher(games, "value")
    teacher.begin_step(2)
    offers, compared = 0, 0
    for _ in range(60):
        advice = teacher.advice().argmax(1)
        for i, seat in enumerate(games.batch.seats.tolist()):
            view = record.blank(catan.dtype)
            kernels.view_at(games.batch.states, i, seat, view)
            if (view["hand"] != UNKNOWN).all():  # nothing is guessed, so that no draw decides
                agent = ValueAgent(offers=1)
                agent.start(Seating(catan, options, seat, 1))
                assert advice[i] == agent.choose(view, np.flatnonzero(games.out.mask[i]), Clock())
                compared += 1
        offers += int((advice == ids.PROPOSE).sum())
        games.step(advice)
    assert compared > 150
    assert offers > 0


def test_a_training_may_begin_with_a_network_and_multiply_briefly(tmp_path: Path) -> None:
    first = training("ppo", tmp_path / "first")
    first.begin(resume=False)
    first.run()
    learned = str(tmp_path / "first" / "agent.safetensors")
    second = training("ppo", tmp_path / "second", start=learned, bfloat16=1, behaviour_cloning_steps=0)
    before = network.load(learned).arrays
    learner: Any = second._learner
    now = learner.network.arrays
    assert all(np.array_equal(now[name], before[name]) for name in before)
    second.begin(resume=False)
    second.run(until=2)
    again = training("ppo", tmp_path / "second", start=learned, bfloat16=1, behaviour_cloning_steps=0)
    again.begin(resume=True)
    again.run()
    assert again.step == 4
    with pytest.raises(BadInput, match="another width"):
        training("ppo", tmp_path / "third", start=learned, width=32)
    with pytest.raises(BadInput, match="bfloat16 must be from 0 to 1"):
        training("ppo", tmp_path / "third", bfloat16=2)


def test_the_prior_can_be_the_teacher() -> None:
    """Its shares are positive for legal actions alone and add up to one."""
    games = table(4, "random", seed=2)
    shares = Teacher(games, "prior").advice()
    assert ((shares > 0) == (games.out.mask == 1)).all()
    assert shares.sum(1) == pytest.approx(np.ones(4), abs=1e-5)


@pytest.mark.parametrize(
    ("name", "settings", "sentence"),
    [
        ("ppo", {"reward": "resutl"}, "did you mean result"),
        ("ppo", {"reward": "wall:c9=1"}, "constant of the reward wall"),
        ("ppo", {"reward": "wall:c=much"}, "must be a number"),
        ("dqn", {"reward": "immediate:c=1"}, "has no constants"),
        ("ppo", {"architecture": "tower"}, "architecture is one of plain, rows"),
        ("ppo", {"parts": 2}, "parts of ppo is called minibatches now"),
        ("ppo", {"rival": "file"}, "called against = "),
        ("dqn", {"memory": 2}, "memory of dqn is called replay_size now"),
        ("ppo", {"device": "gpu"}, "cpu or cuda, not 'gpu'"),
        ("ppo", {"teacher": "heuristik"}, "did you mean heuristic"),
        ("ppo", {"against": ["nobody"]}, "nobody"),
        ("ppo", {"games": 0}, "games must be at least 1"),
        ("dqn", {"n_step": 0}, "n_step must be at least 1"),
        ("ppo", {"clip": -1.0}, "clip must be from"),
        ("ppo", {"discount": 7.0}, "discount must be from 0 to 1, not 7"),
        ("dqn", {"last_epsilon": -0.1}, "last_epsilon must be from 0 to 1"),
        ("dqn", {"replay_size": 10**12}, "replay_size must be from 1"),
        ("ppo", {"horizon": 1 << 23}, "decisions and no more"),
        ("dqn", {"epslon": 0.1}, "did you mean epsilon"),
        ("ppo", {"width": 17}, "multiple of 16"),
    ],
)
def test_settings_that_make_no_sense_are_refused_by_name(
    name: str, settings: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=sentence):
        training(name, tmp_path, **settings)


def test_a_game_without_a_table_has_no_rows() -> None:
    catan = registry.game("catan")
    algorithm = algorithm_for(catan, "ppo")
    plan = make_plan(catan, algorithm, {"settings": {"architecture": "rows"}})
    with pytest.raises(BadInput, match="names no table"):
        Training(catan, algorithm, *plan, Path("nowhere"))


def test_rewards_are_described_in_full_for_records() -> None:
    assert describe_reward(AZUL, "wall:c1=2") == "wall:c=3,c1=2,c2=0,c3=0.5,real_wall=0,level_floor=0"
    assert describe_reward(registry.game("catan"), "result") == "result"
    with pytest.raises(BadInput, match="reward of catan"):
        parse_reward(registry.game("catan"), "wall")


def test_a_former_checkpoint_goes_on_with_its_weights(tmp_path: Path) -> None:
    """Its settings and arrays have the names of before; its games and its curve begin anew."""
    one = training("ppo", tmp_path)
    one.begin(resume=False)
    one.run(until=2)
    path = tmp_path / "checkpoint.json"
    document = json.loads(path.read_text())
    settings = document["identity"]["settings"]
    for old, new in {"length": "horizon", "parts": "minibatches", "past_every": "league_every"}.items():
        settings[old] = settings.pop(new)
    settings["against"] = ["past" if code == "league" else code for code in settings["against"]]
    del settings["league"]
    document["arrays"] = {
        f"learner/{name.replace('league/', 'past/')}": entry
        for name, entry in document["arrays"].items()
        if name.startswith(("weights/", "adam/", "league/"))
    }
    path.write_text(json.dumps(document))
    again = training("ppo", tmp_path)
    again.begin(resume=True)
    learner: Any = again._learner
    before: Any = one._learner
    assert again.step == 2 and len(learner.league) == len(before.league) > 0
    for name, tensor in before.module.state_dict().items():
        assert torch.equal(learner.module.state_dict()[name], tensor)
    again.run()
    settings["clip"] = 0.3
    path.write_text(json.dumps(document))
    with pytest.raises(BadInput, match="has settings"):
        training("ppo", tmp_path).begin(resume=True)


def test_selfplay_is_a_setting_of_ppo() -> None:
    with pytest.raises(BadInput, match=r'selfplay is called ppo now, with the setting against = \["self"\]'):
        algorithm_for(AZUL, "selfplay")


def test_options_and_settings_of_the_champions_are_those_of_the_algorithm() -> None:
    for path in sorted((Path(__file__).parents[2] / "experiments" / "champions").glob("*.toml")):
        run = read_config(path)
        game = registry.game(run["game"])
        config = {"options": run.get("options", {}), "settings": run["settings"]}  # the rest is train.py's own
        assert make_plan(game, algorithm_for(game, "ppo"), config)[2].games >= 64


def test_files_of_trainings_use_the_present_words() -> None:
    for path in sorted((Path(__file__).parents[2] / "experiments").glob("[ac]*/*p*o*.toml")):
        if path.parent.name != "champions" and any(word in path.name for word in ("ppo", "dqn")):
            game = registry.game(path.parent.name)
            algorithm = algorithm_for(game, "dqn" if "dqn" in path.name else "ppo")
            assert make_plan(game, algorithm, read_config(path))[0].steps > 0
