"""How exploitable is an agent? What a fresh learner gains against copies of it.

An agent is frozen, and MaskablePPO (``experiments.train``) trains a new learner against it: all
other seats are its copies. Then the learner is measured as one seat among them, on deals that
neither its training nor its learning curve has seen. An agent among copies of itself scores 0, so
what the learner gains is what the agent leaves to be taken: a lower bound on its exploitability,
which is what the best of all responses would gain. A small gain is no proof of strength: a longer
or a better search for weaknesses may find more. Several agents are compared by equal budgets.

The learner that is measured is the one that training ends with, as no earlier network is kept; it
takes its likeliest actions. The interval says how sure the gain of this learner is; how much
learners of other seeds would gain is not in it.

Sources: Timbers and others (2022), "Approximate exploitability: learning a best response", for
learning one by reinforcement; Lisý and Bowling (2017), "Equilibrium approximation quality of
current no-limit poker bots", for lower bounds by local best response; OpenSpiel (Lanctot and others
2019), whose ``exploitability`` is the exact figure where a game is small enough to be searched.
"""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape

from agents.learned import Learned
from cardenv.players import AnyPlayer
from experiments import train
from experiments.checkpoint import read_checkpoint
from experiments.command import (
    INTERRUPTED,
    SettingsError,
    check_folder,
    give_report,
    plain,
    provenance,
    run,
    stop_on_signal,
    write_json,
)
from experiments.comparison import check_confidence, check_enough
from experiments.deals import Deals, Played, check_cores
from experiments.entrants import check_names, load_entrants, mode, spelled
from experiments.figures import figures_of, meanings
from experiments.keeping import fingerprint, identity_of, kept_and_shown
from experiments.learning import PolicyGradient, Stopped, check_same
from experiments.lineups import one_among
from experiments.report import EPISODES, cell, heading, level, print_mode, table

BEGUN, REPORT, CHECKPOINT = "settings.json", "best_response.json", "checkpoint.json"
MAY_CHANGE = ("agents", "deals", "confidence", "cores", "json", "out", "resume")
"""Settings in which a command may differ from the one that began the folder."""
LONGEST_NAME = 60
LEARNER = "the learner"
_LEARNER, _AGENT = 0, 1
"""Places of the two at the tables where the gain is measured."""


@dataclass
class Settings(PolicyGradient):
    """Train a fresh learner against copies of each agent, and report what it gains."""

    agents: tuple[str, ...] = ("expert", "greedy", "random")
    """Whom to exploit, each with the same budget: random, a heuristic such as greedy or expert,
    champion, a search such as mc:200, or the folder of a training run."""
    players: int = 2
    """Number of players; all but the learner are copies of the agent."""
    steps: int = 1_000_000
    """The budget: decisions that each learner learns from; a rollout that is begun is finished."""
    gae_lambda: float = 0.7
    """Lambda of generalised advantage estimation; lower than in training against a mixture, as
    the luck of the deal asks for with few players."""
    deals: int = 5000
    """Deals the gain is measured on, other than the learning curve's; each is played in every
    seat."""
    confidence: float = 0.95
    """Level of the intervals."""
    sample: bool = False
    """Let trained agents that are exploited draw their actions instead of taking the likeliest,
    while the learner learns and when it is measured."""
    cores: int | None = None
    """Cores to measure on; all by default. Results do not depend on it."""
    json: bool = False
    """Print the result as JSON instead of a table."""
    out: Path = field(default_factory=lambda: Path("runs/best-response"))
    """Written to: best_response.json, and a folder for each agent with the run of its learner."""
    resume: bool = False
    """Go on with what --out holds, also with further agents or more deals."""


# --- The comparison -------------------------------------------------------------------------------


def best_responses(
    settings: Settings, should_stop: Callable[[], bool] = lambda: False
) -> dict[str, Any]:
    """Train a learner against each agent, and measure what it gains.

    Args:
        settings: whom to exploit, by what budget.
        should_stop: asked between rollouts, and several times a second while deals are played.

    Returns:
        What ``--json`` prints; ``best_response.json`` holds it too.

    Raises:
        SettingsError, PlayerError, RulesError: the settings cannot be carried out.
        Stopped: ``should_stop`` said so; everything is saved.
    """
    settings = replace(settings, agents=spelled(settings.agents))
    check_names(settings.agents)
    frozen = load_entrants(settings, settings.agents, settings.sample)
    _check(settings)
    _begin(settings, frozen)
    rows: list[dict[str, Any]] = []
    for name, agent in frozen.items():
        if should_stop():
            raise Stopped
        _say_what_is_next(settings, name, rows)
        _learn(settings, name, should_stop)
        rows.append(_gain(settings, name, agent, should_stop))
    report = _report(settings, frozen, rows)
    write_json(settings.out / REPORT, report)
    return report


