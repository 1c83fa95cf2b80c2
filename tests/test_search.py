"""Players that search: what a choice depends on, what it is worth, what it may take."""

import importlib
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

import agents
import cardenv
from agents import heuristics, ismcts, montecarlo, search, worlds
from agents.policies import policies_of
from agents.search import Budget, MonteCarlo, Search, Thought, TreeSearch
from cardenv import games
from cardenv.compiling import bind, cached, compiled
from cardenv.envs.learner import LearnerTables
from cardenv.envs.registration import gymnasium_id
from cardenv.games.schwimmen import Rules as RulesOf31
from cardenv.players import PlayerError, Searcher, ask, choose, player_for
from cardenv.rules import GameRules
from cardenv.table import Tables
from experiments.evaluate import Settings, evaluate
from tests.cases import GAMES, every_game, maker, short_rules
from tests.lockstep import drawn_actions
from tests.particulars import PARTICULARS
from tests.rules import maumau_scene, schwimmen_scene
from tests.scenes import Scene
from tests.test_registry import SOURCE

FIRST = np.arange(1)
UNLIKELY = 0.0001
"""Chance alone lets a mean differ from the true one so much less often than so."""
WORDS = ("mc:6", "mc:6:random", "ismcts:30", "ismcts:30:random")
SWITCHES = {
    "schwimmen": ("stop_after=none",),
    "mow": ("latecomer=unlimited",),
    "maumau": ("decks=2", "king_wish=True", "play_after_draw=any"),
}
TABLES = ("2 players", "letter", "switches", "match")

every_table = pytest.mark.parametrize("kind", TABLES)
every_word = pytest.mark.parametrize("word", WORDS)
every_search = pytest.mark.parametrize("kind_of_search", [MonteCarlo, TreeSearch])


def tables_of(game: str, kind: str, count: int) -> Tables:
    """Return tables of one of the kinds in ``TABLES``."""
    rules: dict[str, Any] = {
        "letter": "letter",
        "switches": ("common", *SWITCHES.get(game, ())),
        "match": short_rules(game),
    }
    return Tables(
        *(game, count, 2 if kind == "2 players" else 4),
        rules=rules.get(kind),
        episode="match" if kind == "match" else "round",
    )


def positions(game: str, kind: str, count: int = 24) -> tuple[Tables, NDArray[np.int64]]:
    """Return tables at all stages of random and expert play, and those with a choice to make."""
    tables = tables_of(game, kind, count)
    tables.reset(seed=3)
    players = [agents.load(word, game) for word in ("random", "expert")]
    stages = 6 * tables.players
    for step in range(stages):
        moving = np.flatnonzero((tables.turn >= 0) & (np.arange(count) * 5 % stages > step))
        if moving.size:
            tables.step(choose(players, moving % 2, tables, moving), moving)
    which = np.flatnonzero((tables.turn >= 0) & (tables.masks.sum(axis=1) > 1))
    assert which.size > count / 4
    return tables, which


def think(word: str, tables: Tables, which: NDArray[np.int64] = FIRST) -> Thought:
    """Return what a search makes of tables."""
    return agents.load(word, tables.game).think(tables, which)


def assert_same(one: Thought, other: Thought) -> None:
    assert np.array_equal(one.choices, other.choices)
    assert np.array_equal(one.values, other.values, equal_nan=True)
    assert np.array_equal(one.weights, other.weights)


def choice(word: str, scene: Scene) -> str:
    """Return the name of the action that a search takes for the deciding seat."""
    return scene.actions[int(think(word, scene.tables).choices[0])]


def parts_of(game: str) -> dict[str, Any]:
    """Return the functions that a search's loops are bound to."""
    found = games.get(game)
    parts = {**policies_of(found).parts, "is_credible": heuristics.credibility(found)}
    for helper in (worlds.sample_world, ismcts.name_of):
        parts[helper.__name__] = compiled(bind(helper, f"tested_{game}", parts))
    return parts


def bound(template: Callable[..., Any], game: str, name: str = "tested", **parts: Any) -> Any:
    """Return a loop bound to a game, with some functions replaced, from a cache of the tests."""
    sources = {*search._sources(games.get(game)), Path(str(search.__file__))}
    return cached(bind(template, f"{name}_{game}", {**parts_of(game), **parts}), sources)


# --- What a choice depends on ---------------------------------------------------------------------


def hide_otherwise(tables: Tables, which: NDArray[np.int64], key: int) -> bool:
    """Draw anew what the deciding seats cannot know; return whether any hand has changed.

    The episode's key stays, which a choice may depend on: it is all its chance.
    """
    rows = tables.rows[which]
    hands = rows["hand"].copy()
    keys = np.arange(len(which), dtype=np.uint64) + np.uint64(key)
    tables.kernels.resample(rows, tables.record, rows["turn"].astype(np.int64), keys)
    rows["key"] = tables.rows["key"][which]
    tables.rows[which] = rows
    return bool((rows["hand"] != hands).any())


