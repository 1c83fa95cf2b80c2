"""Every promise, and the run that checks them."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from cardenv import games as registry
from cardenv.games import Game
from cardenv.rules import EPISODES, GameRules, RulesError
from cardenv.selfcheck import (
    bounds,
    cards,
    copies,
    episodes,
    leaks,
    masks,
    resampling,
    rewards,
    seeds,
    skins,
)
from cardenv.selfcheck.report import Report
from cardenv.selfcheck.setting import BrokenPromise, NotChecked, Setting, told

_CHECKS = {
    check.__name__.rpartition(".")[2]: check
    for check in (episodes, masks, rewards, cards, seeds, copies, resampling, leaks, skins)
}
_FIRST = "bounds"
"""The promise that is checked before the others, which play compiled code, and at all tables."""

PROMISES: dict[str, str] = {
    _FIRST: bounds.PROMISE,
    **{name: check.PROMISE for name, check in _CHECKS.items()},
}
"""Every promise, as one sentence each."""

Progress = Callable[[int, int, str], None]


def run(
    game: str | Game,
    *,
    games: int = 12,
    seed: int = 0,
    players: Iterable[int] | None = None,
    rules: Iterable[Any] | None = None,
    episodes: Iterable[str] = EPISODES,
    promises: Iterable[str] | None = None,
    history: int = 0,
    progress: Progress | None = None,
) -> Report:
    """Check what a game and its environments promise, and return what was found.

    Args:
        game: a game or its name, also one that ``cardenv.register`` was given.
        games: random games at every kind of table, 2 or more.
        seed: the seed of the first; the others have the numbers after it.
        players: numbers of players; by default the fewest, some between, and the most.
        rules: each as ``Tables`` takes them; by default every preset that differs from others.
        episodes: ``"round"``, ``"match"`` or both.
        promises: names out of ``PROMISES``; all by default.
        history: events that observations end with.
        progress: called with how much is done, how much there is, and words for what is next.

    Raises:
        RulesError: a setting is not possible, or there is no such promise.
    """
    found = registry.get(game)
    wanted = _wanted(promises)
    if isinstance(games, bool) or not isinstance(games, int) or games < 2:
        raise RulesError(f"games={games!r} is not possible; give a whole number from 2 on.")
    settings = [
        Setting(found, number, each, words, episode, seed, games, history)
        for words, each in _rules_of(found, rules)
        for number in _players_of(each, players)
        for episode in _listed("episodes", episodes)
    ]
    for setting in settings:  # what is not possible is refused before anything is checked
        setting.tables(1).seed(seed)
    report = Report(
        found.name, [*map(str, settings)], games, seed, {name: PROMISES[name] for name in wanted}
    )
    tell = progress or (lambda done, total, words: None)
    work = [(setting, name) for setting in settings for name in wanted if name != _FIRST]
    total = len(work) + (_FIRST in wanted)
    if _FIRST in wanted:
        tell(0, total, _FIRST)
        _check(report, settings[0], _FIRST, lambda: bounds.check(settings))
    if _FIRST in report.broken:
        reason = "not before the game can be played as plain Python"
        report.unchecked.update({name: reason for name in wanted if name != _FIRST})
    for done, (setting, name) in enumerate(work, total - len(work)):
        tell(done, total, f"{name}: {setting}")
        if name not in report.broken and name not in report.unchecked:
            _check(report, setting, name, partial(_CHECKS[name].check, setting))
    tell(total, total, "done")
    return report


def _check(report: Report, setting: Setting, name: str, check: Callable[[], str | None]) -> None:
    """Check one promise at one kind of table, and note what comes of it.

    A check can come upon a promise that is not its own: an endless game breaks the one that
    episodes end, whatever was looked for in it.
    """
    try:
        note = check()
    except BrokenPromise as error:
        _note_fault(report, name, error)
    except NotChecked as reason:
        report.unchecked[name] = str(reason)
    except Exception as error:
        fault = setting.broken(name, f"it cannot be checked: {told(error)}")
        fault.__cause__ = error
        _note_fault(report, name, fault)
    else:
        if note:
            report.notes[name] = note


def _note_fault(report: Report, name: str, error: BrokenPromise) -> None:
    report.promises.setdefault(error.promise, PROMISES[error.promise])
    report.unchecked.pop(error.promise, None)
    report.broken.setdefault(error.promise, error)
    if error.promise != name:
        report.unchecked[name] = f"not to the end, since the promise {error.promise!r} is broken"


def _wanted(promises: Iterable[str] | None) -> list[str]:
    """Return names of promises, in the order in which they are checked."""
    names = [*PROMISES] if promises is None else _listed("promises", promises)
    for name in names:
        if name not in PROMISES:
            raise RulesError(f"{name!r} is no promise; there are {', '.join(PROMISES)}.")
    return [name for name in PROMISES if name in names]


def _rules_of(game: Game, given: Iterable[Any] | None) -> list[tuple[str, GameRules]]:
    """Return rules with the words that they were given in: each of the presets by default."""
    if given is None:
        presets: dict[GameRules, str] = {}
        for name in game.rules.PRESETS:
            presets.setdefault(game.rules.preset(name), repr(name))
        return [(words, rules) for rules, words in presets.items()]
    return [(repr(each), game.rules.of(each)) for each in _listed("rules", given)]


def _players_of(rules: GameRules, given: Iterable[int] | None) -> list[int]:
    """Return numbers of players: the fewest, some between and the most by default."""
    if given is not None:
        return [*_listed("players", given)]
    low = rules.MIN_PLAYERS
    high = max(n for n in range(low, rules.most_players + 1) if _can_play(rules, n))
    return sorted({low, (low + high) // 2, high})


def _can_play(rules: GameRules, players: int) -> bool:
    try:
        rules.check_players(players)
    except RulesError:
        return False
    return True


def _listed(name: str, values: Any) -> Sequence[Any]:
    """Return several values as a list; a single one is easily given for it."""
    if isinstance(values, str) or not isinstance(values, Iterable) or not (listed := [*values]):
        raise RulesError(f"{name}={values!r} is no list with something in it; give one.")
    return listed
