"""One wrong change of the game's code for each rule of 31, and some for decisions beside them."""

FAULTS: dict[str, tuple[str, str]] = {
    "S31-1": (
        "stack(row.deck, rules.pack, deck,",
        "stack(row.deck, rules.pack & ~singleton(31), deck,",
    ),
    "S31-2": ("row.lives[seat] = rules.lives", "row.lives[seat] = 3"),
    "S31-3": (
        "draw_three(row) if holds(row.alive, seat) else NONE",
        "draw_three(row)",
    ),
    "S31-4": (
        "row.phase = DEALER_CHOICE\n    row.turn = row.dealer",
        "row.phase = DEALER_CHOICE\n    row.turn = next_seat(row, rules, row.dealer)",
    ),
    "S31-5": (
        "row.second_pile = NONE\n    open_round(row, rules)",
        "open_round(row, rules)",
    ),
    "S31-6": (
        "row.hand[row.dealer] = row.second_pile",
        "row.hand[row.dealer] = row.known[row.dealer] = row.second_pile",
    ),
    "S31-7": (
        "losers |= singleton(seat)\n    return losers",
        "losers |= singleton(seat)\n    return row.alive & ~losers",
    ),
    "S31-8": ("(14, 16, 18, 20, 20, 20, 20, 22)", "(14, 16, 16, 20, 20, 20, 20, 22)"),
    "S31-9": ("(14, 16, 18, 20, 20, 20, 20, 22)", "(14, 16, 18, 20, 20, 22, 20, 22)"),
    "S31-10": ("(14, 16, 18, 20, 20, 20, 20, 22)", "(14, 16, 18, 20, 20, 20, 20, 20)"),
    "S31-11": ("SUIT_VALUE[(cards >> _SUIT_3) & _BYTE]", "SUIT_VALUE[(cards >> _SUIT_2) & _BYTE]"),
    "S31-12": ("max(SUIT_VALUE[cards & _BYTE]", "max(SUIT_VALUE[ranks]"),
    "S31-13": (
        "mean - (1.0 if holds(losers, seat) else 0.0)",
        "(1.0 if holds(losers, seat) else 0.0) - mean",
    ),
    "S31-14": ("THREE_OF_A_KIND = 61", "THREE_OF_A_KIND = 60"),
    "S31-15": ("2 * rules.aces_value if ranks == _ACE else THREE_OF_A_KIND", "THREE_OF_A_KIND"),
    "S31-16": ("row.turn = next_seat(row, rules, row.dealer)", "row.turn = row.dealer"),
    "S31-17": ("actions = singleton(PASS + 1)", "actions = singleton(PASS)"),
    "S31-18": ("singleton(slot(hand, action // 3))", "singleton(slot(hand, action % 3))"),
    "S31-19": (
        "return hand, middle",
        "return hand & ~singleton(lowest(hand)), middle & ~singleton(lowest(middle))",
    ),
    "S31-20": ("row.passes += 1", "row.passes += 0"),
    "S31-21": (
        "row.to_have_turn = row.alive\n    row.passes = 0\n    end_turn(row, rules)",
        "row.to_have_turn = row.alive\n    row.passes = 0",
    ),
    "S31-22": (
        "show_31(row, rules, EXCHANGED_31)\n    else:\n        end_turn(row, rules)",
        "show_31(row, rules, EXCHANGED_31)",
    ),
    "S31-23": (
        "if rules.stop_after == STOP_AFTER_OTHERS:",
        "if rules.stop_after != STOP_AFTER_NONE:",
    ),
    "S31-24": (
        "return value(cards, rules) >= THIRTY_ONE",
        "return value(cards, rules) > THIRTY_ONE",
    ),
    "S31-25": (
        "if is_31(row.hand[row.turn], rules):",
        "if row.stopper < 0 and is_31(row.hand[row.turn], rules):",
    ),
    "S31-26": (
        "if is_31(row.hand[seat], rules):",
        "if seat != row.dealer and is_31(row.hand[seat], rules):",
    ),
    "S31-27": ("end_round(row, singleton(row.turn))", "end_round(row, lowest_hands(row, rules))"),
    "S31-28": (
        "row.turn = next_seat(row, rules, row.turn)",
        "row.turn = next_seat(row, rules, next_seat(row, rules, row.turn))",
    ),
    "S31-29": ("return row.passes == count(row.alive)", "return row.passes > count(row.alive)"),
    "S31-30": (
        "if is_789(row.middle, rules) and talon_size(row, rules) >= 3:",
        "if is_789(row.middle, rules) and talon_size(row, rules) > 3:",
    ),
    "S31-31": (
        "row.to_have_turn = row.alive\n",
        "row.to_have_turn = row.alive & ~singleton(next_seat(row, rules, row.turn))\n",
    ),
    "S31-32": (
        "return row.to_have_turn == NONE",
        "return count(row.to_have_turn) <= 1",
    ),
    "S31-33": (
        "row.known[row.turn] = (row.known[row.turn] & ~given) | taken",
        "row.known[row.turn] = row.known[row.turn] & ~given",
    ),
    "S31-34": (
        "lowest_value = hand_value\n                losers = NONE",
        "lowest_value = hand_value",
    ),
    "S31-35": ("if hand_value < lowest_value:", "if hand_value <= lowest_value:"),
    "S31-36": (
        "out = losers & swimmers(row, rules)\n    take_lives(row, rules, losers)",
        "take_lives(row, rules, losers)\n    out = losers & swimmers(row, rules)",
    ),
    "S31-37": ("row.alive &= ~out", "row.alive &= ~NONE"),
    "S31-38": ("if count(row.alive) == 1:", "if count(row.alive) <= 2:"),
    "a redraw sets the passes back": (
        "row.middle = draw_three(row)\n    row.passes = 0",
        "row.middle = draw_three(row)",
    ),
    "an exchange sets the passes back": (
        "row.middle = (row.middle & ~taken) | given\n    row.passes = 0",
        "row.middle = (row.middle & ~taken) | given",
    ),
    "the old middle leaves the game": ("row.gone |= row.middle", "row.gone = row.middle"),
    "the cap never cuts the lap after a stop": (
        "return row.to_have_turn == NONE",
        "return row.to_have_turn == NONE or laps_are_up(row, rules)",
    ),
    "no second stop": (
        "if row.stopper >= 0:\n        return False",
        "if False:\n        return False",
    ),
    "7-8-9 of one suit": (
        "return one_suit or rules.redraw789 == REDRAW_ANY",
        "return True",
    ),
    "fire needs aces": (
        "if rules.fire and ranks_of(row.hand[row.turn]) == _ACE:",
        "if rules.fire:",
    ),
    "fire spares who lays down": (
        "end_round(row, row.alive & ~singleton(row.turn))",
        "end_round(row, row.alive)",
    ),
    "everyone out needs everyone": (
        "rules.match and losers == row.alive and swimmers(row, rules) == row.alive",
        "rules.match and losers == row.alive",
    ),
    "everyone out shares by those in place": (
        "pay_first_place(row, rules, row.alive)",
        "pay_first_place(row, rules, singleton(lowest(row.alive)))",
    ),
    "the deal passes on": (
        "row.dealer = next_seat(row, rules, row.dealer)\n",
        "row.dealer = row.turn\n",
    ),
    "too short a talon ends the round": (
        "all_passed(row) and talon_size(row, rules) < 3",
        "all_passed(row) and talon_size(row, rules) < 4",
    ),
    "a round pays those dealt in": (
        "mean = count(losers) / count(row.alive)",
        "mean = count(losers) / rules.players",
    ),
    "reward by rounds pays no place": (
        "if rules.reward == REWARD_MATCH and out != NONE:",
        "if out != NONE:",
    ),
    # --- Figures
    "what all hold at the end is counted": (
        "row.tally[seat, FINAL_HALF_POINTS] += hand_value",
        "row.tally[seat, FINAL_HALF_POINTS] += max(hand_value, highest_value)",
    ),
    "the best hands share the round": (
        "hand_value > highest_value:\n                highest_value, winners",
        "hand_value >= highest_value:\n                highest_value, winners",
    ),
    "who has lost is no contender": (
        "count_hands(row, rules, row.alive & ~losers)",
        "count_hands(row, rules, row.alive)",
    ),
    "nobody loses a round that would put out everyone": (
        "NONE if all_out else losers",
        "losers",
    ),
    "rounds are counted of those dealt in": (
        "count_round(row, rules, row.alive,",
        "count_round(row, rules, all_seats(rules.players),",
    ),
    "a stop is counted": (
        "row.tally[row.turn, STOPS] += 1",
        "row.tally[row.turn, STOPS] += row.laps[row.turn]",
    ),
    "the lap of a stop counts the stop": (
        "+= row.laps[row.turn] + 1  #",
        "+= row.laps[row.turn]  #",
    ),
    "every lay-down is counted": (
        "row.tally[row.turn, LAY_DOWNS] += 1",
        "row.tally[row.turn, LAY_DOWNS] += rules.reveal == REVEAL_AUTO",
    ),
}
