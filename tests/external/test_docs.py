"""The examples in the documentation of the adapters run as they stand."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


LAST_RESULT = {
    "pettingzoo": "reward",
    "gymnasium": "action",
    "vector": "rewards",
    "Batch": "rewards",
    "openspiel": "move",
}


def _adapter(code: str) -> str:
    return re.findall(r"ludens\.adapters\.(\w+)|from ludens import (Batch)", code)[0][0] or "Batch"


@pytest.mark.parametrize("code", EXAMPLES, ids=_adapter)
def test_the_example_runs_to_its_last_line(code):
    names: dict = {}
    exec(compile(code, str(PAGE), "exec"), names)
    assert np.isfinite(names[LAST_RESULT[_adapter(code)]]).all()


def test_the_session_with_a_batch_goes_as_it_is_shown():
    (session,) = re.findall(r"```pycon\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    result = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(session, {}, "batch", str(PAGE), 0))
    assert result.attempted == 6
    assert result.failed == 0


def test_every_adapter_has_an_example():
    assert {_adapter(code) for code in EXAMPLES} == set(LAST_RESULT)
