"""Agents with a network: they need its file, refuse one for something else, and tell what they think."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ludens.agents.codes import kinds, make_agent, parse_code
from ludens.agents.network_agent import check_network
from ludens.agents.search_settings import mcts_settings
from ludens.core.agent import Agent, Clock, Seating, thought_of
from ludens.core.errors import BadInput
from ludens.core.registry import game
from ludens.networks import shipped as champions
from ludens.play.game import play_game
from ludens.server.refusal import Refusal
from ludens.server.tables.seating import _refuse_files
from tests.search.networks import bold
from tests.search.positions import AZUL, legal_of, middle_of

OPTIONS = AZUL.options({"round_limit": 1})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return bold(AZUL, OPTIONS).save(tmp_path / "net.safetensors")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the networks of the package lie: none yet."""
    found = tmp_path / "networks"
    found.mkdir()
    monkeypatch.setattr(champions, "FOLDER", found)
    return found


def _seated(code: str, seed: int = 1, players: int = 2) -> Agent:
    agent = make_agent(AZUL, code)
    agent.start(Seating(AZUL, AZUL.options({"round_limit": 1, "players": players}), 0, seed))
    return agent


def test_the_file_may_stand_first_without_its_key(file: Path) -> None:
    assert parse_code(AZUL, f"net:{file}")[1] == {"network": str(file)}
    assert parse_code(AZUL, f"net:{file},temperature=0.5")[1] == {"network": str(file), "temperature": 0.5}
    assert parse_code(AZUL, f"net:network={file}")[1] == {"network": str(file)}


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("net", "Agent 'net' needs network=…."),
        ("net:temperature=1", "needs network=…."),
        ("net:a,b", "Parameter 'b' of agent net must read key=value."),
        ("net:x,temperature=-1", "must be from 0 to 100"),
        ("mcts:x", "Parameter 'x' of agent mcts must read key=value."),
    ],
)
def test_bad_codes_are_refused(code: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        make_agent(AZUL, code)


@pytest.mark.parametrize("code", ["net:{file}", "mcts:simulations=10,network={file}"])
def test_a_file_for_something_else_is_refused_when_the_agent_sits_down(code: str, file: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        _seated(code.format(file=tmp_path / "nothing"))
    with pytest.raises(BadInput, match="for players 2, not for 3"):
        _seated(code.format(file=file), players=3)
    grid = game("scotland_yard_grid")
    agent = make_agent(grid, code.format(file=file))
    with pytest.raises(BadInput, match=r"the network is for azul@\d+, not for scotland_yard_grid@"):
        agent.start(Seating(grid, grid.options(), 0, 1))


def test_the_bare_network_plays_its_largest_logit_and_tells_its_thoughts(file: Path) -> None:
    state = middle_of(AZUL, 3, round_limit=1)
    state["current"][0] = 0
    legal = legal_of(AZUL, state)
    agent = _seated(f"net:{file}")
    choice = agent.choose(state, legal, Clock())
    told = thought_of(agent)
    assert choice in legal
    assert told is not None and told.value is not None and -1 <= told.value <= 1
    assert told.line == (choice,)
    assert told.note.startswith("share ")
    assert agent.choose(state, legal, Clock()) == choice
    assert agent.choose(state, legal[:1], Clock()) == legal[0]
    assert thought_of(agent) is None


def test_heat_draws_by_the_networks_shares(file: Path) -> None:
    state = middle_of(AZUL, 3, round_limit=1)
    state["current"][0] = 0
    legal = legal_of(AZUL, state)
    best = _seated(f"net:{file}").choose(state, legal, Clock())
    drawn = {}
    for temperature in (0.05, 1.0, 50.0):
        agent = _seated(f"net:{file},temperature={temperature}")
        drawn[temperature] = Counter(agent.choose(state, legal, Clock()) for _ in range(400))
        assert set(drawn[temperature]) <= set(legal.tolist())
    assert drawn[0.05][best] > drawn[1.0][best] > drawn[50.0][best]
    assert len(drawn[50.0]) > 0.9 * len(legal)
    again = _seated(f"net:{file},temperature=1")
    assert Counter(again.choose(state, legal, Clock()) for _ in range(400)) == drawn[1.0]


def test_games_with_a_network_in_the_tree_are_reproducible(file: Path) -> None:
    codes = [f"mcts:simulations=30,threads=2,network={file}", f"net:{file}"]
    first, again = (play_game(AZUL, OPTIONS, codes, seed=9) for _ in range(2))
    assert first.choices == again.choices
    assert first.choices != play_game(AZUL, OPTIONS, ["mcts:simulations=30,threads=2", codes[1]], seed=9).choices


def test_a_search_with_a_network_tells_its_line_and_value(file: Path) -> None:
    state = middle_of(AZUL, 3, round_limit=1)
    state["current"][0] = 0
    agent = _seated(f"mcts:simulations=60,solve=off,network={file}")
    choice = agent.choose(state, legal_of(AZUL, state), Clock())
    told = thought_of(agent)
    assert told is not None and told.value is not None and -1 <= told.value <= 1
    assert told.simulations == 60
    assert told.line[0] == choice


def test_a_server_lets_nobody_name_a_file_and_does_not_offer_what_needs_one(file: Path) -> None:
    for code in (f"net:{file}", f"mcts:network={file}"):
        with pytest.raises(Refusal, match="Parameter network of agent"):
            _refuse_files(*parse_code(AZUL, code))
    assert [kind.name for kind in kinds(AZUL).values() if not kind.complete] == ["net"]


def test_where_no_network_ships_a_sentence_says_so() -> None:
    for code in ("champion:network=shipped", "mcts:network=shipped"):
        with pytest.raises(BadInput, match="No network of Azul ships with Ludens yet"):
            _seated(code)


def test_a_network_that_ships_makes_net_complete(folder: Path) -> None:
    network = bold(AZUL, OPTIONS)
    network.save(folder / "azul-2.safetensors")
    bold(game("scotland_yard_grid"), game("scotland_yard_grid").options()).save(
        folder / "scotland_yard_grid-2.safetensors"
    )
    found = kinds(AZUL)
    assert all(kind.complete for kind in found.values())
    assert champions.shipped(AZUL) == [folder / "azul-2.safetensors"]
    assert found["champion"].preset["depth"] == found["medium"].preset["depth"] == 8
    assert "network" not in kinds(game("catan"))["champion"].preset, "Catan's champion searches by its evaluation"
    for name in ("net", "champion"):
        _refuse_files(*parse_code(AZUL, name))
    state = middle_of(AZUL, 3, round_limit=1)
    state["current"][0] = 0
    legal = legal_of(AZUL, state)
    by_file = _seated(f"net:{folder / 'azul-2.safetensors'}").choose(state, legal, Clock())
    assert _seated("net").choose(state, legal, Clock()) == by_file
    assert _seated("champion:simulations=20,threads=1").choose(state, legal, Clock()) in legal


def test_a_search_does_as_the_networks_file_says_unless_it_is_told_otherwise() -> None:
    network = replace(bold(AZUL, OPTIONS), search={"value_weight": 0.5, "prior_temperature": 3.0})
    settings, _ = mcts_settings(AZUL, network=network)
    assert (settings.value_weight, settings.prior_temperature) == (0.5, 3.0)
    settings, _ = mcts_settings(AZUL, value_weight=0.25, network=network)
    assert (settings.value_weight, settings.prior_temperature) == (0.25, 3.0)
    settings, _ = mcts_settings(AZUL)
    assert (settings.value_weight, settings.prior_temperature) == (1.0, 1.0)


def test_options_that_no_network_is_for_are_refused_before_anybody_sits_down(folder: Path) -> None:
    bold(AZUL, OPTIONS).save(folder / "azul-2.safetensors")
    sentence = "No network that ships is for this game of Azul: azul-2 is for players 2, not for 3."
    for code in ("net", "champion:network=shipped"):
        values = parse_code(AZUL, code)[1]
        check_network(AZUL, OPTIONS, values)
        with pytest.raises(BadInput, match=sentence):
            check_network(AZUL, AZUL.options({"players": 3}), values)
        with pytest.raises(BadInput, match=sentence):
            _seated(code, players=3)


def test_positions_are_not_changed_by_looking_at_them(file: Path) -> None:
    state = middle_of(AZUL, 3, round_limit=1)
    state["current"][0] = 0
    before, legal = state.tobytes(), legal_of(AZUL, state)
    for code in (f"net:{file}", f"mcts:simulations=20,network={file}"):
        _seated(code).choose(state, np.array(legal), Clock())
        assert state.tobytes() == before
