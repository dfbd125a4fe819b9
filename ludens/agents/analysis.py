"""Analysis for the command line, the server and the page: the strongest search of the game on a view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ludens.agents.calibration import calibrated, pairing_of
from ludens.agents.codes import kinds
from ludens.agents.manners import manners_of
from ludens.agents.search_agents import MctsAgent
from ludens.agents.search_settings import SEARCH_WORDS, mcts_settings, network_weights
from ludens.agents.sequential_halving_agent import (
    SequentialHalvingAgent,
    make_sequential_halving,
)
from ludens.core import kernels
from ludens.core.agent import AgentKind, Seating
from ludens.core.match import Match
from ludens.core.record import blank
from ludens.core.rng import generator
from ludens.core.spec import Game, Manners
from ludens.core.weights import VALUE_NETWORK
from ludens.core.words import Offers
from ludens.networks.network import Network
from ludens.networks.shipped import network_named
from ludens.search.budget import Budget
from ludens.search.candidates import (
    WORK,
    Analysis,
    Candidate,
    Search,
    analyse,
    legal_in_view,
    with_candidates,
)
from ludens.search.mcts import TreeSearch
from ludens.search.mcts_kernel import MctsSettings
from ludens.search.rollout import CUT
from ludens.search.sequential_halving import SequentialHalving

__all__ = [
    "Begun",
    "Decision",
    "Review",
    "analyse_view",
    "begun_move",
    "decisions",
    "level_weights",
    "review_match",
    "strongest_search",
    "tells_chances",
    "usual_work",
    "would_be_taken",
]

_LEVEL = "hard"
_OF_REVIEW = 3  # an analysis of a review takes the third part of the work
_AMONG = 3  # times as many candidates are looked at where some may be offers that nobody takes


def analyse_view(
    game: Game,
    view: np.ndarray,
    seat: int,
    seconds: float | None = None,
    simulations: int | None = None,
    threads: int = 1,
    seed: int = 0,
    candidates: int = 5,
    include: Sequence[int] = (),
    memory: float = 64,
    explain: int | None = None,
    raw: bool = False,
    options: np.ndarray | None = None,
    begun: Begun | None = None,
    agents: Sequence[str] = (),
) -> Analysis:
    """The moves of the seat to act, ranked, from its view (an array of one record) alone.

    The budget is seconds, simulations or both, by default simulations enough to tell moves apart (`WORK`); with
    simulations alone equal seeds give equal analyses. The search is
    that of the game's hardest level, with `threads` trees of `memory` MiB; given the options of the game it may think
    with the network that ships for them. Actions of `include` are
    candidates however bad they are; the first `explain` candidates have reasons, by default all. Results are
    chances as they come true (`agents.calibration`), or the search's own if `raw`; of the pairing that plays, if the
    codes of the `agents` on the seats ("" for people) and the options are those of one that was measured. A budget out
    of range or a seat that is not to move is refused. Of an offer that the seat has `begun` the best one is told that
    goes on with it, as it was found before its first card.
    """
    search = strongest_search(game, view, threads, memory, options)
    if simulations is None and seconds is None:
        simulations = usual_work(game)
    budget = Budget(simulations, seconds)
    manners = manners_of(Seating(game, game.options() if options is None else options, seat, seed))
    if manners is not None:
        view, _ = manners.limited(view, np.zeros(0, np.int64), free=True)
    found = None
    if begun is not None and game.text.offers is not None and not include:
        found = _gone_on(game, begun, view, seat, search, manners, budget, seed, candidates, explain)
    if found is None and game.text.offers is not None:
        found = analyse(game, view, seat, search, budget, seed, _AMONG * candidates, include, explain)
        found = _without_hopes(game, view, search, manners, found, seed, candidates, include)
    elif found is None:
        found = analyse(game, view, seat, search, budget, seed, candidates, include, explain)
    pairing = pairing_of(game, options, agents) if options is not None and not raw else None
    tells = (isinstance(search, TreeSearch) and search.network is not None) or tells_chances(game)
    if raw or (tells and pairing is None):
        return found
    return calibrated(game, found, int(view["players"][0]), pairing)


@dataclass(frozen=True)
class Begun:
    """A move of several decisions that the seat to act is in the middle of."""

    view: np.ndarray  # what it saw before the first of them
    actions: tuple[int, ...]  # what it has decided since


def begun_move(match: Match) -> Begun | None:
    """The move that the player to act has begun, in games in which moves ask others; None at its beginning."""
    after, seat, actions = match, match.actor, list[int]()
    if match.game.text.offers is None or seat < 0:
        return None
    while after.ply > 0:
        before = after.at(after.ply - 1)
        action, state = int(after.log[-1]), before.state()
        if before.actor != seat or match.game.text.completes(state[0], action, after.state()[0]):
            break
        actions.insert(0, action)
        after = before
    return Begun(after.view(seat), tuple(actions)) if actions else None


def _gone_on(
    game: Game,
    begun: Begun,
    view: np.ndarray,
    seat: int,
    search: Search,
    manners: Manners | None,
    budget: Budget,
    seed: int,
    candidates: int,
    explain: int | None,
) -> Analysis | None:
    """The offers that were good before the first card of the one that is begun, as far as they go on with it.

    None if there is none. Nothing was revealed since, so that the same search finds the same moves.
    """
    before = begun.view if manners is None else manners.limited(begun.view, np.zeros(0, np.int64), free=True)[0]
    found = analyse(game, before, seat, search, budget, seed, _AMONG * candidates, (), explain)
    found = _without_hopes(game, before, search, manners, found, seed, _AMONG * candidates, ())
    legal, kept = legal_in_view(game, view, seat), list[Candidate]()
    for move in found.candidates:
        rest = list(move.whole)
        for action in begun.actions:
            at = next((k for k, part in enumerate(rest) if part.action == action), None)
            if at is None:
                break
            del rest[at]
        else:
            if rest and rest[0].action in legal:
                line = (*(part.text for part in rest), *move.line[len(move.whole) :])
                kept.append(replace(move, action=rest[0].action, text=rest[0].text, whole=tuple(rest), line=line))
    return with_candidates(game, found, kept[:candidates]) if kept else None


def _spoils(game: Game, manners: Manners | None, view: np.ndarray, seat: int, move: Sequence[int], seed: int) -> bool:
    """Would one of the move's decisions spoil the game for others?"""
    if manners is None:
        return False
    position, seen = blank(game.dtype), blank(game.dtype)
    kernels.determinize_at(view, 0, seat, generator(seed), position)
    legal = np.zeros(game.spec.actions, np.int64)
    for action in move:
        kernels.view_at(position, 0, seat, seen)
        if action not in manners.fair(seen, legal[: int(kernels.legal_at(position, 0, legal))]):
            return True
        kernels.apply_at(position, 0, action)
    return False


