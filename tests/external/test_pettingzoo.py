"""PettingZoo's own suites over every game, and that agents see and earn what is theirs."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from ludens.adapters.pettingzoo import env, raw_env
from ludens.core.errors import BadInput, IllegalMove
from tests.external.cases import GAMES, features, match_of, over_all_cases, scripted


@over_all_cases
def test_pettingzoo_api_test(game, players):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # unbounded features, dictionaries as observations
        api_test(env(game, {"players": players}), num_cycles=300)


@over_all_cases
def test_pettingzoo_seed_test(game, players):
    seed_test(lambda: env(game, {"players": players}), num_cycles=300)


@over_all_cases
def test_agents_see_and_earn_what_the_match_says(game, players):
    """Masks are the legal moves, observations the own view, and every seat's rewards sum to its return."""
    unequal = 0
    for seed in range(4):
        match = match_of(game, players, seed)
        game_env = env(game, {"players": players})
        game_env.reset(seed=seed)
        earned = dict.fromkeys(game_env.possible_agents, 0.0)
        for agent in game_env.agent_iter():
            observation, reward, terminated, truncated, _ = game_env.last()
            earned[agent] += reward
            assert not truncated
            seat = game_env.possible_agents.index(agent)
            assert np.array_equal(observation["observation"], features(match, seat))
            if terminated:
                assert observation["action_mask"].all()
                game_env.step(None)
                continue
            assert seat == match.actor
            assert np.array_equal(np.flatnonzero(observation["action_mask"]), match.legal())
            for other in set(game_env.agents) - {agent}:
                assert not game_env.observe(other)["action_mask"].any()
            action = scripted(match)
            match.play(action)
            game_env.step(action)
        assert match.over
        assert list(earned.values()) == pytest.approx(match.returns())
        unequal += len(set(match.returns())) > 1
    assert unequal > 0, "no game told the seats apart"


@over_all_cases
def test_score_rewards_sum_to_the_lead(game, players):
    match = match_of(game, players, 5)
    game_env = raw_env(game, {"players": players}, reward="score", score_scale=0.5)
    game_env.reset(seed=5)
    at_start = _leads(match)
    earned = np.zeros(players)
    while not match.over:
        action = scripted(match)
        match.play(action)
        game_env.step(action)
        earned += [game_env.rewards[agent] for agent in game_env.agents]
    assert earned == pytest.approx((_leads(match) - at_start) * 0.5)


def _leads(match):
    scores, sides = match.scores(), match.game.spec.sides(match.players)
    return np.array(
        [own - max(x for x, s in zip(scores, sides, strict=True) if s != side) for own, side in zip(scores, sides)]
    )


@over_all_cases
def test_an_illegal_action_costs_only_the_one_who_played_it(game, players):
    game_env = env(game, {"players": players})
    for seed in range(50):
        game_env.reset(seed=seed)
        illegal = np.flatnonzero(game_env.last()[0]["action_mask"] == 0)
        if len(illegal):
            break
    else:
        pytest.skip("every action is legal at the start of this game")
    culprit = game_env.agent_selection
    game_env.step(illegal[0])
    earned = {}
    for agent in game_env.agent_iter():
        _, reward, terminated, _, _ = game_env.last()
        assert terminated
        earned[agent] = reward
        game_env.step(None)
    assert earned == {agent: -1.0 if agent == culprit else 0.0 for agent in game_env.possible_agents}


@over_all_cases
def test_the_raw_environment_refuses_with_a_reason_and_does_not_change(game, players):
    raw = raw_env(game, {"players": players})
    raw.reset(seed=1)
    before = raw.observe(raw.agent_selection)
    for action in (-1, game.spec.actions, 0.5, "move", *np.flatnonzero(before["action_mask"] == 0)[:1]):
        with pytest.raises(IllegalMove):
            raw.step(action)
    after = raw.observe(raw.agent_selection)
    assert all(np.array_equal(before[key], after[key]) for key in before)


@over_all_cases
def test_rendering_is_the_view_in_words(game, players):
    shown = env(game, {"players": players}, render_mode="ansi")
    shown.reset(seed=2)
    match = match_of(game, players, 2)
    assert shown.render() == game.text.position_to_text(match.view(match.actor)[0])
    assert raw_env(game).render() is None


def test_automatic_actions_can_be_left_to_the_agents():
    longer = []
    for game in GAMES:
        if game.spec.automatic_from is None:
            continue
        lengths = []
        for automatic in (True, False):
            raw = raw_env(game, automatic=automatic)
            raw.reset(seed=3)
            steps = 0
            while not all(raw.terminations.values()):
                raw.step(np.flatnonzero(raw.observe(raw.agent_selection)["action_mask"])[0])
                steps += 1
            lengths.append(steps)
        assert lengths[1] >= lengths[0]
        longer.append(lengths[1] > lengths[0])
    assert any(longer)


def test_settings_are_checked():
    with pytest.raises(BadInput, match="render mode"):
        env("azul", render_mode="human")
    with pytest.raises(BadInput, match="did you mean score"):
        env("azul", reward="scores")
    with pytest.raises(BadInput, match="Unknown game"):
        env("azulejo")
    with pytest.raises(BadInput, match="players"):
        env("azul", {"players": 9})
