"""The notebook's game, and faults to plant in it for the self-check to find.

    python -m tests.high_card FOLDER

writes each faulty game to the folder, checks it, and prints what was found as a line of JSON.
"""

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import cardenv
from cardenv import selfcheck
from cardenv.selfcheck import PROMISES, setting

ROOT = Path(__file__).parent.parent
NOTEBOOK = json.loads((ROOT / "notebooks" / "05_add_a_game.ipynb").read_text())
(SOURCE,) = (
    "".join(cell["source"]).split("\n", 1)[1]
    for cell in NOTEBOOK["cells"]
    if "".join(cell["source"]).startswith("%%writefile")
)
"""The notebook's game."""

QUICK: dict[str, Any] = {"games": 4, "players": [3], "episodes": ["round"]}
"""One small kind of table."""
OF_A_GAME = [promise for promise in PROMISES if promise != "skins"]
"""All promises that are a game's to keep."""
ENDLESS = 600
"""Decisions that are more than an episode of this game can have."""

OWN_CARD = "    out[row.card[seat]] = 1\n"
OPEN = "    spread(row.open, CARDS, out, CARDS)\n"
OVER = "    pay_the_rest(row, rules, row.lost)\n    row.turn = -1\n"
REDRAWN = "            row.card[other] = row.deck[place]\n"
FAULTS_OF_A_GAME: dict[str, tuple[str, str, list[tuple[str, str]]]] = {
    "no fault": ("", "", []),
    "an observation that shows the next seat's card": (
        *("leaks", "(card)"),
        [(OWN_CARD, OWN_CARD + "    out[row.card[clockwise(seat, 1, rules.players)]] = 1\n")],
    ),
    "an observation that shows the generator's key": (
        *("leaks", "(open)"),
        [(OPEN, OPEN + "    out[CARDS] ^= np.uint8(int(row.key) % 2)\n")],
    ),
    "a generator that all tables share": (
        *("seeds", "the same seed gives another game"),
        [("derive(key, DECK, 0))\n    for seat", "np.uint64(next(SHARED)))\n    for seat")],
    ),
    "a starter from NumPy's global generator": (
        *("seeds", "global generator|another game"),
        [("below(derive(key, SEAT, 0), rules.players)", "np.random.randint(rules.players)")],
    ),
    "a loss that is not paid": (
        *("rewards", "sum to"),
        [(OVER, "    row.turn = -1\n")],
    ),
    "a payment that is not announced": (
        *("rewards", "row.payouts does not say so"),
        [(OVER, OVER + "    row.payouts = 0\n")],
    ),
    "a winner that is said to have lost": (
        *("rewards", "a seat that has lost has a higher score"),
        [(OVER, OVER + "    row.lost = singleton(winner)\n")],
    ),
    "a card that stays in the pile when it is drawn": (
        *("cards", "is there too often"),
        [("        row.drawn += 1\n", "")],
    ),
    "resampling that keeps the hidden cards": (
        *("resampling", "is never drawn anew"),
        [("    hidden = rules.pack & ~(", "    row.key = key\n    return\n    hidden = (")],
    ),
    "resampling that exchanges the own card": (
        *("resampling", "changes what the seat knows"),
        [("        if other != seat:\n", "        if other != -1:\n")],
    ),
    "resampling that lets cards vanish": (
        *("resampling", "appear or vanish"),
        [(REDRAWN, "            row.card[other] = row.deck[rules.pack_size - 1]\n")],
    ),
    "resampling that keeps the key": (
        *("resampling", "row.key"),
        [("            place += 1\n    row.key = key\n", "            place += 1\n")],
    ),
    "a game without an end": (
        *("episodes", "goes on after"),
        [
            ("if row.turn == row.starter:", "if False:"),
            ("SWAP:\n        row.open", "SWAP and row.drawn < 9:\n        row.open"),
        ],
    ),
    "a seat with nothing to do": (
        *("masks", "no legal action"),
        [("singleton(KEEP) | singleton(SWAP) if rules.swaps else singleton(KEEP)", "row.open")],
    ),
    "an observation that is written beyond its end": (
        *("bounds", r"IndexError: .*toy_\d+.py, line"),
        [(OWN_CARD, "    out[out.size] = 1\n" + OWN_CARD)],
    ),
    "a whole state that is longer than its layout": (
        *("bounds", r"Error: .*, line"),
        [
            (
                "block = out[CARDS + seat * (CARDS + 2) :]",
                "block = out[CARDS + seat * (CARDS + 3) :]",
            )
        ],
    ),
    "a game that fails": (
        *("bounds", "ZeroDivisionError"),
        [("        row.drawn += 1\n", "        row.drawn += 1 // int(row.swapped == 0)\n")],
    ),
}


def faulty(name: str) -> str:
    """Return the source of the game with a fault planted."""
    source = SOURCE.replace("\n\n@dataclass", "\nSHARED = iter(range(10**9))\n\n\n@dataclass", 1)
    for old, new in FAULTS_OF_A_GAME[name][2]:
        assert source.count(old) == 1, f"{old!r} is there {source.count(old)} times"
        source = source.replace(old, new)
    return source


def check_all(folder: str) -> None:
    """Check every faulty game, and the sound one by all its promises."""
    setting.MOST_DECISIONS = ENDLESS
    sys.path.insert(0, folder)
    for number, name in enumerate(FAULTS_OF_A_GAME):
        module = f"toy_{number}"
        path = Path(folder, f"{module}.py")
        path.write_text(faulty(name).replace('"high_card"', f'"{module}"'))
        importlib.invalidate_caches()
        cardenv.register(importlib.import_module(module))
        how = {**QUICK, "promises": OF_A_GAME} if number else {"games": 2}
        report = selfcheck.run(module, **how)
        broken = {promise: error.what for promise, error in report.broken.items()}
        print(json.dumps([name, broken, report.unchecked, report.lines()]), flush=True)


if __name__ == "__main__":
    check_all(sys.argv[1])
