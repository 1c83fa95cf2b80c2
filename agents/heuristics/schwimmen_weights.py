"""The numbers by which ``expert`` plays 31, all found by simulation.

The weights are those of a softmax over the scores of the legal actions, raised along the policy
gradient of the round's reward for each number of players: 300 steps of some 60,000 decisions, three
tables in ten against ``greedy`` and the rest against itself; then 300 more of half the temperature,
one table in four against ``greedy`` and one in five against the first result. The last turn's knots
are made to rise. The outlooks are least squares on the hands met in 8,000 rounds with itself.
"""

import numpy as np
from numpy.typing import NDArray

FEATURES, SITUATIONS, OUTLOOK = 46, 10, 56

FIRST, SECOND, LATER, STOP_EARLY, STOP_LATE, LAST_ONE, LAST_MORE, REDRAW_TURN, DEAL, REDRAW_LAST = (
    range(SITUATIONS)
)
"""Situations: own first, second, later turn; a stop after one turn, after more; a turn after the
stop with one or none, with more to follow; a redraw; the dealer's choice; a redraw after the stop.
"""

KNOTS = np.array([20, 28, 34, 38, 42, 46, 50, 52, 54, 56, 58, 60, 61], np.int64)
"""Half-points between which a hand's worth is interpolated: the first 13 features."""

(
    *_,
    POTENTIAL,  # mean gain by one card nobody has seen
    REACH,  # gain by a card that lies in the middle
    TEMPO,  # value by turns that come before the next own one, or by laps
    PASSES,
    REFRESHES,  # the pass that brings a new middle
    SWAPS_ALL,
    MIDDLE_VALUE,
    MIDDLE_SUM,
    MIDDLE_ACES,
    MIDDLE_HIGH,  # its value above 22
    MIDDLE_PAIR,
    RISK,  # probability of being lowest if hands compared as they are expected
    LOG_RISK,
    ABOVE_WEAKEST,
    NEXT_GAINS,  # what the next player's known cards gain by the middle
    NEXT_HIGH,  # what they reach above 22
    NEXT_ABOVE,  # the next player's hand is known and will be higher
    NEXT_BELOW,
    OTHERS_HIGH,
    MIDDLE_ABOVE,  # the middle's value above the own
    SHOWN,  # own cards that everybody knows
    MIDDLE_SUITS,
    BELOW_WEAKEST,
    RISK_POTENTIAL,
    REPLIED_REACH,  # gain by a card of the middle after the next player's best reply
    REPLIED_BELOW,  # probability that the next player is then higher
    REPLIED_RISK,  # the same after the own gain
    REPLIED_LEAD,  # own lead over the next player's known hand
    REPLIED_LEAD_AFTER,
    NEXT_STRONG,  # the next player's expected value above 26
    NEXT_STRONGER,  # the same, if above the own too
    REPLIED_PRODUCT,
    LATE_PASS,
) = range(FEATURES)

STOPPER, HAD_LAST_TURN, TO_HAVE_TURN, BEFORE_STOP = range(4)
SPREAD_TO_LOGISTIC = 0.55
"""A logistic curve of this scale has the spread of a normal one (the square root of 3, by pi)."""

MIXES_FROM_LAP, MIXING = 4, 0.5
"""Two sure players can wait for each other through 40 laps and more (3 % of rounds for two); from
the fifth turn on, drawing between nearly equal actions ends that and cost nothing in duels."""


def _table(*shape: int, unit: float, words: str) -> NDArray[np.float64]:
    """Read whole numbers of ``unit`` from text."""
    return np.array([int(word) for word in words.split()]).reshape(shape) * unit


