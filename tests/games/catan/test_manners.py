"""The manners of Catan's agents: offers that help both, at most one a turn, never the same again, never nonsense."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ludens.agents.codes import make_agent, parse_code
from ludens.core.agent import Clock, Seating
from ludens.core.match import Match
from ludens.games.catan import GAME, phases
from ludens.games.catan import action_ids as ids
from ludens.games.catan.evaluate import HAND_MADE, hand_value
from ludens.games.catan.players.manners import OFFERS, Manners
from ludens.games.catan.state import KINDS


def _games(seeds: range) -> Iterator[tuple[Match, int, int]]:
    """Moves of random games of the polite, eager to trade: the match before each, the seat and the action."""
    for seed in seeds:
        match = Match(GAME, {"players": 4, "turn_limit": 40, "board": "variable"}, seed)
        manners = [Manners(Seating(GAME, match.options, seat, seed)) for seat in range(4)]
        rng = np.random.default_rng(seed)
        while not match.over:
            seat, view = match.actor, match.view(match.actor)
            legal = match.legal()
            found = manners[seat].polite(view, legal)
            assert len(found) and set(found) <= set(legal)
            openings = found[(found >= ids.GIVE) & (found < ids.WANT)]
            action = int(rng.choice(openings if len(openings) and view["phase"][0] == phases.MAIN else found))
            yield match, seat, action
            manners[seat].chosen(view, action)
            match.play(action)


@pytest.fixture(scope="module")
def offers() -> list[dict[str, Any]]:
    """The offers that were proposed, with who made them when, and what they change in hands."""
    found: list[dict[str, Any]] = []
    for match, seat, action in _games(range(3)):
        s = match.state()[0]
        assert action != ids.COUNTER
        if action == ids.PROPOSE and s["phase"] == phases.OFFERING:
            terms = [int(n) for n in s["offer"]]
            turn = int(s["turn_number"])
            found.append(
                {"game": id(match), "turn": turn, "seat": seat, "terms": terms, "gains": _gains(s, seat, terms)}
            )
    assert len(found) >= 10
    return found


def _gains(s: Any, seat: int, terms: list[int]) -> list[float]:
    """What the hand of every seat gains by the offer, the maker's first; of who cannot pay nothing is told."""
    before, gains = [hand_value(s, q, HAND_MADE) for q in range(4)], []
    for q in [seat, *(other for other in range(4) if other != seat)]:
        sign = -1 if q == seat else 1
        if q != seat and any(s["hand"][q, r] + terms[r] < 0 for r in range(KINDS)):
            continue
        for r in range(KINDS):
            s["hand"][q, r] += sign * terms[r]
        gains.append(float(hand_value(s, q, HAND_MADE) - before[q]))
        for r in range(KINDS):
            s["hand"][q, r] -= sign * terms[r]
    return gains


def test_an_offer_is_one_or_two_equal_cards_for_one_other(offers: list[dict[str, Any]]) -> None:
    for offer in offers:
        terms = offer["terms"]
        assert sorted(terms)[:1] == [-1] and sorted(terms)[-1] in (1, 2)
        assert sum(n != 0 for n in terms) == 2


def test_at_most_one_offer_a_turn_and_never_the_same_in_two_turns_of_a_player(offers: list[dict[str, Any]]) -> None:
    turns = [(offer["game"], offer["turn"]) for offer in offers]
    assert OFFERS == 1 and len(set(turns)) == len(turns)
    last: dict[tuple[object, object], dict[str, Any]] = {}
    for offer in offers:
        key = (offer["game"], offer["seat"])
        if key in last and offer["turn"] - last[key]["turn"] == 4:
            assert offer["terms"] != last[key]["terms"]
        last[key] = offer


def test_the_maker_gains_by_every_offer_and_somebody_else_by_most(offers: list[dict[str, Any]]) -> None:
    """Hands that an undecided theft leaves uncertain are guessed: somebody may gain less than was thought."""
    assert all(offer["gains"][0] > 0 for offer in offers)
    helped = [any(gain > 0 for gain in offer["gains"][1:]) for offer in offers]
    assert np.mean(helped) > 0.8


def test_who_takes_over_in_the_middle_of_a_counter_offer_drops_it() -> None:
    match = Match(GAME, {"players": 3, "turn_limit": 40}, 1)
    manners = Manners(Seating(GAME, match.options, 0, 1))
    view = match.state()
    view["phase"] = phases.COUNTERING
    assert manners.polite(view, np.array([ids.GIVE, ids.CANCEL])).tolist() == [ids.CANCEL]


def test_levels_have_manners_and_the_plain_search_keeps_its_code() -> None:
    for level in ("medium", "hard", "champion"):
        assert parse_code(GAME, level)[1]["manners"] == "on"
    assert "manners" not in parse_code(GAME, "mcts:seconds=1")[1]


def test_a_search_with_manners_plays_polite_moves_only() -> None:
    match = Match(GAME, {"players": 3, "turn_limit": 6, "board": "variable"}, 3)
    agents = [make_agent(GAME, "mcts:simulations=3,manners=on") for _ in range(3)]
    for seat, agent in enumerate(agents):
        agent.start(Seating(GAME, match.options, seat, 3))
    opened: list[int] = []
    while not match.over:
        seat, phase = match.actor, int(match.state()["phase"][0])
        action = agents[seat].choose(match.view(seat), match.legal(), Clock())
        assert action != ids.COUNTER and not (phase == phases.MAIN and ids.WANT <= action < ids.PROPOSE)
        if phase == phases.MAIN and ids.GIVE <= action < ids.WANT:
            opened.append(int(match.state()["turn_number"][0]))
        match.play(action)
    assert len(set(opened)) == len(opened)
