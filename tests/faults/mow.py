"""One wrong change of the game's code for each rule of Mow, and some for decisions beside them."""

FAULTS: dict[str, tuple[str, str]] = {
    "MOW-1": (
        "(all_flies / rules.players - row.flies[seat])",
        "(row.flies[seat] - all_flies / rules.players)",
    ),
    "MOW-2": (
        "stack(row.deck, rules.pack, deck,",
        "stack(row.deck, rules.pack & ~singleton(47), deck,",
    ),
    "MOW-3": ("*range(2, 15)", "*range(1, 14)"),
    "MOW-4": ("*[2] * 11, *[3] * 3", "*[2] * 10, *[3] * 4"),
    "MOW-5": ("- row.flies[seat]) / all_flies", "- count(row.supply[seat])) / all_flies"),
    "MOW-6": ("SPECIALS = np.uint64(0b11111 << EDGE_0)", "SPECIALS = np.uint64(0b1111 << EDGE_0)"),
    "MOW-7": ("row.supply[seat] = NONE", "row.supply[seat] |= NONE"),
    "MOW-8": ("HAND_SIZE = 5", "HAND_SIZE = 4"),
    "MOW-9": ("return rules.pack_size - row.drawn", "return CARDS - row.drawn"),
    "MOW-10": ("row.direction = 1", "row.direction = -1"),
    "MOW-11": ("places = 1 if row.direction > 0 else rules.players - 1", "places = 1"),
    "MOW-12": (
        "draw(row, rules)\n        row.turn",
        "if count(row.laid) > 1:\n            draw(row, rules)\n        row.turn",
    ),
    "MOW-13": (
        "row.turn = next_seat(row, rules)",
        "row.turn = next_seat(row, rules) if row.turn == row.starter else row.starter",
    ),
    "MOW-14": ("if row.laid != NONE and (cards", "if count(row.laid) > 1 and (cards"),
    "MOW-15": ("v < end", "v <= end"),
    "MOW-16": ("v > end", "v >= end"),
    "MOW-17": ("if pile_size(row, rules) > 0:", "if pile_size(row, rules) > 1:"),
    "MOW-18": ("if card < COVERER_7:", "if card < EDGE_0:"),
    "MOW-19": (
        "cards = LOWER_THAN[row.left_end]",
        "cards = LOWER_THAN[row.left_end if row.left_end > 0 else 3]",
    ),
    "MOW-20": (
        "cards = LOWER_THAN[row.left_end] | HIGHER_THAN[row.right_end]",
        "cards = LOWER_THAN[row.left_end] | HIGHER_THAN[min(row.right_end, 13)]",
    ),
    "MOW-21": ("if holds(row.values, 7):", "if row.left_end <= 7 and row.right_end >= 7:"),
    "MOW-22": ("range(COVERER_7) if wanted", "range(LATECOMER) if wanted"),
    "MOW-23": (
        "missing_values = row.right_end - row.left_end + 1 -",
        "missing_values = row.right_end - row.left_end + 2 -",
    ),
    "MOW-24": (
        "return missing_values - count(row.laid & LATECOMERS)",
        "return missing_values",
    ),
    "MOW-25": ("if action >= REVERSED:", "if action > REVERSED:"),
    "MOW-26": ("row.supply[row.turn] |= row.laid", "row.supply[row.starter] |= row.laid"),
    "MOW-27": ("row.flies[row.turn] += row.laid_flies", "row.flies[row.turn] = row.laid_flies"),
    "MOW-28": (
        "# MOW-31\n        end_round(row, rules)",
        "\n        end_round(row, rules)\n    else:\n        row.turn = next_seat(row, rules)",
    ),
    "MOW-29": (
        "row.laid_flies\n    empty_row(row)",
        "row.laid_flies\n    empty_row(row)\n    draw(row, rules)",
    ),
    "MOW-30": ("(cards == NONE or rules.voluntary_clear)", "cards == NONE"),
    "MOW-31": ("if pile_size(row, rules) == 0:", "if pile_size(row, rules) <= 1:"),
    "MOW-32": ("row.flies[seat] += hand_flies", "row.flies[seat] += 0"),
    "MOW-33": ("row.total[seat] += row.flies[seat]", "row.total[seat] = row.flies[seat]"),
    "MOW-34": ("max(row.total) >= rules.target", "max(row.total) > rules.target"),
    "MOW-35": ("fewest_flies(row.total, rules)", "fewest_flies(row.flies, rules)"),
    "plain cards and edges open": (
        "EMPTY_LEFT_END, EMPTY_RIGHT_END = HIGHEST + 1, HIGHEST",
        "EMPTY_LEFT_END, EMPTY_RIGHT_END = HIGHEST, HIGHEST",
    ),
    "latecomers do not open": (
        "if latecomer_places(row, rules) > 0:",
        "if row.laid == NONE or latecomer_places(row, rules) > 0:",
    ),
    "the row of a latecomer is the new one": ("row.laid = NONE", "row.laid &= LATECOMERS"),
    "a cleared card cannot be covered": ("row.values = NONE", "row.values |= NONE"),
    "both coverers are looked for": ("if holds(row.values, 9):", "if holds(row.values, 7):"),
    "one latecomer in each gap": (
        "stretches - 1 - count(row.laid & LATECOMERS)",
        "stretches - 1",
    ),
    "gaps by the values that lie there": (
        "count(row.values & ~(row.values << np.uint64(1)))",
        "count(row.values)",
    ),
    "a coverer takes no place of a latecomer": (
        "row.left_end + 1 - count(row.values)",
        "row.left_end + 1 - count(row.laid & ~LATECOMERS)",
    ),
    "a covered card leaves no gap": (
        "row.laid |= singleton(card)",
        "row.laid |= singleton(card)\n"
        "    if card == COVERER_7:\n        row.values &= ~singleton(7)",
    ),
    "any number of latecomers in a gap": (
        "min(1, missing_values)",
        "min(1, missing_values - count(row.laid & LATECOMERS))",
    ),
    "the lower latecomer first": (
        "return lowest(hand & LATECOMERS)",
        "return lowest(hand & LATECOMERS) ^ count(hand & LATECOMERS) - 1",
    ),
    "two latecomers are one action": (
        "(cards ^ second) | second >> np.uint64(1)",
        "cards ^ second",
    ),
    "two players have one direction": ("if rules.players > 2:", "if rules.players > 1:"),
    "three players have two directions": ("if rules.players > 2:", "if rules.players > 3:"),
    "an opening edge may turn the direction": (
        "if action >= REVERSED:",
        "if action >= REVERSED and count(row.laid) > 1:",
    ),
    "each round starts clockwise": (
        "row.direction = 1",
        "row.direction = row.direction if row.rounds > 0 else 1",
    ),
    "a clear keeps the direction": (
        "row.supply[row.turn] |= row.laid",
        "row.supply[row.turn] |= row.laid\n    row.direction = 1",
    ),
    "an empty row is never cleared": (
        "if row.laid != NONE and (cards",
        "if (cards",
    ),
    "no clear without need by the switch": (
        "(cards == NONE or rules.voluntary_clear)",
        "True",
    ),
    "clearing is free with an empty pile": (
        "rules.voluntary_clear)",
        "rules.voluntary_clear and pile_size(row, rules) > 0)",
    ),
    "an empty pile does not end the round": (
        "row.turn = next_seat(row, rules)",
        "row.turn = next_seat(row, rules)\n"
        "        if pile_size(row, rules) == 0:\n            end_round(row, rules)",
    ),
    "hands are seen in the supplies": (
        "row.supply[seat] |= row.hand[seat]",
        "row.supply[seat] |= NONE",
    ),
    "flies of special cards count in hands": (
        "for flies in (1, 2, 3, 5)",
        "for flies in (1, 2, 3)",
    ),
    "flies of a new row": ("row.laid_flies = 0", "row.laid_flies += 0"),
    "each round has a deck of its own": (
        "derive(row.key, DECK, row.rounds)",
        "derive(row.key, DECK, 0)",
    ),
    "the first starter may be named": (
        "row.starter = first if first >= 0 else",
        "row.starter = 0 if first >= 0 else",
    ),
    "the starter rotates": (
        "clockwise(row.starter, 1, rules.players)",
        "clockwise(row.turn, 1, rules.players)",
    ),
    "any seat may start": (
        "if rules.next_starter == STARTER_RANDOM:",
        "if rules.next_starter == STARTER_RANDOM and row.rounds > 1:",
    ),
    "the most flies in the match": ("most_flies(row.total, rules)", "most_flies(row.flies, rules)"),
    "ties for the most flies": (
        "return seats_with(flies, max(flies[: rules.players]), rules.players)",
        "return singleton(lowest(seats_with(flies, max(flies[: rules.players]), rules.players)))",
    ),
    "ties are drawn": (
        "slot(seats, below(derive(row.key, SEAT, row.rounds), count(seats)))",
        "lowest(seats)",
    ),
    "each round has a draw of its own": (
        "derive(row.key, SEAT, row.rounds)",
        "derive(row.key, SEAT, 0)",
    ),
    "the target is a switch": ("max(row.total) >= rules.target", "max(row.total) >= 100"),
    "ties share the win": (
        "return seats_with(flies, min(flies[: rules.players]), rules.players)",
        "return singleton(lowest(seats_with(flies, min(flies[: rules.players]), rules.players)))",
    ),
    "a small pack pays shares of its own flies": (
        "all_flies = flies_in(rules.pack)",
        "all_flies = ALL_FLIES",
    ),
    "reward by rounds pays every round": (
        "if not rules.match or rules.reward == REWARD_ROUNDS:",
        "if not rules.match:",
    ),
    "reward by rounds pays no place": (
        "end_match(row, rules, fewest_flies(row.total, rules))",
        "end_match(row, rules, fewest_flies(row.total, rules))\n"
        "        row.score[0] += rules.reward == REWARD_ROUNDS",
    ),
    "a single round is paid as such": ("if not rules.match:\n", "if rules.target < 0:\n"),
    "a pack has flies": ("if not any(FLIES[card] for card in self.pack):", "if False:"),
    "a pack has five cards for each": ("return HAND_SIZE * players", "return 4 * players"),
    "presets are the published ones": (
        '"common": {},',
        '"common": {"voluntary_clear": False},',
    ),
    "distances are seen": (
        "max(row.left_end - VALUE[card],",
        "max(row.left_end - VALUE[card] - 1,",
    ),
    # --- Figures
    "special cards that fit make a clear voluntary": (
        "forced = row.hand[row.turn] & fitting(row, rules) == NONE",
        "forced = row.hand[row.turn] & fitting(row, rules) & ~SPECIALS == NONE",
    ),
    "a clear is forced by cards, not by the switch": (
        "forced = row.hand[row.turn] & fitting(row, rules) == NONE",
        "forced = not rules.voluntary_clear",
    ),
    "a clear is counted while the row lies there": (
        "count_clear(row, rules)\n    row.supply[row.turn] |= row.laid\n"
        "    row.flies[row.turn] += row.laid_flies\n    empty_row(row)\n",
        "row.supply[row.turn] |= row.laid\n"
        "    row.flies[row.turn] += row.laid_flies\n    empty_row(row)\n"
        "    count_clear(row, rules)\n",
    ),
    "flies in hand are counted apart": (
        "row.tally[seat, HAND_FLIES] += hand_flies",
        "row.tally[seat, HAND_FLIES] += hand_flies + row.flies[seat]",
    ),
    "the fewest flies win the round": (
        "winners, losers = fewest_flies(row.flies, rules),",
        "winners, losers = ~most_flies(row.flies, rules),",
    ),
}
