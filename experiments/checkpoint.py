"""Checkpoints between rollouts: all that the next rollout depends on, so that resuming is exact.

A checkpoint holds a Stable-Baselines3 zip file, which is unpickled: load only those of your own.
"""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from experiments.command import SettingsError, write_json
from experiments.training_env import TrainingEnv

UNFINISHED = "checkpoint-unfinished"
OWN_NAME = re.compile(rf"checkpoint-\d+|{UNFINISHED}")


def save_checkpoint(
    folder: Path, model: MaskablePPO, env: TrainingEnv, notes: dict[str, Any]
) -> None:
    """Write a checkpoint; only a complete one gets its name, and ``checkpoint.json`` names it.

    Its file holds the notes too. One that it names already is what the run has just gone on from;
    one of this name that it does not name was left by a run that was killed, and goes.
    """
    place = folder / f"checkpoint-{model.num_timesteps}"
    if place.name != _named(folder):
        shutil.rmtree(place, ignore_errors=True)
        unfinished = folder / UNFINISHED
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        model.save(unfinished / "model.zip")
        np.savez(unfinished / "state.npz", **env.state_dict())
        torch.save(generators(), unfinished / "generators.pt")
        unfinished.rename(place)
    newest = {"folder": place.name, "steps": model.num_timesteps, **notes}
    write_json(folder / "checkpoint.json", newest)
    discard_checkpoints(folder, but=place)


def discard_checkpoints(folder: Path, but: Path | None = None) -> None:
    """Remove the folders of earlier or unfinished checkpoints, and no others that are there."""
    for place in folder.glob("checkpoint-*"):
        if OWN_NAME.fullmatch(place.name) and place.is_dir() and place != but:
            shutil.rmtree(place)


def _named(folder: Path) -> str | None:
    """Return the name of the newest whole checkpoint, if there is one."""
    try:
        return str(read_checkpoint(folder)["folder"])
    except SettingsError:
        return None


def read_checkpoint(folder: Path) -> dict[str, Any]:
    """Return what ``checkpoint.json`` says: the newest folder, steps, settings, curve.

    Raises:
        SettingsError: there is none, or it cannot be read.
    """
    path = folder / "checkpoint.json"
    try:
        newest: dict[str, Any] = json.loads(path.read_text())
        missing = {"folder", "steps", "settings", "curve"} - set(newest)
    except FileNotFoundError:
        raise SettingsError(
            f"{folder} holds no checkpoint to resume; start it without --resume."
        ) from None
    except (ValueError, TypeError) as error:
        raise SettingsError(_unreadable(folder, error)) from None
    if missing:
        raise SettingsError(_unreadable(folder, f"checkpoint.json lacks {sorted(missing)}"))
    return newest


def load_checkpoint(
    folder: Path,
    newest: dict[str, Any],
    env: TrainingEnv,
    functions: dict[str, Any],
    device: str,
) -> MaskablePPO:
    """Return the model as it was saved; the environment and the generators go on where they were.

    Args:
        folder: the run's.
        newest: what ``read_checkpoint`` returned.
        env: an environment equal to the one that was saved.
        functions: the model's schedules, which are not read from the file.
        device: where the model is to be.

    Raises:
        SettingsError: a file is missing or cannot be read.
    """
    place = folder / newest["folder"]
    try:
        model = MaskablePPO.load(
            place / "model.zip",
            env,
            device=device,
            custom_objects=functions | {"lr_schedule": None},
            force_reset=False,
        )
        with np.load(place / "state.npz", allow_pickle=False) as state:
            env.load_state_dict(dict(state))
        load_generators(torch.load(place / "generators.pt", weights_only=True))
    except Exception as error:
        raise SettingsError(_unreadable(folder, error)) from None
    return model


def _unreadable(folder: Path, why: object) -> str:
    return (
        f"the checkpoint in {folder} cannot be read ({why}); restore its files, or train again "
        "into another --out."
    )


def generators() -> dict[str, Any]:
    """Return the state of every global generator that a PPO update draws from."""
    _, words, position, *_ = np.random.get_state()
    return {
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all(),
        "numpy": torch.from_numpy(np.array(words, np.int64)),
        "numpy_position": position,
    }


def load_generators(state: dict[str, Any]) -> None:
    """Take over what ``generators`` returned."""
    torch.set_rng_state(state["torch"])
    if torch.cuda.is_available() and state["cuda"]:
        torch.cuda.set_rng_state_all(state["cuda"])
    words = state["numpy"].numpy().astype(np.uint32)
    np.random.set_state(("MT19937", words, state["numpy_position"], 0, 0.0))
