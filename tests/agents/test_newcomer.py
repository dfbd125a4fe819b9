"""The model of somebody who has just read the rules, and levels that say when the clock cut them short."""

from __future__ import annotations

import numpy as np
import pytest

import ludens
from ludens.agents.codes import make_agent
from ludens.agents.one_ply_agents import NewcomerAgent
from ludens.core import registry
from ludens.core.agent import Clock, Seating, thought_of
from ludens.core.match import Match


def chosen(agent: NewcomerAgent, values: list[float], times: int) -> np.ndarray:
    """How often each of the moves with these values is chosen."""
    game = registry.game("azul")
    agent.start(Seating(game, game.options(), 0, 1))
    picks = [agent._chosen(np.array(values)) for _ in range(times)]
    return np.bincount(picks, minlength=len(values)) / times


def test_without_mistakes_it_takes_the_best_look() -> None:
    assert chosen(NewcomerAgent(noise=0, overlooks=0), [0.1, 0.3, 0.2], 20).tolist() == [0, 1, 0]


def test_a_move_is_overlooked_as_often_as_said_and_the_next_best_is_taken() -> None:
    shares = chosen(NewcomerAgent(noise=0, overlooks=0.25), [0.1, 0.3, 0.2], 4000)
    assert shares[1] == pytest.approx(0.75 + 0.25**3 / 3, abs=0.03)
    assert shares[2] == pytest.approx(0.25 * 0.75 + 0.25**3 / 3, abs=0.03)


def test_an_error_of_judgement_prefers_a_second_choice_that_looks_good_to_a_bad_one() -> None:
    shares = chosen(NewcomerAgent(noise=0.5, overlooks=0), [0.30, 0.28, -0.5, -0.6], 4000)
    assert shares[0] > shares[1] > 0.4
    assert shares[2] + shares[3] < 0.01


def test_what_the_game_does_not_consider_is_never_a_mistake() -> None:
    shares = chosen(NewcomerAgent(noise=3, overlooks=0.5), [-9.0, 0.3, 0.2], 500)
    assert shares[0] == 0


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_every_game_has_the_model_and_its_lowest_level_is_it(name: str) -> None:
    game = registry.game(name)
    newcomer, beginner = make_agent(game, "newcomer"), make_agent(game, "beginner")
    assert isinstance(newcomer, NewcomerAgent)
    assert isinstance(beginner, NewcomerAgent)


def test_the_model_beats_random_play_and_is_beaten_by_one_look_without_mistakes() -> None:
    shares = [one.win_share for one in ludens.arena("azul", ["newcomer", "random"], games=40, seed=3).agents]
    assert shares[0] > 0.75
    shares = [
        one.win_share
        for one in ludens.arena("discovery", ["newcomer:noise=0,overlooks=0", "newcomer"], games=40, seed=3).agents
    ]
    assert shares[0] > 0.6


@pytest.mark.parametrize(
    ("game", "code"), [("azul", "mcts:simulations=100000"), ("discovery", "sequential-halving:simulations=100000")]
)
def test_a_fixed_work_that_the_clock_ends_is_told(game: str, code: str) -> None:
    match = Match(registry.game(game), seed=1)
    for seconds, cut in ((0.001, True), (None, False)):
        agent = make_agent(match.game, code if cut else code.replace("100000", "20"))
        agent.start(Seating(match.game, match.options, match.actor, 1))
        agent.choose(match.view(match.actor), match.legal(), Clock(seconds))
        thought = thought_of(agent)
        assert thought is not None and thought.cut is cut
        assert thought.to_json()["cut"] is cut
