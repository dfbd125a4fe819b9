"""Games from outside over all games: recorded chance, words, positions, what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ludens.core import record
from ludens.core.errors import BadInput
from ludens.core.imports import import_match
from ludens.core.match import RECORDED, SEEDED, Match
from ludens.core.verbs import CHANCE
from tests.conformance.cases import Case, over_cases
from tests.conformance.test_match import options_of, play_randomly


def in_words(match: Match, automatic: bool = True) -> list[str]:
    """The log as somebody would write it down."""
    text, found = match.game.text, []
    for step in match.steps():
        state = match.at(step.ply).state()[0]
        if step.actor == CHANCE:
            found.append(text.chance_to_text(state, step.action))
        elif automatic or step.action < match.game.spec.first_automatic:
            found.append(text.action_to_text(state, step.action))
    return found


def some_match(case: Case, seed: int, moves: int = 12) -> Match:
    match = Match(case.game, options_of(case), seed=seed)
    play_randomly(match, seed, moves)
    return match


def saved_again(match: Match) -> Match:
    return Match.from_json(json.loads(json.dumps(match.to_json())))


@over_cases
def test_a_log_without_its_seed_is_the_same_game(case: Case) -> None:
    match = some_match(case, 51)
    for log in (match.log, in_words(match), in_words(match, automatic=False)):
        again = Match.recorded(case.game, options_of(case), log)
        assert again.log == match.log
        assert again.state().tobytes() == match.state().tobytes()
        assert again.chance == RECORDED
        assert "seed" not in again.to_json()
        loaded = saved_again(again)
        assert loaded.to_json() == again.to_json()
        assert [step.events for step in loaded.steps()] == [step.events for step in match.steps()]
        assert loaded.at(match.ply // 2).log == match.log[: match.ply // 2]


@over_cases
def test_a_seeded_match_is_saved_as_before(case: Case) -> None:
    document = some_match(case, 52).to_json()
    assert list(document)[:6] == ["format", "game", "options", "seed", "names", "log"]
    assert Match.from_json(document).chance == SEEDED


@over_cases
def test_a_game_goes_on_from_a_position(case: Case) -> None:
    earlier = some_match(case, 53)
    position = json.loads(json.dumps(record.to_json(earlier.state())))
    match = Match.from_position(case.game, options_of(case), position, seed=3)
    assert match.at(0).state().tobytes() == earlier.state().tobytes()
    play_randomly(match, 54, 5)
    again = saved_again(match)
    assert again.state().tobytes() == match.state().tobytes()
    assert again.to_json() == match.to_json()
    if any(step.actor >= 0 and step.action < case.game.spec.first_automatic for step in match.steps()):
        ply = match.ply
        match.undo()
        assert match.ply < ply


@over_cases
def test_draws_are_given_where_there_is_no_seed(case: Case) -> None:
    played = some_match(case, 55)
    match = Match.recorded(case.game, options_of(case), ())
    entries = iter(in_words(played, automatic=False))
    for entry in entries:
        if match.awaits_draw:
            assert sum(match.outcomes().values()) == pytest.approx(1.0)
            with pytest.raises(BadInput, match="draw"):
                match.play(0)
            match.play_chance(entry)
        else:
            assert match.outcomes() == {}
            with pytest.raises(BadInput, match="No draw"):
                match.play_chance(0)
            match.play(entry)
    assert match.log == played.log
    with pytest.raises(BadInput, match="seed"):
        played.play_chance(0)


@over_cases
def test_an_entry_that_is_not_possible_is_named(case: Case) -> None:
    words: list[Any] = in_words(some_match(case, 56, 3), automatic=False)
    mistakes: list[Any] = ["no such thing", 10**6, -1, None, True, 1.5, {"type": "nonsense"}, ["x"]]
    for wrong in mistakes:
        with pytest.raises(BadInput, match=rf"^Entry {len(words)} of the log, [^\n]*$"):
            Match.recorded(case.game, options_of(case), [*words, wrong])
    with pytest.raises(BadInput, match="not possible"):
        Match.from_json({**Match.recorded(case.game, options_of(case), words).to_json(), "log": [10**6]})


@over_cases
def test_positions_that_cannot_be_are_refused(case: Case) -> None:
    match = some_match(case, 57)
    good = record.to_json(match.state())
    players = next((n for n in case.game.spec.players if n != case.players), None)
    spoiled: list[Any] = [{**good, "no_such_field": 1}, {}, [], 3, {**good, "players": "x"}, {**good, "phase": [1, 2]}]
    if players is not None:
        spoiled.append({**good, "players": players})
    if case.game.check_position is not None:
        spoiled += [{**good, "phase": 100}, {**good, "current": -7}]
    if case.game.spec.hidden and not match.over:
        seen = record.to_json(match.view())
        if seen != good:
            with pytest.raises(BadInput, match="full information"):
                Match.from_position(case.game, options_of(case), seen)
    for position in spoiled:
        with pytest.raises(BadInput, match=r"^[^\n]*\.$"):
            Match.from_position(case.game, options_of(case), position)


def test_a_document_from_outside_is_checked() -> None:
    good = {"game": "pig", "log": ["roll", "a 3"]}
    match = import_match(good)
    assert match.chance == RECORDED and match.ply == 2
    over = Match("pig", seed=1)
    play_randomly(over, 1)
    whole = {"game": "pig@1", "options": {}, "log": over.log, "result": {"scores": over.scores()}}
    assert import_match(whole).scores() == over.scores()
    for wrong in (
        3,
        {"game": "pig"},
        {**good, "game": 3},
        {**good, "game": "pgi"},
        {**good, "log": "roll"},
        {**good, "options": [1]},
        {**good, "options": {"players": 99}},
        {**good, "names": ["one"]},
        {**good, "seed": -1},
        {**good, "movez": []},
        {**good, "format": "chess/1"},
        {**good, "position": {}},
        {**good, "log": ["roll", "?"]},
        {**good, "result": {"scores": [1.0, 2.0]}},
        {**whole, "result": {"scores": [-1.0, -2.0]}},
    ):
        with pytest.raises(BadInput, match=r"^[^\n]*[.?]$"):
            import_match(wrong)


def test_a_saved_result_that_contradicts_its_log_is_refused() -> None:
    match = Match("pig", seed=1)
    play_randomly(match, 1)
    document = match.to_json()
    with pytest.raises(BadInput, match="scores"):
        Match.from_json({**document, "result": {**document["result"], "scores": [0.0, 0.0]}})
    with pytest.raises(BadInput, match="does not end the game"):
        Match.from_json({**document, "log": document["log"][:2]})
    given_up = {"reason": "resigned", "scores": [0, 0], "returns": [1, -1]}
    assert not Match.from_json({**document, "log": document["log"][:2], "result": given_up}).over


def test_a_seed_can_follow_a_recorded_log() -> None:
    match = Match.recorded("pig", {}, ["roll", "a 3"], seed=9)
    assert not match.awaits_draw
    match.play("roll")
    assert match.ply == 4
    assert saved_again(match).seed == 9
    assert saved_again(match).chance == RECORDED
