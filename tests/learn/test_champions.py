"""Networks that ship: sound, small, and for a game as it is today."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ludens.core.registry import game as game_named
from ludens.core.registry import games
from ludens.lab.series import run
from ludens.networks.network import load
from ludens.networks.shipped import FOLDER, champion, champion_if_any, shipped
from ludens.search.mcts_network import seat_values

FILES = sorted(FOLDER.glob("*.safetensors"))


def test_every_file_belongs_to_a_game_and_all_are_small() -> None:
    assert sorted(path for game in games() for path in shipped(game)) == FILES
    assert all(path.stat().st_size <= 5 * 2**20 for path in FILES)
    assert sum(path.stat().st_size for path in FILES) <= 25e6
    assert sum(path.stat().st_size for path in FILES) <= 20 * 2**20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_network_is_found_for_all_options_it_says_it_is_for(path) -> None:
    network = load(path)
    game = next(game for game in games() if path in shipped(game))
    assert network.training
    for values in itertools.product(*network.options.values()):
        assert champion(game, game.options(dict(zip(network.options, values, strict=True)))).layout.seats >= 1


@pytest.mark.parametrize(
    ("name", "given", "thinks"),
    [
        ("azul", {"players": 2}, True),
        ("azul", {"players": 2, "wall": "grey"}, True),
        ("azul", {"players": 3}, True),
        ("azul", {"players": 4}, True),
        ("discovery", {"players": 3}, False),  # its levels look ahead by a smaller value network
        ("scotland_yard", {"players": 2}, True),
        ("scotland_yard", {"players": 6}, True),
        ("catan", {"players": 4}, False),  # none ships
    ],
)
def test_levels_think_with_a_network_only_where_it_makes_them_stronger(name: str, given: dict, thinks: bool) -> None:
    game = game_named(name)
    assert (champion_if_any(game, game.options(given)) is not None) == thinks


@pytest.mark.parametrize("players", [2, 3, 6])
def test_one_network_of_london_tells_values_of_sides(players: int) -> None:
    """Mr. X loses what the detectives win, whoever leads them: the search hears the same of every one of them."""
    game = game_named("scotland_yard")
    network = champion(game, game.options({"players": players}))
    assert network.layout.seats == 2
    result, team = np.zeros(players), (1 << players) - 2  # the searcher leads detectives
    for who in range(players):
        seat_values(np.array([0.5, -0.25], np.float32), who, team, result)
        assert result[0] == (0.5 if who == 0 else -0.25)
        assert (result[1:] == (-0.25 if who == 0 else 0.5)).all()


@pytest.mark.parametrize("limit", [0, 50])
def test_azuls_network_plays_as_well_without_a_limit_of_rounds(limit: int) -> None:
    """It learnt with the limit of tournaments; the page and the library play without one."""
    played = run(game_named("azul"), ["net", "heuristic"], 20, seed=1, options={"round_limit": limit}, workers=1)
    assert played.agents[0].win_share >= 0.9
