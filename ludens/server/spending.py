"""What a request costs outside the loop: processor seconds of threads, told to whoever keeps the account."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeVar

__all__ = ["account", "metered"]

Result = TypeVar("Result")

account: ContextVar[list[float] | None] = ContextVar("account", default=None)
"""Where the request that is being answered has its processor seconds noted; None where nobody wants to know."""


def metered(work: Callable[..., Result]) -> Callable[..., Result]:
    """The work, to be done by a thread on behalf of the present request, which is charged for its time."""
    spent = account.get()
    if spent is None:
        return work

    def measured(*given: Any) -> Result:
        began = time.thread_time()
        try:
            return work(*given)
        finally:
            spent.append(time.thread_time() - began)

    return measured
