"""Drawing: one placing for every kind of picture, nothing over anything else, backs stay backs."""

import dataclasses
import itertools
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from cardenv import games
from cardenv.draw import ansi, rgb, svg, terminal_has_colour
from cardenv.draw.placing import CARD, PANEL, TABLE, TEXT, place, sides_of
from cardenv.draw.raster import FINER
from cardenv.draw.shapes import SIGNS, outlines
from cardenv.draw.text import CARDS_A_LINE
from cardenv.scene import GERMAN, HIDDEN, INTERNATIONAL, LETTERS, Card, Scene, Zone, suited
from cardenv.table import Tables
from tests.cases import every_game, players_of, spread

SIZES = ((800, 600), (400, 300), (1280, 720), (600, 900))
FOUR_SUITS = tuple(suited(f"{suit}{rank}") for suit in "♦♥♠♣" for rank in ("7", "10", "J", "Q"))


def tables_in_play(game: str, players: int, seeds: int = 2, moves: int = 60) -> Any:
    """Yield tables of random games, after every few moves."""
    rules = games.get(game).rules
    rules = rules(decks=2) if players > rules().most_players else rules()
    for seed in range(seeds):
        tables = Tables(game, 1, players, rules=rules, episode="match")
        tables.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for move in range(moves):
            if tables.turn[0] < 0:
                break
            if move % 6 == seed % 6:
                yield tables
            tables.step_one(0, int(rng.choice(np.flatnonzero(tables.masks[0]))))


def counts_of_players(game: str) -> list[int]:
    """Return the fewest, some and the most players that a game can have by any rules."""
    fewest, some, most = players_of(game)
    return sorted({fewest, some, most, games.get(game).rules.MAX_PLAYERS})


EVERY_SIZE_OF_TABLE = pytest.mark.parametrize(
    ("game", "players"),
    [(game, players) for game in games.names() for players in counts_of_players(game)],
)


def crowded(players: int, cards: int, viewer: int = -1) -> Scene:
    """Return a table with so many cards in every place, and many words beside them."""
    hand = tuple(FOUR_SUITS[number % len(FOUR_SUITS)] for number in range(cards))
    notes = ("123 points in the match", "deals", "still to play", "drew on ♥10")
    seats = (Zone(f"seat {n}", hand, notes, n, n == 1) for n in range(players))
    row = tuple(Card(str(number), marks=number % 6) for number in range(cards))
    return Scene(
        "A game, round 12: somebody is to decide ↻",
        (*seats, Zone("row", row, notes), Zone("gone", hand), Zone("pile", (), ("9",), heap=9)),
        viewer,
    )


def check_placement(scene: Scene, width: int, height: int) -> None:
    """Assert that everything is there once, lies on the canvas and over nothing else."""
    placement = place(scene, width, height)
    assert placement.width / placement.height == pytest.approx(width / height)
    canvas, *blocks = placement.blocks
    assert canvas.kind == TABLE
    for block in blocks:
        assert canvas.box.holds(block.box), f"{block} lies outside"
    panels = [block for block in blocks if block.kind == PANEL]
    assert [panel.name for panel in panels] != []
    assert Counter(panel.name for panel in panels) == Counter(z.title for z in scene.zones)
    for one, other in itertools.combinations(panels, 2):
        assert not one.box.meets(other.box), f"{one.name} lies over {other.name}"
    inside = [block for block in blocks if block.kind in (CARD, TEXT)]
    for one, other in itertools.combinations(inside, 2):
        assert not one.box.meets(other.box), f"{one} lies over {other}"
    heading, *others = inside
    assert not any(panel.box.meets(heading.box) for panel in panels)
    for block in others:
        assert sum(panel.box.holds(block.box) for panel in panels) == 1, f"{block} is in no panel"
    for block in blocks:
        for part in block.parts:
            assert getattr(part, "size", 1) > 0
    drawn = Counter(block.name for block in inside if block.kind == CARD)
    cards = [card for zone in scene.zones for card in zone.cards]
    heaps = sum(1 for zone in scene.zones if zone.heap and not zone.cards)
    expected = Counter("face down" if card.hidden else card.face() for card in cards)
    assert drawn == expected + Counter({"face down": heaps})


# --- Placing --------------------------------------------------------------------------------------


@EVERY_SIZE_OF_TABLE
def test_nothing_lies_over_anything_else_in_play(game: str, players: int) -> None:
    for number, tables in enumerate(tables_in_play(game, players)):
        check_placement(tables.describe(0, number % (players + 1) - 1), *SIZES[number % 4])


