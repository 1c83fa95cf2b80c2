"""Tables of a game's switches and presets, made of the fields of its ``Rules``."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import griffe

from building.markdown import code, table
from cardenv.rules import GameRules, RulesError

Rules = type[GameRules]


def switch_table(rules: Rules) -> str:
    """Return a row a switch: what it may be, what it is by default, and what it decides."""
    rows = [
        (code(field.name), _allowed(field), _default(field), _meaning(rules, field))
        for field in dataclasses.fields(rules)
    ]
    return table(("switch", "values", "default", "what it decides"), rows)


def preset_table(rules: Rules) -> str:
    """Return a row a preset: what it changes."""
    rows = [
        (code(name), code(*(f"{key}={value}" for key, value in changes.items())) or "the defaults")
        for name, changes in rules.PRESETS.items()
    ]
    return table(("preset", "switches"), rows)


def players_in_words(rules: Rules) -> str:
    """Return how many can play, and with which switches more can."""
    least, most = rules.MIN_PLAYERS, rules().most_players
    more = [
        f"to {changed.most_players} with `{word}`"
        for word, changed in _changes(rules)
        if changed.most_players > most
    ]
    return ", ".join([f"{least} to {most}", *more])


def _changes(rules: Rules) -> Iterator[tuple[str, GameRules]]:
    """Yield the rules with one switch changed: to each of its values, of a range to its ends."""
    for field in dataclasses.fields(rules):
        allowed = field.metadata.get("allowed", ())
        for value in (allowed[0], allowed[-1]) if isinstance(allowed, range) else allowed:
            try:
                changed: dict[str, Any] = {field.name: value}
                yield f"{field.name}={value}", rules(**changed)
            except RulesError:  # this value is possible only together with others
                continue


def _allowed(field: dataclasses.Field[Any]) -> str:
    allowed = field.metadata.get("allowed")
    if allowed is None:
        return "card numbers"
    if isinstance(allowed, range):
        return f"{allowed[0]} to {allowed[-1]}"
    return code(*allowed)


def _default(field: dataclasses.Field[Any]) -> str:
    return code(field.default) if field.default != () else "all cards"


def _meaning(rules: Rules, field: dataclasses.Field[Any]) -> str:
    """Return a switch's meaning; of a field that is no switch, what its class says of it."""
    if "meaning" in field.metadata:
        meaning: str = field.metadata["meaning"]
        return meaning
    for each in rules.__mro__:
        for section in griffe.Docstring(each.__doc__ or "").parse("google"):
            if section.kind is griffe.DocstringSectionKind.attributes:
                for attribute in section.value:
                    if attribute.name == field.name:
                        return str(attribute.description)
    raise ValueError(f"no docstring of {rules.__module__}.Rules says what {field.name} is.")