def depends_on_hidden_cards(player: Search, tables: Tables, which: NDArray[np.int64]) -> bool:
    """Tell whether a thought changes in any way when hidden cards do."""
    before = player.think(tables, which)
    for key in (1000, 2000):
        assert hide_otherwise(tables, which, key), "nothing was hidden"
        after = player.think(tables, which)
        pairs = zip(before, after, strict=True)
        if not all(np.array_equal(one, other, equal_nan=True) for one, other in pairs):
            return True
    return False


@every_game
@every_table
@every_word
def test_hidden_cards_change_neither_choice_nor_values_nor_weights(game, kind, word):
    tables, which = positions(game, kind)
    assert not depends_on_hidden_cards(agents.load(word, game), tables, which)


def copy_world(row: Any, rules: Any, key: Any, number: int, world: Any) -> None:
    """Take the true row for a sampled world: what no search may do."""
    world[0] = row[0]


def key_of_its_own(row: Any, rules: Any, key: Any, number: int, world: Any) -> None:
    """Take the true row, but not its future."""
    world[0] = row[0]
    world[0].key = key


@pytest.mark.bulk
@pytest.mark.parametrize("peek", [copy_world, key_of_its_own])
@pytest.mark.parametrize(
    ("game", "word"), [("schwimmen", "mc:6"), ("mow", "mc:6"), ("maumau", "ismcts:30:random")]
)
def test_a_search_that_peeks_would_be_found(game, word, peek, monkeypatch):
    def cheating(_: Any, template: Any) -> Any:
        cheat = compiled(bind(peek, f"cheating_{game}", {}))
        return bound(template, game, peek.__name__, sample_world=cheat)

    monkeypatch.setattr(search, "_kernel", cheating)
    tables, which = positions(game, "2 players")
    assert depends_on_hidden_cards(agents.load(word, game), tables, which)


@every_game
@every_table
def test_thinking_changes_no_table(game, kind):
    tables, which = positions(game, kind)
    before = tables.state_dict()
    for word in WORDS:
        think(word, tables, which)
    assert all(np.array_equal(before[name], now) for name, now in tables.state_dict().items())


@every_game
@every_table
def test_a_thought_is_the_same_in_any_batch_and_order_alone_or_at_once(game, kind):
    tables, which = positions(game, kind)
    order = np.random.default_rng(1).permutation(which.size)
    for word in WORDS:
        player = agents.load(word, game)
        together = player.think(tables, which)
        turned = player.think(tables, which[order])
        assert_same(turned, Thought(*(part[order] for part in together)))
        for place in range(0, which.size, 5):
            alone = player.think(tables, which[place : place + 1])
            assert_same(alone, Thought(*(part[place : place + 1] for part in together)))


@every_game
def test_a_thought_depends_on_the_episodes_seed(game):
    tables, which = positions(game, "2 players")
    before = think("mc:6:random", tables, which)
    tables.rows["key"] += np.uint64(1)
    after = think("mc:6:random", tables, which)
    assert not np.array_equal(before.values, after.values, equal_nan=True)


@every_game
@pytest.mark.parametrize("word", ["mc:120:random", "ismcts:120"])
@pytest.mark.parametrize("samples_a_call", [1, 7, 120])
def test_samples_are_the_same_in_many_calls_as_in_one(game, word, samples_a_call, monkeypatch):
    tables, which = positions(game, "letter", 12)
    expected = think(word, tables, which)
    monkeypatch.setattr(search, "SAMPLES_A_CALL", samples_a_call)
    assert_same(think(word, tables, which), expected)


# --- The best action is found ---------------------------------------------------------------------

strong_searches = pytest.mark.parametrize("word", ["mc:200", "mc:200:random", "ismcts:1000"])


@strong_searches
@pytest.mark.parametrize("players", [2, 4])
def test_the_last_card_is_laid_if_it_fits(word, players):
    scene = maumau_scene.Round("♥9", *[""] * (players - 1), top="♥Q", hand_size=1)
    assert scene.legal == {"♥9", "draw"}
    assert choice(word, scene) == "♥9"
    thought = think(word, scene.tables)
    assert thought.values[0, scene.actions.index("♥9")] == 1


@strong_searches
@pytest.mark.parametrize("players", [2, 4])
def test_an_ace_is_laid_first_and_wins_with_the_card_after_it(word, players):
    """The other order would give the turn away."""
    scene = maumau_scene.Round("♥A ♥9", *[""] * (players - 1), top="♥Q")
    assert choice(word, scene) == "♥A"
    assert choice(word, scene.play("♥A")) == "♥9"
    assert scene.play("♥9").over


