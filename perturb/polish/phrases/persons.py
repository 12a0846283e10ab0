"""Persons in noun phrases: a man's title before a woman's name stays as it is, and so do many women's surnames.

*profesor Maria Zawadzka*, *profesor Marii Zawadzkiej*; *doktor Zofia Baran*, *doktor Zofii Baran*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from perturb.polish.morphology import GENDERS
from perturb.polish.phrases.adjectives import is_substantivised
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.paradigms import Noun
from perturb.polish.phrases.shapes import ALL_CELLS, SINGULAR
from perturb.polish.phrases.words import noun_readings

if TYPE_CHECKING:
    from perturb.polish.phrases.groups import Group
    from perturb.polish.phrases.syntax import Word

_LONGEST_TITLE = 7
_FEMININE = GENDERS.index("f")
_DIRECT = 0b0011001
"""Nominative, accusative and instrumental singular: in these a woman's name is no genitive after the title."""

_NOMINATIVE_SINGULAR = 1
_EVERYDAY = 0.6
_GENITIVE_SINGULAR = 2
_ACADEMIC = word_class("academic_title")
"""Titles after which a name in any case belongs to the person who bears the title: *profesor Marii Zawadzkiej*."""

NAMED_PLACES = frozenset({"miasto", "rzeka", "wyspa"})
"""Nouns after which a place name takes the same case: *miasta Białegostoku*."""

_PLACE_NAMES = word_class("place_alone") | word_class("place_part")
"""Common nouns that with a capital, beside an adjective with a capital, name a place: *Zielona Góra*, *Nowy Targ*."""

_OF_THE_COUNTRY = word_class("of_the_country")
"""Adjectives that before a noun, both with capitals, name the one institution of its kind: *Naczelny* Sąd."""

_INFLECTED = frozenset({"sędzia"})
"""Titles that inflect like a feminine noun before a woman's name: *sędzi Anny Nowak*."""

_ADJECTIVAL = ("ska", "cka", "dzka", "skiej", "ckiej", "dzkiej", "ską", "cką", "dzką")


def womans_title(words: Sequence[Word], index: int) -> int:
    """How many words from ``index`` on are a man's title before a woman's name: *radca prawny* Anna Nowak; 0 if none.

    Args:
        words: the phrase.
        index: where the title would begin.
    """
    if not any(word.capital for word in words[index + 1 : index + _LONGEST_TITLE]) or not _is_title(words[index]):
        return 0
    for end in range(index + 1, min(len(words), index + _LONGEST_TITLE)):
        word = words[end]
        if word.capital and (end == index + 1 or not word.adjectives):
            mask = 0 if is_patron(words, end, alone=False) else _woman(word, end == index + 1)
            if mask & _NOMINATIVE_SINGULAR or (end == index + 1 and mask and _may_be_oblique(words[index], mask)):
                return _without_agreeing(words, index, end) - index
        if not _continues_title(word):
            return 0
    return 0


def _without_agreeing(words: Sequence[Word], index: int, end: int) -> int:
    """End of a title without the adjectives that agree with the woman: *redaktor* naczelna Marta Zięba."""
    while end > index + 1 and any(
        reading.masks[_FEMININE] & _NOMINATIVE_SINGULAR for reading in words[end - 1].adjectives
    ):
        end -= 1
    return end


@lru_cache(maxsize=65536)
def _is_title(word: Word) -> bool:
    lower = word.lower
    return any(
        reading.noun.gender == "m1"
        and reading.mask & _NOMINATIVE_SINGULAR
        and not reading.noun.proper
        and reading.noun.lemma == lower
        for reading in word.nouns
    ) and lower not in ("pan", *_INFLECTED)


def _may_be_oblique(title: Word, mask: int) -> bool:
    return title.lower in _ACADEMIC or bool(mask & _DIRECT)


def _woman(word: Word, adjacent: bool) -> int:
    """Cells in which a word can be a woman's first name, or right after the title her adjectival surname."""
    if word.text.isupper():
        return 0
    mask = 0
    for reading in word.nouns:
        noun = reading.noun
        if noun.gender == "m1" and "imię" in noun.names and reading.mask & _NOMINATIVE_SINGULAR:
            return 0
        if noun.gender != "f" or not noun.proper or noun.indeclinable:
            continue
        surname = adjacent and "nazwisko" in noun.names and word.text.endswith(_ADJECTIVAL)
        if "imię" in noun.names or surname:
            mask |= reading.mask
    return mask


