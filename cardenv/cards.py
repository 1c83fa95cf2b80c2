"""Card codes and names, bit-set helpers, and counter-based chance.

A set of cards is a ``uint64`` with bit ``c`` for card ``c``. Numba turns ``uint64`` mixed with a
signed integer into ``int64``, so sets and generator words meet only ``np.uint64`` values.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardenv.compiling import CHECKED, JIT, bits_to_bytes, bytes_to_bits, compiled

SUITS = ("Karo", "Herz", "Pik", "Kreuz")
SUIT_SIGNS = "♦♥♠♣"
RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
RANKS_PER_SUIT = 8
CARDS = 32
"""31 and Mau-Mau: ``card = 8 * suit + rank``."""

ONE = np.uint64(1)
NONE = np.uint64(0)

# Purposes of chance: each has a stream of its own, so no draw shifts another.
TABLE, EPISODE, DECK, SEAT, LEARNER, OPPONENT, PLAY, TALON, WORLD = range(9)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_30, _SHIFT_27, _SHIFT_31, _SHIFT_32 = (np.uint64(s) for s in (30, 27, 31, 32))


def card_name(card: int) -> str:
    """Return a card of 31 or Mau-Mau as suit sign and rank, such as ``♥K`` for card 14."""
    return SUIT_SIGNS[card // RANKS_PER_SUIT] + RANKS[card % RANKS_PER_SUIT]


def cards_in(bits: int) -> list[int]:
    """Return the cards of a bit set in ascending order (plain Python, for words and tests)."""
    return [card for card in range(64) if int(bits) >> card & 1]


@compiled
def singleton(card: int) -> Any:
    """Return the bit set that holds one card."""
    return ONE << np.uint64(card)


@compiled
def count(bits: Any) -> int:
    """Return how many cards a bit set holds."""
    cards = 0
    while bits != NONE:
        bits &= bits - ONE
        cards += 1
    return cards


@compiled
def lowest_bit(bits: Any) -> Any:
    """Return the set of the lowest card alone."""
    return bits & (~bits + ONE)


@compiled
def lowest(bits: Any) -> int:
    """Return the lowest card of a bit set that is not empty."""
    return count(~bits & (bits - ONE))


@compiled
def slot(bits: Any, index: int) -> int:
    """Return the ``index``-th lowest card of a bit set that holds more than ``index`` cards."""
    for _ in range(index):
        bits &= bits - ONE
    return lowest(bits)


@compiled
def holds(bits: Any, card: int) -> bool:
    """Tell whether a bit set holds a card."""
    return (bits >> np.uint64(card)) & ONE != NONE


@compiled
def spread(bits: Any, length: int, out: Any, offset: int) -> None:
    """Write the lowest ``length`` bits as bytes 0 or 1 to ``out[offset:offset + length]``."""
    if CHECKED and (offset + length > out.size or length > 64):
        raise IndexError("spread: past the end of the array")
    if JIT:
        bits_to_bytes(bits, length, out, offset)
    else:
        for i in range(length):
            out[offset + i] = (bits >> np.uint64(i)) & ONE


@compiled
def gather(observation: Any, offset: int, length: int) -> Any:
    """Read ``length`` bytes 0 or 1 from ``observation[offset:]`` as a bit set."""
    if CHECKED and (offset + length > observation.size or length > 64):
        raise IndexError("gather: past the end of the array")
    if JIT:
        return bytes_to_bits(observation, offset, length)
    bits = NONE
    for i in range(length):
        bits |= np.uint64(observation[offset + i]) << np.uint64(i)
    return bits


def _mix(word: Any) -> Any:
    """Scramble a 64-bit word: the output function of SplitMix64 (Steele, Lea, Flood 2014)."""
    word = (word ^ (word >> _SHIFT_30)) * _MIX_1
    word = (word ^ (word >> _SHIFT_27)) * _MIX_2
    return word ^ (word >> _SHIFT_31)


mix = compiled(_mix)


@compiled
def derive(key: Any, purpose: int, index: int) -> Any:
    """Return the ``index``-th key for a purpose: the same wherever and whenever it is asked for."""
    return mix(mix(key + _GOLDEN * np.uint64(purpose + 1)) + _GOLDEN * np.uint64(index + 1))


@compiled
def table_key(seed: Any, table: Any, episode: Any) -> Any:
    """Do what ``table_keys`` does for one table."""
    return derive(derive(mix(seed + _GOLDEN), TABLE, table), EPISODE, episode)


@compiled
def below(word: Any, bound: int) -> int:
    """Map a random word to ``0 .. bound - 1`` (bias under ``bound / 2**32``)."""
    draw: Any = np.int64(((word >> _SHIFT_32) * np.uint64(bound)) >> _SHIFT_32)
    return draw


@compiled
def drawn_from(bits: Any, key: Any) -> int:
    """Draw a card from a bit set that is not empty, as a function of ``key`` alone."""
    return slot(bits, below(key, count(bits)))


@compiled
def seal(key: Any) -> Any:
    """Do what ``sealed_keys`` does for one key."""
    return mix(key) ^ key


@compiled
def shuffle(deck: Any, size: int, key: Any) -> None:
    """Shuffle ``deck[:size]`` in place (Fisher-Yates), as a function of ``key`` alone."""
    for i in range(size - 1):
        key += _GOLDEN
        j = i + below(mix(key), size - i)
        deck[i], deck[j] = deck[j], deck[i]


@compiled
def stack(deck: Any, cards: Any, order: Any, key: Any, twice: Any = NONE) -> None:
    """Lay cards on ``deck`` from its beginning: in the given order, or shuffled by ``key``.

    Args:
        deck: uint8 ``[k]``, for no more than ``k`` cards; written from the beginning.
        cards: the set of the cards.
        order: uint8 ``[cards]``, or ``[0]`` to shuffle.
        key: generator key.
        twice: the set of those of the cards that are there twice.
    """
    for place in range(order.size):
        deck[place] = order[place]
    if order.size == 0:
        once = count(cards)
        lay_out(deck, cards)
        lay_out(deck[once:], twice)
        shuffle(deck, once + count(twice), key)


@compiled
def lay_out(deck: Any, cards: Any) -> None:
    """Lay a set of cards on ``deck`` (uint8, long enough) in ascending order."""
    place = 0
    while cards != NONE:
        deck[place] = lowest(cards)
        cards &= cards - ONE
        place += 1


@compiled
def set_of(deck: Any) -> Any:
    """Return the set of the cards in a stretch of a deck, uint8 ``[k]``."""
    cards = NONE
    for i in range(deck.size):
        cards |= singleton(deck[i])
    return cards


def derive_keys(keys: NDArray[np.uint64], purpose: int, index: Any) -> NDArray[np.uint64]:
    """Do what ``derive`` does for an array of keys and one index, or an array of them."""
    with np.errstate(over="ignore"):
        steps = np.asarray(index, np.uint64) + ONE
        return _mix(_mix(keys + _GOLDEN * np.uint64(purpose + 1)) + _GOLDEN * steps)


def sealed_keys(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return keys from which the given ones cannot be computed back.

    ``derive`` can be inverted step by step; whoever gets a key for his choices must not find the
    deal's key behind it.
    """
    with np.errstate(over="ignore"):
        return _mix(keys) ^ keys


def table_keys(seeds: Any, tables: Any, episodes: Any) -> NDArray[np.uint64]:
    """Return the generator key of each table's episode.

    Args:
        seeds: uint64 ``[n]``.
        tables: uint64 ``[n]``, number of the table under its seed.
        episodes: uint64 ``[n]``, 0 for the first episode since seeding.
    """
    with np.errstate(over="ignore"):
        return derive_keys(derive_keys(_mix(seeds + _GOLDEN), TABLE, tables), EPISODE, episodes)
