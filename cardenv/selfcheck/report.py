"""What a self-check has found."""

from dataclasses import dataclass, field

from cardenv.scene import counted
from cardenv.selfcheck.setting import BrokenPromise


@dataclass
class Report:
    """Which promises hold.

    Attributes:
        game: the game's name.
        tables: the kinds of table that were played, in words.
        games: random games at each of them.
        seed: the seed of the first game at each.
        promises: what was to be checked: a sentence for each name.
        broken: by name, the first fault that was found.
        unchecked: by name, why a promise was not checked, or not to the end.
        notes: by name, what was left out of a check.
    """

    game: str
    tables: list[str]
    games: int
    seed: int
    promises: dict[str, str]
    broken: dict[str, BrokenPromise] = field(default_factory=dict)
    unchecked: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether no promise is broken."""
        return not self.broken

    @property
    def held(self) -> list[str]:
        """The names of the promises that were checked and hold."""
        return [
            name for name in self.promises if name not in self.broken and name not in self.unchecked
        ]

    def lines(self) -> list[str]:
        """Return the report as lines of text: a line a promise, faults with how to see them."""
        lines = [
            f"{self.game}: {self.games} random games at each of "
            f"{counted(len(self.tables), 'kind')} of table, seed {self.seed}"
        ]
        for name, sentence in self.promises.items():
            if name in self.broken:
                error = self.broken[name]
                lines += [f"broken       {name:11} {error.what}", f"{'':25}at {error.place}"]
                lines.append(f"{'':25}again: {error.again}")
            elif name in self.unchecked:
                lines.append(f"not checked  {name:11} {self.unchecked[name]}")
            else:
                note = f" ({self.notes[name]})" if name in self.notes else ""
                lines.append(f"holds        {name:11} {sentence}{note}")
        return lines

    def check(self) -> None:
        """Raise the first ``BrokenPromise``, if there is one."""
        for error in self.broken.values():
            raise error
