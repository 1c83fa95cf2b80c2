"""What deals fit what a seat has seen: a new game is one file here and one line below."""

from tests.deals import maumau, mow, schwimmen
from tests.deals.form import Deals

DEALS: dict[str, Deals] = {each.GAME: each for each in (schwimmen, mow, maumau)}
