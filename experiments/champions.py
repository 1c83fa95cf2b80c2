"""Make the champions that are shipped in ``agents/champions``: train, round, measure, describe.

Every game has one for two players and one for four, trained by ``experiments.improve``. The card of
a shipped champion is also its recipe: what it says of ``RECIPE`` is used again, and for one that is
not shipped the values there. Weights are kept in half precision and measured so, on deals that
training never saw. A champion that is finished is not made again; one that was interrupted goes on.
"""

import csv
import dataclasses
import json
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
from experiments.learning import Stopped, check_same
from experiments.running import CHECKPOINT

CONFIDENCE = 0.99
RECIPE: dict[str, Any] = {
    "layers": (128, 128),
    "memory": 128,
    "learning_rate": 1e-3,
    "weight_decay": 0.1,
    "averaged": 1,
    "hopeless": 0.3,
    "seldom": 0.1,
}
"""Settings of training in which champions may differ, and what they usually are."""
MEASURED_DEALS = 100_000
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
    deals: int | None = None
    """Deals that each champion is measured on; as many as its card says by default, 100,000 for one
    that is not shipped."""
    threads: int = 1
    """Threads of PyTorch."""
    cores: int = 1
    """On how many cores actions are tried; the result does not depend on it."""


def recipe(settings: Settings, game: str, players: int) -> improve.Settings:
    """Return how one champion is trained."""
    folder = champion.folder_of(games.get(game), players)
    training = settings.out / folder.name / TRAINING
    card = card_in(folder)
    told = card["settings"] if card else {}
    own = {name: told.get(name, usual) for name, usual in RECIPE.items()}
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
        measure_deals=1000 if settings.deals is None else min(settings.deals, 1000),
        **own | {"layers": tuple(own["layers"])},
    )


def deals_of(settings: Settings, game: str, players: int) -> int:
    """Return on how many deals one champion is measured."""
    card = card_in(champion.folder_of(games.get(game), players))
    if settings.deals is not None:
        return settings.deals
    return int(card["figures"]["deals"]) if card else MEASURED_DEALS


def card_in(folder: Path) -> dict[str, Any] | None:
    """Return the card of a champion, or None if there is none.

    Raises:
        SettingsError: it is damaged.
    """
    path = folder / champion.CARD
    try:
        card: dict[str, Any] = json.loads(path.read_text())
        _ = card["settings"]["steps"], card["figures"]["deals"]
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError) as error:
        raise SettingsError(
            f"{path} cannot be read ({type(error).__name__}); restore it, or remove it to have the "
            "champion made anew."
        ) from None
    return card


def finished(training: improve.Settings, deals: int) -> dict[str, Any] | None:
    """Return the card of a champion that is finished, or None.

    Raises:
        SettingsError: it was made in another way.
    """
    card = card_in(training.out.parent)
    if card is not None:
        check_same(training, card["settings"])
        was = {"steps": card["settings"]["steps"], "deals": card["figures"]["deals"]}
        for name, wanted in (("steps", training.steps), ("deals", deals)):
            if was[name] != wanted:
                raise SettingsError(
                    f"{training.out.parent} holds a champion made with {name}={was[name]}, not "
                    f"{wanted}; remove its {champion.CARD} to go on with it, or give another --out."
                )
    return card


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
    if settings.deals is not None:
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
                deals = deals_of(settings, game.name, players)
                folder = training.out.parent
                try:
                    card = finished(training, deals)
                    if card is None and should_stop():
                        raise Stopped
                    cards[folder.name] = card or make(training, deals, should_stop)
                except Stopped:
                    Console(stderr=True).print("stopped; go on with the same command.")
                    return INTERRUPTED
                if settings.ship:
                    ship(folder)
    print_cards(cards, Console())
    return None


if __name__ == "__main__":
    run(Settings, main)