@strong_searches
def test_mau_is_called_if_forgetting_costs_the_game(word):
    scene = maumau_scene.Round(
        *("♥A ♥9", "", ""), top="♥Q", mau_call="action", mau_penalty=10, hand_size=2
    )
    assert "mau" in scene.legal
    assert choice(word, scene) == "mau"


@strong_searches
@pytest.mark.parametrize("players", [2, 4])
def test_the_card_that_makes_31_is_taken(word, players):
    scene = schwimmen_scene.Round(
        *("♦9 ♥10 ♠Q", "♣A ♣K ♦7", "♥7 ♠8 ♣J", "♠7 ♣8 ♦J")[:players],
        pile="♣10 ♥K ♠9",
        dealer=0,
    ).play("keep")
    assert scene.turn == 1
    chosen = choice(word, scene)
    taken = scene.play(chosen)
    assert taken.over
    assert taken.scores[1] == max(taken.scores) > 0


@strong_searches
def test_a_hand_of_31_is_laid_down_and_not_held(word):
    scene = schwimmen_scene.Round(
        *("♦9 ♥10 ♠Q", "♣A ♣K ♦7"), pile="♣10 ♥K ♠9", dealer=0, reveal="choice"
    )
    scene.play("keep").swap("♦7", "♣10")
    assert scene.legal == {"lay down", "hold"}
    assert choice(word, scene) == "lay down"


def values_of(
    tables: Tables,
    best: Callable[[Sequence[float]], float],
    worth: Callable[[float], float] = float,
) -> dict[int, float]:
    """Return what each action is worth to the deciding seat, by playing out all that may follow.

    Args:
        tables: a single table of two players at which nothing is hidden and nothing left to chance.
        best: makes one value of those of a decision's actions, as its own seat sees them.
        worth: makes a value of the first seat's score of the round.
    """
    known: dict[bytes, float] = {}

    def first_seats_value() -> float:
        if tables.turn[0] < 0:
            return worth(tables.score[0, 0])
        row = tables.rows.copy()
        name = b"".join(row[field].tobytes() for field in row.dtype.names)
        if name not in known:
            sign = 1 if tables.turn[0] == 0 else -1
            known[name] = sign * best([sign * value for value in after_each().values()])
        tables.rows[:] = row
        return known[name]

    def after_each() -> dict[int, float]:
        row, actions = tables.rows.copy(), np.flatnonzero(tables.masks[0])
        found = {}
        for action in actions.tolist():
            tables.rows[:] = row
            tables.step_one(0, action)
            found[action] = first_seats_value()
        return found

    before = tables.state_dict()
    sign = 1 if tables.turn[0] == 0 else -1
    found = {action: sign * value for action, value in after_each().items()}
    tables.load_state_dict(before)
    return found


def open_position(game: str, seed: int, left: int) -> Tables:
    """Return a table of two players who know all cards, with so many decisions left at most."""
    if game == "mow":
        pack = np.random.default_rng(seed).permutation(48)[:10]
        rules: GameRules = games.get(game).rules(pack=tuple(sorted(pack.tolist())))
        moves = 10 - left
    else:
        rules = RulesOf31(pack=tuple(range(3, 32, 3))[:9], max_laps=1, reveal="choice")
        moves = 3 - left
    tables = Tables(game, 1, 2, rules=rules, episode="round")
    tables.reset(seed=seed)
    for _ in range(moves):
        if tables.turn[0] >= 0:
            tables.step(drawn_actions(tables, FIRST, np.ones(tables.masks.shape[1]).tolist()))
    return tables


def open_positions(game: str, count: int, left: int) -> list[Tables]:
    """Return such tables at which there is a choice to make, and which one matters."""
    found: list[Tables] = []
    for seed in range(1000):
        tables = open_position(game, seed, left)
        if tables.turn[0] >= 0 and tables.masks.sum() > 1:
            values = values_of(tables, max).values()
            if max(values) > min(values):
                found.append(tables)
        if len(found) == count:
            return found
    raise AssertionError("too few positions")


@pytest.mark.parametrize(
    ("game", "word", "left"),
    [
        ("mow", "mc:200", 6),
        ("mow", "ismcts:1000", 6),
        ("schwimmen", "mc:200", 1),
        ("schwimmen", "mc:200:random", 1),
        ("schwimmen", "ismcts:1000", 2),
    ],
)
def test_where_all_cards_are_known_a_choice_is_as_good_as_exhaustive_search(game, word, left):
    for tables in open_positions(game, 12, left):
        values = values_of(tables, max)
        chosen = int(think(word, tables).choices[0])
        assert values[chosen] == pytest.approx(max(values.values()))


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def assert_plausible(found: float, expected: float, square: float, samples: int) -> None:
    """Assert that a mean of so many samples could have come out so.

    Args:
        found: the mean.
        expected: the true one.
        square: the true mean of squares.
        samples: how many.
    """
    error = np.sqrt(max(square - expected**2, 0) / samples)
    assert abs(found - expected) <= norm.isf(UNLIKELY / 2) * error + 1e-9


