"""Where a server of one's own is found unless somebody says otherwise."""

from __future__ import annotations

__all__ = ["DEFAULT_PORT", "DEFAULT_SERVER"]

DEFAULT_PORT = 8137
"""Not 5000, which macOS keeps for itself (CD-101)."""

DEFAULT_SERVER = f"http://localhost:{DEFAULT_PORT}"
