"""Ludens: a laboratory for modern board games with chance and hidden information.

Everything a program needs stands here and is loaded when it is first used:

>>> import ludens
>>> match = ludens.play("azul", ["heuristic", "random"], seed=7)
>>> match.over
True

What is not named here is internal and may change.
"""

from ludens.version import __version__

TYPE_CHECKING = False  # editors and mypy take it for true; importing typing would take longer than all the rest
if TYPE_CHECKING:
    from ludens.api import (
        agent,
        agents,
        analyse,
        arena,
        game,
        games,
        import_match,
        load,
        play,
        review,
        save,
    )
    from ludens.core.agent import Agent, AgentKind, Clock, Parameter, Seating, Thought
    from ludens.core.batch import Batch
    from ludens.core.errors import BadInput, IllegalMove
    from ludens.core.match import Match
    from ludens.core.spec import Game
    from ludens.lab.series import Result
    from ludens.search.candidates import Analysis

_HOMES = {
    "Agent": "ludens.core.agent",
    "AgentKind": "ludens.core.agent",
    "Analysis": "ludens.search.candidates",
    "BadInput": "ludens.core.errors",
    "Batch": "ludens.core.batch",
    "Clock": "ludens.core.agent",
    "Game": "ludens.core.spec",
    "IllegalMove": "ludens.core.errors",
    "Match": "ludens.core.match",
    "Parameter": "ludens.core.agent",
    "Result": "ludens.lab.series",
    "Seating": "ludens.core.agent",
    "Thought": "ludens.core.agent",
    "agent": "ludens.api",
    "analyse": "ludens.api",
    "arena": "ludens.api",
    "game": "ludens.api",
    "import_match": "ludens.api",
    "load": "ludens.api",
    "review": "ludens.api",
    "save": "ludens.api",
}
"""Where each public name is found."""

_PACKAGES = ("agents", "games", "play")
"""Packages that are also public functions (see `core.callable_package`)."""

__all__ = [
    "Agent",
    "AgentKind",
    "Analysis",
    "BadInput",
    "Batch",
    "Clock",
    "Game",
    "IllegalMove",
    "Match",
    "Parameter",
    "Result",
    "Seating",
    "Thought",
    "__version__",
    "agent",
    "agents",
    "analyse",
    "arena",
    "game",
    "games",
    "import_match",
    "load",
    "play",
    "review",
    "save",
]


if not TYPE_CHECKING:  # so that a name which does not exist is an error there

    def __getattr__(name: str) -> object:
        """Loads a public name when it is first used."""
        from importlib import import_module

        if name in _PACKAGES:
            return import_module(f"{__name__}.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(_HOMES[name]), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted(__all__)
