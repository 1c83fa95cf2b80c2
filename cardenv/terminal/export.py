"""Replays as files: an SVG picture of every position, and an animated GIF."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from cardenv import draw
from cardenv.narration import step_and_tell
from cardenv.replay import Replay
from cardenv.scene import Scene

LAST_FRAME = 3
"""So many times as long as the others is the last picture of an animation shown."""


def scenes(replay: Replay, view: int) -> Iterator[Scene]:
    """Yield every position as a viewer sees it, with the move that led to it in its heading."""
    tables = replay.position(0)
    yield tables.describe(0, view)
    for move, action in enumerate(replay.actions, start=1):
        event = step_and_tell(tables, action, view)
        scene: Scene = tables.describe(0, view)
        told = f"move {move}, seat {event.seat}: {event.action}"
        yield dataclasses.replace(scene, heading=f"{scene.heading} · {told}")


def write_svgs(replay: Replay, view: int, folder: Path, width: int, height: int) -> int:
    """Write ``frame-000.svg``, ``frame-001.svg`` and so on; return how many."""
    folder.mkdir(parents=True, exist_ok=True)
    frames = 0
    for frames, scene in enumerate(scenes(replay, view), start=1):
        path = folder / f"frame-{frames - 1:03}.svg"
        path.write_text(draw.svg(scene, width, height), encoding="utf-8")
    return frames


def write_gif(
    replay: Replay, view: int, path: Path, width: int, height: int, seconds: float
) -> int:
    """Write an animation that shows each position for so many seconds; return how many.

    Raises:
        MissingLibrary: Pillow is not installed.
    """
    draw.rgb(next(scenes(replay, view)), width, height)  # says what is missing, before all the work
    from PIL import Image

    pictures = [
        Image.fromarray(draw.rgb(scene, width, height)).quantize(64)
        for scene in scenes(replay, view)
    ]
    milliseconds = [round(1000 * seconds)] * len(pictures)
    milliseconds[-1] *= LAST_FRAME
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"unfinished-{path.name}")
    pictures[0].save(
        unfinished,
        format="GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=milliseconds,
        loop=0,
    )
    unfinished.replace(path)
    return len(pictures)
