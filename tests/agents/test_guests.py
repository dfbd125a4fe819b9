"""Agents from outside: modules, classes, objects, installed packages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludens.agents import guests
from ludens.agents.codes import known_kinds, make_agent, parse_code, short_name
from ludens.core import registry
from ludens.core.agent import Agent, AgentKind, Clock, Seating, Thought, thought_of
from ludens.core.errors import BadInput
from ludens.lab.series import run
from tests.examples import tiny

AZUL = registry.game("azul")

MODULE = '''
from ludens import Agent, AgentKind, Thought


class First(Agent):
    """Takes the first move. It is quick."""

    def __init__(self, depth: int = 3, greed: float | None = None, quiet: bool = False, name="x"):
        self.settings = (depth, greed, quiet, name)

    def choose(self, view, legal, clock):
        return int(legal[0])

    def thought(self):
        return Thought(value=0.25, depth=self.settings[0], note="first")


class Needy(First):
    def __init__(self, path: str):
        super().__init__()


class Stone:
    pass


def make(depth: int = 1):
    return First(depth)


def make_stone():
    return Stone()


KIND = AgentKind("kind", "a kind of its own", First)
NUMBER = 3
'''


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module `guest_bots` in the present folder, and one that fails."""
    (tmp_path / "guest_bots.py").write_text(MODULE)
    (tmp_path / "guest_trouble.py").write_text("raise RuntimeError('no luck\\ntoday')")
    (tmp_path / "guest_needs.py").write_text("import no_such_package_here")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    for name in ("guest_bots", "guest_trouble", "guest_needs"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("bots")
def test_a_code_names_a_class_of_a_module() -> None:
    kind, values = parse_code(AZUL, "guest_bots:First:depth=5,greed=0.5,quiet=on,name=y", outside=True)
    assert kind.help == "Takes the first move. It is quick"
    agent: Any = kind.make(**values)
    assert agent.settings == (5, 0.5, True, "y")
    assert agent.choose(np.zeros(1, AZUL.dtype), np.array([4, 9]), Clock()) == 4
    assert thought_of(agent) == Thought(value=0.25, depth=5, note="first")
    made: Any = make_agent(AZUL, "guest_bots:make:depth=7", outside=True)
    assert made.settings[0] == 7
    assert parse_code(AZUL, "guest_bots:KIND", outside=True)[0].help == "a kind of its own"
    assert short_name("guest_bots:First:depth=5") == "First"
    assert short_name("mcts:simulations=5") == "mcts"


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("no_such_bots:First", "there is no module no_such_bots"),
        ("guest_bots:Fist", "has no Fist"),
        ("guest_bots:Stone", "no methods start and choose and end"),
        ("guest_bots:make_stone", "is no agent"),
        ("guest_bots:NUMBER", "is no agent"),
        ("guest_bots:First:depth=much", "depth cannot be 'much'"),
        ("guest_bots:First:deep=3", "did you mean depth"),
        ("guest_bots:First:quiet=maybe", "quiet cannot be"),
        ("guest_bots:Needy", "needs path"),
        ("guest_trouble:First", "RuntimeError: no luck today"),
        ("guest_needs:First", "guest_needs needs the module no_such_package_here"),
    ],
)
def test_what_cannot_be_an_agent_is_refused_in_one_sentence(code: str, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        make_agent(AZUL, code, outside=True)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value) and str(refused.value).endswith((".", "?", ")"))


@pytest.mark.usefixtures("bots")
def test_nothing_is_imported_unless_the_caller_allows_it() -> None:
    for call in (parse_code, make_agent):
        with pytest.raises(BadInput, match="not possible here"):
            call(AZUL, "guest_bots:First")
        with pytest.raises(BadInput, match="by a code here"):
            call(AZUL, AgentKind("x", "y", object))  # type: ignore[arg-type]
    assert "guest_bots" not in sys.modules


