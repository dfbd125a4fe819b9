"""People: a profile without signing in, its games, history, results and ratings, the export, and being forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient

from ludens.core.agent import LEVELS
from ludens.core.match import Match
from ludens.lab.measured import measured
from ludens.server.app import create_app
from ludens.server.people.ratings import NEW, Rating, after, level_rating, levels_of
from ludens.server.storage import database
from tests.server.conftest import Player, settings_for

ADMIN = "the-admin"


class Person:
    """Somebody with a key, who makes tables and sits down."""

    def __init__(self, player: Player, name: str) -> None:
        self.player = player
        made = player.post("/me", body={"name": name, "colour": "red", "language": "cs"}, status=201)
        self.key, self.profile = made["key"], made["profile"]
        self.head = {"ludens-profile": self.key}

    def make(self, game: str, *seats: str, **more: Any) -> tuple[str, dict[int, str], dict[str, Any]]:
        wishes = [{"kind": s} if s in ("human", "open") else {"kind": "agent", "agent": s} for s in seats]
        head = {**self.head, "Authorization": f"Bearer {ADMIN}"} if "seed" in more else self.head
        body = {"game": game, "seats": wishes, **more}
        response = self.player.http.post("/api/v1/tables", json=body, headers=head)
        assert response.status_code == 201, response.text
        made = response.json()
        return made["table"]["id"], {given["seat"]: given["token"] for given in made["tokens"]}, made

    def join(self, table: str, token: str | None = None) -> str:
        head = {**self.head, **({"Authorization": f"Bearer {token}"} if token else {})}
        response = self.player.http.post(f"/api/v1/tables/{table}/join", json={}, headers=head)
        assert response.status_code == 200, response.text
        return str(response.json()["token"])

    def get(self, path: str, **query: Any) -> Any:
        return self.player.get(f"/me{path}", self.key, **query)

    def resign_at(self, *seats: str, game: str = "pig", **more: Any) -> str:
        """A game that is lost at once."""
        table, tokens, _ = self.make(game, *seats, **more)
        self.player.post(f"/tables/{table}/resign", next(iter(tokens.values())))
        return table


@pytest.fixture
def ada(player: Player) -> Person:
    return Person(player, "Ada")


def refused(response: Any) -> str:
    return str(response.json()["error"]["code"])


def test_a_profile_is_whoever_has_its_key(player: Player, ada: Person) -> None:
    assert {**ada.get(""), "created": 0} == {
        "name": "Ada", "colour": "red", "language": "cs", "seen": [], "created": 0,
    }  # fmt: skip
    changed = player.call("PATCH", "/me", ada.key, json={"name": "  Ada   L. ", "seen": ["guide:azul"]}).json()
    assert changed["name"] == "Ada L." and changed["seen"] == ["guide:azul"]
    changed = player.call(
        "PATCH", "/me", ada.key, json={"seen": ["guide:catan", "guide:azul"], "colour": "teal"}
    ).json()
    assert changed["seen"] == ["guide:azul", "guide:catan"] and changed["colour"] == "teal"
    assert refused(player.call("GET", "/me")) == "unauthorised"
    assert refused(player.call("GET", "/me", "nobody")) == "not_found"
    assert refused(player.call("PATCH", "/me", ada.key, json={"colour": "#fff"})) == "bad_request"
    assert refused(player.call("PATCH", "/me", ada.key, json={"name": "\u200b"})) == "bad_request"
    assert ada.get("")["name"] == "Ada L."
    response = player.http.post("/api/v1/tables", json={"game": "pig"}, headers={"ludens-profile": "nobody"})
    assert response.status_code == 201  # a key of long ago is no key


def test_continue_shows_all_games_my_turn_first(player: Player, ada: Person) -> None:
    bea = Person(player, "Bea")
    mine = [ada.make("azul", "human", "open", options={"first": "1"})[0] for _ in range(12)]
    waiting = ada.make("azul", "human", "open")[0]
    theirs = ada.make("azul", "human", "open", options={"first": "2"})[0]
    for table in [*mine, theirs]:
        bea.join(table)
    player.make("azul", "human", "open")  # nobody's
    listed = ada.get("/games")["games"]
    assert [one["turn"] for one in listed] == [True] * 12 + [False] * 2
    assert {one["table"]["id"] for one in listed[:12]} == set(mine)
    assert {one["table"]["id"] for one in listed[12:]} == {waiting, theirs}
    assert {one["seat"] for one in listed} == {0}
    assert [one["turn"] for one in bea.get("/games")["games"]] == [True] + [False] * 12
    view = player.view(mine[0], ada.key)  # the key opens what is mine, without the seat's token
    assert view["seat"] == 0 and view["legal"]
    player.move(mine[0], ada.key, view)
    assert [one["turn"] for one in ada.get("/games")["games"]].count(True) == 11
    assert refused(player.call("GET", f"/tables/{mine[1]}/view", Person(player, "Eve").key)) == "forbidden"


def test_history_is_filtered_searched_and_paged(player: Player, ada: Person) -> None:
    bea = Person(player, "Bea")
    against = [ada.resign_at("human", "random") for _ in range(30)]
    table, _, _ = ada.make("azul", "human", "open", private=False)
    other = bea.join(table)
    player.call("PATCH", f"/tables/{table}/seats/1", other, json={"name": "Béatrice"})
    player.post(f"/tables/{table}/resign", other)
    seen, before = [], None
    for _ in range(5):
        page = ada.get("/games", status="ended", limit=7, **({"before": before} if before else {}))
        seen += [one["table"]["id"] for one in page["games"]]
        before = page["before"]
    assert before is None and seen == [table, *reversed(against)]
    ids = lambda **query: [one["table"]["id"] for one in ada.get("/games", status="ended", **query)["games"]]  # noqa: E731
    assert ids(game="azul") == [table] == ids(result="won") == ids(opponent="béa") == ids(search="Azu")
    assert ids(search=against[3]) == [against[3]]
    assert len(ids(opponent="random")) == len(ids(result="lost")) == 30
    assert ids(opponent="%") == ids(result="drawn") == []
    ended = ada.get("/games", status="ended", game="azul")["games"][0]
    assert ended["result"] == "won" and not ended["turn"] and not ended["played_on"]
    assert ids(since=ended["table"]["updated"]) == [table]
    assert len(ids(until=ended["table"]["updated"])) == 30


def test_games_played_on_from_here_are_mine_too(player: Player, ada: Person) -> None:
    table = ada.resign_at("human", "random", game="azul")
    body = {"ply": 20, "seats": [{"kind": "human", "name": "Ada"}, {"kind": "agent", "agent": "random"}]}
    response = player.http.post(f"/api/v1/tables/{table}/continue", json=body, headers=ada.head)
    assert response.status_code == 201, response.text
    listed = ada.get("/games")["games"]
    assert [one["table"]["id"] for one in listed] == [response.json()["table"]["id"]]
    assert listed[0]["played_on"] and listed[0]["seat"] == 0
    game = player.get(f"/tables/{table}/game")
    brought = player.http.post("/api/v1/tables/import", json=game, headers=ada.head).json()["table"]["id"]
    assert brought in [one["table"]["id"] for one in ada.get("/games", status="ended")["games"]]
    assert player.view(brought, ada.key)["over"]  # private, and mine


def test_results_and_ratings_against_levels_and_people(player: Player, ada: Person) -> None:
    bea = Person(player, "Bea")
    for _ in range(3):
        ada.resign_at("human", "easy", game="azul")
    ada.resign_at("human", "random", game="azul")  # has no rating
    table, _, _ = ada.make("azul", "human", "open")
    player.post(f"/tables/{table}/resign", bea.join(table))
    mine = ada.get("/results")
    rows = {(row["kind"], row["opponent"]): (row["won"], row["drawn"], row["lost"]) for row in mine["results"]}
    assert rows == {("agent", "easy"): (0, 0, 3), ("agent", "random"): (0, 0, 1), ("person", "Bea"): (1, 0, 0)}
    (rating,) = mine["ratings"]
    assert rating["game"] == "azul" and rating["games"] == 4 and rating["provisional"]
    level = level_rating("azul", "easy")
    assert level is not None
    expected, curve = NEW, []
    for point in rating["curve"][:3]:
        expected = after(expected, [(level, 0.0)], point["time"])
        curve.append(round(expected.rating, 1))
    assert [point["rating"] for point in rating["curve"][:3]] == curve == sorted(curve, reverse=True)
    assert rating["curve"][3]["rating"] > rating["curve"][2]["rating"]
    (other,) = bea.get("/results")["ratings"]
    assert other["games"] == 1 and other["rating"] < 1500
    assert ada.get("/results") == mine  # nothing is counted twice


def test_levels_are_rated_by_the_strength_that_ships() -> None:
    rungs = {rung["agent"]: rung for rung in measured("azul")["rungs"]}
    assert set(levels_of("azul")) == {agent for agent in rungs if agent in LEVELS}
    assert levels_of("azul")["beginner"] == 1200
    for level in ("easy", "champion"):
        found = level_rating("azul", level)
        assert found is not None
        assert found.rating - 1200 == pytest.approx(rungs[level]["rating"] - rungs["beginner"]["rating"], abs=0.5)
        assert 1.96 * found.deviation == pytest.approx((rungs[level]["high"] - rungs[level]["low"]) / 2, abs=60)
    assert level_rating("azul", "random") is None  # on the ladder, and no level


def test_games_against_a_level_that_no_games_link_are_not_rated(player: Player, ada: Person) -> None:
    assert level_rating("discovery", "hard") is None
    ada.resign_at("human", "hard", game="discovery")
    told = ada.get("/results")
    assert told["ratings"] == [] and told["results"][0]["opponent"] == "hard"
    assert "hard" not in told["levels"]["discovery"]


def test_games_with_hints_or_undone_moves_are_not_rated(player: Player, ada: Person) -> None:
    table, tokens, _ = ada.make("azul", "human", "easy", options={"first": "1"})
    player.move(table, tokens[0], player.view(table, tokens[0]))
    player.post(f"/tables/{table}/undo", tokens[0])
    player.post(f"/tables/{table}/resign", tokens[0])
    table, tokens, _ = ada.make("azul", "human", "easy", options={"first": "1"})
    player.get(f"/tables/{table}/analysis", tokens[0], seconds=0.05)
    player.post(f"/tables/{table}/resign", tokens[0])
    told = ada.get("/results")
    assert told["ratings"] == [] and told["results"][0]["lost"] == 2


def test_glicko_2_is_that_of_its_author() -> None:
    """The first result of the example in Glickman's description of the system, by itself."""
    new = after(Rating(1500, 200), [(Rating(1400, 30), 1)], 0.0)
    assert new.rating == pytest.approx(1563.56, abs=0.05)
    assert new.deviation == pytest.approx(175.40, abs=0.05)
    assert new.volatility == pytest.approx(0.06, abs=0.0005)
    assert after(NEW, [(NEW, 0.5)], 0.0).rating == pytest.approx(1500)
    idle = after(Rating(1500, 50, time=0.0), [(NEW, 0.5)], 400 * 86_400.0)
    assert idle.deviation > 100  # a year without a game makes it less certain


