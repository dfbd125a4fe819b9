"""Adapters name the parts of what they show."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.core.spec import split
from tests.examples import tiny

pytest.importorskip("gymnasium")


def test_environments_name_the_blocks_of_their_observations() -> None:
    from ludens.adapters.gymnasium import LudensEnv
    from ludens.adapters.vector import LudensVectorEnv

    env, envs = LudensEnv(tiny.GAME, options={"players": 3}), LudensVectorEnv(tiny.GAME, 4, options={"players": 3})
    for one, lead in ((env, ()), (envs, (4,))):
        observation, _ = one.reset(seed=1)
        found = split(observation, one.blocks)
        assert {name: part.shape for name, part in found.items()} == {"pot": (*lead, 1), "scores": (*lead, 3)}
        assert one.metadata["features"] == {"version": 1, "blocks": {"pot": (1,), "scores": (3,)}}
    assert "features" not in LudensEnv.metadata


def test_pettingzoo_names_the_blocks_too() -> None:
    pytest.importorskip("pettingzoo")
    from ludens.adapters.pettingzoo import raw_env

    env = raw_env(tiny.GAME)
    env.reset(seed=1)
    assert split(env.observe("player_0")["observation"], env.blocks)["scores"].tolist() == [0, 0]
    assert env.metadata["features"]["version"] == 1


def test_openspiel_observers_have_the_blocks_as_views() -> None:
    pytest.importorskip("pyspiel")
    import pyspiel

    import ludens.adapters.openspiel as adapter

    assert adapter
    game = pyspiel.load_game("ludens_azul(first='1')")
    observer = game.make_py_observer()
    assert observer.dict["walls"].shape == (2, 5, 5)
    assert sum(part.size for part in observer.dict.values()) == observer.tensor.size
    state = game.new_initial_state()
    observer.set_from(state, 0)
    assert np.allclose(observer.dict["bag"], 1)
    assert game.observation_tensor_size() == observer.tensor.size
