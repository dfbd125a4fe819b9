"""The public interface: it is light, complete, and its documentation runs."""

from __future__ import annotations

import doctest
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ludens

ROOT = Path(__file__).parent.parent
PAGES = {
    page: re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    for page in ("docs/api.md", "docs/importing.md")
}
EXAMPLES = [(page, number) for page, blocks in PAGES.items() for number in range(len(blocks))]


def test_the_import_loads_nothing_but_itself() -> None:
    program = "import sys; before = set(sys.modules); import ludens; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["ludens", "ludens.version"]


def test_every_name_is_there_and_listed() -> None:
    for name in ludens.__all__:
        assert getattr(ludens, name) is not None, name
    assert dir(ludens) == sorted(ludens.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(ludens, "nonsense")  # noqa: B009
    assert {*ludens._HOMES, *ludens._PACKAGES, "__version__"} == set(ludens.__all__)


def test_type_checkers_see_the_same_names() -> None:
    source = (ROOT / "ludens" / "__init__.py").read_text(encoding="utf-8")
    block = source.split("if TYPE_CHECKING:")[1].split("\n_HOMES")[0]
    seen = set(re.findall(r"\b\w+\b(?=,\n|\n| *,)", re.sub(r"from [\w.]+ import", "", block))) - {""}
    assert {name for name in ludens.__all__ if name != "__version__"} <= seen
    assert (ROOT / "ludens" / "py.typed").exists()


def test_packages_of_the_same_name_stay_packages() -> None:
    importlib.import_module("ludens.play.game")
    importlib.import_module("ludens.games.azul")
    assert next(game.spec.name for game in ludens.games()) == "azul"
    assert "random" in ludens.agents("azul")
    assert ludens.play("azul", ["random", "random"]).over


@pytest.mark.parametrize(
    "module", ["ludens", "ludens.api", *(f"ludens.core.{name}" for name in ("agent", "batch", "imports", "match"))]
)
def test_the_examples_in_descriptions_run(module: str) -> None:
    found = doctest.testmod(importlib.import_module(module))
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize(("page", "number"), EXAMPLES)
def test_the_examples_of_the_pages_run(page: str, number: int) -> None:
    exec(compile(PAGES[page][number], f"{page}, example {number}", "exec"), {"__name__": "example"})


def test_the_page_names_everything() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    table, _, rest = text.partition("## Matches")
    for name in set(ludens.__all__) - {"__version__"}:
        assert re.search(rf"`{name}\b", table), f"{name} is not in the table"
        assert re.search(rf"ludens\.{name}\b", rest), f"{name} has no example"


def test_a_student_s_mistakes_get_a_sentence() -> None:
    match = ludens.Match("azul", seed=7)
    for mistake in (
        lambda: ludens.Match("azul", {"players": 3}, players=2),
        lambda: ludens.game("azzul"),
        lambda: ludens.play("azul", ["random"] * 5),
        lambda: ludens.play(match, ["random"] * 2, seed=3),
        lambda: ludens.play(match, ["random"]),
        lambda: ludens.agent("azul", "random", seat=1),
        lambda: ludens.agent(match, "random", seat=2),
        lambda: ludens.analyse(match.view(0)),
        lambda: ludens.analyse(match.view(0), seat=0, ply=3),
        lambda: ludens.analyse(match.view(0), seat=0, game="catan"),
        lambda: ludens.analyse(ludens.Match.recorded("azul", {}, ()), simulations=5),
    ):
        with pytest.raises(ludens.BadInput, match=r"^[^\n]*[.?)]$"):
            mistake()


def test_a_match_is_played_on() -> None:
    match = ludens.Match("azul", seed=7)
    match.play(int(match.legal()[0]))
    before = list(match.log)
    assert ludens.play(match, ["random", "heuristic"]) is match
    assert match.over and match.log[: len(before)] == before
    assert json.loads(json.dumps(match.to_json()))["result"]["scores"] == match.scores()
