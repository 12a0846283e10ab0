"""The place of a noun in a query: the words that agree with it and the cells it can stand in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perturb.polish.government import expected_cases, preposition_cases
from perturb.polish.morphology import CASES
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import ALL_CELLS, GENITIVE, PLURAL, SINGULAR, VOCATIVE
from perturb.polish.phrases.syntax import CONJUNCTIONS, FROZEN_POSSESSIVES, Word, is_relational
from perturb.polish.phrases.words import AdjectiveReading

_FINITE = frozenset({"fin", "winien"})
_COPULAS = frozenset({"był", "była", "było"})
_TRANSITIVE = frozenset({"fin", "inf", "impt", "praet"})
_ACCUSATIVE = 1 << 3 | 1 << 10
_LOCATIVE = 1 << 5 | 1 << 12
_KIND_ADJECTIVES = frozenset(
    ("wewnętrzny", "zewnętrzny", "roboczy", "zdalny", "celny", "umowny", "ramowy", "ochronny", "własny", "źródłowy")
)

Agreeing = list[tuple[int, AdjectiveReading]]


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a noun in a query.

    Attributes:
        start: first token of its noun phrase, agreeing words before it included.
        end: one past the last token, agreeing words after it included.
        mask: cells it can stand in, as far as forms, agreement and governing words tell.
        agreeing: index and reading of each agreeing word outside the noun's own tokens.
        settled: whether the words before it told the case.
        doubtful: agreeing words that may as well belong to a noun before the phrase.
        runs_on: whether the words after it belong to a noun inside it, so that the phrase has been cut in two.
    """

    start: int
    end: int
    mask: int
    agreeing: tuple[tuple[int, AdjectiveReading], ...]
    settled: bool
    doubtful: frozenset[int] = frozenset()
    runs_on: bool = False


def find_slot(query: ParsedQuery, start: int, end: int, gender: int, mask: int, *, frozen_end: bool = False) -> Slot:
    """Look around a noun.

    Args:
        query: the query.
        start: first token of the noun or term.
        end: one past its last token.
        gender: position of its gender in :data:`perturb.polish.morphology.GENDERS`.
        mask: cells in which the form can stand.
        frozen_end: the term ends in a noun of its own that does not inflect along: *wyciek danych*.
    """
    words = query.looked_up
    agreeing: Agreeing = []
    left, mask = _walk_left(query, words, start, gender, mask, agreeing)
    allowed = _mask_of_cases(expected_cases(query.tokens, _after_noun(words, left)))
    right, mask, contested = _walk_right(query, words, end, gender, (mask, mask & allowed or mask), agreeing)
    counted = _counted(query, left)
    if counted and mask & counted:
        mask &= counted
    if not left and mask & GENITIVE and any(token.lower == "nie" for token in query.tokens):
        allowed |= GENITIVE  # a fronted object of a negated verb: Hasła nie da się zmienić.
    elif allowed & _ACCUSATIVE and not preposition_cases(query.tokens, left) and _negated_before(query, left):
        allowed |= GENITIVE  # the object of an infinitive: nie mogę znaleźć faktury
    if not allowed & mask:
        mask = _without_preposition(words, left, mask)
    return Slot(
        left,
        right,
        (mask & allowed) or mask,
        tuple(sorted(agreeing, key=lambda pair: pair[0])),
        settled=bool(allowed & mask),
        doubtful=contested
        | {i for i, reading in agreeing if _is_doubtful(words, i, reading, (left, start, end), mask)},
        runs_on=(frozen_end and _runs_on(words, end)) or _goes_on_after_conjunction(words, end, gender, mask),
    )


def _is_doubtful(
    words: Sequence[Word], index: int, reading: AdjectiveReading, around: tuple[int, int, int], mask: int
) -> bool:
    """Whether an agreeing word may belong to a noun before the phrase, or be a past tense: *umowa* wygasła.

    Between two nouns it belongs to the second if that is in the genitive: *w budowie nowej zapory*.
    """
    left, start, end = around
    if index >= end:
        return "praet" in words[index].pos or _agrees_further_left(words, left, reading)
    return index < start and not mask & GENITIVE and belongs_before(words, index)


def _negated_before(query: ParsedQuery, index: int) -> bool:
    """Whether *nie* stands before a token, in the same clause."""
    for token in reversed(query.tokens[:index]):
        if token.kind == "symbol":
            return False
        if token.lower == "nie":
            return True
    return False


def _after_noun(words: Sequence[Word], index: int) -> int:
    """Step back over adjectives that follow their noun: *rachunku bankowego* governs like *rachunku*."""
    while index and words[index - 1].adjectives and belongs_before(words, index - 1):
        index -= 1
    return index


def _without_preposition(words: Sequence[Word], left: int, mask: int) -> int:
    """Narrow cells where no preposition governs: no locative, and a genitive after a noun or a negated verb."""
    if not any(word.is_preposition for word in words[:left]):
        mask = mask & ~_LOCATIVE or mask
    if not left or not mask & GENITIVE:
        return mask
    before = words[left - 1]
    negated = left > 1 and words[left - 2].text.lower() == "nie" and before.pos & _TRANSITIVE
    after_noun = any(not noun.noun.proper for noun in before.nouns)
    return mask & GENITIVE if negated or after_noun else mask


