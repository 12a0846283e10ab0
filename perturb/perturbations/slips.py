"""Slips of the hand on one word, and where they fall: the mechanics behind the ``typo`` perturbations.

A *slip* takes a word and the place of one of its letters and gives the word as mistyped, or ``None`` where it cannot
happen there. Capitals stay where they stood; hyphens, apostrophes and foreign letters are never touched.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from random import Random
from typing import NamedTuple
from weakref import WeakKeyDictionary

from perturb.polish.keyboard import layout
from perturb.polish.morphology import is_word
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import Token
from perturb.resources import read_table

TRIES = 16
"""Draws before a slip that is another word, or no change at all, is accepted as such."""

_LONGEST_ACRONYM = 5
_WORD_CACHE = 1 << 18

_ELSEWHERE = ("inner", "first", "inner", "last")
"""Where slips are tried when half of the draws at the place that was drawn have failed."""

Slip = Callable[[str, int, Random], str | None]


class Mistyped(NamedTuple):
    """A word as mistyped.

    Attributes:
        position: which of the words on offer.
        after: what stands there now.
        real_word: it is another word, and no draw gave one that is not.
    """

    position: int
    after: str
    real_word: bool


class Choices(NamedTuple):
    """Things to draw from, with their cumulated weights."""

    names: tuple[str, ...]
    cumulated: tuple[float, ...]

    def draw(self, rng: Random) -> str:
        """Draw one."""
        return self.names[bisect_right(self.cumulated, rng.random() * self.cumulated[-1])]

    def weights(self) -> list[tuple[str, float]]:
        """The pairs they were made of."""
        lower = (0.0, *self.cumulated)
        return [(name, upper - low) for name, upper, low in zip(self.names, self.cumulated, lower, strict=False)]


def choices(pairs: Sequence[tuple[str, float]]) -> Choices:
    """Prepare pairs of name and weight for drawing."""
    cumulated: list[float] = []
    for _, weight in pairs:
        cumulated.append(weight + (cumulated[-1] if cumulated else 0.0))
    return Choices(tuple(name for name, _ in pairs), tuple(cumulated))


@lru_cache(maxsize=1)
def _weight_table() -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}
    for row in read_table("typo_weights.tsv"):
        table.setdefault(row["group"], {})[row["choice"]] = float(row["weight"])
    return table


@lru_cache(maxsize=64)
def measured(group: str) -> Choices:
    """The weights of a group of ``lexicons/typo_weights.tsv``, such as ``operation``."""
    return choices(tuple(_weight_table()[group].items()))


@lru_cache(maxsize=_WORD_CACHE)
def is_real_word(word: str) -> bool:
    """Whether a misspelt word is another ordinary Polish word: the strict gate, blind to capitals of the query."""
    return is_word(word.lower()) or (not word.islower() and not word.isupper() and is_word(word))


@lru_cache(maxsize=65536)
def _is_typable(word: str, min_length: int) -> bool:
    letters = sum(char.isalpha() for char in word)
    if letters < min_length or any(not char.isalpha() and char not in "-'’`" for char in word):
        return False
    if len(word.lower()) != len(word):
        return False
    stem = word.partition("-")[0]
    acronym = stem.isupper() and len(stem) <= _LONGEST_ACRONYM and not is_word(word.lower())
    return not acronym and not (stem.isupper() and not word.isupper())


def typable(query: ParsedQuery, min_length: int) -> tuple[tuple[Token, ...], tuple[str, ...]]:
    """Words that slips may hit, as tokens and as texts; worked out once per query.

    Left out are words of fewer than ``min_length`` letters, acronyms (up to five capitals that are no ordinary word,
    with or without an ending: ``RODO``, ``VAT-u``) and words with letters that are not one character.
    """
    known = _typable.setdefault(query, {})
    if min_length not in known:
        tokens = tuple(word for word in query.words if _is_typable(word.text, min_length))
        known[min_length] = (tokens, tuple(token.text for token in tokens))
    return known[min_length]


_typable: WeakKeyDictionary[ParsedQuery, dict[int, tuple[tuple[Token, ...], tuple[str, ...]]]] = WeakKeyDictionary()


def _like(letter: str, model: str) -> str:
    return letter.upper() if model.isupper() else letter


def _one_of(letters: str, rng: Random) -> str:
    return letters[int(rng.random() * len(letters))]


def omit(word: str, place: int, rng: Random) -> str | None:
    """Leave a letter out, but none that stands alone (*e-faktura*); a capital moves on to the next letter."""
    beside = word[max(0, place - 1) : place] + word[place + 1 : place + 2]
    if not word[place].isalpha() or not any(map(str.isalpha, beside)):
        return None
    rest = word[place + 1 :]
    if place == 0 and word[0].isupper():
        rest = rest[:1].upper() + rest[1:]
    return word[:place] + rest


def double(word: str, place: int, rng: Random) -> str | None:
    """Type a letter twice."""
    letter = word[place]
    if not letter.isalpha():
        return None
    after = letter.lower() if place == 0 and not word.isupper() else letter
    return word[: place + 1] + after + word[place + 1 :]


def hit_neighbour(word: str, place: int, rng: Random) -> str | None:
    """Hit the key beside the right one."""
    letters = layout().neighbours.get(word[place])
    return word[:place] + _one_of(letters, rng) + word[place + 1 :] if letters else None


def hit_two_keys(word: str, place: int, rng: Random) -> str | None:
    """Hit the key beside together with the right one; it comes out before or after it."""
    letters = layout().neighbours.get(word[place].lower())
    if not letters:
        return None
    before = 0 < place < len(word) - 1 and rng.random() < 0.5
    model = word[place].lower() if place == 0 and not word.isupper() else word[place]
    return _put(word, place if before else place + 1, _like(_one_of(letters, rng), model))


def _put(word: str, place: int, letter: str) -> str | None:
    """Insert a letter, but not beside the same one: that would be a doubling."""
    if letter.lower() in word[max(0, place - 1) : place + 1].lower():
        return None
    return word[:place] + letter + word[place:]


def confuse(word: str, place: int, rng: Random) -> str | None:
    """Take a letter for one that sounds or serves alike."""
    letters = layout().confused.get(word[place])
    return word[:place] + _one_of(letters, rng) + word[place + 1 :] if letters else None


_OBSTRUENTS = frozenset("ptkfsścćhbdgzźż")


def mishear(word: str, place: int, rng: Random) -> str | None:
    """Take a letter for one that sounds the same here: voiced for voiceless before an obstruent or at the end."""
    following = word[place + 1 : place + 2].lower()
    if word[place].lower() != "j" and following and following not in _OBSTRUENTS:
        return None
    return confuse(word, place, rng)


def echo(word: str, place: int, rng: Random) -> str | None:
    """Type a letter once more after the next one, or the next one already before it."""
    if not 0 < place < len(word) - 1 or not word[place : place + 2].isalpha():
        return None
    first, second = word[place], word[place + 1]
    if rng.random() < 0.5:
        return _put(word, place + 2, _like(first.lower(), second))
    return _put(word, place, _like(second.lower(), first))


def transpose(word: str, place: int, rng: Random) -> str | None:
    """Swap a letter with the next one; at the last letter, with the one before. Equal letters are no slip."""
    left = min(place, len(word) - 2)
    first, second = word[left], word[left + 1]
    if first.lower() == second.lower() or not (first.isalpha() and second.isalpha()):
        return None
    return word[:left] + _like(second.lower(), first) + _like(first.lower(), second) + word[left + 2 :]


def place_in(length: int, where: str, rng: Random, *, pairs: bool = False) -> int:
    """Draw the place of a letter in a word.

    Args:
        length: letters of the word, at least 2.
        where: ``first``, ``inner`` or ``last``.
        rng: random source.
        pairs: the slip also moves the next letter, which then has to be an inner one too.
    """
    if where == "first":
        return 0
    inner = length - 2 - pairs
    if where == "last" or inner < 1:
        return length - 1
    return 1 + int(rng.random() * inner)


@lru_cache(maxsize=4096)
def _lengths(words: tuple[str, ...]) -> tuple[int, ...]:
    """Cumulated lengths: a word is drawn in proportion to its length, so that every letter is as likely to be hit."""
    return tuple(accumulate(map(len, words)))


def mistype(
    words: tuple[str, ...], slip: Slip, rng: Random, *, pairs: bool = False, elsewhere: bool = True
) -> Mistyped | None:
    """Draw a word and a place in it and let the slip happen there.

    Whether the first, an inner or the last letter is hit is drawn once, so that redraws do not shift the shares. Draws
    that change nothing or give another word are thrown away; after :data:`TRIES` a real word is accepted, and marked.

    Args:
        words: words that may be hit.
        slip: what happens.
        rng: random source.
        pairs: the slip moves two letters.
        elsewhere: whether another place is tried where all draws at the first have failed.

    Returns:
        The mistyped word, or ``None`` if no draw changed anything.
    """
    where = measured("position").draw(rng)
    lengths = _lengths(words)
    fallback: Mistyped | None = None
    for attempt in range(TRIES):
        index = bisect_right(lengths, int(rng.random() * lengths[-1]))
        word = words[index]
        after = slip(word, place_in(len(word), where, rng, pairs=pairs), rng)
        if elsewhere and attempt >= TRIES // 2:
            where = _ELSEWHERE[attempt % len(_ELSEWHERE)]
        if after is None or after == word:
            continue
        if not is_real_word(after):
            return Mistyped(index, after, False)
        fallback = fallback or Mistyped(index, after, True)
    return fallback or (_anywhere(words, slip, rng) if elsewhere else None)


def _anywhere(words: tuple[str, ...], slip: Slip, rng: Random) -> Mistyped | None:
    """The first place from a random word on where a slip changes anything, for queries with hardly any such place."""
    start = int(rng.random() * len(words))
    for index in (*range(start, len(words)), *range(start)):
        for place in range(len(words[index])):
            after = slip(words[index], place, rng)
            if after is not None and after != words[index]:
                return Mistyped(index, after, is_real_word(after))
    return None


def drop_one_of_double(words: tuple[str, ...], rng: Random) -> Mistyped | None:
    """Type a double letter once (*brutto* → *bruto*), where that gives no other word."""
    sites = double_letters(words)
    while sites:
        index, place = sites.pop(int(rng.random() * len(sites)))
        after = words[index][:place] + words[index][place + 1 :]
        if not is_real_word(after):
            return Mistyped(index, after, False)
    return None


def double_letters(words: tuple[str, ...]) -> list[tuple[int, int]]:
    """Word and place of the second letter of each double letter, the first two letters of a word left aside."""
    return [site for index, word in enumerate(words) for site in _doubles(index, word)]


@lru_cache(maxsize=65536)
def _doubles(index: int, word: str) -> tuple[tuple[int, int], ...]:
    lower = word.lower()
    places = range(2, len(word))
    return tuple((index, place) for place in places if lower[place] == lower[place - 1] and lower[place].isalpha())
