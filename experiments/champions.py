"""Make the champions that are shipped in ``agents/champions``: train, round, measure, describe.

Every game has one for two players and one for four, all trained by one recipe: ``experiments.
improve`` with the settings below. Weights are kept in half precision and measured so, on deals that
training never saw. A champion that is finished is not made again; one that was interrupted goes on.
"""

import csv
import dataclasses
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import agents
from agents import champion
from agents.learned import DESCRIPTION, WEIGHTS, Learned
from agents.network import Network
from cardenv import games
from experiments import improve
from experiments.command import (
    INTERRUPTED,
    SettingsError,
    check_folder,
    provenance,
    run,
    stop_on_signal,
    write_json,
)
from experiments.comparison import check_enough
from experiments.evaluate import measure
from experiments.learning import Stopped
from experiments.running import CHECKPOINT

CONFIDENCE = 0.99
MEASURED_SEED = 2**20
"""Added to the seed of training for the deals that a champion is measured on."""
TRAINING = "training"
"""The folder of a champion's training run, inside its own."""


@dataclass
class Settings:
    """Train the champions and write what is shipped of them."""

    games: tuple[str, ...] = tuple(games.names())
    """The games to make champions for."""
    players: tuple[int, ...] = (2, 4)
    """The numbers of players to make champions for."""
    out: Path = Path("runs/champions")
    """The folder that champions and their training runs are written to."""
    ship: bool = False
    """Copy the champions that are finished into the package, over those that are there."""
    seed: int = 1
    """Every deal and every choice follows from it."""
    steps: int = 12_000_000
    """Decisions to learn from, for each champion."""
    deals: int = 20_000
    """Deals that each champion is measured on."""
    threads: int = 1
    """Threads of PyTorch."""
    cores: int = 1
    """On how many cores actions are tried; the result does not depend on it."""


def recipe(settings: Settings, game: str, players: int) -> improve.Settings:
    """Return how one champion is trained."""
    training = settings.out / champion.folder_of(games.get(game), players).name / TRAINING
    return improve.Settings(
        game=game,
        players=players,
        steps=settings.steps,
        seed=settings.seed,
        threads=settings.threads,
        cores=settings.cores,
        out=training,
        resume=(training / CHECKPOINT).exists(),
        measure_every=max(settings.steps // 10, 1),
        measure_deals=min(settings.deals, 1000),
        layers=(128, 128),
        memory=128,
        learning_rate=1e-3,
    )


def make(training: improve.Settings, deals: int, should_stop: Callable[[], bool]) -> dict[str, Any]:
    """Train one champion, write its files, and return its card.

    Raises:
        Stopped: ``should_stop`` said so; training is saved.
    """
    learned = improve.train(training, lambda steps: should_stop())
    rounded = in_half_precision(learned)
    folder = training.out.parent
    figures = {
        f"score among {name}": list(
            measure(
                rounded,
                agents.load(name, training.game),
                training,
                deals,
                training.seed + MEASURED_SEED,
            ).interval(CONFIDENCE)
        )
        for name in agents.names(training.game)
        if name != "random"
    }
    card = {
        "trained_with": command_of(training),
        **provenance(training),
        "training_seconds": seconds_of(training.out),
        "figures": {"confidence": CONFIDENCE, "deals": deals, **figures},
        "fingerprint": rounded.own_fingerprint,
    }
    rounded.save(folder, np.float16)
    write_json(folder / champion.CARD, card)
    return card


def in_half_precision(learned: Learned) -> Learned:
    """Return the agent with its weights rounded as they are kept."""
    weights, biases = (
        tuple(each.astype(np.float16).astype(np.float32) for each in arrays)
        for arrays in (learned.network.weights, learned.network.biases)
    )
    return Learned(learned.name, Network(weights, biases), learned.description)


def command_of(training: improve.Settings) -> str:
    """Return the command that trains the same network."""
    words = ["python", "-m", "experiments.improve"]
    usual = improve.Settings()
    for each in dataclasses.fields(training):
        value = getattr(training, each.name)
        if value != getattr(usual, each.name) and each.name not in ("out", "resume"):
            values = value if isinstance(value, tuple) else (value,)
            words += [f"--{each.name.replace('_', '-')}", *map(str, values)]
    return " ".join(words)


def seconds_of(folder: Path) -> float:
    """Return how long a run has trained, its measurements included."""
    with (folder / "curve.csv").open() as file:
        return float([*csv.DictReader(file)][-1]["seconds"])


def ship(folder: Path) -> None:
    """Copy a finished champion into the package."""
    place = champion.FOLDER / folder.name
    place.mkdir(parents=True, exist_ok=True)
    for name in (WEIGHTS, DESCRIPTION, champion.CARD):
        shutil.copyfile(folder / name, place / name)


def check(settings: Settings) -> None:
    """Raise ``SettingsError`` for what would go wrong only after a while."""
    check_folder(settings.out)
    check_enough("deals", settings.deals)
    for game in settings.games:
        rules = games.get(game).rules()
        for players in settings.players:
            if not rules.MIN_PLAYERS <= players <= rules.most_players:
                raise SettingsError(
                    f"players={players} is not possible in {game}; give {rules.MIN_PLAYERS} to "
                    f"{rules.most_players}."
                )


def print_cards(cards: dict[str, dict[str, Any]], console: Console) -> None:
    """Print how long each champion trained and what it scores among whom."""
    table = Table("champion", "minutes", "among", f"score, {CONFIDENCE:.0%} interval")
    for name, card in cards.items():
        for among, figure in card["figures"].items():
            if among.startswith("score"):
                mean, low, high = figure
                words = f"{mean:+.4f} [{low:+.4f}, {high:+.4f}]"
                minutes = f"{card['training_seconds'] / 60:.1f}"
                table.add_row(name, minutes, among.removeprefix("score among "), words)
    console.print(table)


def main(settings: Settings) -> int | None:
    """Make every champion in turn; say how to go on after an interruption."""
    check(settings)
    cards = {}
    with stop_on_signal("stopping after this rollout; once more to stop at once.") as should_stop:
        for game in map(games.get, settings.games):
            for players in settings.players:
                training = recipe(settings, game.name, players)
                folder = training.out.parent
                try:
                    if not (folder / champion.CARD).exists():
                        cards[folder.name] = make(training, settings.deals, should_stop)
                except Stopped:
                    Console(stderr=True).print("stopped; go on with the same command.")
                    return INTERRUPTED
                if settings.ship:
                    ship(folder)
    print_cards(cards, Console())
    return None


if __name__ == "__main__":
    run(Settings, main)