@lru_cache(maxsize=4096)
def is_woman(noun: Noun) -> bool:
    """Whether a feminine noun is made from a man's: *klientka* beside *klient*, *prawniczka* beside *prawnik*."""
    base = (f"{noun.lemma[:-4]}k" if noun.lemma.endswith("czka") else noun.lemma.removesuffix("ka")).lower()
    return base != noun.lemma.lower() and any(
        reading.noun.gender == "m1" and not reading.noun.proper and reading.noun.lemma == base
        for reading in noun_readings(base)
    )


def is_patron(words: Sequence[Word], index: int, alone: bool) -> bool:
    """Whether a man's name in the genitive begins here, though it looks like a woman's: *ulica* Henryka Sienkiewicza.

    Every further part of the name must be a genitive too: *klientka* Henryka Nowak is a woman.

    Args:
        words: the phrase.
        index: the first word of the name.
        alone: what holds if the name is a single word.
    """
    if not words[index].capital or not _is_mans_genitive(words[index], "m1 m2 m3 n"):
        return False
    for word in words[index + 1 :]:
        if not word.capital or word.kind == "symbol":
            break
        if word.kind == "word":
            alone = True
            if not (_is_mans_genitive(word, "m1") or (word.is_opaque and word.text[-1:] in "aioy")):
                return False
    return alone


@lru_cache(maxsize=65536)
def _is_mans_genitive(word: Word, genders: str) -> bool:
    return any(
        reading.noun.gender in genders and not reading.noun.indeclinable and reading.mask & _GENITIVE_SINGULAR
        for reading in word.nouns
    ) or any(reading.masks[0] & _GENITIVE_SINGULAR for reading in word.adjectives)


def _continues_title(word: Word) -> bool:
    """Whether a title may go on with a word: *prezes zarządu spółki*, *radca prawny*, *dyrektor do spraw sprzedaży*."""
    if word.pos & {"fin", "praet", "inf", "impt", "bedzie"} and not (word.nouns or word.adjectives):
        return False
    return bool(word.nouns or word.adjectives or word.is_preposition)


def inflected_title(words: Sequence[Word], index: int, noun: Noun) -> Noun | None:
    """The feminine noun that a title is before a woman's name or a woman's adjective; ``None`` for other nouns.

    *sędzia*: *sędzi Anny Nowak*; *redaktor naczelna*: *redaktor naczelnej*; *radca prawna*: *radcy prawnej*.
    """
    if index + 1 >= len(words):
        return None
    if noun.gender == "f" and noun.lemma in _INFLECTED:
        return _feminine(noun) if _woman(words[index + 1], True) or _is_womans(words, index + 1) else None
    if noun.gender == "m1" and noun.kind == "subst" and _is_title(words[index]) and _is_womans(words, index + 1):
        return _held_by_woman(noun)
    return None


def _is_womans(words: Sequence[Word], index: int) -> bool:
    """Whether a word after a man's title can only describe a woman: *naczelna*, unless it has its own noun after it."""
    following = words[index + 1].nouns if index + 1 < len(words) else ()
    return _is_feminine_only(words[index]) and not any(
        adjective.masks[_FEMININE] & noun.mask
        for noun in following
        if noun.noun.gender == "f"
        for adjective in words[index].adjectives
    )


@lru_cache(maxsize=65536)
def _is_feminine_only(word: Word) -> bool:
    if word.capital or not word.adjectives:
        return False
    everyday = bool(word.nouns) and word.nouns[0].penalty < _EVERYDAY
    if everyday and not any(is_substantivised(word.nouns[0].noun, reading) for reading in word.adjectives):
        return False
    feminine = any(reading.masks[_FEMININE] & SINGULAR for reading in word.adjectives)
    return feminine and not any(reading.masks[0] for reading in word.adjectives)


