"""Catan: the thesis' turn without a search, compiled (CA-24, CA-29, CA-32 … CA-36): the planner at depth 1.

A segment is a sequence of own actions up to the end of the turn or the next chance event. Of every kind of action the
best few by `q_heuristic` are tried, in the order of CA-33; the segment whose last position has the greatest v̂ is
begun, and after every action the rest is planned anew. The planner does the same and searches beyond.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ludens.core import record
from ludens.core.jit import rule
from ludens.core.record import Array, Records, workspace
from ludens.core.rng import below, uniform
from ludens.games.catan import action_ids as ids
from ludens.games.catan import phases
from ludens.games.catan.players.linear.value import Memo, new_memo
from ludens.games.catan.players.planner.values import gains_by_offer, known_value, road_value
from ludens.games.catan.rules.trade import exchanged, swap
from ludens.games.catan.rules.verbs import actor, apply, legal
from ludens.games.catan.state import COST, DTYPE, KINDS, WAYS, Catan

__all__ = ["AGENT_STATE", "Desk", "TurnSettings", "decide", "new_desk", "rank_actions", "useful"]

_CARD, _TRADE, _ROADS, _SETTLEMENTS, _CITIES, _NEW_CARD = range(6)  # the order of CA-33, after the roll
_STAGES = 6
_MOST_ACTIONS = 30
_NOWHERE = -np.inf

AGENT_STATE = 5
"""Numbers that a seat keeps from one decision to the next: the turn, whether it is a random one, and the offer it is
putting together (cards given, of which kind, which kind wanted)."""
_TURN, _RANDOM, _SIZE, _GIVEN, _WANTED = range(AGENT_STATE)


class TurnSettings(NamedTuple):
    """How broad a turn is planned."""

    n_actions: int = 3  # of each kind of action (CA-32.1)
    max_offers: int = 3  # offers to players a turn (CA-35)
    blend: float = 0.5  # weight of imagined settlements in the value of a road (CA-36)


class Desk(NamedTuple):
    """What planning writes on."""

    queue: Annotated[Records[Catan], "nodes"]  # positions within the turn
    stage: Annotated[Array, record.int64("nodes")]  # which kinds of action may follow there
    first: Annotated[Array, record.int64("nodes")]  # the action that begins the way there
    worth: Annotated[Array, record.float64("nodes")]  # v̂ there
    offer: Annotated[
        Array, record.int64("nodes", 3)
    ]  # cards given, kind, kind wanted of an offer that begins the way; 0 for none
    legal: Annotated[Array, record.int64(ids.ACTIONS)]
    top: Annotated[Array, record.int64(_STAGES, _MOST_ACTIONS)]  # the best actions of each kind
    top_q: Annotated[Array, record.float64(_STAGES, _MOST_ACTIONS)]  # their q_heuristic
    top_worth: Annotated[Array, record.float64(_STAGES, _MOST_ACTIONS)]  # v̂ after them
    found: Annotated[Array, record.int64(_STAGES)]  # how many
    scratch: Annotated[Records[Catan], 4]  # for trying actions
    world: Annotated[Records[Catan], 2]  # a view, and a full state that agrees with it
    memo: Memo  # values that were worked out already


def new_desk(nodes: int = 100) -> Desk:
    """A desk for so many positions a decision."""
    return workspace(Desk, DTYPE, nodes=nodes, memo=new_memo())


@rule
def decide(
    s: Catan, seat: int, n: int, model: Array, epsilon: float, settings: TurnSettings, agent_state: Array,
    rng: Array, desk: Desk,
) -> int:  # fmt: skip
    """The action of a seat in a full state s, of the n in desk.legal; with chance ε its turn is random (CA-40)."""
    if n == 1:
        return int(desk.legal[0])
    phase = int(s.phase)
    if s.current == seat and phase != phases.ANSWER and phase != phases.DISCARDING:
        turn = int(s.turn_number) if s.turn_number > 0 else -1 - int(s.placed)
        if agent_state[_TURN] != turn:
            agent_state[_TURN] = turn
            agent_state[_SIZE] = 0
            agent_state[_RANDOM] = 1 if uniform(rng) < epsilon else 0
        if agent_state[_RANDOM]:
            return _random_action(phase, n, desk.legal, rng)
    if phase == phases.ANSWER:
        willing = desk.legal[0] == ids.ACCEPT and gains_by_offer(s, seat, model, desk.scratch, desk.memo)
        return ids.ACCEPT if willing else ids.DECLINE
    if phase == phases.OFFERING:
        return _next_card(s, n, agent_state, desk.legal)
    if phase in (phases.PLACE_SETTLEMENT, phases.PLACE_ROAD, phases.PARTNERING):
        return _best_single(s, seat, n, model, settings, desk)
    at = _plan(s, seat, model, settings, desk)
    agent_state[_SIZE] = desk.offer[at, 0]
    agent_state[_GIVEN] = desk.offer[at, 1]
    agent_state[_WANTED] = desk.offer[at, 2]
    return int(desk.first[at])


@rule
def _random_action(phase: int, n: int, legal: Array, rng: Array) -> int:
    """Any legal action but offers to others, which would fill a random turn."""
    if phase == phases.OFFERING:
        return ids.CANCEL
    k = 0
    while k < n and (legal[k] < ids.GIVE or phase != phases.MAIN):
        k += 1
    others = n - k - 1 if phase == phases.MAIN else 0  # of a main phase the offers and the end of the turn are left
    pick = below(rng, n - others)
    return legal[pick] if phase != phases.MAIN or pick < k else ids.END


@rule
def _next_card(s: Catan, n: int, agent_state: Array, legal: Array) -> int:
    """The next card of the planned offer; CANCEL if it cannot be put on the table."""
    wish = ids.PROPOSE
    if agent_state[_SIZE] == 0:
        return ids.CANCEL
    if s.offer[agent_state[_GIVEN]] < agent_state[_SIZE]:
        wish = ids.GIVE + agent_state[_GIVEN]
    elif s.offer[agent_state[_WANTED]] == 0:
        wish = ids.WANT + agent_state[_WANTED]
    for k in range(n):
        if legal[k] == wish:
            return wish
    return ids.CANCEL


@rule
def _best_single(s: Catan, seat: int, n: int, model: Array, settings: TurnSettings, desk: Desk) -> int:
    """The action after which v̂ is greatest, the first of equals."""
    best, best_worth = desk.legal[0], _NOWHERE
    for k in range(n):
        desk.scratch[0] = s
        apply(desk.scratch[0], desk.legal[k])
        worth = known_value(desk.scratch[0], seat, model, desk.scratch[3:4], desk.memo)
        if worth > best_worth:
            best, best_worth = desk.legal[k], worth
    return int(best)


# --- segments -----------------------------------------------------------------------------


@rule
def _plan(s: Catan, seat: int, model: Array, settings: TurnSettings, desk: Desk) -> int:
    """The node of the best segment's last position; its first action is the choice."""
    desk.queue[0] = s
    desk.stage[0] = _CARD
    desk.first[0] = ids.END
    desk.offer[0, 0] = 0
    desk.worth[0] = known_value(s, seat, model, desk.scratch[3:4], desk.memo)
    best, best_worth = -1, _NOWHERE
    count, at = 1, 0
    while at < count:
        here = desk.queue[at]
        phase = int(here.phase)
        done = phase <= phases.LAST_CHANCE or phase == phases.OVER or actor(here) != seat
        # The end of a turn changes no feature, so a position in which it may end has its own worth as a last one.
        if (done or phase == phases.MAIN) and desk.worth[at] > best_worth:
            best, best_worth = at, desk.worth[at]
        if not done:
            rank_actions(here, seat, desk.stage[at], model, settings, desk)
            count = _push_best(here, at, count, phase, desk)
            if phase == phases.MAIN and desk.stage[at] <= _TRADE and desk.offer[at, 0] == 0:
                count = _push_offers(here, seat, at, count, model, settings, desk)
        at += 1
    if best < 0:  # the desk was full before any segment ended
        best = 1
    return best


