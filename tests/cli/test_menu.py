"""The numbered moves: a grid where it helps, a list elsewhere."""

from __future__ import annotations

from rich.console import Console

from ludens.cli.drawing import Menu


def _drawn(menu: Menu, width: int = 80) -> list[str]:
    console = Console(width=width, color_system=None)
    with console.capture() as drawn:
        console.print(menu)
    return [line.rstrip() for line in drawn.get().splitlines()]


def _moves(*texts: str) -> list[tuple[str, str, str]]:
    return [(*[text.rpartition(" ")[0]] * 2, text.rpartition(" ")[2]) for text in texts]  # type: ignore[misc]


def test_shared_endings_make_a_grid() -> None:
    menu = Menu(_moves("a 1", "a 2", "a floor", "b 2", "b floor"), "to")
    assert menu.is_grid
    assert [line.split() for line in _drawn(menu)] == [
        ["to", "1", "2", "floor"],
        ["a", "1", "2", "3"],
        ["b", "·", "4", "5"],
    ]


def test_single_words_make_a_list() -> None:
    menu = Menu(_moves("roll", "hold"))
    assert not menu.is_grid
    assert _drawn(menu)[0].split() == ["1", "roll", "2", "hold"]


def test_different_endings_make_a_list() -> None:
    menu = Menu(_moves(*(f"go {n}" for n in range(10)), *(f"stay {n}" for n in range(5, 12))))
    assert not menu.is_grid
    words = " ".join(_drawn(menu)).split()
    assert (words.count("go"), words.count("stay")) == (10, 7)
    assert max(map(len, _drawn(menu, 60))) <= 60


def test_very_many_endings_make_a_paragraph_that_says_what_to_type() -> None:
    menu = Menu(_moves(*(f"settlement {n}" for n in range(54)), "pass the turn"))
    assert not menu.is_grid
    lines = _drawn(menu)
    assert len(lines) <= 4
    assert " ".join(lines).split()[:55] == ["settlement", *map(str, range(54))]
    assert "(type: settlement 0)" in " ".join(" ".join(lines).split())
    assert lines[-1].split() == ["55", "pass", "the", "turn"]


def test_long_grids_are_split_where_there_is_room() -> None:
    menu = Menu(_moves(*(f"{row} {end}" for row in "abcdefgh" for end in (1, 2))))
    assert len(_drawn(menu, 80)) == 5
    assert len(_drawn(menu, 14)) == 9
