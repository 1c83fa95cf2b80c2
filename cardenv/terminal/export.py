"""Replays as files: an SVG picture of every position, and an animated GIF."""

import dataclasses
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from cardenv import draw
from cardenv.files import replacing
from cardenv.narration import step_and_tell
from cardenv.replay import Replay, scores_of
from cardenv.scene import Scene, captioned
from cardenv.table import Tables

LAST_FRAME = 3
"""So many times as long as the others is the last picture of an animation shown."""
DIGITS = 5
"""Digits in the names of frames, so that they sort."""


def scenes(replay: Replay, view: int, start: int = 0) -> Iterator[Scene]:
    """Yield every position from one on as a viewer sees it, with what a picture alone must say.

    That is the move that led to it, who sits where, and in the end the scores.
    """
    tables = replay.position(max(start - 1, 0))
    if start == 0:
        yield _captioned(replay, tables, view)
        start = 1
    for move, action in enumerate(replay.actions[start - 1 :], start):
        event = step_and_tell(tables, action, view)
        yield _captioned(replay, tables, view, f", move {move}, seat {event.seat}: {event.action}")


def _captioned(replay: Replay, tables: Tables, view: int, move: str = "") -> Scene:
    scene = captioned(tables.describe(0, view), replay.agents, scores_of(tables))
    return dataclasses.replace(scene, heading=scene.heading + move)


def write_svgs(pictures: Iterable[Scene], folder: Path, width: int, height: int) -> int:
    """Write ``frame-00000.svg``, ``frame-00001.svg`` and so on; return how many.

    Frames that were in the folder before are of another game, and go.
    """
    drawings = (draw.svg(scene, width, height) for scene in pictures)
    first = next(drawings)  # refuses a wrong size
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"frame-{'[0-9]' * DIGITS}.svg"):
        old.unlink()
    frames = 0
    for frames, drawing in enumerate(chain([first], drawings), start=1):
        path = folder / f"frame-{frames - 1:0{DIGITS}}.svg"
        path.write_text(drawing, encoding="utf-8")
    return frames


def write_gif(
    pictures: Iterable[Scene], path: Path, width: int, height: int, seconds: float
) -> int:
    """Write an animation that shows each position for so many seconds; return how many.

    Raises:
        MissingLibrary: Pillow is not installed.
    """
    arrays = (draw.rgb(scene, width, height) for scene in pictures)
    first = next(arrays)  # says what is missing
    from PIL import Image

    frames = [Image.fromarray(array).quantize(64) for array in chain([first], arrays)]
    milliseconds = [round(1000 * seconds)] * len(frames)
    milliseconds[-1] *= LAST_FRAME
    with replacing(path) as unfinished:
        frames[0].save(
            unfinished,
            format="GIF",
            save_all=True,
            append_images=frames[1:],
            duration=milliseconds,
            loop=0,
        )
    return len(frames)
