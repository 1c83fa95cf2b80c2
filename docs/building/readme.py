"""README's sections on other pages, so that a text stands in one place.

``<!-- README: Train -->`` stands for the text below README's heading ``Train``, up to the next
heading; ``<!-- README's paragraph: In **Mow** -->`` for the one paragraph that begins so. Later the
text itself may be put there, and taken out of README.
"""

import posixpath
import re
from pathlib import Path

MARKER = re.compile(r"<!-- README(?P<paragraph>'s paragraph)?: (?P<name>.+?) -->")
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)")
FOLDER = "docs/"


def with_sections(text: str, page: str, readme: Path) -> str:
    """Return a page's Markdown with README's sections in place of the markers.

    Args:
        text: the page's Markdown.
        page: the page's path within the folder of documents, to which links are made relative.
        readme: README's path.

    Raises:
        ValueError: README has no such heading or paragraph.
    """
    if not MARKER.search(text):
        return text
    source = readme.read_text()
    parts, starts = sections(source), source.split("\n\n")

    def wanted(found: re.Match[str]) -> str:
        name = found["name"]
        if found["paragraph"]:
            texts = [each for each in starts if each.startswith(name)]
        else:
            texts = [parts[name]] if name in parts else []
        if len(texts) != 1:
            raise ValueError(
                f"docs/{page} takes from README what is not there once: {name!r}; write the text "
                f"into docs/{page}, or name one of README's headings: {', '.join(parts)}."
            )
        return _relinked(texts[0], page)

    return MARKER.sub(wanted, text)


def sections(markdown: str) -> dict[str, str]:
    """Return the text below each heading, up to the next heading of any level."""
    parts: dict[str, list[str]] = {}
    heading, in_code = "", False
    for line in markdown.splitlines():
        in_code ^= line.startswith("```")
        if line.startswith("#") and not in_code:
            heading = line.lstrip("# ")
        parts.setdefault(heading, []).append(line)
    return {name: "\n".join(lines[1:]).strip() for name, lines in parts.items()}


def _relinked(text: str, page: str) -> str:
    """Let links that are relative to README lead to the same pages; other files are but named."""

    def relinked(found: re.Match[str]) -> str:
        image, words, target, anchor = found.groups(default="")
        if not target.startswith(FOLDER):
            return words
        words = words.removeprefix(FOLDER)
        path = posixpath.relpath(target.removeprefix(FOLDER), posixpath.dirname(page) or ".")
        return f"{image}[{words}]({path}{anchor})"

    return LINK.sub(relinked, text)
