"""Monte Carlo tree search over information sets, for any number of players, chance and hidden information.

A node is what somebody sees: its key is the hash of a view. Every iteration starts from a fresh
determinisation of the searcher's view, draws chance from its own generator and descends through the
nodes of the views it meets. In an open game a view is the position, so positions reached on several
ways share one node, and every outcome of chance leads to its own: play after a draw is fitted to that
draw, which averaging over draws by the sequence of actions alone cannot be. In a hidden game whoever
acts knows no more in the tree than at the table.

What the searcher alone knows is the same in every determinisation, and opponents whose nodes learnt from
it would play as if they knew it too. So, if the settings say so, some iterations determinise for the opponents:
they start from what an opponent may believe. From the others the opponents' nodes learn nothing.

A descent stands still where somebody must choose whose node has no edges yet, and goes on with the answer: `grow` gives
that of the game's prior, `mcts_network` that of a network.

All memory is given by the caller; nothing is allocated while searching. The first visit to a view only
notes its key, the second gives it edges: views met once, such as those after a rare draw, stay cheap. When
a pool is used up the tree stops growing and the search goes on with what it has.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ludens.core import verbs
from ludens.core.jit import kernel, rule
from ludens.core.record import Array, Position, Records
from ludens.core.rng import below, uniform
from ludens.core.verbs import CHANCE, TERMINAL, view
from ludens.search.hashing import hash_words, records_and_words
from ludens.search.rollout import roll_out

__all__ = [
    "ACTOR",
    "COUNT",
    "LEAF",
    "NODE",
    "NONE",
    "PASSED",
    "SEARCHER",
    "WHO",
    "MctsSettings",
    "Scratch",
    "Tree",
    "answer",
    "descend",
    "find_among",
    "find_node",
    "finish",
    "grow",
    "make_scratch",
    "make_scratches",
    "make_tree",
    "make_trees",
    "set_off",
]

ACTOR, SEARCHER = range(2)
"""Whose eyes tell nodes apart: those of the seat that acts, or always those of the searching seat."""

NONE = -1
"""In place of a node or an edge: there is none."""
_OPEN, _SECRET, _BELIEVED = range(3)  # iterations: ordinary; with what opponents must not learn; from their beliefs
_FIRST_SPREAD = 0.2  # of the results in a node that has none yet
_PATH = 512  # decisions of one descent; beyond, the position is played out

# Where a descent stands: the numbers of `Scratch.walk`.
_KIND = 0  # of the iteration, see `_set_out`
_LENGTH = 1  # decisions on the path so far
WHO = 2  # the seat that acts in the position in question
COUNT = 3  # its legal actions
NODE = 4  # its node, or NONE
_MISSING = 5  # actions without an edge
LEAF = 6  # 1: the node was met for the first time
PASSED = 7  # the last node that was left by one of its edges, or NONE
_WALK = 8


class MctsSettings(NamedTuple):
    """How to search; plain numbers, so that the kernel takes them as they are."""

    puct: int  # 1: priors guide exploration (PUCT); 0: every action is tried first (UCT)
    exploration: float  # weight of the exploration term; PUCT: in standard deviations of the node's results
    first_play_urgency: float  # PUCT: how much worse than its siblings an untried action is thought to be
    mode: int  # of roll-outs, see `rollout`
    depth: int  # decisions of a roll-out that is cut
    eyes: int  # ACTOR or SEARCHER
    hidden: int  # 0: the game hides nothing, and the position itself is hashed
    opponent_determinisation: float = 0.0  # part of the iterations that start from what an opponent may believe
    team: int = 0  # bit p: seat p is on the searcher's side
    value_weight: float = 1.0  # with a network: its part of a result; below 1 the rest is that of a roll-out
    prior_temperature: float = 1.0  # with a network: by how much the logits of its priors are divided


class Tree(NamedTuple):
    """The pools of a tree. Nodes are numbered; the edges of a node stand together."""

    used: np.ndarray  # int64[2]: nodes and edges in use
    slots: np.ndarray  # int32[a power of two]: open addressing by key, node or -1
    key: np.ndarray  # int64[nodes]
    first: np.ndarray  # int32[nodes]: the first edge, or -1 while the node has been met only once
    breadth: np.ndarray  # int32[nodes]: number of edges
    action: np.ndarray  # int32[edges]
    visits: np.ndarray  # int32[edges]
    available: np.ndarray  # int32[edges]: how often the node was visited while this action was legal
    total: np.ndarray  # float64[edges]: sum of the results of the seat that acts in the node
    squares: np.ndarray  # float64[edges]: sum of their squares
    prior: np.ndarray  # float32[edges]: share of the prior, all edges of a node together 1
    worth: np.ndarray  # float32[nodes, seats]: what a network said of the node, where searches need to know it again


class Scratch(NamedTuple):
    """What one descent needs."""

    position: np.ndarray  # one record, played on
    position_words: np.ndarray
    seen: np.ndarray  # one record, somebody's view of it
    seen_words: np.ndarray
    legal: np.ndarray  # int64[actions]
    weights: np.ndarray  # float64[actions]
    place: np.ndarray  # int64[actions]: where an action stands among the edges of the present node
    path: np.ndarray  # int64[_PATH, 2]: edge and seat of every decision
    walk: np.ndarray  # int64[_WALK]: where the descent stands
    result: np.ndarray  # float64[seats]
    total: np.ndarray  # float64[seats + 1]: sum of the results of all iterations from the searcher's view; their number


def make_tree(nodes: int, edges: int, seats: int = 0) -> Tree:
    """Empty pools of these sizes; with seats they keep what a network says of nodes."""
    return Tree(*(array[0] for array in make_trees(1, nodes, edges, seats)))


def make_trees(count: int, nodes: int, edges: int, seats: int = 0) -> Tree:
    """The pools of so many trees, one a row."""
    size = 1 << max(4, (2 * nodes - 1).bit_length())
    return Tree(
        used=np.zeros((count, 2), np.int64),
        slots=np.full((count, size), NONE, np.int32),
        key=np.zeros((count, nodes), np.int64),
        first=np.zeros((count, nodes), np.int32),
        breadth=np.zeros((count, nodes), np.int32),
        action=np.zeros((count, edges), np.int32),
        visits=np.zeros((count, edges), np.int32),
        available=np.zeros((count, edges), np.int32),
        total=np.zeros((count, edges)),
        squares=np.zeros((count, edges)),
        prior=np.zeros((count, edges), np.float32),
        worth=np.zeros((count, nodes, seats), np.float32),
    )


def make_scratch(dtype: np.dtype, actions: int, seats: int) -> Scratch:
    """Scratch memory for one thread."""
    many = make_scratches(1, dtype, actions, seats)
    records = {"position", "position_words", "seen", "seen_words"}
    return Scratch(*(array if name in records else array[0] for name, array in many._asdict().items()))


def make_scratches(count: int, dtype: np.dtype, actions: int, seats: int) -> Scratch:
    """Scratch memory for so many trees, one a row."""
    position, position_words = records_and_words(dtype, count)
    seen, seen_words = records_and_words(dtype, count)
    return Scratch(
        position=position,
        position_words=position_words,
        seen=seen,
        seen_words=seen_words,
        legal=np.zeros((count, actions), np.int64),
        weights=np.zeros((count, actions)),
        place=np.zeros((count, actions), np.int64),
        path=np.zeros((count, _PATH, 2), np.int64),
        walk=np.zeros((count, _WALK), np.int64),
        result=np.zeros((count, seats)),
        total=np.zeros((count, seats + 1)),
    )


@rule
def _key_of(work: Scratch, settings: MctsSettings, who: int, searcher: int) -> int:
    """The key of the present position as the seat in question sees it."""
    if not settings.hidden:
        return int(hash_words(work.position_words, 0))
    view(work.position[0], who if settings.eyes == ACTOR else searcher, work.seen)
    return int(hash_words(work.seen_words, 0))


@rule
def _slot_of(tree: Tree, key: int) -> int:
    """The slot of the table that holds the key, or the empty one where it belongs."""
    mask = tree.slots.shape[0] - 1
    slot = key & mask
    while tree.slots[slot] != NONE and tree.key[tree.slots[slot]] != key:
        slot = (slot + 1) & mask
    return int(slot)


@rule
def _note(tree: Tree, slot: int, key: int) -> int:
    """A new node without edges, or -1 if the pool is used up."""
    node = int(tree.used[0])
    if node >= tree.key.shape[0]:
        return NONE
    tree.used[0] += 1
    tree.slots[slot] = node
    tree.key[node] = key
    tree.first[node] = NONE
    tree.breadth[node] = 0
    return node


@rule
def _match_edges(tree: Tree, node: int, work: Scratch, n: int) -> int:
    """Writes the edge of every legal action into work.place; returns how many have none."""
    first, count = int(tree.first[node]), int(tree.breadth[node])
    missing = 0
    same = count == n
    for k in range(n):
        if same and tree.action[first + k] == work.legal[k]:
            work.place[work.legal[k]] = first + k
        else:
            same = False
    if same:
        return 0
    for k in range(n):
        work.place[work.legal[k]] = NONE
    for e in range(first, first + count):
        work.place[tree.action[e]] = e
    for k in range(n):
        e = int(work.place[work.legal[k]])
        if e < first or e >= first + count or tree.action[e] != work.legal[k]:
            work.place[work.legal[k]] = NONE
            missing += 1
    return missing


@rule
def _has_room(tree: Tree, node: int, missing: int) -> bool:
    """Does the pool have room for so many more edges of the node, together with its old ones?"""
    return bool(tree.used[1] + tree.breadth[node] + missing <= tree.action.shape[0])


@rule
def _add_edges(tree: Tree, node: int, work: Scratch, n: int, missing: int) -> None:
    """Gives every legal action an edge, with its share of work.weights as prior; the node's old ones are moved."""
    old, count = int(tree.first[node]), int(tree.breadth[node])
    new = int(tree.used[1])
    tree.used[1] += count + missing
    for k in range(count):
        tree.action[new + k] = tree.action[old + k]
        tree.visits[new + k] = tree.visits[old + k]
        tree.available[new + k] = tree.available[old + k]
        tree.total[new + k] = tree.total[old + k]
        tree.squares[new + k] = tree.squares[old + k]
        tree.prior[new + k] = tree.prior[old + k]
    total = 0.0
    for k in range(n):
        total += work.weights[k]
    e = new + count
    for k in range(n):
        a = int(work.legal[k])
        if count > 0 and work.place[a] != NONE:
            work.place[a] += new - old
        else:
            tree.action[e] = a
            tree.visits[e] = 0
            tree.available[e] = 0
            tree.total[e] = 0.0
            tree.squares[e] = 0.0
            tree.prior[e] = work.weights[k] / total
            work.place[a] = e
            e += 1
    tree.first[node] = new
    tree.breadth[node] = count + missing


