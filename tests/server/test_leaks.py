"""The leak test, written once for all games: whatever a seat or spectator receives is what it may know.

Four checks over whole games of every registered game, played through the server:
1. every view, position, record and event that arrives is what `Match.view` and `seen_by` leave for that audience;
2. replacing all that is hidden (by `determinize`) changes nothing that the server sends;
3. steps whose outcomes the audience cannot tell apart are announced in the same words;
4. no message holds the seed, another seat's token, or the ids of hidden moves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ludens.core import kernels, record, registry
from ludens.core.fields import Fields
from ludens.core.film import seen_by as event_seen_by
from ludens.core.match import Match, Step
from ludens.core.rng import DETERMINIZE, generator
from ludens.core.spec import Game
from ludens.core.verbs import CHANCE, SPECTATOR
from ludens.server.streaming import views
from ludens.server.tables.table import Table
from ludens.server.thinking.worker import load_plugins
from tests.server.conftest import PLUGINS, PREFIX, Player
from tests.server.test_streams import Socket

load_plugins(PLUGINS)
GAMES = registry.names()
_MOST_MOVES = 400  # careless players may take very long in some games


def audiences(match: Match) -> list[int | None]:
    return [None, *range(match.players)]


def seen_by(game: Game, state: np.ndarray, audience: int | None) -> np.ndarray:
    out = record.blank(game.dtype)
    kernels.view_at(state, 0, SPECTATOR if audience is None else audience, out)
    return out


def running_table(match: Match) -> Table:
    """A running table around a match, to ask what the server would send."""
    from ludens.server.tables.seats import Seat

    seats = [Seat(k, "human", name, token="x") for k, name in enumerate(match.names)]
    table = Table("leak", match.game, match.options, seats, owner="", address="", status="running")
    table.match = match
    return table


def played(game: Game, seed: int, moves: int) -> Match:
    """A match after so many moves of a player who takes them in turn from the list of legal ones."""
    match = Match(game, dict(game.spec.tournament), seed=seed)
    for k in range(moves):
        if match.over:
            break
        legal = match.legal()
        match.play(int(legal[(7 * k + seed) % len(legal)]))
    return match


@pytest.mark.parametrize("name", GAMES)
def test_everything_that_arrives_is_the_view_of_its_audience(player: Player, name: str) -> None:
    game = registry.game(name)
    seats = ["human"] * game.spec.default_players
    table_id, tokens, made = player.make(name, *seats, options=dict(game.spec.tournament))
    table: Table = player.http.app.state.services.tables.living[table_id]
    secrets_of: dict[int | None, list[str]] = {None: list(tokens.values())}
    secrets_of |= {seat: [token for other, token in tokens.items() if other != seat] for seat in tokens}
    path = f"{PREFIX}/tables/{table_id}/socket"
    with player.http.websocket_connect(path) as one, player.http.websocket_connect(path) as two:
        watcher, sitters = Socket(one), Socket(two)
        watcher.send({"type": "hello", "from": 0, "record": True, "positions": True})
        watcher.until("view")
        sitters.send({"type": "hello", "tokens": list(tokens.values()), "from": 0, "record": True, "positions": True})
        for _ in tokens:
            sitters.until("view")
        sockets: dict[int | None, Socket] = {None: watcher}
        sockets |= dict.fromkeys(tokens, sitters)
        for turn in range(_MOST_MOVES):
            assert table.match is not None
            if table.match.over:
                break
            for audience, socket in sockets.items():
                check_view(game, table.match, audience, socket.followed.views[audience])
                if game.spec.hidden or turn % 10 == 0:  # the same by the other way
                    token = None if audience is None else tokens[audience]
                    check_view(game, table.match, audience, player.view(table_id, token, record=True))
            actor = table.match.actor
            player.move(table_id, tokens[actor], player.view(table_id, tokens[actor]), choice=turn)
            ply = table.ply
            for audience, socket in sockets.items():
                while socket.followed.views[audience]["ply"] < ply:
                    socket.next()
        running = [
            m for m in watcher.messages + sitters.messages if "view" not in m or m["view"]["status"] == "running"
        ]
    assert table.match is not None
    happened = list(everything_that_happened(table.match))
    for message in running:
        if message["type"] == "update" and message["changes"].get("status", "running") != "running":
            continue
        for step in message.get("steps", []):
            events, after = happened[step["ply"]]
            check_step(game, events, after, message["seat"], step)
        text = json.dumps(message)
        assert str(table.seed) not in text
        assert str(table.agent_seed) not in text
        assert made["owner_token"] not in text
        assert not any(token in text for token in secrets_of[message.get("seat")])
        if game.spec.hidden:
            assert all("action" not in step for step in message.get("steps", []))
            assert all("secret" not in event for step in message.get("steps", []) for event in step["events"])


def everything_that_happened(match: Match) -> Iterator[tuple[list[dict[str, Any]], np.ndarray]]:
    """The events of every entry of the log, secrets included, and the state after it."""
    state = match.at(0).state()
    for action in match.log:
        after = record.copied(state)
        kernels.apply_at(after, 0, action)
        yield match.game.text.events(Fields(state), action, Fields(after)), after
        state = after


def check_step(
    game: Game, events: list[dict[str, Any]], after: np.ndarray, audience: int | None, step: dict[str, Any]
) -> None:
    told = [{key: value for key, value in event.items() if key != "sentence"} for event in step["events"]]
    assert told == json.loads(json.dumps([event_seen_by(event, audience) for event in events]))
    assert step["position"] == game.text.position_to_json(Fields(seen_by(game, after, audience)))


def check_view(game: Game, match: Match, audience: int | None, payload: dict[str, Any]) -> None:
    known = seen_by(game, match.state(), audience)
    assert payload["record"] == record.to_json(known)
    assert payload["position"] == game.text.position_to_json(known[0])
    expected = [int(a) for a in match.legal()] if audience is not None and audience == match.actor else []
    assert [action["id"] for action in payload["legal"]] == expected
    assert set(payload) <= {
        *("table", "game", "options", "status", "version", "ply", "undos", "seat", "names", "actor"),
        *("legal", "position", "scores", "returns", "over", "record", "times", "undo"),
    }
    assert payload["scores"] is None or not game.spec.hidden


@pytest.mark.parametrize("name", GAMES)
def test_what_is_hidden_has_no_influence_on_what_is_sent(name: str) -> None:
    game = registry.game(name)
    compared = 0
    for moves in (*range(0, 40, 6), *range(40, _MOST_MOVES, 60)):
        match = played(game, seed=moves, moves=moves)
        if match.over:
            continue
        for audience in audiences(match):
            if audience is None:
                continue  # determinising needs a seat
            truth = views.view_payload(running_table(match), audience, full=True)
            for k in range(3):
                other = match.at(match.ply)
                kernels.determinize_at(
                    match.view(audience), 0, audience, generator(k, DETERMINIZE, moves), other._state
                )
                assert views.view_payload(running_table(other), audience, full=True) == truth
                compared += 1
    assert compared


@pytest.mark.parametrize("name", [name for name in GAMES if registry.game(name).spec.hidden])
def test_steps_that_look_alike_are_told_alike(name: str) -> None:
    game = registry.game(name)
    compared = 0
    for seed in range(3):
        match = played(game, seed, _MOST_MOVES)
        table = running_table(match)
        state = record.blank(game.dtype)
        kernels.reset_at(state, 0, match.options)
        for ply, action in enumerate(match.log):
            after = state.copy()
            kernels.apply_at(after, 0, action)
            for other in alternatives(game, state):
                if other != action:
                    compared += compare_steps(table, state, after, ply, action, other)
            state = after
    assert compared, "no step of these games hid anything"


def alternatives(game: Game, state: np.ndarray) -> list[int]:
    if kernels.actor_at(state, 0) == CHANCE:
        outcomes, weights = np.zeros(game.spec.outcomes, np.int64), np.zeros(game.spec.outcomes)
        return [int(o) for o in outcomes[: kernels.chance_at(state, 0, outcomes, weights)]]
    legal = np.zeros(game.spec.actions, np.int64)
    return [int(a) for a in legal[: kernels.legal_at(state, 0, legal)]]


def compare_steps(table: Table, before: np.ndarray, after: np.ndarray, ply: int, action: int, other: int) -> int:
    """How many audiences cannot tell the two steps apart; for each of them the messages must be equal."""
    game = table.game
    who = int(kernels.actor_at(before, 0))
    otherwise = before.copy()
    kernels.apply_at(otherwise, 0, other)
    alike = 0
    for audience in [None, *range(len(table.seats))]:
        if audience == who or seen_by(game, after, audience).tobytes() != seen_by(game, otherwise, audience).tobytes():
            continue
        told = [
            views.step_payload(
                table, Step(ply, who, choice, tuple(game.text.events(before[0], choice, result[0]))), audience
            )
            for choice, result in ((action, after), (other, otherwise))
        ]
        assert told[0] == told[1]
        alike += 1
    return alike


def test_the_check_of_steps_notices_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = event_seen_by
    monkeypatch.setattr(views, "seen_by", lambda event, audience, _: everything(event, audience, True))
    with pytest.raises(AssertionError):
        test_steps_that_look_alike_are_told_alike("duel")
