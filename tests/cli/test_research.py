"""`ludens exploit`, `ludens balance` and `ludens dataset`: what they write, that they go on, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Ludens

EXPLOIT = ("exploit", "scotland_yard_grid", "chase", "-o", "max_rounds=4", "--workers", "1")
BALANCE = ("balance", "azul", "--vary", "first=1,2", "--weak", "random", "--strong", "heuristic", "--games", "4",
           "--workers", "1")  # fmt: skip


def test_attackers_stand_side_by_side_and_a_second_run_plays_nothing(ludens: Ludens, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    command = (*EXPLOIT, "--starts", "40", "--games", "4", "--simulations", "8", "--steps", "1", "-s", "games=4",
               "-s", "horizon=8", "-s", "width=16", "--out", str(tmp_path), "--json")  # fmt: skip
    run = ludens(*command)
    assert run.status == 0, run.err
    told = json.loads(run.out)
    found = {(one["attacker"], one["side"]): one for one in told["attacks"]}
    assert set(found) == {("exact best response", "Mr. X")} | {
        (attacker, side) for attacker in ("search", "learner") for side in ("Mr. X", "Detectives")
    }
    for one in found.values():
        assert one["low"] <= one["won"] <= one["high"]
    assert found["search", "Mr. X"]["own"] == found["learner", "Mr. X"]["own"]  # the same seeds
    assert found["exact best response", "Mr. X"]["games"] == 40
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "exact best response" in text and "ludens exploit" in text
    before = (tmp_path / "results.db").read_bytes()
    assert json.loads(ludens(*command).out) == told
    assert (tmp_path / "results.db").read_bytes() == before


@pytest.mark.slow
def test_a_small_tree_is_attacked_and_solved_as_a_whole(ludens: Ludens, tmp_path: Path) -> None:
    options = ("-o", "round_limit=1", "-o", "first=1", "-o", "factories=1", "-o", "tiles=1")
    run = ludens("exploit", "azul", "heuristic", *options, "--attackers", "exact", "--equilibrium", "8", "--out",
                 str(tmp_path), "--json")  # fmt: skip
    assert run.status == 0, run.err
    told = json.loads(run.out)
    first, second = told["attacks"]
    assert (first["place"], second["place"]) == (0, 1)
    # Whoever responds gets no less than the value of the game.
    assert first["won"] >= told["equilibrium"]["low"] - 1e-9
    assert 1 - second["won"] <= told["equilibrium"]["high"] + 1e-9


def test_a_balance_tells_every_value_and_goes_on(ludens: Ludens, tmp_path: Path) -> None:
    run = ludens(*BALANCE, "--out", str(tmp_path), "--json")
    assert run.status == 0, run.err
    one, two = json.loads(run.out)["variations"]
    assert (one["name"], two["name"]) == ("first=1", "first=2")
    assert one["games"] == 16  # two agents alone, one strong on each of two seats
    for agent in ("weak", "strong"):
        assert len(one["seats"][agent]) == 2
        low, high = one["length"][agent][1:]
        assert low <= one["length"][agent][0] <= high
        assert one["choices"][agent][0] <= one["length"][agent][0]
    assert one["spread"][0] > 1  # the heuristic beats random play
    assert one["luck"]["weak"] == [None, None, None]
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "Strong against weak" in text
    assert (tmp_path / "report_figures" / "balance_spread.svg").exists()
    again = ludens(*BALANCE, "--out", str(tmp_path), "--json")
    assert json.loads(again.out)["variations"] == [one, two]


def test_a_file_says_what_varies(ludens: Ludens, tmp_path: Path) -> None:
    file = tmp_path / "points.toml"
    file.write_text('game = "azul"\nweak = "random"\nstrong = "heuristic"\ngames = 2\n[vary]\ntiles = [10, 20]\n')
    run = ludens("balance", str(file), "--json")
    assert run.status == 0, run.err
    assert [one["name"] for one in json.loads(run.out)["variations"]] == ["tiles=10", "tiles=20"]
    file.write_text('game = "azul"\ngames = "many"\n[vary]\ntiles = [10]\n')
    run = ludens("balance", str(file))
    assert run.status == 2
    assert "games must be a whole number" in run.err


def test_the_examples_can_be_read() -> None:
    from ludens.core import registry
    from ludens.lab.balance import balance_schedules, read_balance

    files = sorted((Path(__file__).parents[2] / "experiments").glob("*/balance*.toml"))
    plans = [read_balance(file) for file in files]
    assert {plan.game for plan in plans} == set(registry.BUILT_IN)
    for plan in plans:
        agents = (plan.weak, plan.strong)
        assert balance_schedules(registry.game(plan.game), plan.vary, agents, plan.games, options=plan.options)


def test_data_are_written_in_shards_and_cloned(ludens: Ludens, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("torch")
    command = ("dataset", "azul", "heuristic", "random", "--rows", "100", "--out", str(tmp_path / "data"))
    assert ludens(*command, "--games", "3").status == 0
    run = ludens(*command, "--games", "5", "--json")
    assert run.status == 0, run.err
    assert json.loads(run.out)["shards"] >= 2
    refused = ludens("dataset", "azul", "random", "--out", str(tmp_path / "data"))
    assert refused.status == 2
    assert "holds data of another series" in refused.err
    trained = ludens("train", "azul", "cloning", "--data", str(tmp_path / "data"), "--steps", "2", "-s", "batch=16",
                     "-s", "minibatches=2", "-s", "width=16", "--out", str(tmp_path / "clone"), "--json")  # fmt: skip
    assert trained.status == 0, trained.err
    told = json.loads(trained.out)
    assert told["curve"][-1]["agreed"] >= 0
    assert told["agent"].startswith("net:")


def test_bad_input_is_one_sentence(ludens: Ludens, tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "x"))
    cases = [
        (("exploit", "azul", "nobody", *out), "Unknown agent"),
        (("exploit", "azul", "random", "--attackers", "hope", *out), "Unknown attacker"),
        (("exploit", "azul", "random", "--attackers", "learner", "--steps", "0", *out), "at least 1 step"),
        (("balance", "azul", *out), "Nothing varies"),
        (("balance", "azul", "--vary", "colour=1,2", *out), "Unknown option"),
        (("balance", "azul", "--vary", "first=1,1", *out), "a value twice"),
        (("balance", "azul", "--vary", "first=1,2", "--weak", "medium", *out), "must differ"),
        (("dataset", "azul", "nobody", *out), "Unknown agent"),
        (("train", "azul", "cloning", *out), "needs data"),
        (("train", "azul", "cloning", "--data", str(tmp_path), *out), "holds no data"),
    ]
    for arguments, sentence in cases:
        run = ludens(*arguments)
        assert run.status == 2, arguments
        assert sentence in run.err, (arguments, run.err)
        assert run.err.count("\n") == 1