@rule
def _select(tree: Tree, work: Scratch, n: int, settings: MctsSettings, rng: Array) -> int:
    """The edge to follow among those of the legal actions, or -1 if none of them has one."""
    visits, total, squares = 0, 0.0, 0.0
    for k in range(n):
        e = work.place[work.legal[k]]
        if e != NONE:
            tree.available[e] += 1
            visits += int(tree.visits[e])
            total += tree.total[e]
            squares += tree.squares[e]
    mean = total / visits if visits > 0 else 0.0
    # Results that hardly differ must not drown in exploration, nor results that differ much be believed too soon.
    spread = math.sqrt(max(0.0, squares - mean * total + _FIRST_SPREAD**2) / (visits + 1.0))
    best, best_score, untried = NONE, -math.inf, 0
    root_of_visits = math.sqrt(visits + 1.0)
    for k in range(n):
        e = work.place[work.legal[k]]
        if e == NONE:
            continue
        tried = int(tree.visits[e])
        if settings.puct:
            value = tree.total[e] / tried if tried > 0 else mean - settings.first_play_urgency
            score = value + settings.exploration * spread * tree.prior[e] * root_of_visits / (1 + tried)
            if score > best_score:
                best, best_score = e, score
        elif tried == 0:
            untried += 1
            if below(rng, untried) == 0:
                best = e
        elif untried == 0:
            score = tree.total[e] / tried + settings.exploration * math.sqrt(math.log(tree.available[e]) / tried)
            if score > best_score:
                best, best_score = e, score
    return best


