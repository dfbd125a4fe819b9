"""The full game, rule by rule (SY-15 … SY-29, SY-71)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest

from ludens.core import kernels, record
from ludens.core.errors import BadInput, IllegalMove
from ludens.core.match import Match
from ludens.core.verbs import TERMINAL, UNKNOWN
from ludens.games.scotland_yard import LONDON, phases
from ludens.games.scotland_yard.rules.maps import london
from ludens.games.scotland_yard.rules.possible import possible_stations
from ludens.games.scotland_yard.rules.tables import neighbours
from ludens.games.scotland_yard.state import BLACK, DOUBLE, MAX_PAWNS, NOWHERE, UNLIMITED
from tests.games.scotland_yard.setups import Table, random_play

BOARD = london()


def table(pawns: list[int], mr_x: int, **options: object) -> Table:
    return Table(LONDON, pawns, mr_x, **options)


def at(position: Table, number: int) -> None:
    """Puts Mr. X somewhere else, seen by nobody."""
    position.state["mr_x_station"][0] = BOARD.index(number)


def test_sy_15_two_to_six_players_share_up_to_five_detectives() -> None:
    assert LONDON.spec.players == (2, 3, 4, 5, 6)
    assert LONDON.options()[1] == 5
    position = table([13, 26, 29, 34, 50], 35, players=3)
    owners = [d["seat"] for d in LONDON.text.position_to_json(position.s)["detectives"]]
    assert owners == [1, 2, 1, 2, 1]
    with pytest.raises(BadInput, match="at least 5 detectives"):
        LONDON.options({"players": 6, "detectives": 4})
    assert LONDON.spec.sides(4) == (0, 1, 1, 1)


def test_sy_15_controllers_move_their_own_pawns_in_the_order_of_their_seats() -> None:
    position = table([13, 26, 29, 34], 35, players=3)
    position.play("taxi 22")
    assert position.actor == 1
    assert position.moves() == ["detective 1", "detective 3"]
    assert LONDON.text.refusal(position.s, LONDON.text.action_from_text(position.s, "detective 2")).endswith("(SY-15).")
    position.play("detective 3", "taxi 16")
    assert position.actor == 1
    position.play("taxi 24")
    assert position.actor == 2
    assert position.moves() == ["detective 2", "detective 4"]


def position_first(position: Table) -> str:
    return position.moves()[0]


def test_sy_15_bobbies_need_no_tickets() -> None:
    position = table([13, 26], 35, bobbies=1)
    assert position.s.pawn_tickets.tolist()[:2] == [[11, 8, 4], [UNLIMITED] * 3]
    position.play("taxi 22", "detective 2", "taxi 15")
    assert position.s.pawn_tickets.tolist()[1] == [UNLIMITED] * 3
    with pytest.raises(BadInput, match="bobbies"):
        LONDON.options({"detectives": 2, "bobbies": 2})


def test_sy_18_ferries_take_mr_x_with_a_black_ticket_only() -> None:
    position = table([13], 157)
    ferries = {"black 115", "black 194"}
    assert ferries <= set(position.moves())
    assert not {"taxi 115", "bus 115", "underground 115"} & set(position.moves())
    position.play("black 115")
    position.play(position_first(position))
    assert "black 157" in position.moves(), "an edge may be travelled back on the next move"
    rider = table([157], 13)
    rider.play("taxi 4")
    assert all(not move.startswith("black") and not move.endswith(" 115") for move in rider.moves())


def test_sy_19_tickets_of_the_current_edition() -> None:
    position = table([13, 26, 29, 34, 50], 35)
    assert position.s.pawn_tickets.tolist() == [[11, 8, 4]] * 5
    assert position.s.mr_x_tickets.tolist() == [UNLIMITED] * 3 + [5, 2]
    position.play("taxi 22", "detective 1", "bus 23")
    assert position.s.pawn_tickets.tolist()[0] == [11, 7, 4]
    assert position.s.mr_x_tickets.tolist() == [UNLIMITED] * 3 + [5, 2], "used tickets go to the supply"


def test_sy_20_classic_edition() -> None:
    position = table([13, 26, 29], 35, edition="classic")
    assert position.s.pawn_tickets.tolist()[:3] == [[10, 8, 4]] * 3
    assert position.s.mr_x_tickets.tolist() == [4, 3, 3, 3, 2]
    position.play("taxi 22")
    assert position.s.mr_x_tickets[0] == 3
    position.play("detective 1", "bus 23")
    assert position.s.mr_x_tickets.tolist() == [3, 4, 3, 3, 2], "Mr. X receives the used ticket"


def test_sy_21_cards_come_from_two_decks_without_replacement() -> None:
    for seed in range(60):
        match = Match(LONDON, seed=seed)
        s = match.state()[0]
        pawns = [int(p) for p in s.pawn_station]
        assert len(set(pawns)) == 5
        assert set(pawns) <= set(london().detective_starts)
        assert int(s.mr_x_station) in london().mr_x_starts
        assert match.view(1)["mr_x_station"][0] == UNKNOWN
        assert match.view(1)["pawn_station"].tolist() == [pawns]


def _reach(tickets: int) -> list[set[int]]:
    """By station, where one ride with any of the first so many kinds of tickets leads."""
    dtype, stations = LONDON.dtype, range(len(london().numbers))
    return [{to for ticket in range(tickets) for to in neighbours(dtype, ticket, station)} for station in stations]


def _safe_starts(pawns: Iterable[int]) -> set[int]:
    """Mr. X's cards from which every first ride, by boat too, ends where no detective can ride to."""
    flights, rides = _reach(4), _reach(3)
    standing = set(pawns)
    threatened = set().union(*(rides[pawn] for pawn in standing))
    free = set(london().mr_x_starts) - standing
    return {start for start in free if not (flights[start] - standing) & threatened}


