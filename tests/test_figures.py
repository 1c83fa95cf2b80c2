"""Figures of play are what the plain twins count, seat by seat and at every moment."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from cardenv import games
from cardenv.figures import COMMON_FIGURES, Figure
from cardenv.seats import COMMON_TALLIES
from cardenv.table import Tables
from tests.cases import EPISODES, GAMES, every_game, players_of, short_rules, spread
from tests.lockstep import Lockstep, Setting
from tests.reference import maumau as maumau_twin
from tests.reference import mow as mow_twin
from tests.reference import schwimmen as schwimmen_twin
from tests.test_registry import module_with
from tests.test_twin import SETTINGS, first_games
from tests.twins import ADAPTERS, maumau, mow, schwimmen


class Counting:
    """What the three counting twins share: a count of each seat under each name."""

    tallies: tuple[str, ...]

    def __init__(self, players: int, *args: Any) -> None:
        self.tally = np.zeros((players, len(self.tallies)), np.int64)
        super().__init__(players, *args)

    def count(self, name: str, seats: Sequence[int], numbers: Sequence[int] | int = 1) -> None:
        """Count a number at each of some different seats."""
        self.tally[list(seats), self.tallies.index(name)] += np.array(numbers, np.int64)


class Schwimmen(Counting, schwimmen.Watched):
    """31's twin: a round is lost by who loses a life, and won by the best of those spared."""

    tallies = games.get("schwimmen").tallies

    def step(self, action: int) -> None:
        seat = self.current_player()
        super().step(action)
        if action == schwimmen_twin.STOP:
            self.count("stops", [seat])
            self.count("stop_laps", [seat], self.facts(seat)["laps"][seat])

    def _lay_down(self, seat: int) -> None:
        self.count("lay_downs", [seat])
        super()._lay_down(seat)

    def _score(self, losers: list[int]) -> None:
        seats = self._seats_in()
        hands = {
            seat: schwimmen_twin.value_of(self._hands[seat], self._rules.aces_value)
            for seat in seats
        }
        self.count("rounds", seats)
        self.count("final_half_points", seats, [hands[seat] for seat in seats])
        spared = [seat for seat in seats if seat not in losers]
        best = max((hands[seat] for seat in spared), default=None)
        self.count("rounds_won", [seat for seat in spared if hands[seat] == best])
        super()._score(losers)

    def _take_lives(self, losers: list[int]) -> list[int]:
        self.count("rounds_lost", losers)
        return super()._take_lives(losers)


class Mow(Counting, mow.Watched):
    """Mow's twin: every fly comes from the hand or from a clear, which was a must or was not."""

    tallies = games.get("mow").tallies

    def _clear(self, seat: int) -> None:
        kind = "voluntary" if self._laying_actions(seat) else "forced"
        self.count(f"{kind}_clears", [seat])
        self.count(f"{kind}_flies", [seat], mow_twin.flies_in(self._row_cards()))
        super()._clear(seat)

    def _count_flies(self) -> list[int]:
        everybody = range(self._players)
        self.count("hand_flies", everybody, [mow_twin.flies_in(hand) for hand in self._hands])
        flies = super()._count_flies()
        losers = [seat for seat in everybody if flies[seat] == max(flies)]
        winners = [seat for seat in everybody if flies[seat] == min(flies)]
        self.count("rounds", everybody)
        self.count("rounds_lost", losers)
        self.count("rounds_won", [seat for seat in winners if seat not in losers])
        return flies


class MauMau(Counting, maumau.Watched):
    """Mau-Mau's twin: its turns are counted as they begin."""

    tallies = games.get("maumau").tallies

    def _deal(self) -> None:
        self._begun = 0
        super()._deal()

    def _begin_turn(self, seat: int) -> None:
        self._begun += 1
        super()._begin_turn(seat)

    def _end_round(self, winners: list[int]) -> None:
        losers = [seat for seat in range(self._players) if seat not in winners]
        hands = [self._hands[seat] for seat in losers]
        self.count("rounds", range(self._players))
        self.count("rounds_won", winners)
        self.count("rounds_lost", losers)
        self.count("turns_to_win", winners, self._begun)
        self.count("cards_left", losers, [len(hand) for hand in hands])
        self.count("points_left", losers, [maumau_twin.points_of(hand) for hand in hands])
        super()._end_round(winners)


COUNTING = {schwimmen.GAME: Schwimmen, mow.GAME: Mow, maumau.GAME: MauMau}


@pytest.fixture(autouse=True)
def _twins_that_count(monkeypatch):
    for game, counting in COUNTING.items():
        monkeypatch.setattr(ADAPTERS[game], "Watched", counting)


def play_and_compare(game: str, setting: Setting) -> np.ndarray[Any, Any]:
    """Play all games of a setting beside their twins; return the tallies at their ends."""
    lockstep = Lockstep(ADAPTERS[game], setting)
    while lockstep.live.size:
        lockstep.step()
        tally = lockstep.tables.rows["tally"]
        assert not tally[:, setting.players :].any()
        for table in lockstep.moved:
            expected, found = lockstep.twins[table].tally, tally[table, : setting.players]
            if not np.array_equal(found, expected):
                columns = np.flatnonzero((found != expected).any(axis=0))
                raise lockstep.difference(
                    table,
                    (
                        f"{COUNTING[game].tallies[k]}: twin {expected[:, k]}, game {found[:, k]}"
                        for k in columns
                    ),
                )
    return lockstep.tables.rows["tally"][:, : setting.players]


