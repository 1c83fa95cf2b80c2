"""Tables and code spans in Markdown."""

from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table with one line a row; a vertical bar within a cell stays one."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _cell(value: object) -> str:
    return " ".join(str(value).split()).replace("|", r"\|")


def code(*words: object) -> str:
    """Return words as code, with commas between them."""
    return ", ".join(f"`{word}`" for word in words)


def fenced(text: str, language: str = "text", options: str = "") -> str:
    """Return a block of code, which may hold such blocks itself."""
    return f"````{language} {options}".rstrip() + f"\n{text.rstrip()}\n````\n"


def page(title: str, *parts: str) -> str:
    """Return a page of parts, with an empty line between them; empty ones are left out."""
    return "\n\n".join([f"# {title}", *(part.strip() for part in parts if part.strip())]) + "\n"
