"""The decisions of a played game, and which of them make one move together."""

from __future__ import annotations

from itertools import pairwise

from ludens.agents.analysis import decisions
from ludens.core.match import Match


def played(game: str, most: int) -> Match:
    """A match in which everybody takes the first of the moves."""
    match = Match(game, {}, seed=1)
    for _ in range(most):
        match.play(int(match.legal()[0]))
    return match


def test_a_settlement_and_its_road_are_one_move() -> None:
    made = list(decisions(played("catan", 16)))
    assert [decision.part for decision in made] == [False, True] * 8


def test_a_tile_and_its_follower_are_one_move() -> None:
    made = list(decisions(played("discovery", 12)))
    assert any(decision.part for decision in made)
    for before, decision in pairwise(made):
        assert not decision.part or (not before.part and before.seat == decision.seat)


def test_every_decision_of_azul_is_a_move() -> None:
    made = list(decisions(played("azul", 12)))
    assert len(made) == 12
    assert not any(decision.part for decision in made)
