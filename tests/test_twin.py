"""The compiled games play what their plain twins play, decision by decision."""

import dataclasses
import itertools
from collections import Counter

import pytest

from tests.lockstep import Difference, Setting, covering, is_possible, play
from tests.twins import ADAPTERS
from tests.twins import schwimmen as schwimmen_twin

SETTINGS = [
    pytest.param(game, setting, id=f"{game}-{number}-{setting.players}p-{setting.episode}")
    for game, adapter in ADAPTERS.items()
    for number, setting in enumerate(adapter.settings())
]


@pytest.mark.parametrize(("game", "setting"), SETTINGS)
def test_game_and_twin_agree_at_every_decision(game, setting):
    play(ADAPTERS[game], setting)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "setting"), SETTINGS)
def test_game_and_twin_agree_in_ten_times_as_many_games(game, setting):
    size = len(setting.seeds)
    for part in range(1, 11):
        start = setting.seeds.start + 10**9 + part * size
        play(ADAPTERS[game], dataclasses.replace(setting, seeds=range(start, start + size)))


EVENTS = 5


@pytest.mark.parametrize(("game", "setting"), SETTINGS)
def test_a_history_holds_what_the_twin_says_that_every_seat_saw(game, setting):
    play(ADAPTERS[game], first_games(setting, 0.05), history=EVENTS)


def first_games(setting: Setting, share: float) -> Setting:
    """The setting with fewer of its games: those that come first, the same in every run."""
    count = max(3, int(share * len(setting.seeds)))
    return dataclasses.replace(setting, seeds=setting.seeds[:count])


@pytest.mark.parametrize("game", ADAPTERS)
def test_every_kind_of_event_is_among_the_games_compared(game):
    seen: Counter[str] = Counter()
    for setting in ADAPTERS[game].settings():
        seen += play(ADAPTERS[game], first_games(setting, 0.05))
    assert set(seen) == ADAPTERS[game].TO_BE_SEEN, seen


@pytest.mark.parametrize("game", ADAPTERS)
def test_the_settings_are_many_and_cover_every_number_of_players(game):
    settings = ADAPTERS[game].settings()
    games: Counter[str] = Counter()
    for setting in settings:
        games[setting.episode] += len(setting.seeds)
    assert games["round"] >= 20_000
    assert games["match"] >= 500
    rules = type(settings[0].rules)
    everyone = set(range(rules.MIN_PLAYERS, rules.MAX_PLAYERS + 1))
    for episode in ("round", "match"):
        assert {s.players for s in settings if s.episode == episode} == everyone
    seeds = list(itertools.chain.from_iterable(setting.seeds for setting in settings))
    assert len(set(seeds)) == len(seeds)


@pytest.mark.parametrize("game", ADAPTERS)
def test_every_pair_of_switch_values_meets_in_some_setting(game):
    """A switch of few values takes all of them; one of many takes those its adapter lists."""
    settings = ADAPTERS[game].settings()
    switches = {
        field.name: field.metadata["allowed"]
        for field in dataclasses.fields(settings[0].rules)
        if field.name != "pack" and len(field.metadata["allowed"]) <= 3
    }
    rules = type(settings[0].rules)
    switches["players"] = range(rules.MIN_PLAYERS, rules.MAX_PLAYERS + 1)
    met = set()
    for setting in settings:
        values = {**setting.rules.to_dict(), "players": setting.players}
        row = [(name, values[name]) for name in sorted(switches)]
        met.update(itertools.combinations(row, 2))
    for a, b in itertools.combinations(sorted(switches), 2):
        for x, y in itertools.product(switches[a], switches[b]):
            if is_possible(lambda pair={a: x, b: y}: rules_for(rules, **pair)):
                assert ((a, x), (b, y)) in met


def rules_for(rules, players=None, **switches):
    """Return rules with these switches, for so many players if a number is given."""
    made = rules(**switches)
    if players is not None:
        made.check_players(players)
    return made


def test_a_covering_meets_every_pair():
    factors = {"a": (0, 1, 2), "b": "xy", "c": (True, False), "d": range(5)}
    rows = covering(factors)
    for a, b in itertools.combinations(factors, 2):
        found = {(row[a], row[b]) for row in rows}
        assert found == set(itertools.product(factors[a], factors[b]))
    assert len(rows) < 25


def test_a_covering_has_possible_rows_alone_and_every_pair_that_they_can_have():
    factors = {"a": range(3), "b": range(3), "c": range(2)}
    rows = covering(factors, possible=lambda row: row["a"] >= row["b"])
    assert all(row["a"] >= row["b"] for row in rows)
    for a, b in itertools.product(range(3), range(3)):
        assert ((a, b) in {(row["a"], row["b"]) for row in rows}) == (a >= b)
    assert len({(row["b"], row["c"]) for row in rows}) == 6


def test_a_difference_is_told_with_its_seed_and_the_shortest_prefix(monkeypatch):
    """A twin that forgets to set the passes back after an exchange is found out at once."""
    after_exchange = schwimmen_twin.Watched._after_exchange

    def forgetful(self, seat):
        passes = self._passes
        after_exchange(self, seat)
        self._passes = passes

    monkeypatch.setattr(schwimmen_twin.Watched, "_after_exchange", forgetful)
    settings = schwimmen_twin.settings()
    setting = next(s for s in settings if s.style == "uniform" and s.rules.max_laps > 1)
    with pytest.raises(Difference) as caught:
        play(schwimmen_twin, setting)
    message = str(caught.value)
    prefix = message.split("actions: ")[1]
    assert "seed " in message
    assert "players, " in message
    assert prefix.index("pass") < prefix.index("swap")  # it takes a pass, then an exchange
    assert "passes of seat 0: twin 1, game 0" in message
