"""Tokens of the administrator and of workers: compared in constant time; whoever guesses is logged and slowed."""

from __future__ import annotations

import hmac
import logging
import time
from collections import OrderedDict

from ludens.server.asking import asking
from ludens.server.refusal import Refusal

__all__ = ["Guesses"]

_A_SECOND = 0.1  # wrong tokens that are forgotten
_KEPT = 10_000
_log = logging.getLogger("ludens.server")


class Guesses:
    """One token, and the wrong ones that came for it, by address."""

    def __init__(self, expected: str | None, name: str, log_addresses: bool, most: float) -> None:
        self._expected = expected.encode() if expected else None
        self._name = name
        self._most = most  # wrong tokens of an address, after which it has to wait
        self._log_addresses = log_addresses
        self._wrong: OrderedDict[str, tuple[float, float]] = OrderedDict()  # (how many, when)

    def right(self, token: str | None) -> bool:
        """Is this the token? Nothing is that comes from an address that has to wait."""
        if self._expected is None or not token or self._count(asking.get()) > self._most - 1:
            return False
        return hmac.compare_digest(token.encode("utf-8", "replace"), self._expected)

    def wrong(self) -> None:
        """Notes a token that is nobody's; after too many of them the address is told to wait."""
        if self._expected is None:
            return
        address = asking.get()
        count = self._count(address)
        if count > self._most - 1:
            wait = round((count - self._most + 1) / _A_SECOND + 0.1, 1)
            raise Refusal(
                "too_many", "Too many wrong tokens came from this address; try again later.", retry_after=wait
            )
        facts = {"address": address} if self._log_addresses else {}
        _log.warning("wrong token", extra={"facts": {"of": self._name, **facts}})
        self._wrong[address] = (count + 1, time.monotonic())
        self._wrong.move_to_end(address)
        if len(self._wrong) > _KEPT:
            self._wrong.popitem(last=False)

    def _count(self, address: str) -> float:
        count, when = self._wrong.get(address, (0.0, 0.0))
        return max(0.0, count - (time.monotonic() - when) * _A_SECOND)
