"""Networks that ship: sound, small, and for a game as it is today."""

from __future__ import annotations

import itertools

import pytest

from ludens.core.registry import games
from ludens.learn.champions import FOLDER, champion, shipped
from ludens.learn.network import load

FILES = sorted(FOLDER.glob("*.safetensors"))


def test_every_file_belongs_to_a_game_and_all_are_small() -> None:
    assert sorted(path for game in games() for path in shipped(game)) == FILES
    assert all(path.stat().st_size <= 3 * 2**20 for path in FILES)
    assert sum(path.stat().st_size for path in FILES) <= 20 * 2**20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_network_is_found_for_all_options_it_says_it_is_for(path) -> None:
    network = load(path)
    game = next(game for game in games() if path in shipped(game))
    assert network.training
    for values in itertools.product(*network.options.values()):
        assert champion(game, game.options(dict(zip(network.options, values, strict=True)))).layout.seats >= 1