@pytest.mark.parametrize(("game", "left"), [("mow", 6), ("schwimmen", 2)])
def test_values_of_random_playouts_converge_to_the_mean_over_all_that_may_follow(game, left):
    samples = 2000
    for tables in open_positions(game, 6, left):
        expected, squares = values_of(tables, mean), values_of(tables, mean, np.square)
        thought = think(f"mc:{samples}:random", tables)
        assert set(expected) == set(np.flatnonzero(np.isfinite(thought.values[0])))
        for action, value in expected.items():
            assert_plausible(thought.values[0, action], value, abs(squares[action]), samples)


# --- A game from outside --------------------------------------------------------------------------


@pytest.fixture
def high_card(tmp_path, monkeypatch):
    """The notebook's game, which has no heuristics."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(games, "_games", dict(games._games))
    (tmp_path / "searched_card.py").write_text(SOURCE.replace('"high_card"', '"searched_card"'))
    module = importlib.import_module("searched_card")
    cardenv.register(module)
    yield "searched_card"
    del sys.modules["searched_card"]


def exact_values(card: int, cards: int) -> tuple[float, float]:
    """Return what keeping and swapping are worth to the first of two, by all that may follow."""
    others = [other for other in range(cards) if other != card]
    keep, swap = [], []
    for other in others:
        for top in set(others) - {other}:
            keep += [np.sign(card - other), np.sign(card - top)]
            swap.append(np.sign(top - other))
            swap.append(mean([np.sign(top - x) for x in set(others) - {other, top}]))
    return mean(keep), mean(swap)


@pytest.mark.bulk
def test_a_game_without_heuristics_is_searched_by_random_playouts(high_card):
    samples, cards = 4000, 6
    tables = Tables(high_card, 12, 2, rules=games.get(high_card).rules(pack=tuple(range(cards))))
    tables.reset(seed=1)
    own = tables.rows["card"][np.arange(12), tables.turn]
    assert len(set(own)) > 3
    thought = think(f"mc:{samples}", tables, np.arange(12))
    tree = think("ismcts:2000", tables, np.arange(12))
    for table, card in enumerate(own.tolist()):
        exact = exact_values(card, cards)
        for action, value in enumerate(exact):
            assert_plausible(thought.values[table, action], value, 1.0, samples)
        if abs(exact[0] - exact[1]) > 0.2:
            assert thought.choices[table] == np.argmax(exact)
            assert tree.choices[table] == np.argmax(exact)
    with pytest.raises(PlayerError, match=r"does not have; give one of random\."):
        agents.load("mc:20:expert", high_card)


@pytest.mark.parametrize(
    ("which", "said"),
    [(4, "0 to 3"), (-1, "0 to 3"), ([0, 9], "0 to 3"), (1.5, "0 to 3"), ("x", "0 to 3"), (2, "2")],
)
def test_a_search_is_asked_only_about_tables_that_somebody_has_to_decide_at(which, said):
    tables = Tables("mow", 4, 2)
    tables.reset(seed=1)
    tables.rows["turn"][2] = -1
    with pytest.raises(ValueError, match=said):
        agents.load("mc:2:random", "mow").think(tables, which)


# --- Monte Carlo ----------------------------------------------------------------------------------


def scores_by_world(tables: Tables, table: int, samples: int) -> tuple[NDArray[Any], int]:
    """Return ``mc``'s score of each legal action in each world, and the policy's own action."""
    player = agents.load("mc:1", tables.game)
    kernel = search._kernel(tables.game, MonteCarlo.template)
    (key,) = tables.play_keys(np.array([table]))
    *arguments, legal = player._position(tables, table, key)
    found = np.zeros((samples, len(legal)))
    for world in range(samples):
        sums = np.zeros((3, len(legal)))
        usual = kernel(*arguments, world, 1, -1, sums)
        found[world] = sums[0]
    return found[:, legal], int(np.flatnonzero(np.flatnonzero(legal) == usual)[0])


@every_game
def test_on_the_same_worlds_differences_vary_less_than_on_separate_ones(game):
    tables, which = positions(game, "letter")
    paired, separate = 0.0, 0.0
    for table in which[:8].tolist():
        scores, usual = scores_by_world(tables, table, 60)
        others = np.delete(scores, usual, axis=1)
        paired += (others - scores[:, [usual]]).var(axis=0).sum()
        separate += others.var(axis=0).sum() + others.shape[1] * scores[:, usual].var()
    print(f"{game}: variance of differences in pairs / on separate worlds {paired / separate:.2f}")
    assert paired < separate


@every_game
@pytest.mark.parametrize("caution", [0.0, 2.0])
def test_an_action_is_taken_over_the_policys_own_only_if_it_is_surely_ahead(
    game, caution, monkeypatch
):
    monkeypatch.setattr(search, "CAUTION", caution)
    tables, which = positions(game, "letter")
    thought = think("mc:30", tables, which)
    deviated = 0
    for place, table in enumerate(which[:10].tolist()):
        scores, usual = scores_by_world(tables, table, 30)
        gains = scores - scores[:, [usual]]
        ahead = gains.mean(axis=0) - caution * gains.std(axis=0, ddof=1) / np.sqrt(30)
        chosen = np.flatnonzero(tables.masks[table]).tolist().index(thought.choices[place])
        assert np.allclose(thought.values[place][tables.masks[table] == 1], scores.mean(axis=0))
        assert ahead[chosen] == pytest.approx(max(ahead.max(), 0))
        assert chosen == usual or ahead[chosen] > 0
        deviated += chosen != usual
    assert deviated < 10


@pytest.mark.parametrize(
    ("gains", "caution", "expected"),
    [
        ([1, 1, 1, 1], 2.0, 1.0),
        ([1], 2.0, 1.0),  # of a single world there is no error
        ([1, -1] * 50, 0.0, 0.0),
        ([2, 0] * 50, 2.0, 1 - 2 / np.sqrt(99)),
        ([-3] * 10, 2.0, -3.0),
    ],
)
def test_what_is_surely_ahead_is_the_mean_less_some_standard_errors(gains, caution, expected):
    sums = np.array([[0.0], [sum(gains)], [sum(gain * gain for gain in gains)]])
    assert montecarlo.surely_ahead(sums, len(gains), caution) == pytest.approx([expected])


# --- Tree search ----------------------------------------------------------------------------------


@pytest.fixture
def trees(monkeypatch):
    """The trees of the searches that follow, with room for so many nodes as ``room`` says."""
    grown: list[ismcts.Tree] = []
    room: dict[str, int] = {}
    new_tree = ismcts.new_tree

    def kept(nodes: int, actions: int) -> ismcts.Tree:
        grown.append(new_tree(room.get("nodes", nodes), actions))
        return grown[-1]

    monkeypatch.setattr(ismcts, "new_tree", kept)
    return grown, room


@every_game
@pytest.mark.parametrize("kind", ["2 players", "switches"])
def test_every_iteration_visits_the_root_and_values_are_scores(game, kind, trees):
    tables, which = positions(game, kind)
    thought = think("ismcts:150", tables, which)
    for tree in trees[0]:
        assert tree.visits[0].sum() == tree.moments[0] == 150
        size = int(tree.size[0])
        assert 1 <= size <= 150
        assert len(np.unique(tree.names[:size])) == size
        assert (tree.visits[:size].sum(axis=1) > 0).all()
        assert tree.totals[0].sum() == pytest.approx(tree.moments[1])
    assert thought.weights.sum(axis=1) == pytest.approx(1)
    assert (thought.weights[tables.masks[which] == 0] == 0).all()
    assert np.isnan(thought.values[tables.masks[which] == 0]).all()
    assert np.nanmax(np.abs(thought.values)) <= 1
    assert (thought.choices == thought.weights.argmax(axis=1)).all()


@every_game
@pytest.mark.parametrize("nodes", [1, 3])
def test_a_full_tree_is_searched_on(game, nodes, trees):
    tables, which = positions(game, "letter", 12)
    trees[1]["nodes"] = nodes
    thought = think("ismcts:100", tables, which)
    assert tables.masks[which, thought.choices].all()
    for tree in trees[0]:
        assert tree.size[0] <= nodes
        assert tree.visits[0].sum() == 100
    assert any(tree.size[0] == nodes for tree in trees[0])


def test_a_node_is_found_by_its_name_until_the_tree_is_full():
    tree = ismcts.new_tree(3, 2)
    same_place = [np.uint64(5 + (tree.slots.size << shift)) for shift in range(3)]
    for number, name in enumerate(same_place):
        assert ismcts.find(tree, name) == number
        ismcts.add_node(tree, number, 1)
        assert [ismcts.find(tree, known) for known in same_place[: number + 1]] == list(
            range(number + 1)
        )
    assert ismcts.find(tree, np.uint64(77)) == -1
    assert not tree.visits.any()


def name_it(row: Any, rules: Any, observation: Any) -> Any:
    """Name the node of a row."""
    return name_of(row, rules, observation)  # noqa: F821, bound below


@every_game
@every_table
def test_equal_observations_are_one_node_and_different_ones_are_not(game, kind):
    tables, which = positions(game, kind, 60)
    naming = bound(name_it, game)
    buffer = np.zeros(tables.layout.size, np.uint8)

    def names() -> list[int]:
        return [int(naming(tables.rows[table], tables.record[0], buffer)) for table in which]

    def observed() -> list[bytes]:
        turns = tables.turn[which].astype(np.int64)
        seen = tables.observe(turns, which)
        return [bytes([turn]) + row.tobytes() for turn, row in zip(turns, seen, strict=True)]

    before, seen = names(), observed()
    assert hide_otherwise(tables, which, 7)
    assert (names(), observed()) == (before, seen)
    assert len(set(before)) == len(set(seen)) > 10


# --- Budgets --------------------------------------------------------------------------------------


@pytest.fixture
def taken(monkeypatch):
    """How many samples each call of a kernel has taken."""
    counts: list[int] = []
    kernel_of = search._kernel

    def counted(game: Any, template: Any) -> Any:
        kernel = kernel_of(game, template)

        def call(*arguments: Any) -> Any:
            counts.append(arguments[8])
            return kernel(*arguments)

        return call

    monkeypatch.setattr(search, "_kernel", counted)
    return counts


@every_game
@pytest.mark.parametrize("kind", ["mc", "ismcts"])
def test_a_time_is_spent_and_more_time_takes_more_samples(game, kind, taken):
    tables, which = positions(game, "letter", 12)
    think(f"{kind}:1", tables, which[:1])  # compiled by now
    samples = []
    for milliseconds in (5, 50):
        taken.clear()
        before = time.thread_time()
        think(f"{kind}:{milliseconds}ms", tables, which[:1])
        spent = 1000 * (time.thread_time() - before)
        samples.append(sum(taken))
        assert milliseconds <= spent < milliseconds + 40
        assert set(taken) == {search.SAMPLES_A_LOOK}
    assert samples[1] > 2 * samples[0]


@pytest.mark.parametrize("kind", ["mc", "ismcts"])
@pytest.mark.parametrize("samples", [1, 99, 100, 101, 250])
def test_a_number_of_samples_is_taken_exactly(kind, samples, taken):
    tables, which = positions("mow", "2 players", 12)
    think(f"{kind}:{samples}", tables, which[:1])
    assert sum(taken) == samples
    assert max(taken) <= search.SAMPLES_A_CALL


def test_a_budget_of_samples_is_split_without_gap_or_overlap():
    rounds = list(Budget(samples=250).rounds())
    assert [place for first, taken in rounds for place in range(first, first + taken)] == [
        *range(250)
    ]


# --- Words ----------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize(
    "word",
    [
        *("mc", "mc:", "mc:0", "mc:-5", "mc:1e3", "mc:2.5", "mc:ms", "mc:20 ms", "mc:20s", "mc:+5"),
        *("mc: 5", "mc:05", "mc:200:", "mc:200:nobody", "mc:200:expert:more", "mc:200:expert:"),
        *(
            "mc:200:mc:5",
            "mc:9999999999",
            "mc:٣",
            "mc:5\n",
            "ismcts",
            "ismcts:ms",
            "ismcts::random",
        ),
    ],
)
def test_a_word_that_cannot_be_is_refused_in_one_sentence(game, word):
    with pytest.raises(PlayerError) as caught:
        agents.load(word, game)
    said = str(caught.value)
    assert repr(word) in said
    assert "\n" not in said
    assert said.endswith(".")
    kind = word.split(":")[0]
    allowed = (f"give {kind}:200 for a number", f"give one of {', '.join(agents.names(game))}.")
    assert any(words in said for words in allowed)


@every_game
@pytest.mark.parametrize(
    ("word", "budget", "policy"),
    [
        ("mc:200", Budget(samples=200), "expert"),
        ("mc:20ms", Budget(milliseconds=20), "expert"),
        ("ismcts:1000:greedy", Budget(samples=1000), "greedy"),
        ("ismcts:7ms:random", Budget(milliseconds=7), "random"),
    ],
)
def test_a_word_names_search_budget_and_policy(game, word, budget, policy):
    player = agents.load(word, game)
    assert isinstance(player, Searcher)
    assert isinstance(player, TreeSearch if word.startswith("ismcts") else MonteCarlo)
    assert (player.name, player.budget) == (word, budget)
    assert agents.names(game)[player.policy] == policy


def test_a_folder_of_that_name_is_a_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert isinstance(agents.load("mc:200", "mow"), MonteCarlo)
    Path("mc:200").mkdir()
    with pytest.raises(PlayerError, match="mc:200 holds no trained agent"):
        agents.load("mc:200", "mow")


@pytest.mark.parametrize("word", ["mc:5", "ismcts:5"])
def test_tables_of_another_game_are_refused(word):
    for game in GAMES:
        for other in set(GAMES) - {game}:
            with pytest.raises(PlayerError, match=f"plays {game}, not {other}"):
                player_for(agents.load(word, game), Tables(other, 1, 3))


# --- Which worlds are believed --------------------------------------------------------------------


def believes(row: Any, rules: Any, seat: int) -> bool:
    """Ask whether a deal is credible."""
    return is_credible(row, rules, seat)  # noqa: F821, bound below


def is_believed(scene: maumau_scene.Round, seat: int) -> bool:
    asking = bound(believes, "maumau")
    return bool(asking(scene.tables.rows[0], scene.tables.record[0], seat))


def cards(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


SEVEN_AND_EIGHT, SEVENTEEN, NINETEEN, TWENTY_FIVE = (
    cards(0, 17, 24),  # by half-points: 14 or 16 with the best suit
    cards(0, 3, 25),  # the seven and the ten of diamonds, and an eight of clubs: 34
    cards(2, 3, 25),  # 38
    cards(0, 1, 3),  # 50
)


@pytest.mark.parametrize(
    ("hand", "laps", "stops", "known", "believed"),
    [
        (SEVEN_AND_EIGHT, 0, False, 0, True),
        (SEVEN_AND_EIGHT, 1, False, 0, False),
        (SEVENTEEN, 1, False, 0, True),
        (SEVENTEEN, 2, False, 0, False),
        (NINETEEN, 2, False, 0, True),
        (NINETEEN, 2, True, 0, False),
        (TWENTY_FIVE, 2, True, 0, True),
        (SEVENTEEN, 1, False, cards(3), True),
        (SEVENTEEN, 1, False, cards(25), False),  # taken, and of no use
        (SEVEN_AND_EIGHT, 2, True, SEVEN_AND_EIGHT, True),  # all of it is known to be so
    ],
)
def test_a_hand_of_31_is_believed_that_would_have_been_played_so(
    hand, laps, stops, known, believed
):
    tables = Tables("schwimmen", 1, 3)
    tables.reset(seed=1)
    row = tables.rows[0]
    row["laps"][:], row["known"][:], row["stopper"] = 0, 0, 1 if stops else -1
    row["hand"][1], row["laps"][1], row["known"][1] = hand, laps, known
    asking = bound(believes, "schwimmen")
    assert asking(tables.rows[0], tables.record[0], 0) == believed
    assert asking(tables.rows[0], tables.record[0], 1), "the own hand is not judged"


def drew_on_hearts(hand: str, *, talon: str = "♠9", **settings: Any) -> maumau_scene.Round:
    """Seat 1 has drawn on the ♥9 and holds ``hand`` and what it drew; seat 0 is to decide."""
    scene = maumau_scene.Round("♥9 ♦10 ♦Q", hand, top="♥Q", talon=talon, **settings)
    return scene.play("♥9", "draw")


@pytest.mark.parametrize(
    ("hand", "credible"),
    [
        ("♠10 ♣10 ♣K", True),
        ("♥10 ♣10 ♣K", True),  # which may be the card it drew
        ("♥10 ♥8 ♣K", False),
        ("♠9 ♣9 ♣K", False),  # of the rank that was in force
        ("♥10 ♠9 ♣K", False),
        ("♥10 ♠J ♣K", False),  # a jack always fits
    ],
)
def test_who_drew_is_believed_to_hold_one_card_that_fitted_but_not_two(hand, credible):
    assert is_believed(drew_on_hearts(hand, talon="♠8"), 0) == credible


def test_what_somebody_drew_on_is_forgotten_when_he_lays_a_card():
    scene = drew_on_hearts("♥10 ♥8 ♦K").play("draw")
    assert not is_believed(scene, 0)
    assert is_believed(scene.play("♥8"), 0)


def test_the_deciding_seat_itself_is_not_judged():
    scene = drew_on_hearts("♥10 ♥8 ♣K")
    assert is_believed(scene, 1)
    assert not is_believed(scene, 0)


def test_equal_cards_of_two_packs_are_two():
    assert not is_believed(drew_on_hearts("♥10 ♥10 ♣K", decks=2), 0)


def sampled(scene: maumau_scene.Round, number: int) -> maumau_scene.Round:
    """Put a sampled world in the place of the true one."""
    tables = scene.tables
    world, key = tables.rows.copy(), np.uint64(5)
    sample = bound(worlds.sample_world, "maumau")
    sample(tables.rows.copy(), tables.record[0], key, number, world)
    tables.rows[:] = world
    return scene


def test_a_sampled_world_is_a_credible_one_if_one_is_found():
    believed, hands = [], set()
    for number in range(50):
        scene = sampled(drew_on_hearts("♠10 ♣10 ♣K"), number)
        believed.append(is_believed(scene, 0))
        hands.add(tuple(scene.hand(1)))
    assert all(believed)
    assert len(hands) > 40


def test_where_no_world_is_credible_one_is_taken_all_the_same():
    """Seat 1 drew although all that it can hold fitted."""
    scene = maumau_scene.Round("♥9 ♦10 ♦Q", "♥10 ♥8 ♥K", top="♥Q", talon="♥A", only=True)
    scene.play("♥9", "draw")
    assert not is_believed(sampled(scene, 0), 0)
    assert scene.hand(1) == maumau_scene.cards("♥8 ♥10 ♥K ♥A")
    assert choice("mc:5", scene) in scene.legal


# --- Everywhere a player does ---------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("word", ["mc:5", "ismcts:5"])
def test_a_search_is_an_opponent_by_its_name(game, word):
    learner = LearnerTables(game, [word, "greedy", word], 6, episode="round")
    learner.reset(seed=1)
    env = gymnasium.make(
        gymnasium_id(games.get(game)),
        opponents=[word] * 2,
        episode="round",
    )
    _, info = env.reset(seed=1)
    terminated = False
    for _ in range(500):
        if terminated:
            break
        _, reward, terminated, _, info = env.step(int(info["action_mask"].argmax()))
    assert terminated
    assert -1 <= reward <= 1


@every_game
def test_a_search_plays_a_seat_of_the_pettingzoo_environment(game):
    env = maker(game)(num_players=3, episode="round")
    env.reset(seed=1)
    tables = env.unwrapped._tables
    player = player_for("mc:5", tables)
    for agent in env.agent_iter():
        _, _, terminated, _, _ = env.last()
        if terminated:
            env.step(None)
        elif agent == "player_0":
            env.step(int(ask(player, tables, FIRST)[0]))
        else:
            env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert not env.agents


@every_game
def test_searches_are_evaluated_by_their_names(game):
    report = evaluate(
        Settings(game=game, agents=("mc:5", "expert"), players=3, deals=30, seed=1, cores=1)
    )
    assert {agent["name"] for agent in report["agents"]} == {"mc:5", "expert"}


# --- Every decision -------------------------------------------------------------------------------


NEVER_LEGAL = {"maumau": ["lay ♦J", "lay ♥J", "lay ♠J", "lay ♣J"]}
"""Jacks are laid with a wish."""


def positions_of_every_kind(game: str, kind: str) -> tuple[Tables, NDArray[np.int64]]:
    """Return tables in random play, and which show each action legal, or alone, and each seat."""
    tables = tables_of(game, kind, 300)
    tables.reset(seed=5)
    for step in range(40):
        moving = np.flatnonzero((tables.turn >= 0) & (np.arange(300) % 40 > step))
        if moving.size:
            weights = np.ones(tables.masks.shape[1]).tolist()
            tables.step(drawn_actions(tables, moving, weights), moving)
    legal = (tables.masks == 1) & (tables.turn >= 0)[:, None]
    alone = legal & (legal.sum(axis=1, keepdims=True) == 1)
    decides = tables.turn[:, None] == np.arange(tables.players)
    found = np.hstack([legal, alone, decides])
    return tables, np.unique(found.argmax(axis=0)[found.any(axis=0)])


@every_game
def test_every_kind_of_decision_of_every_seat_is_searched(game):
    names = games.get(game).action_names
    seen, seats = np.zeros(len(names), bool), set()
    for kind in TABLES:
        tables, which = positions_of_every_kind(game, kind)
        for word in ("mc:2", "mc:2:random", "ismcts:8", "ismcts:8:random"):
            thought = think(word, tables, which)
            assert tables.masks[which, thought.choices].all()
            assert np.isfinite(thought.values[np.arange(which.size), thought.choices]).all()
            assert thought.weights.sum(axis=1) == pytest.approx(1)
            assert tables.masks[which, agents.load(word, game).act_at(tables, which)].all()
        seen |= tables.masks[which].any(axis=0)
        seats |= set(tables.turn[which].tolist())
    assert [names[place] for place in np.flatnonzero(~seen)] == NEVER_LEGAL.get(game, [])
    assert seats == {0, 1, 2, 3}


@every_game
def test_where_a_single_action_is_legal_it_has_all_the_weight(game):
    tables, _ = positions_of_every_kind(game, "2 players")
    forced = np.flatnonzero((tables.turn >= 0) & (tables.masks.sum(axis=1) == 1))[:10]
    assert (forced.size > 0) == PARTICULARS[game].FORCED
    for word in ("mc:3", "ismcts:20"):
        thought = think(word, tables, forced)
        assert np.array_equal(thought.choices, tables.masks[forced].argmax(axis=1))
        assert np.array_equal(thought.weights, tables.masks[forced])
        assert np.isfinite(thought.values[np.arange(forced.size), thought.choices]).all()


def thoughts(game: str) -> list[list[list[float]]]:
    """Return what searches make of some positions: choices, values, weights; nan as -9."""
    found = []
    for kind in TABLES:
        tables, which = positions(game, kind, 12)
        for word in ("mc:2", "mc:2:random", "ismcts:6", "ismcts:6:random"):
            thought = think(word, tables, which[:2])
            found.append([np.nan_to_num(part, nan=-9).ravel().tolist() for part in thought])
    return found
