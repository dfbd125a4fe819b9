"""Detectives without a ticket to use: they leave the board, or stay and block (SY-27, SY-28)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludens.core import kernels
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.games.scotland_yard import GRID, LONDON, phases, terminal
from ludens.games.scotland_yard.rules.maps import london
from ludens.games.scotland_yard.state import NOWHERE
from tests.games.scotland_yard.setups import Table, random_play
from tests.games.scotland_yard.slow_moves import SlowMoves

BOARD = london()
SLOW = SlowMoves(BOARD)
PASS = LONDON.spec.actions - 1


def table(pawns: list[int], mr_x: int, **options: object) -> Table:
    return Table(LONDON, pawns, mr_x, **{"stuck": "stay", **options})


def at(position: Table, number: int) -> None:
    position.state["mr_x_station"][0] = BOARD.index(number)


def refused(position: Table, move: str) -> str:
    return LONDON.text.refusal(position.s, LONDON.text.action_from_text(position.s, move))


def stuck_on_4() -> Table:
    """The first of two detectives has ridden to 4, where only taxis stop, with its last taxi ticket."""
    position = table([13, 26], 35)
    position.play("taxi 22", "detective 1")
    position.state["pawn_tickets"][0, 0] = [1, 0, 4]
    position.play("taxi 4")
    return position


def test_sy_27_the_option_is_of_london_and_leaves_by_default() -> None:
    assert LONDON.show_options(LONDON.options())["stuck"] == "leave"
    assert LONDON.show_options(LONDON.options({"stuck": "stay"}))["stuck"] == "stay"
    assert all(option.name != "stuck" for option in GRID.spec.options), "tickets do not run out on the grid"
    with pytest.raises(BadInput, match="leave, stay"):
        LONDON.options({"stuck": "sit"})


def test_sy_27_a_stuck_detective_stays_on_the_board_and_blocks() -> None:
    position = stuck_on_4()
    assert BOARD.numbers[int(position.s.pawn_station[0])] == 4
    assert position.s.pawn_left[0] == NOWHERE
    position.play("taxi 15")
    at(position, 3)
    assert "taxi 4" not in position.moves(), "it blocks Mr. X"
    assert refused(position, "taxi 4").endswith("(SY-23).")
    position.play("taxi 11")
    assert (position.s.phase, position.s.pawn) == (phases.MOVING, 1), "the other detective goes first, unasked"
    assert "taxi 28" in position.moves()


def test_sy_27_it_passes_every_round_without_being_asked() -> None:
    position = stuck_on_4()
    position.play("taxi 15", "taxi 35", "taxi 26")
    assert position.moves() == ["pass"]
    assert position.legal()[0] >= LONDON.spec.first_automatic, "the match plays it"
    before = position.state.copy()
    position.play("pass")
    events = LONDON.text.events(before[0], PASS, position.s)
    assert LONDON.text.narrate(events[0], ["X", "D"]) == "detective 1 has no ticket to use and stays"
    assert (position.actor, position.s.round_number) == (0, 3)


def test_sy_27_a_blocked_detective_with_tickets_takes_part_again_once_it_can_move() -> None:
    position = table([6, 7, 29], 35)
    position.state["pawn_tickets"][0, 1:3] = [[1, 0, 0], [1, 0, 0]]
    position.play("taxi 22")
    assert position.moves() == ["detective 2", "detective 3"]
    assert refused(position, "detective 1") == "Detective 1 is blocked by other detectives for now (SY-27)."
    position.play("detective 2", "taxi 17")
    assert position.moves() == ["detective 1", "detective 3"]


def test_sy_27_choosing_a_stuck_detective_is_refused_with_the_reason() -> None:
    position = table([13, 26, 29], 35)
    position.play("taxi 22", "detective 1")
    position.state["pawn_tickets"][0, 0] = [1, 0, 4]
    position.play("taxi 4", "detective 2", "taxi 15", "taxi 41", "taxi 35")
    assert position.s.phase == phases.CHOOSING
    assert position.moves() == ["detective 2", "detective 3"]
    assert refused(position, "detective 1") == (
        "Detective 1 has no ticket to use at its station and stays there (SY-27)."
    )


def test_sy_27_a_stuck_detective_is_shown_as_such() -> None:
    before = table([13, 26], 35)
    before.play("taxi 22", "detective 1")
    before.state["pawn_tickets"][0, 0] = [1, 0, 4]
    ride = LONDON.text.action_from_text(before.s, "taxi 4")
    after = before.state.copy()
    kernels.apply_at(after, 0, ride)
    events = LONDON.text.events(before.s, ride, after[0])
    assert [event["kind"] for event in events] == ["ride", "stuck"]
    assert (
        LONDON.text.narrate(events[1], ["X", "D"]) == "detective 1 has no ticket to use any more and stays in the way"
    )
    shown = LONDON.text.position_to_json(after[0])["detectives"]
    assert [pawn["stuck"] for pawn in shown] == [True, False]
    assert "detective 1: 4 (stuck)" in LONDON.text.position_to_text(after[0])
    assert terminal.render(after[0], 0, ["X", "D"]) is not None


def test_sy_27_shown_stations_do_not_change_where_detectives_leave() -> None:
    position = Table(LONDON, [13, 26], 35)
    position.play("taxi 22", "detective 1")
    position.state["pawn_tickets"][0, 0] = [1, 0, 4]
    position.play("taxi 4")
    assert position.s.pawn_station[0] == NOWHERE
    assert LONDON.text.position_to_json(position.s)["detectives"][0] == {
        "seat": 1,
        "bobby": False,
        "station": None,
        "step": None,
        "moved": True,
        "stuck": False,
        "tickets": {"taxi": 0, "bus": 0, "underground": 4},
    }


def test_sy_28_a_capture_with_the_last_ticket_is_a_capture() -> None:
    position = table([13], 35)
    position.play("taxi 22")
    position.state["pawn_tickets"][0, 0] = [1, 0, 0]
    at(position, 4)
    position.play("taxi 4")
    assert position.s.ending == phases.CAUGHT


def test_sy_28_mr_x_wins_at_once_when_no_detective_can_move_any_more() -> None:
    position = table([13], 35)
    position.play("taxi 22")
    position.state["pawn_tickets"][0, 0] = [1, 0, 0]
    position.play("taxi 4")
    assert position.s.ending == phases.EXHAUSTED
    assert position.returns() == [1.0, -1.0]


def test_sy_28_a_detective_shut_in_by_stuck_ones_cannot_move_any_more_either() -> None:
    """6 has two neighbours, 7 and 29: the last tickets of the others lead there."""
    position = table([6, 17, 16], 35)
    position.play("taxi 22")
    position.state["pawn_tickets"][0, 1:3] = [[1, 0, 0], [1, 0, 0]]
    position.play("detective 2", "taxi 7")
    assert position.s.phase != phases.OVER
    position.play("detective 3", "taxi 29")
    assert position.s.ending == phases.EXHAUSTED


def test_sy_28_stuck_detectives_can_shut_mr_x_in() -> None:
    position = table([17, 16, 13], 6)
    position.play("taxi 7")
    at(position, 6)
    position.state["pawn_tickets"][0, :2] = [[1, 0, 0], [1, 0, 0]]
    position.play("detective 1", "taxi 7", "detective 2", "taxi 29", "taxi 4")
    assert position.s.ending == phases.STUCK


def test_sy_27_fast_and_slow_rules_agree_on_random_games() -> None:
    passes, exhausted = follow(range(100))
    assert passes > 500
    assert exhausted > 5


@pytest.mark.slow
def test_sy_27_fast_and_slow_rules_agree_on_thousands_of_random_games() -> None:
    passes, exhausted = follow(range(1000, 3000))
    assert passes > 10_000
    assert exhausted > 100


def follow(seeds: range) -> tuple[int, int]:
    """Who stays, who passes, who may be chosen, when nobody can move any more; returns stuck passes and such ends."""
    passes = exhausted = 0
    for seed in seeds:
        options = {"players": 2 + seed % 5, "edition": ("current", "classic")[seed % 2], "bobbies": seed % 2}
        for before, action, after in random_play(LONDON, seed, stuck="stay", **options):
            check_step(before, action, after[0])
            if action == PASS and before["phase"][0] == phases.MOVING:
                passes += not SLOW.has_use_for_a_ticket(int(before["pawn"][0]), before[0])
        exhausted += int(after["ending"][0]) == phases.EXHAUSTED
    return passes, exhausted


_OUT = np.zeros(LONDON.spec.actions, np.int64)


def check_step(before: np.ndarray, action: int, after: Any) -> None:
    """One step against the slow rules; nobody ever leaves the board."""
    s = before[0]
    if s.phase not in (phases.CHOOSING, phases.MOVING):
        return
    pawns = range(int(s.detectives))
    assert all(after.pawn_station[pawn] != NOWHERE for pawn in pawns)
    ids = _OUT[: kernels.legal_at(before, 0, _OUT)].tolist()
    stations = len(BOARD.numbers)
    mine = [pawn for pawn in pawns if 1 + pawn % (int(s.players) - 1) == s.current and not s.pawn_moved[pawn]]
    movable = [pawn for pawn in mine if SLOW.rides_of(pawn, s)]
    if s.phase == phases.CHOOSING:
        assert ids == [4 * stations + pawn for pawn in movable]
        assert len(movable) > 1
        return
    rides = SLOW.rides_of(int(s.pawn), s)
    assert ids == ([kind * stations + to for kind, to in rides] or [PASS])
    if action == PASS:
        assert not movable, "whoever cannot move waits for those who can"
        assert after.pawn_station[int(s.pawn)] == s.pawn_station[int(s.pawn)]
    elif after.ending != phases.CAUGHT:
        assert (after.ending == phases.EXHAUSTED) == (not any(SLOW.rides_of(pawn, after) for pawn in pawns))


@pytest.mark.parametrize("stepwise", [False, True])
def test_sy_27_a_match_with_staying_detectives_is_saved_and_read(stepwise: bool) -> None:
    match = Match(LONDON, {"stuck": "stay", "detectives": 2}, seed=5)
    rng = np.random.default_rng(5)
    while not match.over:
        match.play(int(rng.choice(match.legal())))
    again = Match.from_json(match.to_json(), stepwise=stepwise)
    assert again.state().tobytes() == match.state().tobytes()
    assert phases.FLEEING not in again.state()["phase"]
