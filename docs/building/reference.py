"""A page for each module that programs import, made by mkdocstrings from docstrings.

Modules are read, not imported: some need libraries that this site is built without.
"""

import ast
import importlib
from pathlib import Path

from building.markdown import code, page, table
from cardenv import games

PACKAGES = ("cardenv", "agents")


def modules() -> dict[str, Path]:
    """Return the files of all public modules by name; a game's own file has another page."""
    found = {}
    for package in PACKAGES:
        folder = Path(str(importlib.import_module(package).__file__)).parent
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return {
        name: path
        for name, path in sorted(found.items())
        if "._" not in name and name not in games.MODULES
    }


def module_page(name: str) -> str:
    """Return a module's page."""
    return page(code(name), f"::: {name}")


def index_page() -> str:
    """Return a page that says of every module what it is for."""
    rows = []
    for name, path in modules().items():
        said = ast.get_docstring(ast.parse(path.read_text())) or ""
        rows.append((f"[{code(name)}]({name}.md)", said.split("\n\n")[0]))
    return page("Reference", table(("module", "what it is"), rows))
