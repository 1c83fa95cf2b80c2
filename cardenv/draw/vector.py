"""A scene as SVG: text that any browser or notebook shows, without a font of its own."""

from collections.abc import Iterator
from xml.sax.saxutils import escape

from cardenv.draw.placing import CARD, Block, Part, Rectangle, Sign, place
from cardenv.draw.shapes import SIGNS
from cardenv.draw.size import HEIGHT, WIDTH, checked_size
from cardenv.scene import INTERNATIONAL, Scene, lettered


def svg(
    scene: Scene, width: int = WIDTH, height: int = HEIGHT, letters: str = INTERNATIONAL
) -> str:
    """Return a scene as a whole SVG document; every card is a group with its face as title.

    Args:
        scene: what there is to see.
        width: width in pixels; the picture fills it at any proportions.
        height: height in pixels.
        letters: one of ``cardenv.scene.LETTERS``.

    Raises:
        ValueError: there are no such letters, or the size is too small or too large.
    """
    checked_size(width, height)
    placement = place(scene, width, height, letters)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {_n(placement.width)} {_n(placement.height)}" role="img" '
        f'aria-label="{_quoted(lettered(scene.heading, letters))}" '
        'font-family="Helvetica, Arial, sans-serif">',
        *(line for block in placement.blocks for line in _block(block)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _block(block: Block) -> Iterator[str]:
    parts = map(_part, block.parts)
    if block.kind == CARD:
        yield f"<g><title>{escape(block.name)}</title>{''.join(parts)}</g>"
    else:
        yield from parts


def _part(part: Part) -> str:
    if isinstance(part, Rectangle):
        box = part.box
        return (
            f'<rect x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.width)}" '
            f'height="{_n(box.height)}" rx="{_n(part.radius)}" fill="{part.fill}" '
            f'stroke="{part.edge}" stroke-width="{_n(part.thickness)}"/>'
        )
    if isinstance(part, Sign):
        return (
            f'<path transform="translate({_n(part.x)} {_n(part.y)}) scale({_n(part.size)})" '
            f'fill="{part.fill}" d="{_outline(part.name)}"/>'
        )
    # Whatever font the viewer has, the text is as wide as it was measured.
    return (
        f'<text x="{_n(part.x)}" y="{_n(part.y)}" font-size="{_n(part.size)}" '
        f'textLength="{_n(part.width)}" lengthAdjust="spacingAndGlyphs" '
        f'fill="{part.fill}">{escape(part.text)}</text>'
    )


def _outline(sign: str) -> str:
    return "".join(
        name + " ".join(map(_n, numbers)) for path in SIGNS[sign] for name, numbers in path
    )


def _n(number: float) -> str:
    """Return a number with at most three places, and none where they are zeros."""
    return f"{number:.3f}".rstrip("0").rstrip(".")


def _quoted(text: str) -> str:
    return escape(text, {'"': "&quot;"})
