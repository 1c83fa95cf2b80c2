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
from cardenv.games import maumau, mow
from cardenv.help import how_to_play
from cardenv.terminal import commands as terminal
from tests.cases import GAMES, every_game
from tests.rules.test_ids import RULES
from tests.test_registry import SOURCE

ROOT = Path(__file__).parent.parent
SUIT_POINTS = (7, 8, 9, 10, 10, 10, 10, 11)
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
    table = section(page_of(game), "Rules in the code")
    found = {ID.search(row[0])[0]: row[1] for row in rows(table)[2:]}
    assert set(found) == set(ID.findall(source))
    for rule, said in found.items():
        places = [int(number) for number in re.findall(r"#__codelineno-0-(\d+)", said)]
        assert places, rule
        for place in places:  # the rule is named there, or in the docstring just below
            assert rule in "\n".join(lines[place - 2 : place + 18]), (rule, place)
    whole_lines = {line.split("  #")[0].strip() for line in lines}
    assert not whole_lines & set(re.findall("`([^`]+)`", table))


def written(game):
    """Return the paragraphs of a game's rules in prose that say rules, with the ids of each."""
    prose = (ROOT / f"docs/games/{game}.md").read_text()
    found = re.findall(r"^\*\*([A-Z0-9, D-]+)\.\*\* (.*?)(?=\n\n\*\*|\n\n#|\Z)", prose, re.S | re.M)
    inline = re.findall(r"\(\*\*([A-Z0-9-]+)\*\*: ([^)]+)\)", prose)
    return [(ids.split(", "), text) for ids, text in (*found, *inline)]


@every_game
def test_every_rule_and_decision_stands_once_in_the_prose_of_its_game(game):
    prefix, last = RULES[game]
    said = [rule for ids, _ in written(game) for rule in ids]
    assert len(said) == len(set(said))
    decisions = [rule for rule in said if rule.startswith(f"{prefix}-D")]
    assert set(decisions) == {f"{prefix}-D{number + 1}" for number in range(len(decisions))}
    every_rule = {f"{prefix}-{number + 1}" for number in range(last)}
    assert set(said) - set(decisions) == every_rule
    assert set(ID.findall(games.get(game).sources[0].read_text())) <= every_rule
    for ids, text in written(game):
        assert len(text.split()) >= 4, ids
    prose = (ROOT / f"docs/games/{game}.md").read_text()
    assert f"{prefix}-1 to {prefix}-{last}." in " ".join(prose.split())
    assert f"{prefix}-D1 to {prefix}-D{len(decisions)}." in " ".join(prose.split())


@every_game
def test_the_prose_of_a_game_names_every_switch_and_value(game):
    prose = (ROOT / f"docs/games/{game}.md").read_text()
    for field in dataclasses.fields(games.get(game).rules):
        assert re.search(rf"`{field.name}\b", prose), field.name
        allowed = field.metadata.get("allowed", ())
        for value in allowed if isinstance(allowed, tuple) else ():
            if isinstance(value, str) and value != field.default:
                assert re.search(rf"[`=]{value}`", prose), (field.name, value)


def test_the_prose_of_mow_has_the_pack_of_the_code():
    lines = rows((ROOT / "docs/games/mow.md").read_text())[1:]
    flies, numbered = 0, []
    for kind, cards, values, each, total in lines:
        first, last = (int(number) for number in re.split("-|, ", cards))
        numbers = range(first, last + 1)
        assert {mow.FLIES[card] for card in numbers} == {int(each)}, kind
        assert int(total) == len(numbers) * int(each)
        flies += int(total)
        numbered += numbers
        shown = [mow.VALUES[card] for card in numbers]
        low, *between, high = map(int, re.findall(r"\d+", values)) if values != "none" else (-1, -1)
        steps = range(low, high + 1) if " to " in values else [low, *between, high]
        assert shown == list(steps), kind
    assert flies == mow.ALL_FLIES
    assert numbered == list(range(mow.CARDS))


def test_the_prose_of_31_and_maumau_has_the_points_of_the_code():
    for name, points in (("schwimmen", SUIT_POINTS), ("maumau", maumau.POINTS)):
        found = rows((ROOT / f"docs/games/{name}.md").read_text())
        (line,) = (row for row in found if row[0] == "points")
        assert line[1:] == [str(each) for each in points]


def test_each_id_of_the_prose_is_an_anchor_and_the_table_of_functions_links_to_it(building):
    text = "# Mow\n\nIt goes **MOW-D1**.\n\n## The end\n\n**MOW-1, MOW-8.** One."
    page = building("building.game").game_page(games.get("mow"), "", text)
    for rule in ("MOW-D1", "MOW-1", "MOW-8"):
        assert page.count(f'<span id="{rule}">{rule}</span>') == 1
    assert "| [MOW-8](#MOW-8) | <a href=" in page
    assert '| <span id="MOW-9">MOW-9</span> | <a href=' in page
    assert "### The end" in page
    assert page.count("\n# ") == 0


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


def test_a_games_page_says_how_it_goes_as_readme_does_and_has_rules_written_by_hand(tmp_path):
    (tmp_path / "games").mkdir()
    (tmp_path / f"games/{GAMES[0]}.md").write_text("It goes so: [home](../../README.md).")
    made = generated(tmp_path, docs=tmp_path)
    assert "It goes so: [home](../index.md)." in section(made[f"games/{GAMES[0]}.md"], "Rules")
    for name in GAMES:
        assert how_to_play(games.get(name)) in made[f"games/{name}.md"]
    assert not re.search("^#+ Rules$", made[f"games/{GAMES[1]}.md"], re.M)


# --- Commands, links of written pages -----------------------------------------------------------


def test_every_commands_page_has_every_setting_with_its_meaning(building):
    commands = building("building.commands")
    runnable = {
        path.stem
        for path in (ROOT / "experiments").glob("*.py")
        if re.search(r"^    run\(Settings, main\)", path.read_text(), re.M)
    }
    assert set(commands.experiment_commands()) == runnable
    for name in runnable:
        settings = importlib.import_module(f"experiments.{name}").Settings
        named = [row for row in rows(commands.command_page(name)) if "`" in row[0]]
        found = {row[0].split("`")[1]: row for row in named}
        for field in dataclasses.fields(settings):
            row = found[f"--{field.name.replace('_', '-')}"]
            assert len(row[3].split()) > 1, (name, field.name)


def test_where_a_setting_says_what_agents_there_are_it_names_the_champion(building):
    commands = building("building.commands")
    pages = {name: commands.command_page(name) for name in commands.commands()}
    lists = [row for page in pages.values() for row in rows(page) if "mc:200, " in row[-1]]
    assert len(lists) > 5
    assert all("champion" in row[-1] for row in lists)


def test_every_command_of_the_package_has_a_page_with_every_setting(building):
    commands = building("building.commands")
    settings = {"play": terminal.Play, "replay": terminal.Replay, "check": terminal.Check}
    assert commands.cardenv_commands() == settings
    assert set(settings) <= set(commands.commands())
    for name, command in settings.items():
        page = commands.command_page(name)
        assert f"python -m cardenv {name} --help" in page
        found = {row[0].split("`")[1]: row for row in rows(page) if "`" in row[0]}
        for field in dataclasses.fields(command):
            option = field.name.replace("_", "-")
            names = {f"--{option}", option.upper()} & set(found)
            assert len(names) == 1, (name, field.name)
            assert found[names.pop()][3], (name, field.name)


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
