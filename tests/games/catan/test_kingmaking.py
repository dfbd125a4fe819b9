"""No agent helps somebody else to win at once: not by an offer, an answer, a robber or a discard."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.agents.codes import kinds, make_agent
from ludens.agents.manners import at_table
from ludens.core import kernels
from ludens.core.agent import Clock, Seating
from ludens.core.jit import kernel
from ludens.core.match import Match
from ludens.games.catan import GAME, phases
from ludens.games.catan import action_ids as ids
from ludens.games.catan.kingmaking import helps
from ludens.games.catan.players.manners import MOST_OFFERS
from ludens.games.catan.rules import island
from ludens.games.catan.state import COUNTERED, KINDS, RESOURCES, VICTORY_CARD
from tests.games.catan.table import Table
from tests.games.catan.threats import (
    answers_that_give_the_game_away,
    could_win,
    legal_in,
    mined,
    offered,
    seen,
    swapped,
)

SEARCHES = {
    "flat": "simulations=30",
    "montecarlo": "simulations=30",
    "mcts": "simulations=30",
    "sequential-halving": "simulations=30",
    "expectimax": "depth=1",
    "medium": "simulations=30",
    "hard": "simulations=30,threads=1",
    "champion": "simulations=30,threads=1",
}
CODES = [
    f"{name}:{SEARCHES[name]}" if name in SEARCHES else name
    for name, kind in kinds(GAME).items()
    if kind.complete and not kind.oracle and name != "alphabeta"  # which plays games of two
]
GUARDED = ["value", "value-network", "easy", f"medium:{SEARCHES['medium']}"]  # wherever they play


@kernel
def _helps(states: Any, action: int) -> bool:
    return helps(states[0], action)


def helping(states: np.ndarray, action: int) -> bool:
    before = states.copy()
    found = bool(_helps(states, int(action)))
    assert (states == before).all()
    return found


def choice(code: str, states: np.ndarray, table: bool = True) -> int:
    """What an agent chooses that sits down in this position."""
    seat = int(kernels.actor_at(states, 0))
    agent = make_agent(GAME, code)
    agent = at_table(GAME, agent) if table else agent
    options = GAME.options({"players": int(states["players"][0])})
    agent.start(Seating(GAME, options, seat, 1))
    return int(agent.choose(seen(states, seat), legal_in(states), Clock()))


def leader(seat: int = 0, **cards: int) -> Table:
    """A table whose seat has three cities and three settlements, nine points, and these cards; all others have four."""
    table = Table()
    for k in range(6):
        vertex = next(v for v in range(54) if int(table.s.open_sites) >> v & 1)
        (table.city if k < 3 else table.settle)(seat, vertex)
    others = [p for p in range(4) if p != seat]
    for p in others:
        vertices = [v for v in range(54) if int(table.s.open_sites) >> v & 1]
        table.settle(p, vertices[-1])
        table.cards(p, brick=1, wool=1, ore=2)
    table.s.price[:] = 4
    assert int(table.s.visible[seat]) == 9
    return table.cards(seat, **cards)


def asked(table: Table, given: str, wanted: str) -> np.ndarray:
    found = offered(table.states, RESOURCES.index(given), RESOURCES.index(wanted))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def giveaways() -> list[np.ndarray]:
    found = answers_that_give_the_game_away(mined(range(7)), 12)
    assert len(found) >= 8
    return found


# --- the rule ------------------------------------------------------------------------------


def test_a_yes_that_brings_the_last_card_of_a_city_helps_and_no_other() -> None:
    table = leader(grain=2, ore=2, lumber=2)
    assert helping(asked(table, "lumber", "ore"), ids.ACCEPT)
    assert not helping(asked(table, "lumber", "wool"), ids.ACCEPT)
    table = leader(grain=2, ore=2, lumber=1)
    table.s.goal = 12
    assert not helping(asked(table, "lumber", "ore"), ids.ACCEPT)


def test_who_can_win_without_the_trade_is_not_helped_by_it() -> None:
    assert not helping(asked(leader(grain=2, ore=3, lumber=1), "lumber", "wool"), ids.ACCEPT)


def test_a_card_for_which_the_bank_gives_the_last_one_helps_too() -> None:
    assert helping(asked(leader(grain=2, ore=2, wool=3, lumber=1), "lumber", "wool"), ids.ACCEPT)
    table = leader(grain=2, ore=2, wool=3, lumber=1)
    table.s.bank[RESOURCES.index("ore")] = 0
    assert not helping(asked(table, "lumber", "wool"), ids.ACCEPT)


def test_an_offer_to_the_leader_helps_unless_it_wins_for_its_maker() -> None:
    table = leader(1, grain=2, ore=2, wool=2).cards(0, ore=1, brick=1)
    for action in (ids.GIVE + RESOURCES.index("ore"), ids.WANT + RESOURCES.index("wool")):
        kernels.apply_at(table.states, 0, action)
    assert helping(table.states, ids.PROPOSE)
    table.s.goal = 10
    table.s.visible[0] = 9
    table.s.settlements[0] = 1 << 30
    table.cards(0, grain=2, ore=4, wool=0)
    assert not helping(table.states, ids.PROPOSE) or not could_win(table.states, 0)


def test_a_partner_and_a_counter_offer_that_help_are_seen() -> None:
    table = leader(1, grain=2, ore=2, wool=2).cards(0, ore=2)
    ore, wool = RESOURCES.index("ore"), RESOURCES.index("wool")
    s = table.s
    s.phase, s.offer[ore], s.offer[wool], s.answer[1] = phases.PARTNERING, 1, -1, 3
    assert helping(table.states, ids.PARTNER + 1)
    s.offer[ore], s.answer[1], s.counter[1, ore], s.counter[1, wool] = 0, COUNTERED, 1, -1
    assert helping(table.states, ids.PARTNER + 1)
    table = leader(0, grain=2, ore=2, wool=2)
    s = table.s
    s.phase, s.responder, s.counter[1, ore], s.counter[1, wool] = phases.COUNTERING, 1, -1, 1
    assert helping(table.states, ids.PROPOSE)


def test_the_robber_takes_from_who_holds_what_wins() -> None:
    table = leader(1, grain=2, ore=3)
    s = table.s
    s.phase, s.rolled = phases.ROBBING, 1
    own = {h for h in range(19) if any(s.building[v] in (1, 5) for v in island.HEX_VERTICES[h])} - {int(s.robber)}
    for h in set(range(19)) - {int(s.robber)}:
        assert helping(table.states, ids.ROBBER + h) == (h not in own)
    table.cards(1, grain=1)
    assert not any(helping(table.states, a) for a in legal_in(table.states))


def test_the_rule_finds_every_trade_that_would_win(giveaways: list[np.ndarray]) -> None:
    assert all(helping(states, ids.ACCEPT) for states in giveaways)


def test_the_rule_forbids_hardly_more() -> None:
    """Stolen cards that nobody saw and one secret point are thought to be what helps."""
    told = wrong = 0
    for state in mined(range(20, 22)):
        p, secret = int(state["current"][0]), int(state["cards"][0, int(state["current"][0]), VICTORY_CARD])
        if state["card_count"][0, p] > 0 or secret or state["thefts"][0]:
            continue
        for given, wanted in np.ndindex(KINDS, KINDS):
            found = None if given == wanted else offered(state, int(given), int(wanted))
            if found is not None and ids.ACCEPT in legal_in(found):
                q = int(found["responder"][0])
                truth = could_win(swapped(found, p, q, found["offer"][0]), p) and not could_win(state, p)
                told += truth
                wrong += helping(found, ids.ACCEPT) != truth
    assert wrong == 0, (told, wrong)


# --- the agents ----------------------------------------------------------------------------


@pytest.mark.parametrize("code", CODES)
def test_no_agent_at_a_table_gives_the_game_away(code: str, giveaways: list[np.ndarray]) -> None:
    made = [asked(leader(grain=2, ore=2, lumber=2), "lumber", "ore")]
    for states in made + giveaways:
        assert choice(code, states) != ids.ACCEPT


@pytest.mark.parametrize("code", GUARDED)
def test_the_levels_do_not_anywhere(code: str, giveaways: list[np.ndarray]) -> None:
    for states in giveaways:
        assert choice(code, states, table=False) != ids.ACCEPT


@pytest.mark.parametrize("code", CODES)
def test_no_agent_chooses_offers_or_robs_so_that_another_wins(code: str) -> None:
    ore, wool = RESOURCES.index("ore"), RESOURCES.index("wool")
    table = leader(1, grain=2, ore=2, wool=2).cards(0, ore=3, brick=1)
    s = table.s
    s.phase, s.offer[ore] = phases.OFFERING, 1
    s.offer[wool] = -1
    assert choice(code, table.states) != ids.PROPOSE
    s.phase, s.answer[1], s.answer[2] = phases.PARTNERING, 3, 3
    assert choice(code, table.states) != ids.PARTNER + 1
    table = leader(1, grain=2, ore=3)
    s = table.s
    s.phase, s.rolled = phases.ROBBING, 1
    assert not helping(table.states, choice(code, table.states))
    h = next(h for h in range(19) if (s.building[island.HEX_VERTICES[h]] == 5).any())
    vertex = next(v for v in island.HEX_VERTICES[h] if s.building[v] == -1)
    s.robber, s.phase, s.building[vertex] = h, phases.VICTIMISING, 2
    assert choice(code, table.states) == ids.VICTIM + 1


def test_a_policy_may_not_either(giveaways: list[np.ndarray]) -> None:
    for states in giveaways:
        left = legal_in(states)
        assert ids.ACCEPT not in left[: int(kernels.restrict_at(states, 0, left, len(left)))]


def test_the_thesis_plays_as_published_among_itself(giveaways: list[np.ndarray]) -> None:
    assert any(choice("modrozoubek", states, table=False) == ids.ACCEPT for states in giveaways)


# --- people offer as often as they like ----------------------------------------------------


def test_people_offer_without_limit_and_computers_three_times_a_turn() -> None:
    table = Table(**GAME.spec.for_people).cards(0, wool=2).cards(1, ore=1)
    assert not table.states["offers_made"]
    for _ in range(30):
        table.do("give wool", "cancel")
    assert table.may("give wool") and table.s.phase == phases.MAIN
    for code in ("random", "weighted"):
        assert {choice(code, table.states) for _ in range(20)} == {legal_in(table.states)[-1]}
    assert MOST_OFFERS == 3


def test_stored_games_keep_their_three_offers() -> None:
    assert int(Table().s.max_offers) == 3
    stored = Match(GAME, {"players": 3}, 1).to_json()
    assert stored["options"]["offers_per_turn"] == "preset"
    assert int(Match.from_json(stored).state()["max_offers"][0]) == 3


def test_whole_games_with_people_s_options_go_on_and_nobody_helps() -> None:
    """Whatever the agents at a table choose is no help, by the rules themselves."""
    for seed, code in enumerate(("weighted", "value:offers=2", "modrozoubek")):
        match = Match(GAME, {"players": 4, "turn_limit": 60, "points": 6, **GAME.spec.for_people}, seed)
        agents = [at_table(GAME, make_agent(GAME, code)) for _ in range(4)]
        for seat, agent in enumerate(agents):
            agent.start(Seating(GAME, match.options, seat, seed))
        while not match.over:
            state, seat = match.state(), match.actor
            action = int(agents[seat].choose(match.view(seat), match.legal(), Clock()))
            assert (
                not (state["phase"][0] == phases.MAIN and ids.GIVE <= action < ids.PROPOSE)
                or state["offers_made"][0] < 3
            )
            if state["phase"][0] == phases.ANSWER and action == ids.ACCEPT:
                p = int(state["current"][0])
                after = swapped(state, p, seat, state["offer"][0])
                assert could_win(state, p) or not could_win(after, p) or state["cards"][0, p, VICTORY_CARD] > 1
            match.play(action)
