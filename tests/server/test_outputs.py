"""Every way out of the server, enumerated from the code, for every audience of every game: nobody learns too much.

The addresses come from the server's own document, with every switch both ways; the messages from the sockets and
streams. A new address is tried without anybody writing it down here; one that cannot be tried fails the test.
"""

from __future__ import annotations

import itertools
import json
import logging
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from ludens.agents.puzzle_book import puzzles_of
from ludens.core import kernels, registry
from ludens.core.film import seen_by as event_seen_by
from ludens.core.match import Match
from ludens.core.record import to_json
from ludens.server.streaming import views, websocket
from ludens.server.tables.table import Table
from ludens.server.thinking.messages import Inquiry
from tests.server.conftest import PREFIX, Player
from tests.server.test_leaks import GAMES, played, seen_by
from tests.server.test_streams import Socket

_MOVES = 24
_FILLED = {"table_id", "name", "seat", "file", "tournament_id", "number", "ply", "action"}  # parts of paths
_VALUES: dict[str, list[Any]] = {  # of questions that are no switches
    "ply": [None, 0, 5],
    "after": [None, 0],
    "wait": [0],
    "from": [0],
    "to": [None, 3],
    "undos": [None],
    "once": [True],
    "seconds": [0.01],
    "candidates": [3],
    "status": [None],
    "game": [None],
    "limit": [None],
    "before": [None],
    "tried": [None, 0],
    **{name: [None] for name in ("opponent", "result", "since", "until", "search")},  # of a person's games
}


class Watch:
    """A table in the middle of a game, and what each audience may know of it."""

    def __init__(self, player: Player, name: str) -> None:
        self.player, self.game = player, registry.game(name)
        seats = ["human"] * self.game.spec.default_players
        options = dict(self.game.spec.tournament)
        self.id, self.tokens, self.made = player.make(name, *seats, options=options)
        for turn in range(_MOVES):
            token = self.tokens[self.match.actor]
            view = player.view(self.id, token)
            trial = self.match.copy()
            trial.commit(view["legal"][turn % len(view["legal"])]["id"])
            if trial.over:
                break
            player.move(self.id, token, view, choice=turn)
        assert not self.match.over
        self.states = [self.match.at(ply).state() for ply in range(self.match.ply + 1)]
        self.events = [
            self.game.text.events(before[0], action, after[0])
            for (before, after), action in zip(itertools.pairwise(self.states), self.match.log, strict=True)
        ]

    @property
    def decision(self) -> int:
        """An earlier ply at which somebody had to choose."""
        return next(ply for ply, state in enumerate(self.states) if kernels.actor_at(state, 0) >= 0)

    @property
    def table(self) -> Table:
        return self.player.http.app.state.services.tables.living[self.id]

    @property
    def match(self) -> Match:
        assert self.table.match is not None
        return self.table.match

    def audiences(self) -> list[tuple[int | None, str | None]]:
        """Each seat, a spectator, and the owner, who sees no more than a spectator."""
        return [*self.tokens.items(), (None, None), (None, self.made["owner_token"])]

    def check(self, text: str, audience: int | None, where: str) -> None:
        """Whatever of the game stands in an answer is what the audience may know."""
        secrets = [str(self.table.seed), str(self.table.agent_seed), self.made["owner_token"]]
        secrets += [token for seat, token in self.tokens.items() if seat != audience]
        assert not any(secret in text for secret in secrets), where
        for part in walk(json.loads(text)):
            assert "secret" not in part, where
            if "position" in part and part["position"] is not None:
                ply = part["ply"] + ("events" in part)  # a step tells the position after it
                known = seen_by(self.game, self.states[ply], audience)
                assert part["position"] == self.game.text.position_to_json(known[0]), where
                if part.get("record") is not None:
                    assert part["record"] == to_json(known), where
            if "events" in part:
                told = [{key: value for key, value in event.items() if key != "sentence"} for event in part["events"]]
                known_events = [event_seen_by(event, audience) for event in self.events[part["ply"]]]
                assert told == json.loads(json.dumps(known_events)), where
            if self.game.spec.hidden:
                assert "log" not in part and "seed" not in part, where
                assert not ("events" in part and "action" in part), where
                assert part.get("scores") is None, where
            if part.get("legal") and isinstance(part["legal"], list):
                assert audience is not None and audience == self.match.actor, where


def walk(content: Any) -> Iterator[dict[str, Any]]:
    """All objects inside a JSON document, but the insides of positions: those are compared as a whole."""
    if isinstance(content, dict):
        yield content
        for key, value in content.items():
            if key not in ("position", "record"):
                yield from walk(value)
    elif isinstance(content, list):
        for value in content:
            yield from walk(value)


