"""What the screens show beside and below the table, as text."""

from collections.abc import Sequence
from string import ascii_lowercase

import numpy as np
from rich.text import Text

from cardenv.advice import PROBABILITY, TRIED, Advice
from cardenv.games import Game
from cardenv.help import how_to_play, switches
from cardenv.narration import Event
from cardenv.rules import GameRules

LABELS = "123456789" + ascii_lowercase
"""Keys of the legal actions, in their order; what goes beyond is chosen with the arrows."""
SHARES = (PROBABILITY, TRIED)
"""Headings of what is shown in per cent; other columns are scores."""


def labelled(names: Sequence[str]) -> list[str]:
    """Return a line for each name, with its key if there is one for it."""
    keys = [*LABELS, *(" " * len(names))]
    return [f"{key}  {name}" for key, name in zip(keys, names, strict=False)]


def literally(words: str) -> str:
    """Return words that a heading shows as they are; brackets would be taken for markup."""
    return words.replace("[", r"\[")


def events(told: Sequence[Event], names: Sequence[str]) -> Text:
    """Return what has happened, a line a decision; the newest comes last.

    Args:
        told: the decisions.
        names: who sits at each seat.
    """
    lines = [f"{event} ({names[event.seat]})" for event in told]
    return Text("\n".join(lines) or "nothing yet")


def advice(given: Advice, names: Sequence[str], legal: Sequence[int]) -> Text:
    """Return what an agent would do: its choice marked, and what it says of each legal action."""
    width = max(len(names[action]) for action in legal)
    text = Text(f"{given.agent} would: {names[given.choice]}\n", style="bold")
    if given.value is not None:
        text.append(f"expects to score {given.value:+.3f} from here on\n")
    if given.columns:
        headings = "".join(f"{heading:>13}" for heading in given.columns)
        text.append(f"  {'':{width}}{headings}\n", style="dim")
        for action in legal:
            cells = (_cell(heading, given.columns[heading][action]) for heading in given.columns)
            mark = "▸" if action == given.choice else " "
            text.append(f"{mark} {names[action]:{width}}{''.join(cells)}\n")
    text.right_crop(1)
    return text


def _cell(heading: str, value: float) -> str:
    if np.isnan(value):
        return f"{'-':>13}"
    return f"{value:>13.1%}" if heading in SHARES else f"{value:>+13.3f}"


def rules_in_short(game: Game, rules: GameRules) -> Text:
    """Return how a game is played, by which rules, and what each action is called."""
    text = Text(how_to_play(game))
    text.append("\n\nThe rules at this table\n", style="bold")
    text.append("\n".join(switches(rules)))
    text.append("\n\nAll actions\n", style="bold")
    text.append(" · ".join(game.action_names))
    return text