@rule
def _kind_of(s: Catan, a: int, seat: int) -> int:
    """The stage at which an action may be planned, or -1 if it is not."""
    if s.phase != phases.MAIN and s.phase != phases.BEFORE_ROLL:
        return _CARD  # decisions of one kind: the robber, a victim, a discard, free roads, plenty
    if a < ids.SETTLEMENT:
        return _ROADS
    if a < ids.CITY:
        return _SETTLEMENTS
    if a < ids.ROBBER:
        return _CITIES
    if ids.EXCHANGE <= a < ids.BUY:
        return _TRADE if useful(s, seat, exchanged(a)[1]) else -1
    if a == ids.BUY:
        return _NEW_CARD
    if ids.KNIGHT <= a < ids.TAKE:
        return _CARD
    return _TRADE if a == ids.ROLL else -1


@rule
def useful(s: Catan, p: int, wanted: int) -> bool:
    """Is a card of this kind missing for some purchase that is possible? (CA-34)"""
    for way in range(WAYS):
        possible = s.deck_count > 0
        if way == 0:
            possible = s.roads_left[p] > 0 and (s.open_roads[p, 0] != 0 or s.open_roads[p, 1] != 0)
        elif way == 1:
            possible = s.settlements_left[p] > 0 and (int(s.open_sites) & int(s.touched[p])) != 0
        elif way == 2:
            possible = s.cities_left[p] > 0 and s.settlements[p] != 0
        if possible and s.hand[p, wanted] < COST[way, wanted]:
            return True
    return False