def usual_work(game: Game, of_review: bool = False) -> int:
    """Simulations of an analysis that is given no budget: fewer for each of the many decisions of a review."""
    level = _hardest(game)
    rolls_out = level is not None and level.make is SequentialHalvingAgent
    return WORK["roll-outs" if rolls_out else "tree"] // (_OF_REVIEW if of_review else 1)


def _without_hopes(
    game: Game,
    view: np.ndarray,
    search: Search,
    manners: Manners | None,
    found: Analysis,
    seed: int,
    candidates: int,
    include: Sequence[int],
) -> Analysis:
    """The analysis without offers that nobody would take and what spoils the game, unless they were asked for.

    Those come last; what they hope for they are not worth, so they are told to be no better than the best move.
    """
    kept: list[Candidate] = []
    hopes: list[Candidate] = []
    for move in found.candidates:
        if len(kept) >= candidates and move.action not in include:
            continue
        whole = [part.action for part in move.whole]
        fair = not _spoils(game, manners, view, found.seat, whole, seed)
        (kept if fair and would_be_taken(game, search, view, found.seat, whole, seed) else hopes).append(move)
    kept = kept or hopes[:1]
    best = kept[0].result
    asked_for = [move for move in hopes if move.action in include and move is not kept[0]]
    kept += [replace(move, result=min(move.result, best)) for move in asked_for]
    return with_candidates(game, found, kept)


def strongest_search(
    game: Game, view: np.ndarray, threads: int, memory: float, options: np.ndarray | None = None
) -> TreeSearch | SequentialHalving:
    """The search of the game's hardest level, for games with the players of this view."""
    level, players = _hardest(game), int(view["players"][0])
    if level is not None and level.make is SequentialHalvingAgent:
        return make_sequential_halving(game, players, level.preset, threads)
    words = {} if level is None else level.preset
    network = network_named(words.get("network", ""), game, options) if options is not None else None
    settings, weights = _tree_settings(game, network)
    packed = None if network is None else network.packed
    return TreeSearch(game, players, settings, weights, threads, memory, packed)


def _tree_settings(game: Game, network: Network | None = None) -> tuple[MctsSettings, np.ndarray]:
    """How the game's hardest level searches its tree, with this network if any, and the weights of its evaluation."""
    level = _hardest(game)
    words = {} if level is None else {key: value for key, value in level.preset.items() if key in SEARCH_WORDS}
    return mcts_settings(game, **words, network=network)


def level_weights(game: Game) -> np.ndarray:
    """The weights by which the game's hardest level values positions; those of its best evaluation if it does not."""
    level = _hardest(game)
    if level is not None and level.make is SequentialHalvingAgent:
        return network_weights(game, level.preset.get("evaluation", ""))
    settings, weights = _tree_settings(game)
    return weights if settings.mode == CUT else next(iter(game.rules.evaluations.values()))


def _hardest(game: Game) -> AgentKind | None:
    """The game's hardest level, if analyses can search as it does."""
    level = kinds(game).get(_LEVEL)
    return level if level is not None and level.make in (MctsAgent, SequentialHalvingAgent) else None