def test_sy_21_with_starts_apart_no_first_ride_gets_mr_x_caught() -> None:
    for seed in range(60):
        match = Match(LONDON, {"starts": "apart"}, seed=seed)
        s = match.state()[0]
        assert int(s.mr_x_station) in set(possible_stations(s)) <= _safe_starts(s.pawn_station.tolist())
    unsafe = [Match(LONDON, seed=seed).state()[0] for seed in range(60)]
    assert any(int(s.mr_x_station) not in _safe_starts(s.pawn_station.tolist()) for s in unsafe)


def test_sy_21_there_is_always_a_start_apart() -> None:
    near = _reach(4)
    within_two = [stations.union(*(near[station] for station in stations)) for stations in near]
    deals = combinations(london().detective_starts, MAX_PAWNS)
    assert all(any(within_two[start].isdisjoint(deal) for start in london().mr_x_starts) for deal in deals)


def test_sy_22_mr_x_first_then_all_detectives_in_the_order_their_controller_chooses() -> None:
    position = table([13, 26, 29], 35)
    assert position.actor == 0
    position.play("taxi 22")
    assert position.s.phase == phases.CHOOSING
    assert position.moves() == ["detective 1", "detective 2", "detective 3"]
    position.play("detective 3", "taxi 16")
    assert position.moves() == ["detective 1", "detective 2"]
    assert "has moved in this round (SY-22)" in LONDON.text.refusal(
        position.s, LONDON.text.action_from_text(position.s, "detective 3")
    )
    position.play("detective 1", "taxi 24")
    assert (position.s.phase, position.s.pawn) == (phases.MOVING, 1), "the last one needs no choice"
    position.play("taxi 15")
    assert (position.actor, position.s.round_number) == (0, 2)


def test_sy_22_everyone_must_move() -> None:
    position = table([13], 35)
    position.play("taxi 22")
    assert "pass" not in position.moves()
    assert LONDON.text.refusal(position.s, LONDON.text.action_from_text(position.s, "pass")).endswith("(SY-22).")


def test_sy_23_rides_follow_one_edge_of_the_tickets_type_to_free_stations() -> None:
    position = table([13, 23], 35)
    position.play("taxi 22", "detective 1")
    expected = set()
    here = BOARD.index(13)
    for a, b, kind in BOARD.connections:
        if here in (a, b) and kind < 3:
            target = BOARD.numbers[a + b - here]
            if target != 23:
                expected.add(f"{('taxi', 'bus', 'underground')[kind]} {target}")
    assert set(position.moves()) == expected
    for move, reason in (
        ("taxi 23", "free stations only (SY-23)"),
        ("bus 24", "no bus connection"),
        ("black 4", "SY-19"),
    ):
        action = LONDON.text.action_from_text(position.s, move)
        assert action not in position.legal()
        assert reason in LONDON.text.refusal(position.s, action)