# A paragraph for each number of players, and in it each situation begins a new line.
_WEIGHTS = """
-237 -169 -115 -92 -18 29 6 13 38 74 114 149 219 53 1 11 5 39 -57 -27 -27 -20 -41 -44 -38 0 19 -69
-24 1 4 0 -5 -68 -44 -10 18 13 -44 -77 -23 40 -35 -24 -109 0
-222 -158 -103 -78 -21 -24 -11 16 27 63 106 144 184 27 9 -13 32 2 -44 -14 -21 -9 3 -25 -23 10 -10
-35 -7 -10 38 0 -8 -42 -22 -1 25 2 -32 -36 -6 36 -19 -22 -34 0
-233 -131 -98 -77 -13 11 12 13 42 51 85 119 151 19 6 17 33 -68 -39 -8 -29 -12 -18 -19 -20 6 -2 -37
18 -26 44 0 -4 -84 -6 3 21 4 -30 -69 -18 9 -17 -21 -40 30
-288 -218 -221 -197 -111 -36 -36 -10 -11 48 109 144 212 -92 -109 -52 0 0 0 -1 -23 -5 -99 -28 -36 -13
14 -70 -88 -47 71 0 -141 13 -23 -33 -25 0 0 0 0 0 0 0 0 0
-326 -263 -293 -255 -98 -44 -32 -27 3 26 64 115 174 -32 -100 56 0 0 0 1 -26 -3 -113 -11 -35 -16 6
-58 -51 -74 123 0 -146 3 -25 -55 10 0 0 0 0 0 0 0 0 0
-230 -180 -179 -166 -74 -59 -39 -27 8 56 113 168 221 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0 0
-208 -144 -96 -64 -32 0 32 48 64 80 96 112 120 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
0 0 0 0 0 0
-175 -114 -70 -36 22 21 45 77 87 121 131 148 117 37 -17 8 0 0 0 -15 -42 0 13 0 14 -56 40 -41 -7 -12
41 0 4 15 -4 -6 19 0 0 0 0 0 0 0 0 0
-63 -62 -39 -21 115 40 64 79 81 95 109 115 120 0 0 -28 0 0 0 24 1 42 -5 104 -29 -4 36 0 0 0 0 0 0 0
15 4 -2 0 0 0 0 0 0 0 0 0
-189 -129 -74 -29 -8 14 44 70 88 102 120 149 143 16 -8 -1 0 0 0 -2 -27 0 8 0 19 -23 16 15 -9 -20 6 0
10 15 -7 18 16 0 0 0 0 0 0 0 0 0

-233 -164 -119 -98 -4 -8 -16 13 45 73 104 120 296 56 2 6 -14 4 -53 -15 -23 -26 -59 -14 -37 -18 40
-35 -1 0 10 -50 0 -62 -48 -11 -3 12 -61 -92 -8 25 5 3 -112 0
-237 -154 -97 -85 -13 -33 -15 -2 26 70 105 162 238 11 14 -24 12 -26 -69 -13 -30 -14 -36 -11 -19 -8
10 -14 10 -13 38 -65 8 -43 -50 -22 17 10 -39 -47 -2 23 23 15 -67 0
-232 -169 -110 -85 -11 3 -5 19 38 65 98 143 191 -10 11 8 10 -40 -36 -5 -30 -18 -37 -9 -12 -7 16 -14
-11 -27 29 -49 -7 -54 -33 14 13 7 -19 -25 -14 34 2 17 -49 5
-288 -213 -198 -160 -89 8 5 7 15 45 90 146 191 -33 -69 -33 0 0 0 5 -42 -10 -116 -12 -44 -56 49 -61
-57 -61 63 -54 -126 5 -36 -34 -46 0 0 0 0 0 0 0 0 0
-326 -252 -214 -188 -133 -75 -34 -21 -10 25 50 98 113 -25 -92 24 0 0 0 3 -30 -21 -91 -7 -66 -55 47
-22 -38 -39 63 -25 -116 17 -44 -58 -52 0 0 0 0 0 0 0 0 0
-284 -240 -239 -177 -48 -47 -25 -17 27 73 124 180 263 2 -2 -7 38 0 12 -6 -6 -8 -103 -2 -52 -19 18
-61 -22 -41 72 16 -125 -20 -29 -64 -17 0 0 0 0 0 0 0 0 0
-208 -144 -96 -64 -32 0 32 48 64 80 96 112 120 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
0 0 0 0 0 0
-167 -113 -61 -21 11 20 39 72 48 89 144 127 136 46 -18 38 0 0 0 -12 -38 0 20 0 3 -34 37 -8 -15 -5 1
-19 26 -19 -5 -2 23 0 0 0 0 0 0 0 0 0
-90 -52 -60 27 67 48 68 77 87 96 105 115 120 -5 0 -30 0 0 0 47 13 15 1 91 -37 -13 33 0 0 0 0 0 0 0
-13 -12 -24 0 0 0 0 0 0 0 0 0
-190 -130 -88 -33 -3 15 47 69 72 102 110 155 125 18 -17 5 0 0 0 5 -15 0 23 0 13 -8 10 12 8 -8 -14 22
8 14 -8 19 18 0 0 0 0 0 0 0 0 0

-225 -154 -148 -128 -6 -23 32 45 50 75 92 116 312 79 4 35 -15 -13 -24 -3 -9 -26 -48 7 -58 -15 51 -28
13 3 5 -28 -15 -45 -25 -34 -8 5 -90 -82 -8 2 12 14 -74 0
-221 -158 -113 -97 -21 -8 -1 8 37 66 99 128 247 25 11 -32 -9 -8 -38 -8 -32 -34 -55 2 -38 -10 14 -14
6 -9 5 -13 -7 -21 -51 -32 19 2 -45 -47 -2 15 20 8 -92 0
-219 -175 -98 -87 -19 8 1 19 40 57 89 130 187 -2 19 -20 -4 -31 -10 -8 -24 -26 -42 -4 -35 -8 10 -13
14 -16 4 -10 -20 -28 -41 -14 19 4 -14 -18 -8 11 13 3 -78 -5
-288 -212 -203 -182 -78 6 9 0 20 59 95 154 155 -23 -55 -36 0 0 0 9 -34 -14 -111 16 -33 -43 26 -63
-51 -70 101 -21 -101 0 -38 -43 -43 0 0 0 0 0 0 0 0 0
-326 -250 -211 -175 -109 -78 -59 -69 -20 25 62 94 87 -28 -55 -1 0 0 0 -3 -30 -15 -58 9 -43 -39 23
-16 -38 -47 81 -17 -87 17 -29 -34 -37 0 0 0 0 0 0 0 0 0
-265 -230 -229 -158 -35 -30 -15 -6 29 75 134 185 242 -2 -1 -19 17 0 14 5 -17 -15 -54 13 -80 -21 10
-37 -8 -39 71 7 -83 -37 -26 -62 -21 0 0 0 0 0 0 0 0 0
-208 -152 -185 -115 30 7 21 8 26 57 97 139 221 -2 1 -16 27 0 2 6 -10 -22 -75 12 -79 -27 19 -42 18
-35 72 0 -110 -22 -44 -75 -17 0 0 0 0 0 0 0 0 0
-175 -104 -50 -16 2 8 44 69 39 85 128 150 135 50 -13 54 0 0 0 -7 -30 0 25 0 12 -33 33 -2 -14 -16 34
-7 13 -30 -5 12 28 0 0 0 0 0 0 0 0 0
-74 -51 -55 34 63 48 66 77 86 96 106 115 120 -2 2 -25 0 0 0 21 21 45 0 73 -12 -3 24 0 0 0 0 0 0 0 7
-2 0 0 0 0 0 0 0 0 0 0
-174 -122 -70 -42 -12 16 51 62 80 102 117 137 135 20 -25 15 0 0 0 4 -16 0 10 0 10 -14 11 9 1 5 11 27
0 11 -11 20 21 0 0 0 0 0 0 0 0 0

-233 -158 -169 -123 -1 22 52 36 62 81 97 123 322 104 10 56 -13 0 -13 2 -5 -21 -18 11 -68 -8 55 -18
-4 14 11 -17 -29 -37 -16 -44 -16 -4 -119 -93 18 6 3 4 -84 0
-224 -173 -133 -109 -23 -2 -1 21 43 77 102 132 254 40 10 -42 -4 -19 -2 2 -25 -29 -43 4 -57 -5 16 -9
14 -21 11 -3 -48 -23 -31 -56 26 1 -57 -42 15 6 20 11 -91 0
-206 -177 -124 -94 -6 -25 11 29 43 67 91 131 189 4 10 -35 -7 -23 -11 -12 -19 -35 -22 0 -24 -11 13
-14 9 -7 -1 5 -13 -23 -36 -16 16 5 -20 -26 3 14 4 -5 -53 0
-288 -212 -207 -168 -98 -22 23 6 29 61 112 127 123 -39 -69 -37 0 0 0 4 -30 11 -60 17 -45 -32 12 -46
-24 -35 90 -19 -97 7 -28 -48 -53 0 0 0 0 0 0 0 0 0
-326 -250 -211 -200 -151 -40 -31 -44 -18 13 54 88 86 -33 -87 13 0 0 0 -1 -23 2 -31 9 -43 -34 26 -3
-15 -23 49 -12 -62 10 -29 -41 -49 0 0 0 0 0 0 0 0 0
-252 -216 -215 -150 -36 -20 -7 2 36 82 132 174 230 1 4 -12 19 0 0 11 -19 -5 -34 10 -84 -9 0 -31 -7
-43 73 2 -61 -25 -28 -72 -16 0 0 0 0 0 0 0 0 0
-208 -159 -185 -128 37 18 11 9 23 59 102 130 233 -6 1 -32 16 0 -3 7 -15 -19 -64 14 -99 -23 19 -36 28
-50 93 -1 -98 -35 -43 -85 -19 0 0 0 0 0 0 0 0 0
-164 -92 -69 -23 19 12 51 58 50 74 119 124 146 41 -14 42 0 0 0 -6 -26 0 22 0 9 -30 33 -2 -7 0 -1 0
25 -13 -2 8 23 0 0 0 0 0 0 0 0 0
-90 -63 -35 41 49 47 67 78 87 95 106 115 120 -5 7 -22 0 0 0 35 19 36 0 75 -22 -12 22 0 0 0 0 0 0 0
-12 -16 -14 0 0 0 0 0 0 0 0 0
-180 -121 -85 -36 -5 11 55 45 84 94 126 136 149 19 -22 2 0 0 0 9 -15 0 22 0 9 -18 19 1 -2 6 7 8 11
10 -13 12 16 0 0 0 0 0 0 0 0 0

-235 -180 -178 -93 22 34 66 68 67 84 100 105 336 109 9 82 -12 0 -1 0 -2 -9 -1 13 -77 -3 56 -23 -1
-18 19 -13 -41 -23 -12 -60 -42 -8 -114 -80 -7 -1 0 1 -64 0
-220 -148 -152 -113 -14 7 21 23 44 73 102 127 253 40 5 -47 -3 0 2 9 -19 -19 -9 13 -73 -2 15 -7 -1
-20 6 -1 -65 -22 -19 -59 17 -3 -60 -35 14 -2 14 13 -91 0
-214 -166 -120 -107 -12 19 -1 -1 37 54 95 141 207 3 7 -25 14 -11 16 -22 -19 -21 0 0 -46 -4 13 -8 4
-17 22 0 -47 -17 -24 -26 26 -3 -44 -34 12 13 14 -6 -77 13
-288 -211 -197 -166 -108 3 29 17 24 79 118 124 100 -36 -68 -45 0 0 0 12 -30 4 -45 6 -51 -26 20 -38
-27 -35 72 -11 -56 0 -33 -53 -56 0 0 0 0 0 0 0 0 0
-326 -249 -212 -201 -146 -84 -35 1 -35 26 52 76 82 -31 -54 0 0 0 0 -8 -14 1 -20 4 -38 -17 4 10 -7
-13 7 -26 -28 -7 -1 -44 -43 0 0 0 0 0 0 0 0 0
-222 -193 -192 -128 -22 -4 8 23 45 88 131 170 205 -9 6 -28 13 0 2 1 -26 -21 -18 15 -59 -19 18 -28 2
-42 47 -7 -32 -22 -13 -58 -19 0 0 0 0 0 0 0 0 0
-208 -154 -216 -107 39 34 21 18 32 59 105 137 239 -8 1 -46 12 0 3 5 -12 14 -34 13 -109 -13 7 -22 19
-48 82 0 -82 -37 -40 -87 -21 0 0 0 0 0 0 0 0 0
-158 -86 -62 -42 -13 19 64 71 74 89 100 133 146 41 -9 36 0 0 0 -6 -27 0 -16 0 3 -44 42 -15 -15 -9 6
-9 5 -28 -1 6 23 0 0 0 0 0 0 0 0 0
-96 -48 -28 30 41 48 68 77 87 96 106 115 120 -2 9 -15 0 0 0 25 27 45 1 47 -21 -5 9 0 0 0 0 0 0 0 -12
-20 -19 0 0 0 0 0 0 0 0 0
-193 -128 -77 -46 3 16 66 69 75 109 107 138 125 16 -14 -1 0 0 0 5 -14 0 9 0 5 -15 13 -3 -5 -3 15 8
-16 8 -11 6 8 0 0 0 0 0 0 0 0 0
"""