def questions(player: Player) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every GET of the document, with every combination of its switches and of the values above."""
    document = player.http.get(f"{PREFIX}/openapi.json").json()
    for path, operations in document["paths"].items():
        if "get" not in operations:
            continue
        names, values = [], []
        for parameter in operations["get"].get("parameters", []):
            if parameter["in"] != "query":
                assert parameter["name"] in _FILLED, f"{path} has a new part: {parameter['name']}"
                continue
            switch = parameter["schema"].get("type") == "boolean"
            if switch and parameter["name"] != "once":
                values.append([False, True])
            else:
                assert parameter["name"] in _VALUES, f"{path} has a new question: {parameter['name']}"
                values.append(_VALUES[parameter["name"]])
            names.append(parameter["name"])
        for chosen in itertools.product(*values):
            yield path, {name: value for name, value in zip(names, chosen, strict=True) if value is not None}


@pytest.fixture
def answered_hints(player: Player, monkeypatch: pytest.MonkeyPatch) -> list[Inquiry]:
    """Hints without a search; what would have been searched is noted."""
    asked: list[Inquiry] = []

    async def analyse(owner: str, inquiry: Inquiry) -> dict[str, Any]:
        asked.append(inquiry)
        return {"seat": inquiry.seat, "simulations": 1, "result": 0.0, "results": [], "candidates": []}

    monkeypatch.setattr(player.http.app.state.services.pool, "analyse", analyse)
    return asked


def every_answer(watch: Watch, answered_hints: list[Inquiry]) -> int:
    """Asks everything as every audience and checks the answers; returns how many there were."""
    count = 0
    legal = {int(action) for action in watch.match.legal()}
    illegal = next(action for action in range(watch.game.spec.actions + 1) if action not in legal)
    tried = next((puzzle.wrong.action for puzzle in puzzles_of(watch.game)), 0)  # of puzzle 0
    for audience, token in watch.audiences():
        for path, query in questions(watch.player):
            filled = path.replace("{table_id}", watch.id).replace("{name}", watch.game.spec.name)
            filled = (
                filled.replace("{file}", "azul-board.png")
                .replace("{number}", "0")
                .replace("{ply}", str(watch.decision))
                .replace("{action}", str(tried))
            )
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            answer = watch.player.http.get(filled, params=query, headers=headers)
            assert answer.status_code < 500, (filled, answer.text)
            if answer.headers["content-type"].startswith("text/event-stream"):
                texts = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data:")]
            elif answer.headers["content-type"] == "application/json" and not path.endswith(("openapi.json", "{name}")):
                texts = [answer.text]
            else:
                assert "{table_id}" not in path, f"{filled} tells of a running game what cannot be compared here"
                texts = [json.dumps({"text": answer.text})]
            if "/puzzles/" in path:  # positions of games that ship, of no table here
                texts = [json.dumps({"text": answer.text})]
            for text in texts:
                watch.check(text, audience, f"{filled} {query} as {audience}")
                count += 1
        for body in (
            {"id": "old", "ply": 0, "move": 0},  # answered with the present view
            {"id": "bad", "ply": watch.match.ply, "move": illegal},
            {"id": "odd", "ply": watch.match.ply, "move": "nonsense"},
        ):
            answers = [watch.player.call("POST", f"/tables/{watch.id}/moves", token, json=body)]
            answers.append(watch.player.call("POST", f"/tables/{watch.id}/check", token, json={"move": body["move"]}))
            for answer in answers:
                watch.check(answer.text, audience, f"a refused move as {audience}")
                count += 1
    for inquiry in answered_hints:
        assert inquiry.view == watch.match.view(inquiry.seat).tobytes()
    assert answered_hints
    return count


_WISHES: dict[str, dict[str, Any] | None] = {  # of everything that can be sent to a table; None: then all is open
    "/join": {"name": "Eve"},
    "/moves": {"id": "old", "ply": 0, "move": 0},
    "/check": {"move": 0},
    "/undo": {},
    "/rematch": {"tokens": []},
    "/continue": {"ply": 0, "seats": [{"kind": "human"}] * 2},
    "/seats/{seat}": {"name": "Eve"},
    "/leave": {},
    "/resign": None,
    "/close": None,
}


def every_wish(watch: Watch) -> int:
    """Sends whatever can be sent to a table, as every audience, and checks the answers."""
    document, count = watch.player.http.get(f"{PREFIX}/openapi.json").json(), 0
    endings = {
        (method.upper(), path.partition("{table_id}")[2])
        for path, operations in document["paths"].items()
        for method in operations
        if method != "get" and path.startswith(f"{PREFIX}/tables/{{table_id}}")
    }
    assert {ending for _, ending in endings} == set(_WISHES)
    for method, ending in sorted(endings, key=lambda one: list(_WISHES).index(one[1])):
        for audience, token in watch.audiences():
            if (wish := _WISHES[ending]) is not None:
                path = f"/tables/{watch.id}{ending.replace('{seat}', '0')}"
                answer = watch.player.call(method, path, token, json=wish)
                watch.check(answer.text, audience, f"{method} {path} as {audience}")
                count += 1
    return count


def every_message(watch: Watch) -> int:
    """Follows the table as every audience and checks the messages; returns how many there were."""
    count = 0
    for audience, token in watch.audiences():
        for positions, full in itertools.product((False, True), repeat=2):
            with watch.player.http.websocket_connect(f"{PREFIX}/tables/{watch.id}/socket") as session:
                socket = Socket(session)
                hello = {"type": "hello", "from": 0, "positions": positions, "record": full}
                socket.send({**hello, "tokens": [token] if token else []})
                socket.until("view")
                socket.send({"type": "move", "id": "x", "ply": 0, "move": 0})
                socket.until("refused")
                for message in socket.messages:
                    watch.check(json.dumps(message), audience, f"{message['type']} to {audience}")
                    count += 1
    return count


@pytest.mark.parametrize("name", GAMES)
def test_every_way_out_tells_an_audience_what_it_may_know(
    player: Player, name: str, answered_hints: list[Inquiry], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "ludens")
    watch = Watch(player, name)
    assert every_answer(watch, answered_hints) > 100
    assert every_message(watch) > 10
    assert every_wish(watch) > 20
    seeds = (str(watch.table.seed), str(watch.table.agent_seed))
    player.post(f"/tables/{watch.id}/close", "the-admin")
    log = caplog.text + "".join(str(getattr(record, "facts", "")) for record in caplog.records)
    assert watch.id in log
    for secret in (*seeds, watch.made["owner_token"], *watch.tokens.values()):
        assert secret not in log


@pytest.mark.parametrize("leak", ["seat 0 for spectators", "everything for everybody"])
def test_the_check_notices_a_leak(
    player: Player, answered_hints: list[Inquiry], monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    watch = Watch(player, "duel")
    real = views._seen_state

    def leaking(table: Table, state: Any, audience: int | None) -> Any:
        return state if leak == "everything for everybody" else real(table, state, 0 if audience is None else audience)

    for way in (partial(every_answer, watch, answered_hints), partial(every_message, watch)):
        monkeypatch.setattr(views, "_seen_state", leaking)
        with pytest.raises(AssertionError):
            way()
        monkeypatch.setattr(views, "_seen_state", real)


def test_positions_of_steps_are_checked_by_themselves(
    player: Player, answered_hints: list[Inquiry], monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch(player, "duel")
    real = views.published_steps

    def leaking(table: Table, happened: Any, audience: int | None, positions: bool = False) -> list[dict[str, Any]]:
        return real(table, happened, 0 if audience is None and positions else audience, positions)

    monkeypatch.setattr(views, "published_steps", leaking)
    with pytest.raises(AssertionError):
        every_answer(watch, answered_hints)
    with pytest.raises(AssertionError):
        every_message(watch)


def test_words_of_refusals_come_from_what_the_seat_sees(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    watch, read, real = Watch(player, "duel"), [], Match.parse

    def parse(match: Match, move: Any, seen: Any = None) -> int:
        read.append(seen._states.tobytes())
        return real(match, move, seen)

    monkeypatch.setattr(Match, "parse", parse)
    seat, ply = watch.match.actor, watch.match.ply
    for path, body in (("check", {"move": "nonsense"}), ("moves", {"id": "x", "ply": ply, "move": "nonsense"})):
        watch.player.call("POST", f"/tables/{watch.id}/{path}", watch.tokens[seat], json=body)
    known = watch.match.view(seat).tobytes()
    assert read == [known, known] and known != watch.match.state().tobytes()


def test_a_longer_look_at_an_ended_game_gets_what_the_seat_saw_then(
    player: Player, answered_hints: list[Inquiry]
) -> None:
    match = played(registry.game("duel"), seed=3, moves=400)
    assert match.over
    brought = player.post("/tables/import?private=false", body=match.to_json(), status=201)["table"]["id"]
    hidden = 0
    for ply in range(match.ply):
        then = match.at(ply)
        if then.actor >= 0:
            player.get(f"/tables/{brought}/review/{ply}", seconds=0.01)
            assert answered_hints[-1].view == then.view(then.actor).tobytes()
            hidden += answered_hints[-1].view != then.state().tobytes()
    assert hidden


def nobody_moves_for_another(player: Player) -> None:
    table, tokens, _ = player.make("pig", "human", "human")
    view = player.view(table, tokens[0])
    other = 1 - view["actor"]
    hellos: list[dict[str, list[str]]] = [{"tokens": [tokens[other]]}, {"tokens": []}]
    for said in hellos:
        with player.http.websocket_connect(f"{PREFIX}/tables/{table}/socket") as session:
            socket = Socket(session)
            socket.send({"type": "hello", **said})
            socket.until("view")
            socket.send({"type": "move", "id": "x", "seat": view["actor"], "ply": view["ply"], "move": 1})
            while (message := socket.next())["type"] not in ("accepted", "refused"):
                pass
            assert message["type"] == "refused" and message["error"]["code"] == "forbidden"
    assert player.view(table)["ply"] == view["ply"]


def test_nobody_moves_for_another_over_a_socket(player: Player) -> None:
    nobody_moves_for_another(player)


def test_that_check_fails_and_does_not_hang(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "_moving_seat", lambda table, mine, wanted: wanted)
    with pytest.raises(AssertionError):
        nobody_moves_for_another(player)