def test_sy_23_pieces_move_one_after_another() -> None:
    position = table([13, 23], 35)
    position.play("taxi 22", "detective 2", "taxi 12", "taxi 23")
    assert [BOARD.numbers[int(p)] for p in position.s.pawn_station[:2]] == [23, 12], "23 was free by then"


def test_sy_23_a_detective_moving_onto_mr_x_catches_him() -> None:
    position = table([13, 26], 35)
    position.play("taxi 22", "detective 1")
    at(position, 23)
    position.play("taxi 23")
    assert position.s.ending == phases.CAUGHT
    assert position.actor == TERMINAL
    assert position.returns() == [-1.0, 1.0]


def test_sy_24_detectives_see_the_ticket_not_the_station() -> None:
    position = table([13], 35)
    position.play("taxi 65")
    view = position.view(1)[0]
    assert view.mr_x_station == UNKNOWN
    assert view.log_station[0] == -1
    assert view.log_ticket[0] == 0
    assert LONDON.text.position_to_json(view)["log"] == [{"move": 1, "ticket": "taxi", "station": None}]


def test_sy_24_black_stands_for_any_transport_and_reveals_nothing() -> None:
    first = table([13], 35)
    first.play("black 22")
    assert first.view(1)["log_ticket"][0, 0] == BLACK
    for station in range(199):
        ordinary = {t for k in range(3) for t in neighbours(LONDON.dtype, k, station)}
        assert ordinary <= set(neighbours(LONDON.dtype, BLACK, station))


def play_round(position: Table, flight: str) -> None:
    """Mr. X makes the given move, detectives their first legal ones."""
    position.play(flight)
    while position.actor == 1:
        position.play(position_first(position))


def test_sy_25_he_shows_himself_after_moves_3_8_13_18_and_24() -> None:
    seen_after = set()
    for seed in range(60):
        for before, _, after in random_play(LONDON, seed):
            s = after[0]
            if before["phase"][0] == phases.FLEEING and s.moves > before["moves"][0]:
                shown = int(s.log_station[int(s.moves) - 1]) >= 0
                assert shown == (int(s.moves) in (3, 8, 13, 18, 24))
                if shown:
                    seen_after.add(int(s.moves))
                    view = record.blank(LONDON.dtype)
                    kernels.view_at(after, 0, 1, view)
                    assert view["mr_x_station"][0] == s.mr_x_station
    assert seen_after == {3, 8, 13, 18, 24}


def test_sy_25_he_stands_on_the_board_until_his_next_move() -> None:
    position = table([13], 35)
    for flight in ("taxi 22", "taxi 35"):
        play_round(position, flight)
        assert position.view(1)["mr_x_station"][0] == UNKNOWN
    play_round(position, "taxi 48")
    assert position.actor == 0
    assert position.view(1)["mr_x_station"][0] == BOARD.index(48)
    position.play("taxi 35")
    assert position.view(1)["mr_x_station"][0] == UNKNOWN
    assert position.view(1)["seen_station"][0] == BOARD.index(48)


def test_sy_26_a_double_move_is_two_moves_in_one_round() -> None:
    position = table([13, 26], 35)
    position.play("double")
    assert (position.s.mr_x_tickets[DOUBLE], position.s.double_left) == (1, 2)
    assert "double" not in position.moves(), "at most one a round"
    assert LONDON.text.refusal(position.s, LONDON.text.action_from_text(position.s, "double")).endswith("(SY-26).")
    position.play("taxi 22")
    assert (position.actor, position.s.double_left) == (0, 1)
    position.play("black 35")
    assert (position.actor, position.s.moves, position.s.round_number) == (1, 2, 1)
    assert position.s.log_ticket.tolist()[:2] == [0, BLACK]
    position.play("detective 1", "taxi 23", "taxi 15", "double", "taxi 22", "taxi 35")
    assert position.s.mr_x_tickets[DOUBLE] == 0
    position.play("detective 1", "taxi 13", "taxi 26")
    assert "double" not in position.moves()
    assert LONDON.text.refusal(position.s, LONDON.text.action_from_text(position.s, "double")) == (
        "Mr. X has no double move left (SY-26)."
    )


