"""Words and JSON: moves, refusals that name rules, events, positions."""

from __future__ import annotations

import json

import pytest

from ludens.core.errors import BadInput, IllegalMove
from ludens.core.match import Match
from ludens.games.discovery import GAME
from ludens.games.discovery.state import FIRST_FOLLOWER, FIRST_REGION, FOLLOWER, OVER, PASS, PLACING
from ludens.i18n.citations import cited
from tests.games.discovery.positions import positions
from tests.games.discovery.slow import NAMES
from tests.games.discovery.table import Table, slow_map


@pytest.mark.parametrize("phase", [PLACING, FOLLOWER])
def test_every_id_has_a_unique_text_and_json_that_round_trip(phase: int) -> None:
    for state in positions(3, 60, phase, every=30):
        s = state[0]
        legal = {a for a in range(GAME.spec.actions) if phase == PLACING or a >= FIRST_REGION}
        words = {a: GAME.text.action_to_text(s, a) for a in legal}
        assert len(set(words.values())) == len(words)
        for a in legal:
            if a < FIRST_REGION and a % 4 and a // 4 < s.cells:
                continue  # turns of a symmetric tile are read as the smallest equal ones
            assert GAME.text.action_from_text(s, words[a]) == a
            assert GAME.text.action_from_json(s, json.loads(json.dumps(GAME.text.action_to_json(s, a)))) == a


def test_moves_may_be_written_briefly() -> None:
    table = Table()
    table.draw("D03")
    expected = GAME.text.action_from_text(table.s, "tile 0,1 turned 2")
    for brief in ("0,1 2", "0 1 2", "  Tile 0,1  turned 2 ", "at 0,1 2"):
        assert GAME.text.action_from_text(table.s, brief) == expected
    assert GAME.text.action_from_text(table.s, "0,1") == expected - 2
    table.place(0, 1)
    assert GAME.text.action_to_text(table.s, FIRST_REGION + 1) == "follower 2 (mountains, east)"
    assert GAME.text.action_from_text(table.s, "follower 2") == FIRST_REGION + 1
    table.follower(0)
    table.turn("D10", 1, 0)
    table.draw("D03")
    table.place(0, 2)
    assert GAME.text.action_to_text(table.s, FIRST_FOLLOWER) == "remove 1 (grassland at 0,1, 3 points)"
    assert GAME.text.action_from_text(table.s, "remove 1") == FIRST_FOLLOWER
    assert GAME.text.action_from_text(table.s, "PASS") == PASS


def test_a_symmetric_tile_may_be_turned_as_one_likes() -> None:
    table = Table()
    table.draw("D66")
    assert GAME.text.action_from_json(table.s, {"type": "tile", "x": 1, "y": 0, "turns": 3}) in table.legal()
    assert GAME.text.action_from_text(table.s, "1,0 2") in table.legal()


@pytest.mark.parametrize(
    "wrong",
    [
        "castle", "", "tile", "follower", "follower 6", "remove 5", "remove 0", "tile 1", "0,1 4", "cell 400 turned 1",
        {}, {"type": "tile"}, {"type": "tile", "x": 0, "y": 1, "turns": 9}, {"type": "tile", "cell": 170, "turns": 0},
        {"type": "tile", "x": True, "y": 1, "turns": 0}, {"type": "tile", "x": "0", "y": 1, "turns": 0},
        {"type": "follower", "segment": 5}, {"type": "remove", "follower": -1}, {"type": "pass", "more": 1},
    ],
)  # fmt: skip
def test_nonsense_is_refused_with_one_sentence_and_changes_nothing(wrong: object) -> None:
    match = Match(GAME, seed=3)
    before = match.state().tobytes()
    with pytest.raises(BadInput) as refused:
        match.play(wrong)  # type: ignore[arg-type]
    assert str(refused.value).endswith((".", '"}.'))
    assert match.state().tobytes() == before


