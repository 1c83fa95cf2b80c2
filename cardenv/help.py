"""How a game is played, for people: the README's paragraph on it, and the switches at a table."""

import dataclasses
import inspect
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from cardenv.games import Game
from cardenv.rules import GameRules

ROOT = Path(__file__).parent.parent
README, PAGES = ROOT / "README.md", ROOT / "docs" / "games"


def how_to_play(game: Game) -> str:
    """Return the README's paragraph on a game; of a game it does not know, the module's docstring.

    The paragraph begins with ``In **31**``, or whatever the game's title is.
    """
    for paragraph in _readme().split("\n\n"):
        if paragraph.lstrip().startswith(f"In **{game.title}** "):
            return " ".join(paragraph.replace("**", "").split())
    return inspect.getdoc(game.module) or f"{game.title} does not say how it is played."


def rules_page(game: Game) -> str:
    """Return the page of the documentation that has a game's rules in full, as Markdown.

    It is empty where there is none, as where cardenv is installed without its documentation.
    """
    page = PAGES / f"{game.name}.md"
    return page.read_text(encoding="utf-8") if page.is_file() else ""


def switches(rules: GameRules) -> Iterator[str]:
    """Yield each switch of some rules: its value and what it decides."""
    for field in dataclasses.fields(rules):
        if "meaning" in field.metadata:
            yield f"{field.name}={getattr(rules, field.name)}: {field.metadata['meaning']}"
    if len(rules.pack) < rules.PACK_SIZE:
        yield f"pack: {len(rules.pack)} of {rules.PACK_SIZE} cards"


def _readme() -> str:
    """Return the README beside the package, or the one it was installed with."""
    if README.is_file():
        return README.read_text(encoding="utf-8")
    try:
        return metadata("cardenv")["Description"] or ""
    except (PackageNotFoundError, KeyError):
        return ""