@pytest.mark.parametrize("players", [1, 2, 4, 7, 9, 12])
@pytest.mark.parametrize("cards", [0, 3, 40])
def test_nothing_lies_over_anything_else_with_large_hands(players: int, cards: int) -> None:
    for size in SIZES:
        check_placement(crowded(players, cards), *size)


@pytest.mark.parametrize(("players", "cards", "least"), [(2, 24, 44), (5, 22, 19), (10, 16, 21)])
def test_large_hands_can_be_read_at_800_by_600(players: int, cards: int, least: float) -> None:
    blocks = place(crowded(players, cards), 800, 600).blocks
    seats = [block.box for block in blocks if block.kind == CARD][: players * cards]
    assert min(box.width for box in seats) >= least
    sizes = [part.size for block in blocks if block.kind == TEXT for part in block.parts]
    assert min(sizes) >= 8


@pytest.mark.parametrize("width", [40, 76, 106, 200])
@every_game
def test_text_keeps_within_its_width_and_says_the_same(game: str, width: int) -> None:
    for players in counts_of_players(game):
        for tables in tables_in_play(game, players):
            scene = tables.describe(0, -1)
            text, wide = ansi(scene, width=width), ansi(scene)
            assert max(map(len, text.splitlines()[1:])) <= width
            assert sorted(text.split()) == sorted(wide.split())
            if max(map(len, wide.splitlines())) <= width:
                assert text == wide


def test_a_long_note_becomes_smaller_and_does_not_leave_its_place() -> None:
    check_placement(
        Scene("heading " * 40, (Zone("title " * 30, (Card("7"),), ("note " * 60, "b"), 0),)),
        800,
        600,
    )


@pytest.mark.parametrize("seats", range(1, 25))
def test_every_seat_has_a_side_of_the_table(seats: int) -> None:
    bottom, side, top = sides_of(seats)
    assert bottom + 2 * side + top == seats
    assert min(bottom, side, top) >= 0
    assert bottom >= 1, "the viewer sits at the bottom"


@pytest.mark.parametrize("players", range(2, 11))
def test_seats_follow_each_other_clockwise_from_the_viewer_at_the_bottom(players: int) -> None:
    viewer = 1
    placement = place(crowded(players, 2, viewer), 800, 600)
    centre = placement.width / 2, placement.height / 2
    boxes = {b.name: b.box for b in placement.blocks if b.kind == PANEL and "seat" in b.name}
    angles = []
    for place_of_seat in range(players):
        box = boxes[f"seat {(viewer + place_of_seat) % players}"]
        x = box.x + box.width / 2 - centre[0]
        y = box.y + box.height / 2 - centre[1]
        angles.append(np.arctan2(y, x))
    turned = np.mod(np.diff(np.unwrap(angles)), 2 * np.pi)
    assert sum(turned) < 2 * np.pi, "once round the table"
    own = boxes[f"seat {viewer}"]
    assert own.y + own.height > placement.height - 20
    assert boxes[f"seat {(viewer + 1) % players}"].x <= own.x, "left of the viewer comes next"


@pytest.mark.parametrize("sign", SIGNS)
def test_signs_stay_in_their_square(sign: str) -> None:
    points = [point for outline in outlines(sign) for point in outline]
    assert len(points) >= 3
    assert np.min(points) >= -0.05
    assert np.max(points) <= 1.05


# --- Hidden cards ---------------------------------------------------------------------------------


def pictures_of(scene: Scene) -> tuple[str, str, str]:
    return ansi(scene), ansi(scene, colour=True), svg(scene)


@EVERY_SIZE_OF_TABLE
def test_rows_that_differ_in_what_a_seat_cannot_know_look_the_same_to_it(
    game: str, players: int
) -> None:
    differed = 0
    for number, tables in enumerate(tables_in_play(game, players, seeds=2)):
        seat = number % players
        before = pictures_of(tables.describe(0, seat))
        open_before = svg(tables.describe(0, -1))
        keys = np.array([number + 1], np.uint64)
        rows = tables.rows.copy()
        tables.kernels.resample(tables.rows, tables.record, np.array([seat]), keys)
        assert pictures_of(tables.describe(0, seat)) == before
        differed += svg(tables.describe(0, -1)) != open_before
        tables.rows[:] = rows
    assert differed > 5, "resampling changed nothing, so nothing was tested"


