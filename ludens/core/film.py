"""A match as a film: what the boards of the page show of it, step by step, as data and as a page of its own.

The boards are the ones of the page, built into one file (`server/static/embed/boards.js`); nothing here draws.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ludens.core import kernels
from ludens.core.errors import BadInput
from ludens.core.fields import Fields
from ludens.core.spec import Game

__all__ = ["FORMAT", "Played", "boards_script", "film", "film_element", "film_page", "in_a_frame", "seen_by"]

FORMAT = "ludens-film/1"
_BOARDS = Path(__file__).parents[1] / "server" / "static" / "embed" / "boards.js"


class Played(Protocol):
    """What a film is made of: a match, which shows itself and therefore cannot be named here."""

    game: Game
    options: np.ndarray
    names: tuple[str, ...]
    players: int

    @property
    def over(self) -> bool: ...

    def at(self, ply: int) -> Any: ...

    def steps(self) -> Iterator[Any]: ...

    def scores(self) -> list[float]: ...

    def returns(self) -> list[float]: ...


def film(match: Played) -> dict[str, Any]:
    """The whole game, nothing hidden: the first position, then of every step what happened and what changed by it."""
    game, text = match.game, match.game.text
    state = match.at(0).state()
    start = before = text.position_to_json(Fields(state))
    steps = []
    for step in match.steps():
        kernels.apply_at(state, 0, step.action)
        position = text.position_to_json(Fields(state))
        events = [seen_by(event, None, True) for event in step.events]
        steps.append(
            {
                "actor": step.actor if step.actor >= 0 else None,
                "events": [{**event, "sentence": _sentence(match, event)} for event in events],
                "changes": {key: value for key, value in position.items() if value != before.get(key)},
            }
        )
        before = position
    return {
        "format": FORMAT,
        "game": game.spec.name,
        "title": game.spec.title,
        "options": game.show_options(match.options),
        "names": list(match.names),
        "sides": list(game.spec.sides(match.players)),
        "fixed": text.static_to_json(game.dtype),
        "start": start,
        "steps": steps,
        "scores": match.scores() if match.over else None,
        "returns": match.returns() if match.over else None,
    }


def _sentence(match: Played, event: dict[str, Any]) -> str:
    try:
        return str(match.game.text.narrate(event, match.names))
    except KeyError:
        return ""


def film_element(match: Played) -> str:
    """The film as an element of a page, which `boards_script` turns into a board with a slider."""
    return f'<ludens-game><script type="text/plain">{_packed(_json(film(match)))}</script></ludens-game>'


def boards_script() -> str:
    """The boards as an element of a page, to stand in it once; a package whose page is not built is refused."""
    return f"<script>{_unpacked_boards(_BOARDS.stat().st_mtime_ns if _BOARDS.is_file() else 0)}</script>"


def film_page(match: Played) -> str:
    """One page with the game, a slider through its moves, and nothing that is loaded from elsewhere."""
    title = html.escape(f"{match.game.spec.title}: {', '.join(match.names)}")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        "<style>:root { color-scheme: light dark; background: light-dark(#e9dfcc, #1b1815); } "
        "html, body { height: 100%; margin: 0; } ludens-game { height: 100%; max-height: none; }</style>\n"
        f"</head>\n<body>\n{film_element(match)}\n{boards_script()}\n</body>\n</html>\n"
    )


def in_a_frame(page: str, height: int = 600) -> str:
    """A page within another, such as a notebook, whose styles and scripts do not meet."""
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts" title="A game, move by move" '
        f'style="width: 100%; height: {height}px; border: 0; border-radius: 12px"></iframe>'
    )


def _json(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=_plain).encode()


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value.tolist()


def _packed(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


@lru_cache(maxsize=1)
def _unpacked_boards(changed: int) -> str:
    """A script that unpacks the boards and runs them; packed they are a third as long."""
    if not changed:
        raise BadInput("The page's boards are not built; run `python web/build.py`.")
    packed = _packed(_BOARDS.read_bytes())
    return (
        f'(async () => {{ const packed = Uint8Array.from(atob("{packed}"), (letter) => letter.charCodeAt(0)); '
        'const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")); '
        'const script = document.createElement("script"); script.textContent = await new Response(stream).text(); '
        "document.head.append(script); })();"
    )


def seen_by(event: Mapping[str, Any], seat: int | None, everything: bool = False) -> dict[str, Any]:
    """The event as a seat knows it (None: a spectator); `everything` opens all secrets, as after the end.

    An event is a dictionary with a `kind`. Facts that only some seats may learn stand under
    `"secret": {"seats": [0, 2], …}`; everything else in it is public.
    """
    known = {key: value for key, value in event.items() if key != "secret"}
    secret = event.get("secret")
    if secret is not None and (everything or seat in secret["seats"]):
        known.update({key: value for key, value in secret.items() if key != "seats"})
    return known
