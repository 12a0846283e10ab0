"""What a word can be in a noun phrase: its readings as a noun and as an adjective, likeliest first.

Words the dictionary lacks are read by their parts: *e-doręczenie*, *lekarz-specjalista*, *cyberatak*, *mailingowy*.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from perturb.polish.morphology import GENDERS, REJECTED_LABELS, Reading, analyse
from perturb.polish.overlay import overlay_nouns
from perturb.polish.phrases.adjectives import (
    LONGEST_COMPOUND,
    AdjectiveReading,
    adjective_readings,
    mask_in,
    one_of,
)
from perturb.polish.phrases.lexicons import avoided, frequent_nouns, word_class
from perturb.polish.phrases.paradigms import (
    Adjective,
    Forms,
    Noun,
    is_indeclinable,
    noun_paradigm,
    overlay_noun,
    participle_noun,
    prefixed_noun,
    style_tier,
    twin_noun,
)
from perturb.polish.phrases.shapes import ALL_CELLS, CELLS, SINGULAR, mask_of

_PREFIXES = tuple(sorted(word_class("compound_prefix"), key=lambda prefix: (-len(prefix), prefix)))
"""First parts of compounds that do not inflect."""


@dataclass(frozen=True, slots=True)
class NounReading:
    """A noun and the cells in which this very form of it can stand."""

    noun: Noun
    mask: int
    penalty: float


def _noun_reading(reading: Reading, word: str) -> NounReading | None:
    genders = reading.get("gender")
    if not genders:
        return None
    verbal = (one_of(reading.get("aspect")), one_of(reading.get("polarity")))
    is_plural_only = "pt" in reading.get("collective")
    noun = noun_paradigm(reading.lexeme, min(genders), is_plural_only, is_indeclinable(reading), reading.pos, verbal)
    mask = mask_of(reading.get("number"), reading.get("case")) & noun.exists
    if reading.pos == "ger":
        mask |= (mask & (1 | 1 << 7)) << 6
    penalty = noun.prior + 1.0 * style_tier(reading.labels) * (2 if reading.labels & REJECTED_LABELS else 1)
    if noun.proper and not word[:1].isupper():
        penalty += 4.0
    elif noun.proper and len(word) > 1 and word.isupper() and not noun.lexeme.isupper():
        penalty += 1.0
    return NounReading(noun, mask, penalty) if mask else None


def _join(readings: list[NounReading]) -> tuple[NounReading, ...]:
    """One reading per noun: masks united, the lowest penalty kept, hopeless readings dropped beside better ones."""
    best: dict[int, NounReading] = {}
    for reading in readings:
        known = best.get(id(reading.noun))
        if known is None:
            best[id(reading.noun)] = reading
        elif reading.penalty == known.penalty:
            best[id(reading.noun)] = NounReading(reading.noun, known.mask | reading.mask, known.penalty)
        elif reading.penalty < known.penalty:
            best[id(reading.noun)] = reading
    kept = sorted(best.values(), key=lambda r: (r.penalty, r.noun.lexeme, r.noun.gender))
    floor = kept[0].penalty + 4.0 if kept else 0.0
    return tuple(reading for reading in kept if reading.penalty <= floor)


@lru_cache(maxsize=65536)
def noun_readings(word: str) -> tuple[NounReading, ...]:
    """Every noun this word can be a form of, likeliest first.

    Args:
        word: one word as it stands in the text; capitals decide between names and common nouns.
    """
    overlaid = overlay_nouns(word)
    if overlaid:
        return _join(
            [NounReading(overlay_noun(entry.lemma, entry.gender, entry.forms), entry.mask, 0.0) for entry in overlaid]
        )
    if "-leci" in word and jubilee(word):
        return jubilee(word)
    read = [_noun_reading(reading, word) for reading in analyse(word) if reading.pos in ("subst", "ger")]
    found = [reading for reading in read if reading is not None]
    if word.isupper():
        found = _own_acronym(word, found)
    elif found and word in _PLACES:
        found = _as_place(word, found)
    return _join(found or _participle_as_noun(word) or _loan(word) or _compound(word))


_FEMININE = GENDERS.index("f")
_UNKNOWN = 2.6
"""Penalty of an acronym that the dictionary lacks: it takes an emitted phrase below the threshold of confidence."""


def acronym_nouns(word: str) -> tuple[NounReading, ...]:
    """An unknown acronym as a noun: masculine before all, else feminine or neuter, unchanged in every case."""
    forms: Forms = ((word,),) * 14
    return tuple(
        NounReading(overlay_noun(word, gender, forms), ALL_CELLS, _UNKNOWN + extra)
        for gender, extra in (("m3", 0.0), ("f", 0.1), ("n", 0.2))
    )


_LONGEST_ACRONYM = 5


@lru_cache(maxsize=4096)
def is_unlisted_acronym(word: str) -> bool:
    """Whether a word in capitals is an acronym that no lexicon has: *QWX*, and *RUR*, no form of *rura* on its own.

    An everyday noun in its dictionary form is rather written in capitals: *PLAN*.
    """
    if not word.isupper() or not word.isalpha() or not 2 <= len(word) <= _LONGEST_ACRONYM or overlay_nouns(word):
        return False
    nouns = noun_readings(word)
    if not nouns:
        return not adjective_readings(word) and not any(reading.is_accepted for reading in analyse(word))
    if word[-1] in "AĄEĘIOÓUY" or any(reading.noun.lexeme.partition(":")[0] == word for reading in nouns):
        return False
    return not any(reading.mask & 1 and reading.noun.lemma in frequent_nouns() for reading in nouns)


_PLACES = word_class("place")
"""Well-known places whose name is a form of another word too: *Radom* is no dative of *rada*."""

_NAMED = 1.0
"""How far a well-known place is ahead of its homographs."""


def _as_place(word: str, found: list[NounReading]) -> list[NounReading]:
    floor = min(reading.penalty for reading in found) - _NAMED
    return [
        NounReading(reading.noun, reading.mask, floor + avoided(reading.noun.lexeme, reading.noun.gender))
        if reading.noun.lemma == word and "nazwa_geograficzna" in reading.noun.names
        else reading
        for reading in found
    ]


_ALONE = word_class("place_alone")


def place_readings(word: str) -> tuple[NounReading, ...]:
    """A word that alone with a capital is a place (*Piła*, *Koło*) as that place; empty for other words."""
    if word not in _ALONE:
        return ()
    read = [_noun_reading(reading, word) for reading in analyse(word) if reading.pos == "subst"]
    found = [reading for reading in read if reading is not None]
    placed = _as_place(word, found) if found else []
    return tuple(reading for reading in _join(placed) if "nazwa_geograficzna" in reading.noun.names)


def _own_acronym(word: str, found: list[NounReading]) -> list[NounReading]:
    """In capitals an acronym is never an oblique case of its ordinary homograph: *PIT*, not *pita*."""
    acronyms = [reading for reading in found if reading.noun.lexeme.partition(":")[0] == word and len(word) > 1]
    return acronyms or found


def _participle_as_noun(word: str) -> list[NounReading]:
    """*zamawiający*, *wynajmujący*, *poszkodowany*: persons named by a participle."""
    return [
        NounReading(noun, reading.masks[0], noun.prior)
        for reading in adjective_readings(word)
        if reading.masks[0] and (reading.adjective.kind != "adj" or reading.adjective.lexeme.endswith("ący"))
        for noun in (participle_noun(reading.adjective.lexeme, "m1", reading.adjective.forms[0]),)
    ]


@lru_cache(maxsize=1024)
def woman_by_participle(word: str) -> tuple[NounReading, ...]:
    """A woman named by a participle where nothing else heads the phrase: *sprzątająca*, *uprawniona*."""
    return tuple(
        NounReading(noun, mask, 0.0)
        for reading in adjective_readings(word)
        for mask in (reading.masks[_FEMININE] & SINGULAR,)
        if mask and reading.adjective.kind != "adj"
        for noun in (participle_noun(reading.adjective.lexeme, "f", reading.adjective.forms[_FEMININE]),)
    )


_LOAN = re.compile(
    r"(?P<lemma>(?:[A-Z]?[a-z]+-)*[A-Z]?[a-z]{2,}ing|[A-Z]?[a-z]{2,}-(?:up|off|in|out|on|down|over|end))"
    r"(?:u|owi|i?em|ie|owie|zie|cie|y|i|ów|om|ami|ach)?"
)
"""English words that the dictionary lacks, by their last part: *co-working*, *check-in*, and their Polish endings."""


def _loan(word: str) -> list[NounReading]:
    """English action nouns that the dictionary lacks: *co-workingiem*, *check-inu*, *spin-off*."""
    match = _LOAN.fullmatch(word) if len(word) <= LONGEST_COMPOUND else None
    if match is None:
        return []
    from perturb.polish.loanwords import loan_paradigm

    lemma = match["lemma"]
    cells = loan_paradigm(lemma, "m3", "u")
    forms: Forms = tuple(cells[cell] for cell in CELLS)
    mask = mask_in(forms, word)
    return [NounReading(overlay_noun(lemma, "m3", forms), mask, 0.0)] if mask else []


_MOST_HYPHENS = 2
"""Hyphens beyond which a word is no compound but a code or a slip: compounds are read part by part."""


_JUBILEE = re.compile(r"(?P<number>\d+|[IVXLC]+)-(?P<rest>leci(?:e|a|u|em|om|ami|ach))")


@lru_cache(maxsize=1024)
def jubilee(word: str) -> tuple[NounReading, ...]:
    """*50-lecie*, *XX-lecia*: inflected like *stulecie*; empty for other words."""
    match = _JUBILEE.fullmatch(word)
    if match is None:
        return ()
    model = next(reading.noun for reading in noun_readings("stulecie"))
    forms: Forms = tuple(
        tuple(f"{match['number']}-{form.removeprefix('stu')}" for form in cell) for cell in model.forms
    )
    return (NounReading(overlay_noun(f"{match['number']}-lecie", "n", forms), mask_in(forms, word), 0.0),)


def _compound(word: str) -> list[NounReading]:
    """Words the dictionary lacks: *lekarz-specjalista* inflects twice, *e-doręczenie* in its last part."""
    head, hyphen, last = word.rpartition("-")
    if len(word) > LONGEST_COMPOUND or word.count("-") > _MOST_HYPHENS:
        return []
    if not hyphen:
        prefix = next((p for p in _PREFIXES if word.lower().startswith(p) and len(word) > len(p) + 3), "")
        if not prefix:
            return []
        head, last = word[: len(prefix)], word[len(prefix) :]
    elif head.lower() not in _PREFIXES and len(head) > 2:
        first = noun_readings(head)
        second = noun_readings(last)
        pairs = [(a, b) for a in first for b in second if a.mask & b.mask]
        if word[0].isupper() and last[:1].isupper():
            # Both parts of a surname belong to one person.
            pairs = [(a, b) for a, b in pairs if a.noun.gender == b.noun.gender] or pairs
        found = [NounReading(twin_noun(a.noun, b.noun), a.mask & b.mask, a.penalty + b.penalty + 0.3) for a, b in pairs]
        return found if word[0].isupper() else found[:1]
    if len(last) < 4 or not last.islower():
        return []
    return [
        NounReading(prefixed_noun(head.lower() + hyphen, reading.noun), reading.mask, reading.penalty + 0.3)
        for reading in noun_readings(last)
        if not reading.noun.proper
    ]


__all__ = [
    "Adjective",
    "AdjectiveReading",
    "Noun",
    "NounReading",
    "acronym_nouns",
    "adjective_readings",
    "is_unlisted_acronym",
    "noun_readings",
    "place_readings",
    "woman_by_participle",
]
