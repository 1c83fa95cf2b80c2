"""A person at a table of agents, without any screen: what is played, told and taken back."""

from collections.abc import Mapping

import numpy as np

from cardenv.narration import Event, step_and_tell
from cardenv.players import AnyPlayer, ask
from cardenv.replay import Replay, scores_of


class Session:
    """One game of a person and agents.

    Agents draw all chance from the table's keys, so that a game taken back and played on in the
    same way is the same game.

    Args:
        start: the game, and who sits where; actions that it has are played.
        person: the person's seat.
        players: the agents, by their seats.

    Attributes:
        tables: the table as it is.
        events: what the person has seen of each action.
        actions: all actions.
    """

    def __init__(self, start: Replay, person: int, players: Mapping[int, AnyPlayer]) -> None:
        self.start, self.person, self.players = start, person, players
        self.tables = start.position(0)
        self.actions: list[int] = []
        self.events: list[Event] = []
        for action in start.actions:
            self.act(action)

    @property
    def turn(self) -> int:
        """The seat to decide, -1 once the game is over."""
        return int(self.tables.turn[0])

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person is to decide."""
        return self.turn == self.person

    @property
    def legal(self) -> list[int]:
        """The deciding seat's actions, none once the game is over."""
        found: list[int] = np.flatnonzero(self.tables.masks[0]).tolist()
        return found if self.turn >= 0 else []

    def act(self, action: int) -> None:
        """Carry out the deciding seat's action.

        Raises:
            IllegalAction: it is not legal; nothing has changed.
        """
        event = step_and_tell(self.tables, action, self.person)
        self.actions.append(action)
        self.events.append(event)

    def choice_of_agent(self) -> int:
        """Return what the agent to decide takes; the table does not change."""
        return int(ask(self.players[self.turn], self.tables, np.zeros(1, np.int64))[0])

    def since_last_decision(self) -> list[Event]:
        """Return what has happened from the person's last decision on, that included."""
        return self.events[self._last_decision() or 0 :]

    def undo(self) -> bool:
        """Go back to the person's last decision; return whether there was one."""
        last = self._last_decision()
        if last is None:
            return False
        del self.actions[last:], self.events[last:]
        self.tables = self.replay().position()
        return True

    def replay(self) -> Replay:
        """Return the game as far as it is played."""
        return self.start.with_actions(self.actions)

    def scores(self) -> tuple[float, ...]:
        """Return every seat's score so far."""
        return scores_of(self.tables)

    def _last_decision(self) -> int | None:
        own = [move for move, event in enumerate(self.events) if event.seat == self.person]
        return own[-1] if own else None
