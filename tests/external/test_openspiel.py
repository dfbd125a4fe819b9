"""OpenSpiel's own suites over every game, its search bots, and what its states promise."""

from __future__ import annotations

import random
import unittest
from itertools import chain

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import ismcts, mcts

from ludens.adapters import openspiel
from ludens.core.errors import BadInput
from ludens.core.match import Match
from tests.examples import hidden
from tests.external.cases import CASES, GAMES, match_of, over_all_cases, scripted

HIDDEN = [(game, players) for game, players in CASES if game.spec.hidden]
over_hidden_cases = pytest.mark.parametrize(
    ("game", "players"), HIDDEN, ids=[f"{game.spec.name}-{players}" for game, players in HIDDEN]
)


def load(game, players):
    openspiel.register(game)
    return pyspiel.load_game(openspiel.short_name(game.spec.name), {"players": players})


def random_states(loaded, seed, count=12):
    """About `count` states of one random game, evenly spread, the last one among them."""
    rng = random.Random(seed)
    state = loaded.new_initial_state()
    states = [state.clone()]
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        states.append(state.clone())
    return states[:: -max(1, len(states) // count)]


@over_all_cases
def test_openspiel_random_simulation_with_serialization(game, players):
    pyspiel.random_sim_test(load(game, players), num_sims=1, serialize=True, verbose=False)


@over_all_cases
def test_openspiel_api_test(game, players):
    """Every check of OpenSpiel's integration test that runs on a sampled part of the tree."""
    random.seed(players)  # the suite samples with the global generator
    base = api_test.EnforceAPIOnPartialTreeBase
    case = type("Case", (base,), {"game": load(game, players), "game_name": game.spec.name})
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    assert suite.countTestCases() >= 5
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun == suite.countTestCases()
    assert not [text for _, text in result.failures + result.errors]


@over_all_cases
def test_the_type_says_what_the_spec_says(game, players):
    loaded = load(game, players)
    kind, spec = loaded.get_type(), game.spec
    assert (kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION) == spec.hidden
    assert (kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC) == spec.chance
    assert (kind.min_num_players, kind.max_num_players) == (min(spec.players), max(spec.players))
    assert loaded.num_players() == players
    assert loaded.num_distinct_actions() == spec.actions
    assert loaded.max_chance_outcomes() == (spec.outcomes if spec.chance else 0)
    assert (loaded.min_utility(), loaded.max_utility()) == (-1, 1)
    assert loaded.max_game_length() == spec.longest(game.options({**spec.tournament, "players": players}))
    assert str(pyspiel.load_game(str(loaded))) == str(loaded)


@over_all_cases
def test_a_state_follows_the_match_and_its_history_is_the_log(game, players):
    match = match_of(game, players, 3)
    while not match.over:
        match.play(scripted(match))
    state = load(game, players).new_initial_state()
    for step in match.steps():
        assert state.current_player() == step.actor
        assert step.action in state.legal_actions()
        if state.is_chance_node():
            assert sum(weight for _, weight in state.chance_outcomes()) == pytest.approx(1)
        assert state.returns() == [0] * players
        state.apply_action(step.action)
    assert state.is_terminal()
    assert state.history() == match.log
    assert state.returns() == match.returns()
    assert state.position.state.tobytes() == match.state().tobytes()


@over_all_cases
def test_texts_of_actions_are_those_of_the_game(game, players):
    match = match_of(game, players, 1)
    state = load(game, players).new_initial_state()
    for action in match.log:
        state.apply_action(action)
    for action in state.legal_actions():
        assert state.action_to_string(action) == match.text(action)


@over_all_cases
def test_clone_and_serialization_keep_everything_and_share_nothing(game, players):
    loaded = load(game, players)
    for state in random_states(loaded, players):
        copies = [state.clone(), loaded.deserialize_state(state.serialize())]
        for copy in copies:
            assert copy.position.state.tobytes() == state.position.state.tobytes()
            assert copy.history() == state.history()
            assert all(copy.information_state_string(p) == state.information_state_string(p) for p in range(players))
        if not state.is_terminal():
            before = state.serialize()
            for copy in copies:
                copy.apply_action(copy.legal_actions()[-1])
            assert str(copies[0]) == str(copies[1]) != str(state)
            assert state.serialize() == before


@over_all_cases
def test_a_resampled_state_looks_the_same_to_the_player_and_can_be_played_on(game, players):
    loaded = load(game, players)
    rng = np.random.RandomState(players)
    others, sampled = 0, 0
    games = [random_states(loaded, players + 1 + k) for k in range(3)]  # one alone may end before anything is hidden
    for state in chain(*games):
        if state.is_chance_node():
            continue
        for player in range(players):
            other = state.resample_from_infostate(player, rng.random_sample)
            assert other.current_player() == state.current_player()
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            if state.current_player() == player:
                assert other.legal_actions() == state.legal_actions()
            saved = loaded.deserialize_state(other.serialize())
            assert saved.information_state_string(player) == other.information_state_string(player)
            sampled += 1
            others += str(other) != str(state)
            assert not game.spec.hidden or other.history() == []
            for _ in range(60):
                if not other.is_terminal():
                    other.apply_action(rng.choice(other.legal_actions()))
    assert sampled > 0
    assert (others > 0) == game.spec.hidden


def test_equal_information_states_mean_equal_memories():
    """Perfect recall: whoever is in the same information state has seen and done the same before."""
    loaded = load(hidden.GAME, 2)
    rng = random.Random(1)
    remembered: dict[str, tuple] = {}
    meetings = 0
    for _ in range(200):
        state = loaded.new_initial_state()
        past: list[list] = [[], []]
        while not state.is_terminal():
            player = state.current_player()
            action = rng.choice(state.legal_actions())
            if player >= 0:
                key = state.information_state_string()
                meetings += key in remembered
                assert remembered.setdefault(key, tuple(past[player])) == tuple(past[player])
                past[player] += [state.observation_string(), action]
            state.apply_action(action)
    assert meetings > 0


@over_hidden_cases
def test_private_and_public_strings_split_the_observation(game, players):
    loaded = load(game, players)
    kinds = pyspiel.PrivateInfoType
    make = loaded.make_py_observer
    private = make(pyspiel.IIGObservationType(False, False, kinds.SINGLE_PLAYER))
    public = make(pyspiel.IIGObservationType(True, False, kinds.NONE))
    rng = np.random.RandomState(0)
    changed = 0
    for state in random_states(loaded, 5, count=40):
        for player in range(players):
            other = state.resample_from_infostate(player, rng.random_sample)
            assert private.string_from(other, player) == private.string_from(state, player)
            assert public.string_from(other, player) == public.string_from(state, player)
            rival = (player + 1) % players
            changed += private.string_from(other, rival) != private.string_from(state, rival)
    assert changed > 0


@over_all_cases
def test_openspiel_mcts_chooses_legal_moves(game, players):
    loaded = load(game, players)
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(loaded, 2.0, 4, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = loaded.new_initial_state()
    moves = 0
    while not state.is_terminal() and moves < 6:
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=weights)))
        elif state.current_player() == 0:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            moves += 1
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert moves > 0