@rule
def finish(tree: Tree, work: Scratch, settings: MctsSettings) -> None:
    """Adds work.result to the edges of the path, those of seats that may learn from an iteration of this kind."""
    kind = work.walk[_KIND]
    for k in range(work.walk[_LENGTH]):
        e, seat = work.path[k, 0], work.path[k, 1]
        if kind != _SECRET or (settings.team >> seat) & 1:
            tree.visits[e] += 1
            tree.total[e] += work.result[seat]
            tree.squares[e] += work.result[seat] * work.result[seat]
    if kind != _BELIEVED:
        work.total[-1] += 1
        for p in range(work.result.shape[0]):
            work.total[p] += work.result[p]


@rule
def _set_out(work: Scratch, views: Records[Position], searcher: int, settings: MctsSettings, rng: Array) -> int:
    """Puts the position to descend from into work.position and says which kind of iteration this is.

    If an opponent, drawn by lot, does not see all of the determinisation, a part of the iterations
    takes another one instead, which agrees with what that opponent sees.
    """
    verbs.determinize(views[0], searcher, rng, work.position)
    if settings.opponent_determinisation <= 0.0 or not settings.hidden:
        return _OPEN
    opponent, opponents = searcher, 0
    for seat in range(work.result.shape[0]):
        if not (settings.team >> seat) & 1:
            opponents += 1
            if below(rng, opponents) == 0:
                opponent = seat
    if opponents == 0:
        return _OPEN
    view(work.position[0], opponent, work.seen)
    if _equal(work.position_words[0], work.seen_words[0]):
        return _OPEN
    if uniform(rng) >= settings.opponent_determinisation:
        return _SECRET
    verbs.determinize(work.seen[0], opponent, rng, work.position)
    return _BELIEVED