@EVERY_SIZE_OF_TABLE
def test_a_seats_document_names_its_open_cards_and_no_other(game: str, players: int) -> None:
    backs = 0
    for number, tables in enumerate(tables_in_play(game, players, seeds=1)):
        scene = tables.describe(0, number % players)
        cards = [card for zone in scene.zones for card in zone.cards]
        document = svg(scene)
        titles = Counter(re.findall("<title>(.*?)</title>", document))
        hidden = titles.pop("face down", 0)
        heaps = sum(zone.heap > 0 for zone in scene.zones)
        assert hidden == sum(card.hidden for card in cards) + heaps
        assert titles == Counter(card.face() for card in cards if not card.hidden)
        backs += hidden
    assert backs > 0


def test_a_back_is_drawn_alike_whatever_it_hides() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        HIDDEN.rank = "7"  # type: ignore[misc]
    assert (HIDDEN.rank, HIDDEN.suit, HIDDEN.marks) == ("", "", 0)
    assert str(HIDDEN) == "▒▒"


# --- SVG ------------------------------------------------------------------------------------------


def test_a_document_is_well_formed_whatever_a_game_writes() -> None:
    scene = Scene('<"&♥J', (Zone("<a> & b", (Card("<&>"), suited("♥J")), ("& ♥Q",), 0),))
    for letters in LETTERS:
        root = ElementTree.fromstring(svg(scene, 640, 480, letters))
        assert (root.get("width"), root.get("height")) == ("640", "480")
        written = [each.text for each in root.iter() if each.tag.endswith("}text")]
        assert "<&>" in written
        assert ("B" in written) == (letters == GERMAN)


def test_a_document_needs_no_font_for_suits() -> None:
    root = ElementTree.fromstring(svg(crowded(4, 8)))
    texts = [each.text or "" for each in root.iter() if each.tag.endswith("}text")]
    assert texts
    assert not any(sign in text for text in texts for sign in "♦♥♠♣↻↺▸→")


# --- Pixels ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), [*SIZES, (160, 160), (1001, 333)])
def test_pixels_have_the_size_that_was_asked_for(width: int, height: int) -> None:
    pixels = rgb(crowded(3, 4), width, height)
    assert pixels.shape == (height, width, 3)
    assert pixels.dtype == np.uint8
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20
    assert pixels.flags.owndata or pixels.flags.writeable


@every_game
def test_pixels_follow_the_game_and_are_the_same_each_time(game: str) -> None:
    seen = set()
    steps = 0
    for tables in tables_in_play(game, 3, seeds=1, moves=30):
        scene = tables.describe(0, -1)
        pixels = rgb(scene, 400, 300)
        assert np.array_equal(pixels, rgb(scene, 400, 300))
        seen.add(pixels.tobytes())
        steps += 1
    assert len(seen) == steps > 2


def test_a_card_is_seen_where_it_is_placed() -> None:
    scene = Scene("", (Zone("seat 0", (suited("♥A"), suited("♠A"), HIDDEN), seat=0),))
    pixels = rgb(scene).astype(int)
    boxes = [block.box for block in place(scene, 800, 600).blocks if block.kind == CARD]
    red, black, back = (
        pixels[round(b.y) : round(b.y + b.height), round(b.x) : round(b.x + b.width)] for b in boxes
    )
    assert (red[..., 0] - red[..., 1] > 120).mean() > 0.05
    assert not (black[..., 0] - black[..., 1] > 60).any()
    assert (black.max(axis=2) < 60).mean() > 0.05
    assert (back[..., 2] - back[..., 0] > 50).mean() > 0.5
    assert FINER > 1, "edges are smooth"


@pytest.mark.parametrize("size", [(0, 600), (800, -1), (800, 100000), (800.5, 600), ("800", 600)])
def test_a_size_that_no_picture_can_have_is_refused(size: Any) -> None:
    for draw in (svg, rgb):
        with pytest.raises(ValueError, match="give whole numbers from 160 to 8192"):
            draw(crowded(2, 2), *size)


