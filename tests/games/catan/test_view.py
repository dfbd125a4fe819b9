"""Hidden information: what views keep and hide, and that determinised hands follow the true distribution (CA-20)."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy import stats

from ludens.core.rng import DETERMINIZE, generator
from ludens.core.verbs import SPECTATOR, UNKNOWN
from ludens.games.catan.rules import island
from ludens.games.catan.state import RESOURCES
from tests.games.catan.audit import explains_at, fault_at
from tests.games.catan.table import Table

SAMPLES = 3000
Hands = tuple[tuple[int, ...], ...]


def theft(table: Table, victim: int, resource: str) -> Table:
    """The active player plays a knight and robs the victim, who lives at a hex of its own."""
    table.development(int(table.s.current), knight=1)
    table.s.card_played = 0
    home = {0: 0, 1: 2, 2: 16, 3: 18}[victim]
    if table.s.robber == home:
        table.s.robber = 9
    return table.do("knight", f"robber {home}").steal(resource)


def village(**hands: dict[str, int]) -> Table:
    """Four players with a settlement each at a corner hex of the island; hands by p0 … p3."""
    table = Table()
    for p, home in enumerate((0, 2, 16, 18)):
        table.settle(p, int(island.HEX_VERTICES[home][0 if home < 9 else 3]))
    for name, hand in hands.items():
        table.cards(int(name[1]), **hand)
    return table


def guesses(table: Table, seat: int, samples: int = SAMPLES) -> Counter[Hands]:
    """How often each assignment of hands is dealt from the seat's view."""
    rng = generator(7, DETERMINIZE)
    found: Counter[Hands] = Counter()
    for _ in range(samples):
        state = table.guess(seat, rng)
        assert explains_at(state)
        assert fault_at(state) == 0
        found[tuple(tuple(int(x) for x in row) for row in state[0].hand)] += 1
    return found


def assert_follows(found: Counter[Hands], expected: dict[Hands, float]) -> None:
    assert set(found) == set(expected)
    total = sum(found.values())
    counts = [found[key] for key in expected]
    shares = np.array(list(expected.values()))
    if len(expected) > 1:
        assert stats.chisquare(counts, total * shares / shares.sum()).pvalue > 1e-4


def hands_after(steps: list[tuple[int, int]], kinds: tuple[int, ...], start: np.ndarray) -> np.ndarray:
    hands = start.copy()
    for (thief, victim), kind in zip(steps, kinds, strict=True):
        hands[victim, kind] -= 1
        hands[thief, kind] += 1
    return hands


def frozen(hands: np.ndarray) -> Hands:
    return tuple(tuple(int(x) for x in row) for row in hands)


def test_ca_20_without_thefts_everything_but_cards_is_counted() -> None:
    table = village(p0={"ore": 2}, p1={"wool": 3})
    for seat in (SPECTATOR, 0, 2):
        assert table.seen(seat)[0].hand.tolist() == table.s.hand.tolist()


def test_ca_20_a_theft_hides_both_hands_from_third_parties_only() -> None:
    table = theft(village(p0={"ore": 1}, p1={"wool": 2, "grain": 1}), 1, "wool")
    for seat in (SPECTATOR, 2, 3):
        view = table.seen(seat)[0]
        assert (view.hand[:2] == UNKNOWN).all()
        assert view.stolen[0] == UNKNOWN
        assert view.count.tolist() == [2, 2, 0, 0]
        assert (view.hand[2:] != UNKNOWN).all()
    for seat in (0, 1):
        assert table.seen(seat)[0].hand.tolist() == table.s.hand.tolist()


def test_ca_20_states_that_differ_in_the_stolen_card_look_the_same_to_others() -> None:
    views = []
    for resource in ("wool", "grain"):
        table = theft(village(p0={"ore": 1}, p1={"wool": 2, "grain": 1}), 1, resource)
        views.append([table.seen(seat).tobytes() for seat in (SPECTATOR, 2, 3)])
    assert views[0] == views[1]


def test_ca_20_a_theft_from_a_hand_of_one_kind_is_no_secret() -> None:
    table = theft(village(p1={"wool": 2}), 1, "wool")
    assert table.s.thefts == 0
    assert table.seen(3)[0].hand.tolist() == table.s.hand.tolist()


def test_ca_20_one_theft_is_guessed_by_the_victims_hand() -> None:
    table = theft(village(p0={"ore": 1}, p1={"wool": 2, "grain": 1}), 1, "grain")
    start = np.zeros((4, 5), np.int64)
    start[0, 4], start[1, 2], start[1, 3] = 1, 2, 1
    expected = {frozen(hands_after([(0, 1)], (kind,), start)): float(start[1, kind]) for kind in (2, 3)}
    assert_follows(guesses(table, 3), expected)
    assert len(guesses(table, 0, 50)) == 1


def test_ca_20_spending_the_stolen_card_decides_it() -> None:
    table = theft(village(p0={"ore": 1, "grain": 1}, p1={"wool": 2, "brick": 1}), 1, "wool")
    assert table.s.thefts == 1
    table.do("buy").draw("knight")
    assert len(guesses(table, 3, 50)) == 1
    theft(table, 1, "wool")
    assert table.s.thefts == 1  # the first is settled when the next one happens
    assert table.s.counted[1].tolist() == [1, 0, 1, 0, 0]


