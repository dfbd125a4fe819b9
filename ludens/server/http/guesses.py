"""Tokens of the administrator and of workers: compared in constant time; whoever guesses is logged and slowed."""

from __future__ import annotations

import hmac
import logging

from ludens.server.asking import asking
from ludens.server.http.limits import Buckets
from ludens.server.metrics import Metrics

__all__ = ["FORGOTTEN", "Guesses"]

FORGOTTEN = 0.1  # wrong tokens a second
_log = logging.getLogger("ludens.server")


class Guesses:
    """One token, and the wrong ones that came for it, by address."""

    def __init__(self, expected: str | None, name: str, log_addresses: bool, wrong: Buckets, metrics: Metrics) -> None:
        self._expected = expected.encode() if expected else None
        self._name = name
        self._metrics = metrics
        self._log_addresses = log_addresses
        self._wrong = wrong  # those of an address that are allowed before it has to wait

    def right(self, token: str | None) -> bool:
        """Is this the token? Nothing is that comes from an address that has to wait."""
        if self._expected is None or not token or not self._wrong.allows(asking.get()):
            return False
        return hmac.compare_digest(token.encode("utf-8", "replace"), self._expected)

    def wrong(self) -> None:
        """Notes a token that is nobody's; after too many of them the address is told to wait."""
        if self._expected is None:
            return
        address = asking.get()
        self._wrong.charge(address)
        facts = {"address": address} if self._log_addresses else {}
        self._metrics.count("wrong_tokens", f'of="{self._name}"')
        _log.warning("wrong token", extra={"facts": {"of": self._name, **facts}})
