"""Every rule number that is cited anywhere has its sentence in docs/rules, once, where the page can link to it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ludens.server.http.routes.rules import FOR_PROGRAMMERS

ROOT = Path(__file__).parent.parent
PAGES = {"AZ": "azul", "CD": "discovery", "CA": "catan", "SY": "scotland_yard"}
READ = ("ludens", "web/src", "tests", "docs", "experiments", "benchmarks")  # and the README
KINDS = {".py", ".ts", ".svelte", ".css", ".md", ".json", ".toml", ".yml", ".yaml", ".txt"}
NUMBER = re.compile(r"\b(AZ|CD|CA|SY)-(\d+)\b")
# "AZ-41 … AZ-50", "AZ-41 … 50", "CA-3–7", "SY-1 to SY-4"
RANGE = re.compile(r"\b(AZ|CD|CA|SY)-(\d+)\s*(?:…|\.\.\.|–|to)\s*(?:\1-)?(\d+)\b")
ENTRY = re.compile(r'^\s*(?:[-*]\s+|\d+\.\s+|\|\s*)?<a id="([a-z]{2}-\d+)"></a>\*\*([A-Z]{2}-\d+)\*\*(.*)$')
TEST_NAME = re.compile(r"\bdef (test_\w+)")  # test_ca_50_ca_51_features…


def sources() -> list[Path]:
    """The files that may cite a rule: those that git does not ignore, or in an unpacked archive all that are there."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    names = listed.stdout.splitlines() if listed.returncode == 0 else [str(path) for path in ROOT.rglob("*")]
    paths = [ROOT / name for name in names]
    beside = [ROOT / "README.md"]
    inside = [path for path in paths if any(ROOT / folder in path.parents for folder in READ)]
    return [path for path in inside + beside if path.suffix in KINDS and path.is_file()]


def cited(text: str) -> set[str]:
    """The numbers that a text cites, ranges in full."""
    found = {f"{game}-{int(number)}" for game, number in NUMBER.findall(text)}
    for game, first, last in RANGE.findall(text):
        if 0 < int(last) - int(first) < 100:
            found |= {f"{game}-{number}" for number in range(int(first), int(last) + 1)}
    for name in TEST_NAME.findall(text):
        found |= {f"{game.upper()}-{number}" for game, number in re.findall(r"(?<=_)(az|cd|ca|sy)_(\d+)(?=_)", name)}
    return found


def paragraphs(page: Path) -> dict[str, list[str]]:
    """Number -> its paragraphs, as a rules page gives them."""
    found: dict[str, list[str]] = {}
    lines = page.read_text(encoding="utf-8").splitlines()
    for place, line in enumerate(lines):
        entry = ENTRY.match(line)
        if entry is None:
            continue
        assert entry[1] == entry[2].lower(), f"{page.name}: {entry[1]} is the anchor of {entry[2]}."
        text = [entry[3]]
        for more in lines[place + 1 :]:
            if not more.strip() or ENTRY.match(more) or more.startswith("#"):
                break
            text.append(more)
        found.setdefault(entry[2], []).append(" ".join(text).strip())
    return found


@pytest.fixture(scope="module")
def everywhere() -> dict[str, list[str]]:
    """Number -> the files that cite it."""
    found: dict[str, list[str]] = {}
    for path in sources():
        if path == Path(__file__):
            continue
        for number in cited(path.read_text(encoding="utf-8", errors="replace")):
            found.setdefault(number, []).append(str(path.relative_to(ROOT)))
    return found


@pytest.mark.parametrize("game", PAGES)
def test_every_cited_number_has_its_sentence_once(game: str, everywhere: dict[str, list[str]]) -> None:
    written = paragraphs(ROOT / "docs" / "rules" / f"{PAGES[game]}.md")
    numbers = sorted((one for one in everywhere if one.startswith(game)), key=lambda one: int(one[3:]))
    assert numbers, "No rule of this game is cited: the search is broken."
    missing = [f"{number} ({everywhere[number][0]})" for number in numbers if number not in written]
    assert missing == [], f"docs/rules/{PAGES[game]}.md lacks {len(missing)} cited numbers."
    assert [number for number, texts in written.items() if len(texts) > 1] == []
    assert [number for number, (text, *_) in written.items() if not re.search(r"\w.{15,}[.!?:;)|]", text)] == []
    assert [number for number in written if not number.startswith(game)] == []


@pytest.mark.parametrize("game", PAGES)
def test_pictures_of_the_rules_are_there_and_used(game: str) -> None:
    page = (ROOT / "docs" / "rules" / f"{PAGES[game]}.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\]\(images/([^)]+)\)", page))
    there = {path.name for path in (ROOT / "docs" / "rules" / "images").glob(f"{PAGES[game]}-*.png")}
    assert there, "A rules page without a picture."
    assert there - shown == set()
    assert shown - there == set()


def test_ranges_and_names_of_tests_count() -> None:
    assert cited("see AZ-41 … AZ-43 and CA-3–5, SY-7") == {"AZ-41", "AZ-42", "AZ-43", "CA-3", "CA-4", "CA-5", "SY-7"}
    assert cited("def test_ca_50_ca_51_features() -> None:") == {"CA-50", "CA-51"}


@pytest.mark.parametrize("page", sorted(PAGES.values()))
@pytest.mark.parametrize("language", ["cs", "sk", "de"])
def test_other_languages_have_the_same_numbers_tables_and_pictures(language: str, page: str) -> None:
    english, programs, _ = (ROOT / f"docs/rules/{page}.md").read_text(encoding="utf-8").partition(FOR_PROGRAMMERS)
    told = (ROOT / f"docs/rules/{language}/{page}.md").read_text(encoding="utf-8")
    assert programs
    for kind in (r'<a id="([a-z]{2}-\d+)"></a>\*\*', r"\(#([a-z]{2}-\d+)\)", r"\]\((?:\.\./)?images/(\S+)\)"):
        wanted = [found for found in re.findall(kind, english) if not found.endswith(("-light.png", "-dark.png"))]
        assert re.findall(kind, told) == wanted
    for mark in ("## ", "### ", "|", "- ", "```"):
        lines = [sum(line.startswith(mark) for line in text.splitlines()) for text in (english, told)]
        assert lines[1] - lines[0] == (mark == "## "), mark  # and the heading of what is for programmers
