"""The whole path in one command: train an agent, benchmark it, keep everything.

Run by ``make demo``. An interrupted demo goes on where it was when it is started again.
"""

from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from experiments import evaluate, train
from experiments.command import TableSettings, run, write_json

TABLE = ("game", "players", "max_players", "rules", "episode")
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
    trained = str(settings.out)
    report = evaluate.evaluate(
        evaluate.Settings(
            **table,
            seed=settings.seed + 1,  # other deals than the learning curve's
            agents=(trained, "expert", "greedy", "random"),
            deals=settings.deals,
        )
    )
    write_json(settings.out / "evaluation.json", report)
    evaluate.print_scores(report, Console())
    return None


if __name__ == "__main__":
    run(Settings, main)