def in_a_fresh_process(script: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=Path(__file__).parent.parent,
        env={"PATH": "/usr/bin"},
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_pixels_need_no_screen_and_load_no_window_library() -> None:
    script = (
        "import sys\n"
        "from cardenv.draw import rgb\n"
        "from cardenv.scene import Card, Scene, Zone\n"
        "assert 'PIL' not in sys.modules, 'Pillow is loaded when it is needed'\n"
        "print(rgb(Scene('heading', (Zone('a', (Card('7'),)),))).shape)\n"
        "print([name for name in ('pygame', 'tkinter', 'matplotlib') if name in sys.modules])\n"
    )
    assert in_a_fresh_process(script) == "(600, 800, 3)\n[]\n"


# --- Text and letters -----------------------------------------------------------------------------


def test_columns_stand_below_each_other() -> None:
    many = tuple(suited(f"♦{number % 8}") for number in range(2 * CARDS_A_LINE + 1))
    scene = Scene(
        "heading",
        (
            Zone("seat 0", (suited("♥10"), suited("♠7")), ("one", "two"), 0, True),
            Zone("a long title", (HIDDEN,) * 3, ("three",), 1),
            Zone("many", many),
            Zone("none", (), ("four",)),
        ),
    )
    lines = ansi(scene).splitlines()
    assert lines[0] == "heading"
    assert len(lines) == 1 + 3 + 3, "21 cards take three lines"
    assert sum("many" in line for line in lines) == 1, "a title stands in the first line alone"
    first_card = {line.index(face) for line, face in zip(lines[1:4], "♥▒♦", strict=True)}
    assert len(first_card) == 1
    assert {
        line.index(note) for line in lines for note in ("one, two", "three", "four") if note in line
    } == {lines[1].index("one, two")}
    assert [line[0] for line in lines[1:]] == ["▸", " ", " ", " ", " ", " "]
    assert not any(line.endswith(" ") for line in lines)


@spread("players")
def test_colours_leave_the_text_as_it_is(game: str, players: int) -> None:
    for tables in tables_in_play(game, players, seeds=1):
        scene = tables.describe(0, 0)
        coloured = ansi(scene, colour=True)
        assert re.sub("\x1b\\[[0-9]+m", "", coloured) == ansi(scene) != coloured


def test_red_suits_are_red_and_the_others_are_not() -> None:
    scene = Scene("", (Zone("seat 0", FOUR_SUITS, ("drew on ♥10", "♠ is wished"), 0),))
    red = re.findall("\x1b\\[31m(.*?)\x1b\\[0m", ansi(scene, colour=True))
    assert red == [*(str(card) for card in FOUR_SUITS if card.suit in "♦♥"), "♥10"]


def test_a_terminal_has_colour_unless_its_user_or_its_kind_says_no(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Terminal:
        def __init__(self, interactive: bool) -> None:
            self.isatty = lambda: interactive

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert terminal_has_colour(Terminal(True))
    assert not terminal_has_colour(Terminal(False))
    monkeypatch.setenv("TERM", "dumb")
    assert not terminal_has_colour(Terminal(True))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not terminal_has_colour(Terminal(True))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("♥J", "♥B"),
        ("♦Q", "♦D"),
        ("♠K ♣A ♥10 ♥7", "♠K ♣A ♥10 ♥7"),
        ("lay ♠J→♦, drew on ♥Q", "lay ♠B→♦, drew on ♥D"),
        ("J Q Jack ♥ Queen ♥Queen", "J Q Jack ♥ Queen ♥Queen"),
    ],
)
def test_german_letters_change_ranks_behind_suits_alone(text: str, written: str) -> None:
    scene = Scene(text, ())
    assert ansi(scene, letters=GERMAN) == written
    assert ansi(scene, letters=INTERNATIONAL) == ansi(scene) == text


@every_game
def test_letters_leave_everything_but_the_text_as_it_is(game: str) -> None:
    def shapes(scene: Scene, letters: str) -> list[Any]:
        blocks = place(scene, 800, 600, letters).blocks
        return [(block.kind, block.box) for block in blocks if block.kind != TEXT]

    for tables in tables_in_play(game, 3, seeds=1):
        scene, rows = tables.describe(0, -1), tables.rows.copy()
        assert shapes(scene, GERMAN) == shapes(scene, INTERNATIONAL)
        german = ansi(scene, letters=GERMAN)
        back = re.sub(
            "([♦♥♠♣])([BD])", lambda each: each[1] + {"B": "J", "D": "Q"}[each[2]], german
        )
        assert back == ansi(scene)
        assert not re.search("[♦♥♠♣][JQ]", german)
        assert tables.describe(0, -1) == scene
        assert (tables.rows == rows).all()


def test_letters_that_do_not_exist_are_refused() -> None:
    for draw in (ansi, svg, rgb):
        with pytest.raises(ValueError, match="letters='latin' is not possible; give"):
            draw(crowded(2, 2), letters="latin")
