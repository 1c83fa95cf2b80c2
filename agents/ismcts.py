"""Information-set Monte Carlo tree search over sampled worlds.

Cowling, Powley, Whitehouse (2012), "Information set Monte Carlo tree search": every iteration
samples a world, descends one tree that all worlds share, adds a node, plays on to the end and notes
the score. A node is what the deciding seat observes, whoever it is: so players choose by what they
know, not by what the sampled world holds. Actions are selected by PUCT (Rosin 2011; Silver and
others 2017): the playouts' policy gives the prior.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardenv.cards import NONE, ONE, PLAY, count, derive, lowest, mix, seal, spread
from cardenv.compiling import compiled, unbound
from cardenv.players import NOBODY

LONGEST_PATH = 128
"""Decisions below the root in one descent; what goes deeper is played on by the policy."""
_PRIME = np.uint64(0x100000001B3)


class Tree(NamedTuple):
    """A search tree, of which node 0 is the root.

    Attributes:
        slots: int32 ``[2**k]``, hash table of node numbers, -1 where there is none.
        names: uint64 ``[nodes]``, a hash of what each node's seat observes.
        usual: int8 ``[nodes]``, the policy's own action.
        visits: int32 ``[nodes, actions]``.
        totals: float64 ``[nodes, actions]``, sums of the deciding seat's scores.
        size: int64 ``[1]``, number of nodes.
        moments: float64 ``[3]``: iterations, sum of the root seat's scores, and of their
            squares.
    """

    slots: NDArray[np.int32]
    names: NDArray[np.uint64]
    usual: NDArray[np.int8]
    visits: NDArray[np.int32]
    totals: NDArray[np.float64]
    size: NDArray[np.int64]
    moments: NDArray[np.float64]


def new_tree(nodes: int, actions: int) -> Tree:
    """Return an empty tree with room for so many nodes."""
    slots = 1 << (2 * nodes - 1).bit_length()
    return Tree(
        np.full(slots, -1, np.int32),
        np.empty(nodes, np.uint64),
        np.empty(nodes, np.int8),
        np.empty((nodes, actions), np.int32),
        np.empty((nodes, actions)),
        np.zeros(1, np.int64),
        np.zeros(3),
    )


legal = step = observe = sample_world = policies = play_on = unbound


def grow(
    row: Any,
    rules: Any,
    seating: Any,
    key: Any,
    scratch: Any,
    observation: Any,
    mask: Any,
    first: int,
    iterations: int,
    tree: Any,
    exploration: float,
    trust: float,
) -> None:
    """Add iterations to the tree of a position.

    Args:
        row: the position, a record of shape ``[1]``; it does not change.
        rules: the table's record, ``[1]``.
        seating: int64 ``[players]``, the number of each seat's policy in the playouts.
        key: generator key of this decision.
        scratch: a row.
        observation: uint8 ``[size]``, a buffer.
        mask: int8 ``[actions]``, a buffer.
        first: number of the first iteration.
        iterations: how many.
        tree: see ``Tree``; changed.
        exploration: weight of the prior, in standard deviations of the score.
        trust: the prior of the policy's own action; the others share the rest.
    """
    nodes, actions = np.empty(LONGEST_PATH, np.int32), np.empty(LONGEST_PATH, np.int8)
    seats = np.empty(LONGEST_PATH, np.int8)
    seat = row[0].turn
    for iteration in range(first, first + iterations):
        sample_world(row, rules[0], key, iteration, scratch)
        world = scratch[0]
        scale, depth, inside = exploration * spread_of(tree.moments), 0, True
        while inside and world.turn >= 0 and depth < LONGEST_PATH:
            legals = legal(world, rules[0])
            if legals & (legals - ONE) == NONE and world.moves > row[0].moves:
                action = lowest(legals)  # only the root is a node although nothing is to choose
            else:
                node = find(tree, name_of(world, rules[0], observation))
                inside = node < tree.size[0] and node >= 0
                if inside:
                    action = select(tree, node, legals, scale, trust)
                else:
                    spread(legals, mask.size, mask, 0)
                    choice_key = seal(derive(world.key, PLAY, world.moves))
                    action = policies(seating[world.turn], observation, mask, choice_key)
                    if node >= 0:
                        add_node(tree, node, action)
                if node >= 0:
                    nodes[depth], actions[depth], seats[depth] = node, action, world.turn
                    depth += 1
            step(world, rules[0], action)
            world.moves += 1
        play_on(world, rules[0], seating, NOBODY, observation, mask)
        for place in range(depth):
            gained = world.score[seats[place]] - row[0].score[seats[place]]
            tree.visits[nodes[place], actions[place]] += 1
            tree.totals[nodes[place], actions[place]] += gained
        note(tree.moments, world.score[seat] - row[0].score[seat])


@compiled
def note(moments: Any, score: float) -> None:
    """Add one iteration's score of the root's seat."""
    moments[0] += 1.0
    moments[1] += score
    moments[2] += score * score


@compiled
def spread_of(moments: Any) -> float:
    """Return the standard deviation of the scores so far, or 1 before there are two."""
    if moments[0] < 2.0:
        return 1.0
    mean = moments[1] / moments[0]
    return np.sqrt(max(moments[2] / moments[0] - mean * mean, 1e-12))


def name_of(row: Any, rules: Any, observation: Any) -> Any:
    """Return a hash of what the deciding seat observes, which is written to ``observation``."""
    for i in range(observation.size):
        observation[i] = 0
    observe(row, rules, row.turn, observation)
    word = np.uint64(row.turn + 1)
    for i in range(observation.size):
        word = (word ^ np.uint64(observation[i])) * _PRIME
    return mix(word)


@compiled
def find(tree: Any, name: Any) -> int:
    """Return a node by its name: its number, or the next free one, or -1 if the tree is full.

    A node that is new is given its place in the table.
    """
    last = tree.slots.size - 1
    place: Any = np.int64(name & np.uint64(last))
    while tree.slots[place] >= 0:
        if tree.names[tree.slots[place]] == name:
            return tree.slots[place]
        place = (place + 1) & last
    if tree.size[0] == tree.names.size:
        return -1
    tree.slots[place] = tree.size[0]
    tree.names[tree.size[0]] = name
    return tree.size[0]


@compiled
def add_node(tree: Any, node: int, usual: int) -> None:
    """Make a node of what ``find`` has given a place."""
    tree.usual[node] = usual
    for action in range(tree.visits.shape[1]):
        tree.visits[node, action] = 0
        tree.totals[node, action] = 0.0
    tree.size[0] += 1


@compiled
def select(tree: Any, node: int, actions: Any, scale: float, trust: float) -> int:
    """Return the legal action of the highest bound; unvisited ones count as the node's mean."""
    visits, total, left = 0, 0.0, actions
    while left != NONE:
        action = lowest(left)
        left &= left - ONE
        visits += tree.visits[node, action]
        total += tree.totals[node, action]
    others = (1.0 - trust) / max(count(actions) - 1, 1)
    weight, mean = scale * np.sqrt(visits), total / max(visits, 1)
    best, best_bound = -1, 0.0
    while actions != NONE:
        action = lowest(actions)
        actions &= actions - ONE
        times = tree.visits[node, action]
        value = tree.totals[node, action] / times if times > 0 else mean
        prior = trust if action == tree.usual[node] else others
        bound = value + weight * prior / (1.0 + times)
        if best < 0 or bound > best_bound:
            best, best_bound = action, bound
    return best
