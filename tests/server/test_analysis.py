"""Hints and reviews: what a seat may ask, that only its view is searched, and that nobody waits because of them."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient

from ludens.core import kernels, registry
from ludens.core.rng import DETERMINIZE, generator
from ludens.server.app import create_app
from ludens.server.refusal import Refusal
from ludens.server.storage import database
from ludens.server.thinking import analyses
from ludens.server.thinking.analyses import inquiry_of
from ludens.server.thinking.messages import Inquiry, Question
from ludens.server.thinking.pool import AgentFailed
from ludens.server.thinking.queue import FairQueue, Ticket
from ludens.server.thinking.turning_points import turning_points
from tests.server.conftest import PATIENCE, Player, settings_for
from tests.server.test_leaks import GAMES, played, running_table

SHORT = {"round_limit": 1}


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Player]:
    """A server that reviews a game in about a second."""
    with TestClient(create_app(settings_for(tmp_path, review_seconds=1.0, hint_seconds=3.0))) as client:
        yield Player(client)


def refusal(player: Player, table: str, what: str, token: str | None, **query: Any) -> tuple[int, str, str]:
    response = player.call("GET", f"/tables/{table}/{what}", token, params=query)
    error = response.json()["error"]
    return response.status_code, error["code"], error["message"]


def reviewed(player: Player, table: str) -> tuple[dict[str, Any], list[int]]:
    """The complete review, and how much of it each earlier answer had."""
    known: list[int] = []
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        response = player.call("GET", f"/tables/{table}/review")
        if response.status_code == 200:
            assert response.json()["complete"]
            return response.json(), known
        assert response.status_code == 202, response.text
        progress = response.json()
        assert not progress["complete"]
        assert progress["done"] == len(progress["decisions"]) <= max(progress["total"], 0)
        known.append(progress["done"])
        time.sleep(0.2)
    raise AssertionError("the review does not end")


# --- hints --------------------------------------------------------------------------------


def test_the_seat_to_act_gets_its_moves_ranked(quick: Player) -> None:
    table, tokens, _ = quick.make("azul", "human", "human", options={"first": "1"})
    view = quick.view(table, tokens[0])
    found = quick.get(f"/tables/{table}/analysis", tokens[0], seconds=1, candidates=4)
    assert (found["ply"], found["undos"], found["seat"]) == (view["ply"], 0, 0)
    assert found["simulations"] > 1
    assert len(found["results"]) == 2
    legal = {action["id"]: action for action in view["legal"]}
    assert len(found["candidates"]) == 4
    for move in found["candidates"]:
        assert move["json"] == legal[move["action"]]["json"]
        assert -1 <= move["result"] <= 1
        assert move["line"][0] == move["text"]
    results = [move["result"] for move in found["candidates"]]
    assert results == sorted(results, reverse=True)
    assert all(move["visits"] > 0 and move["behind"] >= 0 and move["precision"] >= 0 for move in found["candidates"])
    quick.post(f"/tables/{table}/moves", tokens[0], {"id": "hinted", "ply": view["ply"], "move": move["json"]})


def test_who_may_not_ask_is_told_why(quick: Player) -> None:
    table, tokens, made = quick.make("azul", "human", "human", options={"first": "1"})
    assert refusal(quick, table, "analysis", None)[:2] == (401, "unauthorised")
    assert refusal(quick, table, "analysis", made["owner_token"])[:2] == (403, "forbidden")
    status, code, message = refusal(quick, table, "analysis", tokens[1])
    assert (status, code) == (409, "not_your_turn")
    assert "turn" in message
    waiting, mine, _ = quick.make("azul", "human", "open")
    assert refusal(quick, waiting, "analysis", mine[0])[:2] == (409, "wrong_status")
    assert refusal(quick, table, "review", tokens[0])[:2] == (409, "wrong_status")
    assert refusal(quick, "nowhere", "review", None)[:2] == (404, "not_found")


def test_a_table_without_hints_says_so_and_stays_so(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        table, tokens, made = player.make("azul", "human", "human", options={"first": "1"}, hints=False)
        assert made["table"]["hints"] is False
        assert player.make("azul", "human", "human")[2]["table"]["hints"] is True
        status, code, message = refusal(player, table, "analysis", tokens[0])
        assert (status, code, message) == (403, "hints_off", "Hints are switched off at this table.")
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        assert player.get(f"/tables/{table}")["hints"] is False
        player.post(f"/tables/{table}/resign", tokens[0])
        again = player.post(f"/tables/{table}/rematch", tokens[0])
        assert again["table"]["hints"] is False
        assert {t["id"]: t["hints"] for t in player.get("/tables", status="ended")["tables"]} == {table: False}


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e9", "3.1", "soon"])
def test_a_bad_budget_is_one_sentence(quick: Player, seconds: str) -> None:
    table, tokens, _ = quick.make("azul", "human", "human", options={"first": "1"})
    status, code, message = refusal(quick, table, "analysis", tokens[0], seconds=seconds)
    assert (status, code) == (422, "bad_request")
    assert "seconds" in message


def test_a_bad_number_of_candidates_is_refused(quick: Player) -> None:
    table, tokens, _ = quick.make("azul", "human", "human", options={"first": "1"})
    assert refusal(quick, table, "analysis", tokens[0], candidates=0)[:2] == (422, "bad_request")


def test_a_seat_asks_one_question_at_a_time(quick: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    table, tokens, _ = quick.make("azul", "human", "human", options={"first": "1"})
    answers: list[int] = []
    services, tried = quick.http.app.state.services, threading.Event()
    analyse = services.pool.analyse

    async def later(*question: Any) -> Any:
        """The first answer comes after the second question."""
        await asyncio.to_thread(tried.wait)
        return await analyse(*question)

    monkeypatch.setattr(services.pool, "analyse", later)

    def ask() -> None:
        answers.append(quick.call("GET", f"/tables/{table}/analysis", tokens[0], params={"seconds": 1}).status_code)

    first = threading.Thread(target=ask)
    first.start()
    while not services.analyses._asked:
        time.sleep(0.01)
    assert refusal(quick, table, "analysis", tokens[0])[:2] == (429, "too_many")
    tried.set()
    first.join()
    assert answers == [200]
    ask()
    assert answers == [200, 200]


def test_a_server_that_stops_answers_who_waits_for_a_hint(tmp_path: Path) -> None:
    answers: list[tuple[int, str, str]] = []
    with TestClient(create_app(settings_for(tmp_path, hint_seconds=1000.0))) as client:
        player = Player(client)
        table, tokens, _ = player.make("azul", "human", "human", options={"first": "1"})

        def ask() -> None:
            answers.append(refusal(player, table, "analysis", tokens[0], seconds=1000))

        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        services = client.app.state.services  # type: ignore[attr-defined]
        while not any(services.analyses._asked.values()):
            time.sleep(0.01)
        assert client.portal is not None
        client.portal.call(services.stop_accepting)
        asking.join(120)  # much less than it asked for
        assert [answer[:2] for answer in answers] == [(503, "unavailable")]


def test_an_analysis_that_fails_is_told_and_may_be_asked_for_again(
    quick: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, tokens, _ = quick.make("azul", "human", "human", options={**SHORT, "first": "1"})
    pool = quick.http.app.state.services.pool

    async def fails(*_: object) -> None:
        raise AgentFailed("its process ended")

    with monkeypatch.context() as patch:
        patch.setattr(pool, "analyse", fails)
        assert refusal(quick, table, "analysis", tokens[0])[:2] == (503, "unavailable")
        quick.play_out(table, tokens)
        while (status := quick.call("GET", f"/tables/{table}/review").status_code) == 202:
            time.sleep(0.05)
        assert status == 503
    assert reviewed(quick, table)[0]["complete"]


@pytest.mark.parametrize("name", GAMES)
def test_the_search_gets_nothing_that_is_hidden_from_the_seat(name: str) -> None:
    """Whatever else the others hold and the deck hides, the question is the same."""
    game = registry.game(name)
    compared = 0
    for moves in range(0, 40, 4):
        match = played(game, seed=moves, moves=moves)
        if match.over:
            continue
        seat = match.actor
        question = inquiry_of(running_table(match), seat, 1.0, 5)
        seen, options = match.view(seat).tobytes(), match.options.tobytes()  # everybody knows the options
        asked = Inquiry(name, seat, seen, 1.0, 5, table="leak", options=options, agents=("",) * match.players)
        own = len(question.begun)  # the seat's own last decisions, and its own view before them
        if own:
            earlier = match.at(match.ply - own)
            assert earlier.actor == seat and question.begun == tuple(match.log[-own:])
            asked = replace(asked, before=earlier.view(seat).tobytes(), begun=question.begun)
        assert question == asked
        for k in range(3):
            other = match.at(match.ply)
            kernels.determinize_at(match.view(seat), 0, seat, generator(k, DETERMINIZE, moves), other._state)
            assert inquiry_of(running_table(other), seat, 1.0, 5) == question
            compared += 1
        for stranger in set(range(match.players)) - {seat}:
            with pytest.raises(Refusal, match="turn"):
                inquiry_of(running_table(match), stranger, 1.0, 5)
    assert compared


def test_who_plays_goes_before_who_asks() -> None:
    def ticket(name: str, plays: bool) -> Ticket:
        question: Question | Inquiry = Inquiry(name, 0, b"", 1.0, 5)
        if plays:
            question = Question(name, 0, name, "random", b"", 0, b"", b"", 1.0)
        return Ticket(question, asyncio.get_running_loop().create_future())

    async def served() -> list[str]:
        queue = FairQueue()
        for k in range(2):
            await queue.put("curious", ticket(f"ask{k}", plays=False))
        await queue.put("other", ticket("ask other", plays=False))
        await queue.put("curious", ticket("play", plays=True))
        assert len(queue) == 4
        order = [(await queue.get(analyses=False)).question.game]
        with pytest.raises(TimeoutError):  # a worker that is kept for those who play
            await asyncio.wait_for(queue.get(analyses=False), 0.05)
        return order + [(await queue.get()).question.game for _ in range(3)]

    # "curious" has used a worker's time for its move: "other" comes first
    assert asyncio.run(served()) == ["play", "ask other", "ask0", "ask1"]


# --- reviews ------------------------------------------------------------------------------


def test_an_ended_game_is_reviewed_once(quick: Player) -> None:
    table, tokens, _ = quick.make("azul", "human", "human", options=SHORT)
    end = quick.play_out(table, tokens)
    review, known = reviewed(quick, table)
    assert known == sorted(known)
    assert review["done"] == review["total"] == len(review["decisions"]) > 5
    assert review["returns"] == end["returns"]
    steps = {step["ply"]: step for step in quick.get(f"/tables/{table}/steps")["steps"]}
    for point in review["decisions"]:
        assert steps[point["ply"]]["actor"] == point["seat"]
        assert sum(point["results"]) == pytest.approx(0, abs=1e-3)
        assert point["loss"] >= 0
        assert point["doubt"] >= 0
        assert point["played"]["action"] == steps[point["ply"]]["action"]
        assert point["better"]["whole"][0]["action"] == point["better"]["action"]
        assert len(point["better"]["reasons"]) <= 3
    for turn in review["turning"]:
        assert turn["played"]["action"] == steps[turn["ply"]]["action"]
        assert turn["better"]["result"] - turn["played"]["result"] == pytest.approx(turn["loss"], abs=1e-3)
        assert turn["better"]["json"] != turn["played"]["json"]
    pool = quick.http.app.state.services.pool
    answered = pool.answered
    assert reviewed(quick, table) == (review, [])
    assert pool.answered == answered, "it was computed again"
    ply = review["decisions"][1]["ply"]
    longer = quick.get(f"/tables/{table}/review/{ply}", None, seconds=1)
    assert (longer["ply"], longer["seat"]) == (ply, review["decisions"][1]["seat"])
    assert steps[ply]["action"] in [move["action"] for move in longer["candidates"]]
    assert refusal(quick, table, "review/9999", None)[:2] == (422, "bad_request")
    assert refusal(quick, table, "review/0", None)[:2] == (409, "wrong_status")  # a draw


def test_any_move_of_an_ended_game_can_be_tried(quick: Player) -> None:
    table, tokens, _ = quick.make("azul", "human", "human", options=SHORT)
    ply = quick.view(table, tokens[0])["ply"]
    assert refusal(quick, table, f"review/{ply}/moves", tokens[0])[:2] == (409, "wrong_status")
    played = quick.view(table, tokens[0])["actor"]
    quick.play_out(table, tokens)
    trial = quick.get(f"/tables/{table}/review/{ply}/moves", None)
    assert (trial["ply"], trial["seat"], trial["tried"]) == (ply, played, [])
    made = quick.get(f"/tables/{table}/steps", None)["steps"][ply]["action"]
    other = next(move["id"] for move in reversed(trial["legal"]) if move["id"] != made)
    found = quick.get(f"/tables/{table}/review/{ply}", None, seconds=1, tried=[other], candidates=1)
    verdicts = {move["action"]: move for move in found["candidates"]}
    assert {made, other} <= set(verdicts)
    assert verdicts[other]["behind"] >= 0 and verdicts[other]["plays"][0]["events"][0]["sentence"]
    after = quick.get(f"/tables/{table}/review/{ply}/moves", None, tried=[other])
    assert after["legal"] == [] and after["position"] != trial["position"]
    for query, sentence in (
        ({"tried": [other, other]}, "The move is complete; nothing can be tried after it."),
        ({"tried": [10**6]}, "Action 1000000 is not possible there."),
    ):
        for what in (f"review/{ply}", f"review/{ply}/moves"):
            assert refusal(quick, table, what, None, **query) == (422, "bad_request", sentence)


def test_a_move_of_several_decisions_is_tried_one_by_one(quick: Player) -> None:
    table, tokens, _ = quick.make("discovery", "human", "human")
    ply = quick.view(table, tokens[0])["ply"]
    quick.play_out(table, tokens)
    tile = quick.get(f"/tables/{table}/review/{ply}/moves", None)["legal"][-1]["id"]
    begun = quick.get(f"/tables/{table}/review/{ply}/moves", None, tried=[tile])
    assert begun["legal"]
    first = begun["legal"][0]["id"]
    found = quick.get(f"/tables/{table}/review/{ply}", None, seconds=1, tried=[tile, first], candidates=1)
    assert first in [move["action"] for move in found["candidates"]]
    assert quick.get(f"/tables/{table}/review/{ply}/moves", None, tried=[tile, first])["legal"] == []


def test_a_game_is_played_on_from_a_position_with_new_draws(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        table, tokens, _ = player.make("azul", "human", "human", options=SHORT)
        ply = player.view(table, tokens[0])["ply"] + 2
        seats = [{"kind": "human", "name": "Ada"}, {"kind": "human", "name": "Bea"}]
        asked = {"ply": ply, "seats": seats}
        assert player.call("POST", f"/tables/{table}/continue", tokens[0], json=asked).status_code == 409  # it runs
        player.play_out(table, tokens)
        assert player.call("POST", f"/tables/{table}/continue", None, json=asked | {"ply": 9999}).status_code == 422
        assert (
            player.call("POST", f"/tables/{table}/continue", None, json=asked | {"seats": seats[:1]}).status_code == 422
        )
        made = player.call("POST", f"/tables/{table}/continue", None, json=asked).json()
        again, new = made["table"]["id"], {given["seat"]: given["token"] for given in made["tokens"]}
        own = new[0]
        assert made["table"]["status"] == "running"
        assert made["table"]["private"]
        assert again not in [one["id"] for one in player.get("/tables")["tables"]]
        old = player.get(f"/tables/{table}/game")
        assert player.view(again, own)["ply"] == ply
        player.play_out(again, new)
        played = player.get(f"/tables/{again}/game", own)
    with TestClient(create_app(settings)) as client:  # and it is rebuilt from what is stored
        player = Player(client)
        assert player.get(f"/tables/{again}/game", own)["log"] == played["log"]
        assert played["log"][:ply] == old["log"][:ply]


def test_a_review_survives_the_server_and_goes_with_its_table(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, review_seconds=0.5)
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        table, tokens, _ = player.make("azul", "human", "human", options=SHORT)
        player.play_out(table, tokens)
        review, _ = reviewed(player, table)
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        assert reviewed(player, table) == (review, [])
        assert player.call("DELETE", f"/admin/tables/{table}", "the-admin").status_code == 204
    engine = database.connect(settings.database)
    with engine.connect() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(database.reviews)).scalar() == 0
    engine.dispose()


def test_a_server_that_stops_gives_a_review_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "usual_work", lambda game, of_review=False: 10**9)
    settings = settings_for(tmp_path, review_seconds=1e6)
    with TestClient(create_app(settings)) as client:
        player = Player(client)
        table, tokens, _ = player.make("azul", "human", "human")
        player.play_out(table, tokens)
        assert player.call("GET", f"/tables/{table}/review").status_code == 202
    # here the server has ended; it would not for hours if it waited for the first decision
    with TestClient(create_app(settings)) as client:  # nothing half-made is left: it starts anew
        assert Player(client).call("GET", f"/tables/{table}/review").status_code == 202


def test_a_game_without_a_start_has_no_review(quick: Player) -> None:
    table, _, made = quick.make("azul", "human", "open")
    quick.post(f"/tables/{table}/close", made["owner_token"])
    assert refusal(quick, table, "review", None)[:2] == (409, "wrong_status")


def test_a_game_turns_where_a_worse_move_was_followed_by_worse_prospects() -> None:
    def point(seat: int, own: float, loss: float) -> dict[str, Any]:
        return {"seat": seat, "loss": loss, "results": [own, -own]}

    points = [
        point(0, 0.5, 0.4),  # a bad move: the prospects fall
        point(1, 0.0, 0.4),  # judged bad, but nothing came of it
        point(0, 0.1, 0.0),  # bad luck alone
        point(1, -0.6, 0.5),  # threw a good game away
        point(0, 0.2, 0.3),  # and the last one lost it
    ]
    assert turning_points(points, [-1.0, 1.0]) == [0, 3, 4]
    assert turning_points(points, None) == [0, 3, 4]
    assert turning_points([], None) == []
    small = [point(0, 0.5, 0.1), point(1, 0.4, 0.0)]  # little between two, a third of an even share among four
    assert turning_points(small, None) == []
    assert turning_points(small, None, sides=4) == [0]
    many = [point(k % 2, 0.9 if k % 2 == 0 else -0.9, 0.2 + k / 100) for k in range(20)]  # each throws it away
    assert len(turning_points(many, None)) == 6
