"""What an agent of a stranger may cost: caps on memory, threads, seconds and work; a queue that is fair and forgets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ludens.agents.codes import kinds, parse_code
from ludens.core import registry
from ludens.core.match import Match
from ludens.server.app import create_app
from ludens.server.refusal import Refusal
from ludens.server.storage import rows
from ludens.server.thinking import worker
from ludens.server.thinking.budgets import Budgets, declared_memory
from ludens.server.thinking.messages import Farewell, Inquiry, Question, from_json, to_json
from ludens.server.thinking.queue import FairQueue, Ticket
from tests.server.conftest import PLUGINS, Player, settings_for
from tests.server.test_agents import until

BUDGETS = Budgets(memory=256, threads=4, seconds=5, work=8)
ODD = (*PLUGINS, "tests.server.odd_agents:GAME")


@pytest.mark.parametrize(
    ("game", "code", "words"),
    [
        ("azul", "alphabeta:memory=3000", "3000 MiB of memory; this server lends an agent 256"),
        ("azul", "mcts:memory=65536", "65536 MiB"),
        ("azul", "mcts:threads=256", "256 threads; this server lends an agent 4"),
        ("azul", "mcts:memory=100,threads=4", "400 MiB"),
        ("azul", "mcts:seconds=60", "60 seconds a move; this server lends an agent 5"),
        ("azul", "hard:threads=5", "5 threads"),
        ("azul", "alphabeta:depth=100", "25 times its usual work"),
        ("catan", "planner:depth=9,n_actions=30", "90 times its usual work; this server lends an agent 8 times"),
        ("catan", "planner:workers=64", "64 threads"),
        ("catan", "expectimax:depth=8,worlds=32", "16 times"),
    ],
)
def test_what_costs_too_much_is_refused_in_a_sentence(game: str, code: str, words: str) -> None:
    with pytest.raises(Refusal, match=words):
        BUDGETS.check(*parse_code(registry.game(game), code))


@pytest.mark.parametrize("name", registry.names())
def test_every_agent_that_is_offered_may_sit_down_as_it_is_and_at_the_top_of_each_parameter(name: str) -> None:
    game = registry.game(name)
    for kind in kinds(game).values():
        BUDGETS.check(kind, dict(kind.preset))
        for parameter in kind.parameters:
            high = BUDGETS.high(kind, parameter)
            if parameter.cost is not None:
                assert high is not None and high <= (parameter.high or high)
                BUDGETS.check(kind, {**kind.preset, parameter.name: high})


def test_parameters_that_cost_something_declare_it() -> None:
    """Words that usually name a cost; a new agent that has one must say so."""
    costly = {"memory", "threads", "workers", "processes", "seconds", "depth", "n_actions", "n_turns", "worlds"}
    bounded_by_the_clock = {("mcts", "depth"), ("flat", "depth")}  # of a roll-out: they look at the clock in between
    for game in map(registry.game, registry.BUILT_IN):
        for kind in kinds(game).values():
            for parameter in kind.parameters:
                base = next((n for n in ("mcts", "flat") if kind.make.__name__.lower().startswith(n)), kind.name)
                if parameter.name in costly and (base, parameter.name) not in bounded_by_the_clock:
                    assert parameter.cost is not None, (game.spec.name, kind.name, parameter.name)


def test_the_interface_tells_and_keeps_the_budgets(player: Player) -> None:
    azul = player.get("/games/azul")
    assert azul["budgets"] == {"memory": 256, "threads": 4, "seconds": 5, "work": 8}
    mcts = next(agent for agent in azul["agents"] if agent["name"] == "mcts")
    shown = {p["name"]: (p["high"], p["cost"]) for p in mcts["parameters"]}
    assert shown["memory"] == (256, "memory") and shown["threads"] == (4, "threads")
    seats = [{"kind": "human"}, {"kind": "agent", "agent": "alphabeta:memory=3000"}]
    refused = player.call("POST", "/tables", json={"game": "azul", "seats": seats})
    assert refused.status_code == 422 and "3000 MiB" in refused.text
    table, _, made = player.make("azul", "human", "open")
    wish = {"kind": "agent", "agent": "mcts:threads=256"}
    refused = player.call("PATCH", f"/tables/{table}/seats/1", made["owner_token"], json=wish)
    assert refused.status_code == 422 and "256 threads" in refused.text


def test_an_agent_that_could_not_play_is_refused_before_it_sits_down(player: Player) -> None:
    for code in ("alphabeta", "expectimax:pruning=on"):
        seats = [{"kind": "human"}, *[{"kind": "agent", "agent": code}] * 2]
        refused = player.post("/tables", body={"game": "catan", "seats": seats}, status=422)["error"]["message"]
        assert "needs two opposed sides; Catan for 3 players has more." in refused
    player.make("scotland_yard", "human", "alphabeta")
    player.make("catan", "human", "expectimax:pruning=on,opponents=paranoid", "human")


def test_an_agents_memory_counts_all_its_threads() -> None:
    game = registry.game("azul")
    assert declared_memory(*parse_code(game, "mcts:memory=50,threads=2")) == 104
    assert declared_memory(*parse_code(game, "random")) == 4


def test_the_agents_that_a_worker_keeps_fit_into_a_quarter_of_its_memory() -> None:
    match, agents = Match("pig", seed=1), worker.Agents()
    for k in range(10):
        question = Question(
            f"t{k}",
            match.actor,
            "pig",
            "random",
            match.options.tobytes(),
            0,
            match.view(match.actor).tobytes(),
            match.legal().tobytes(),
            1.0,
        )
        worker._choose(agents, question, 64 << 20)
    assert [table for table, _, _ in agents] == ["t6", "t7", "t8", "t9"]  # 4 MiB each, the last that were asked


# --- the queue -----------------------------------------------------------------------------


def ticket(table: str, seconds: float = 1.0) -> Ticket:
    question = Question(table, 0, "pig", "random", b"", 0, b"", b"", seconds)
    return Ticket(question, asyncio.get_running_loop().create_future())


def test_time_is_shared_by_addresses_and_by_tables() -> None:
    async def served() -> list[str]:
        queue, order = FairQueue(), []
        for k in range(3):
            for table in ("slow", "quick"):
                await queue.put("crowd", ticket(table))
            await queue.put("alone", ticket(f"alone{k}"))
        while len(queue):
            one = await queue.get()
            order.append(one.table)
            await queue.done(one, 10.0 if one.table == "slow" else 1.0)
        return order

    order = asyncio.run(served())
    assert order[:2] == ["slow", "alone0"]
    assert order.index("alone2") < 5  # the crowd pays for its slow table
    assert [t for t in order if not t.startswith("alone")] == ["slow", "quick", "quick", "quick", "slow", "slow"]


def test_a_ticket_that_is_given_up_leaves_the_queue() -> None:
    async def waiting() -> list[int]:
        queue, seen = FairQueue(), []
        tickets = [ticket(f"t{k}") for k in range(170)]
        for one in tickets:
            await queue.put("a", one)
        seen.append(len(queue))
        for one in tickets:
            one.answer.cancel()
        await asyncio.sleep(0)
        return [*seen, len(queue)]

    assert asyncio.run(waiting()) == [170, 0]


def test_an_address_whose_agents_overrun_holds_one_worker_only() -> None:
    async def served() -> list[str]:
        queue = FairQueue()
        for k in range(4):
            await queue.put("greedy", ticket(f"greedy{k}"))
        first = await queue.get()
        await queue.done(first, 20.0, late=True)
        second = await queue.get()  # a worker is taken again …
        assert queue._next(analyses=True) is None  # … while three more wait …
        await queue.put("modest", ticket("modest"))
        taken = [second.table, (await queue.get()).table]  # … and the other one is kept for others
        await queue.done(second, 1.0)  # in time: forgiven
        return [*taken, (await queue.get()).table, (await queue.get()).table]

    assert asyncio.run(served()) == ["greedy1", "modest", "greedy2", "greedy3"]


def test_messages_travel_as_json() -> None:
    for message in (
        Question("t", 1, "pig", "random", b"\x00\x01", 3, b"\xff", b"", 0.5),
        Inquiry("pig", 0, b"\x07", 1.0, 3, (1, 2), "t"),
        Farewell("t", "pig", {1: b"\x01"}),
    ):
        assert from_json(to_json(message)) == message


# --- at tables -----------------------------------------------------------------------------


@pytest.fixture
def odd(tmp_path: Path) -> Iterator[Player]:
    settings = settings_for(tmp_path, plugins=ODD, agent_seconds=0.1, worker_memory=300.0, agents_alone=40)
    with TestClient(create_app(settings)) as client:
        yield Player(client)


def my_turn(player: Player, table: str, token: str) -> dict[str, Any]:
    view, unchanged = player.view(table, token), 0
    while view["actor"] != 0 and not view["over"]:
        before = view["version"]
        view = player.view(table, token, after=before, wait=20)
        unchanged = 0 if view["version"] > before else unchanged + 1
        assert unchanged < 5, "the agent does not move, and nobody moves for it"
    return view


def test_closed_tables_are_forgotten_by_the_queue(odd: Player) -> None:
    pool = odd.http.app.state.services.pool
    made = [odd.make("odd", "sleeping:seconds=1000", "random")[2] for _ in range(20)]
    until(lambda: pool.thinking + pool.waiting == 20)
    for one in made:
        odd.post(f"/tables/{one['table']['id']}/close", one["owner_token"])
    until(lambda: pool.waiting == 0)


def test_an_agent_that_overruns_is_replaced_and_the_tables_log_says_so(odd: Player) -> None:
    pool = odd.http.app.state.services.pool
    table, tokens, _ = odd.make("odd", "human", "random")
    odd.move(table, tokens[0], odd.view(table, tokens[0]), choice=1)
    my_turn(odd, table, tokens[0])  # the worker has started
    pool.patience = 0.2
    pool._tried["odd", "sleeping"] = 99  # it has used up the patience for beginners
    table, tokens, _ = odd.make("odd", "human", "sleeping:seconds=1000", options={"target": 40})
    first, processes = pool.workers[0], {pool.workers[0].process}
    for _ in range(5):
        odd.move(table, tokens[0], my_turn(odd, table, tokens[0]), choice=1)
        my_turn(odd, table, tokens[0])
        processes.add(first.process)
    ended = [process for process in processes if process is not None and process is not first.process]
    assert ended  # whoever overran was ended
    until(lambda: not any(process.is_alive() for process in ended))
    shown = odd.get(f"/tables/{table}")
    assert "late too often" in shown["notice"]
    assert len(shown["stand_ins"]) >= 5
    steps = {step["ply"]: step for step in odd.get(f"/tables/{table}/steps")["steps"]}
    assert all(steps[one["ply"]]["stands_in"] and one["seat"] == 1 for one in shown["stand_ins"])
    assert pool.failed == 3  # then it is not asked any more
    stored = odd.http.portal.call(odd.http.app.state.services.storage.read, rows.load(table))
    assert [ply for ply, note in stored.notes.items() if note.stands_in] == [one["ply"] for one in shown["stand_ins"]]


def test_a_worker_whose_agent_takes_too_much_memory_fails_alone(odd: Player) -> None:
    table, tokens, _ = odd.make("odd", "human", "hungry:mib=4000")
    odd.move(table, tokens[0], odd.view(table, tokens[0]), choice=1)
    my_turn(odd, table, tokens[0])
    assert odd.get(f"/tables/{table}")["stand_ins"]
    table, tokens, _ = odd.make("odd", "human", "hungry:mib=200")  # allowed, but the worker is too large afterwards
    odd.move(table, tokens[0], odd.view(table, tokens[0]), choice=1)
    my_turn(odd, table, tokens[0])
    first = odd.http.app.state.services.pool.workers[0]
    until(lambda: first.process is None)
    assert odd.get(f"/tables/{table}")["stand_ins"] == []


def test_agents_alone_do_not_play_for_ever(odd: Player) -> None:
    table, _, _ = odd.make("odd", "random", "random", options={"target": 500})
    end = time.monotonic() + 300
    while (shown := odd.get(f"/tables/{table}"))["status"] == "running":
        assert time.monotonic() < end
        time.sleep(0.05)
    assert shown["result"]["reason"].startswith("agents alone had played")


def test_thoughts_are_told_to_those_who_may_know_them(tmp_path: Path) -> None:
    with TestClient(create_app(settings_for(tmp_path, plugins=ODD))) as client:
        odd = Player(client)
        table, tokens, _ = odd.make("odd", "human", "thinking")
        odd.move(table, tokens[0], odd.view(table, tokens[0]), choice=1)
        my_turn(odd, table, tokens[0])
        thoughts = [step["thought"] for step in odd.get(f"/tables/{table}/steps")["steps"] if "thought" in step]
        assert thoughts and thoughts[0]["note"] == "hold" and thoughts[0]["value"] == 0.25
        silent, tokens, _ = odd.make("odd", "human", "thinking", hints=False)
        odd.move(silent, tokens[0], odd.view(silent, tokens[0]), choice=1)
        my_turn(odd, silent, tokens[0])
        assert not any("thought" in step for step in odd.get(f"/tables/{silent}/steps")["steps"])
    with TestClient(create_app(settings_for(tmp_path, plugins=ODD))) as again:  # they are stored
        found = Player(again).get(f"/tables/{table}/steps")["steps"]
    assert [step["thought"] for step in found if "thought" in step] == thoughts


def test_thoughts_of_a_hidden_game_are_for_its_seat_and_for_all_after_the_end() -> None:
    from ludens.server.streaming import views
    from tests.server.test_leaks import played, running_table

    match = played(registry.game("duel"), seed=1, moves=3)
    table = running_table(match)
    step = next(step for step in match.steps() if step.actor >= 0)
    table.note(step.ply, step.actor, {"note": "x"}, stands_in=False)
    seen = {audience: "thought" in views.step_payload(table, step, audience) for audience in (None, 0, 1)}
    assert seen == {None: False, step.actor: True, 1 - step.actor: False}
    table.status = "finished"
    assert all("thought" in views.step_payload(table, step, audience) for audience in (None, 0, 1))
