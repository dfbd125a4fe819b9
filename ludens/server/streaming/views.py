"""What leaves the server: the view of one audience, and nothing besides.

An audience is a seat, or None for spectators. Everything a client receives of a game is
made here, from the record that `Match.view` gives for that audience. After the end all is open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

import numpy as np

from ludens.core import kernels, record, registry
from ludens.core.fields import Fields
from ludens.core.film import seen_by
from ludens.core.match import Match, Step
from ludens.core.verbs import SPECTATOR
from ludens.i18n.messages import recognised, say, sentence
from ludens.server.storage.rows import StoredTable
from ludens.server.streaming.actions import told_actions
from ludens.server.tables.results import REASONS
from ludens.server.tables.table import Happened, Note, Shown, Table
from ludens.server.tables.undoing import may_undo

__all__ = [
    "audience_of_steps",
    "changes",
    "earlier_view_payload",
    "history",
    "most_steps",
    "narrated",
    "published_steps",
    "step_payload",
    "stored_table_payload",
    "table_payload",
    "view_payload",
]


_MOST_STEPS = 1000
_MOST_POSITIONS = 100


def table_payload(table: Table) -> dict[str, Any]:
    """What everybody may know of a table: seats, status, result; never a token or the seed of a running game."""
    spec = table.game.spec
    game = {"game": spec.name, "title": say(spec.title), "version": table.made_with or spec.version}
    present = table.present
    live = {
        "ply": table.ply,
        "actor": table.actor,
        "undos": table.undos,
        "undo_allowed": table.why_no_undo() is None,
        "watchers": present.watchers,
        "clock": table.times.clock.to_json() if table.times else None,
        "times": table.remaining(),
        "notice": table.notice,
        "preparing": None if table.preparing is None or table.preparing.ready else table.preparing.to_json(),
        "stand_ins": [{"ply": ply, "seat": note.seat} for ply, note in table.notes.items() if note.stands_in],
    }
    return _payload(table, game, table.shown_options, present.seats, live)


def stored_table_payload(stored: StoredTable, notice: str | None = None) -> dict[str, Any]:
    """The same of a table that is not in memory, perhaps of a game that is not known here any more."""
    name, _, version = stored.identity.partition("@")
    title = registry.game(name).spec.title if name in registry.names() else name
    game = {"game": name, "title": say(title), "version": int(version)}
    return _payload(stored, game, stored.options, frozenset(), {**_NOT_LIVE, "notice": notice})


_NOT_LIVE: dict[str, Any] = {
    **dict.fromkeys(("ply", "actor", "undos", "notice", "preparing", "clock")),
    "times": [],
    "undo_allowed": False,
    "watchers": 0,
    "stand_ins": [],
}


def _payload(
    table: Table | StoredTable,
    game: Mapping[str, Any],
    options: Mapping[str, Any],
    online: Set[int],
    live: Mapping[str, Any],
) -> dict[str, Any]:
    return {
        "id": table.id,
        **game,
        "options": options,
        "status": table.status,
        "private": table.private,
        "hints": table.hints,
        "imported": table.imported,
        "created": table.created,
        "updated": table.updated,
        "seats": [
            {
                "seat": seat.index,
                "kind": seat.kind,
                "name": seat.name,
                "agent": seat.agent,
                "taken": seat.taken,
                "resigned": seat.resigned,
                "online": seat.kind == "agent" or seat.index in online,
            }
            for seat in table.seats
        ],
        "result": _shown_result(table.result),
        "rematch": table.rematch,
        **live,
    }


def _shown_result(result: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The result as it is stored, with a reason that can be said in other languages."""
    return None if result is None else {**result, "reason": sentence(recognised(result["reason"], *REASONS))}


def view_payload(table: Table, audience: int | None, full: bool = False) -> dict[str, Any]:
    """The game as the audience sees it; `full` adds the record for programs."""
    match = table.match
    payload = _outline(table, audience, table.ply)
    if match is None:
        return payload
    shown, actor = table.showing(), table.actor
    view, payload["position"] = _described(table, match, shown, audience)
    payload["actor"] = actor
    if audience is not None and audience == actor:
        shown.legal = shown.legal or told_actions(table, match.legal().tolist(), Fields(view))
        payload["legal"] = shown.legal
    if audience is not None and table.seats[audience].kind != "agent":
        if shown.undo is None:
            shown.undo = may_undo(table, audience)
        payload["undo"] = shown.undo
    if table.ended or not table.game.spec.hidden:  # points may be hidden cards
        shown.scores = shown.scores or match.scores()
        payload["scores"] = shown.scores
    if table.result:
        payload["returns"] = table.result["returns"]
    if full:
        payload["record"] = record.to_json(view)
    return payload


def earlier_view_payload(
    table: Table, log: Sequence[int], ply: int, audience: int | None, full: bool = False
) -> dict[str, Any]:
    """The same of an earlier ply of the log; may run in a thread."""
    payload = _outline(table, audience, ply)
    state = table.earlier().state_at(log, ply)
    view = _seen_state(table, state, audience)
    payload["position"] = table.game.text.position_to_json(Fields(view))
    actor = int(kernels.actor_at(state, 0))
    payload["actor"] = None if actor < 0 else actor
    if table.ended or not table.game.spec.hidden:
        scores = np.zeros(len(table.seats))
        kernels.scores_at(state, 0, scores)
        payload["scores"] = scores.tolist()
    if full:
        payload["record"] = record.to_json(view)
    return payload


