"""The guide to Azul's library is true: its examples run, and it names what the library offers."""

from __future__ import annotations

import doctest
import re
from inspect import isclass, isfunction
from pathlib import Path
from types import ModuleType

import pytest

from ludens.games.azul import library
from ludens.games.azul.library import game as game_module

GUIDE = Path(__file__).parents[3] / "docs" / "azul_library.md"


def test_the_examples_of_the_guide_run() -> None:
    examples = "\n".join(re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, GUIDE.name, str(GUIDE), 0)
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(test, out=report.append)
    assert result.failed == 0, "".join(report)
    assert result.attempted > 50


@pytest.mark.parametrize("module", [library, game_module])
def test_the_worked_examples_of_the_modules_run(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted >= 5
    assert result.failed == 0


def test_everything_the_library_offers_exists_and_is_documented() -> None:
    for name in library.__all__:
        offered = getattr(library, name)
        assert not (isclass(offered) or isfunction(offered)) or offered.__doc__, f"{name} has no docstring"
