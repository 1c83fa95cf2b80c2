"""Rules as a frozen dataclass of validated switches, and as a record of integers for kernels.

A game states each switch once: default, allowed values, meaning. Everything else follows: checks,
the words of the command line, presets, and the structured dtype that compiled code reads.
"""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

EPISODES = ("round", "match")

REWARD_MATCH, REWARD_ROUNDS = range(2)
"""The values of ``reward`` in a record."""


class RulesError(ValueError):
    """A rules value, a player count or another setting is not possible."""


def switch(default: Any, allowed: Sequence[Any], meaning: str) -> Any:
    """State one switch of a game as a dataclass field.

    Args:
        default: the value of preset ``standard``.
        allowed: a tuple of all values, or a ``range`` of integers.
        meaning: the rule's id and what the switch decides.
    """
    return dataclasses.field(default=default, metadata={"allowed": allowed, "meaning": meaning})


@dataclass(frozen=True)
class GameRules(ABC):
    """What the rules of all games share; a game's ``Rules`` adds its own switches.

    Attributes:
        pack: the cards in play, as ascending card numbers; a subset makes a small game.
        reward: what a match pays: its result (``"match"``) or every round's (``"rounds"``).
    """

    PACK_SIZE: ClassVar[int]
    MIN_PLAYERS: ClassVar[int]
    MAX_PLAYERS: ClassVar[int]
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]]

    pack: tuple[int, ...] = ()
    reward: str = switch("match", ("match", "rounds"), "what the reward of a match is")

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            if field.name != "pack":
                value = _checked_value(field, getattr(self, field.name))
                object.__setattr__(self, field.name, value)
        object.__setattr__(self, "pack", self._checked_pack())
        self.check_players(self.MIN_PLAYERS)

    def _checked_pack(self) -> tuple[int, ...]:
        """Return the pack sorted, or all cards where none is given."""
        if isinstance(self.pack, str) or not isinstance(self.pack, Sequence | range):
            raise RulesError(
                f"pack={self.pack!r} is not a list of cards; give card numbers "
                f"from 0 to {self.PACK_SIZE - 1}, or leave it out for all of them."
            )
        cards = tuple(self.pack) or tuple(range(self.PACK_SIZE))
        for card in cards:
            if isinstance(card, bool) or not isinstance(card, int | np.integer):
                raise RulesError(f"pack holds {card!r}; cards are whole numbers.")
            if not 0 <= card < self.PACK_SIZE:
                raise RulesError(
                    f"pack holds {card}; a card of this game is a number "
                    f"from 0 to {self.PACK_SIZE - 1}."
                )
        if len(set(cards)) != len(cards):
            raise RulesError(f"pack={list(cards)} names a card twice; name each card once.")
        return tuple(sorted(int(card) for card in cards))

    @property
    def cards(self) -> tuple[int, ...]:
        """Return all cards of a round in ascending order: the pack, unless a game takes more."""
        return self.pack

    @property
    def most_players(self) -> int:
        """Return how many can play by these rules at most, whatever the pack."""
        return self.MAX_PLAYERS

    @property
    def other_remedies(self) -> str:
        """Say what else than more cards would help, as the end of a sentence."""
        return ""

    @abstractmethod
    def cards_needed(self, players: int) -> int:
        """Return how many cards a deal takes at least."""

    def check_players(self, players: int) -> None:
        """Raise ``RulesError`` unless so many players can play by these rules."""
        low, high = self.MIN_PLAYERS, self.most_players
        if isinstance(players, bool) or not isinstance(players, int | np.integer):
            raise RulesError(f"players={players!r} is not a whole number from {low} to {high}.")
        if not low <= players <= high:
            raise RulesError(f"players={players} is not possible; this game takes {low} to {high}.")
        if self.cards_needed(players) > len(self.cards):
            raise RulesError(
                f"pack has {len(self.cards)} cards, too few for players={players}; "
                f"give at least {self.cards_needed(players)} cards{self.other_remedies}."
            )

    @classmethod
    def from_words(cls, words: Sequence[str]) -> Self:
        """Build rules from command-line words: a preset's name, then ``key=value`` changes.

        Raises:
            RulesError: an unknown preset, switch or value, with what is allowed.
        """
        settings: dict[str, Any] = {}
        fields = {field.name: field for field in dataclasses.fields(cls)}
        for place, word in enumerate(words):
            name, equals, text = word.partition("=")
            if not equals:
                if name in cls.PRESETS and place > 0:
                    raise RulesError(
                        f"the preset {name!r} stands behind {words[0]!r} and would overrule it; "
                        "give one preset, first, and then single switches."
                    )
                if name not in cls.PRESETS:
                    raise RulesError(
                        f"{name!r} is no preset of rules; there are {', '.join(cls.PRESETS)}, "
                        "and single switches are given as key=value."
                    )
                settings.update(cls.PRESETS[name])
            elif name not in fields:
                raise RulesError(
                    f"{name!r} is no switch of these rules; there are {', '.join(fields)}."
                )
            else:
                settings[name] = _parse(fields[name], text)
        return cls(**settings)

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Self:
        """Return a preset with single switches changed."""
        return dataclasses.replace(cls.from_words([name]), **changes)

    @classmethod
    def dtype(cls) -> np.dtype[Any]:
        """Return the record that compiled code reads: the table's shape, then every switch."""
        switches = [(f.name, "i4") for f in dataclasses.fields(cls) if f.name != "pack"]
        head = [("players", "i4"), ("match", "i4"), ("pack", "u8"), ("pack_size", "i4")]
        return np.dtype([*head, *switches], align=True)

    def record(self, players: int, episode: str) -> NDArray[Any]:
        """Return these rules for a table as one record (shape ``[1]``); words become indices.

        Raises:
            RulesError: so many players, or such an episode, cannot be.
        """
        self.check_players(players)
        if episode not in EPISODES:
            raise RulesError(f"episode={episode!r} is not possible; give one of {EPISODES}.")
        record = np.zeros(1, self.dtype())
        record["players"] = players
        record["match"] = episode == "match"
        record["pack"] = np.uint64(sum(1 << card for card in self.pack))
        record["pack_size"] = len(self.cards)
        for field in dataclasses.fields(self):
            if field.name != "pack":
                record[field.name] = _code(field, getattr(self, field.name))
        return record

    @classmethod
    def of(cls, rules: "GameRules | str | Sequence[str] | None") -> "GameRules":
        """Return rules from what a caller may give: rules, a preset's name, words, or nothing.

        Raises:
            RulesError: these are rules of another game, or no rules.
        """
        if rules is None:
            return cls()
        if isinstance(rules, cls):
            return rules
        if isinstance(rules, str):
            return cls.from_words([rules])
        if isinstance(rules, Sequence) and all(isinstance(word, str) for word in rules):
            return cls.from_words(rules)
        raise RulesError(
            f"rules={rules!r} are not rules of this game; give {cls.__module__}.Rules(...), "
            f"the name of a preset ({', '.join(cls.PRESETS)}), or words such as ['letter']."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return every field as JSON can hold it; ``from_dict`` takes it back."""
        return dataclasses.asdict(self) | {"pack": list(self.pack)}

    @classmethod
    def from_dict(cls, switches: Mapping[str, Any]) -> Self:
        """Return rules from what ``to_dict`` gave.

        Raises:
            RulesError: a switch is missing, unknown or out of its range.
        """
        names = [field.name for field in dataclasses.fields(cls)]
        for name in [*switches, *names]:
            if name not in switches or name not in names:
                state = "missing" if name in names else "unknown"
                raise RulesError(f"the switch {name!r} is {state}; rules have {', '.join(names)}.")
        return cls(**switches)


def _checked_value(field: dataclasses.Field[Any], value: Any) -> Any:
    """Return a value that the switch allows, of the same type; raise ``RulesError`` for others."""
    allowed = field.metadata["allowed"]
    same_type = type(value) is type(field.default) or (
        isinstance(value, np.integer) and type(field.default) is int
    )
    if not same_type or value not in allowed:
        raise RulesError(f"{field.name}={value!r} is not possible; allowed is {_words(allowed)}.")
    return int(value) if isinstance(value, np.integer) else value


def _words(allowed: Sequence[Any]) -> str:
    if isinstance(allowed, range):
        return f"a whole number from {allowed[0]} to {allowed[-1]}"
    return " or ".join(repr(value) for value in allowed)


def _parse(field: dataclasses.Field[Any], text: str) -> Any:
    """Turn the text behind ``key=`` into a value of the switch's type."""
    if field.name == "pack":
        try:
            return tuple(int(card) for card in text.split(","))
        except ValueError:
            raise RulesError(
                f"pack={text!r} is not a list of cards; write card numbers with commas, "
                "such as pack=0,1,2."
            ) from None
    if isinstance(field.default, bool):
        return {"true": True, "false": False}.get(text.lower(), text)
    if isinstance(field.default, int):
        try:
            return int(text)
        except ValueError:
            return text
    return text


def _code(field: dataclasses.Field[Any], value: Any) -> int:
    """Return a switch's value as an integer: itself, or its index among the allowed words."""
    return field.metadata["allowed"].index(value) if isinstance(value, str) else int(value)