@rule
def rank_actions(s: Catan, seat: int, stage: int, model: Array, settings: TurnSettings, desk: Desk) -> None:
    """The best actions of each kind from a stage on, by q_heuristic (CA-32.1, CA-36)."""
    for kind in range(_STAGES):
        desk.found[kind] = 0
    most = 1 if s.phase == phases.DISCARDING else min(settings.n_actions, _MOST_ACTIONS)
    n = legal(s, desk.legal)
    within = s.phase != phases.MAIN and s.phase != phases.BEFORE_ROLL
    for k in range(n):
        a = desk.legal[k]
        kind = _kind_of(s, a, seat)
        if kind < 0 or (kind < stage and not within):
            continue
        desk.scratch[0] = s
        apply(desk.scratch[0], a)
        worth = known_value(desk.scratch[0], seat, model, desk.scratch[3:4], desk.memo)
        q = worth
        if a < ids.SETTLEMENT and s.roads_left[seat] > 1 and (s.phase == phases.MAIN or s.phase == phases.FREE_ROADS):
            q = road_value(s, seat, a - ids.ROAD, worth, settings.blend, model, desk.scratch, desk.memo)
        at = desk.found[kind]
        if at == most and q <= desk.top_q[kind, at - 1]:
            continue
        if at < most:
            desk.found[kind] += 1
        else:
            at -= 1
        while at > 0 and desk.top_q[kind, at - 1] < q:
            desk.top[kind, at] = desk.top[kind, at - 1]
            desk.top_q[kind, at] = desk.top_q[kind, at - 1]
            desk.top_worth[kind, at] = desk.top_worth[kind, at - 1]
            at -= 1
        desk.top[kind, at] = a
        desk.top_q[kind, at] = q
        desk.top_worth[kind, at] = worth


@rule
def _push_best(here: Catan, at: int, count: int, phase: int, desk: Desk) -> int:
    """Puts the positions after the ranked actions into the queue; returns how many it holds."""
    within = phase != phases.MAIN and phase != phases.BEFORE_ROLL
    for kind in range(_STAGES):
        for k in range(desk.found[kind]):
            if count == desk.queue.shape[0]:
                return count
            desk.queue[count] = here
            apply(desk.queue[count], desk.top[kind, k])
            desk.worth[count] = desk.top_worth[kind, k]
            desk.stage[count] = desk.stage[at] if within else _TRADE if kind == _CARD else kind
            desk.first[count] = desk.top[kind, k] if at == 0 else desk.first[at]
            desk.offer[count, :] = desk.offer[at, :]
            count += 1
    return count


@rule
def _push_offers(here: Catan, seat: int, at: int, count: int, model: Array, settings: TurnSettings, desk: Desk) -> int:
    """Trades that somebody would take: one card for one, and two for one where nobody takes one (CA-34, CA-35).

    A turn begins with one offer at most; after it, the rest of the turn is planned anew.
    """
    if at > 0 or here.offers_made >= min(settings.max_offers, int(here.max_offers)):
        return count
    for wanted in range(KINDS):
        if not useful(here, seat, wanted):
            continue
        for size in range(1, 3):
            made = 0
            for given in range(KINDS):
                if given == wanted or here.hand[seat, given] < size:
                    continue
                if _taker(here, seat, given, size, wanted, model, desk) and count < desk.queue.shape[0]:
                    desk.queue[count] = desk.scratch[0]
                    desk.worth[count] = known_value(desk.scratch[0], seat, model, desk.scratch[3:4], desk.memo)
                    desk.stage[count] = _TRADE
                    desk.first[count] = ids.GIVE + given
                    desk.offer[count, 0] = size
                    desk.offer[count, 1] = given
                    desk.offer[count, 2] = wanted
                    count += 1
                    made += 1
            if made > 0:
                break
    return count


@rule
def _taker(here: Catan, seat: int, given: int, size: int, wanted: int, model: Array, desk: Desk) -> bool:
    """Would an opponent gain by the trade, by the own values? Leaves the position after it in scratch[0]."""
    for q in range(here.players):
        if q == seat or here.hand[q, wanted] == 0:
            continue
        desk.scratch[0] = here
        w = desk.scratch[0]
        before = known_value(w, q, model, desk.scratch[3:4], desk.memo)
        swap(w, seat, q, given, size, wanted, 1)
        w.offers_made += 1
        if known_value(w, q, model, desk.scratch[3:4], desk.memo) > before:
            return True
    return False
