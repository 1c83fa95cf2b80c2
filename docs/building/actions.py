"""A game's action numbers with their names, and ranges of those that are named alike."""

from collections.abc import Sequence

from building.markdown import code, table

GAP = "…"


def action_table(names: Sequence[str]) -> str:
    """Return a table of all actions: numbers, what their names share, and what tells them apart."""
    rows = []
    for first, group in ranges(names):
        numbers = f"{first}" if len(group) == 1 else f"{first}-{first + len(group) - 1}"
        rows.append((numbers, code(" ".join(_shared(group))), code(*_differing(group))))
    return table(("number", "action", GAP + " is, in this order"), rows)


def ranges(names: Sequence[str]) -> list[tuple[int, list[str]]]:
    """Split action names into runs that have the same words but for some; with first numbers."""
    groups: list[tuple[int, list[str]]] = []
    for number, name in enumerate(names):
        if groups and _alike([*groups[-1][1], name]):
            groups[-1][1].append(name)
        else:
            groups.append((number, [name]))
    return groups


def _alike(names: Sequence[str]) -> bool:
    """Say whether names have as many words, and the first one and at most two gaps in common."""
    words = [name.split() for name in names]
    if len({len(each) for each in words}) > 1 or len(words[0]) < 2:
        return False
    shared = _shared(names)
    return GAP not in shared[0] and _kept_tail(words)


def _kept_tail(words: Sequence[Sequence[str]]) -> bool:
    """Say whether words of letters alone are the same in all names: only values may differ."""
    return all(
        len(set(column)) == 1 or not any(_is_word(each) for each in column)
        for column in zip(*words, strict=True)
    )


def _is_word(text: str) -> bool:
    return len(text) > 1 and text.isascii() and text.isalpha()


def _shared(names: Sequence[str]) -> list[str]:
    """Return the words that all names share; in place of each other one, a gap."""
    columns = list(zip(*(name.split() for name in names), strict=True))
    return [
        column[0] if len(set(column)) == 1 else GAP + ("," if column[0].endswith(",") else "")
        for column in columns
    ]


def _differing(names: Sequence[str]) -> list[str]:
    """Return, for each of several names, the words that stand in the gaps."""
    if len(names) == 1:
        return []
    gaps = [place for place, word in enumerate(_shared(names)) if word.startswith(GAP)]
    return [" ".join(name.split()[place].removesuffix(",") for place in gaps) for name in names]
