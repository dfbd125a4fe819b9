"""Configurations: what they may say, and how a wrong one is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.learn.algorithms import ALGORITHMS, algorithm_for, algorithms_of
from ludens.learn.curves import drawn
from ludens.learn.plan import make_plan, read_config
from tests.learn.toys import WALK

AZUL = registry.game("azul")


def test_defaults_are_filled_in() -> None:
    plan, options, settings = make_plan(AZUL, WALK, {})
    assert (plan.steps, plan.report_every, plan.checkpoint_every, plan.evaluate_every) == (100, 2, 2, 25)
    assert plan.opponents == ("random",)
    assert options == dict(AZUL.spec.tournament)
    assert settings == WALK.settings()
    assert make_plan(AZUL, WALK, {"game": "azul", "algorithm": "walk"})[0] == plan


def test_a_file_is_read_as_toml(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(
        'seed = 3\nopponents = ["random"]\n[settings]\nsize = 2\nmarks = [[0, 0.4], [5, 0.1]]\nstrict = true\n'
    )
    plan, _, settings = make_plan(AZUL, WALK, read_config(path))
    assert plan.seed == 3
    assert settings.size == 2.0
    assert settings.marks == ((0, 0.4), (5, 0.1))
    assert settings.strict is True
    path.write_text("seed = = 3")
    with pytest.raises(BadInput, match="not TOML"):
        read_config(path)


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ({"sed": 3}, "did you mean seed"),
        ({"game": "catan"}, "for the game catan, not for azul"),
        ({"algorithm": "dqn"}, "for the algorithm dqn, not for walk"),
        ({"settings": {"siz": 3}}, "did you mean size"),
        ({"settings": {"size": "large"}}, "size must be a number"),
        ({"settings": {"count": 1.5}}, "count must be a whole number"),
        ({"settings": {"count": True}}, "count must be a whole number"),
        ({"settings": {"strict": 1}}, "strict must be true or false"),
        ({"settings": {"name": 4}}, "name must be a text"),
        ({"settings": {"marks": 4}}, "marks must be a list"),
        ({"settings": {"marks": [4]}}, "Every entry of marks must be a list of 2 values"),
        ({"settings": {"marks": [[4]]}}, "Every entry of marks must be a list of 2 values"),
        ({"settings": {"marks": [[4, "x"]]}}, "Every value of marks must be a number"),
        ({"settings": {"size": float("nan")}}, "size must be a finite number"),
        ({"settings": {"size": float("-inf")}}, "size must be a finite number"),
        ({"opponents": []}, "opponents must name at least one agent"),
        ({"opponents": [3]}, "Every entry of opponents must be a text"),
        ({"settings": 3}, "must be a table"),
        ({"options": []}, "must be a table"),
        ({"steps": -1}, "steps must be at least 1"),
        ({"steps": 0}, "steps must be at least 1"),
        ({"steps": 10**12}, "steps must be at least 1 and at most"),
        ({"report_every": 0}, "report_every must be at least 1"),
        ({"steps": "many"}, "steps must be a whole number"),
        ({"seed": -1}, "seed"),
        ({"evaluate_games": -1}, "evaluate_games"),
    ],
)
def test_a_wrong_configuration_is_refused_by_name(config: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        make_plan(AZUL, WALK, config)


WRONG_FILE = """# a training
seed = 3
{top}

[settings]
size = 2
{setting}

