"""Words of a person's name that the dictionary lacks or takes for others: a surname in *-ska*, the title *ministra*.

*Beata Moskal-Słaniewska*, *Beaty Moskal-Słaniewskiej*: a first part that has no feminine forms stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from perturb.polish.phrases.paradigms import Forms, Noun, overlay_noun, prefixed_noun, twin_noun
from perturb.polish.phrases.words import NounReading, noun_readings

if TYPE_CHECKING:
    from perturb.polish.phrases.syntax import Word

_SURNAME = re.compile(
    r"(?P<stem>[^\W\d_a-zżźćńółęąś]\w+(?:sk|ck|dzk))(?:iego|iemu|imi|iej|ich|im|ie|i|a|ą)|\w+(?:s|c|dz)cy"
)
_ADJECTIVAL: dict[str, tuple[str, ...]] = {
    "f": ("a", "iej", "iej", "ą", "ą", "iej", "a", "ie", "ich", "im", "ie", "imi", "ich", "ie"),
    "m1": ("i", "iego", "iemu", "iego", "im", "im", "i", "", "ich", "im", "ich", "imi", "ich", ""),
}
_PENALTY = 1.5
"""What a surname has against common nouns, as in the dictionary."""

_TITLES = ("ministra", "wiceministra", "profesora", "magistra", "doktora")
"""Feminine titles that look like a man's in the genitive."""

_TITLE_ENDINGS = ("a", "y", "ze", "ę", "ą", "ze", "o", "y", "", "om", "y", "ami", "ach", "y")
_FARTHEST_NAME = 6
_SINGULAR = 0b1111111


@lru_cache(maxsize=4096)
def _surnames(word: str) -> tuple[NounReading, ...]:
    """A surname in *-ski*, *-cki*, *-dzki* that the dictionary lacks, as a woman's and a man's."""
    match = _SURNAME.fullmatch(word)
    if match is None or not match["stem"]:
        return ()
    stem = match["stem"]
    found = []
    for gender, endings in _ADJECTIVAL.items():
        forms: Forms = tuple((stem + ending,) if ending else (f"{stem[:-1]}cy",) for ending in endings)
        mask = sum(1 << index for index, cell in enumerate(forms) if word in cell)
        if mask:
            noun = _surname_noun(stem, gender, forms)
            found.append(NounReading(noun, mask, _PENALTY))
    return tuple(found)


@lru_cache(maxsize=4096)
def _surname_noun(stem: str, gender: str, forms: Forms) -> Noun:
    noun = overlay_noun(stem, gender, forms)
    return replace(noun, kind="subst", proper=True, names=frozenset({"nazwisko"}))


@lru_cache(maxsize=4096)
def _double_barrelled(word: str) -> tuple[NounReading, ...]:
    """A surname of two parts whose second is adjectival: *Moskal-Słaniewska*, *Nowak-Kowalski*."""
    head, _, last = word.rpartition("-")
    if not head[:1].isupper() or "-" in head or not _SURNAME.fullmatch(last):
        return ()
    second = [r for r in noun_readings(last) if "nazwisko" in r.noun.names and not r.noun.indeclinable]
    found = []
    for reading in second or _surnames(last):
        first = [
            r
            for r in (*noun_readings(head), *_surnames(head))
            if r.noun.gender == reading.noun.gender and r.mask & reading.mask and "nazwisko" in r.noun.names
        ]
        declined = [
            r for r in first if not r.noun.indeclinable and (reading.noun.gender == "m1" or head[-1:] in "aiyją")
        ]
        if declined:
            noun = replace(_twin(declined[0].noun, reading.noun), proper=True, names=frozenset({"nazwisko"}))
            found.append(NounReading(noun, declined[0].mask & reading.mask, _PENALTY))
        else:
            found.append(NounReading(prefixed_noun(f"{head}-", reading.noun), reading.mask, _PENALTY))
    return tuple(found)


@lru_cache(maxsize=4096)
def _twin(first: Noun, second: Noun) -> Noun:
    return twin_noun(first, second)


@lru_cache(maxsize=8)
def _title(lemma: str) -> tuple[Noun, tuple[str, ...]]:
    stem = lemma[:-1]
    forms: Forms = tuple((stem + ending,) for ending in _TITLE_ENDINGS)
    return overlay_noun(lemma, "f", forms), tuple(cell[0] for cell in forms)


def _title_reading(words: Sequence[Word], index: int) -> NounReading | None:
    """A feminine title before a woman's first name in the same case: *ministra* Anna, *ministry* zdrowia Anny."""
    lower = words[index].lower
    for lemma in _TITLES:
        if not lower.startswith(lemma[:-1]):
            continue
        noun, forms = _title(lemma)
        mask = sum(1 << cell for cell, form in enumerate(forms) if form == lower) & _SINGULAR
        for word in words[index + 1 : index + _FARTHEST_NAME]:
            if (
                mask
                and word.capital
                and any(r.mask & mask for r in word.nouns if r.noun.gender == "f" and "imię" in r.noun.names)
            ):
                return NounReading(noun, mask, -1.0)
    return None


def with_names(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words of a phrase with surnames and titles read that the dictionary lacks or takes for other words."""
    changed: dict[int, tuple[NounReading, ...]] = {}
    for index, word in enumerate(words):
        if word.kind != "word":
            continue
        if word.capital and "-" in word.text:
            found = _double_barrelled(word.text)
        elif index and word.capital and word.is_opaque and _follows_first_name(words, index):
            found = _surnames(word.text)
        elif index + 1 < len(words) and word.lower.startswith(("minist", "wicemin", "profesor", "magist", "doktor")):
            title = _title_reading(words, index)
            found = (title,) if title is not None else ()
        else:
            continue
        if found:
            changed[index] = found
    if not changed:
        return words
    return tuple(replace(word, nouns=changed.get(index, word.nouns)) for index, word in enumerate(words))


def _follows_first_name(words: Sequence[Word], index: int) -> bool:
    before = words[index - 1]
    return before.capital and any("imię" in reading.noun.names for reading in before.nouns)


__all__ = ["with_names"]
