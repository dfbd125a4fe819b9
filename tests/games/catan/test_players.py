"""The agents of Catan: legal, fair, fast and in the right order of strength."""

from __future__ import annotations

import time

import numpy as np
import pytest

from ludens.agents.codes import make_agent
from ludens.core.agent import Clock, Seating
from ludens.core.match import Match
from ludens.games.catan import GAME, phases
from ludens.games.catan import action_ids as ids
from ludens.games.catan.players.value import ValueAgent
from tests.games.catan.table import CENTRE, Table


def play(codes: list[str], seed: int, **options: object) -> Match:
    match = Match(GAME, {"players": len(codes), "turn_limit": 500, "board": "variable", **options}, seed)
    agents = [make_agent(GAME, code) for code in codes]
    for seat, agent in enumerate(agents):
        agent.start(Seating(GAME, match.options, seat, seed))
    while not match.over:
        seat = match.actor
        match.play(agents[seat].choose(match.view(seat), match.legal(), Clock()))
    return match


def wins(code: str, others: str, games: int, **options: object) -> int:
    """Games won by one player against three, seats rotating."""
    count = 0
    for seed in range(games):
        codes = [others] * 4
        codes[seed % 4] = code
        count += play(codes, seed, **options).returns()[seed % 4] == 1
    return count


def test_value_beats_three_random_players() -> None:
    assert wins("value", "random", 12) >= 11


def test_value_beats_three_weighted_players() -> None:
    assert wins("value", "weighted", 12) >= 10


def test_weighted_beats_three_random_players() -> None:
    assert wins("weighted", "random", 24, offers_per_turn=0) >= 8


@pytest.mark.parametrize("options", [{"preset": "thesis"}, {"players": 2}, {"players": 3}, {"strict_phases": "on"}])
def test_value_plays_every_kind_of_game(options: dict[str, object]) -> None:
    players = int(str(options.get("players", 4)))
    match = play(["value"] * players, 1, **{k: v for k, v in options.items() if k != "players"})
    assert max(match.scores()) >= 10


def decide(table: Table, seat: int = 0) -> str:
    agent = ValueAgent()
    agent.start(Seating(GAME, GAME.options(), seat, 1))
    legal = np.array(_legal(table), np.int64)
    return GAME.text.action_to_text(table.s, agent.choose(table.seen(seat), legal, Clock()))


def _legal(table: Table) -> list[int]:
    return [GAME.text.action_from_text(table.s, word) for word in table.words()]


def test_value_takes_a_victory() -> None:
    table = Table().city(0, 0, 4, 16).settle(0, 20, CENTRE[3], 51).cards(0, grain=3, ore=4, wool=2)
    assert decide(table).startswith("city")


def test_value_robs_the_leader_and_not_itself() -> None:
    table = Table(rolled=False).settle(0, CENTRE[0]).city(1, 0, 4).settle(2, 51).cards(1, ore=4).roll(7)
    move = decide(table)
    hexes = [h for h in range(19) if any(v in (0, 4) for v in _corners(h))]
    assert int(move.split()[1]) in hexes


def _corners(h: int) -> list[int]:
    from ludens.games.catan.rules import island

    return [int(v) for v in island.HEX_VERTICES[h]]


def test_value_declines_what_helps_a_player_about_to_win() -> None:
    table = Table().city(0, 0, 4, 16, 20).settle(1, 51).cards(0, ore=3).cards(1, grain=2, ore=2, wool=1)
    table.do("give ore", "want wool", "propose")
    assert decide(table, 1) == "decline"


def test_value_keeps_what_it_needs_when_discarding() -> None:
    table = Table(rolled=False).settle(0, CENTRE[0]).cards(0, grain=2, ore=3, brick=6).roll(7)
    assert decide(table) == "discard brick"


def test_value_works_on_views_and_leaves_them_as_they_are() -> None:
    for seed in range(3):
        match = Match(GAME, {"turn_limit": 200}, seed)
        agents = [ValueAgent() for _ in range(4)]
        for seat, agent in enumerate(agents):
            agent.start(Seating(GAME, match.options, seat, seed))
        while not match.over:
            view, legal = match.view(match.actor), match.legal()
            before = view.tobytes()
            action = agents[match.actor].choose(view, legal, Clock())
            assert view.tobytes() == before
            match.play(action)


class Decliner(ValueAgent):
    """Plays as `value`, but trades with nobody."""

    def choose(self, view: np.ndarray, legal: np.ndarray, clock: Clock) -> int:
        return ids.DECLINE if view["phase"][0] == phases.ANSWER else super().choose(view, legal, clock)


def proposals(agents: list[ValueAgent], seed: int) -> list[tuple[int, bytes, bool]]:
    """The offers of a game: turn, terms, and whether somebody accepted."""
    match = Match(GAME, {"players": len(agents), "board": "variable", "turn_limit": 100}, seed)
    for seat, agent in enumerate(agents):
        agent.start(Seating(GAME, match.options, seat, seed))
    found: list[tuple[int, bytes, bool]] = []
    while not match.over:
        view = match.view(match.actor)
        action = agents[match.actor].choose(view, match.legal(), Clock())
        if action == ids.PROPOSE:
            found.append((int(view["turn_number"][0]), view["offer"].tobytes(), False))
        elif action == ids.ACCEPT:
            found[-1] = (*found[-1][:2], True)
        match.play(action)
    return found


def test_value_offers_what_others_accept() -> None:
    made = [offer for seed in range(6) for offer in proposals([ValueAgent() for _ in range(4)], seed)]
    assert len(made) > 10
    assert sum(accepted for _, _, accepted in made) > 0.7 * len(made)


def test_value_makes_few_offers_and_repeats_none_that_was_refused() -> None:
    for seed in range(4):
        made = [(turn, terms) for turn, terms, _ in proposals([Decliner() for _ in range(4)], seed)]
        turns = [turn for turn, _ in made]
        assert len(made) > 5
        assert len(set(made)) == len(made)
        assert all(turns.count(turn) <= 2 for turn in turns)


def test_value_makes_no_offers_when_told_so() -> None:
    assert proposals([ValueAgent(offers=0) for _ in range(4)], 1) == []


def test_value_takes_less_than_a_millisecond_a_decision() -> None:
    match = play(["value"] * 4, 2)
    agent = ValueAgent()
    middle = match.at(match.ply // 2)
    agent.start(Seating(GAME, match.options, middle.actor, 1))
    view, legal = middle.view(middle.actor), middle.legal()
    agent.choose(view, legal, Clock())
    start = time.process_time()
    for _ in range(200):
        agent.choose(view, legal, Clock())
    assert (time.process_time() - start) / 200 < 1e-3