[options]
{option}
"""


@pytest.mark.parametrize(
    ("place", "line", "sentence"),
    [
        ({"top": "stepps = 3"}, 3, "Unknown key of a training 'stepps'; did you mean steps?"),
        ({"top": 'steps = "many"'}, 3, "steps must be a whole number, not 'many'."),
        ({"top": "steps = 0"}, 3, "steps must be at least 1 and at most 1,000,000,000, not 0."),
        ({"top": "evaluate_games = -1"}, 3, "evaluate_games must be at least 0"),
        ({"top": 'algorithm = "wlak"'}, 3, "The configuration is for the algorithm wlak, not for walk."),
        ({"top": 'opponents = ["heuristc"]'}, 3, "Unknown agent of azul 'heuristc'; did you mean heuristic?"),
        ({"top": 'opponents = ["mcts:simulation=3"]'}, 3, "did you mean simulations"),
        ({"setting": "siz = 3"}, 7, "Unknown setting of walk 'siz'; did you mean size?"),
        ({"setting": 'count = "x"'}, 7, "count must be a whole number, not 'x'."),
        ({"option": 'wal = "grey"'}, 10, "Unknown option of azul 'wal'; did you mean wall?"),
        ({"option": 'wall = "gray"'}, 10, "grey"),
    ],
)
def test_what_is_wrong_in_a_file_is_refused_with_its_line(
    place: dict[str, str], line: int, sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(WRONG_FILE.format(**{"top": "", "setting": "", "option": "", **place}))
    with pytest.raises(BadInput) as refused:
        make_plan(AZUL, WALK, read_config(path))
    assert str(refused.value).startswith(f"{path}, line {line}: ")
    assert sentence in str(refused.value)


def test_bounds_of_a_setting_are_refused_with_the_line_of_the_setting(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text("[settings]\ngamma = 0.9\ntrace = 7\n")
    with pytest.raises(BadInput, match=r"plan\.toml, line 3: gamma and trace must lie between 0 and 1"):
        make_plan(registry.game("catan"), ALGORITHMS["true-online"], read_config(path))


def test_what_overrides_a_file_is_refused_without_a_line(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text("steps = 3\n[settings]\nsize = 2\n")
    config = read_config(path)
    config["steps"] = -5
    with pytest.raises(BadInput, match=r"^steps must be at least 1"):
        make_plan(AZUL, WALK, config)
    config = read_config(path)
    config["settings"] = {**config["settings"], "size": "large", "count": 3}
    with pytest.raises(BadInput, match=r"^size must be a number"):
        make_plan(AZUL, WALK, config)


def test_what_a_learner_refuses_stands_at_the_setting_that_it_names(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text('seed = 1\n[settings]\nwidth = 64\narchitecture = "round"\nagainst = ["selv"]\n')
    config = read_config(path)
    with pytest.raises(BadInput, match=r"line 4: The architecture is one of"), config.within("settings"):
        raise BadInput("The architecture is one of plain, rows, not 'round'.")
    with pytest.raises(BadInput, match=r"line 5: Unknown agent"), config.within("settings"):
        raise BadInput("Unknown agent of azul 'selv'; known: random.")
    with pytest.raises(BadInput, match=r"line 2: It cannot be"), config.within("settings"):
        raise BadInput("It cannot be.")


def test_what_makes_an_algorithm_what_it_is_cannot_be_set() -> None:
    catan = registry.game("catan")
    with pytest.raises(BadInput, match="rule of sarsa is sarsa"):
        make_plan(catan, ALGORITHMS["sarsa"], {"settings": {"rule": "true-online"}})
    assert make_plan(catan, ALGORITHMS["sarsa"], {})[2].rule == "sarsa"


@pytest.mark.parametrize(
    ("game", "algorithm", "setting"),
    [
        *(("scotland_yard_grid", "q-learning", one) for one in ({"final_alpha": -3.0}, {"schedule": 0}, {"reveal": 5})),
        *(("catan", "true-online", {name: value}) for name, value in (("n_actions", 0), ("max_offers", -1))),
        *(("catan", "true-online", one) for one in ({"normalising_games": 0}, {"exploration": [[5, 0.1], [0, 0.2]]})),
        *(("discovery", "gradient", one) for one in ({"rate": -1}, {"rate": 0}, {"iterations": 0}, {"clip": 0})),
        *(("discovery", "genetic", one) for one in ({"games": 0}, {"population": 10**9}, {"spread": 1e6})),
    ],
)
def test_a_setting_beyond_its_bounds_is_refused_by_name(game: str, algorithm: str, setting: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=next(iter(setting))):
        make_plan(registry.game(game), ALGORITHMS[algorithm], {"settings": setting})


def test_every_game_lists_its_algorithms() -> None:
    assert set(algorithms_of(registry.game("catan"))) >= {"monte-carlo", "sarsa", "td-lambda", "true-online"}
    assert set(algorithms_of(registry.game("discovery"))) >= {"gradient", "genetic"}
    assert "q-learning" in algorithms_of(registry.game("scotland_yard_grid"))
    with pytest.raises(BadInput, match="did you mean true-online"):
        algorithm_for(registry.game("catan"), "true_online")
    with pytest.raises(BadInput, match="algorithm for azul"):
        algorithm_for(AZUL, "q-learning")


def test_curves_are_drawn_from_low_to_high() -> None:
    lines = drawn(list(range(100)), width=20, height=4)
    assert len(lines) == 4
    assert lines[0].rstrip().endswith("█")
    assert [line.count("█") for line in lines] == sorted(line.count("█") for line in lines)
    assert drawn([]) == []
    assert len(drawn([1.0, 1.0])) == 6