@pytest.mark.parametrize("seat", [SPECTATOR, 0, 1, 2, 3])
def test_ca_20_a_chain_of_thefts_follows_the_exact_posterior(seat: int) -> None:
    """0 robs 1, then 2 robs 0, then 0 robs 2; then 0 shows a card. Compared with all histories enumerated."""
    table = village(p0={"ore": 1}, p1={"wool": 2, "grain": 1}, p2={"brick": 1, "wool": 1})
    start = table.s.hand.astype(np.int64).copy()
    steps, true_kinds = [(0, 1), (2, 0), (0, 2)], (2, 4, 0)
    for (thief, victim), kind in zip(steps, true_kinds, strict=True):
        table.s.current = thief
        theft(table, victim, RESOURCES[kind])
    table.s.current = 0
    table.cards(3, lumber=1)
    table.do("give brick", "want lumber", "propose", "decline", "decline", "decline")
    expected: dict[Hands, float] = {}
    for kinds in product(range(5), repeat=3):
        hands, weight = start.copy(), 1.0
        for (thief, victim), kind in zip(steps, kinds, strict=True):
            weight *= hands[victim, kind] / hands[victim].sum()
            hands[victim, kind] -= 1
            hands[thief, kind] += 1
        known = all(
            kind == true
            for (thief, victim), kind, true in zip(steps, kinds, true_kinds, strict=True)
            if seat in (thief, victim)
        )
        if weight > 0 and known and hands[0, 0] >= 1:
            hands[3, 1] = 1
            expected[frozen(hands)] = expected.get(frozen(hands), 0.0) + weight
    assert_follows(guesses(table, seat), expected)


def test_ca_20_a_monopoly_shows_the_exact_numbers() -> None:
    table = theft(village(p0={"ore": 1}, p1={"wool": 2, "grain": 1}), 1, "grain")
    table.s.current, table.s.card_played = 2, 0
    table.development(2, monopoly=1).do("monopoly wool")
    assert table.s.thefts == 0  # nobody but the victim gave wool, so the stolen card was the grain
    assert table.seen(3)[0].hand.tolist() == table.s.hand.tolist()


def test_ca_20_a_monopoly_among_several_thefts_follows_the_exact_posterior() -> None:
    table = village(p0={"ore": 1}, p1={"wool": 2, "grain": 2}, p2={"wool": 1, "ore": 1})
    start = table.s.hand.astype(np.int64).copy()
    steps, true_kinds = [(0, 1), (0, 2), (1, 0)], (2, 2, 2)
    for (thief, victim), kind in zip(steps, true_kinds, strict=True):
        table.s.current = thief
        theft(table, victim, RESOURCES[kind])
    given = table.s.hand[:, 2].astype(int).copy()
    table.s.current, table.s.card_played = 3, 0
    table.development(3, monopoly=1).do("monopoly wool")
    expected: dict[Hands, float] = {}
    for kinds in product(range(5), repeat=3):
        hands, weight = start.copy(), 1.0
        for (thief, victim), kind in zip(steps, kinds, strict=True):
            weight *= hands[victim, kind] / hands[victim].sum()
            hands[victim, kind] -= 1
            hands[thief, kind] += 1
        if weight > 0 and hands[:3, 2].tolist() == given[:3].tolist():
            hands[3, 2] = given.sum()
            hands[:3, 2] = 0
            expected[frozen(hands)] = expected.get(frozen(hands), 0.0) + weight
    assert len(expected) > 1
    assert_follows(guesses(table, SPECTATOR), expected)
    assert_follows(guesses(table, 3), expected)


def test_ca_20_development_cards_of_others_and_the_deck_are_hidden() -> None:
    table = Table().development(0, knight=1, victory_point=1).development(1, monopoly=1)
    view = table.seen(0)[0]
    assert view.cards[0].tolist() == table.s.cards[0].tolist()
    assert (view.cards[1:] == UNKNOWN).all()
    assert (view.deck == UNKNOWN).all()
    assert view.card_count.tolist() == [2, 1, 0, 0]
    other = Table().development(0, knight=1, victory_point=1).development(1, year_of_plenty=1)
    assert other.seen(0).tobytes() == table.seen(0).tobytes()


def test_ca_20_unseen_development_cards_are_dealt_by_their_numbers() -> None:
    table = Table().development(0, knight=3).development(1, monopoly=1)
    rng = generator(3, DETERMINIZE)
    drawn = np.zeros(5)
    for _ in range(4000):
        drawn += table.guess(0, rng)[0].cards[1]
    assert stats.chisquare(drawn, 4000 * np.array([11, 5, 2, 2, 2]) / 22).pvalue > 1e-4


def test_ca_20_nobody_is_dealt_a_victory_that_would_have_ended_the_game() -> None:
    table = Table(players=2).city(0, 0, 4, 16, 20).settle(0, 40).development(0, knight=2)
    table.check_victory()
    table.do("end")
    rng = generator(4, DETERMINIZE)
    for _ in range(300):
        assert table.guess(1, rng)[0].cards[0, 1] == 0


def test_ca_20_cards_bought_this_turn_are_dealt_as_such() -> None:
    table = Table().development(0, knight=1).development(0, fresh=True, monopoly=1)
    rng = generator(5, DETERMINIZE)
    for _ in range(200):
        state = table.guess(2, rng)[0]
        assert state.fresh.sum() == 1
        assert (state.cards[0] >= state.fresh).all()


def test_ca_20_everything_is_laid_open_at_the_end() -> None:
    table = Table(turn_limit=1).development(1, victory_point=2).do("end")
    assert table.seen(SPECTATOR).tobytes() == table.states.tobytes()
    assert table.points() == [0, 2, 0, 0]
