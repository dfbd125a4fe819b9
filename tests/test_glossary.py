"""The words: at most fifteen are our own, and what the field has a name for is called by it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
OLD = re.compile(
    r"judg\w*|\w*foresee\w*|foresight|promis(?:e|es|ed|ing)|rehears\w*|contests?|disguis\w*|heat(?:s|ed)?|trust(?:ed|ing)?"
    r"|graft\w*|tongues?|\w*reduction|MapView|learned\.(?:py|json)",
    re.IGNORECASE,
)
PLACES = {"ludens": (".py",), "docs": (".md",), "web/src": (".ts", ".svelte"), "experiments": (".py", ".md", ".toml")}
APART = (
    "ludens/core/renamed.py",  # the old names beside the new ones
    "ludens/server/static",
    "web/src/lib/api/schema.d.ts",  # made from the server's documents
    "docs/glossary.md",
    "docs/rules/cs",
    "docs/rules/sk",
    "docs/rules/de",
)
ORDINARY = re.compile(  # the same words in another sense
    r"Promise\b|await new Promise|trust[-_]proxy|--trust-proxy|_TrustedHosts|promised\.future|promised: Any|\btrusted\b"
)


def sources() -> Iterator[tuple[Path, str]]:
    for folder, endings in PLACES.items():
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in endings and not name.startswith(APART) and "_report" not in path.name:
                yield path, name


def test_old_words_do_not_come_back() -> None:
    found = []
    for path, name in sources():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            rest = ORDINARY.sub("", line)
            found += [
                f"{name}:{number}: {old[0]}"
                for old in re.finditer(rf"(?<![\w-])(?:{OLD.pattern})(?![\w-])", rest, re.I)
            ]
    assert not found, "\n".join(found)


def test_at_most_fifteen_words_are_our_own() -> None:
    own, others = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").split("\n## ")[1:]
    rows = [row for row in own.splitlines() if row.startswith("|")][2:]
    assert 0 < len(rows) <= 15
    assert all(len(row.split("|")) == 5 and all(cell.strip() for cell in row.split("|")[1:4]) for row in rows)
    words = [row.split("|")[1].strip() for row in rows]
    assert {"view", "settle", "film", "manners", "line-up"} <= set(words) and len(words) == len(set(words))
    assert "value network" in others
