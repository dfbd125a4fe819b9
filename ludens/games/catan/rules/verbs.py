"""Catan: the verbs, each a dispatch on the phase; what a phase does has its own file."""

from __future__ import annotations

from ludens.core.jit import rule
from ludens.core.record import Array
from ludens.core.rng import below, drawn
from ludens.core.verbs import CHANCE, TERMINAL, UNKNOWN, chance_of_counts
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.rules import building, cards, production, robber, setup, trade, turn
from ludens.games.catan.state import (
    BANK_CARDS,
    DECK,
    EDGES,
    KINDS,
    MAX_CITIES,
    MAX_PLAYERS,
    MAX_ROADS,
    MAX_SETTLEMENTS,
    NOBODY,
    OFFER_CHOICES,
    OUTCOMES,
    UNLIMITED,
    VERTICES,
    VICTORY_CARD,
    Catan,
)
from ludens.games.results import share_victory

__all__ = ["actor", "apply", "chance", "draw", "legal", "reset", "returns", "scores"]

_OFFERS = 3  # a turn, in both presets (CA-35)


@rule
def _choice(value: int, thesis: int) -> int:
    """0 or 1 of an option whose first choice is "as the preset says": official is 0, thesis is 1."""
    return thesis if value == 0 else value - 1


@rule
def reset(s: Catan, options: Array) -> None:
    """options: players, preset, board, tokens, bank, bargaining, offer_size, partner, offers_per_turn,
    strict_phases, turn_limit, points; of the five from bank on 0 stands for the preset's choice."""
    thesis = options[1]
    s.players = options[0]
    s.spiral = 1 - options[3]
    s.counter_offers = 1 - _choice(options[5], thesis)
    s.offer_limit = _choice(options[6], thesis)
    s.first_acceptor = _choice(options[7], thesis)
    s.max_offers = OFFER_CHOICES[options[8]]
    if options[8] == 0:
        s.max_offers = _OFFERS
    s.strict = options[9]
    s.turn_limit = options[10]
    s.goal = options[11]
    unlimited = _choice(options[4], thesis)
    for r in range(KINDS):
        s.bank[r] = UNLIMITED if unlimited else BANK_CARDS
        s.deck[r] = DECK[r]
    s.deck_count = 25
    for p in range(MAX_PLAYERS):
        s.roads_left[p] = MAX_ROADS
        s.settlements_left[p] = MAX_SETTLEMENTS
        s.cities_left[p] = MAX_CITIES
        s.most_victory[p] = s.goal - 1
        for r in range(KINDS):
            s.price[p, r] = 4
    for v in range(VERTICES):
        s.building[v] = NOBODY
    for e in range(EDGES):
        s.road[e] = NOBODY
    for number in range(13):
        s.sources[number, 0] = NOBODY
        s.sources[number, 1] = NOBODY
    s.open_sites = (1 << VERTICES) - 1
    s.road_holder = NOBODY
    s.army_holder = NOBODY
    s.responder = NOBODY
    s.victim = NOBODY
    s.winner = NOBODY
    if options[2] == 0:
        setup.lay_beginner_board(s)
    else:
        setup.start_variable_board(s)


@rule
def actor(s: Catan) -> int:
    phase = int(s.phase)
    if phase == phases.DISCARDING:
        return robber.discarder(s)
    if phases.ANSWER <= phase <= phases.COUNTERING:
        return int(s.responder)
    if phase == phases.OVER:
        return TERMINAL
    if phase <= phases.LAST_CHANCE:
        return CHANCE
    return int(s.current)


# --- chance -------------------------------------------------------------------------------


@rule
def chance(s: Catan, outcomes: Array, weights: Array) -> int:
    phase = int(s.phase)
    if phase <= phases.HARBOUR_DEAL:
        return setup.chance_of_setup(s, outcomes, weights)
    if phase == phases.DICE:
        for k in range(OUTCOMES):
            outcomes[k] = k
            weights[k] = 1.0 / OUTCOMES
        return OUTCOMES
    if phase == phases.THEFT:
        return chance_of_counts(s.hand[s.victim], outcomes, weights)
    if phase == phases.DEAL:
        return chance_of_counts(s.deck, outcomes, weights)
    return 0


@rule
def draw(s: Catan, rng: Array) -> int:
    if s.phase == phases.DICE:
        return below(rng, OUTCOMES)
    if s.phase == phases.THEFT:
        return drawn(rng, s.hand[s.victim], int(s.count[s.victim]))
    if s.phase == phases.DEAL:
        return drawn(rng, s.deck, int(s.deck_count))
    return setup.draw_setup(s, rng)


