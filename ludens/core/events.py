"""What happened, as one seat may know it.

An event is a dictionary with a `kind`. Facts that only some seats may learn stand under
`"secret": {"seats": [0, 2], …}`; everything else in it is public.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["seen_by"]


def seen_by(event: Mapping[str, Any], seat: int | None, everything: bool = False) -> dict[str, Any]:
    """The event as a seat knows it (None: a spectator); `everything` opens all secrets, as after the end."""
    known = {key: value for key, value in event.items() if key != "secret"}
    secret = event.get("secret")
    if secret is not None and (everything or seat in secret["seats"]):
        known.update({key: value for key, value in secret.items() if key != "seats"})
    return known
