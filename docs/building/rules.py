"""The rules that a game's file names by their ids: in docstrings, switches and comments.

An id is a word such as ``AB-12``. A docstring may say several rules, ``AB-1, AB-2: this; AB-3:
that``; a comment may say nothing beside the id.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

ID = re.compile(r"\b[A-Z][A-Z0-9]*-\d+\b")
GROUP = re.compile(rf"{ID.pattern}(?:, {ID.pattern})*: ")
Definition = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Saying:
    """One place that says rules.

    Attributes:
        ids: the rules.
        text: what is said of them, as Markdown; nothing where a comment has the ids alone.
        place: the function, class, switch or constant that it is said of.
        line: the number of its line.
    """

    ids: tuple[str, ...]
    text: str
    place: str
    line: int


def sayings(source: str) -> list[Saying]:
    """Return every place of a file that names rules, in the order of the file."""
    tree = ast.parse(source)
    found = [*_of_docstrings(tree), *_of_switches(tree), *_of_comments(source, tree)]
    return sorted(found, key=lambda saying: saying.line)


def in_order(ids: set[str]) -> list[str]:
    """Return ids by their numbers."""
    return sorted(ids, key=lambda each: (each.split("-")[0], int(each.split("-")[1])))


def _of_docstrings(tree: ast.Module) -> Iterator[Saying]:
    for place, node in _definitions(tree):
        for paragraph in (ast.get_docstring(node) or "").split("\n\n"):
            for ids, text in _parts(" ".join(paragraph.split())):
                yield Saying(ids, text, place, node.lineno)


def _of_switches(tree: ast.Module) -> Iterator[Saying]:
    """Yield what the fields of classes say in text: the meanings of switches."""
    for place, node in _definitions(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        for field in node.body:
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                for text in (each for each in ast.walk(field) if isinstance(each, ast.Constant)):
                    for ids, meaning in _parts(str(text.value)):
                        yield Saying(ids, meaning, f"{place}.{field.target.id}", field.lineno)


def _of_comments(source: str, tree: ast.Module) -> Iterator[Saying]:
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and ID.search(token.string):
            number, begin = token.start
            own_line = not lines[number - 1][:begin].strip()
            line = number + 1 if own_line else number
            said = token.string.lstrip("# ")
            says_more = ID.sub("", said).strip(", ")
            for ids, text in _parts(said) if says_more else [(_ids(said), "")]:
                yield Saying(ids, text, _around(tree, line), line)


def _parts(text: str) -> list[tuple[tuple[str, ...], str]]:
    """Split a text into what it says of each group of rules."""
    groups = list(GROUP.finditer(text))
    if not groups:
        return [(_ids(text), text)] if ID.search(text) else []
    ends = [*(group.start() for group in groups[1:]), len(text)]
    return [
        (_ids(group.group()), text[group.end() : end].strip().rstrip(";."))
        for group, end in zip(groups, ends, strict=True)
    ]


def _ids(text: str) -> tuple[str, ...]:
    return tuple(ID.findall(text))


def _definitions(tree: ast.AST, outer: str = "") -> Iterator[tuple[str, Definition]]:
    """Yield functions and classes, and those within them, by their names with dots."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Definition):
            yield outer + node.name, node
            yield from _definitions(node, f"{outer}{node.name}.")


def _around(tree: ast.Module, line: int) -> str:
    """Return the innermost function or class that a line lies in, or the constant it begins."""
    constants = [
        (ast.unparse(node.targets[0]), node) for node in tree.body if isinstance(node, ast.Assign)
    ]
    return next(
        name
        for name, node in [*reversed(list(_definitions(tree))), *constants]
        if node.lineno <= line <= (node.end_lineno or node.lineno)
    )
