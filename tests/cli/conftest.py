"""Running the command line inside the test process."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ludens.cli.main import main
from ludens.core import registry
from tests.examples import hidden, tiny


@dataclass(frozen=True)
class Run:
    """What a command left behind."""

    status: int
    out: str
    err: str


Ludens = Callable[..., Run]


@pytest.fixture
def ludens(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ludens:
    """Runs `ludens …` with the given lines on standard input, in 80 columns without colour."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*arguments: str, lines: tuple[str, ...] = ()) -> Run:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = capsys.readouterr()
        return Run(int(left.value.code or 0), out, err)

    return run


@pytest.fixture
def saved(ludens: Ludens, tmp_path: Path) -> Path:
    """A finished game of Azul between two agents, saved."""
    file = tmp_path / "game.json"
    assert ludens("play", "azul", "--seats", "heuristic,random", "--seed", "7", "--save", str(file)).status == 0
    return file


@pytest.fixture(autouse=True)
def example_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two example games beside the built-in ones."""
    monkeypatch.setitem(registry._loaded, "pig", tiny.GAME)
    monkeypatch.setitem(registry._loaded, "duel", hidden.GAME)
