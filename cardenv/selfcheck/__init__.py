"""The conformance suite: what a game and its environments promise, checked in random play.

``run("mow")`` plays random games at several kinds of table and returns a ``Report``; a game of your
own is checked the same way once ``cardenv.register`` knows it. Every fault is told with the promise
that it breaks, the kind of table, the seed, and the call that shows it again.

``bounds`` comes first and plays the game as plain Python, in a process of its own: compiled code
that writes beyond a field could end this one. What the events of a history show is looked at no
further than that no redraw of the row changes them; whether they tell too much is for a game's own
tests to say.

What a seat cannot know is what the game's ``resample`` draws anew. A game says where its cards are
by a function ``every_card(row, rules)`` in its module, which returns each card as often as it is
there, and what the scores of an episode sum to by a number ``SCORES_SUM_TO``: 0 unless it is given,
``None`` for any sum. Both can be left out. ``resampling`` is for games that hide something: leave
it out for one that does not.
"""

from cardenv.selfcheck.report import Report
from cardenv.selfcheck.setting import BrokenPromise
from cardenv.selfcheck.suite import PROMISES, run

__all__ = ["PROMISES", "BrokenPromise", "Report", "run"]
