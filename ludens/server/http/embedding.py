"""Headers of pages that are whole in themselves: their scripts are inside, and other sites may show them in a frame."""

from __future__ import annotations

__all__ = ["EMBEDDED"]

EMBEDDED = {
    "content-security-policy": (
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'; sandbox allow-scripts"
    ),
    "x-frame-options": "",
    "cross-origin-resource-policy": "cross-origin",
}
"""A sandbox: what stands in such a page cannot reach the server in the reader's name."""
