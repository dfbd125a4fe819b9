"""Offers in an analysis: what nobody would take is not told."""

from __future__ import annotations

from ludens.agents.analysis import analyse_view, strongest_search, would_be_taken
from ludens.core import registry
from ludens.core.match import Match

CATAN = registry.game("catan")


def first_turn() -> Match:
    """A game for two after its first roll: both have cards."""
    match = Match(CATAN, {"players": 2}, seed=1)
    for placed in range(8):
        legal = match.legal()
        match.play(int(legal[30 * placed % len(legal)]))
    match.play(action(match, "roll"))
    return match


def action(match: Match, words: str) -> int:
    return int(CATAN.text.action_from_text(match.state()[0], words))


def test_a_move_that_asks_nobody_is_no_offer() -> None:
    match = first_turn()
    search = strongest_search(CATAN, match.view(0), 1, 8)
    assert would_be_taken(CATAN, search, match.view(0), 0, [action(match, "end")])


def test_an_answer_is_no_offer() -> None:
    match = first_turn()
    for words in ("give wool", "want lumber", "propose"):
        match.play(action(match, words))
    assert match.actor == 1
    found = analyse_view(CATAN, match.view(1), 1, simulations=400, memory=8)
    assert action(match, "decline") in [move.action for move in found.candidates]
    search = strongest_search(CATAN, match.view(1), 1, 8)
    assert would_be_taken(CATAN, search, match.view(1), 1, [action(match, "decline")])


def test_nobody_gives_three_cards_for_one() -> None:
    match = first_turn()
    search = strongest_search(CATAN, match.view(0), 1, 8)
    wanted = [action(match, text) for text in ("give wool", "want lumber", "want grain", "want ore", "propose")]
    assert not would_be_taken(CATAN, search, match.view(0), 0, wanted)


def test_an_analysis_tells_only_offers_that_somebody_takes_and_what_was_asked_for() -> None:
    match = first_turn()
    absurd = action(match, "want ore")
    found = analyse_view(CATAN, match.view(0), 0, simulations=400, candidates=3, include=(absurd,), memory=8)
    assert len(found.candidates) <= 4
    assert found.result == found.candidates[0].result
    assert absurd in [move.action for move in found.candidates]
    assert found.candidates[0].action != absurd