@pytest.mark.usefixtures("bots")
def test_the_arena_takes_codes_classes_and_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._loaded, "pig", tiny.GAME)
    monkeypatch.syspath_prepend(str(Path.cwd()))
    import guest_bots  # type: ignore[import-not-found]

    class Local(guest_bots.First):
        pass

    by_code = run(tiny.GAME, ["guest_bots:First", "random"], games=6, seed=2)
    for guest in (guest_bots.First, Local, guest_bots.First(), guest_bots.KIND, lambda: guest_bots.First()):
        result = run(tiny.GAME, [guest, "random"], games=6, seed=2)
        assert result.outcomes == by_code.outcomes
    named = run(tiny.GAME, [guest_bots.First, Local], games=1).agents
    assert named[0].agent == "guest_bots:First"
    assert named[1].agent.endswith("Local")
    with pytest.raises(BadInput, match="two seats"):
        run(tiny.GAME, [guest_bots.First()], games=1)
    with pytest.raises(BadInput, match="one process"):
        run(tiny.GAME, [Local, "random"], games=4, workers=2)


@pytest.mark.usefixtures("bots")
def test_the_arena_reports_what_agents_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._loaded, "pig", tiny.GAME)
    silent = run(tiny.GAME, ["guest_bots:First:depth=4", "random"], games=4)
    assert "thoughts" not in silent.to_json()["agents"][0]
    told = run(tiny.GAME, ["guest_bots:First:depth=4", "random"], games=4, thoughts=True)
    first, second = (standing["thoughts"] for standing in told.to_json()["agents"])
    assert first["decisions"] > 0
    assert (first["value"], first["depth"], first["simulations"]) == (0.25, 4.0, None)
    assert second == {"decisions": 0, "value": None, "simulations": None, "depth": None}


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, bots: None) -> Iterator[None]:
    """A package that brings agents, one of which cannot be loaded."""
    sys.path.append(str(Path.cwd()))
    points = [
        EntryPoint("first", "guest_bots:First", guests.GROUP),
        EntryPoint("broken", "guest_trouble:First", guests.GROUP),
        EntryPoint("stone", "guest_bots:Stone", guests.GROUP),
        EntryPoint("random", "guest_bots:First", guests.GROUP),
    ]
    monkeypatch.setattr(guests, "entry_points", lambda group: points if group == guests.GROUP else [])
    guests.installed_kinds.cache_clear()
    yield
    guests.installed_kinds.cache_clear()


@pytest.mark.usefixtures("installed")
def test_installed_agents_are_listed_and_a_broken_one_harms_nobody() -> None:
    found = known_kinds(AZUL)
    assert found["first"].help == "Takes the first move. It is quick"
    assert found["broken"].broken and found["stone"].broken
    assert found["random"].help == "picks uniformly among the legal moves"
    agent: Any = make_agent(AZUL, "first:depth=2")
    assert agent.settings[0] == 2
    with pytest.raises(BadInput, match=r"^Agent broken cannot be loaded from guest_trouble:First: .*no luck today\.$"):
        parse_code(AZUL, "broken")
    with pytest.raises(BadInput, match="is no agent"):
        parse_code(AZUL, "stone")


@pytest.mark.parametrize("code", ["mcts:simulations=30", "flat:simulations=30", "montecarlo:simulations=30"])
def test_searches_that_simulate_tell_value_and_line(code: str) -> None:
    _check_thought(code, simulations=True)


@pytest.mark.parametrize("code", ["expectimax:depth=1", "alphabeta:depth=1"])
def test_searches_to_a_depth_tell_value_and_depth(code: str) -> None:
    _check_thought(code, simulations=False)


def _check_thought(code: str, simulations: bool) -> None:
    from ludens.core.match import Match

    match = Match(AZUL, seed=5)
    agent: Agent = make_agent(AZUL, code)
    agent.start(Seating(AZUL, match.options, match.actor, 1))
    assert thought_of(agent) is None
    choice = agent.choose(match.view(match.actor), match.legal(), Clock())
    thought = thought_of(agent)
    assert thought is not None and thought.value is not None and thought.line[0] == choice
    assert (thought.simulations is not None) == simulations
    assert (thought.depth is not None) == (not simulations)
    assert len(match.line_text(thought.line)) == len(thought.line)
    assert thought.to_json()["line"][0] == choice
    agent.choose(match.view(match.actor), match.legal()[:1], Clock())
    assert thought_of(agent) is None


def test_an_agent_that_tells_nonsense_tells_nothing() -> None:
    class Odd:
        thought = 3

    assert thought_of(Odd()) is None  # type: ignore[arg-type]
