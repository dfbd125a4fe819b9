"""Logs: one line an event, as plain text or as JSON."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

__all__ = ["JsonFormatter", "set_up"]


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, message, and the facts of the event."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        text = json.dumps(line, ensure_ascii=False, default=str)
        return text.encode("utf-8", "backslashreplace").decode()  # half of a surrogate pair cannot be written


class _PlainFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        facts = " ".join(f"{key}={_on_one_line(value)}" for key, value in getattr(record, "facts", {}).items())
        return f"{super().format(record)}{' ' if facts else ''}{facts}"


def _on_one_line(value: object) -> str:
    """A fact may hold what a stranger sent: nothing in it begins another line or moves a cursor."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(value))


# What Uvicorn says of every stranger who sends nonsense; they could fill the disk with it.
_NONSENSE = (
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "Invalid UTF-8 sequence received from client.",
)


def _is_news(record: logging.LogRecord) -> bool:
    return record.msg not in _NONSENSE


def set_up(as_json: bool, level: str = "INFO") -> None:
    """Sends the server's log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else _PlainFormatter("%(asctime)s %(levelname)s %(message)s"))
    handler.addFilter(_is_news)
    for name, least in (("ludens", level.upper()), ("uvicorn", "WARNING"), ("alembic", "WARNING")):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(least)
        logger.propagate = False