def tells_chances(game: Game) -> bool:
    """Has the evaluation of the hardest level learnt from results, so that nothing is left to calibrate?"""
    level = _hardest(game)
    return level is not None and (
        level.make is SequentialHalvingAgent or level.preset.get("evaluation") == VALUE_NETWORK
    )


@dataclass(frozen=True)
class Decision:
    """A choice between several moves in a played game: who made it, what was played and what the player saw."""

    ply: int
    seat: int
    action: int
    view: np.ndarray
    part: bool = False  # of the move that the decision before it has begun, as the cards of an offer are


def decisions(match: Match) -> Iterator[Decision]:
    """Every decision of a match, in order; moves without an alternative are none."""
    begun = False  # a move of several decisions, and one of them was told
    for step in match.steps():
        if step.actor < 0 or step.action >= match.game.spec.first_automatic:
            continue
        before = match.at(step.ply)
        chosen = len(before.legal()) > 1
        if chosen:
            yield Decision(step.ply, step.actor, step.action, before.view(step.actor), begun)
        begun = (begun or chosen) and _goes_on(match.game, before.state(), step.actor, step.action)


def _goes_on(game: Game, state: np.ndarray, seat: int, action: int) -> bool:
    """Does the seat's move need more decisions after this one?"""
    after = state.copy()
    kernels.apply_at(after, 0, action)
    return int(kernels.actor_at(after, 0)) == seat and not game.text.completes(state[0], action, after[0])


@dataclass(frozen=True)
class Review:
    """One decision of a played game: what was expected before it, what was played and what it cost."""

    ply: int
    action: int  # the one that was played
    loss: float  # by how much the best move's expected result was better, never negative
    precision: float  # the loss is known to so much, in 95 of 100 cases
    analysis: Analysis  # of the position before; the move that was played is among the candidates

    def to_json(self) -> dict[str, Any]:
        return {
            "ply": self.ply,
            "action": self.action,
            "loss": round(self.loss, 4),
            "precision": round(self.precision, 4),
            **self.analysis.to_json(),
        }


def review_match(
    match: Match,
    seconds: float | None = None,
    simulations: int | None = None,
    threads: int = 1,
    seed: int = 0,
    candidates: int = 3,
    memory: float = 64,
) -> Iterator[Review]:
    """Analyses every decision of a match between several moves, one after the other; the budget is for each.

    Without a budget it is `usual_work`. Every position is valued from what the player to act could see then.
    """
    if seconds is None and simulations is None:
        simulations = usual_work(match.game, of_review=True)
    for made in decisions(match):
        found = analyse_view(
            match.game, made.view, made.seat, seconds, simulations, threads, seed, candidates, (made.action,), memory,
            options=match.options,
        )  # fmt: skip
        played = next(candidate for candidate in found.candidates if candidate.action == made.action)
        yield Review(made.ply, made.action, played.behind, played.precision, found)


_WORLDS = 2  # guesses of what is hidden
_TO_ANSWER = 120  # simulations for one answer
_STREAM = 11  # apart from the streams of the trees
_MOST_ANSWERS = 8  # of one offer


def would_be_taken(game: Game, search: Search, view: np.ndarray, seat: int, move: Sequence[int], seed: int = 0) -> bool:
    """Is the seat's move, all its decisions in order, no offer, or one that somebody takes whatever is hidden?"""
    offers = game.text.offers
    return (
        offers is None
        or not offers.made_by(move)
        or all(_taken(game, offers, search, view, seat, move, seed, world) for world in range(_WORLDS))
    )


def _taken(
    game: Game, offers: Offers, search: Search, view: np.ndarray, seat: int, move: Sequence[int], seed: int, number: int
) -> bool:
    position, legal = blank(game.dtype), np.zeros(game.spec.actions, np.int64)
    kernels.determinize_at(view, 0, seat, generator(seed, _STREAM, number), position)
    before = position.copy()
    for action in move:
        kernels.apply_at(position, 0, action)
    for _ in range(_MOST_ANSWERS):
        asked = int(kernels.actor_at(position, 0))
        seen = blank(game.dtype)
        kernels.view_at(position, 0, asked, seen)
        actions = legal[: int(kernels.legal_at(position, 0, legal))].copy()
        kernels.apply_at(position, 0, _answer(game, offers, search, seen, asked, actions, seed))
        answered = offers.taken(before[0], position[0], seat)
        if answered is not None:
            return answered
    return False


def _answer(
    game: Game, offers: Offers, search: Search, seen: np.ndarray, seat: int, legal: np.ndarray, seed: int
) -> int:
    """What the seat answers after a short look; it says yes or no and makes no offer of its own."""
    if len(legal) == 1:
        return int(legal[0])
    found = search.search(seen, seat, legal, Budget(_TO_ANSWER), seed)
    plain = [k for k, action in enumerate(found.actions) if offers.answers(int(action))]
    return int(found.actions[max(plain, key=lambda k: float(found.values[k]) if found.visits[k] else -2.0)])
