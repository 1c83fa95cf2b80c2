"""Links between written pages, which lead to files as they lie in the repository.

So they work where the files are read; on the site, what has a page there gets a link to it.
"""

import posixpath
import re
from collections.abc import Mapping

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)]*)?\)")
CODE = re.compile(r"^ *```.*?^ *```$", re.S | re.M)
FOLDER = "docs/"


def for_the_site(text: str, file: str, page: str, pages: Mapping[str, str]) -> str:
    """Return a written page's Markdown with links to pages of the site.

    A file that has no page there is but named. What stands in blocks of code stays as it is.

    Args:
        text: the Markdown.
        file: the path of its file in the repository.
        page: the path of its page on the site.
        pages: the pages of files, both by such paths; those of the folder of documents are known.
    """

    def relinked(found: re.Match[str]) -> str:
        image, words, target, anchor = found.groups(default="")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), target))
        place = path.removeprefix(FOLDER) if path.startswith(FOLDER) else pages.get(path)
        if place is None:
            return words
        link = posixpath.relpath(place, posixpath.dirname(page) or ".")
        return f"{image}[{words}]({link}{anchor})"

    done, parts = 0, []
    for block in CODE.finditer(text):
        parts += [LINK.sub(relinked, text[done : block.start()]), block.group()]
        done = block.end()
    return "".join([*parts, LINK.sub(relinked, text[done:])])
