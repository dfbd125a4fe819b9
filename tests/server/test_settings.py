"""The limits that strangers meet where an operator has set none: what is written of them is what holds."""

from __future__ import annotations

import dataclasses
import re
import socket
from pathlib import Path

import pytest
import typer
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from ludens.cli import serve
from ludens.server.app import create_app
from ludens.server.refusal import Refusal
from ludens.server.settings import Settings
from tests.server.conftest import PREFIX

DOCS = Path(__file__).parents[2] / "docs"
CHOSEN_AT_THE_START = {"database", "laboratory"}  # they depend on where the server runs


def written(page: str, what: str) -> list[float]:
    """The numbers in the second column of a row of a page's tables, or in its third for an option."""
    row = next(line for line in (DOCS / page).read_text().splitlines() if line.startswith(f"| {what}"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    return [
        float(number.replace(",", "")) for number in re.findall(r"\d[\d,.]*", cells[-1 if page == "deploy.md" else 1])
    ]


def test_the_limits_of_an_address_are_those_that_bots_are_told(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path / 'x.sqlite3'}", prepare=False, workers=0)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        told = client.get(f"{PREFIX}/limits").json()
    page = "bots.md"
    assert [told["requests_per_second"], told["requests_at_once"]] == written(page, "requests and messages")
    assert [told["connections"]] == written(page, "sockets, streams")
    assert [told["tables"]] == written(page, "waiting and running tables")
    assert [told["tables_per_hour"]] == written(page, "new tables")
    assert [told["saved_games_per_hour"]] == written(page, "saved games")
    assert [told["reviews"]] == written(page, "reviews")
    assert [told["bytes"]] == written(page, "a request, a message")
    assert [settings.hello_seconds] == written(page, "a socket without a hello")
    assert [settings.body_seconds] == [settings.idle_seconds] == written(page, "a connection that says nothing")
    assert [settings.idle_seconds] == written(page, "a connection that takes nothing")


def test_the_options_have_the_values_that_operators_are_told() -> None:
    usual, page = Settings(database="sqlite://"), "deploy.md"
    assert [usual.agent_seconds] == written(page, "`--agent-seconds`")
    assert [usual.agent_memory, usual.agent_threads, usual.agent_work] == written(page, "`--agent-memory`")
    assert [usual.worker_memory] == written(page, "`--worker-memory`")
    assert [usual.hint_seconds] == written(page, "`--hint-seconds`")
    assert [usual.rate] == written(page, "`--rate`")
    assert [usual.tables, usual.sockets] == written(page, "`--tables`, `--sockets`")
    assert [usual.tables_per_address, usual.tables_per_hour] == written(page, "`--tables-per-address`")
    assert [usual.sockets_per_address] == written(page, "`--sockets-per-address`")
    assert [usual.waiting_hours, usual.running_hours] == written(page, "`--abandon-waiting`")
    assert [usual.vanished_hours] == written(page, "`--vanished`")
    kept = usual.kept
    assert [kept.own, kept.agents, kept.abandoned, kept.brought] == written(page, "`--keep-own`")
    assert [kept.per_address, kept.size] == written(page, "`--keep-per-address`")
    assert usual.admin_token is usual.worker_token is usual.cluster is None


def test_a_server_that_is_started_without_a_word_has_them_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Settings] = []

    def run(settings: Settings, listening: socket.socket, *_: object) -> None:
        listening.close()
        begun.append(settings)

    monkeypatch.setenv("LUDENS_DATA", str(tmp_path))
    monkeypatch.setattr("ludens.server.run.run", run)
    monkeypatch.setattr("ludens.server.logs.set_up", lambda *_: None)
    app = typer.Typer()
    app.command()(serve.serve)
    done = CliRunner().invoke(app, [], catch_exceptions=False)
    assert done.exit_code == 0
    usual = Settings(database="")
    found = {field.name: getattr(begun[0], field.name) for field in dataclasses.fields(Settings)}
    expected = {field.name: getattr(usual, field.name) for field in dataclasses.fields(Settings)}
    assert {name: value for name, value in found.items() if value != expected[name]}.keys() <= CHOSEN_AT_THE_START


def test_the_usual_rate_is_what_an_address_gets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("ludens.server.http.limits.time.monotonic", lambda: now[0])
    usual = Settings(database=f"sqlite:///{tmp_path / 'x.sqlite3'}", prepare=False, workers=0)
    buckets = create_app(usual).state.services.buckets

    def served() -> int:
        for count in range(100_000):
            try:
                buckets.charge("somebody")
            except Refusal:
                return count
        raise AssertionError("nobody is ever refused")

    bursts = [served()]
    now[0] += 1.0
    bursts.append(served())
    buckets.charge("somebody else")
    assert bursts == [2000, 200]