def test_sy_26_a_reveal_on_the_first_leg_vanishes_with_the_second() -> None:
    position = table([13], 35)
    for flight in ("taxi 22", "taxi 35"):
        play_round(position, flight)
    position.play("double", "taxi 48")
    assert position.view(1)["mr_x_station"][0] == BOARD.index(48)
    position.play("taxi 35")
    view = position.view(1)[0]
    assert view.mr_x_station == UNKNOWN
    assert view.log_station[2] == BOARD.index(48)
    assert set(position.possible()) == {BOARD.numbers[t] for t in neighbours(LONDON.dtype, 0, BOARD.index(48))}


def test_sy_26_neither_leg_may_enter_a_detectives_station() -> None:
    position = table([22, 26], 35)
    position.play("double")
    assert "taxi 22" not in position.moves()
    position.play("taxi 36")
    at(position, 11)
    assert "taxi 22" not in position.moves()


def test_sy_27_without_a_ticket_of_a_type_it_cannot_be_used() -> None:
    position = table([13], 35)
    position.play("taxi 22")
    position.state["pawn_tickets"][0, 0] = [5, 0, 1]
    assert {move.split()[0] for move in position.moves()} == {"taxi", "underground"}
    action = LONDON.text.action_from_text(position.s, "bus 23")
    assert "no bus ticket left (SY-27)" in LONDON.text.refusal(position.s, action)


def test_sy_27_a_detective_without_a_usable_ticket_leaves_the_game_and_blocks_nobody() -> None:
    position = table([13, 26], 35)
    position.play("taxi 22", "detective 1")
    position.state["pawn_tickets"][0, 0] = [1, 0, 4]
    position.play("taxi 4")  # a station of taxis only
    assert position.s.pawn_station[0] == NOWHERE
    assert position.s.pawn_left[0] == london().index(4), "everybody saw where it left"
    position.play("taxi 15")
    at(position, 3)
    assert "taxi 4" in position.moves()
    position.play("taxi 4")
    assert position.moves()[0].startswith("taxi"), "the other detective goes on alone"
    assert (position.s.phase, position.s.pawn) == (phases.MOVING, 1)


def test_sy_27_a_detective_blocked_by_others_skips_and_stays() -> None:
    position = table([6, 17, 16], 35)
    position.play("taxi 22", "detective 2", "taxi 7", "detective 3", "taxi 29")  # both neighbours of 6
    assert position.moves() == ["pass"]
    assert position.legal()[0] >= LONDON.spec.first_automatic, "the match plays it"
    position.play("pass")
    assert BOARD.numbers[int(position.s.pawn_station[0])] == 6
    assert position.actor == 0


def test_sy_27_a_blocked_detective_waits_for_the_others() -> None:
    position = table([6, 7, 29], 35)
    position.play("taxi 22")
    assert position.moves() == ["detective 2", "detective 3"]
    assert LONDON.text.refusal(position.s, LONDON.text.action_from_text(position.s, "detective 1")).endswith("(SY-27).")
    position.play("detective 2", "taxi 17")
    assert position.moves() == ["detective 1", "detective 3"]


def test_sy_28_detectives_win_when_mr_x_has_no_move_to_a_free_station() -> None:
    position = table([17, 16], 6)
    position.play("taxi 7")
    at(position, 6)
    position.play("detective 1", "taxi 7", "taxi 29")
    assert position.s.ending == phases.STUCK
    assert position.returns() == [-1.0, 1.0]
    assert position.view(1)["mr_x_station"][0] == BOARD.index(6), "he must show himself"


def test_sy_28_mr_x_wins_at_the_end_of_round_22_after_the_detectives_move() -> None:
    position = table([13], 172, max_rounds=2)
    position.play("taxi 187")
    position.play(position_first(position), "taxi 172")
    assert position.s.phase == phases.MOVING, "the round ends after the detectives' move"
    position.play(position_first(position))
    assert position.s.ending == phases.ESCAPED
    assert position.returns() == [1.0, -1.0]


