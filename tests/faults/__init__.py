"""Faults to plant, by game: a new game is one file in this folder and one line here.

A fault is a rule's id (or a decision in words) with a text of the game's file and what is put in
its place.
"""

from tests.faults import maumau, mow, schwimmen

FAULTS = {"schwimmen": schwimmen.FAULTS, "mow": mow.FAULTS, "maumau": maumau.FAULTS}
