"""Catan: its own agents."""

from __future__ import annotations

KINDS: dict = {}
