"""One wrong change of the game's code for each rule of Mau-Mau, and for the decisions beside them.

A fault's name is the rule's id, or the decision that it breaks.
"""

FAULTS: dict[str, tuple[str, str]] = {
    "MAU-1": ("PLAYERS_OF_ONE_PACK = 5", "PLAYERS_OF_ONE_PACK = 6"),
    "MAU-2": ("hand_size: int = switch(5,", "hand_size: int = switch(6,"),
    "MAU-3": ("row.drawn += 1\n    row.reshuffles", "row.reshuffles"),
    "MAU-4": ("row.winners = singleton(seat)\n        return\n", "row.winners = singleton(seat)\n"),
    "MAU-5": ("fitting = OF_SUIT[suit] | OF_RANK[rank]", "fitting = OF_SUIT[suit]"),
    "MAU-6": ("fitting = OF_SUIT[suit] | OF_RANK[rank]", "fitting = OF_RANK[rank]"),
    "MAU-7": ("if rank_of(card) == ACE:", "if rank_of(card) != SEVEN:"),
    "MAU-8": ("drawn = draw(row, rules, row.turn, 1)", "drawn = draw(row, rules, row.turn, 2)"),
    "MAU-9": (
        "actions |= singleton(DRAW if row.went_on == NEW_TURN else END)",
        "if cards == NONE or row.went_on != NEW_TURN:\n"
        "        actions |= singleton(DRAW if row.went_on == NEW_TURN else END)",
    ),
    "MAU-10": ("and hand_size(row, row.turn) == 2", "and hand_size(row, row.turn) == 3"),
    "MAU-11": ("draw(row, rules, seat, rules.mau_penalty)", "draw(row, rules, seat, 2)"),
    "MAU-12": (
        "return 2 if rank == EIGHT or card == KING_OF_HEARTS else 1",
        "return 2 if rank == EIGHT or rank == rank_of(KING_OF_HEARTS) else 1",
    ),
    "MAU-13": ("row.open_draws = 0\n        end_turn(row, rules, 1)\n        return", "return"),
    "MAU-14": ("return hand & SEVENS", "return NONE"),
    "MAU-15": ("row.open_draws + rules.seven_draw,", "rules.seven_draw,"),
    "MAU-16": (
        "return 2 if rank == EIGHT or card == KING_OF_HEARTS else 1",
        "return 2 if card == KING_OF_HEARTS else 1",
    ),
    "MAU-17": (
        "row.went_on = how\n    if playable(row, rules) == NONE:",
        "row.went_on = how\n    if False:",
    ),
    "MAU-18": ("row.fitting = fitting | JACKS", "row.fitting = fitting"),
    "MAU-19": ("row.in_force = 1 << wish", "row.in_force = 1 << suit"),
    "MAU-20": ("KING_DRAWS = 3", "KING_DRAWS = 2"),
    "MAU-21": (
        "draw(row, rules, clockwise(row.turn, 1, rules.players), KING_DRAWS)\n    return 2 if rank"
        " == EIGHT or card == KING_OF_HEARTS",
        "row.open_draws += KING_DRAWS\n    return 2 if rank == EIGHT",
    ),
    "MAU-22": ("hand &= singleton(row.drawn_card)", "hand &= row.fitting"),
    "MAU-23": ("twice = rules.pack if rules.decks == 2 else NONE", "twice = NONE"),
    "MAU-24": (
        "if rules.king_wish and holds(cards, KING_OF_HEARTS):",
        "if holds(cards, KING_OF_HEARTS):",
    ),
    "MAU-25": ("fitting |= FUNCTION_CARDS", "fitting |= SEVENS"),
    # --- Players and packs
    "one pack takes five players": (
        "return PLAYERS_OF_ONE_PACK if self.decks == 1 else MAX_PLAYERS",
        "return PLAYERS_OF_ONE_PACK",
    ),
    "a start card is needed beside the hands": (
        "return players * self.hand_size + 1",
        "return players * self.hand_size",
    ),
    "the second pack is named": ("with decks=2.", "with more cards."),
    "two packs are twice the cards": (
        "return tuple(sorted(self.pack * self.decks))",
        "return tuple(sorted(self.pack))",
    ),
    "presets are the published ones": (
        '"common": {"jack_on_jack": False, "play_after_draw": "drawn"}',
        '"common": {"jack_on_jack": False}',
    ),
    # --- The start
    "the first dealer may be named": (
        "row.dealer = first if first >= 0 else",
        "row.dealer = 0 if first >= 0 else",
    ),
    "left of the dealer begins": (
        "row.turn = clockwise(row.dealer, places, rules.players)",
        "row.turn = clockwise(row.dealer, places - 1, rules.players)",
    ),
    "a neutral start card has no effect": (
        "if rules.start_card == START_ACTIVE:",
        "if rules.start_card == START_NEUTRAL:",
    ),
    "an active start card makes sit out": (
        "places = act_on_next(row, rules, row.top)",
        "act_on_next(row, rules, row.top)",
    ),
    "an active start card acts left of the dealer": (
        "row.turn = row.dealer\n    if",
        "row.turn = clockwise(row.dealer, 1, rules.players)\n    if",
    ),
    "a start card names nothing": (
        "put_on_top(row, rules, row.deck[row.drawn], False, 0)",
        "put_on_top(row, rules, row.deck[row.drawn], True, 0)",
    ),
    # --- Open sevens
    "no jack on an open seven": ("return hand & SEVENS", "return hand & (SEVENS | JACKS)"),
    "no king on an open seven": (
        "return hand & SEVENS",
        "return hand & (SEVENS | singleton(KING_OF_HEARTS))",
    ),
    "wild cards do not go on an open seven": (
        "return hand & SEVENS",
        "return hand & (FUNCTION_CARDS if rules.actions_wild else SEVENS)",
    ),
    "taking settles a seven however few cards come": (
        "draw(row, rules, row.turn, row.open_draws)\n        row.open_draws = 0",
        "row.open_draws -= draw(row, rules, row.turn, row.open_draws)",
    ),
    "taking ends the turn": (
        "row.open_draws = 0\n        end_turn(row, rules, 1)",
        "row.open_draws = 0\n        if rules.play_after_draw == AFTER_DRAW_ANY:\n"
        "            go_on(row, rules, WENT_ON_AFTER_DRAW)\n        else:\n"
        "            end_turn(row, rules, 1)",
    ),
    "how many a seven asks for is a switch": (
        "row.open_draws + rules.seven_draw,",
        "row.open_draws + 2,",
    ),
    "no more is asked for than there is": (
        "min(row.open_draws + rules.seven_draw, rules.pack_size)",
        "row.open_draws + rules.seven_draw",
    ),
    # --- Wishes and jacks
    "under a wish no rank counts": (
        "fitting = OF_SUIT[wish]",
        "fitting = OF_SUIT[wish] | OF_RANK[rank]",
    ),
    "the suit that is named is to be matched": (
        "fitting = OF_SUIT[wish]",
        "fitting = OF_SUIT[suit]",
    ),
    "a wish for the own suit is a wish": (
        "names_suit = action >= LAY_JACK and",
        "names_suit = action >= LAY_JACK and suit_of(card) != action & 3 and",
    ),
    "a wish is kept while all draw": (
        "row.drew[row.turn] = row.in_force",
        "row.drew[row.turn] = row.in_force\n    put_on_top(row, rules, row.top, False, 0)",
    ),
    "a wish is kept when the talon comes back": (
        "row.reshuffles += 1",
        "row.reshuffles += 1\n    put_on_top(row, rules, row.top, False, 0)",
    ),
    "jacks on jacks by the switch": ("if rules.jack_on_jack or rank != JACK:", "if True:"),
    "a jack of the wished suit is a jack": (
        "row.fitting = fitting & ~JACKS",
        "row.fitting = fitting",
    ),
    "a jack goes under a wish of the king": (
        "if rules.jack_on_jack or rank != JACK:",
        "if rules.jack_on_jack or not (rank == JACK or names_suit):",
    ),
    "a last jack has its own suit alone": (
        "wishes = OWN_SUIT_OF_JACK[suit] if last else WISHES_OF_JACK[suit]",
        "wishes = WISHES_OF_JACK[suit]",
    ),
    "a last king has its own suit alone": (
        "actions |= OWN_SUIT_OF_KING if last else WISHES_OF_KING",
        "actions |= WISHES_OF_KING",
    ),
    "a last card names nothing": (
        "names_suit = action >= LAY_JACK and row.hand[seat] != NONE",
        "names_suit = action >= LAY_JACK",
    ),
    "with the wish the king has no plain action": (
        "actions ^= singleton(KING_OF_HEARTS)",
        "actions |= singleton(KING_OF_HEARTS)",
    ),
    "the king of hearts is the only wild king": (
        "| _set([KING_OF_HEARTS])",
        "| OF_RANK[6]",
    ),
    "no function card is wild by default": ("if rules.actions_wild:", "if True:"),
    # --- The turn
    "two players have the same turn after an eight": (
        "row.turn = clockwise(row.turn, places, rules.players)",
        "row.turn = clockwise(row.turn, places if rules.players > 2 else 1, rules.players)",
    ),
    "no draw after an ace": (
        "DRAW if row.went_on == NEW_TURN else END",
        "DRAW if row.went_on != WENT_ON_AFTER_DRAW else END",
    ),
    "no second draw": (
        "DRAW if row.went_on == NEW_TURN else END",
        "DRAW if row.went_on != WENT_ON_AFTER_ACE else END",
    ),
    "after a drawn ace any card fits": (
        "if row.went_on == WENT_ON_AFTER_DRAW and rules.play_after_draw",
        "if row.went_on != NEW_TURN and rules.play_after_draw",
    ),
    "the drawn card is the one that came": (
        "row.drawn_card = row.deck[row.drawn - 1]",
        "row.drawn_card = row.deck[row.drawn]",
    ),
    "a turn that ends goes on no more": (
        "row.went_on = NEW_TURN\n    row.called = False\n    row.turns += 1",
        "row.called = False\n    row.turns += 1",
    ),
    "drawing nothing passes the turn": (
        "if rules.play_after_draw == AFTER_DRAW_NONE or drawn == 0:",
        "if rules.play_after_draw == AFTER_DRAW_NONE:",
    ),
    "drawing nothing is legal": (
        "actions |= singleton(DRAW if",
        "if cards == NONE or row.discarded != NONE or talon_size(row, rules) > 0:\n"
        "        actions |= singleton(DRAW if",
    ),
    # --- Calling Mau
    "nobody calls by default": (
        "rules.mau_call == MAU_ACTION\n        and not row.called",
        "not row.called",
    ),
    "nobody forgets by default": (
        "if rules.mau_call == MAU_ACTION and not row.called and hand_size(row, seat) == 1:",
        "if not row.called and hand_size(row, seat) == 1:",
    ),
    "nobody calls twice": ("and not row.called\n        and cards", "and cards"),
    "who calls can lay a card": ("and cards != NONE\n", "\n"),
    "an ace without a call is no exception": (
        "not row.called and hand_size(row, seat) == 1:",
        "not row.called and hand_size(row, seat) == 1 and rank_of(card) != ACE:",
    ),
    "the penalty comes before the effect": (
        "        draw(row, rules, seat, rules.mau_penalty)\n",
        "        if card == KING_OF_HEARTS:\n"
        "            draw(row, rules, clockwise(seat, 1, rules.players), KING_DRAWS)\n"
        "            draw(row, rules, seat, rules.mau_penalty)\n"
        "            end_turn(row, rules, 2)\n"
        "            return\n"
        "        draw(row, rules, seat, rules.mau_penalty)\n",
    ),
    "a draw ends the call": (
        "row.called = False\n    if row.open_draws > 0:",
        "if row.open_draws > 0:",
    ),
    "the end of a turn ends the call": (
        "row.called = False\n    row.turns += 1",
        "row.turns += 1",
    ),
    "the end of a round ends the call": (
        "row.called = False\n    everybody",
        "everybody",
    ),
    # --- The talon
    "the talon comes back only when a card is wanted": (
        "        take_next(row, seat)\n    return number",
        "        take_next(row, seat)\n"
        "    if talon_size(row, rules) == 0 and row.discarded != NONE:\n"
        "        reshuffle(row, rules)\n"
        "    return number",
    ),
    "the talon comes back in the middle of a draw": (
        "            reshuffle(row, rules)\n",
        "            if drawn > 0:\n                return drawn\n"
        "            reshuffle(row, rules)\n",
    ),
    "what has come back is discarded no more": (
        "key, row.discarded_twice)\n    row.discarded = row.discarded_twice = NONE",
        "key, row.discarded_twice)",
    ),
    "what comes back is shuffled": (
        "row.discarded, row.deck[:0], key, row.discarded_twice)",
        "row.discarded, row.deck[:0], NONE, row.discarded_twice)",
    ),
    "each new talon has an order of its own": ("TALON, row.reshuffles)", "TALON, 0)"),
    "each round's new talon has an order of its own": ("TALON, row.rounds)", "TALON, 0)"),
    "the top card does not come back": (
        "    bury_top(row)\n",
        "    bury_top(row)\n    row.discarded |= singleton(card)\n",
    ),
    # --- Equal cards
    "equal cards are counted in hands": (
        "return count(row.hand[seat]) + count(row.hand_twice[seat])",
        "return count(row.hand[seat])",
    ),
    "of equal cards one is laid": (
        "row.hand[seat] ^= gone & ~row.hand_twice[seat]",
        "row.hand[seat] ^= gone",
    ),
    "of equal cards one is left": ("row.hand_twice[seat] &= ~gone", "row.hand_twice[seat] |= NONE"),
    "equal cards are drawn both": (
        "row.hand_twice[seat] |= row.hand[seat] & card",
        "row.hand_twice[seat] |= NONE",
    ),
    "equal cards lie below both": (
        "row.discarded_twice |= row.discarded & card",
        "row.discarded_twice |= NONE",
    ),
    "equal cards are seen both": (
        "out[offset + lowest(twice)] = 2",
        "out[offset + lowest(twice)] = 1",
    ),
    # --- The end of a round
    "the most turns end a round": (
        "if row.turns >= rules.max_turns:",
        "if row.turns > rules.max_turns:",
    ),
    "who sits out has no turn": ("row.turns += 1", "row.turns += places"),
    "more cards after an ace are no turns": (
        "row.went_on = how",
        "row.went_on = how\n    row.turns += 1",
    ),
    "the fewest cards win": ("if size < fewest:", "if size > fewest or seat == 0:"),
    "ties for the fewest cards share": (
        "row.winners = fewest_cards(row, rules)",
        "row.winners = singleton(lowest(fewest_cards(row, rules)))",
    ),
    "the last turn's seven is not taken": (
        "row.winners = fewest_cards(row, rules)",
        "draw(row, rules, clockwise(row.turn, 1, rules.players), row.open_draws)\n"
        "        row.winners = fewest_cards(row, rules)",
    ),
    "the last turn's king makes draw": (
        "elif card == KING_OF_HEARTS:",
        "elif card == KING_OF_HEARTS and row.turns + 1 < rules.max_turns:",
    ),
    "a jack is twenty points": ("(7, 8, 9, 10, 20, 10, 10, 11)", "(7, 8, 9, 10, 10, 10, 10, 11)"),
    "an ace is eleven points": ("(7, 8, 9, 10, 20, 10, 10, 11)", "(7, 8, 9, 10, 20, 10, 10, 10)"),
    "winning pays by default": ("if rules.scoring == SCORING_WIN:", "if False:"),
    "points pay by the switch": ("if rules.scoring == SCORING_WIN:", "if True:"),
    "points left are minus points": (
        "(total / rules.players - points_in(row, seat)) / 100",
        "(points_in(row, seat) - total / rules.players) / 100",
    ),
    "points of equal cards count each": (
        "count(row.hand[seat] & of_rank) + count(row.hand_twice[seat] & of_rank)",
        "count(row.hand[seat] & of_rank)",
    ),
    # --- A match
    "the points of all rounds are added": (
        "row.points[seat] += points_in(row, seat)",
        "row.points[seat] = points_in(row, seat)",
    ),
    "the target ends a match": (
        "if max(row.points) >= rules.target:",
        "if max(row.points) > rules.target:",
    ),
    "the target is a switch": (
        "if max(row.points) >= rules.target:",
        "if max(row.points) >= 101:",
    ),
    "the fewest points win": (
        "return seats_with(row.points, min(row.points[: rules.players]), rules.players)",
        "return seats_with(row.points, max(row.points[: rules.players]), rules.players)",
    ),
    "ties for the fewest points share": (
        "end_match(row, rules, fewest_points(row, rules))",
        "end_match(row, rules, singleton(lowest(fewest_points(row, rules))))",
    ),
    "the deal rotates": (
        "row.dealer = clockwise(row.dealer, 1, rules.players)",
        "row.dealer = lowest(row.winners)",
    ),
    "each round has a deck of its own": (
        "derive(row.key, DECK, row.rounds)",
        "derive(row.key, DECK, 0)",
    ),
    "the turns of each round count anew": (
        "row.reshuffles = row.turns = row.open_draws = 0",
        "row.reshuffles = row.open_draws = 0",
    ),
    "no seven is open in the next round": (
        "row.reshuffles = row.turns = row.open_draws = 0",
        "row.reshuffles = row.turns = 0",
    ),
    "nobody goes on in the next round": (
        "row.went_on = NEW_TURN\n    row.called = False\n    everybody",
        "row.called = False\n    everybody",
    ),
    "no draw is known in the next round": ("row.drew[seat] = 0\n        for _", "for _"),
    "a single round is paid as such": ("if not rules.match:\n", "if rules.target < 0:\n"),
    "reward by rounds pays every round": (
        "if not rules.match or rules.reward == REWARD_ROUNDS:",
        "if not rules.match:",
    ),
    "reward by rounds pays no place": (
        "end_match(row, rules, fewest_points(row, rules))",
        "end_match(row, rules, fewest_points(row, rules))\n"
        "        row.score[0] += rules.reward == REWARD_ROUNDS",
    ),
    # --- What everybody sees
    "laying a card makes forget the draw": (
        "row.drew[seat] = 0\n    names_suit",
        "names_suit",
    ),
    "taking for a seven is no ordinary draw": (
        "row.called = False\n    if row.open_draws > 0:",
        "row.called = False\n    row.drew[row.turn] = row.in_force\n    if row.open_draws > 0:",
    ),
    "a call is seen": (
        "mau = size == 1 or (deciding and row.called)",
        "mau = size == 1",
    ),
    "one card is seen without a call": (
        "mau = size == 1 or (deciding and row.called)",
        "mau = deciding and row.called",
    ),
    "a wish is seen": ("int(row.in_force < 16) << 16", "0 << 16"),
    "the picture tells a wish": (
        "if row.in_force < 16 else []\n    notes = (*wish",
        "if row.in_force < 0 else []\n    notes = (*wish",
    ),
    "the picture tells a call": (
        "mau = len(cards) == 1 or (row.turn == seat and row.called)",
        "mau = len(cards) == 1",
    ),
    "the picture counts equal cards": (
        "int(row.discarded).bit_count() + int(row.discarded_twice).bit_count()",
        "int(row.discarded).bit_count()",
    ),
    # --- Figures
    "the turn that a last card ends counts": (
        "return min(row.turns + 1, rules.max_turns)",
        "return min(row.turns, rules.max_turns)",
    ),
    "there are no more turns than the most": (
        "return min(row.turns + 1, rules.max_turns)",
        "return row.turns + 1",
    ),
    "turns count where the seat has won": (
        "if holds(row.winners, seat):\n            row.tally",
        "if not holds(row.winners, seat):\n            row.tally",
    ),
    "cards left are counted twice if held twice": (
        "row.tally[seat, CARDS_LEFT] += hand_size(row, seat)",
        "row.tally[seat, CARDS_LEFT] += count(row.hand[seat])",
    ),
    "points left are those of the hand": (
        "row.tally[seat, POINTS_LEFT] += points_in(row, seat)",
        "row.tally[seat, POINTS_LEFT] += points_in(row, seat) + row.points[seat]",
    ),
    "all who tie have won the round": (
        "count_round(row, rules, everybody, row.winners,",
        "count_round(row, rules, everybody, singleton(lowest(row.winners)),",
    ),
}
