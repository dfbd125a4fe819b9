"""Agent codes, and the agent that every game has."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from ludens.agents.codes import kinds, make_agent, parse_code
from ludens.core import registry
from ludens.core.agent import Clock, Seating
from ludens.core.errors import BadInput

AZUL = registry.game("azul")


def test_every_game_has_the_random_agent() -> None:
    for game in registry.games():
        assert "random" in kinds(game)


def test_codes_with_and_without_parameters() -> None:
    assert parse_code(AZUL, "heuristic")[1] == {}
    assert parse_code(AZUL, "heuristic:ties=random")[1] == {"ties": "random"}


@pytest.mark.parametrize("code", ["", "heuristic:", "heuristic:ties", "heuristic:ties=", "heuristic:x=1", "Random"])
def test_bad_codes_are_refused_with_one_sentence(code: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_code(AZUL, code)
    assert "\n" not in str(refused.value)
    assert str(refused.value).endswith((".", "?"))


def test_random_agent_is_uniform_and_reproducible() -> None:
    legal = np.array([3, 8, 200])
    chosen = []
    for _ in range(2):
        agent = make_agent(AZUL, "random")
        agent.start(Seating(AZUL, AZUL.options(), 0, 11))
        chosen.append([agent.choose(np.zeros(1, AZUL.dtype), legal, Clock()) for _ in range(3000)])
    assert chosen[0] == chosen[1]
    counts = Counter(chosen[0])
    assert set(counts) == {3, 8, 200}
    assert all(abs(count - 1000) < 120 for count in counts.values())
