"""What is said when a library that an adapter needs is not installed."""

from __future__ import annotations

__all__ = ["missing"]


def missing(library: str) -> ImportError:
    """The error for a library that is not installed, with the line that installs it."""
    return ImportError(f"This adapter needs {library}; install it with: pip install 'ludens[adapters]'.")
