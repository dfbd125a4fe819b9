"""Matches over all games: the same draws from the same seed, replay to any ply, undo, saving."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ludens.core import kernels, record
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.core.rng import CHANCE_STREAM, POLICY, generator, pick
from ludens.core.verbs import CHANCE, TERMINAL
from tests.conformance.cases import Case, over_cases, random_nodes


def options_of(case: Case) -> dict:
    return {**case.game.spec.tournament, **case.options}


def play_randomly(match: Match, seed: int, moves: int = 10**9) -> None:
    rng = generator(seed, POLICY)
    for _ in range(moves):
        if match.over:
            return
        legal = match.legal()
        match.play(int(legal[pick(rng, len(legal))]))


@over_cases
def test_a_match_draws_as_the_kernels_do(case: Case) -> None:
    log = np.zeros(case.game.spec.longest(case.values) or 0, np.int64)
    state = record.blank(case.game.dtype)
    kernels.reset_at(state, 0, case.values)
    legal = np.zeros(case.game.spec.actions, np.int64)
    n = kernels.random_game(state, generator(21, CHANCE_STREAM), generator(21, POLICY), legal, log)
    assert [node.played for node in random_nodes(case, seed=21)][:-1] == log[:n].tolist()
    match = Match(case.game, options_of(case), seed=21)
    while not match.over:
        match.play(int(log[match.ply]))
    assert match.log == log[:n].tolist()
    assert match.state().tobytes() == state.tobytes()


@over_cases
def test_a_match_replays_to_any_ply_and_saves(case: Case) -> None:
    match = Match(case.game, options_of(case), seed=22)
    play_randomly(match, 22)
    for ply in range(0, match.ply + 1, max(1, match.ply // 7)):
        assert match.at(ply).log == match.log[:ply]
    steps = list(match.steps())
    assert [step.action for step in steps] == match.log
    again = Match.from_json(json.loads(json.dumps(match.to_json())))
    assert again.state().tobytes() == match.state().tobytes()
    assert again.to_json() == match.to_json()


@over_cases
def test_undo_returns_to_the_last_choice_and_the_same_draws_follow(case: Case) -> None:
    match = Match(case.game, options_of(case), seed=23)
    play_randomly(match, 23, moves=5)
    before, log = match.state().tobytes(), list(match.log)
    if match.over:
        return
    move = int(match.legal()[0])
    match.play(move)
    after = match.state().tobytes()
    match.undo()
    assert (match.state().tobytes(), match.log) == (before, log)
    match.play(move)
    assert match.state().tobytes() == after


@over_cases
def test_a_broken_log_is_refused(case: Case) -> None:
    match = Match(case.game, options_of(case), seed=24)
    play_randomly(match, 24, moves=4)
    good = match.to_json()
    assert Match.from_json(good).log == good["log"]
    spoiled = [
        {**good, "log": [*good["log"], 10**6]},
        {**good, "log": [*good["log"], -1]},
        {**good, "log": [*good["log"], "1"]},
        {**good, "log": None},
        {**good, "game": f"{case.game.spec.name}@999"},
        {**good, "game": "no_such_game@1"},
        {**good, "options": {"players": 77}},
        {**good, "options": 3},
        {**good, "seed": -1},
        {**good, "names": ["only one"]},
        {**good, "format": "something else"},
        {key: value for key, value in good.items() if key != "log"},
        [],
        "{",
    ]
    for document in spoiled:
        with pytest.raises(BadInput, match=r"^[^\n]*\.$|\?$"):
            Match.from_json(document)


@over_cases
def test_a_log_with_other_draws_than_the_seeds_is_refused(case: Case) -> None:
    match = Match(case.game, options_of(case), seed=25)
    play_randomly(match, 25)
    different = match
    for seed in range(26, 60):
        if different.log == match.log:
            different = Match(case.game, options_of(case), seed=seed)
            play_randomly(different, 25)
    if not case.game.spec.chance:
        return
    assert different.log != match.log
    with pytest.raises(BadInput, match="seed"):
        Match.from_json({**different.to_json(), "seed": match.seed})


def test_chance_is_never_left_waiting() -> None:
    from tests.examples import tiny

    match = Match(tiny.GAME, seed=1)
    assert match.actor not in (CHANCE, TERMINAL)
    match.play("roll")
    assert match.actor != CHANCE
