"""Functions that are compiled where that works, and called as they are where it does not."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from ludens.learn.recorded import Compiled  # noqa: E402


def test_without_the_wish_nothing_is_compiled() -> None:
    double = Compiled(lambda x: 2 * x, wanted=False)
    assert double(3) == 6
    assert not double.compiled


def test_where_compiling_fails_the_function_is_called_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(function: object, **_: object) -> object:
        def refuse(*_: object) -> None:
            raise RuntimeError("no compiler here")

        return refuse

    monkeypatch.setattr(torch, "compile", broken)
    double = Compiled(lambda x: 2 * x, wanted=True)
    with pytest.warns(UserWarning, match="no compiler here"):
        assert double(torch.ones(2)).tolist() == [2.0, 2.0]
    assert not double.compiled
    assert double(torch.ones(1)).tolist() == [2.0]
