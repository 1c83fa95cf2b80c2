"""What tests of promises must know of a game: a new one is one file here and one line below."""

from tests.particulars import maumau, mow, schwimmen
from tests.particulars.form import Particulars

PARTICULARS: dict[str, Particulars] = {each.GAME: each for each in (schwimmen, mow, maumau)}