@pytest.mark.parametrize(("game", "setting"), SETTINGS)
def test_every_seats_tally_is_its_twins_at_every_decision(game, setting):
    play_and_compare(game, first_games(setting, 0.1))


@pytest.mark.parametrize(("game", "episode"), [*itertools.product(GAMES, EPISODES)])
def test_everything_that_is_counted_happens_in_the_games_compared(game, episode):
    settings = [each for each in ADAPTERS[game].settings() if each.episode == episode]
    tallies = [
        play_and_compare(game, first_games(each, 0.03)).sum(axis=(0, 1)) for each in settings
    ]
    assert np.all(sum(tallies) > 0), dict(zip(games.get(game).tallies, sum(tallies), strict=True))
    assert all(tally[0] > 0 for tally in tallies)


# --- What a figure is -----------------------------------------------------------------------------


def test_a_figure_divides_sums_and_knows_its_unit():
    names = ("rounds", "points", "more")
    figure = Figure("points a round", "half-points", ("points", "more"), ("rounds",), scale=0.5)
    tally = np.array([[[2, 30, 1], [4, 0, 0]], [[0, 0, 0], [1, 5, 5]]], np.int32)
    above, below = figure.parts(tally, names)
    assert above.tolist() == [[15.5, 0], [0, 5]]
    assert below.tolist() == [[2, 4], [0, 1]]
    assert figure.parts(tally.sum(axis=(0, 1)), names) == (20.5, 7)


@every_game
def test_a_game_lists_what_all_count_first_and_makes_each_figure_of_what_it_counts(game):
    game = games.get(game)
    assert game.tallies[: len(COMMON_TALLIES)] == COMMON_TALLIES
    assert game.figures[: len(COMMON_FIGURES)] == COMMON_FIGURES
    assert game.state["tally"].shape == (game.module.MAX_PLAYERS, len(game.tallies))
    assert game.state["tally"].base == np.int32
    for names in (game.tallies, [figure.name for figure in game.figures]):
        assert len({*names}) == len(names)
    used = {name for figure in game.figures for name in (*figure.of, *figure.per)}
    assert used == {*game.tallies}
    assert all(len(figure.meaning.split()) >= 3 for figure in game.figures)


@every_game
def test_a_round_is_won_or_lost_by_somebody_and_not_both_by_one(game):
    tables = played_out(game, "round", short_rules(game), 500)
    rounds, won, lost = np.moveaxis(tables.rows["tally"][:, : tables.players, :3], -1, 0)
    assert (rounds == 1).all()
    assert (won + lost <= 1).all()
    assert (won + lost).any(axis=1).all()
    assert (
        lost == (tables.rows["lost"][:, None] >> np.arange(tables.players, dtype="u8") & 1)
    ).all()


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"TALLIES": ("one",)}, "make it with state(..., tallies=TALLIES)"),
        (
            {"FIGURES": (Figure("share", "a share of it", ("nothing",), ("rounds",)),)},
            "'share' is made of 'nothing'",
        ),
    ],
)
def test_a_game_that_counts_what_it_has_no_place_for_is_refused(parts, said):
    with pytest.raises(ValueError, match=r"^[^\n]+$") as caught:
        games.register(module_with(**parts))
    assert said in str(caught.value)


def test_a_game_may_count_nothing_of_its_own():
    state = np.dtype([("tally", "i4", (4, len(COMMON_TALLIES)))])
    module = module_with(TALLIES=(), FIGURES=(), STATE=state)
    game = games.Game(module)
    assert (game.tallies, game.figures) == (COMMON_TALLIES, COMMON_FIGURES)


# --- Who sees it, and how long it lasts -----------------------------------------------------------


def played_out(game: str, episode: str, rules: Any, count: int) -> Tables:
    """Return tables whose episodes are over, played by uniform legal actions."""
    tables = Tables(game, count, players_of(game)[0] + 1, rules=rules, episode=episode)
    tables.reset(seed=3)
    generator = np.random.default_rng(3)
    while (live := np.flatnonzero(tables.turn >= 0)).size:
        masks = tables.masks[live]
        tables.step((generator.random(masks.shape) * masks).argmax(axis=1), live)
    return tables


@spread(episode=EPISODES)
def test_a_finished_episode_keeps_its_tally_until_reset(game, episode):
    tables = played_out(game, episode, short_rules(game), 20)
    assert tables.rows["tally"][..., 0].any(axis=1).all()
    kept = tables.rows["tally"][10:].copy()
    tables.reset(np.arange(10))
    assert not tables.rows["tally"][:10].any()
    assert np.array_equal(tables.rows["tally"][10:], kept)


@spread(episode=EPISODES)
def test_nobody_observes_the_tally(game, episode):
    tables = Tables(game, 50, players_of(game)[1], rules=short_rules(game), episode=episode)
    tables.reset(seed=4)
    tables.play_randomly(30)
    seats = np.tile(np.arange(tables.players), 50)
    which = np.repeat(np.arange(50), tables.players)
    before = tables.observe(seats, which), tables.states()
    tables.rows["tally"] += np.random.default_rng(5).integers(
        1, 10**6, tables.rows["tally"].shape, np.int32
    )
    assert np.array_equal(tables.observe(seats, which), before[0])
    assert np.array_equal(tables.states(), before[1])


@every_game
def test_a_round_that_an_illegal_action_breaks_off_is_not_counted(game):
    tables = Tables(game, 1, 3, illegal="lose")
    tables.reset(seed=6)
    tables.step(np.array([int(np.flatnonzero(tables.masks[0] == 0)[0])]))
    assert tables.turn[0] < 0
    assert not tables.rows["tally"][..., 0].any()
