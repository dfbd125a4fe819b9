"""Words, JSON, events and the terminal."""

from __future__ import annotations

import json

import numpy as np
import pytest
from rich.console import Console

from ludens.core.agent import Clock, Seating
from ludens.core.errors import BadInput, IllegalMove
from ludens.core.film import seen_by
from ludens.core.match import Match
from ludens.core.verbs import SPECTATOR, UNKNOWN
from ludens.games.catan import GAME, terminal
from ludens.games.catan.players.value import ValueAgent
from ludens.games.catan.state import RESOURCES, TERRAINS
from tests.games.catan.table import CENTRE, Table


def test_every_action_has_its_own_words_and_json() -> None:
    s = Table().s
    words = [GAME.text.action_to_text(s, a) for a in range(GAME.spec.actions)]
    assert len(set(words)) == GAME.spec.actions
    for a, word in enumerate(words):
        assert GAME.text.action_from_text(s, word) == a
        data = GAME.text.action_to_json(s, a)
        assert GAME.text.action_from_json(s, json.loads(json.dumps(data))) == a
    assert GAME.text.action_from_text(s, "play year of plenty") == GAME.text.action_from_text(s, "year of plenty")
    assert GAME.text.action_from_text(s, "exchange wood for sheep") == GAME.text.action_from_text(
        s, "exchange lumber wool"
    )


@pytest.mark.parametrize(
    "nonsense",
    ["road", "road 72", "settlement -1", "give gold", "rob 5", "exchange ore ore", "exchange ore", "dance", ""],
)
def test_nonsense_is_refused_with_a_sentence(nonsense: str) -> None:
    with pytest.raises(BadInput, match=r"[.?]$"):
        GAME.text.action_from_text(Table().s, nonsense)