_OUTLOOKS = """
0 0 286 270 276 292 236 304 0 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 119 171 156 147 121
230 310 174 0 -3 4 29 35 56 70 70 70 70 70 70 104 108 92
0 0 284 286 283 296 229 329 0 4 -1 0 0 248 254 239 249 329 162 0 -4 4 0 226 218 222 213 272 363 245
0 -4 3 72 195 204 192 153 269 391 156 0 -7 5 31 27 22 88 86 74 94 88 73 101 93 78
0 0 279 284 285 301 231 316 0 4 0 0 0 242 261 265 270 352 145 0 -4 4 0 212 226 232 233 294 363 247 0
-3 2 29 168 213 224 217 303 407 142 0 -6 5 30 28 18 89 84 71 93 85 69 102 93 72
0 0 261 276 277 315 198 302 0 6 0 0 0 254 267 270 273 360 159 0 -5 4 0 216 232 230 227 300 372 232 0
-3 3 14 167 217 225 226 316 387 145 0 -5 5 28 25 20 81 83 63 90 83 66 100 91 66
0 0 225 205 211 352 246 44 0 5 9 0 0 256 272 278 286 354 167 0 -4 4 0 208 229 245 233 323 358 234 0
-2 3 5 166 217 237 243 321 381 168 0 -4 5 27 25 12 78 81 58 86 84 61 100 89 58
"""

WEIGHTS = _table(5 * SITUATIONS, FEATURES, unit=1 / 16, words=_WEIGHTS)
"""Weights for 2, 3, 4, 5 and 6 or more players still in (the last found with 6 to 9)."""

OUTLOOKS = _table(5, OUTLOOK, unit=0.1, words=_OUTLOOKS)
"""An opponent's expected half-points, for each role 11 numbers: by laps 0-4, by the number of known
cards 0-2, and per half-point of their value by that number. Then the spread by role and number."""

VALUES = range(67)
"""All half-points there are."""


def _worth(value: int) -> NDArray[np.float64]:
    """Return what a value adds to the score, by row of ``WEIGHTS``."""
    inside = min(max(value, KNOTS[0]), KNOTS[-1])
    upper = max(int(np.searchsorted(KNOTS, inside)), 1)
    share = (inside - KNOTS[upper - 1]) / (KNOTS[upper] - KNOTS[upper - 1])
    return (1.0 - share) * WEIGHTS[:, upper - 1] + share * WEIGHTS[:, upper]


WORTH = np.ascontiguousarray(np.stack([_worth(value) for value in VALUES], axis=1))
"""What a hand's worth adds to the score: ``[row of WEIGHTS, value]``."""