@over_hidden_cases
def test_openspiel_information_set_mcts_plays_from_resampled_states(game, players):
    loaded = load(game, players)
    rng = np.random.RandomState(2)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(loaded, evaluator, uct_c=2.0, max_simulations=12, random_state=rng)
    state = loaded.new_initial_state()
    moves = 0
    while not state.is_terminal() and moves < 6:
        action = int(rng.choice(state.legal_actions()))
        if state.current_player() == 0 and len(state.legal_actions()) > 1:
            action = bot.step(state)
            assert action in state.legal_actions()
            moves += 1
        state.apply_action(action)
    assert moves > 0


def test_parameters_are_the_options_of_the_game():
    for text in ("ludens_azul(first='2',players=3,wall=grey)", "ludens_azul(round_limit=9)"):
        loaded = pyspiel.load_game(text)
        again, state = pyspiel.deserialize_game_and_state(
            pyspiel.serialize_game_and_state(loaded, loaded.new_initial_state())
        )
        assert str(again) == str(loaded)
        assert state.current_player() == loaded.new_initial_state().current_player()
    assert pyspiel.load_game("ludens_azul", {"first": "2"}).options[2] == 2
    assert pyspiel.load_game("ludens_azul(wall=grey)").options[1] == 1
    with pytest.raises(BadInput, match="round_limit=50"):
        pyspiel.load_game("ludens_azul(round_limit=0)")
    with pytest.raises(BadInput, match="2, 3, 4 players"):
        pyspiel.load_game("ludens_azul(players=5)")
    with pytest.raises(BadInput, match="one of coloured, grey"):
        pyspiel.load_game("ludens_azul(wall=green)")
    with pytest.raises(BadInput, match="no parameters"):
        pyspiel.load_game("ludens_azul").make_py_observer(params={"x": 1})


def test_a_saved_state_of_another_version_is_refused():
    game = GAMES[0]
    state = load(game, game.spec.default_players).new_initial_state()
    rebuild, (identity, *rest) = state.position.__reduce__()
    assert identity == Match(game).to_json()["game"]
    with pytest.raises(BadInput, match="cannot read it"):
        rebuild(f"{game.spec.name}@0", *rest)
