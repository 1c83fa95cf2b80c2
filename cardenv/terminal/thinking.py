"""Agents think beside the screen: in a thread that nobody waits for when the screen is left."""

import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any

from textual.app import App


class Thinker:
    """Works out one question after the other, while the screen stays alive.

    Of questions that have to wait only the newest is worked out.

    Args:
        app: the screen; it hears of what comes out as long as it is there.
        failed: called with what went wrong, in words. Agents may be anybody's code.
    """

    def __init__(self, app: App[Any], failed: Callable[[str], None]) -> None:
        self._app, self._failed = app, failed
        self._context = copy_context()  # where NumPy keeps its settings of errors, for threads
        self._questions: SimpleQueue[tuple[Callable[[], Any], Callable[[Any], None]]]
        self._questions = SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def ask(self, question: Callable[[], Any], answered: Callable[[Any], None]) -> None:
        """Have a question worked out; ``answered`` is called with the answer."""
        self._questions.put((question, answered))

    def _work(self) -> None:
        while self._app.return_code is None:
            question, answered = self._questions.get()
            while not self._questions.empty():
                question, answered = self._questions.get()
            try:
                then = partial(answered, self._context.copy().run(question))
            except Exception as error:
                then = partial(self._failed, f"{type(error).__name__}: {error}")
            with suppress(RuntimeError):  # the screen was left meanwhile
                self._app.call_later(then)
