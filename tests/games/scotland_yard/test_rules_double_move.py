"""Double moves: legal only if a second leg can follow, whatever tickets are left (SY-26)."""

from __future__ import annotations

import numpy as np
import pytest

from ludens.adapters.openspiel import OpenSpielPosition, _rebuild
from ludens.core import kernels
from ludens.core.errors import BadInput, IllegalMove
from ludens.core.match import Match
from ludens.games.scotland_yard import LONDON, phases
from ludens.games.scotland_yard.rules.maps import london
from ludens.games.scotland_yard.rules.tables import neighbours, tables_of
from ludens.games.scotland_yard.state import BLACK, DOUBLE
from tests.games.scotland_yard.setups import Table, random_play
from tests.games.scotland_yard.slow_moves import SlowMoves

BOARD = london()
SLOW = SlowMoves(BOARD)
STATIONS = len(BOARD.numbers)


def table(pawns: list[int], mr_x: int, tickets: list[int], **options: object) -> Table:
    """Mr. X to move with these tickets: taxi, bus, underground, black; two double moves."""
    position = Table(LONDON, pawns, mr_x, edition="classic", **options)
    position.state["mr_x_tickets"][0] = [*tickets, 2]
    return position


def why_not(position: Table, move: str) -> str:
    return LONDON.text.refusal(position.s, LONDON.text.action_from_text(position.s, move))


def test_sy_26_one_usable_ticket_left_allows_no_double_move() -> None:
    position = table([13], 35, [1, 0, 0, 0])
    assert {move.split()[0] for move in position.moves()} == {"taxi"}
    assert why_not(position, "double") == (
        "With the tickets left no first leg leaves Mr. X a second one, and a double move needs both (SY-26)."
    )


def test_sy_26_two_tickets_of_a_kind_lead_there_and_back() -> None:
    position = table([13], 35, [2, 0, 0, 0])
    assert "double" in position.moves()
    position.play("double", "taxi 22", "taxi 35")
    assert position.s.moves == 2


def test_sy_26_a_first_leg_must_end_where_the_other_ticket_is_of_use() -> None:
    """A taxi first only to where buses stop, for the bus ticket; a bus first always, since taxis stop everywhere."""
    position = table([13], 48, [1, 1, 0, 0])
    stops = tables_of(LONDON.dtype).degree[1]
    first = {move for move in position.moves() if move != "double"}
    position.play("double")
    left = set(position.moves())
    assert {move for move in left if move.startswith("bus")} == {move for move in first if move.startswith("bus")}
    taxis = {move for move in first if move.startswith("taxi")}
    dead_ends = {move for move in taxis if stops[BOARD.index(int(move.split()[1]))] == 0}
    assert dead_ends
    assert left == first - dead_ends
    for move in dead_ends:
        place = move.split()[1]
        assert why_not(position, move) == (
            f"From {place} Mr. X would have no second leg of his double move with the tickets left (SY-26)."
        )


def test_sy_26_detectives_can_bar_the_second_leg() -> None:
    """From 4 by taxi to 3, where buses go to 22 and 23."""
    free, barred = table([13, 26], 4, [1, 1, 0, 0]), table([22, 23], 4, [1, 1, 0, 0])
    for position in (free, barred):
        position.play("double")
    assert "taxi 3" in free.moves()
    assert "taxi 3" not in barred.moves()
    assert why_not(barred, "taxi 3").endswith("(SY-26).")
    free.play("taxi 3")
    assert free.moves() == ["bus 22", "bus 23"]


def test_sy_26_in_the_current_edition_the_last_black_ticket_over_a_ferry_can_strand_him() -> None:
    """Detectives hold all stations that taxis reach from 115; the ferry from 108 goes there."""
    around = sorted(BOARD.numbers[t] for t in neighbours(LONDON.dtype, 0, BOARD.index(115)))
    assert len(around) <= 5
    position = Table(LONDON, around, 108)
    position.state["mr_x_tickets"][0, BLACK] = 1
    position.play("double")
    assert "black 115" not in position.moves()
    assert why_not(position, "black 115").endswith("(SY-26).")
    position.state["mr_x_tickets"][0, BLACK] = 2
    assert "black 115" in position.moves(), "and back"


def test_sy_26_sy_29_a_log_without_room_is_named_before_the_tickets() -> None:
    position = table([13], 35, [1, 0, 0, 0], max_moves=1)
    assert why_not(position, "double").endswith("(SY-29).")


def test_sy_26_sy_62_announcing_tells_that_there_are_two_legs() -> None:
    """With one taxi and one underground ticket he is where the underground stops, or beside such a station."""
    position = table([13], 45, [1, 0, 1, 0])
    stops = {BOARD.numbers[i] for i in range(STATIONS) if tables_of(LONDON.dtype).degree[2, i]}
    before = set(position.possible())
    position.play("double")
    after = set(position.possible())
    assert after < before
    for number in before:
        near = {BOARD.numbers[t] for t in SLOW.around(BOARD.index(number), 0)}
        assert (number in after) == bool(SLOW.first_legs(BOARD.index(number), position.s))
        assert number not in after or number in stops or near & stops


