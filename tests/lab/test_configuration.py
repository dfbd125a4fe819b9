"""Experiments from files: what they mean, and what is refused with its line before any game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludens.core.errors import BadInput
from ludens.lab.experiment import read_experiment
from ludens.lab.report.reference import read_references
from tests.cli.conftest import Ludens, example_games, ludens  # noqa: F401

WHOLE = """
title = "A test"
about = "Nothing."
alpha = 0.05
[players]
good = "heuristic"
bad = "random"
mixed = { agent = "heuristic", ties = ["first", "random"] }

[[series]]
name = "first"
game = "azul"
seats = 2
games = 3
seed = 5
self_play = true
seating = "permutations"
enter = ["good", "bad"]
options = { wall = "grey" }
clock = { move = 10, measure = "cpu" }

[[series]]
name = "second"
game = "azul"
seats = 3
tables = [["good", "bad", "bad"]]
players = { bad = "heuristic:ties=random" }
stop = { player = "good", high = 0.6 }
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "test.toml"
    path.write_text(text)
    return path


def test_a_whole_file(tmp_path: Path) -> None:
    found = read_experiment(write(tmp_path, WHOLE))
    assert (found.title, found.alpha, found.results) == ("A test", 0.05, tmp_path / "test.db")
    first, second = (series.schedule for series in found.series)
    assert [(player.name, player.code) for player in first.players] == [
        ("good", "heuristic"),
        ("bad", "random"),
    ]
    assert first.arrangements == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert (first.total, first.seed, first.clock.move) == (12, 5, 10)
    assert first.spec_game.show_options(first.option_array)["wall"] == "grey"
    assert [player.name for player in second.players] == [
        "good",
        "bad",
        "mixed ties=first",
        "mixed ties=random",
    ]
    assert second.players[1].code == "heuristic:ties=random"
    assert second.players[3].code == "heuristic:ties=random"
    assert second.arrangements == ((0, 1, 1), (1, 1, 0), (1, 0, 1))
    assert found.series[1].stop is not None
    assert found.series[1].stop.test.high == 0.6
    assert found.total == 15


