"""What is told of a decision is what its viewer has seen, and nothing else."""

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from cardenv import games
from cardenv.narration import changes_between, public_names, step_and_tell
from cardenv.scene import HIDDEN, Card, Scene, Zone
from cardenv.table import Tables
from tests.cases import GAMES, every_game, players_of, short_rules
from tests.playing import random_action

GAMES_EACH = 6
FEW = 5


def tables_of(game: str, episode: str = "match", history: int = 0) -> Tables:
    rules = short_rules(game) if episode == "match" else None
    players = players_of(game)[1]
    return Tables(game, 1, players, rules=rules, episode=episode, history=history)


def faces(scene: Scene) -> Counter[str]:
    """Count the open cards that a scene shows."""
    shown = Counter(str(card) for zone in scene.zones for card in zone.cards)
    del shown[str(HIDDEN)]
    return shown


def faces_told(changes: tuple[str, ...]) -> Counter[str]:
    """Count the cards that changes name."""
    return Counter(re.findall(r"[+−](?!\d+ unseen)(\S+)", " ".join(changes)))


@every_game
@pytest.mark.parametrize("episode", ["round", "match"])
def test_no_card_is_named_that_the_viewer_did_not_see(game: str, episode: str) -> None:
    tables, rng, named = tables_of(game, episode), np.random.default_rng(1), 0
    tables.seed(3)
    for _ in range(GAMES_EACH):
        tables.reset()
        while tables.turn[0] >= 0:
            viewer = int(rng.integers(tables.players))
            before = faces(tables.describe(0, viewer))
            event = step_and_tell(tables, random_action(tables.masks[0], rng), viewer)
            seen = before + faces(tables.describe(0, viewer))
            told = faces_told(event.changes)
            named += told.total()
            assert set(told) <= set(seen), event
    assert named


@every_game
def test_others_are_told_of_an_action_what_everybody_sees_of_it(game: str) -> None:
    """The history's ``event_action`` is what everybody sees: actions equal there are told alike."""
    tables, rng = tables_of(game, "round", history=FEW), np.random.default_rng(2)
    names, told_as = public_names(games.get(game)), {}
    tables.seed(4)
    for _ in range(GAMES_EACH):
        tables.reset()
        while tables.turn[0] >= 0:
            seat, action = int(tables.turn[0]), random_action(tables.masks[0], rng)
            event = step_and_tell(tables, action, (seat + 1) % tables.players)
            assert event.action == names[action]
            place = (int(tables.rows["events"][0]) - 1) % tables.history
            seen_as = int(tables.rows["event_action"][0, place])
            assert told_as.setdefault(seen_as, event.action) == event.action
    assert len({*told_as.values()}) == len(told_as), "different sights are told alike"


@every_game
def test_a_hidden_draw_is_told_as_a_number_to_others_and_by_name_to_its_player(game: str) -> None:
    tables, rng, draws = tables_of(game, "round"), np.random.default_rng(3), 0
    twin = tables_of(game, "round")
    for each in (tables, twin):
        each.reset(seed=5)
    while tables.turn[0] >= 0:
        seat, action = int(tables.turn[0]), random_action(tables.masks[0], rng)
        held = faces(only(tables.describe(0, seat), seat))
        own = step_and_tell(tables, action, seat)
        other = step_and_tell(twin, action, (seat + 1) % tables.players)
        drawn = faces(only(tables.describe(0, seat), seat)) - held
        public = faces(tables.describe(0, (seat + 1) % tables.players))
        for face in drawn - public:
            draws += 1
            assert face in faces_told(own.changes)
            assert face not in faces_told(other.changes)
    assert draws or game == GAMES[0], "nobody drew"


def only(scene: Scene, seat: int) -> Scene:
    return Scene(scene.heading, tuple(zone for zone in scene.zones if zone.seat == seat))


@every_game
def test_what_is_told_depends_on_nothing_hidden(game: str) -> None:
    """Deal anew what a viewer cannot know: the same move is told in the same words."""
    tables, rng = tables_of(game, "round"), np.random.default_rng(6)
    twin = tables_of(game, "round")
    tables.seed(7)
    compared = 0
    for number in range(GAMES_EACH * 4):
        tables.reset()
        for _ in range(int(rng.integers(1, 12))):
            if tables.turn[0] >= 0:
                tables.step_one(0, random_action(tables.masks[0], rng))
        if tables.turn[0] < 0:
            continue
        viewer = (int(tables.turn[0]) + 1) % tables.players
        twin.load_state_dict(tables.state_dict())
        twin.kernels.resample(
            twin.rows, twin.record, np.array([viewer]), np.array([number], np.uint64)
        )
        # Where a card lies in a hidden hand is hidden too: an action that names a place means
        # another card in another deal.
        names, seen_as = tables.game.action_names, public_names(tables.game)
        legal = [
            action
            for action in np.flatnonzero(tables.masks[0])
            if is_legal(twin, action) and names[action] == seen_as[action]
        ]
        if not legal:
            continue
        action = int(rng.choice(legal))
        mine, theirs = (step_and_tell(each, action, viewer) for each in (tables, twin))
        if tables.turn[0] >= 0 and twin.turn[0] == tables.turn[0]:
            compared += 1
            assert without_looks(mine.changes) == without_looks(theirs.changes)
            assert mine.action == theirs.action
    assert compared > GAMES_EACH


def is_legal(tables: Tables, action: Any) -> bool:
    legal = int(tables.game.function("legal")(tables.rows[0], tables.record[0]))
    return bool(legal >> int(action) & 1)


def without_looks(changes: tuple[str, ...]) -> list[str]:
    """Leave out what the cards that came into sight are, which the other deal has others of."""
    return [re.sub(r"([+−])\S+", r"\1", change) for change in changes]


def test_the_swap_of_one_card_does_not_tell_its_slot() -> None:
    names = public_names(games.get(GAMES[0]))
    assert len({*names[:9]}) == 1
    assert names[0] == "swap hand ? for middle ?"
    assert names[9:] == games.get(GAMES[0]).action_names[9:]


def test_a_new_round_is_told_without_the_cards_that_are_dealt() -> None:
    rounds = 0
    for game in GAMES:
        tables, rng = tables_of(game), np.random.default_rng(8)
        tables.reset(seed=9)
        while tables.turn[0] >= 0:
            before = int(tables.rows["rounds"][0])
            event = step_and_tell(tables, random_action(tables.masks[0], rng), 0)
            if tables.turn[0] >= 0 and tables.rows["rounds"][0] != before:
                rounds += 1
                assert event.changes[-1] == f"round {before + 1} is over, the next one is dealt"
                assert not faces_told(event.changes)
        assert event.changes[-1] == "the game is over"
    assert rounds


def test_changes_are_told_place_by_place() -> None:
    before = Scene(
        "x",
        (
            Zone("seat 0", (Card("K", "♥"), HIDDEN), ("3 lives",), 0),
            Zone("middle", (Card("9", "♦"),), ("17 left",)),
        ),
    )
    after = Scene(
        "x",
        (
            Zone("seat 0", (HIDDEN, HIDDEN, Card("9", "♦")), ("3 lives", "stopped"), 0),
            Zone("middle", (Card("K", "♥"),), ("14 left",)),
            Zone("gone", (Card("A", "♠"),)),
        ),
    )
    assert [*changes_between(before, after)] == [
        "seat 0 +♦9 +1 unseen −♥K",
        "middle +♥K −♦9",
        "gone +♠A",
        "seat 0: stopped",
    ]
    assert [*changes_between(after, after)] == []
