"""What follows a head and the words that agree with it: a genitive, a code, a specification of goods.

*ochrona danych*, *faktura nr 5*, *farba kolor biały*: all of it keeps its form.
"""

from __future__ import annotations

from collections.abc import Sequence

from perturb.polish.phrases.adjectives import is_substantivised
from perturb.polish.phrases.groups import AMOUNTS, OBLIQUE, Group
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.paradigms import Noun
from perturb.polish.phrases.persons import is_unchanged_surname
from perturb.polish.phrases.shapes import ACCUSATIVE, GENITIVE, NOMINATIVE, SINGULAR, VOCATIVE
from perturb.polish.phrases.syntax import FROZEN_ATTRIBUTES, Word

_GOVERNING_ENDINGS = ("anie", "enie", "cie", "ciem")
_SPECIFYING = word_class("specification")
"""Nouns that in the nominative tell a property of goods when a value follows: *typ* 500, *kolor* biały."""


def _is_adjective_too(noun: Noun, word: Word) -> bool:
    return any(is_substantivised(noun, reading) for reading in word.adjectives)


def _noun_follows(words: Sequence[Word], index: int) -> bool:
    """Whether a genitive noun, or something unknown that may be one, comes after any further adjectives."""
    while index < len(words) and words[index].adjectives and not words[index].nouns:
        index += 1
    if index >= len(words):
        return False
    return words[index].is_opaque or any(reading.mask & GENITIVE for reading in words[index].nouns)


def tail_penalty(words: Sequence[Word], index: int, group: Group) -> tuple[float, float]:
    """Penalty and doubt of the word that follows the head and its adjectives."""
    word = words[index]
    if is_unchanged_surname(word, group.noun, group.mask):
        return 0.0, 0.0
    if word.is_preposition or word.kind != "word" or word.is_opaque or word.lower in FROZEN_ATTRIBUTES:
        return 0.0, 0.0
    counted = group.noun.lemma in AMOUNTS
    if any(r.mask & GENITIVE and (counted or not _is_adjective_too(r.noun, word)) for r in word.nouns):
        return 0.0, 0.0
    if word.text.isupper() or ("-" in word.text and word.nouns):
        return 0.05, 0.0
    if any(reading.any_mask & GENITIVE for reading in word.adjectives):
        # An adjective alone is rather no genitive of its own but agrees with another reading of the head.
        return (0.05, 0.0) if _noun_follows(words, index + 1) else (1.6, 0.0)
    if any(reading.mask & OBLIQUE for reading in word.nouns):
        governs = group.noun.kind == "ger" or group.noun.lemma.endswith(_GOVERNING_ENDINGS)
        return (0.1, 0.0) if governs else (0.6, 0.1)
    if word.nouns and word.capital:
        person = word.nouns[0].noun.names & {"imię", "nazwisko"}
        return (1.5, 0.1) if person else (0.5, 0.05)
    if word.nouns:
        return (2.0, 0.3)
    return (0.8, 0.1)


def specification_end(words: Sequence[Word], index: int) -> int:
    """End of a specification that begins at a word; 0 if none does.

    *mąka typ 500*, *farba kolor biały*, *koszulka rozmiar XL*: the noun stands in the nominative, its value after it.

    Args:
        words: the phrase.
        index: the word that may name the property.
    """
    word = words[index]
    if word.lower not in _SPECIFYING or index + 1 >= len(words):
        return 0
    nouns = [reading.noun for reading in word.nouns if reading.mask & NOMINATIVE]
    end = index + 1 + _is_name_of_value(words[index + 1])
    while end < len(words) and _is_value(words[end], nouns):
        end += 1
    return end if end > index + 1 else 0


def _is_name_of_value(word: Word) -> bool:
    """Whether a noun can be a value, for no genitive would be written so: *kolor* dąb sonoma, *smak* truskawka."""
    return bool(word.nouns) and not word.adjectives and not any(r.mask & GENITIVE for r in word.nouns)


def _is_value(word: Word, nouns: Sequence[Noun]) -> bool:
    letter = len(word.text) == 1 and word.capital
    if letter or word.kind not in ("word", "symbol", "url"):
        return True
    if word.kind != "word" or word.is_preposition or word.is_conjunction:
        return False
    if word.capital or (word.is_opaque and not word.nouns):
        return True
    return any(reading.masks[noun.gender_index] & NOMINATIVE for reading in word.adjectives for noun in nouns)


def begins_another(words: Sequence[Word], index: int, head: Group) -> bool:
    """Whether a noun in the nominative with its own adjective comes after the tail: keywords side by side."""
    word = words[index]
    if not word.nouns or word.capital or word.adjectives or words[index - 1].is_preposition:
        return False
    best = word.nouns[0]
    oblique = any(reading.mask & ~NOMINATIVE & ~ACCUSATIVE & ~VOCATIVE for reading in word.nouns)
    if not oblique and not best.mask & SINGULAR and head.mask & NOMINATIVE & SINGULAR:
        return True
    following = words[index + 1] if index + 1 < len(words) else None
    if following is None:
        return False
    return not oblique and any(a.masks[best.noun.gender_index] & best.mask & NOMINATIVE for a in following.adjectives)
