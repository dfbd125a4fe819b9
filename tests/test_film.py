"""A match as a film: data from which every position follows, a page of its own, and what a notebook shows."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from ludens.cli.main import main
from ludens.core import film as films
from ludens.core import registry
from ludens.core.errors import BadInput
from ludens.core.fields import Fields
from ludens.core.match import Match
from ludens.core.spec import Game
from tests.examples import hidden, tiny


@pytest.fixture
def boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for the built boards."""
    file = tmp_path / "boards.js"
    file.write_text("/* the boards */")
    monkeypatch.setattr(films, "_BOARDS", file)
    return file


def played(game: Game | str, moves: int = 40) -> Match:
    match = Match(game, seed=5, names=["Ada <b>", "Bea"], players=2)
    for turn in range(moves):
        if match.over:
            break
        legal = match.legal()
        match.play(int(legal[turn % len(legal)]))
    return match


@pytest.mark.parametrize("game", [tiny.GAME, hidden.GAME, "azul"], ids=["pig", "duel", "azul"])
def test_every_position_follows_from_what_changed(game: Game | str) -> None:
    match = played(game)
    told = json.loads(films._json(films.film(match)))
    assert told["format"] == films.FORMAT
    position: dict[str, Any] = told["start"]
    assert len(told["steps"]) == match.ply
    for ply, step in enumerate(told["steps"]):
        position = {**position, **step["changes"]}
        assert all("secret" not in event and "sentence" in event for event in step["events"])
        if ply % 10 == 9 or ply == match.ply - 1:
            shown = match.game.text.position_to_json(Fields(match.at(ply + 1).state()))
            assert position == json.loads(films._json(shown))
    assert (told["scores"] is not None) == match.over


def test_a_page_holds_the_game_and_the_boards_and_loads_nothing(boards: Path) -> None:
    page = films.film_page(played(tiny.GAME))
    assert "Ada &lt;b&gt;" in page and "<b>" not in page.split("</title>")[0]
    assert not re.search(r"https?:|src=", page)
    packed = re.search(r'<ludens-game><script type="text/plain">([^<]+)</script>', page)
    assert packed is not None
    assert json.loads(gzip.decompress(base64.b64decode(packed[1])))["names"] == ["Ada <b>", "Bea"]
    letters = re.search(r'atob\("([^"]+)"\)', page)
    assert letters is not None
    assert gzip.decompress(base64.b64decode(letters[1])) == b"/* the boards */"
    assert films.film_page(played(tiny.GAME)) == page  # the same game gives the same page


def test_a_notebook_shows_a_match_in_a_frame_or_says_it_in_words(boards: Path) -> None:
    shown = played(tiny.GAME)._repr_html_()
    assert shown is not None and shown.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in shown
    boards.unlink()
    assert played(tiny.GAME)._repr_html_() is None
    with pytest.raises(BadInput, match="not built"):
        films.boards_script()


def test_a_saved_game_becomes_a_page_or_its_data(
    boards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(registry._loaded, "pig", tiny.GAME)
    saved = tmp_path / "game.json"
    saved.write_text(json.dumps(played(tiny.GAME).to_json()))
    for name in ("page.html", "film.json"):
        with pytest.raises(SystemExit) as ended:
            main(["replay", str(saved), "--out", str(tmp_path / name)])
        assert ended.value.code == 0
    assert "<ludens-game>" in (tmp_path / "page.html").read_text()
    assert json.loads((tmp_path / "film.json").read_text())["format"] == films.FORMAT
    with pytest.raises(SystemExit):
        main(["replay", str(saved), "--out", str(tmp_path / "game.png")])
    assert "ends with .html or .json" in capsys.readouterr().err
