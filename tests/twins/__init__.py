"""The games that have a twin: a new one is one file in this folder and one line here."""

from tests.twins import maumau, mow, schwimmen

ADAPTERS = {adapter.GAME: adapter for adapter in (schwimmen, mow, maumau)}
