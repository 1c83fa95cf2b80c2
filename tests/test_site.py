"""The documentation's pages that are made of the code say everything that the code does."""

import dataclasses
import html
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from cardenv import games
from cardenv.help import how_to_play
from tests.cases import GAMES, every_game
from tests.test_registry import SOURCE

ROOT = Path(__file__).parent.parent
ID = re.compile(r"\b[A-Z][A-Z0-9]*-\d+\b")


@pytest.fixture
def building(monkeypatch):
    """Return a function that imports a module from ``docs``."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    return importlib.import_module


def rows(page):
    """Return every table's lines as lists of their cells."""
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def section(page, heading):
    """Return what stands below a heading, up to the next one of any level."""
    return re.search(rf"^#+ {heading}\n(.*?)(?=^#+ |\Z)", page, re.S | re.M)[1]


@pytest.fixture
def page_of(building):
    return lambda game: building("building.game").game_page(games.get(game))


# --- A game's page ------------------------------------------------------------------------------


@every_game
def test_a_games_page_has_every_rule_that_its_file_names_with_a_line_that_says_it(page_of, game):
    source = games.get(game).sources[0].read_text()
    lines = source.splitlines()
    found = {ID.search(row[0])[0]: row[1] for row in rows(section(page_of(game), "Rules"))[2:]}
    assert set(found) == set(ID.findall(source))
    for rule, said in found.items():
        places = [int(number) for number in re.findall(r"#__codelineno-0-(\d+)", said)]
        assert places, rule
        for place in places:  # the rule is named there, or in the docstring just below
            assert rule in "\n".join(lines[place - 2 : place + 18]), (rule, place)


@every_game
def test_a_games_page_has_every_switch_with_its_values_default_and_meaning(page_of, game):
    rules = games.get(game).rules
    found = {row[0]: row for row in rows(section(page_of(game), "Switches"))[2:]}
    assert set(found) == {f"`{field.name}`" for field in dataclasses.fields(rules)}
    for field in dataclasses.fields(rules):
        _, values, default, meaning = found[f"`{field.name}`"]
        allowed = field.metadata.get("allowed", ())
        if isinstance(allowed, range):
            assert values == f"{allowed[0]} to {allowed[-1]}"
        else:
            assert all(f"`{value}`" in values for value in allowed), field.name
        assert default == (f"`{field.default}`" if allowed else "all cards")
        assert field.metadata.get("meaning", "cards in play") in meaning


@every_game
def test_a_games_page_has_every_preset_with_what_it_changes(page_of, game):
    found = {row[0]: row[1] for row in rows(section(page_of(game), "Presets"))[2:]}
    presets = games.get(game).rules.PRESETS
    assert set(found) == {f"`{name}`" for name in presets}
    for name, changes in presets.items():
        assert all(f"`{key}={value}`" in found[f"`{name}`"] for key, value in changes.items())


@every_game
def test_a_games_page_names_every_action_number_once_and_by_its_name(page_of, game):
    names = {}
    for numbers, action, gaps in rows(section(page_of(game), "Actions"))[2:]:
        first, _, last = numbers.partition("-")
        each = range(int(first), int(last or first) + 1)
        fillings = re.findall("`([^`]*)`", gaps) or [""]
        assert len(fillings) == len(each), numbers
        for number, filling in zip(each, fillings, strict=True):
            assert number not in names
            words = iter(filling.split())
            names[number] = re.sub("…", lambda gap, words=words: next(words), action.strip("`"))
            assert not list(words)
    assert names == dict(enumerate(games.get(game).action_names))


@every_game
def test_a_games_page_has_every_field_that_is_observed_with_its_meaning(page_of, game):
    page, layout = page_of(game), games.get(game).layout
    state = games.get(game).state_layout
    for heading, fields in {
        "Observation": (*layout.shared, *layout.seat),
        "Events": layout.event,
        "State": (*state.shared, *state.seat),
    }.items():
        found = rows(section(page, heading))[2:]
        assert [row[1] for row in found] == [f"`{field.name}`" for field in fields]
        assert [row[2] for row in found] == [f"{field.length}" for field in fields]
        assert [row[4] for row in found] == [" ".join(field.meaning.split()) for field in fields]


def test_a_page_says_which_rules_let_more_players_in(page_of):
    assert "2 to 5, to 10 with `decks=2`" in page_of("maumau")