@rule
def _equal(one: Array, other: Array) -> bool:
    for k in range(one.shape[0]):
        if one[k] != other[k]:
            return False
    return True


@rule
def set_off(work: Scratch, views: Records[Position], searcher: int, settings: MctsSettings, rng: Array) -> None:
    """Begins an iteration."""
    work.walk[_KIND] = _set_out(work, views, searcher, settings, rng)
    work.walk[_LENGTH], work.walk[PASSED] = 0, NONE


@rule
def descend(
    tree: Tree, work: Scratch, searcher: int, settings: MctsSettings, rng: Array, answered: bool = False
) -> bool:
    """Plays on until work.position is a question (true), or the game has its result (false).

    What are the priors of the moves there, and, if the descent ends there, what will the result be? Once `answer` has
    taken the answer and said so, the descent goes on with `answered`.
    """
    s, walk = work.position[0], work.walk
    who, n, node = int(walk[WHO]), int(walk[COUNT]), int(walk[NODE])
    while True:
        if not answered:
            who = int(verbs.actor(s))
            if who == TERMINAL:
                verbs.returns(s, work.result)
                return False
            if who == CHANCE:
                verbs.apply(s, int(verbs.draw(s, rng)))
                continue
            n = int(verbs.legal(s, work.legal))
            if n == 1:
                verbs.apply(s, int(work.legal[0]))
                continue
            walk[WHO], walk[COUNT], walk[NODE], walk[_MISSING], walk[LEAF] = who, n, NONE, n, 1
            if walk[_LENGTH] == work.path.shape[0]:
                return True
            key = _key_of(work, settings, who, searcher)
            slot = _slot_of(tree, key)
            node = int(tree.slots[slot])
            if node == NONE:
                walk[NODE] = _note(tree, slot, key)
                walk[LEAF] = 0 if walk[_LENGTH] == 0 else 1
                return True
            walk[NODE], walk[LEAF] = node, 0
            if tree.first[node] == NONE:
                return True
            missing = _match_edges(tree, node, work, n)
            if missing > 0:
                walk[_MISSING] = missing
                if _has_room(tree, node, missing):
                    return True
        answered = False
        e = int(_select(tree, work, n, settings, rng))
        if e == NONE:  # no legal action has an edge
            walk[LEAF] = 1
            return True
        work.path[walk[_LENGTH], 0], work.path[walk[_LENGTH], 1] = e, who
        walk[_LENGTH] += 1
        walk[PASSED] = node
        verbs.apply(s, int(tree.action[e]))


@rule
def answer(tree: Tree, work: Scratch) -> bool:
    """Takes the answer, work.weights of the legal actions; true if the descent goes on below the node."""
    node, n, missing = int(work.walk[NODE]), int(work.walk[COUNT]), int(work.walk[_MISSING])
    if node != NONE and _has_room(tree, node, missing):
        _add_edges(tree, node, work, n, missing)
    return bool(work.walk[LEAF] == 0 and node != NONE and tree.first[node] != NONE)


@kernel
def grow(
    tree: Tree, work: Scratch, views: Records[Position], searcher: int, weights: Array, settings: MctsSettings,
    rng: Array, iterations: int,
) -> None:  # fmt: skip
    """Adds iterations from the searcher's view; rng is `uint64[2]`, weights those of the evaluation.

    One determinisation, one descent, one roll-out, and its result added along the way.
    """
    s = work.position[0]
    for _ in range(iterations):
        set_off(work, views, searcher, settings, rng)
        answered = False
        while descend(tree, work, searcher, settings, rng, answered):
            answered = work.walk[LEAF] == 0
            if answered:
                verbs.prior(s, work.legal, int(work.walk[COUNT]), work.weights)
                answered = answer(tree, work)
            if not answered:
                roll_out(s, settings.mode, settings.depth, weights, rng, work.legal, work.weights, work.result)
                break
        finish(tree, work, settings)


@rule
def find_among(tree: Tree, work: Scratch, searcher: int, settings: MctsSettings) -> int:
    """The node of work.position, where somebody must act, or -1 if it has none with edges."""
    who = verbs.actor(work.position[0])
    node = int(tree.slots[_slot_of(tree, _key_of(work, settings, who, searcher))])
    if node != NONE and tree.first[node] == NONE:
        return NONE
    return node


@kernel
def find_node(tree: Tree, work: Scratch, searcher: int, settings: MctsSettings) -> int:
    """`find_among` for Python."""
    return int(find_among(tree, work, searcher, settings))
