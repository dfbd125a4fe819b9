"""`ludens analyse`: ranked moves of a saved game and of a view; bad input in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludens.agents.analysis import review_match
from ludens.core import record
from ludens.core.match import Match
from ludens.core.registry import game
from tests.cli.conftest import Ludens
from tests.examples import hidden

QUICK = ("--simulations", "300")


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A game of Azul of four moves, saved."""
    match = Match(game("azul"), {}, seed=4)
    for _ in range(4):
        match.play(int(match.legal()[0]))
    file = tmp_path / "begun.json"
    file.write_text(json.dumps(match.to_json()))
    return file


def test_ranks_the_moves_of_the_last_position(ludens: Ludens, begun: Path) -> None:
    run = ludens("analyse", str(begun), *QUICK, "--json")
    assert run.status == 0, run.err
    found = json.loads(run.out)
    match = Match.from_json(begun.read_text())
    assert found["game"] == "azul"
    assert found["seat"] == match.actor
    assert 200 < found["simulations"] <= 300
    assert len(found["candidates"]) == 5
    assert sum(found["results"]) == pytest.approx(0, abs=1e-3)
    results = [candidate["result"] for candidate in found["candidates"]]
    assert results == sorted(results, reverse=True)
    assert found["result"] == found["results"][found["seat"]] == results[0]
    for candidate in found["candidates"]:
        assert candidate["action"] in match.legal()
        assert candidate["text"] == match.text(candidate["action"]) == candidate["line"][0]
        assert -1 <= candidate["result"] <= 1
        assert len(candidate["points"]) == 2
        assert candidate["visits"] > 0 and candidate["precision"] >= 0
        assert candidate["behind"] == pytest.approx(results[0] - candidate["result"], abs=2e-4)
    assert len(found["candidates"][0]["line"]) >= 2


def test_equal_seeds_give_equal_analyses_and_standard_input_is_read(ludens: Ludens, begun: Path) -> None:
    first = ludens("analyse", str(begun), *QUICK, "--json", "--seed", "3").out
    assert first == ludens("analyse", "-", *QUICK, "--json", "--seed", "3", lines=(begun.read_text(),)).out


def test_text_shows_the_moves_and_an_earlier_position(ludens: Ludens, begun: Path) -> None:
    ply = Match.from_json(begun.read_text()).ply - 1
    run = ludens("analyse", str(begun), *QUICK, "--ply", str(ply), "-c", "2")
    assert run.status == 0, run.err
    assert f"Azul, position {ply}" in run.out
    assert "simulations; results from -1 to 1" in run.out and "±" in run.out


def test_a_view_with_hidden_cards_is_enough(ludens: Ludens) -> None:
    match = Match(hidden.GAME, {}, seed=2)
    view = {"game": "duel", "seat": match.actor, "record": record.to_json(match.view(match.actor))}
    run = ludens("analyse", "-", *QUICK, "--json", lines=(json.dumps(view),))
    assert run.status == 0, run.err
    assert {candidate["action"] for candidate in json.loads(run.out)["candidates"]} <= set(match.legal().tolist())


def _changed(document: dict[str, object], **changes: object) -> str:
    return json.dumps({**document, **changes})


def test_bad_input_is_one_sentence(ludens: Ludens, saved: Path, begun: Path, tmp_path: Path) -> None:
    match = Match.from_json(begun.read_text())
    view = {"game": "azul", "seat": match.actor, "record": record.to_json(match.view(match.actor))}
    cases = [
        ((str(saved),), "", "the game is over"),
        ((str(begun), "--ply", "9999"), "", "The game has positions 0 to"),
        ((str(begun), "--ply", "1"), "", "a draw comes next"),
        ((str(begun), "--seconds", "0"), "", "must be above 0"),
        ((str(begun), "--seconds", "nan"), "", "must be above 0"),
        ((str(begun), "--simulations", "-3"), "", "must be from 1"),
        ((str(begun), "--simulations", "99999999999"), "", "must be from 1"),
        ((str(begun), "--threads", "0"), "", "must be from 1 to 256"),
        ((str(begun), *QUICK, "-c", "0"), "", "at least 1 candidate"),
        ((str(tmp_path / "none.json"),), "", "Cannot read"),
        (("-",), "nonsense", "it is not JSON"),
        (("-",), "[1]", "not a JSON object"),
        (("-",), "{}", "not a saved match"),
        (("-",), _changed(view, seat=1 - match.actor), f"seat {match.actor} is to move"),
        (("-",), _changed(view, seat=7), "seats of this game are 0 to 1"),
        (("-",), _changed(view, seat="x"), "whole number"),
        (("-",), _changed(view, game="azul@99"), "cannot read it"),
        (("-",), _changed(view, record={}), "exactly the game's fields"),
        (("-",), _changed(view, record={**view["record"], "players": 9}), "is for 2, 3, 4 players"),  # type: ignore[dict-item]
        (("-",), json.dumps({"record": {}}), "lacks game and seat"),
        (("-", "--ply", "1"), json.dumps(view), "--ply is for saved games"),
    ]
    for arguments, text, sentence in cases:
        run = ludens("analyse", *arguments, lines=(text,))
        assert run.status == 2, arguments
        assert run.out == ""
        assert sentence in run.err
        assert run.err.count("\n") == 1, run.err


def test_a_review_covers_every_real_decision_and_finds_no_negative_loss() -> None:
    match = Match(game("azul"), {"round_limit": 1}, seed=1)
    while not match.over:
        match.play(int(match.legal()[-1]))
    reviews = list(review_match(match, simulations=100))
    decisions = [step for step in match.steps() if step.actor >= 0 and step.action < match.game.spec.first_automatic]
    assert 0 < len(reviews) <= len(decisions)
    for review in reviews:
        assert match.log[review.ply] == review.action
        assert review.loss >= 0
        assert review.action in [candidate.action for candidate in review.analysis.candidates]
    assert max(review.loss for review in reviews) > 0.05  # the highest id is the floor: a bad habit
