"""Old names: people are told the new one, stored data is read with it."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from ludens.agents.codes import parse_code
from ludens.agents.search_settings import evaluation_weights
from ludens.cli.session import load_match, save_match
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.core.renamed import training_with_new_names, with_new_names
from ludens.learn.algorithms import algorithm_for
from ludens.networks.network import load, untrained
from ludens.networks.weights_file import read_arrays, write_arrays
from ludens.play.results import ResultsFile
from ludens.play.schedule import ROTATIONS, Player, Schedule, arrangements, identity_of
from ludens.server.storage.rows import _seat

AZUL, CATAN = registry.game("azul"), registry.game("catan")
STORED = {
    "judge": "value-network",
    "judge:worlds=4,evaluation=learned": "value-network:worlds=4,evaluation=value-network",
    "rehearsal:seconds=0.5,threads=2": "sequential-halving:seconds=0.5,threads=2",
    "mcts:heat=3,trust=0.5,seconds=1": "mcts:prior_temperature=3,value_weight=0.5,seconds=1",
    "mcts:disguise=0.5,reduction=0.1": "mcts:opponent_determinisation=0.5,first_play_urgency=0.1",
    "table:learned": "table:q-learning",
    "table:table=learned": "table:table=q-learning",
    "mcts:evaluation=own": "mcts:evaluation=own",
    "module:Class:key=value": "module:Class:key=value",
    "random": "random",
}


@pytest.mark.parametrize("old", STORED)
def test_stored_codes_are_read_with_the_new_names(old: str) -> None:
    assert with_new_names(old) == STORED[old]
    assert with_new_names(STORED[old]) == STORED[old]


@pytest.mark.parametrize(
    ("code", "new"),
    [
        ("judge", "'judge' is called 'value-network' now."),
        ("rehearsal:seconds=1", "'rehearsal' is called 'sequential-halving' now."),
        ("mcts:heat=2", "'heat' is called 'prior_temperature' now."),
        ("mcts:trust=0.5", "'trust' is called 'value_weight' now."),
        ("mcts:disguise=0.5", "'disguise' is called 'opponent_determinisation' now."),
        ("mcts:reduction=0.1", "'reduction' is called 'first_play_urgency' now."),
    ],
)
def test_who_writes_an_old_name_is_told_the_new_one(code: str, new: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_code(CATAN, code)
    assert str(refused.value) == new


def test_so_it_is_with_evaluations_algorithms_and_tables() -> None:
    with pytest.raises(BadInput, match="'learned' is called 'value-network' now"):
        evaluation_weights(CATAN, "learned")
    with pytest.raises(BadInput, match="'judge' is called 'td-value' now"):
        algorithm_for(CATAN, "judge")
    with pytest.raises(BadInput, match="Unknown agent of azul 'juge'"):
        parse_code(AZUL, "juge")
    from ludens.games.scotland_yard.players.tabular.agent import read_table

    with pytest.raises(BadInput, match="'learned' is called 'q-learning' now"):
        read_table("learned")


def test_a_run_with_old_codes_is_gone_on_with(tmp_path: Path) -> None:
    options = tuple(AZUL.options({"players": 2}).tolist())
    codes = ("mcts:trust=0.5,simulations=2", "random")
    new = Schedule(
        "azul", options, tuple(Player(with_new_names(code), with_new_names(code)) for code in codes),
        arrangements([(0, 1)], ROTATIONS), 1, 3,
    )  # fmt: skip
    named = dict(zip(map(with_new_names, codes), codes, strict=True))
    old = new.to_json()
    old |= {
        "players": {code: code for code in codes},
        "programs": {named[own]: program for own, program in old["programs"].items()},
    }
    with ResultsFile(tmp_path / "a.db", create=True) as file:
        file.begin("run", new)
    with sqlite3.connect(tmp_path / "a.db") as base:
        base.execute("UPDATE runs SET identity = ?, plan = ?", (identity_of(old), json.dumps(old)))
    with ResultsFile(tmp_path / "a.db") as file:
        run = file.run()
        assert run.plan["players"] == {code: code for code in map(with_new_names, codes)}
        assert run.identity == new.identity
        file.check_same(run, new)
        with pytest.raises(BadInput, match="other seed"):
            file.check_same(run, replace(new, seed=4))


def test_saved_matches_tables_and_trainings_name_the_new_ones(tmp_path: Path) -> None:
    match = Match(CATAN, {"players": 2}, seed=1)
    file = save_match(match, ["judge", "mcts:heat=2"], tmp_path / "match.json")
    assert load_match(file)[1] == "value-network,mcts:prior_temperature=2"
    row = type("Row", (), {"seat": 0, "kind": "agent", "name": "A", "agent": "judge", "token": None, "reserved": None})
    row.resigned, row.profile = False, None  # type: ignore[attr-defined]
    assert _seat(row).agent == "value-network"
    row.agent = None  # type: ignore[attr-defined]
    assert _seat(row).agent is None
    identity = {"algorithm": "judge", "opponents": ["judge"], "settings": {"start": "learned", "games": 8}, "seed": 1}
    assert training_with_new_names(identity) == {
        "algorithm": "td-value",
        "opponents": ["value-network"],
        "settings": {"start": "value-network", "games": 8},
        "seed": 1,
    }


def test_a_network_file_of_before_says_what_it_said(tmp_path: Path) -> None:
    network = untrained(AZUL, AZUL.options({"players": 2}), width=16, blocks=1)
    path = network.save(tmp_path / "net.safetensors")
    arrays, about = read_arrays(path)
    write_arrays(path, arrays, {**about, "search": json.dumps({"heat": 3.0, "trust": 0.5})})
    assert load(path).search == {"prior_temperature": 3.0, "value_weight": 0.5}
