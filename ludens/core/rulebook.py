"""The rules as players read them: the pages of `docs/rules`, which a wheel carries along."""

from __future__ import annotations

from pathlib import Path

from ludens.core.errors import BadInput
from ludens.core.spec import Game

__all__ = ["folder", "rules_about"]

_PACKAGE = Path(__file__).resolve().parents[1]


def folder() -> Path:
    """Where the pages lie: in the package, or in the documentation of a checkout."""
    packaged = _PACKAGE / "rules"
    return packaged if packaged.is_dir() else _PACKAGE.parent / "docs" / "rules"


def rules_about(game: Game, words: str = "") -> str:
    """The page of a game's rules, or its paragraphs that hold all these words, each under its heading."""
    page = folder() / f"{game.spec.rulebook}.md"
    if not game.spec.rulebook or not page.is_file():
        raise BadInput(f"There are no written rules of {game.spec.title}.")
    text = page.read_text(encoding="utf-8")
    wanted = words.casefold().split()
    if not wanted:
        return text
    heading, found = "", []
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("#"):
            heading = paragraph
        elif all(word in f"{heading}\n{paragraph}".casefold() for word in wanted):
            found += [heading, paragraph] if heading not in found else [paragraph]
    if not found:
        raise BadInput(f"The rules of {game.spec.title} have no paragraph with {words!r}.")
    return "\n\n".join(found)
