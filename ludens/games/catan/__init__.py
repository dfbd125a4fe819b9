"""Catan: settle the island, trade and build. 2–4 players, hidden cards, chance in dice, thefts and draws."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from ludens.core.errors import BadInput
from ludens.core.spec import Game, GameSpec, Option
from ludens.core.verbs import Rules
from ludens.games.catan import action_ids as ids
from ludens.games.catan import evaluate, features, prior, restriction, rules, symmetries, value_network, view
from ludens.games.catan.players import one_ply
from ludens.games.catan.rules.invariants import check_position
from ludens.games.catan.state import DTYPE, MAX_PLAYERS, OFFER_CHOICES, OUTCOMES
from ludens.games.catan.text import WORDS

__all__ = ["GAME"]

_OFFERS = ("preset", *(str(n) for n in OFFER_CHOICES[1:-1]), "unlimited")


def _check(options: np.ndarray) -> None:
    board, tokens = int(options[2]), int(options[3])
    if tokens and not board:
        raise BadInput("Option tokens=random needs board=variable; the beginner board is fixed.")


def _longest(options: np.ndarray) -> int | None:
    """A bound on the log's length: set-up and placement, what consumes cards, and a rest for every turn.

    A roll yields at most 12 cards, and building, exchanging and discarding consume them. An offer and
    its answers add at most all cards in play, 2 for 1 at most three.
    """
    players, thesis, limit = int(options[0]), int(options[1]), int(options[10])
    if not limit:
        return None
    drawn = 12 * limit + 8 * players
    unlimited, small = (thesis if choice == 0 else choice - 1 for choice in (int(options[4]), int(options[6])))
    bundle = 3 if small else drawn if unlimited else 95
    offers = max(3, int(OFFER_CHOICES[options[8]]))
    return 60 + 4 * players + 2 * drawn + limit * (20 + offers * players * (bundle + 3))


GAME = Game(
    spec=GameSpec(
        name="catan",
        title="Catan",
        rulebook="catan",
        version=1,
        summary="Settle an island: gather resources by dice, trade, and build roads, settlements and cities.",
        players=(2, 3, MAX_PLAYERS),
        default_players=4,
        chance=True,
        hidden=True,
        actions=ids.ACTIONS,
        outcomes=OUTCOMES,
        blocks=features.blocks,
        features_version=4,  # 3 left production, sites and missing cards to be worked out, 2 took no limit for the end
        longest=_longest,
        options=(
            Option("preset", "the official rules or those of the thesis", 0, ("official", "thesis")),
            Option("board", "the fixed beginner board or a shuffled one", 0, ("beginner", "variable")),
            Option("tokens", "number tokens along the spiral or at random", 0, ("spiral", "random")),
            Option("bank", "19 cards of each resource or no limit", 0, ("preset", "limited", "unlimited")),
            Option("bargaining", "whether an offer may be countered", 0, ("preset", "counter-offers", "one-sided")),
            Option("offer_size", "any bundles, or 1 or 2 cards for 1", 0, ("preset", "any", "two-for-one")),
            Option("partner", "chosen among the willing, or the first to accept", 0, ("preset", "choice", "first")),
            Option("offers_per_turn", "offers to players in a turn; the presets allow 3", 0, _OFFERS),
            Option("strict_phases", "all trading before building", 0, ("off", "on")),
            Option("turn_limit", "end the game after so many turns; 0 for no limit", 0, low=0, high=10000),
            Option("points", "points that win", 10, low=3, high=15),
        ),
        tournament={"turn_limit": 500},
        for_people={"offers_per_turn": "unlimited", "board": "variable"},
    ),
    dtype=DTYPE,
    rules=Rules.of(
        *(rules, view, features, evaluate, prior, restriction, value_network, one_ply, symmetries),
        evaluations=evaluate.EVALUATIONS,
        described=value_network.FEATURES,
        network_size=value_network.SIZE,
        network_layers=(value_network.FIRST, value_network.SECOND),
    ),
    text=WORDS,
    agents=lambda: import_module("ludens.games.catan.agents").KINDS,
    terminal=lambda: import_module("ludens.games.catan.terminal").DISPLAY,
    check_options=_check,
    learning=lambda: {"linear": import_module("ludens.games.catan.players.linear.table").LinearTask},
    manners=lambda: import_module("ludens.games.catan.players.manners").Manners,
    check_position=check_position,
)
