"""Commands that report: games, agents, arena, warm, version, help."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from ludens import __version__
from ludens.cli.console import print_json
from ludens.core import registry
from tests.cli.conftest import Ludens


def test_version(ludens: Ludens) -> None:
    assert ludens("--version").out == f"ludens {__version__}\n"


def test_help_names_every_command_and_is_quick() -> None:
    code = (
        "import sys\nfrom ludens.cli.main import main\n"
        "try:\n    main(['--help'])\nfinally:\n    assert 'numba' not in sys.modules and 'numpy' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for command in ("games", "agents", "play", "replay", "arena", "analyse", "tune", "warm", "bench"):
        assert f" {command} " in done.stdout


def test_no_command_shows_help(ludens: Ludens) -> None:
    run = ludens()
    assert "Usage" in run.out + run.err
    assert run.status in (0, 2)


def test_games(ludens: Ludens) -> None:
    run = ludens("games")
    assert run.status == 0
    assert "azul" in run.out
    assert "2, 3, 4" in run.out
    assert "wall=coloured|grey" in run.out


def test_games_json(ludens: Ludens) -> None:
    games = json.loads(ludens("games", "--json").out)["games"]
    assert [game["game"] for game in games] == registry.names()
    azul = games[0]
    assert azul["players"] == [2, 3, 4]
    assert azul["hidden"] is False
    wall = azul["options"][0]
    assert (wall["option"], wall["default"], wall["choices"]) == ("wall", "coloured", ["coloured", "grey"])


def test_agents_are_a_line_each(ludens: Ludens) -> None:
    lines = ludens("agents", "azul").out.splitlines()
    names = [line.split()[0] for line in lines]
    assert names[0] == "random"
    assert {"heuristic", "mcts", "beginner", "easy", "medium", "hard", "champion"} < set(names)
    assert all(len(line.split()) > 2 for line in lines)
    everybody = ludens("agents").out.splitlines()
    assert {line.split()[0] for line in everybody} >= {"azul", "discovery", "duel", "pig"}
    assert len(everybody) > len(lines)


def test_one_agent_shows_its_parameters(ludens: Ludens) -> None:
    run = ludens("agents", "azul", "medium")
    assert run.status == 0
    assert "simulations" in run.out
    assert "(1 to 1000000000)" in " ".join(run.out.split())  # the table wraps
    assert "threads" in run.out
    assert "It has no parameters." in ludens("agents", "azul", "random").out
    wrong = ludens("agents", "azul", "medum")
    assert wrong.status == 2
    assert wrong.err == "Unknown agent of azul 'medum'; did you mean medium?\n"
    (agent,) = json.loads(ludens("agents", "azul", "heuristic", "--json").out)["agents"]
    assert agent["agent"] == "heuristic"


def test_agents_json(ludens: Ludens) -> None:
    agents = json.loads(ludens("agents", "azul", "--json").out)["agents"]
    assert {agent["game"] for agent in agents} == {"azul"}
    heuristic = next(agent for agent in agents if agent["agent"] == "heuristic")
    assert heuristic["parameters"][0]["choices"] == ["first", "random"]


def test_arena(ludens: Ludens) -> None:
    run = ludens("arena", "azul", "heuristic", "random", "--games", "40", "--seed", "3")
    assert run.status == 0
    assert "40 games, seed 3" in run.out
    assert "heuristic   40       0     0     100.0%" in run.out
    assert "91.2% – 100.0%" in run.out
    assert max(map(len, run.out.splitlines())) <= 80


def test_arena_json_is_one_document(ludens: Ludens) -> None:
    arguments = ("arena", "azul", "heuristic", "random", "--games", "10", "--players", "3", "-o", "wall=grey", "--json")
    document = json.loads(ludens(*arguments).out)
    assert document["options"]["players"] == 3
    assert document["options"]["wall"] == "grey"
    assert document["games"] == 10
    assert [agent["agent"] for agent in document["agents"]] == ["heuristic", "random"]
    assert sum(agent["games"] for agent in document["agents"]) == 30


def test_arena_is_reproducible(ludens: Ludens) -> None:
    first, again = (ludens("arena", "azul", "random", "random", "--games", "5", "--json").out for _ in range(2))
    assert first == again


def test_arena_with_fixed_sides(ludens: Ludens) -> None:
    run = ludens("arena", "scotland_yard_grid", "random", "shrink", "--games", "20", "--fixed", "--json")
    agents = json.loads(run.out)["agents"]
    assert [[seat["seat"] for seat in agent["by_seat"]] for agent in agents] == [[0], [1]]


def test_arena_plays_a_published_table_again(ludens: Ludens) -> None:
    """SY-69: the table of SY-43 beside the thesis' figures, the same for the same seed."""
    run = ludens("arena", "scotland_yard_grid", "--table", "thesis", "--games", "5")
    assert run.status == 0
    rows = [line.split() for line in run.out.splitlines() if line.strip().startswith("v")]
    assert [row[0] for row in rows] == ["v1", "v2", "v3", "v4"]
    assert [row[5] for row in rows] == ["92%", "65%", "74%", "89%"]
    assert [row[-1] for row in rows] == ["5.8", "6.4", "6.3", "6.7"]
    assert max(map(len, run.out.splitlines())) <= 80
    assert "reading: max_rounds=10, order=thesis, distance=manhattan, unit=plies" in run.out
    first, again = (
        ludens("arena", "scotland_yard_grid", "--table", "thesis", "--games", "5", "--json").out for _ in range(2)
    )
    assert first == again
    assert [line["printed"]["share"] for line in json.loads(first)["lines"]] == [0.92, 0.65, 0.74, 0.89]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("azul", "--table", "thesis"), "Azul has no published table"),
        (("scotland_yard_grid", "--table", "thesi"), "did you mean thesis?"),
        (("scotland_yard_grid", "v1", "--table", "thesis"), "not both"),
        (("azul",), "An arena needs agents"),
    ],
)
def test_arena_refuses_tables_in_one_sentence(ludens: Ludens, arguments: tuple[str, ...], words: str) -> None:
    run = ludens("arena", *arguments)
    assert run.status != 0
    assert words in run.err


@pytest.mark.parametrize("game", ["azul", "pig", "duel"])
def test_warm_leaves_nothing_to_compile(ludens: Ludens, game: str) -> None:
    assert ludens("warm", game).status == 0
    (report,) = json.loads(ludens("warm", game, "--json").out)["games"]
    assert report["game"] == game
    assert report["kernels"] >= 14
    assert report["compiled"] == {}


def test_json_holds_no_numbers_that_json_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": [float("nan"), (1.5, float("inf"))], "b": 2})
    assert json.loads(capsys.readouterr().out) == {"a": [None, [1.5, None]], "b": 2}
