"""What the commands that compare agents share: settings, their checks, and how they end."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console

from experiments.command import (
    INTERRUPTED,
    SettingsError,
    TableSettings,
    check_folder,
    give_report,
    stop_on_signal,
)
from experiments.deals import check_cores
from experiments.entrants import check_names
from experiments.intervals import FIRST_STAGE
from experiments.keeping import FILE

HIGHEST_CONFIDENCE = 0.999999
FEWEST_DEALS = 30
"""With fewer there is no interval."""


@dataclass
class Comparison(TableSettings):
    """Compare agents, on a number of deals or up to a precision."""

    agents: tuple[str, ...] = ("expert", "greedy", "random")
    """Whom to compare: random, a heuristic such as greedy or expert, champion, a search such as
    mc:200, or the folder of a training run."""
    deals: int | None = None
    """Number of deals; each is played in every seat. 2000, if no precision is given."""
    precision: float | None = None
    """Instead of a number of deals: play until all intervals are this wide to either side."""
    max_deals: int | None = None
    """The most deals that a precision may take; what they reach is reported then."""
    confidence: float = 0.95
    """Level of the intervals."""
    sample: bool = False
    """Let trained agents draw their actions instead of taking the likeliest."""
    cores: int | None = None
    """Cores to play on; all by default. Results do not depend on it."""
    json: bool = False
    """Print the result as JSON instead of tables."""
    out: Path | None = None
    """Write the result to this folder, with tables, pictures and the deals played: the same command
    goes on with them, also with more deals, a finer precision or other agents."""


C = TypeVar("C", bound=Comparison)


class StoppedTooEarly(Exception):
    """A stop was asked for before there were deals enough to report of."""


# --- Checks ---------------------------------------------------------------------------------------


def check_comparison(settings: Comparison) -> None:
    """Raise ``SettingsError`` for what no table or agent would notice."""
    deals, precision, most = settings.deals, settings.precision, settings.max_deals
    if deals is not None and precision is not None:
        raise SettingsError(
            f"deals={deals} and precision={precision} were both given; give one of them."
        )
    if deals is not None:
        check_enough("deals", deals)
    if precision is not None and not (precision > 0 and math.isfinite(precision)):
        raise SettingsError(
            f"precision={precision} is not possible; give a width more than 0, such as 0.005."
        )
    if most is not None and precision is None:
        raise SettingsError(f"max_deals={most} goes with a precision; give one, or give deals.")
    if most is not None and most < FIRST_STAGE:
        raise SettingsError(f"max_deals={most} is too few; give {FIRST_STAGE} or more.")
    check_confidence(settings.confidence)
    check_cores(settings.cores)
    check_names(settings.agents)
    if settings.out is not None:
        check_folder(settings.out)


def check_enough(setting: str, deals: int) -> None:
    """Raise ``SettingsError`` if a setting's number of deals is too small for an interval."""
    if deals < FEWEST_DEALS:
        raise SettingsError(
            f"{setting}={deals} are too few for an interval; give {FEWEST_DEALS} or more."
        )


def check_confidence(confidence: float) -> None:
    """Raise ``SettingsError`` unless there are intervals of this level."""
    if not 0 < confidence <= HIGHEST_CONFIDENCE:
        raise SettingsError(
            f"confidence={confidence} is not possible; give a share such as 0.95, "
            f"{HIGHEST_CONFIDENCE} at the most."
        )


# --- The command ----------------------------------------------------------------------------------


def carry_out(
    settings: C,
    compare: Callable[[C, Callable[[], bool]], dict[str, Any]],
    show: Callable[[dict[str, Any], Console], None],
) -> int | None:
    """Compare and print; after Ctrl-C finish what is under way and report of the deals so far.

    Args:
        settings: of the command.
        compare: given the settings and a function that says whether to stop, returns the report,
            whose ``stopped`` says in words if it was.
        show: prints the report.

    Returns:
        The command's status, ``None`` if it was not stopped.
    """
    with stop_on_signal("finishing the deals under way; once more to stop at once.") as should_stop:
        try:
            report = compare(settings, should_stop)
            stopped: str | None = report["stopped"]
            give_report(report, settings.json, None, show)
        except StoppedTooEarly as early:
            stopped = str(early)
        except KeyboardInterrupt:
            if settings.out is None or not (settings.out / FILE).exists():
                raise
            stopped = "stopped; the same command goes on with the deals kept."
    if stopped is None:
        return None
    Console(stderr=True).print(stopped, highlight=False, soft_wrap=True)
    return INTERRUPTED
