"""The whole path in one command: train an agent, benchmark it, keep everything.

Run by ``make demo``. An interrupted demo goes on where it was when it is started again.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from experiments import evaluate, train
from experiments.command import INTERRUPTED, TableSettings, run, stop_on_signal
from experiments.comparison import StoppedTooEarly
from experiments.keeping import FILE, Differs

TABLE = ("game", "players", "max_players", "history", "rules", "episode")
OPPONENTS = ("greedy:0.8", "expert:0.2")


@dataclass
class Settings(TableSettings):
    """Train a MaskablePPO agent and benchmark it against random, greedy and expert."""

    steps: int = 2_500_000
    """Decisions the agent learns from."""
    deals: int = 5000
    """Deals of the benchmark; each is played in every seat."""
    out: Path = field(default_factory=lambda: Path("runs/demo"))
    """The run's folder; if it holds an unfinished demo, that one goes on."""


def main(settings: Settings) -> int | None:
    """Train, evaluate, and print one table."""
    table = {name: getattr(settings, name) for name in TABLE}
    resume = (settings.out / "checkpoint.json").exists()
    status = train.main(
        train.Settings(
            **table,
            seed=settings.seed,
            device=settings.device,
            steps=settings.steps,
            out=settings.out,
            resume=resume,
            opponents=OPPONENTS,
        ),
        go_on="by starting the demo again",
    )
    if status:
        return status
    with stop_on_signal("finishing the deals under way; once more to stop at once.") as should_stop:
        try:
            report = benchmark(settings, should_stop)
        except Differs:  # from before the agent learned on
            (settings.out / FILE).unlink()
            report = benchmark(settings, should_stop)
        except StoppedTooEarly:
            report = {"stopped": True}
    if report["stopped"]:
        Console(stderr=True).print(f"stopped; go on by starting the demo again ({settings.out}).")
        return INTERRUPTED
    evaluate.print_scores(report, Console())
    return None


def benchmark(settings: Settings, should_stop: Callable[[], bool]) -> dict[str, Any]:
    """Evaluate the trained agent and those that every game has."""
    return evaluate.evaluate(
        evaluate.Settings(
            **{name: getattr(settings, name) for name in TABLE},
            seed=settings.seed + 1,  # other deals than the learning curve's
            agents=(str(settings.out), "expert", "greedy", "random"),
            deals=settings.deals,
            out=settings.out,
        ),
        should_stop,
    )


if __name__ == "__main__":
    run(Settings, main)
