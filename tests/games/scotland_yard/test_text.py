"""Words and JSON: round trips, secrets, narration, the terminal (SY-13, SY-24)."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from ludens.core import kernels, record
from ludens.core.errors import BadInput
from ludens.core.match import Match
from ludens.core.spec import Game
from ludens.games.scotland_yard import GRID, LONDON, phases, terminal
from ludens.games.scotland_yard.rules.tables import map_of
from tests.games.scotland_yard.setups import Table, random_play

BOTH = pytest.mark.parametrize("game", [LONDON, GRID])


@BOTH
def test_every_action_id_has_a_text_and_a_json_form_of_its_own(game: Game) -> None:
    state = record.blank(game.dtype)
    kernels.reset_at(state, 0, game.options())
    s = state[0]
    words = [LONDON.text.action_to_text(s, a) for a in range(game.spec.actions)]
    assert len(set(words)) == game.spec.actions
    for a, word in enumerate(words):
        assert LONDON.text.action_from_text(s, word) == a
        assert LONDON.text.action_from_json(s, json.loads(json.dumps(LONDON.text.action_to_json(s, a)))) == a


def test_short_forms_and_mistakes_in_words() -> None:
    s = Table(LONDON, [13], 35).s
    assert LONDON.text.action_from_text(s, "T 46") == LONDON.text.action_from_text(s, "taxi 46")
    assert LONDON.text.action_from_text(s, "x 157") == LONDON.text.action_from_text(s, "black 157")
    for wrong, reason in {
        "tram 4": "not a ticket",
        "taxi x": "number of a station",
        "taxi 250": "no station 250",
        "go": "not a move",
        "detective 7": "numbered 1 to 5",
        "double 3": "not a ticket",
    }.items():
        with pytest.raises(BadInput, match=reason):
            LONDON.text.action_from_text(s, wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"type": "ride", "ticket": "double", "station": 3},
        {"type": "ride", "ticket": "taxi", "station": True},
        {"type": "ride", "ticket": "taxi", "station": 400},
        {"type": "choose", "detective": 5},
        {"type": "pass", "detective": 1},
    ],
)
def test_mistakes_in_json(wrong: dict) -> None:
    with pytest.raises(BadInput):
        LONDON.text.action_from_json(Table(LONDON, [13], 35).s, wrong)


@BOTH
def test_sy_24_only_mr_x_is_told_where_he_goes(game: Game) -> None:
    """His station stands under `secret` alone, unless he shows himself; the ticket is public."""
    for seed in range(5):
        for before, action, after in random_play(game, seed):
            found = LONDON.text.events(before[0], action, after[0])
            for event in found:
                if event["kind"] in ("flight", "hide"):
                    visible = event["kind"] == "hide" and before["start_visible"][0]
                    assert ("station" in event) == bool(visible)
                    if not visible:
                        assert event["secret"]["seats"] == [0]
                        number = event["secret"]["station"]
                        assert number == map_of(game.dtype).numbers[int(after["mr_x_station"][0])]
            kinds = [event["kind"] for event in found]
            if before["phase"][0] == phases.FLEEING and after["moves"][0] > before["moves"][0]:
                shown = after["log_station"][0, after["moves"][0] - 1] >= 0
                assert ("reveal" in kinds) == shown
            assert ("over" in kinds) == (after["phase"][0] == phases.OVER)


@BOTH
def test_narration_keeps_the_secret_and_tells_it_when_open(game: Game) -> None:
    match = Match(game, {"start_visible": "off"} if game is GRID else {}, seed=3)
    names = match.names
    told = [LONDON.text.narrate(event, names) for step in match.steps() for event in step.events]
    assert told[-1] == "Mr. X hides"
    hidden = next(event for step in match.steps() for event in step.events if event["kind"] == "hide")
    opened = {"kind": "hide", "seat": 0, **hidden["secret"]}
    assert LONDON.text.narrate(opened, names).startswith("Mr. X starts at ")


@BOTH
def test_positions_of_views_do_not_leak(game: Game) -> None:
    """The JSON and text of two states that differ in the hidden station alone are equal."""
    for step, (_, _, after) in enumerate(random_play(game, 1)):
        s = after[0]
        if step % 7 or s.phase in (phases.PLACING, phases.OVER) or s.seen_move == s.moves:
            continue
        shown = set()
        for station in LONDON.text.position_to_json(s)["possible"][:8]:
            after["mr_x_station"][0] = map_of(game.dtype).index(station)
            view = record.blank(game.dtype)
            kernels.view_at(after, 0, 1, view)
            shown.add(json.dumps(LONDON.text.position_to_json(view[0])) + LONDON.text.position_to_text(view[0]))
        assert len(shown) == 1


def test_the_position_as_json_has_everything_a_page_needs() -> None:
    table = Table(LONDON, [13, 26], 35, bobbies=1)
    table.play("black 22", "detective 1", "taxi 24")
    shown = LONDON.text.position_to_json(table.view(1)[0])
    assert shown["phase"] == "moving"
    assert (shown["pawn"], shown["current"], shown["round"], shown["max_rounds"]) == (1, 1, 1, 22)
    assert shown["detectives"][0] == {
        "seat": 1,
        "bobby": False,
        "station": 24,
        "step": None,
        "moved": True,
        "stuck": False,
        "tickets": {"taxi": 10, "bus": 8, "underground": 4},
    }
    assert shown["detectives"][1]["bobby"]
    assert shown["detectives"][1]["tickets"] == {"taxi": None, "bus": None, "underground": None}
    assert shown["mr_x"]["station"] is None
    assert shown["mr_x"]["tickets"] == {"taxi": None, "bus": None, "underground": None, "black": 4, "double": 2}
    assert shown["log"] == [{"move": 1, "ticket": "black", "station": None}]
    assert shown["reveal_moves"] == [3, 8, 13, 18, 24]
    assert 22 in shown["possible"]
    assert shown["winner"] is None
    assert LONDON.text.position_to_json(table.view(0)[0])["mr_x"]["station"] == 22


@BOTH
def test_the_travel_log_has_room_for_all_moves_to_come(game: Game) -> None:
    """SY-29: rounds and double moves; on the grid Mr. X moves last in a round, in London first."""
    match = Match(game, seed=3)
    most = 24 if game is LONDON else 20
    while not match.over:
        assert LONDON.text.position_to_json(match.state()[0])["log_length"] == most
        match.play(int(match.legal()[0]))
    ended = LONDON.text.position_to_json(match.state()[0])
    assert ended["log_length"] == ended["moves"]


def printed(renderable: object) -> str:
    console = Console(width=120, file=io.StringIO(), color_system=None)
    console.print(renderable)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_the_terminal_shows_london() -> None:
    match = Match(LONDON, seed=1)
    for _ in range(12):
        match.play(int(match.legal()[0]))
    shown = printed(terminal.render(match.view(1)[0], 1, match.names))
    for part in ("Travel log", "Possible stations", "detective 5", "Underground", "shows himself after move", "+"):
        assert part in shown
    assert len(LONDON.text.position_to_text(match.view(1)[0]).splitlines()) > 20
    heading, label = terminal.move(match.state()[0], int(match.legal()[0]))
    assert f"{heading} {label}".strip() == match.text(int(match.legal()[0]))


@BOTH
def test_the_terminal_shows_every_position_and_result(game: Game) -> None:
    names = game.spec.seat_names(2)
    for seed in range(3):
        for step, (before, _, after) in enumerate(random_play(game, seed)):
            if step % 9 and after["phase"][0] != phases.OVER:
                continue
            assert printed(terminal.render(after[0], 0, names))
            for action in (0, game.spec.actions - 7, game.spec.actions - 2, game.spec.actions - 1):
                assert terminal.move(before[0], action)[1]
        assert "Victory for " in printed(terminal.final(after[0], names))
