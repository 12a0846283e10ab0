"""What is wrong with a word that the dictionary does not know: diacritics lost, a slip of the hand, a spelling mistake.

Only non-words can be told: *sad* typed for *sąd* is a word, so such collisions are never counted.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, product

from perturb.perturbations.orthography import misspellings, spelling_rules
from perturb.perturbations.slips import measured
from perturb.polish.keyboard import layout
from perturb.polish.morphology import is_word
from perturb.polish.text import POLISH_LETTERS
from perturb.resources import read_table

MISTAKES = ("omission", "substitution", "insertion", "transposition", "spelling")
"""Kinds of non-words that one mistake explains."""

LOST = "diacritics"
"""A word that becomes known when diacritics are put back."""

MOST_LOST = 3
SHORTEST = 4
"""Letters below which a non-word is not diagnosed: too many short strings are one edit from some word."""

_LONGEST = 24
_FAMILIAR = 3
_SPELLING_READINESS = 800.0
_BORDER = " "


@lru_cache(maxsize=1)
def _diacritics() -> dict[str, str]:
    """Letters with diacritics that a bare letter may stand for."""
    table: dict[str, str] = {}
    for row in read_table("diacritic_loss.tsv"):
        table[row["bare"]] = table.get(row["bare"], "") + row["letter"]
    return table


@lru_cache(maxsize=1 << 17)
def is_known(lower: str) -> bool:
    """Whether a word typed in small letters is an ordinary Polish word (the strict gate)."""
    return is_word(lower)


@lru_cache(maxsize=1 << 16)
def is_name(lower: str) -> bool:
    """Whether it is a word with a capital: *wrocławia* typed for *Wrocławia*."""
    return is_word(lower[:1].upper() + lower[1:])


@lru_cache(maxsize=1 << 16)
def restored(lower: str, *, names: bool = False) -> str:
    """The known word that a non-word becomes when one to three of its letters get their diacritics; empty if none.

    Fewest additions first. With ``names`` the result may be a name: *lodz* → *łódź*.
    """
    table = _diacritics()
    places = [index for index, letter in enumerate(lower[:_LONGEST]) if letter in table]
    know = is_name if names else is_known
    for number in range(1, MOST_LOST + 1):
        for chosen in combinations(places, number):
            for letters in product(*(table[lower[index]] for index in chosen)):
                typed = list(lower)
                for index, letter in zip(chosen, letters, strict=True):
                    typed[index] = letter
                if know("".join(typed)):
                    return "".join(typed)
    return ""


def lost_diacritics(word: str, *, first: bool = False) -> bool:
    """Whether a word as typed has lost diacritics.

    Args:
        word: as typed.
        first: it begins the query, so that a capital says nothing.
    """
    lower = word.lower()
    if is_known(lower) or (word[:1].isupper() and not word.isupper() and not first and is_name(lower)):
        return False
    if restored(lower):
        return True
    return not is_name(lower) and bool(restored(lower, names=True))


@dataclass(frozen=True)
class Vocabulary:
    """Known words of a log with their counts, and the letter triples they are made of.

    Attributes:
        counts: how many distinct queries hold a word, known or not, in small letters.
        triples: letter triples of known words; a candidate with another triple is not looked up.
    """

    counts: Mapping[str, int]
    triples: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def of(cls, counts: Counter[str]) -> Vocabulary:
        """Prepare the words of a log, to which those of the bundled documents are added for their triples."""
        triples = set(_common_triples())
        for word in counts:
            if is_known(word):
                triples.update(_triples(word))
        return cls(counts, frozenset(triples))


def _triples(word: str) -> Iterator[str]:
    framed = f"{_BORDER}{word}{_BORDER}"
    return (framed[index : index + 3] for index in range(len(framed) - 2))


@lru_cache(maxsize=1)
def _common_triples() -> frozenset[str]:
    from perturb.traffic.known_texts import clean_texts

    words = {word for text in clean_texts() for word in re.findall(r"[^\W\d_]+", text.lower())}
    words.update(row["word"].lower() for row in read_table("function_words.tsv"))
    return frozenset(triple for word in words if is_known(word) for triple in _triples(word))


def mistake(lower: str, vocabulary: Vocabulary) -> str:
    """The one mistake that explains a non-word, or an empty string.

    Where several do, the intended word that the log holds most often decides, then the measured share of the mistake. A
    non-word that comes up in three queries or more, and more often than what it would be a mistake for, is taken for a
    name or a term of the trade.

    Args:
        lower: a non-word in small letters whose loss of diacritics is ruled out.
        vocabulary: words of the log.
    """
    if not SHORTEST <= len(lower) <= _LONGEST or not lower.isalpha():
        return ""
    best, kind, intended = -math.inf, "", ""
    for name, candidate in _candidates(lower, vocabulary):
        weight = 2 * math.log(1 + vocabulary.counts.get(candidate, 0)) + math.log(_readiness(name, candidate, lower))
        if weight > best:
            best, kind, intended = weight, name, candidate
    own = vocabulary.counts.get(lower, 0)
    return "" if kind and own >= _FAMILIAR and own > vocabulary.counts.get(intended, 0) else kind


@lru_cache(maxsize=8)
def _share(kind: str) -> float:
    table = measured("operation")
    place = table.names.index(kind)
    return table.cumulated[place] - (table.cumulated[place - 1] if place else 0.0)


def _readiness(kind: str, intended: str, typed: str) -> float:
    """How readily one makes just this mistake: the share of its kind over the ways to make it at one place."""
    if kind == "spelling":
        return _SPELLING_READINESS
    share = _share(kind)
    place = next((i for i, (a, b) in enumerate(zip(intended, typed, strict=False)) if a != b), len(intended))
    if kind == "insertion":
        added, around = typed[place], intended[max(0, place - 1) : place + 1]
        doubled = place > 0 and added == typed[place - 1]
        beside = any(added in layout().neighbours.get(letter, "") for letter in around)
        return share * (0.2 if doubled else 0.1 if beside else 0.02)
    if kind == "substitution":
        beside = typed[place] in layout().neighbours.get(intended[place], "")
        confused = typed[place] in layout().confused.get(intended[place], "")
        return share * (0.15 if beside else 0.05 if confused else 0.005)
    return share


def _candidates(lower: str, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """Known words one mistake away, with the mistake that made the non-word of them."""
    for intended in _spelt_right(lower):
        yield "spelling", intended
    seen: set[str] = {lower}
    for kind, place, candidate in _one_edit_away(lower):
        if not _fits_at(candidate, place, vocabulary):
            continue
        if candidate not in seen and len(candidate) >= SHORTEST and _plausible(candidate, vocabulary):
            seen.add(candidate)
            if is_known(candidate):
                yield kind, candidate


def _fits_at(candidate: str, place: int, vocabulary: Vocabulary) -> bool:
    """Whether the letters at the edit are found in words: one look-up that spares most of the candidates."""
    around = candidate[place - 1 : place + 2] if place else _BORDER + candidate[:2]
    return len(around) < 3 or around in vocabulary.triples or candidate in vocabulary.counts


def _plausible(candidate: str, vocabulary: Vocabulary) -> bool:
    return candidate in vocabulary.counts or all(triple in vocabulary.triples for triple in _triples(candidate))


def _one_edit_away(word: str) -> Iterator[tuple[str, int, str]]:
    """Kind of the mistake, place of the edit, and what was meant."""
    for index in range(len(word)):
        yield "insertion", index, word[:index] + word[index + 1 :]
    for index in range(len(word) - 1):
        yield "transposition", index, word[:index] + word[index + 1] + word[index] + word[index + 2 :]
    for index in range(len(word) + 1):
        for letter in POLISH_LETTERS:
            yield "omission", index, word[:index] + letter + word[index:]
    for index in range(len(word)):
        for letter in POLISH_LETTERS:
            yield "substitution", index, word[:index] + letter + word[index + 1 :]


@lru_cache(maxsize=1)
def _undone_rules() -> tuple[tuple[str, str], ...]:
    """What each spelling rule writes, and what stood there; read off its pattern without its conditions."""
    pairs = {(rule.replacement, core) for rule in spelling_rules() for core in _cores(rule.pattern.pattern)}
    return tuple(sorted(pairs))


def _cores(pattern: str) -> Iterable[str]:
    """The letters a pattern replaces: what is left without look-around groups and anchors."""
    core, depth = "", 0
    for letter in pattern:
        depth += letter == "("
        if not depth:
            core += letter
        depth -= letter == ")"
    core = core.replace("^", "").replace("$", "")
    return (core,) if core.isalpha() else ()


def _spelt_right(word: str) -> Iterator[str]:
    """Known words that one spelling rule turns into this one."""
    for wrong, right in _undone_rules():
        start = word.find(wrong)
        while start >= 0:
            candidate = word[:start] + right + word[start + len(wrong) :]
            if is_known(candidate) and any(way.after == word for way in misspellings(candidate)):
                yield candidate
            start = word.find(wrong, start + 1) if start < len(word) else -1