def test_everybody_against_a_few(tmp_path: Path) -> None:
    text = '[players]\na="random"\nb="heuristic"\nc="heuristic:ties=random"\n[[series]]\ngame="azul"\nagainst=["a"]\n'
    plan = read_experiment(write(tmp_path, text)).series[0].schedule
    assert plan.arrangements == ((0, 1), (1, 0), (0, 2), (2, 0))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("seats = 2", "seat = 2", "line 13: Unknown key 'seat'; did you mean seats"),
        ('title = "A test"', 'titel = "A"', "line 2: Unknown key 'titel'; did you mean title"),
        (
            'good = "heuristic"',
            'good = "heurstic"',
            "line 6: Unknown agent of azul 'heurstic'; did you mean heuristic?",
        ),
        ('ties = ["first", "random"]', "tie = 1", "line 8: Unknown parameter of agent heuristic 'tie'"),
        ('wall = "grey"', 'walls = "grey"', "line 19: Unknown option of azul 'walls'; did you mean wall?"),
        ('wall = "grey"', 'wall = "green"', "line 19: Option wall must be one of coloured, grey, not 'green'."),
        ("seats = 2", "seats = 7", "line 13: Azul is for 2, 3, 4 players, not 7."),
        ('game = "azul"\nseats = 2', 'game = "azil"\nseats = 2', "line 12: Unknown game 'azil'; did you mean azul?"),
        ('enter = ["good", "bad"]', 'enter = ["god"]', "line 18: Unknown player 'god'; did you mean good?"),
        ("self_play = true", "self_play = 1", "line 16: self_play must be true or false, not 1."),
        ('seating = "permutations"', 'seating = "permutation"', "line 17: Unknown seating 'permutation'; did you mean"),
        ("games = 3", "games = 0", "line 14: games must be a number from 1 to"),
        ("move = 10", "move = 0", "line 20: The limit of a clock must be more than 0 seconds"),
        ('["good", "bad", "bad"]', '["good", "bad"]', "line 26: Azul with 3 players has 3 places at a table"),
        ("high = 0.6", "high = 0.4", "line 28: A sequential test needs"),
        ('name = "second"', 'name = "first"', "line 23: two series have the name 'first'."),
        ("move = 10", "move = inf", "line 20: The limit of a clock must be more than 0 seconds and at most 10,000,000"),
        ("move = 10", "move = true", "line 20: a clock's limits are seconds."),
        ("high = 0.6", "high = 'x'", "line 28: high must be a number from 0 to 1, not 'x'."),
        ("high = 0.6", "least = -4", "line 28: least must be a number from 1 to"),
        ("high = 0.6", "alpha = 0.9, beta = 0.9", "line 28: The errors of a sequential test sum to less than 1"),
        ('enter = ["good", "bad"]', 'enter = [["good"]]', "line 18: Unknown player"),
        ('enter = ["good", "bad"]', 'enter = ["good", "good"]', "line 18: player good enters twice."),
        ('enter = ["good", "bad"]', "enter = []", "line 18: nobody enters."),
        ('[["good", "bad", "bad"]]', "[]", "line 26: tables must be a list of tables"),
        ("self_play = true", "against = []", "line 16: against must be a list of players."),
        ('["first", "random"]', "[]", "line 8: ties of player mixed must be a list of different values."),
        ('game = "azul"', "game = 3", "test.toml, line 12: game must be a text, not 3."),
        ('name = "first"', 'name = " "', "line 11: name must not be empty."),
        ("games = 3", "games = 900000000", "line 10: A series has at most 10,000,000 games"),
        ('about = "Nothing."', 'results = "no/a.db"', "line 3: Cannot write"),
        ('about = "Nothing."', 'report = "no/a"', "line 3: Cannot write"),
        ("seats = 2\ngames = 3", "seats = 4\ngames = 3\nself_play = false\n#", "too many for 2 without self_play"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert old in WHOLE
    text = WHOLE.replace(old, new, 1)
    if "too many" in sentence:
        text = text.replace("self_play = true\n", "", 1)
    path = write(tmp_path, text)
    with pytest.raises(BadInput) as refused:
        read_experiment(path)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_lines_are_counted_over_values_of_several_lines(tmp_path: Path) -> None:
    """Lists of lists look like headers of tables, and texts like anything at all."""
    text = """about = '''
[players]
a = "heurstic" \\'''
[players]
a = "random" # ["
b = 'C:\\'
"c" = "heuristic"
[[series]]
game = "azul"
enter = [
  ["a"],
]
sead = 3
"""
    with pytest.raises(BadInput, match="line 13: Unknown key 'sead'; did you mean seed"):
        read_experiment(write(tmp_path, text))
    with pytest.raises(BadInput, match="line 6: Unknown agent"):
        read_experiment(write(tmp_path, text.replace("sead = 3", "").replace('["a"],', '"b", "c"')))


def test_reports_keep_the_dots_of_their_names(tmp_path: Path) -> None:
    text = '[players]\na="random"\nb="heuristic"\n[[series]]\ngame="azul"\n'
    assert read_experiment(write(tmp_path, f'report="run.v1"\n{text}')).report == tmp_path / "run.v1"
    assert read_experiment(write(tmp_path, f'report="run.v1.html"\n{text}')).report == tmp_path / "run.v1"


@pytest.mark.parametrize(
    ("figure", "sentence"),
    [
        ("figure = 3", "line 1: figures stand in tables"),
        ('[[figure]]\nwhat = "score"', "line 1: a figure needs its mean."),
        ('[[figure]]\nwhat = "score"\nmean = nan', "line 3: mean must be a number, not nan."),
        ('[[figure]]\nwhat = "share"\nmean = 5', "line 3: a share lies between 0 and 1, not 5."),
        ('[[figure]]\nwhat = "score"\nmean = 5\nseat = 0', "line 4: seat must be a whole number from 1 on, not 0."),
        ('[[figure]]\nwhat = "score"\nmean = 5\ninterval = [9, 1]', "line 4: interval must be a list of two numbers"),
        ('[[figure]]\nwhat = "score"\nmean = 5\nwith = "a"', "line 4: with must be a list of players, not 'a'."),
        ('[[figure]]\nwhat = "score"\nmean = 5\nnote = 4', "line 4: note must be a text, not 4."),
    ],
)
def test_printed_figures_that_are_none_are_refused_with_their_line(tmp_path: Path, figure: str, sentence: str) -> None:
    path = tmp_path / "reference.toml"
    path.write_text(figure)
    with pytest.raises(BadInput) as refused:
        read_references(path)
    assert sentence in str(refused.value)


def test_figures_stand_once_and_are_taken_from_another_file(tmp_path: Path) -> None:
    figure = '[[figure]]\ntable = "1"\nwhat = "score"\nplayer = "{}"\nmean = {}\n'
    (tmp_path / "all.toml").write_text(
        figure.format("A", 5) + "seat = 2\n" + figure.format("A", 6) + figure.format("B", 7)
    )
    some = tmp_path / "some.toml"
    some.write_text('from = "all.toml"\nonly = [{ table = "1", what = "score", player = "A" }]\n')
    assert [printed.mean for printed in read_references(some).figures] == [6]
    some.write_text('from = "all.toml"\nonly = [{ table = "2", what = "score" }]\n')
    with pytest.raises(BadInput, match=r"some.toml, line 2: all.toml has no such figure"):
        read_references(some)


def test_a_file_that_is_no_toml(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not TOML: "):
        read_experiment(write(tmp_path, "players = ["))
    with pytest.raises(BadInput, match="Cannot read"):
        read_experiment(tmp_path / "nothing.toml")
    with pytest.raises(BadInput, match=r"at least one \[\[series\]\]"):
        read_experiment(write(tmp_path, "title = 'x'"))


EXPERIMENT = """
title = "Two players of Azul"
reference = "reference.toml"
[players]
heuristic = "heuristic"
random = "random"
[[series]]
name = "azul"
game = "azul"
games = 5
"""
REFERENCE = """
source = "Nobody."
[[figure]]
table = "1"
what = "score"
player = "heuristic"
mean = 60
sd = 20
n = 100
[[figure]]
table = "1"
what = "share"
player = "random"
mean = 0.9
n = 200
"""


def test_an_experiment_is_run_reported_and_opened_again(tmp_path: Path, ludens: Ludens) -> None:  # noqa: F811
    (tmp_path / "reference.toml").write_text(REFERENCE)
    path = write(tmp_path, EXPERIMENT)
    dry = ludens("experiment", "run", str(path), "--dry-run")
    assert dry.status == 0
    assert "azul: 10 of 10 games to play, about" in dry.out
    assert sorted(p.name for p in tmp_path.iterdir()) == ["reference.toml", "test.toml"]
    done = ludens("experiment", "run", str(path), "--workers", "1", "--json")
    assert done.status == 0, done.err
    page = (tmp_path / "test_report.html").read_text()
    text = (tmp_path / "test_report.md").read_text()
    for words in ("Two players of Azul", "Who won", "Beside the printed figures", "How to repeat this"):
        assert words in page
        assert words in text
    assert "http" not in page.replace("http://www.w3.org", "")  # names of XML alone
    assert "<svg" in page
    assert "overlap" in text
    assert "apart" in text
    again = ludens("experiment", "run", str(path), "--workers", "1")
    assert again.status == 0
    assert (tmp_path / "test_report.html").read_text() == page
    results = str(tmp_path / "test.db")
    out = tmp_path / "game.json"
    assert ludens("arena", "show", results, "3", "--out", str(out)).status == 0
    assert json.loads(ludens("replay", str(out), "--json").out)["over"]
    assert "azul: azul@" in ludens("arena", "list", results).out
    assert json.loads(ludens("arena", "report", results, "--json").out)["games"] == 10
    assert ludens("arena", "export", results, str(tmp_path / "a.csv")).status == 0
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 21
    refused = ludens("arena", "export", results, str(tmp_path / "a.xlsx"))
    assert refused.err == "Results are exported to a file that ends with .csv or .parquet, not a.xlsx.\n"
    (tmp_path / "reference.toml").write_text(REFERENCE.replace("sd = 20", "ds = 20"))
    wrong = ludens("experiment", "run", str(path))
    assert "reference.toml, line 8: Unknown key 'ds'; did you mean sd" in wrong.err
    (tmp_path / "reference.toml").write_text(REFERENCE)
    path.write_text(EXPERIMENT.replace("games = 5", "games = 5\nseed = 1"))
    # A report of what another configuration has played would be wrong, too, and so would an estimate.
    for command in (("run",), ("report",), ("run", "--dry-run")):
        mixed = ludens("experiment", *command, str(path))
        assert mixed.status == 2
        assert "with other seed" in mixed.err


def test_what_is_wrong_with_the_last_series_is_told_before_the_first_is_played(tmp_path: Path, ludens: Ludens) -> None:  # noqa: F811
    last = '[[series]]\nname = "last"\ngame = "azul"\nplayers = { late = "net:no.safetensors" }\n'
    path = write(tmp_path, EXPERIMENT.replace('reference = "reference.toml"\n', "") + last)
    for more in ((), ("--dry-run",)):
        refused = ludens("experiment", "run", str(path), *more)
        assert refused.status == 2
        assert refused.err.startswith("Agent net:no.safetensors cannot play on seat ")
    assert [one.name for one in tmp_path.iterdir()] == ["test.toml"]


def test_parquet(tmp_path: Path, ludens: Ludens) -> None:  # noqa: F811
    parquet = pytest.importorskip("pyarrow.parquet")
    results, out = str(tmp_path / "a.db"), tmp_path / "a.parquet"
    assert ludens("arena", "azul", "heuristic", "random", "--games", "3", "--results", results).status == 0
    assert ludens("arena", "export", results, str(out)).status == 0
    table = parquet.read_table(out)
    assert table.num_rows == 6
    assert table.column("player").to_pylist()[:2] == ["heuristic", "random"]


def test_the_arena_with_a_file_plays_the_games_that_it_plays_without(tmp_path: Path, ludens: Ludens) -> None:  # noqa: F811
    arguments = ("arena", "azul", "heuristic", "random", "--games", "7", "--players", "3", "--seed", "2", "--json")
    plain = json.loads(ludens(*arguments).out)
    stored = json.loads(ludens(*arguments, "--results", str(tmp_path / "a.db")).out)
    (session,) = stored.pop("sessions")
    told = plain.pop("provenance")
    assert session.pop("games") == 7 and session.keys() == told.keys() and session["commit"] == told["commit"]
    assert stored == plain
