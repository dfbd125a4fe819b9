"""What a seat is shown does not change with what it cannot know."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.adapters.gymnasium import LudensEnv
from ludens.adapters.pettingzoo import raw_env
from ludens.core import kernels, record
from ludens.core.rng import DETERMINIZE, generator
from tests.external.cases import CASES, match_of, over_all_cases, scripted


def _other_worlds(view, seat, count):
    """States that agree with the view."""
    for k in range(count):
        guess = record.blank(view.dtype)
        kernels.determinize_at(view, 0, seat, generator(k, DETERMINIZE), guess)
        yield guess


@over_all_cases
def test_observations_do_not_change_with_hidden_fields(game, players):
    """The state behind the environments is swapped for another that the seat cannot tell from it."""
    match = match_of(game, players, 12)
    zoo = raw_env(game, {"players": players})
    zoo.reset(seed=12)
    gyms = [LudensEnv(game, seat=seat, options={"players": players}, render_mode="ansi") for seat in range(players)]
    for gym in gyms:
        gym.reset(seed=12)
    different = 0
    while not match.over and (match.ply < 400 or (game.spec.hidden and different == 0)):
        truth = match.state()
        looked = match.ply < 40 or match.ply % 7 == 0  # a look at everything from every seat takes its time
        for seat, gym in enumerate(gyms if looked else ()):
            agent = zoo.possible_agents[seat]
            for state in (truth, *_other_worlds(match.view(seat), seat, 3)):
                zoo._simulation._state[:] = state
                gym._simulation._state[:] = state
                shown = (zoo.observe(agent)["observation"], gym._simulation.observe(seat), gym.render())
                if state is truth:
                    expected = shown
                assert np.array_equal(shown[0], expected[0])
                assert np.array_equal(shown[1], expected[1])
                assert shown[2] == expected[2]
                different += state.tobytes() != truth.tobytes()
        match.play(scripted(match))
    assert (different > 0) == game.spec.hidden


def test_at_least_one_game_here_hides_something():
    assert any(game.spec.hidden for game, _ in CASES)


@over_all_cases
def test_a_simulation_copies_what_it_gives_away(game, players):
    zoo = raw_env(game, {"players": players})
    zoo.reset(seed=1)
    simulation = zoo._simulation
    before = simulation.state().tobytes()
    for given in (simulation.view(0), simulation.state()):
        given[:] = record.blank(game.dtype)
    simulation.legal()[:] = -1
    simulation.observe(0)[:] = 9
    assert simulation.state().tobytes() == before
    assert (simulation.legal() >= 0).all()
    with pytest.raises(ValueError, match="A seed"):
        simulation.reset(-1)