def refuse(table: Table, move: str) -> str:
    """The sentence of the refusal and, after it, the rule."""
    try:
        action = GAME.text.action_from_text(table.s, move)
    except IllegalMove as refused:
        return f"{refused} {refused.rules[0]}"
    assert action not in table.legal()
    sentence, rules = cited(GAME.text.refusal(table.s, action))
    return f"{sentence} {rules[0]}"


def test_refusals_name_the_rule() -> None:
    """The violations of CD-97 that a move can commit."""
    table = Table()
    table.draw("D03")
    assert refuse(table, "0,0 0") == "There is a tile at 0,0 already; a tile goes on an empty cell. CD-8"
    assert refuse(table, "5,5 0") == "No placed tile shares a side with 5,5. CD-8"
    assert refuse(table, "1,0 0") == "Side W of 1,0 asks for mountains, not grassland; there it fits turned 2. CD-8"
    assert refuse(table, "0,-1 0") == "Side N of 0,-1 asks for sea, not grassland. CD-8"
    assert refuse(table, "follower 1") == "Place the tile first; a follower action finishes the turn. CD-7"
    assert refuse(table, "pass") == "Place the tile first; a follower action finishes the turn. CD-7"
    assert "none with number 100" in refuse(table, "cell 100 turned 0")
    assert refuse(table, "cell 100 turned 0").endswith("CD-8")
    table.place(0, 1)
    assert refuse(table, "0,2 0") == "The tile of this turn is placed; finish the turn with a follower action. CD-7"
    assert refuse(table, "follower 4") == "The placed tile has 2 regions, not 4. CD-10"
    assert refuse(table, "remove 1") == ("There is no follower 1 to take back; none of yours stands on the map. CD-10")
    table.follower(0)
    table.draw("D03")
    table.place(0, 2)
    assert refuse(table, "follower 1") == "A follower already stands on that region. CD-10"


def test_refusals_of_joined_segments_and_of_a_fifth_follower() -> None:
    table = Table()
    for name, x, y in (("D66", 1, 0), ("D10", 2, 0), ("D10", 2, -1)):
        table.turn(name, x, y)
    table.draw("D04")
    table.place(1, -1)
    assert refuse(table, "follower 3") == "That is the same region as 2; choose 2. CD-14"
    table.state["follower"][0, table.s.current] = 0
    table.state["follower_count"][0, table.s.current] = 4
    assert refuse(table, "follower 1") == "All 4 followers stand on the map; take one back first. CD-10"


def test_a_match_refuses_a_wrong_rotation_and_goes_on() -> None:
    match = Match(GAME, seed=3)
    bad = next(a for a in range(16) if a not in match.legal())
    with pytest.raises(IllegalMove) as refused:
        match.play(bad)
    assert refused.value.rules == ("CD-8",)
    assert refused.value.rulebook == "discovery"
    assert "CD-8" not in str(refused.value)
    match.play(int(match.legal()[0]))


def kinds_of(table: Table, action: int) -> list[dict]:
    before = table.state.copy()
    table.apply(action)
    return GAME.text.events(before[0], action, table.s)