def _check(settings: Settings) -> None:
    """Raise ``SettingsError`` for what would go wrong only after a while."""
    check_enough("deals", settings.deals)
    check_confidence(settings.confidence)
    check_cores(settings.cores)
    check_folder(settings.out)
    begun = (settings.out / BEGUN).exists()
    if begun and not settings.resume:
        raise SettingsError(
            f"{settings.out} already holds a run; give --resume to go on with it, or another --out."
        )
    if settings.resume and not begun:
        raise SettingsError(f"{settings.out} holds nothing to resume; start it without --resume.")
    for name in settings.agents:
        train.check(learner_settings(settings, name))


def _begin(settings: Settings, frozen: dict[str, AnyPlayer]) -> None:
    """Write what the folder is begun with, or compare with what it was begun with.

    Raises:
        SettingsError: it was begun with other settings, or an agent has changed since.
    """
    path, made = settings.out / BEGUN, provenance(settings)
    prints = {name: fingerprint(agent) for name, agent in frozen.items()}
    if path.exists():
        before = _read(path)
        for name, value in made["settings"].items():
            if name not in MAY_CHANGE and before["settings"].get(name) != value:
                raise SettingsError(
                    f"{settings.out} was begun with {name}={before['settings'].get(name)!r}, not "
                    f"{value!r}; choose the same, or give another --out."
                )
        for name, mark in before["agents"].items():
            if prints.setdefault(name, mark) != mark:
                raise SettingsError(
                    f"agent {name!r} has changed since {settings.out} was begun; give another "
                    "--out."
                )
    write_json(path, made | {"agents": prints})


def _read(path: Path) -> dict[str, Any]:
    try:
        before: dict[str, Any] = json.loads(path.read_text())
        if not all(isinstance(before[part], dict) for part in ("settings", "agents")):
            raise ValueError("it is another command's")
    except (ValueError, TypeError, KeyError) as error:
        raise SettingsError(
            f"{path} does not say how a comparison was begun ({error}); give another --out."
        ) from None
    return before


# --- The learner ----------------------------------------------------------------------------------


def folder_of(out: Path, name: str) -> Path:
    """Return where an agent's learner is kept: the name, or for a path what tells it from others.

    It does not depend on which other agents there are, so that further ones can be added.
    """
    plain_name = re.sub(r"[^\w.-]+", "-", name).strip("-.")[-LONGEST_NAME:]
    if plain_name != name:
        plain_name += "-" + hashlib.sha256(name.encode()).hexdigest()[:6]
    return out / plain_name


def learner_settings(settings: Settings, name: str) -> train.Settings:
    """Return the training run against copies of an agent, of which the learner knows nothing."""
    shared = {each.name: getattr(settings, each.name) for each in fields(PolicyGradient)}
    out = folder_of(settings.out, name)
    shared |= {"out": out, "resume": settings.resume and (out / CHECKPOINT).exists()}
    return train.Settings(
        **shared,
        opponents=(f"{name}:1.0",),  # with a weight, since a name may hold a colon
        sample_opponents=settings.sample,
        yardstick=name,
        sample_yardstick=settings.sample,
    )


def _learn(settings: Settings, name: str, should_stop: Callable[[], bool]) -> None:
    """Train the learner, or go on with it; one that has had its steps stays as it is."""
    wanted = learner_settings(settings, name)
    if not _has_learned(wanted):
        train.train(wanted, lambda steps: should_stop())


def _has_learned(wanted: train.Settings) -> bool:
    """Whether a learner has had its steps.

    Raises:
        SettingsError: its folder holds a run of other settings.
    """
    if not wanted.resume:
        return False
    newest = read_checkpoint(wanted.out)
    check_same(wanted, newest["settings"])
    return bool(newest["steps"] >= wanted.steps)


def _say_what_is_next(settings: Settings, name: str, rows: list[dict[str, Any]]) -> None:
    """Say whose turn it is, and how long all that is left may take, by the learners before."""
    words = f"against {name}, {len(rows) + 1} of {len(settings.agents)}"
    after = (learner_settings(settings, each) for each in settings.agents[len(rows) :])
    left = sum(not _has_learned(wanted) for wanted in after)
    if rows and left:
        minutes = left * np.mean([row["seconds"] for row in rows]) / 60
        words += f"; all that is left may take {minutes:.1f} min"
    Console(stderr=True).print(words, highlight=False, markup=False, soft_wrap=True)


