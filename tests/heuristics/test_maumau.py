"""Mau-Mau: ``greedy`` is the yardstick clause by clause, and what the expert surely does."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardenv.cards import RANKS_PER_SUIT
from cardenv.games.maumau import (
    ACE,
    CALL_MAU,
    CARD_OF,
    DRAW,
    END,
    JACK,
    LAY_JACK,
    LAY_KING,
    Rules,
)
from cardenv.table import Tables
from tests.heuristics.choosing import acts, choice
from tests.rules.maumau_scene import Round, wished

Watch = Callable[[Tables, NDArray[np.int64], NDArray[np.int64]], None]


def play_out(name: str, tables: Tables, watch: Watch) -> None:
    """Let a heuristic play all seats of all tables; show every choice before it is carried out."""
    while (which := np.flatnonzero(tables.turn >= 0)).size:
        actions = acts(name, tables, which)
        watch(tables, which, actions)
        tables.step(actions, which)


def dealt(players: int, count: int, **switches: Any) -> Tables:
    """Return freshly dealt tables."""
    tables = Tables("maumau", count, players, rules=Rules(**switches), episode="round")
    tables.reset(seed=players)
    return tables


# --- The yardstick ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("top", "hand", "expected"),
    [
        ("♠10", "♠7 ♠8 ♠9 ♠K ♠A", "♠A"),
        ("♠10", "♠7 ♠8 ♠9 ♦A ♥A", "♠9"),
        ("♠10", "♠8 ♠7 ♦9 ♥9 ♣9", "♠8"),
        ("♠9", "♠K ♠Q ♠10 ♦8 ♦7", "♠10"),  # ten points each: the lowest action
        ("♠9", "♠K ♠Q ♦8 ♦7 ♥7", "♠Q"),
        ("♦Q", "♣Q ♥Q ♦10 ♠A ♥8", "♦10"),
        ("♠K", "♠10 ♥K ♦8 ♦7 ♥7", "♥K"),
    ],
)
def test_greedy_lays_the_fitting_card_with_the_most_points(
    top: str, hand: str, expected: str
) -> None:
    assert choice("greedy", Round(hand, "", top=top)) == expected


def test_greedy_takes_the_king_of_hearts_by_the_number_of_its_action() -> None:
    """Where he names a suit, his actions come after those of all other cards."""
    hand = "♠10 ♥K ♦8 ♦7 ♥7"
    assert choice("greedy", Round(hand, "", top="♠K", king_wish=True)) == "♠10"


@pytest.mark.parametrize(
    ("top", "hand", "expected"),
    [
        ("♠10", "♠J ♠7 ♦9 ♥9 ♣9", "♠7"),
        ("♠10", "♠J ♦J ♠8 ♥9 ♣9", "♠8"),
        ("♠10", "♣J ♥J ♥9 ♥8 ♣9", "♥J→♥"),  # the lowest action
        ("♠10", "♣J ♦9 ♥8 ♣9 ♣8", "♣J→♣"),
    ],
)
def test_greedy_lays_a_jack_only_if_nothing_else_fits(top: str, hand: str, expected: str) -> None:
    assert choice("greedy", Round(hand, "", top=top)) == expected


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("♠J ♥9 ♥Q ♣8 ♦8", "♠J→♥"),
        ("♠J ♣9 ♥Q ♣8 ♦8", "♠J→♣"),
        ("♠J ♣9 ♥Q ♦8", "♠J→♦"),  # one each: the lowest suit
        ("♣J ♣9 ♥9", "♣J→♥"),  # besides that card
        ("♣J ♣9 ♣8 ♥9", "♣J→♣"),
        ("♥J ♣J ♣9 ♥8", "♥J→♣"),  # another jack counts
        ("♥J ♣J", "♥J→♣"),
    ],
)
def test_greedy_wishes_the_suit_it_holds_most_of_besides_the_jack(hand: str, expected: str) -> None:
    assert choice("greedy", Round(hand, "", top="♠10")) == expected


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("♣J ♣J ♥9 ♦9", "♣J→♦"),  # one of each
        ("♣J ♣J ♣9 ♥9", "♣J→♣"),
        ("♦J ♣9 ♣9 ♥9 ♥8", "♦J→♥"),
        ("♦J ♣9 ♣9 ♣8 ♥9 ♥8", "♦J→♣"),
    ],
)
def test_greedy_counts_equal_cards_of_two_packs(hand: str, expected: str) -> None:
    assert choice("greedy", Round(hand, "", top="♠10", decks=2)) == expected


def test_greedy_wishes_likewise_with_the_king_of_hearts() -> None:
    for hand, expected in (
        ("♥K ♠9 ♠8 ♣8", "♥K→♠"),
        ("♥K ♥7 ♠8 ♦9", "♥K→♦"),
        ("♥K ♣9 ♠8", "♥K→♠"),
    ):
        assert choice("greedy", Round(hand, "", top="♥9", king_wish=True)) == expected


def test_greedys_last_card_names_its_own_suit() -> None:
    assert choice("greedy", Round("♠J", "", top="♦9", hand_size=1)) == "♠J→♠"
    scene = Round("♥K", "", top="♥9", hand_size=1, king_wish=True)
    assert choice("greedy", scene) == "♥K→♥"


def test_greedy_draws_only_if_nothing_fits() -> None:
    assert choice("greedy", Round("♦9 ♥8 ♣7", "", top="♠10")) == "draw"
    assert choice("greedy", Round("♦9 ♥8 ♠7", "", top="♠10")) == "♠7"
    assert choice("greedy", wished("♥", "♦9 ♣8 ♠7")) == "draw"
    assert choice("greedy", wished("♥", "♦9 ♣8 ♥7")) == "♥7"


def test_greedy_takes_only_if_it_has_no_seven() -> None:
    assert choice("greedy", Round("♠7 ♠9", "♥7 ♠A", top="♠10").play("♠7")) == "♥7"
    assert choice("greedy", Round("♠7 ♠9", "♠J ♠A", top="♠10").play("♠7")) == "draw"


def test_greedy_goes_on_after_an_ace_whenever_something_fits() -> None:
    scene = Round("♠A ♥A ♥7 ♣8", "", top="♠10").play("♠A")
    assert "end" in scene.legal
    assert choice("greedy", scene) == "♥A"
    scene.play("♥A")
    assert choice("greedy", scene) == "♥7"
    assert choice("greedy", Round("♠A ♥J ♣8", "", top="♠10").play("♠A")) == "♥J→♣"


@pytest.mark.parametrize("play_after_draw", ["drawn", "any"])
def test_greedy_goes_on_after_a_draw_whenever_something_fits(play_after_draw: str) -> None:
    scene = Round("♦9 ♥8 ♣7", "", top="♠10", talon="♠8", play_after_draw=play_after_draw)
    scene.play("draw")
    assert "end" in scene.legal
    assert choice("greedy", scene) == "♠8"


def test_greedy_calls_mau_whenever_it_may() -> None:
    scene = Round("♠9 ♦9", "", top="♠10", mau_call="action")
    assert choice("greedy", scene) == "mau"
    assert choice("greedy", scene.play("mau")) == "♠9"
    assert choice("greedy", Round("♦9 ♥8", "", top="♠10", mau_call="action")) == "draw"


@pytest.mark.parametrize("switches", [{}, {"play_after_draw": "any", "mau_call": "action"}])
def test_greedy_draws_ends_and_lays_jacks_only_where_nothing_else_is_legal(
    switches: dict[str, str],
) -> None:
    seen = set()

    def watch(tables: Tables, which: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        masks = tables.masks[which]
        assert not masks[(actions == DRAW) | (actions == END), :DRAW].any()
        jacks = (actions >= LAY_JACK) & (actions < LAY_KING)
        assert not masks[jacks, :LAY_JACK].any()
        assert (actions[masks[:, CALL_MAU] == 1] == CALL_MAU).all()
        seen.update(actions.tolist())

    play_out("greedy", dealt(4, 500, **switches), watch)
    assert DRAW in seen
    assert END not in seen


# --- The expert ---------------------------------------------------------------------------------


def hand_of(tables: Tables, table: int) -> list[int]:
    """Return the deciding seat's cards, one by one."""
    held = tables.layout.view(tables.observations[table])["hand"]
    return [card for card in range(len(held)) for _ in range(held[card])]