def generated(folder, *, docs, first=""):
    """Return pages made of the code, from a process of its own: it runs without compilation.

    Args:
        folder: that the process runs in.
        docs: the folder of written pages.
        first: Python to carry out before.
    """
    script = (
        f"import json, sys; sys.path[:0] = [{str(ROOT / 'docs')!r}, '.']\n"
        f"import hook, cardenv\nfrom pathlib import Path\n{first}\n"
        f"made = hook.generated(Path({str(docs)!r}))\n"
        "print(json.dumps({path: text for path, text in made.items() if 'games/' in path}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_game_from_outside_has_its_pages_by_being_registered(tmp_path):
    (tmp_path / "documented_card.py").write_text(SOURCE.replace('"high_card"', '"documented_card"'))
    first = "import documented_card; cardenv.register(documented_card)"
    made = generated(tmp_path, docs=ROOT / "docs", first=first)
    assert len(rows(section(made["games/documented_card.md"], "Actions"))) > 2
    assert made["games/documented_card.svg"].startswith("<svg")
    assert "(documented_card.md)" in made["games/index.md"]
    assert SOURCE.strip().splitlines()[-1] in made["games/documented_card-code.md"]


def test_a_games_page_says_how_it_goes_as_readme_does_or_as_a_page_written_by_hand(tmp_path):
    (tmp_path / "games").mkdir()
    (tmp_path / f"games/{GAMES[0]}.md").write_text("It goes so: [home](../../README.md).")
    made = generated(tmp_path, docs=tmp_path)
    assert "It goes so: [home](../index.md)." in made[f"games/{GAMES[0]}.md"]
    for name in GAMES[1:]:
        assert how_to_play(games.get(name)) in made[f"games/{name}.md"]


# --- Commands, links of written pages -----------------------------------------------------------


def test_every_commands_page_has_every_setting_with_its_meaning(building):
    commands = building("building.commands")
    runnable = {
        path.stem
        for path in (ROOT / "experiments").glob("*.py")
        if re.search(r"^    run\(Settings, main\)", path.read_text(), re.M)
    }
    assert set(commands.commands()) == runnable
    for name in runnable:
        settings = importlib.import_module(f"experiments.{name}").Settings
        named = [row for row in rows(commands.command_page(name)) if "`" in row[0]]
        found = {row[0].split("`")[1]: row for row in named}
        for field in dataclasses.fields(settings):
            row = found[f"--{field.name.replace('_', '-')}"]
            assert len(row[3].split()) > 1, (name, field.name)


def test_links_to_files_lead_to_their_pages_on_the_site(building):
    def for_the_site(text, file="docs/guides/b.md", page="guides/b.md"):
        pages = {"README.md": "index.md", "cardenv/a.py": "games/a.md"}
        return building("building.links").for_the_site(text, file, page, pages)

    assert for_the_site("[a](../../cardenv/a.py)") == "[a](../games/a.md)"
    assert for_the_site("[a](../../README.md#b-c)") == "[a](../index.md#b-c)"
    assert for_the_site("see [a](c.md#d), ![e](../f.png)") == "see [a](c.md#d), ![e](../f.png)"
    assert for_the_site("[a](docs/c.md)", "README.md", "index.md") == "[a](c.md)"
    assert for_the_site("[`a`](cardenv/a.py)", "README.md", "index.md") == "[`a`](games/a.md)"
    assert for_the_site("[a](../../no/page.py), b") == "a, b"
    for unchanged in ("[a](https://b.c/d)", "[a](#b)", "```python\na[0](b)\nc = [d](e)\n```"):
        assert for_the_site(unchanged) == unchanged


# --- The whole site -----------------------------------------------------------------------------


def test_the_site_builds_strictly_and_every_link_within_it_leads_somewhere(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},  # as the Makefile does
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    pages = {path: path.read_text() for path in tmp_path.rglob("*.html") if path.stem != "404"}
    anchors = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in pages.items()}
    for path in pages:
        anchors[path] |= set(re.findall(r'\bname="([^"]+)"', pages[path]))
    assert {f"games/{name}/index.html" for name in games.names()} <= {
        path.relative_to(tmp_path).as_posix() for path in pages
    }
    for path, text in pages.items():
        links = re.findall(r'<(?:a\b[^>]*\bhref|img\b[^>]*\bsrc)="([^"]+)"', text)
        for link in map(html.unescape, links):
            if not re.match("[a-z]+:", link):
                place, _, anchor = unquote(link).partition("#")
                target = (path.parent / place).resolve() if place else path
                target = target / "index.html" if target.is_dir() else target
                assert target.exists(), (path, link)
                assert not anchor or anchor in anchors[target], (path, link)
