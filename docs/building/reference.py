"""A page for each module that programs import, made by mkdocstrings from docstrings."""

import importlib
import pkgutil
from collections.abc import Iterator

from building.markdown import code, page, table
from cardenv import games

PACKAGES = ("cardenv", "agents")


def modules() -> list[str]:
    """Return the names of all public modules; a game's file has pages of its own."""
    shown_with_games = set(games.MODULES)
    return [
        name
        for package in PACKAGES
        for name in _within(package)
        if name not in shown_with_games and "._" not in name
    ]


def module_page(name: str) -> str:
    """Return a module's page."""
    return page(code(name), f"::: {name}")


def index_page() -> str:
    """Return a page that says of every module what it is for."""
    rows = []
    for name in modules():
        said = (importlib.import_module(name).__doc__ or "").split("\n\n")[0]
        rows.append((f"[{code(name)}]({name}.md)", said))
    return page("Reference", table(("module", "what it is"), rows))


def _within(package: str) -> Iterator[str]:
    yield package
    path = importlib.import_module(package).__path__
    for module in sorted(pkgutil.iter_modules(path), key=lambda each: each.name):
        name = f"{package}.{module.name}"
        if module.ispkg:
            yield from _within(name)
        else:
            yield name