# --- decisions ----------------------------------------------------------------------------


@rule
def legal(s: Catan, out: Array) -> int:
    """The phases in the order of how often they occur in random play."""
    phase = int(s.phase)
    if phase in (phases.OFFERING, phases.COUNTERING):
        return trade.legal_terms(s, out)
    if phase == phases.MAIN:
        return _legal_main(s, out)
    if phase == phases.ANSWER:
        return trade.legal_answers(s, out)
    if phase == phases.BEFORE_ROLL:
        n = cards.legal_cards(s, out, 0)
        out[n] = ids.ROLL
        return n + 1
    if phase == phases.DISCARDING:
        return robber.legal_discards(s, out)
    if phase == phases.ROBBING:
        return robber.legal_robber(s, out)
    if phase == phases.VICTIMISING:
        return robber.legal_victims(s, out)
    if phase == phases.FREE_ROADS:
        return building.legal_free_roads(s, int(s.current), out, 0)
    if phase == phases.PLENTY:
        return cards.legal_takes(s, out)
    if phase == phases.PLACE_SETTLEMENT:
        return building.legal_initial_settlements(s, out)
    if phase == phases.PLACE_ROAD:
        return building.legal_initial_roads(s, out)
    if phase == phases.PARTNERING:
        return trade.legal_partners(s, out)
    return 0  # a chance node, or the end


@rule
def _legal_main(s: Catan, out: Array) -> int:
    p = int(s.current)
    n = building.legal_buildings(s, p, out, 0)
    if trade.may_trade(s):
        n = trade.legal_exchanges(s, out, n)
    if s.deck_count > 0 and building.can_afford(s, p, 3):
        out[n] = ids.BUY
        n += 1
    n = cards.legal_cards(s, out, n)
    n = trade.legal_openings(s, out, n)
    out[n] = ids.END
    return n + 1


@rule
def apply(s: Catan, a: int) -> None:
    """One flat dispatch: every level of calls would be optimised again by the compiler."""
    phase = int(s.phase)
    p = int(s.current)
    if a >= ids.GIVE:  # no chance event has so many outcomes
        if a < ids.ROLL:
            trade.apply_trade(s, a)
        elif a == ids.ROLL:
            s.phase = phases.DICE
        else:
            turn.end_turn(s)
    elif phase == phases.DICE:
        production.apply_dice(s, a)
    elif phase == phases.DISCARDING:
        robber.discard(s, a - ids.DISCARD)
    elif phase == phases.ROBBING:
        robber.move_robber(s, a - ids.ROBBER)
    elif phase == phases.VICTIMISING:
        robber.choose_victim(s, a - ids.VICTIM)
    elif phase == phases.THEFT:
        robber.apply_theft(s, a)
    elif phase == phases.DEAL:
        cards.deal_card(s, a)
    elif phase <= phases.HARBOUR_DEAL:
        setup.apply_setup(s, a)
    elif a < ids.SETTLEMENT:
        building.build_road(s, p, a - ids.ROAD)
    elif a < ids.CITY:
        building.build_settlement(s, p, a - ids.SETTLEMENT)
    elif a < ids.ROBBER:
        building.build_city(s, p, a - ids.CITY)
    elif a < ids.BUY:
        trade.apply_exchange(s, a)
    elif a == ids.BUY:
        cards.buy_card(s)
    elif a < ids.TAKE:
        cards.play_card(s, a)
    else:
        cards.take_card(s, a - ids.TAKE)


# --- the end ------------------------------------------------------------------------------


@rule
def _points(s: Catan, p: int) -> int:
    """Visible points, and at the end, when all cards are laid open, victory point cards too."""
    points = int(s.visible[p])
    if s.phase == phases.OVER and s.cards[p, VICTORY_CARD] != UNKNOWN:
        points += int(s.cards[p, VICTORY_CARD])
    return points


@rule
def scores(s: Catan, out: Array) -> None:
    """Points that everybody may know: before the end without hidden victory point cards (CA-20)."""
    for p in range(s.players):
        out[p] = _points(s, p)


@rule
def returns(s: Catan, out: Array) -> None:
    """The winner has 1, the others share -1; at the turn limit those with most points share the victory."""
    players = int(s.players)
    for p in range(players):
        out[p] = 0.0
    if s.phase != phases.OVER:
        return
    best = 0
    for p in range(players):
        best = max(best, _points(s, p))
    for p in range(players):
        out[p] = 1.0 if s.winner == p or (s.winner == NOBODY and _points(s, p) == best) else 0.0
    share_victory(out, players)