def test_all_that_is_mine_in_one_file_and_forgotten(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        ada, bea = Person(player, "Ada"), Person(player, "Bea")
        alone = ada.resign_at("human", "easy", game="azul")
        shared, _, _ = ada.make("azul", "human", "open")
        token = bea.join(shared)
        running, mine, _ = ada.make("azul", "human", "open", options={"first": "1"})
        bea.join(running)
        player.post(f"/tables/{shared}/resign", token)
        told = ada.get("/export")
        assert told["format"] == "ludens-person/1" and told["profile"]["name"] == "Ada"
        games = {one["table"]: one["game"] for one in told["games"]}
        assert set(games) == {alone, shared, running} and games[running] is None
        assert Match.from_json({**games[alone], "result": None}).ply > 0
        assert len(told["ratings"]["azul"]) == 2
        assert player.call("DELETE", "/me", ada.key).status_code == 204
        assert refused(player.call("GET", "/me", ada.key)) == "not_found"
        assert refused(player.call("GET", f"/tables/{alone}")) == "not_found"
        assert [seat["name"] for seat in player.get(f"/tables/{shared}")["seats"]] == ["Player 1", "Bea"]
        assert player.get(f"/tables/{running}")["status"] == "running"
        player.move(running, mine[0], player.view(running, mine[0]))  # the seat's own token still plays
        assert bea.get("/results")["ratings"][0]["games"] == 1
    engine = database.connect(settings.database)
    with engine.connect() as connection:
        for table in database.metadata.sorted_tables:
            for row in connection.execute(sa.select(table)):
                assert "Ada" not in str(row) and ada.key not in str(row)
    engine.dispose()


def test_people_who_do_not_come_any_more_are_forgotten(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    app = create_app(settings)
    with TestClient(app) as client:
        player = Player(client)
        old, young, busy = Person(player, "Old"), Person(player, "Young"), Person(player, "Busy")
        busy.make("azul", "human", "open")
        engine = database.connect(settings.database)
        with engine.begin() as connection:
            names = database.profiles.c.name.in_(["Old", "Busy"])
            connection.execute(sa.update(database.profiles).where(names).values(used=1.0))
        engine.dispose()
        assert client.portal is not None
        client.portal.call(app.state.services.cleaning.clean)
        assert refused(player.call("GET", "/me", old.key)) == "not_found"
        assert young.get("")["name"] == "Young" and busy.get("")["name"] == "Busy"  # whoever plays is here


def test_three_hundred_games_and_forty_tables_are_never_out_of_sight_after_a_restart(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with TestClient(create_app(settings)) as client:
        ada = Person(Player(client), "Ada")
        ended = [ada.resign_at("human", "random") for _ in range(300)]
        living = [ada.make("pig", "human", "open")[0] for _ in range(40)]
    with TestClient(create_app(settings)) as client:
        ada.player = Player(client)
        assert {one["table"]["id"] for one in ada.get("/games")["games"]} == set(living)
        found, before = [], None
        while True:
            page = ada.get("/games", status="ended", limit=100, **({"before": before} if before else {}))
            found += [one["table"]["id"] for one in page["games"]]
            before = page["before"]
            if before is None:
                break
        assert found == ended[::-1]
        assert ada.get("/results")["results"][0]["lost"] == 300