# --- Its gain -------------------------------------------------------------------------------------


def _gain(
    settings: Settings, name: str, agent: AnyPlayer, should_stop: Callable[[], bool]
) -> dict[str, Any]:
    """Return a line of the report; the deals are kept in the learner's folder."""
    folder = folder_of(settings.out, name)
    played = _play(settings, name, agent, should_stop)
    gain = played.interval(settings.confidence, _LEARNER)
    newest = read_checkpoint(folder)
    return {
        "name": name,
        "gain": gain.mean,
        "low": gain.low,
        "high": gain.high,
        "lower_bound": max(0.0, gain.low),
        "steps": newest["steps"],
        "seconds": newest["curve"][-1][1],
        "learner": {
            "folder": str(folder),
            "curve": str(folder / "curve.csv"),
            **_play_of_the_learner(settings, played),
        },
    }


def _play_of_the_learner(settings: Settings, played: Played) -> dict[str, Any]:
    """Return the shares of its episodes that the learner won and lost, and its figures."""
    game, episode = settings.tables(1).game, settings.episode
    figures = figures_of(played, _LEARNER, game, episode, settings.confidence)
    won = figures[f"{EPISODES[episode]} won"]
    return {
        "won": won and won["value"],
        "lost": float(played.lost_by(_LEARNER).mean()),
        "figures": figures,
    }


def _play(
    settings: Settings, name: str, agent: AnyPlayer, should_stop: Callable[[], bool]
) -> Played:
    """Play the learner as one seat among copies of the agent, on deals of another seed.

    Raises:
        Stopped: ``should_stop`` said so; the deals are kept.
    """
    folder, seed = folder_of(settings.out, name), settings.seed + 1
    players = {LEARNER: Learned.load(folder), f"agent {name}": agent}
    lineup = one_among(_LEARNER, _AGENT, settings.players)
    deals = Deals(settings, players, {LEARNER: lineup}, seed=seed, cores=settings.cores)
    identity = identity_of(settings, seed, sample=settings.sample)
    with kept_and_shown(deals, players, folder, identity, "measuring") as look:
        look(settings.deals)
        deals.play(settings.deals, lambda: look(settings.deals), should_stop)
    if deals.common < settings.deals:
        raise Stopped
    return deals.played(LEARNER, settings.deals)


# --- The report -----------------------------------------------------------------------------------


def _report(
    settings: Settings, frozen: dict[str, AnyPlayer], rows: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return the result, the most exploited agent first."""
    game = settings.tables(1).game
    return {
        "game": game.name,
        "players": settings.players,
        "deals": settings.deals,
        **plain(provenance(settings)),
        "agents": sorted(rows, key=lambda row: (-row["gain"], row["name"])),
        "figures": meanings(game, settings.episode),
        "mode": mode(frozen, settings.sample),
    }


def print_report(report: dict[str, Any], console: Console) -> None:
    """Print what a learner gains against each agent, by which budget, and who is not exploited."""
    console.print(heading(report), highlight=False)
    gain = f"learner gains\n({level(report).removesuffix(' interval')})"
    headings = ("agent", gain, "at least", "learner\nwon", "learner\nlost", "time")
    steps = report["agents"][0]["steps"]
    gains = table(*headings, title=f"learners of {steps:,} steps each")
    for row in report["agents"]:
        gains.add_row(
            escape(row["name"]),
            cell(row["gain"], row),
            f"{row['lower_bound']:.4f}",
            f"{row['learner']['won']:.1%}",
            f"{row['learner']['lost']:.1%}",
            f"{row['seconds']:.0f} s",
        )
    console.print(gains)
    for row in report["agents"]:
        if row["gain"] <= 0:
            console.print(_nothing_found(row["name"]), highlight=False, soft_wrap=True)
    print_mode(report, console)


def _nothing_found(name: str) -> str:
    return f"this learner found nothing against {escape(name)}; more --steps in another --out may"


def main(settings: Settings) -> int | None:
    """Train, measure, print, and write the result."""
    words = "stopping after this rollout or these deals; once more to stop at once."
    with stop_on_signal(words) as should_stop:
        try:
            report = best_responses(settings, should_stop)
        except (Stopped, KeyboardInterrupt):
            if not (settings.out / BEGUN).exists():
                raise
            Console(stderr=True).print(
                f"stopped; go on with the same command and --resume ({settings.out}).",
                highlight=False,
                soft_wrap=True,
            )
            return INTERRUPTED
    give_report(report, settings.json, None, print_report)
    return None


if __name__ == "__main__":
    run(Settings, main)
