"""How often the detectors err, measured on clean text into which noise is planted.

The text is cut to the lengths of the user's queries and written in small letters as often as they are, because both
decide what can be seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random

import numpy as np

from perturb.perturbations import typos
from perturb.perturbations.diacritics import SomeDiacritics, StripDiacritics
from perturb.perturbations.orthography import Spelling
from perturb.perturbations.slips import Mistyped, typable
from perturb.polish.parsed import ParsedQuery
from perturb.records import Query
from perturb.traffic.counting import CLEAN, MISTAKE_CLASSES
from perturb.traffic.estimates import Confusion
from perturb.traffic.known_texts import clean_queries, plain_queries
from perturb.traffic.observe import DIACRITICS, FULL, NEEDLESS, NONE, PARTIAL, first_mistake, observe
from perturb.traffic.words import MISTAKES, Vocabulary

SEED = 13
_TEXTS = 600
_PLANTED = 200
_QUANTILES = 20
_MIN_LENGTH = 4

_Slip = Callable[[tuple[str, ...], Random], tuple[str, Mistyped] | None]
_SLIPS: dict[str, _Slip] = {
    "omission": typos.omission,
    "substitution": typos.substitution,
    "insertion": typos.insertion,
    "transposition": typos.transposition,
}


def conditions(lengths: Counter[int], small: float) -> tuple[tuple[int, ...], float]:
    """What the errors depend on: twenty quantiles of the words per query, and the share in small letters to a tenth."""
    ordered = sorted(lengths.elements())
    places = [int((index + 0.5) / _QUANTILES * len(ordered)) for index in range(_QUANTILES)]
    return tuple(ordered[place] for place in places), round(small, 1)


@lru_cache(maxsize=8)
def diacritics_errors(lengths: tuple[int, ...], small: float) -> Confusion:
    """Errors of telling lost diacritics, on texts with all, some and none of theirs, and on texts that need none."""
    rows = np.zeros((len(DIACRITICS), len(DIACRITICS)))
    rng = Random(SEED)
    full = [text for text in _cut(clean_queries, lengths, small, rng) if any(map(_has_diacritic, text.split()))]
    rows[DIACRITICS.index(FULL)] = _counts([observe(text).diacritics for text in full], DIACRITICS)
    for true, rule in ((NONE, StripDiacritics()), (PARTIAL, SomeDiacritics())):
        texts = [v.text for text in full for v in rule(ParsedQuery(Query("", text)), rng)]
        rows[DIACRITICS.index(true)] = _counts([observe(text).diacritics for text in texts], DIACRITICS)
    plain = [observe(text).diacritics for text in _cut(plain_queries, lengths, small, rng)]
    rows[DIACRITICS.index(NEEDLESS)] = _counts(plain, DIACRITICS)
    empty = rows.sum(axis=1) == 0
    rows[empty, empty] = 1.0
    return Confusion(DIACRITICS, rows, (FULL, NEEDLESS))


@lru_cache(maxsize=8)
def mistake_errors(lengths: tuple[int, ...], small: float) -> Confusion:
    """Errors of telling which mistake a query holds, on clean texts and on texts with one planted mistake."""
    vocabulary = Vocabulary.of(Counter())
    rng = Random(SEED)
    texts = _cut(clean_queries, lengths, small, rng)
    rows = np.zeros((len(MISTAKE_CLASSES), len(MISTAKE_CLASSES)))
    rows[0] = _counts([first_mistake(observe(text), vocabulary) or CLEAN for text in texts], MISTAKE_CLASSES)
    for kind in MISTAKES:
        planted = list(_planted(kind, texts, rng))
        found = [first_mistake(observe(text), vocabulary) or CLEAN for text in planted]
        row = MISTAKE_CLASSES.index(kind)
        rows[row] = _counts(found, MISTAKE_CLASSES)
        if not planted:
            rows[row, row] = 1.0
    return Confusion(MISTAKE_CLASSES, rows, (CLEAN,))


def _planted(kind: str, texts: Sequence[str], rng: Random) -> Iterator[str]:
    """Texts with one mistake of a kind, up to a number; texts in which it cannot happen are passed over."""
    number = 0
    for text in texts:
        spoilt = plant(kind, text, rng)
        if spoilt is not None:
            number += 1
            yield spoilt
        if number == _PLANTED:
            return


def plant(kind: str, text: str, rng: Random) -> str | None:
    """Make one mistake of a kind in a text; ``None`` if it cannot happen there."""
    query = ParsedQuery(Query("", text))
    if kind == "spelling":
        return next((variant.text for variant in Spelling()(query, rng)), None)
    tokens, words = typable(query, _MIN_LENGTH)
    drawn = _SLIPS[kind](words, rng) if words else None
    if drawn is None:
        return None
    token = tokens[drawn[1].position]
    return text[: token.start] + drawn[1].after + text[token.end :]


def _cut(
    cut: Callable[[Sequence[int], int, int], list[str]], lengths: Sequence[int], small: float, rng: Random
) -> list[str]:
    return [text.lower() if rng.random() < small else text for text in cut(lengths, _TEXTS, SEED)]


def _has_diacritic(word: str) -> bool:
    return any(letter in "ąćęłńóśźż" for letter in word.lower())


def _counts(found: Sequence[str], classes: Sequence[str]) -> list[int]:
    counts = Counter(found)
    return [counts[name] for name in classes]