def _outline(table: Table, audience: int | None, ply: int) -> dict[str, Any]:
    """What every view has, whether the game has begun or not."""
    return {
        "table": table.id,
        "game": table.game.spec.name,
        "options": table.shown_options,
        "status": table.status,
        "version": table.version,
        "ply": ply,
        "undos": table.undos,
        "seat": audience,
        "names": table.names,
        "actor": None,
        "legal": [],
        "position": None,
        "scores": None,
        "returns": None,
        "over": table.ended,
        "times": table.remaining(),
        "undo": False,
    }


def _described(table: Table, match: Match, shown: Shown, audience: int | None) -> tuple[np.ndarray, dict[str, Any]]:
    """The record that the audience sees now, and its description; what all see is described once."""
    audience = audience if table.game.spec.hidden and not table.ended else None
    found = shown.described.get((table.ended, audience))
    if found is None:
        view = _seen_state(table, match.state(), audience)
        alike = next((known for known in shown.described.values() if known[0].tobytes() == view.tobytes()), None)
        found = alike or (view, table.game.text.position_to_json(Fields(view)))
        shown.described[table.ended, audience] = found
    return found


# --- steps --------------------------------------------------------------------------------


def step_payload(table: Table, step: Step, audience: int | None) -> dict[str, Any]:
    """One step for an audience; ids of a running game with hidden information stay inside."""
    payload: dict[str, Any] = {"ply": step.ply, "actor": None if step.actor < 0 else step.actor, "events": []}
    if table.ended or not table.game.spec.hidden:
        payload["action"] = step.action
    note = table.notes.get(step.ply)
    if note is not None and note.stands_in:
        payload["stands_in"] = True
    if note is not None and note.thought is not None and note.thought.get("cut"):
        payload["cut"] = True
    if note is not None and note.thought is not None and _may_read(table, note, audience):
        payload["thought"] = note.thought
    for event in step.events:
        shown = seen_by(event, audience, table.ended)
        payload["events"].append({**shown, "sentence": narrated(table, shown)})
    return payload


def _may_read(table: Table, note: Note, audience: int | None) -> bool:
    """May the audience read an agent's thoughts? They are made of what its seat knows, and tell good moves."""
    return table.hints and (table.ended or not table.game.spec.hidden or audience == note.seat)


def narrated(table: Table, event: Mapping[str, Any]) -> str:
    """The event as a sentence; none where the words need what the audience does not know."""
    try:
        return sentence(table.game.text.narrate(event, table.names))
    except KeyError:
        return ""


def audience_of_steps(table: Table, audience: int | None) -> int | None:
    """Whoever is told the same steps: in an open game all are."""
    return audience if table.game.spec.hidden else None


def published_steps(
    table: Table, happened: Happened, audience: int | None, positions: bool = False
) -> list[dict[str, Any]]:
    """The steps of a change; with `positions`, each with the position after it as the audience saw it."""
    payloads = []
    for step, state in zip(happened.steps, happened.states, strict=True):
        payload = step_payload(table, step, audience)
        if positions:
            view = _seen_state(table, state, audience)
            described = table.shown.described.values() if table.shown else ()
            known = next((position for seen, position in described if seen.tobytes() == view.tobytes()), None)
            payload["position"] = known or table.game.text.position_to_json(Fields(view))
        payloads.append(payload)
    return payloads


def _seen_state(table: Table, state: np.ndarray, audience: int | None) -> np.ndarray:
    """The record the audience may see, as an array of one: the whole truth once the table has ended."""
    if table.ended:
        return state
    out = record.blank(table.game.dtype)
    kernels.view_at(state, 0, SPECTATOR if audience is None else audience, out)
    return out


def most_steps(positions: bool) -> int:
    """How many steps are told at once; whoever wants more asks again."""
    return _MOST_POSITIONS if positions else _MOST_STEPS


def history(
    table: Table, log: Sequence[int], audience: int | None, start: int, end: int, positions: bool = False
) -> list[dict[str, Any]]:
    """The steps of the log from ply `start` to before `end`, rebuilt; may run in a thread."""
    payloads = []
    for step, state in table.earlier().steps(log, start, end):
        payloads += published_steps(table, Happened((step,), (state,)), audience, positions)
    return payloads


# --- deltas -------------------------------------------------------------------------------


def changes(
    old: Mapping[str, Any], new: Mapping[str, Any], cache: dict[Any, Any] | None = None
) -> dict[str, Any] | None:
    """The fields of a view that changed, of `position` and `record` the changed keys only.

    None if the shape changed, so that the whole view must be sent. A client applies it by
    assigning the fields, and by assigning the keys within `position` and `record`.
    """
    cache = {} if cache is None else cache
    if old.keys() != new.keys():
        return None
    changed: dict[str, Any] = {}
    for key, value in new.items():
        before = old[key]
        if value is before:
            continue
        if key in ("position", "record"):
            both = (id(before), id(value))
            if both not in cache:  # they are kept, so that nothing else gets their ids
                cache[both] = (before, value, _changed_keys(before, value))
            value = cache[both][2]
            if value is None:
                return None
            if value:
                changed[key] = value
        elif value != before:
            changed[key] = value
    return changed


def _changed_keys(old: dict[str, Any] | None, new: dict[str, Any] | None) -> dict[str, Any] | None:
    """The new values of keys that changed; None if the keys are others."""
    if old is None or new is None or old.keys() != new.keys():
        return None
    return {key: content for key, content in new.items() if content != old[key]}