def _goes_on_after_conjunction(words: Sequence[Word], end: int, gender: int, mask: int) -> bool:
    """Whether a second adjective is coordinated with one inside the term: *koszty stałe* i zmienne."""
    if end + 1 >= len(words) or not _joins(words[end]) or words[end].text == ",":
        return False
    return _agreeing(words[end + 1], gender, mask) is not None and not belongs_after(words, end + 1)


def _agrees_further_left(words: Sequence[Word], left: int, reading: AdjectiveReading) -> bool:
    for index in range(left - 1, -1, -1):
        word = words[index]
        if word.is_preposition or not (word.nouns or word.adjectives):
            return False
        if any(reading.masks[noun.noun.gender_index] & noun.mask & ~VOCATIVE for noun in word.nouns):
            return True
    return False


def _runs_on(words: Sequence[Word], end: int) -> bool:
    """Whether an adjective after a term belongs to the noun the term ends in: *wyciek danych* osobowych."""
    if end >= len(words) or words[end].is_preposition:
        return False
    if not belongs_before(words, end):
        return False
    # In ocena ryzyka zawodowego spawacza the adjective could be of either noun, but names the kind of risk.
    return not belongs_after(words, end) or _names_kind(words[end])


def _mask_of_cases(cases: frozenset[str]) -> int:
    singular = sum(1 << index for index, case in enumerate(CASES) if case in cases)
    return (singular | singular << 7) & ~VOCATIVE


def _agreeing(word: Word, gender: int, mask: int) -> tuple[AdjectiveReading, int] | None:
    for reading in word.adjectives:
        if reading.masks[gender] & mask:
            return reading, reading.masks[gender] & mask
    return None


def _walk_left(
    query: ParsedQuery, words: Sequence[Word], start: int, gender: int, mask: int, agreeing: Agreeing
) -> tuple[int, int]:
    left = index = start
    while index > 0:
        index -= 1
        word = words[index]
        if query.tokens[index].protected or word.is_preposition or _is_finite(word):
            break
        found = _agreeing(word, gender, mask)
        if found and not (belongs_before(words, index) and _names_kind(word)):
            agreeing.append((index, found[0]))
            mask = found[1]
            left = index
        elif left < start and index and _joins(word) and words[index - 1].adjectives:
            continue
        elif word.text.lower() in FROZEN_POSSESSIVES:
            left = index
        elif word.pos != {"adv"} or left == start:
            break
    return left, mask


def _names_kind(word: Word) -> bool:
    """Whether an adjective rather follows its noun: *audyt wewnętrzny* but *nowy audyt*."""
    return is_relational(word) or any(
        reading.adjective.lexeme.split(":")[0] in _KIND_ADJECTIVES for reading in word.adjectives
    )


def _is_finite(word: Word) -> bool:
    return bool(word.pos & _FINITE) or word.text.lower() in _COPULAS


def _joins(word: Word) -> bool:
    return word.text.lower() in CONJUNCTIONS or word.text == ","


def belongs_before(words: Sequence[Word], index: int) -> bool:
    """Whether an adjective agrees with the noun before it: *faktur* (dawno) *zaległych dostawcy*."""
    at = index - 1
    while at > 0 and words[at].pos == {"adv"}:
        at -= 1
    if not index or not words[at].nouns or words[at].is_preposition:
        return False
    return any(
        reading.masks[noun.noun.gender_index] & noun.mask & ~VOCATIVE
        for reading in words[index].adjectives
        for noun in words[at].nouns
    )


def _walk_right(
    query: ParsedQuery, words: Sequence[Word], end: int, gender: int, masks: tuple[int, int], agreeing: Agreeing
) -> tuple[int, int, frozenset[int]]:
    """Collect the adjectives after the noun; one that as well agrees with the noun after it is contested.

    What may be a noun too (*od dostawcy* stali) counts only if it agrees in a case that the words before allow, the
    second of the masks.
    """
    right, (mask, governed) = end, masks
    while right < len(words) and not query.tokens[right].protected and not words[right].is_preposition:
        found = _agreeing(words[right], gender, governed if words[right].nouns else mask)
        if not found or _is_finite(words[right]):
            break
        agreeing.append((right, found[0]))
        if belongs_after(words, right) and not _names_kind(words[right]):
            return right, mask, frozenset({right})
        mask = found[1]
        governed = mask & governed or mask
        right += 1
    return right, mask, frozenset()


def belongs_after(words: Sequence[Word], index: int) -> bool:
    """Whether an adjective may well agree with the noun right after it: *lista dostawców nowych usług*."""
    if index + 1 >= len(words):
        return False
    return any(
        reading.masks[noun.noun.gender_index] & noun.mask & ~VOCATIVE
        for reading in words[index].adjectives
        for noun in words[index + 1].nouns
    )


def _counted(query: ParsedQuery, start: int) -> int:
    """Cells a noun can stand in after a number in digits; 0 if none stands there."""
    if not start or query.tokens[start - 1].kind != "number":
        return 0
    digits = query.tokens[start - 1].text
    if not digits.isdigit():
        return ALL_CELLS if not digits[-1:].isdigit() else GENITIVE
    return SINGULAR if int(digits) == 1 else PLURAL