def wins_at_once(hand: list[int], laid: set[int]) -> bool:
    """Tell whether the whole hand can be laid in one turn among more than two players.

    Args:
        hand: the cards.
        laid: those of them that may be laid first.
    """
    for card in laid:
        rest = list(hand)
        rest.remove(card)
        if not rest:
            return True
        suit, rank = divmod(card, RANKS_PER_SUIT)
        fits = {
            other
            for other in rest
            if suit == other // RANKS_PER_SUIT or other % RANKS_PER_SUIT in (rank, JACK)
        }
        if rank == ACE and wins_at_once(rest, fits):
            return True
    return False


@pytest.mark.parametrize(("players", "decks"), [(3, 1), (5, 1), (4, 2)])
def test_the_expert_wins_at_once_by_aces_where_it_can(players: int, decks: int) -> None:
    sure: dict[int, int] = {}
    chains = set()

    def watch(tables: Tables, which: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        for table in which.tolist():
            seat = int(tables.turn[table])
            assert sure.get(table, seat) == seat, "the turn ended without the win"
            laid = {int(CARD_OF[action]) for action in np.flatnonzero(tables.masks[table, :DRAW])}
            hand = hand_of(tables, table)
            if table not in sure and wins_at_once(hand, laid):
                sure[table] = seat
                if len(hand) > 1:
                    chains.add(table)

    tables = dealt(players, 1500, decks=decks)
    play_out("expert", tables, watch)
    assert len(chains) > 100
    assert len(sure) == tables.count
    assert all(tables.score[table, seat] == 1 for table, seat in sure.items())


@pytest.mark.parametrize(
    ("top", "hand", "players"),
    [
        ("♠10", "♠A ♥A ♥9", 3),
        ("♠10", "♥9 ♥A ♣A ♠A", 4),
        ("♠10", "♠A ♥J", 3),
        ("♠10", "♠8 ♦8 ♦9", 2),
        ("♠10", "♦8 ♠8 ♦A ♣A ♣Q", 2),
        ("♥10", "♥K ♥A ♠A ♠9", 2),
        ("♠K", "♥K ♣J", 2),
    ],
)
@pytest.mark.parametrize("switches", [{}, {"mau_call": "action", "king_wish": True}])
def test_the_expert_lays_its_whole_hand_in_one_go(
    top: str, hand: str, players: int, switches: dict[str, Any]
) -> None:
    """By aces, and between two players by eights and the king of hearts too."""
    scene = Round(hand, *[""] * (players - 1), top=top, **switches)
    while not scene.over:
        assert scene.turn == 0
        scene.play(choice("expert", scene))
    assert scene.scores[0] == 1


def test_the_expert_wins_between_two_by_the_king_of_hearts_and_another_king() -> None:
    """Where he names no suit, a king fits on him."""
    scene = Round("♥K ♠K", "", top="♥10")
    assert choice("expert", scene) == "♥K"
    assert choice("expert", scene.play("♥K")) == "♠K"
    assert scene.play("♠K").over


@pytest.mark.parametrize(
    ("players", "switches"),
    [
        (2, {}),
        (3, {"king_wish": True}),
        (5, {"jack_on_jack": False, "play_after_draw": "any"}),
        (8, {"decks": 2, "king_wish": True}),
    ],
)
def test_the_expert_wishes_no_suit_of_which_it_holds_nothing(
    players: int, switches: dict[str, Any]
) -> None:
    wishes = 0

    def watch(tables: Tables, which: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        nonlocal wishes
        for table, action in zip(which.tolist(), actions.tolist(), strict=True):
            if LAY_JACK <= action < DRAW:
                rest = hand_of(tables, table)
                rest.remove(int(CARD_OF[action]))
                assert not rest or action & 3 in {card // RANKS_PER_SUIT for card in rest}
                wishes += 1

    play_out("expert", dealt(players, 400, **switches), watch)
    assert wishes > 100


def test_the_expert_calls_mau_whenever_it_may() -> None:
    calls = 0

    def watch(tables: Tables, which: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        nonlocal calls
        may = tables.masks[which, CALL_MAU] == 1
        assert (actions[may] == CALL_MAU).all()
        calls += int(may.sum())

    play_out("expert", dealt(3, 400, mau_call="action"), watch)
    assert calls > 400


@pytest.mark.parametrize(
    ("hand", "expected"), [("♠7 ♠Q", "♠7"), ("♠8 ♠Q", "♠8"), ("♣A ♠8", "♠8"), ("♠9 ♠7", "♠7")]
)
def test_the_expert_stops_a_neighbour_who_holds_one_card(hand: str, expected: str) -> None:
    scene = Round("♠10 ♦10", "♦9 ♥9", hand, top="♠K").play("♠10", "draw")
    assert scene.sizes[0] == 1
    assert choice("expert", scene) == expected


def test_the_expert_draws_seldom_where_something_fits() -> None:
    draws = choices = 0

    def watch(tables: Tables, which: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        nonlocal draws, choices
        free = tables.masks[which, :DRAW].any(axis=1) & (tables.masks[which, DRAW] == 1)
        draws += int((actions[free] == DRAW).sum())
        choices += int(free.sum())

    for players in (3, 4, 5):
        play_out("expert", dealt(players, 500), watch)
    assert 0 < draws < choices / 20, f"{draws} of {choices}"


def test_the_expert_uses_every_action_that_there_is() -> None:
    used, legal = set(), set()

    def watch(tables: Tables, which: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        used.update(actions.tolist())
        legal.update(np.flatnonzero(tables.masks[which].any(axis=0)).tolist())

    for players, switches in (
        (2, {}),
        (4, {"king_wish": True, "mau_call": "action", "play_after_draw": "any"}),
        (5, {"mau_call": "action"}),
    ):
        play_out("expert", dealt(players, 1500, **switches), watch)
    assert len(legal) == 51  # a jack's plain number is none
    assert used == legal
