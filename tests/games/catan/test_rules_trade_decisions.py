"""The decisions of a trade, found as bit sets, against the rules written out card by card (CA-18, CA-21)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ludens.core.match import Match
from ludens.games.catan import GAME, phases
from ludens.games.catan import action_ids as ids
from ludens.games.catan.state import ACCEPTED, COUNTERED, KINDS


def additions(s: Any, p: int, gives: list[int], partner_cards: int) -> list[int]:
    """The cards that player p may add to terms that give `gives` (and want what is negative)."""
    given, wanted = sum(n for n in gives if n > 0), -sum(n for n in gives if n < 0)
    found = []
    for r in range(KINDS):
        if gives[r] >= 0 and gives[r] < s.hand[p, r] and not (s.offer_limit and given == 2):
            found.append(ids.GIVE + r)
    for r in range(KINDS):
        others = sum(int(s.hand[q, r]) for q in range(int(s.players)) if q != p)
        room = wanted < partner_cards and not (s.offer_limit and wanted == 1)
        if gives[r] <= 0 and -gives[r] < others and room:
            found.append(ids.WANT + r)
    return found


def holds(s: Any, p: int, cards: list[int]) -> bool:
    return all(cards[r] <= s.hand[p, r] for r in range(KINDS))


def slow_legal(s: Any) -> list[int]:
    """The legal decisions of a trade, or the openings of one among those of the turn."""
    active, q = int(s.current), int(s.responder)
    offer = [int(n) for n in s.offer]
    most = max(int(s.count[p]) for p in range(int(s.players)) if p != active)
    if s.phase == phases.MAIN:
        closed = s.offers_made >= s.max_offers or (s.strict and s.has_built) or not s.count[active] or not most
        return [] if closed else additions(s, active, offer, most)
    if s.phase in (phases.OFFERING, phases.COUNTERING):
        if s.phase == phases.OFFERING:
            gives = offer
            found = additions(s, active, gives, most)
        else:
            gives = [-int(n) for n in s.counter[q]]
            found = additions(s, q, gives, int(s.count[active]))
        return found + ([ids.PROPOSE] if min(gives) < 0 < max(gives) else []) + [ids.CANCEL]
    if s.phase == phases.ANSWER:
        accept = [ids.ACCEPT] if holds(s, q, [-n for n in offer]) else []
        return [*accept, ids.DECLINE] + ([ids.COUNTER] if s.counter_offers else [])
    assert s.phase == phases.PARTNERING
    counters = [[int(n) for n in row] for row in s.counter]
    willing = [
        ids.PARTNER + p
        for p in range(int(s.players))
        if s.answer[p] == ACCEPTED or (s.answer[p] == COUNTERED and holds(s, active, counters[p]))
    ]
    return [ids.CANCEL, *willing]


@pytest.mark.parametrize(
    "options",
    [
        {"players": 4},
        {"players": 3, "preset": "thesis"},
        {"players": 2, "strict_phases": "on", "offers_per_turn": 10},
        {"players": 4, "bargaining": "one-sided", "partner": "first", "bank": "unlimited"},
    ],
    ids=["official", "thesis", "strict", "one-sided"],
)
def test_ca_18_legal_trade_decisions_equal_the_rules_written_out(options: dict[str, Any]) -> None:
    compared = dict.fromkeys((phases.MAIN, phases.OFFERING, phases.COUNTERING, phases.ANSWER, phases.PARTNERING), 0)
    for seed in range(2):
        rng = random.Random(seed)
        match = Match(GAME, {"board": "variable", "turn_limit": 60, **options}, seed)
        while not match.over:
            legal, s = [int(a) for a in match.legal()], match.state()[0]
            phase = int(s.phase)
            if phase in compared:
                assert [a for a in legal if ids.GIVE <= a < ids.END] == slow_legal(s)
                compared[phase] += 1
            match.play(rng.choice(legal))
    assert compared[phases.MAIN] > 100
    assert compared[phases.OFFERING] > 100
    assert compared[phases.ANSWER] > 20
    assert (compared[phases.COUNTERING] > 20) == bool(match.state()[0].counter_offers)
    assert (compared[phases.PARTNERING] > 5) == (not match.state()[0].first_acceptor)
