"""Signs that a training run is ill, which its loss curves do not show.

Whoever trains feeds these monitors with plain numbers, whatever library learns; they answer with
one sentence, a warning, or with the error that ends the run.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from experiments.command import SettingsError

DECISIONS_A_TABLE, FEWEST_DECISIONS = 500, 10_000
"""An episode is missing after so many decisions at each table, and so many in all. Random play,
which has the longest episodes, took 1,205 decisions of one seat at the most in any game, and 46
until the first of 256 tables was done."""
EARLY = 0.1
"""The share of a run in which a policy should still try things out."""
COLLAPSED = 0.05
"""The least entropy that a policy should have early, as a share of the uniform policy's. Healthy
runs by default settings had 0.22 or more, in every game; at 0.05 the likeliest of nine actions is
taken 98 times in a hundred."""


class NotFinite(SettingsError):
    """Training has left the numbers: what follows would be worthless, so it ends."""


def check_finite(steps: int, **values: Any) -> None:
    """Raise ``NotFinite`` unless all values are finite numbers.

    Args:
        steps: decisions of the learner so far.
        values: numbers or arrays, by what they are: ``policy_loss``, ``weights``, ``rewards`` ...
    """
    for name, value in values.items():
        if not np.isfinite(np.asarray(value)).all():
            raise NotFinite(
                f"training has stopped, as {name.replace('_', ' ')} held a value that is no finite "
                f"number after {steps:,} steps; try a lower --learning-rate in another --out"
            )


@dataclass
class Health:
    """Watches one run; each warning is given once, episodes' again after one has finished.

    Attributes:
        steps: decisions of the learner that the run is to have.
        tables: tables played at once.
        began: decisions that it had when the watch began.
        finished: episodes that it had finished by then; later, those that were last told.
    """

    steps: int
    tables: int
    began: int = 0
    finished: int = 0
    _missing_since: int = field(init=False)
    _said: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        """Count from where the run goes on."""
        self._missing_since = self.began

    def episodes(self, steps: int, finished: int) -> str | None:
        """Return a warning if no episode has finished for long.

        Args:
            steps: decisions of the learner so far, at all tables together.
            finished: episodes finished so far, those before the watch began among them if it was
                given them.
        """
        if finished > self.finished:
            self.finished, self._missing_since = finished, steps
            self._said.discard("episodes")
        missing = steps - self._missing_since
        if missing < max(DECISIONS_A_TABLE * self.tables, FEWEST_DECISIONS):
            return None
        return self._once(
            "episodes",
            f"no episode has finished in the last {missing:,} decisions at {self.tables} tables; "
            "the learner may have learned to stall, or the rules let it play on for ever.",
        )

    def entropy(self, steps: int, policy: float, uniform: float) -> str | None:
        """Return a warning if the policy hardly tries anything although the run is young.

        Args:
            steps: decisions of the learner so far.
            policy: the policy's mean entropy at decisions with more than one legal action, in nats.
            uniform: that of the policy which draws evenly among the legal actions.
        """
        if steps > EARLY * self.steps or uniform <= 0 or policy >= COLLAPSED * uniform:
            return None
        return self._once(
            "entropy",
            f"after {steps:,} of {self.steps:,} steps the policy has {policy / uniform:.1%} of a "
            "uniform policy's entropy, so it hardly tries anything; raise --entropy, or lower "
            "--learning-rate.",
        )

    def _once(self, what: str, warning: str) -> str | None:
        if what in self._said:
            return None
        self._said.add(what)
        return warning
