"""The page on features says what the specs say; run as a program it prints the tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludens.core.registry import game
from ludens.core.spec import Game

PAGE = Path(__file__).parent.parent / "docs" / "features.md"
GAMES = ("azul", "discovery", "catan", "scotland_yard", "scotland_yard_grid")


def table(game: Game) -> str:
    """The blocks for the default options, as the page shows them."""
    options = game.options()
    size, version = game.spec.observation_size(options), game.spec.features_version
    lines = [
        f"### {game.spec.title}",
        "",
        f"`{game.spec.name}`, features version {version}, {size:,} numbers with the default options "
        f"({int(options[0])} players).",
        "",
        "| block | shape | meaning |",
        "|---|---|---|",
    ]
    for block in game.spec.blocks(options):
        shape = " × ".join(str(length) for length in block.shape)
        lines.append(f"| `{block.name}` | {shape} | {block.help} |")
    return "\n".join(lines)


@pytest.mark.parametrize("name", GAMES)
def test_the_page_shows_the_blocks_of_every_game(name: str) -> None:
    assert table(game(name)) in PAGE.read_text(encoding="utf-8")


if __name__ == "__main__":
    print("\n\n".join(table(game(name)) for name in GAMES))
