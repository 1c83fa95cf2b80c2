"""Every game shuffles its whole pack: each card is once in a deck, and as often in every place."""

import numpy as np
import pytest

from cardenv import games
from cardenv.table import Tables
from tests.cases import every_game, spread


@spread("players")
def test_s31_1_mow_7_mow_8_a_shuffled_deck_holds_each_card_once(game, players):
    tables = Tables(game, 200, players)
    tables.reset(seed=3)
    decks = tables.rows["deck"][:, : len(tables.rules.cards)]
    assert (np.sort(decks, axis=1) == tables.rules.cards).all()
    assert len(np.unique(decks, axis=0)) == 200


@pytest.mark.bulk
@every_game
def test_s31_1_mow_8_every_card_is_dealt_to_every_place_equally_often(game):
    size = games.get(game).rules.PACK_SIZE
    tables = Tables(game, 1000 * size, 2)
    tables.reset(seed=4)
    counts = [np.bincount(place, minlength=size) for place in tables.rows["deck"].T[:size]]
    # 1000 expected in each cell, standard deviation 31: six of them are never seen.
    assert np.abs(np.array(counts) - 1000).max() < 190