@lru_cache(maxsize=1024)
def _held_by_woman(noun: Noun) -> Noun:
    declined = noun.lemma.endswith("a")
    forms = (*noun.forms[:7], *((),) * 7) if declined else ((noun.lemma,),) * 14
    exists = SINGULAR if declined else ALL_CELLS
    return replace(noun, gender="f", gender_index=_FEMININE, forms=forms, exists=exists, indeclinable=not declined)


@lru_cache(maxsize=8)
def _feminine(noun: Noun) -> Noun:
    forms = tuple(tuple(form for form in cell if not form.endswith(("ego", "emu", "im"))) for cell in noun.forms)
    return replace(noun, forms=forms)


def is_unchanged_surname(word: Word, noun: Noun, mask: int) -> bool:
    """Whether a word after a woman's first name is a surname that stays as it is: *Baran*, *Zając*, *Moniuszko*.

    Args:
        word: the word after the name.
        noun: the name.
        mask: cells in which the name can stand.
    """
    if noun.gender != "f" or "imię" not in noun.names or not word.capital or word.kind != "word":
        return False
    if not mask & SINGULAR or word.text.isupper() or word.adjectives:
        return False
    if not mask & _NOMINATIVE_SINGULAR and any(
        "nazwisko" in r.noun.names and r.noun.gender == "f" and not r.noun.indeclinable and r.mask & mask
        for r in word.nouns
    ):
        return False  # Katarzyny Kotuli
    first = word.text.partition("-")[0]
    return word.text[-1:] not in "aąęy" and first[-1:] != "a" and not word.text.endswith(("iej", "nej", "wej"))


def names_person(words: Sequence[Word], index: int, noun: Noun, mask: int) -> bool:
    """Whether a first name has a surname of its gender and case after it.

    Args:
        words: the phrase.
        index: the first name.
        noun: one of its readings.
        mask: cells in which that can stand.
    """
    if not noun.proper or "imię" not in noun.names or index + 1 >= len(words) or not words[index + 1].capital:
        return False
    return any(
        "nazwisko" in reading.noun.names
        and ((reading.noun.gender == noun.gender and reading.mask & mask) or (noun.gender == "f" and reading.mask & 1))
        for reading in words[index + 1].nouns
    )


def _is_place(noun: Noun) -> bool:
    return bool(noun.names & {"nazwa_geograficzna", "człon_nazwy_geograficznej"})


def names_one(words: Sequence[Word], groups: Sequence[Group], end: int) -> bool:
    """Whether a phrase names one person, place or institution, which has no plural: *Jan Kowalski*, *Zielona Góra*.

    Args:
        words: the phrase.
        groups: its groups, the head's first.
        end: one past its last word.
    """
    head = groups[0]
    if not words[head.head].capital and len(groups) == 1:
        return False
    if words[0].kind == "code" and not words[head.head].text.isupper():
        return True  # II Liceum
    if end > 1 and any(group.noun.proper and "imię" in group.noun.names for group in groups):
        return True
    if end > 1 and len(groups) > 1 and groups[1].joined == "apposition" and _is_place(groups[1].noun):
        return head.noun.lemma in NAMED_PLACES or words[head.head].text in _PLACE_NAMES
    beside = any(words[index].text in _PLACE_NAMES for index, _ in head.adjectives)
    if head.noun.proper and "imię" not in head.noun.names:
        return (_is_place(head.noun) or beside) and words[head.head].capital
    if not head.adjectives or not all(words[index].capital for index in (head.head, *(i for i, _ in head.adjectives))):
        return False
    if words[head.head].text in _PLACE_NAMES:
        return True
    person = head.noun.gender == "m1" or any(form.endswith("ej") for form in head.noun.forms[1])
    return (
        not person
        and not words[head.head].text.isupper()
        and any(
            (index < head.head and adjective.lexeme.partition(":")[0] in _OF_THE_COUNTRY) or adjective.degree == "sup"
            for index, adjective in head.adjectives
        )
    )


__all__ = [
    "NAMED_PLACES",
    "inflected_title",
    "is_patron",
    "is_unchanged_surname",
    "is_woman",
    "names_one",
    "names_person",
    "womans_title",
]
