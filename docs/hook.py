"""MkDocs calls these functions: they add the pages that are made of the code.

A game's pages come from the registry of games, so a new game needs no line here.
"""
# ruff: noqa: E402 - the environment is set before what reads it is imported

import functools
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the code documented is the one beside these pages
# A few moves a game are soon played in ordinary Python; to compile the games takes half a minute.
os.environ["NUMBA_DISABLE_JIT"] = "1"

from building import commands, game, links, reference
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from cardenv import games
from cardenv.help import how_to_play


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages made of the code behind the written ones, in the site's navigation."""
    assert config.nav is not None
    pages = [
        {games.get(name).title: [f"games/{name}.md", f"games/{name}-code.md"]}
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
    """Let links of written pages, which lead to files, lead to pages of the site."""
    path = page.file.src_uri
    written = page.file.generated_by is None
    return for_the_site(markdown, f"docs/{path}", path) if written else markdown


def generated(folder: Path) -> dict[str, str]:
    """Return the text of every page made of the code, by its path.

    Args:
        folder: of the written pages; ``games/NAME.md`` there has the rules of the game of that
            name.
    """
    made = {}
    for name in games.names():
        each, written = games.get(name), folder / "games" / f"{name}.md"
        path, prose = f"games/{name}.md", ""
        if written.exists():
            prose = for_the_site(written.read_text(), f"docs/{path}", path)
        made[path] = game.game_page(each, how_to_play(each), prose)
        made[f"games/{name}.svg"] = game.picture(each)
        made[f"games/{game.code_file(each)}"] = game.code_page(each)
    for name in commands.commands():
        made[f"commands/{name}.md"] = commands.command_page(name)
    for name in reference.modules():
        made[f"reference/{name}.md"] = reference.module_page(name)
    made["index.md"] = for_the_site((ROOT / "README.md").read_text(), "README.md", "index.md")
    made["games/index.md"] = game.index_page([games.get(name) for name in games.names()])
    made["reference/index.md"] = reference.index_page()
    return made


def for_the_site(text: str, file: str, page: str) -> str:
    """Return a written page's Markdown as ``building.links`` makes it for the site."""
    return links.for_the_site(text, file, page, pages_of_files())


@functools.cache
def pages_of_files() -> dict[str, str]:
    """Return the pages made of the code by the files that they are about."""
    folder = ROOT / "experiments"
    pages = {ROOT / "README.md": "index.md"}
    pages |= {
        folder / f"{name}.py": f"commands/{name}.md" for name in commands.experiment_commands()
    }
    pages |= {path: f"reference/{name}.md" for name, path in reference.modules().items()}
    pages |= {games.get(name).sources[0]: f"games/{name}-code.md" for name in games.names()}
    return {
        path.resolve().relative_to(ROOT).as_posix(): page
        for path, page in pages.items()
        if path.resolve().is_relative_to(ROOT)  # no page links to a game from outside
    }