def test_sy_28_mr_x_wins_when_no_detective_can_move_any_more() -> None:
    position = table([13], 35)
    position.play("taxi 22")
    position.state["pawn_tickets"][0, 0] = [1, 0, 0]
    position.play("taxi 4")
    assert position.s.ending == phases.EXHAUSTED
    assert position.returns() == [1.0, -1.0]


def test_sy_28_detectives_share_their_utility() -> None:
    position = table([13, 26, 29], 35, players=4)
    position.play("taxi 22")
    at(position, 23)
    position.play("taxi 23")
    assert position.returns() == [-1.0, 1.0, 1.0, 1.0]


def test_sy_29_22_rounds_and_two_double_moves_are_24_entries() -> None:
    position = table([13], 172)
    doubles = 0
    while position.s.phase != phases.OVER:
        if position.actor == 0 and "double" in position.moves():
            position.play("double")
            doubles += 1
        away = [a for a in position.legal() if position.actor == 0 or a % 199 != position.s.mr_x_station]
        kernels.apply_at(position.state, 0, away[0])
        position.state["pawn_tickets"][0, 0] = [9, 9, 9]
    assert doubles == 2
    assert position.s.ending == phases.ESCAPED
    assert (position.s.round_number, position.s.moves) == (22, 24)
    assert position.s.log_station[23] >= 0


def test_sy_29_the_last_reveal_never_occurs_without_both_double_moves() -> None:
    reveals = {3, 8, 13, 18, 24}
    assert max(reveals) > 22
    for seed in range(100):
        for _, _, after in random_play(LONDON, seed):
            pass
        s = after[0]
        assert s.moves <= 22 + 2 - int(s.mr_x_tickets[DOUBLE])


def test_sy_29_max_moves_ends_the_game_after_so_many_entries() -> None:
    position = table([13], 172, max_rounds=24, max_moves=2)
    position.play("taxi 187")
    position.play(position_first(position))
    assert "double" not in position.moves(), "the log has room for one entry only"
    assert LONDON.text.refusal(position.s, LONDON.text.action_from_text(position.s, "double")).endswith("(SY-29).")
    position.play("taxi 172")
    position.play(position_first(position))
    assert position.s.ending == phases.ESCAPED
    assert position.s.moves == 2


@pytest.mark.parametrize("edition", ["current", "classic"])
def test_sy_71_1000_random_games_break_no_rule(edition: str) -> None:
    """Tickets, rounds, entries and places after each of 1000 random games' steps, in one sweep a game."""
    endings = set()
    for seed in range(500):
        options = {"edition": edition, "players": 2 + seed % 5, "bobbies": seed % 3}
        tickets = None
        for before, _, after in random_play(LONDON, seed, **options):
            s = after[0]
            pawns = [int(p) for p in s.pawn_station if p >= 0]
            assert len(set(pawns)) == len(pawns)
            assert s.pawn_tickets.min() >= UNLIMITED
            assert s.mr_x_tickets.min() >= UNLIMITED
            assert s.round_number <= 22
            assert s.moves <= 24
            if tickets is None:
                tickets = _total(s)
            elif edition == "classic":
                assert _total(s) == tickets - _used_by_mr_x(s)
            if before["phase"][0] != 0 and s.ending not in (phases.CAUGHT,):
                assert int(s.mr_x_station) not in pawns
        endings.add(int(after["ending"][0]))
    assert {phases.CAUGHT, phases.EXHAUSTED} <= endings


def _total(s: Any) -> int:
    """Ordinary tickets of all hands that can run out."""
    return int(s.pawn_tickets[s.pawn_tickets > 0].sum() + s.mr_x_tickets[:3].clip(0).sum())


def _used_by_mr_x(s: Any) -> int:
    return int(((s.log_ticket >= 0) & (s.log_ticket < BLACK)).sum())


def test_refusals_at_the_boundary_change_nothing() -> None:
    match = Match(LONDON, seed=2)
    before = match.state().tobytes()
    for wrong in ("taxi 500", "tram 3", "taxi three", "detective 9", {"type": "ride", "ticket": "taxi"}, "pass", 5000):
        with pytest.raises((BadInput, IllegalMove)):
            match.play(wrong)
    assert match.state().tobytes() == before
