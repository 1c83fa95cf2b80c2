"""MkDocs calls these functions: they add the pages that are made of the code.

A game's pages come from the registry of games, so a new game needs no line here.
"""
# ruff: noqa: E402 - the environment is set before what reads it is imported

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))  # the code documented is the one beside these pages
# A few moves a game are soon played in ordinary Python; to compile the games takes half a minute.
os.environ["NUMBA_DISABLE_JIT"] = "1"

from building import commands, game, readme, reference
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from cardenv import games


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages made of the code behind the written ones, in the site's navigation."""
    assert config.nav is not None
    pages = [
        {game.title(games.get(name)): [f"games/{name}.md", f"games/{name}-code.md"]}
        for name in games.names()
    ]
    config.nav += [
        {"Games": ["games/index.md", *pages]},
        {"Commands": [{name: f"commands/{name}.md"} for name in commands.commands()]},
        {
            "Reference": [
                "reference/index.md",
                *({name: f"reference/{name}.md"} for name in reference.modules()),
            ]
        },
    ]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages made of the code."""
    for path, content in generated(Path(config.docs_dir)).items():
        written = files.get_file_from_path(path)
        if written:
            files.remove(written)
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put README's sections where a page asks for them."""
    try:
        return readme.with_sections(markdown, page.file.src_uri, ROOT / "README.md")
    except ValueError as error:
        raise PluginError(str(error)) from None


def generated(folder: Path) -> dict[str, str]:
    """Return the text of every page made of the code, by its path.

    Args:
        folder: of the written pages; ``games/NAME.md`` there introduces the game of that name.
    """
    made = {}
    for name in games.names():
        each, written = games.get(name), folder / "games" / f"{name}.md"
        introduction = written.read_text() if written.exists() else ""
        made[f"games/{name}.md"] = game.game_page(each, introduction)
        made[f"games/{name}.svg"] = game.picture(each)
        made[f"games/{game.code_file(each)}"] = game.code_page(each)
    for name in commands.commands():
        made[f"commands/{name}.md"] = commands.command_page(name)
    for name in reference.modules():
        made[f"reference/{name}.md"] = reference.module_page(name)
    made["games/index.md"] = game.index_page([games.get(name) for name in games.names()])
    made["reference/index.md"] = reference.index_page()
    return made