def test_events_tell_placements_followers_points_and_the_end() -> None:
    table = Table()
    names = ("Ann", "Bob")
    assert kinds_of(table, NAMES.index("D10")) == [{"kind": "draw", "seat": 0, "tile": "D10"}]
    placed = kinds_of(table, GAME.text.action_from_text(table.s, "1,0 0"))
    assert placed == [{"kind": "tile", "seat": 0, "tile": "D10", "x": 1, "y": 0, "turns": 0}]
    follower = kinds_of(table, FIRST_REGION + 1)
    assert GAME.text.narrate(follower[0], names) == "Ann puts a follower on grassland at 1,0, worth 1 now"
    kinds_of(table, NAMES.index("D10"))
    closing = kinds_of(table, GAME.text.action_from_text(table.s, "2,0 2"))
    assert [GAME.text.narrate(event, names) for event in closing] == [
        "Bob places a tile at 2,0, upside down",
        "a region of grassland is closed: 2 tiles",
    ]
    assert kinds_of(table, PASS) == [{"kind": "pass", "seat": 1}]
    table.draw("D03")
    table.place(0, 1)
    before = table.state.copy()
    removed = kinds_of(table, FIRST_FOLLOWER)
    assert removed == [
        {"kind": "remove", "follower": 0, "seat": 0, "x": 1, "y": 0, "segment": 1, "terrain": "grassland", "points": 2}
    ]
    assert GAME.text.narrate(removed[0], names) == "Ann takes back a follower from grassland at 1,0: +2"
    table.state = before
    table.empty_deck()
    last = kinds_of(table, FIRST_REGION)
    assert [event["kind"] for event in last] == ["follower", "final", "final", "over"]
    assert [event["points"] for event in last[1:3]] == [2, 2]
    assert last[-1]["scores"] == table.scores() == [4, 0]


def test_final_events_add_up_to_the_scores() -> None:
    for players in (2, 5):
        match = Match(GAME, {"players": players, "final_scoring": "actual"}, seed=8)
        while not match.over:
            match.play(int(match.legal()[match.ply % len(match.legal())]))
        gained = [0] * players
        for step in match.steps():
            for event in step.events:
                if event["kind"] in ("remove", "final"):
                    gained[event["seat"]] += event["points"]
        assert gained == match.scores()


def test_positions_tell_the_page_everything() -> None:
    for state in positions(3, 61, FOLLOWER, every=20):
        data = json.loads(json.dumps(GAME.text.position_to_json(state[0])))
        slow = slow_map(state)
        assert {(t["x"], t["y"]): (t["name"], t["turns"]) for t in data["tiles"]} == slow.tiles
        by_id = {region["id"]: region for region in data["regions"]}
        for slow_region in slow.regions():
            place, number = next(iter(slow_region.segments))
            tile = next(t for t in data["tiles"] if (t["x"], t["y"]) == place)
            region = by_id[tile["regions"][number]]
            assert (region["terrain"], region["size"]) == (slow_region.terrain, slow_region.size)
            assert region["closed"] == (not slow_region.faces)
            assert region["points"] == slow_region.now("open")
            assert region["final_points"] == slow_region.at_end("open", "open")
        for follower in data["followers"]:
            region = by_id[follower["region"]]
            assert follower["seat"] in region["followers"]
            assert follower["points"] == region["points"]
            assert [follower["tile"], follower["segment"]] in region["pieces"]
        standing = [sum(f["seat"] == p for f in data["followers"]) for p in range(3)]
        assert [4 - player["free_followers"] for player in data["players"]] == standing
        assert sum(data["deck"].values()) == data["deck_left"]
        seen = sum(data["deck"].values()) + len(data["tiles"]) + sum(data["aside"].values()) + bool(data["hand"])
        assert seen == 84


def test_the_plain_map_shows_tiles_cities_followers_and_where_the_tile_fits() -> None:
    table = Table()
    table.turn("D10", 1, 0, follower=1)
    table.draw("D03")
    picture = GAME.text.position_to_text(table.s).splitlines()
    assert picture[0].split() == ["-1", "0", "1", "2"]
    middle = next(line for line in picture if line.startswith("  0 "))
    assert middle[4:].split() == ["+", "m#mmmmmmm1", "+"]
    assert sum(line.count("#") for line in picture) == 1
    assert any("follower 1 of seat 1: open grassland at 1,0, 1 tiles, 1 points" in line for line in picture)


def test_the_game_over_is_told() -> None:
    state = list(positions(2, 62, OVER))[-1]
    assert GAME.text.position_to_json(state[0])["phase"] == "over"
    assert GAME.text.refusal(state[0], 0) == "The game is over."
