"""Which of two readings of a word the words beside it call for: noun or adjective, one lexeme or its homograph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perturb.polish.phrases.adjectives import AdjectiveReading, is_substantivised
from perturb.polish.phrases.complements import after_complement, is_agent
from perturb.polish.phrases.lexicons import companions, frequent_nouns, word_class
from perturb.polish.phrases.paradigms import Noun, plural_part
from perturb.polish.phrases.shapes import ALL_CELLS, GENITIVE, NOMINATIVE, PLURAL
from perturb.polish.phrases.syntax import Word
from perturb.polish.phrases.words import NounReading

_AGREEMENT = 1.5
"""Penalty of a noun that, read as an adjective, agrees with a noun after it: agreement beats government."""

_SUBSTANTIVISED = 0.8
"""The same where the noun is that very adjective: *nowe* SLA."""

_COMPANION = -4.5
"""Bonus of a homograph beside a word that goes with it; outweighs even a verdict of ``avoid``."""

_AGENT = 5.0
"""Bonus of a person named by a participle that has an object."""

_ACRONYM = 4.0
"""The same where a noun in capitals follows that the dictionary lacks: *drogi* SUV is no road."""

_RATHER_NOUN = 0.5
"""Penalty from which an adjective is rather a noun, such as *dane*."""

_GENITIVE_PLURAL = GENITIVE & PLURAL
_RIVAL = 1.2
"""How much rarer a thing may be than the person of the same spelling and still be meant."""

_COUNTABLE_FIELDS = word_class("countable_field")
"""Genitive plurals of things that can be counted, spelled like a person: *technik* sprzedaży."""

_PROFESSIONS = word_class("profession")
"""Persons beside whom a second person rather stands: *lekarz praktyk*, *artysta grafik*."""

_SINGULAR_OBLIQUE = 0b0110100  # dative, instrumental, locative of the singular
_FARTHEST_HEAD = 5


def in_context(words: Sequence[Word], head: int, reading: NounReading) -> tuple[Noun, int, float]:
    """The noun a head is, the cells it can stand in, and its penalty, judged by the words beside it.

    Args:
        words: the phrase.
        head: index of the noun.
        reading: one of its readings.
    """
    noun, mask = reading.noun, reading.mask
    penalty = reading.penalty + _adjective_instead(words, head, noun)
    if noun.gender == "m1" and is_agent(words, head):
        penalty -= _AGENT
    wanted = companions(noun.lexeme)
    if wanted:
        for lemma in _lemmas_beside(words, head):
            verdict = wanted.get(lemma)
            if verdict == "plural":
                return plural_part(noun), mask & PLURAL, penalty
            if verdict == "prefer":
                return noun, mask, penalty + _COMPANION
    return noun, mask, penalty


def _lemmas_beside(words: Sequence[Word], index: int) -> Iterator[str]:
    for near in (index + 1, index - 1):
        if 0 <= near < len(words):
            if words[near].is_preposition:
                yield words[near].lower
            yield from (r.adjective.lexeme.split(":")[0] for r in words[near].adjectives)
            yield from (r.noun.lemma for r in words[near].nouns)


def goes_with(adjective: AdjectiveReading, noun: Noun) -> bool:
    """Whether an adjective belongs to the nouns it is listed with: *strona prawa* is no side of law."""
    return noun.lemma in companions(adjective.adjective.lexeme)


def is_owner(reading: NounReading, agreeing: int, noun: Noun) -> bool:
    """Whether a person in the genitive follows an indeclinable noun: *alibi oskarżonego*, not *menu kontekstowego*."""
    return noun.indeclinable and reading.noun.gender == "m1" and not agreeing & NOMINATIVE


def is_counted_field(words: Sequence[Word], index: int, head: Noun, person: NounReading) -> bool:
    """Whether a word that could name a second person is the genitive plural of a thing: *opiekun praktyk zawodowych*.

    Args:
        words: the phrase.
        index: the word after the head.
        head: the noun before it.
        person: the reading of the word as a person, such as *praktyk*, one who practises.
    """
    things = [
        reading
        for reading in words[index].nouns
        if reading.mask & _GENITIVE_PLURAL
        and reading.noun.gender in ("f", "n")
        and not reading.noun.proper
        and reading.penalty <= person.penalty + _RIVAL
    ]
    if not things:
        return False
    if index + 1 < len(words):
        after = words[index + 1]
        for adjective in after.adjectives:
            if adjective.masks[person.noun.gender_index] & person.mask:
                return False
            if any(adjective.masks[thing.noun.gender_index] & _GENITIVE_PLURAL for thing in things):
                return True
        if not after.is_preposition and any(r.mask & GENITIVE and r.penalty <= _RIVAL for r in after.nouns):
            return True
    return head.lemma.lower() not in _PROFESSIONS and words[index].lower in _COUNTABLE_FIELDS


def _adjective_instead(words: Sequence[Word], head: int, noun: Noun) -> float:
    """Penalty of *nowe* as a noun in *nowe SLA*, of *lewy* in *lewy górny róg*: it agrees with a noun that follows."""
    readings = words[head].adjectives
    if not readings:
        return 0.0
    index = after_complement(words, head) if words[head].is_participle else head + 1
    while index < min(len(words), head + _FARTHEST_HEAD):
        word = words[index]
        for following in word.nouns[:3]:
            for reading in readings:
                if _modifies(reading, following):
                    very = is_substantivised(noun, reading) and reading.penalty < _RATHER_NOUN
                    if word.is_acronym and (
                        not very or noun.kind == "participle" or noun.lemma not in frequent_nouns()
                    ):
                        return _ACRONYM
                    return _SUBSTANTIVISED if very else _AGREEMENT
        joins = word.is_conjunction and index + 1 < len(words) and words[index + 1].adjectives
        if not word.adjectives and not joins:
            return 0.0
        index += 1
    return 0.0


def _modifies(reading: AdjectiveReading, following: NounReading) -> bool:
    """Whether an adjective agrees with a noun after it; one that is rather a noun itself only where that is certain."""
    common = reading.masks[following.noun.gender_index] & following.mask
    if reading.penalty < _RATHER_NOUN:
        return bool(common)
    return bool(common & _SINGULAR_OBLIQUE) and reading.any_mask != ALL_CELLS
