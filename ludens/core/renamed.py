"""Names that agents, parameters, evaluations and algorithms had once.

Stored data is read with the new ones; a person who writes an old one is told the new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludens.core.errors import BadInput
from ludens.i18n.messages import say

__all__ = [
    "AGENTS",
    "ALGORITHMS",
    "EVALUATIONS",
    "PARAMETERS",
    "TABLES",
    "refuse_old",
    "training_with_new_names",
    "with_new_names",
]

AGENTS = {"judge": "value-network", "rehearsal": "sequential-halving"}
ALGORITHMS = {"judge": "td-value"}
EVALUATIONS = {"learned": "value-network"}
PARAMETERS = {
    "disguise": "opponent_determinisation",
    "heat": "prior_temperature",
    "reduction": "first_play_urgency",
    "trust": "value_weight",
}
TABLES = {"learned": "q-learning"}
_VALUES = {"evaluation": EVALUATIONS, "table": TABLES}


def refuse_old(name: str, renamed: Mapping[str, str]) -> None:
    """Refuses a name that is an old one, with the new one in the sentence."""
    if name in renamed:
        raise BadInput(say("{old} is called {new} now.", old=repr(name), new=repr(renamed[name])))


def with_new_names(stored: Any) -> Any:
    """A stored code of an agent in today's names; whatever is no code stays as it is."""
    if not isinstance(stored, str):
        return stored
    name, colon, rest = stored.partition(":")
    parts = [_renewed(name, part) for part in rest.split(",")]
    return AGENTS.get(name, name) + colon + ",".join(parts)


def _renewed(agent: str, part: str) -> str:
    key, equals, value = part.partition("=")
    if not equals:
        return _VALUES.get(agent, {}).get(part, part)
    return f"{PARAMETERS.get(key, key)}={_VALUES.get(key, {}).get(value, value)}"


def training_with_new_names(identity: Mapping[str, Any]) -> dict[str, Any]:
    """What a stored training is of, with today's names of algorithms, agents and evaluations."""
    told = {**identity, "algorithm": ALGORITHMS.get(identity.get("algorithm", ""), identity.get("algorithm"))}
    told["opponents"] = _each(identity.get("opponents"))
    settings = identity.get("settings")
    if isinstance(settings, dict):
        named = {key: EVALUATIONS.get(value, value) for key, value in settings.items() if isinstance(value, str)}
        told["settings"] = {key: _each(named.get(key, value)) for key, value in settings.items()}
    return told


def _each(stored: Any) -> Any:
    return [with_new_names(one) for one in stored] if isinstance(stored, list) else with_new_names(stored)