def legal_of_mr_x(position: Table) -> tuple[set[tuple[int, int]], bool]:
    ids = position.legal()
    double = LONDON.spec.actions - 2
    return {(a // STATIONS, a % STATIONS) for a in ids if a != double}, double in ids


def test_sy_26_fast_and_slow_rules_agree_on_thousands_of_positions_with_few_tickets() -> None:
    """Random pieces and tickets, detectives crowding around Mr. X; before and after the announcement."""
    rng = np.random.default_rng(26)
    denied = narrowed = 0
    for _ in range(4000):
        mr_x = int(rng.integers(STATIONS))
        beside = sorted(SLOW.around(mr_x, BLACK) | {t for n in SLOW.around(mr_x, BLACK) for t in SLOW.around(n, BLACK)})
        near = [station for station in beside if station != mr_x]
        pawns = rng.choice(near, size=min(5, len(near)), replace=False)
        position = Table(LONDON, [BOARD.numbers[i] for i in pawns], BOARD.numbers[mr_x], edition="classic")
        position.state["mr_x_tickets"][0] = [*rng.integers(0, 3, 4), rng.integers(0, 2)]
        s = position.s
        rides = set(SLOW.flights(mr_x, s))
        if s.phase != phases.FLEEING or not rides:
            continue
        assert legal_of_mr_x(position) == (rides, SLOW.may_double(s))
        if SLOW.may_double(s):
            position.play("double")
            first = set(SLOW.first_legs(mr_x, position.s))
            assert legal_of_mr_x(position) == (first, False)
            narrowed += first < rides
        elif s.mr_x_tickets[DOUBLE]:
            denied += 1
    assert denied > 100
    assert narrowed > 100


FEW_TICKETS = [{"detectives": 1}, {"detectives": 2, "bobbies": 1}, {"players": 3}]


@pytest.mark.parametrize("options", FEW_TICKETS)
def test_sy_26_a_double_move_never_strands_mr_x_in_random_games(options: dict) -> None:
    assert follow(options, range(100)) > 50


@pytest.mark.slow
@pytest.mark.parametrize("options", FEW_TICKETS)
def test_sy_26_a_double_move_never_strands_mr_x_in_thousands_of_random_games(options: dict) -> None:
    assert follow(options, range(1000, 3000)) > 1000


def follow(options: dict, seeds: range) -> int:
    """The legal moves are the slow ones', and no game ends between the legs; returns the first legs seen."""
    legs = 0
    out = np.zeros(LONDON.spec.actions, np.int64)
    for seed in seeds:
        for before, _, after in random_play(LONDON, seed, edition="classic", **options):
            s = before[0]
            if s.phase != phases.FLEEING:
                continue
            ids = out[: kernels.legal_at(before, 0, out)].tolist()
            rides = [ticket * STATIONS + to for ticket, to in SLOW.flights(int(s.mr_x_station), s)]
            assert ids == rides + [LONDON.spec.actions - 2] * SLOW.may_double(s), (seed, int(s.moves))
            if s.double_left == 2:
                legs += 1
                assert after["ending"][0] != phases.STUCK
                assert after["double_left"][0] == 1
    return legs


# --- logs of version 1, in which such double moves were legal ---------------------------------


def stranded_log() -> dict:
    """A saved match of version 1 whose last entry announces a double move with one taxi ticket left."""
    for seed in range(10_000):
        match = Match(LONDON, {"edition": "classic", "detectives": 1}, seed=seed)
        rng = np.random.default_rng(seed)
        while not match.over:
            s, ids = match.state()[0], match.legal()
            if s.phase == phases.FLEEING and not s.double_left and s.mr_x_tickets[DOUBLE] and not SLOW.may_double(s):
                saved = match.to_json()
                return {**saved, "game": "scotland_yard@1", "log": [*saved["log"], LONDON.spec.actions - 2]}
            rides = [int(a) for a in ids if a < LONDON.spec.actions - 2]  # keep the double moves
            match.play(int(rng.choice(rides or ids)))
    raise AssertionError("no such game found")


def test_sy_26_a_log_of_version_1_is_read_unless_todays_rules_forbid_an_entry() -> None:
    spoiled = stranded_log()
    good = {**spoiled, "log": spoiled["log"][:-1]}
    match = Match.from_json(good)
    assert match.log == good["log"]
    assert match.to_json()["game"] == "scotland_yard@2"
    with pytest.raises(IllegalMove, match=r"needs both\.$") as refused:
        match.play("double")
    assert refused.value.rules == ("SY-26",)
    entry = len(good["log"])
    with pytest.raises(BadInput, match=rf"^Entry {entry} of the log .* is not possible in scotland_yard@2\.$"):
        Match.from_json(spoiled)


def test_a_saved_match_without_the_newer_options_takes_their_defaults() -> None:
    match = Match(LONDON, {"players": 3}, seed=7)
    saved = match.to_json()
    assert saved["options"].pop("stuck") == "leave"
    assert saved["options"].pop("starts") == "anywhere"
    again = Match.from_json({**saved, "game": "scotland_yard@1"})
    assert again.state().tobytes() == match.state().tobytes()
    assert again.options.tolist() == match.options.tolist()


@pytest.mark.parametrize("version", ["0", "3", "", "1.0"])
def test_other_versions_are_refused(version: str) -> None:
    saved = Match(LONDON, seed=7).to_json()
    with pytest.raises(BadInput, match=r"here is scotland_yard@2, which cannot read it\.$"):
        Match.from_json({**saved, "game": f"scotland_yard@{version}"})


def test_a_position_saved_by_openspiels_adapter_is_of_this_version_only() -> None:
    """Its entries are not checked against the rules, as those of a match are."""
    saved = OpenSpielPosition(LONDON, LONDON.options()).__reduce__()[1]
    assert _rebuild(*saved).state.tobytes() == OpenSpielPosition(LONDON, LONDON.options()).state.tobytes()
    with pytest.raises(BadInput, match=r"^This position was saved with scotland_yard@1; .* only\.$"):
        _rebuild("scotland_yard@1", *saved[1:])
