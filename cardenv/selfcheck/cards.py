"""Cards neither appear nor vanish."""

from collections import Counter
from typing import Any

from cardenv.selfcheck.setting import NotChecked, Setting, positions
from cardenv.table import Tables

PROMISE = "every card of the pack is there, as often as it should be, after every decision"


def check(setting: Setting) -> None:
    """Count all cards, in several episodes in a row.

    Raises:
        NotChecked: the game does not say where its cards are.
    """
    if not declares_cards(setting):
        raise NotChecked("the game has no every_card(row, rules), which says where its cards are")
    tables = setting.dealt()
    for _ in range(3):
        for move, live in positions(setting, tables):
            for table in live:
                check_row(setting, tables, tables.rows, int(table), move)
        for table in range(setting.games):
            check_row(setting, tables, tables.rows, table, None)
        tables.reset()


def declares_cards(setting: Setting) -> bool:
    """Tell whether the game says where its cards are."""
    return hasattr(setting.game.module, "every_card")


def check_row(
    setting: Setting, tables: Tables, rows: Any, table: int, move: int | None, when: str = ""
) -> None:
    """Raise ``BrokenPromise`` unless all cards are there; ``when`` ends the sentence."""
    found = Counter(
        int(card) for card in setting.game.function("every_card")(rows[table], tables.record[0])
    )
    pack = Counter(setting.rules.cards)
    faults = {"there too often": found - pack, "not there": pack - found}
    what = " and ".join(
        f"card {', '.join(map(str, sorted(cards)))} is {words}"
        for words, cards in faults.items()
        if cards
    )
    if what:
        raise setting.broken("cards", what + when, table=table, move=move)
