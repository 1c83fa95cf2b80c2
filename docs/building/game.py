"""A game's pages, made of its module alone: a game that is registered has them."""

import re
from collections.abc import Sequence

from building import fields, rules, switches
from building.actions import action_table
from building.markdown import code, fenced, page, table
from cardenv import draw
from cardenv.envs.registration import gymnasium_id
from cardenv.games import Game
from cardenv.scene import Scene
from cardenv.table import Tables

SEED, DECISIONS = 42, 6
"""The picture shows a table after so many decisions, each the first one that is legal."""
PLAYERS = 4
WIDTH, HEIGHT = 800, 600

ANY_ID = re.compile(r"\b[A-Z][A-Z0-9]*-D?\d+\b")
WRITTEN_IDS = re.compile(rf"(?<=\*\*){ANY_ID.pattern}(?:, {ANY_ID.pattern})*(?=\.?\*\*)")
"""Ids of rules and of decisions, in bold where the prose says them."""


def game_page(game: Game, introduction: str = "", written: str = "") -> str:
    """Return a game's page as Markdown, to be put into a folder beside ``code_page``'s.

    Args:
        game: any registered game.
        introduction: Markdown that stands below the title, such as how the game is played.
        written: its rules in prose, as Markdown with or without a title.
    """
    tables, scene = _tables(game), table_of(game)
    return page(
        game.title,
        introduction,
        f"![A table of {game.title}]({game.name}.svg)",
        'The same as text, with `render_mode="ansi"`:',
        fenced(draw.ansi(scene)),
        _facts(game),
        "## Rules" if written else "",
        _within_a_page(written),
        "## Rules in the code",
        f"What of [the game's file]({code_file(game)}) says each rule, with its line.",
        _rule_table(game, written),
        "## Switches",
        switches.switch_table(game.rules),
        "### Presets",
        switches.preset_table(game.rules),
        "## Observation",
        fields.observation_words(tables),
        fields.field_table(tables.layout),
        "### Events",
        fields.event_words(game.layout),
        fields.event_table(game.layout.sized(tables.players, tables.rules, history=1)),
        "## State",
        "What `env.state()` and `Tables.states` return: everything there is, by seat number.",
        fields.field_table(tables.state_layout),
        "## Actions",
        action_table(game.action_names),
        "## Figures",
        "What tables of results show of a seat, beside its score:",
        table(("figure", "meaning"), ((each.name, each.meaning) for each in game.figures)),
    )


def index_page(every: Sequence[Game]) -> str:
    """Return a page that names all games, with links to theirs."""
    rows = [
        (
            f"[{game.title}]({game.name}.md)",
            switches.players_in_words(game.rules),
            code(game.name, *game.aliases),
            game.default_episode,
            len(game.action_names),
            fields.sizes(_tables(game)),
        )
        for game in every
    ]
    heads = ("game", "players", "`--game`", "environments play a", "actions", "observation")
    return page("Games", table(heads, rows))


def code_page(game: Game) -> str:
    """Return a page with a game's file as it is; every line has an anchor."""
    path = game.sources[0]
    options = f'linenums="1" title="{path.name}"'
    return page(f"The code of {game.title}", fenced(path.read_text(), "python", options))


def code_file(game: Game) -> str:
    """Return the name of ``code_page``'s file."""
    return f"{game.name}-code.md"


def picture(game: Game) -> str:
    """Return the table of a game's page as an SVG document."""
    return draw.svg(table_of(game), WIDTH, HEIGHT)


def table_of(game: Game) -> Scene:
    """Return a table in play with all cards open, always the same."""
    tables = _tables(game)
    tables.reset(seed=SEED)
    for _ in range(DECISIONS):
        if tables.turn[0] >= 0:
            tables.step_one(0, int(tables.masks[0].argmax()))
    scene: Scene = tables.describe(0, -1)
    return scene


def _tables(game: Game) -> Tables:
    least, most = game.rules.MIN_PLAYERS, game.rules().most_players
    return Tables(game, 1, min(most, max(least, PLAYERS)))


def _facts(game: Game) -> str:
    facts = [
        ("players", switches.players_in_words(game.rules)),
        ("on the command line, `--game`", code(game.name, *game.aliases)),
        ("PettingZoo", code(f"cardenv.{game.name}_v{game.version}")),
        ("Gymnasium", code(gymnasium_id(game))),
        ("environments play, unless told otherwise, a", game.default_episode),
        ("seat that `reset(options=...)` may name", code(game.first_seat)),
    ]
    return table(("", ""), facts)


def _within_a_page(written: str) -> str:
    """Return rules in prose without their title, with smaller headings and an anchor an id."""
    text = re.sub(r"\A\s*# .*\n", "", written)
    text = re.sub(r"^##", "###", text, flags=re.M)
    return WRITTEN_IDS.sub(
        lambda ids: ANY_ID.sub(lambda each: _anchor(each.group()), ids.group()), text
    )


def _anchor(rule: str) -> str:
    return f'<span id="{rule}">{rule}</span>'


def _rule_table(game: Game, written: str) -> str:
    """Return a row for every rule that the file names, in the rules' order.

    What is written has the words; without it, they are those of the file.
    """
    said = rules.sayings(game.sources[0].read_text())
    explained = {rule for ids in WRITTEN_IDS.findall(written) for rule in ANY_ID.findall(ids)}
    rows = []
    for each in rules.in_order({rule for saying in said for rule in saying.ids}):
        places = [saying for saying in said if each in saying.ids]
        if written:
            functions = ", ".join(_link(game, place) for place in places)
        else:
            functions = "<br>".join(_in_words(game, places))
        rows.append((f"[{each}](#{each})" if each in explained else _anchor(each), functions))
    return table(("rule", "said by"), rows)


def _in_words(game: Game, places: Sequence[rules.Saying]) -> list[str]:
    """Return each text that is said of a rule, with all places that say it."""
    lines = []
    for text in dict.fromkeys(place.text for place in places):
        links = ", ".join(_link(game, place) for place in places if place.text == text)
        lines.append(f"{text} ({links})" if text else links)
    return lines


def _link(game: Game, saying: rules.Saying) -> str:
    """Return a link to the line; as HTML, since MkDocs does not see anchors within code."""
    where = f"../{game.name}-code/#__codelineno-0-{saying.line}"
    return f'<a href="{where}"><code>{saying.place}</code> {saying.line}</a>'