@pytest.mark.parametrize(
    "nonsense",
    [{"type": "road"}, {"type": "road", "edge": 72}, {"type": "road", "edge": True}, {},
     {"type": "give", "resource": 3}, {"type": "rob", "victim": 4}, {"type": "roll", "x": 1},
     {"type": ["road"], "edge": 1}],
)  # fmt: skip
def test_bad_json_is_refused(nonsense: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        GAME.text.action_from_json(Table().s, nonsense)


def played(seed: int = 3, **options: object) -> Match:
    """A whole game of four value players."""
    match = Match(GAME, {"turn_limit": 300, **options}, seed)
    agents = [ValueAgent() for _ in range(match.players)]
    for seat, agent in enumerate(agents):
        agent.start(Seating(GAME, match.options, seat, seed))
    while not match.over:
        match.play(agents[match.actor].choose(match.view(match.actor), match.legal(), Clock()))
    return match


def test_events_tell_a_whole_game_and_keep_secrets() -> None:
    match = played()
    kinds = set()
    for step in match.steps():
        for event in step.events:
            kinds.add(event["kind"])
            json.dumps(event)
            for seat in (None, 0, 1, 2, 3):
                shown = seen_by(event, seat)
                assert "secret" not in shown
                assert isinstance(GAME.text.narrate(shown, match.names), str)
            if event["kind"] == "theft":
                assert "resource" not in seen_by(event, None)
                assert seen_by(event, event["victim"])["resource"]
            if event["kind"] == "card":
                others = [seat for seat in range(4) if seat != event["seat"]]
                assert all("card" not in seen_by(event, seat) for seat in others)
    assert {"roll", "production", "settlement", "road", "city", "robber", "theft", "turn", "over"} <= kinds


def test_events_of_a_trade() -> None:
    table = Table().cards(0, wool=2).cards(1, ore=1)
    told = []
    for word in ("give wool", "want ore", "propose", "accept", "trade 2"):
        before = table.states.copy()
        action = GAME.text.action_from_text(table.s, word)
        table.do(word)
        told += GAME.text.events(before[0], action, table.s)
    assert [event["kind"] for event in told] == ["offer", "answer", "trade"]
    names = ("Ann", "Ben", "Cy", "Di")
    assert [GAME.text.narrate(event, names) for event in told] == [
        "Ann offers 1 wool for 1 ore",
        "Ben accepts",
        "Ann gives Ben 1 wool for 1 ore",
    ]


def test_production_names_the_hexes_that_gave() -> None:
    """CA-12: what a page animates need not know the rule."""
    match = played()
    seen = 0
    for step in match.steps():
        for event in step.events:
            if event["kind"] != "production":
                continue
            seen += 1
            island = GAME.text.position_to_json(match.at(step.ply + 1).state()[0])
            own = {b["vertex"] for b in island["buildings"] if b["seat"] == event["seat"]}
            assert set(event["sources"]) == set(event["cards"])
            for resource, hexes in event["sources"].items():
                assert hexes
                for h in hexes:
                    assert TERRAINS.index(island["hexes"][h]["terrain"]) == RESOURCES.index(resource)
                    assert own & set(GAME.text.static_to_json(GAME.dtype)["hexes"][h]["vertices"])
                    assert island["dice"] is None or island["hexes"][h]["number"] == sum(island["dice"])
                    assert island["dice"] is None or h != island["robber"]
    assert seen > 20


def test_sentences_name_the_landscapes_around() -> None:
    match = Match(GAME, seed=1)
    match.play("settlement 20")
    match.play(int(match.legal()[0]))
    hexes = GAME.text.position_to_json(match.state()[0])["hexes"]
    around = [h for h, place in enumerate(GAME.text.static_to_json(GAME.dtype)["hexes"]) if 20 in place["vertices"]]
    words = ", ".join(f"{hexes[h]['terrain']} {hexes[h]['number'] or ''}".strip() for h in around)
    told = [GAME.text.narrate(event, match.names) for step in match.steps() for event in step.events]
    assert f"{match.names[0]} builds a settlement at 20 ({words})" in told


def test_a_year_of_plenty_brings_no_more_than_the_bank_has() -> None:
    table = Table()
    assert GAME.text.position_to_json(table.s)["to_take"] == 2
    table.s.bank[:] = 0
    table.s.bank[3] = 1
    assert GAME.text.position_to_json(table.s)["to_take"] == 1


def test_positions_tell_what_the_view_holds_and_no_more() -> None:
    table = Table().settle(0, CENTRE[0]).settle(1, 0).cards(0, ore=1).cards(1, wool=2, grain=1)
    table.development(0, knight=2).development(1, monopoly=1).do("knight", "robber 0").steal("grain")
    own, other = (GAME.text.position_to_json(table.seen(seat)[0]) for seat in (0, 2))
    assert own["players"][1]["known_cards"]["wool"] == 2
    assert own["players"][0]["own_development_cards"]["knight"] == 1
    assert other["players"][1]["known_cards"]["wool"] == 1
    assert other["players"][1]["unknown_cards"] == 1
    assert other["players"][0]["unknown_cards"] == 1
    assert other["players"][0]["own_development_cards"] is None
    assert other["players"][1]["development_cards"] == 1
    assert str(UNKNOWN) not in json.dumps(other)
    assert str(UNKNOWN) not in GAME.text.position_to_text(table.seen(2)[0])
    assert own["reasons"]["city"] is not None


def test_static_geometry_is_complete() -> None:
    static = GAME.text.static_to_json(GAME.dtype)
    assert [len(static[key]) for key in ("hexes", "vertices", "edges", "harbours")] == [19, 54, 72, 9]
    assert static["costs"]["city"] == {"grain": 2, "ore": 3}


def test_a_match_refuses_with_the_rule() -> None:
    match = Match(GAME, seed=1)
    with pytest.raises(IllegalMove) as early:
        match.play("roll")
    match.play("settlement 20")
    with pytest.raises(IllegalMove) as second:
        match.play("settlement 22")
    for refused in (early.value, second.value):
        assert (refused.rules, refused.rulebook) == (("CA-7",), "catan")
        assert "CA-7" not in str(refused)


def test_the_terminal_fits_100_columns_and_40_rows_at_every_stage() -> None:
    match = played(seed=5)
    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    for ply in (0, 5, 40, match.ply // 2, match.ply):
        earlier = match.at(ply)
        seat = SPECTATOR if earlier.over else earlier.actor
        console.print(terminal.render(earlier.view(seat)[0], seat, earlier.names))
        drawn = console.export_text().splitlines()
        assert len(drawn) <= 40
        assert max(map(len, drawn)) <= 100
    console.print(terminal.final(match.state()[0], match.names))
    assert "Longest Road" in console.export_text()


def test_the_terminal_shows_every_piece_with_its_owner() -> None:
    table = Table().settle(0, 20).city(2, 0).road(0, 30).road(1, 10)
    drawn = str(terminal._island(table.seen(0)[0]))
    assert "▲1" in drawn
    assert "█3" in drawn
    assert "ROBBER" in drawn
    for number in np.unique(table.s.number[table.s.number > 0]):
        assert str(int(number)) in drawn
    assert drawn.count("3:1") == 4
    assert drawn.count("2:1") == 5


def test_a_position_tells_what_the_forms_of_a_page_need() -> None:
    table = Table().settle(0, CENTRE[0]).settle(1, 0).cards(0, ore=2).cards(1, wool=2, grain=1)
    table.development(0, knight=1)
    own, other = (GAME.text.position_to_json(table.seen(seat)[0]) for seat in (0, 1))
    assert own["trade"]["limits"]["give"]["ore"] == 2
    assert own["trade"]["limits"]["want"] == {"brick": 0, "lumber": 0, "wool": 2, "grain": 1, "ore": 0}
    assert (own["trade"]["limits"]["most_given"], own["trade"]["limits"]["most_wanted"]) == (2, 3)
    assert own["robber_moves"][0] == [1]
    assert own["robber_moves"][own["robber"]] is None
    assert own["reasons"]["knight"] is None
    assert own["reasons"]["monopoly"] == {"sentence": "You have no monopoly card.", "rules": ["CA-9"]}
    assert own["reasons"]["end"] is None
    assert other["reasons"]["knight"] is not None  # who does not see the cards is told nothing of them
    table.do("knight")
    waiting = {"sentence": "The robber must move to another hex first.", "rules": ["CA-13"]}
    assert GAME.text.position_to_json(table.seen(0)[0])["reasons"]["end"] == waiting
