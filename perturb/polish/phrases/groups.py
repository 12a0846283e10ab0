"""The groups that a noun phrase is made of: a noun with the words that agree with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from perturb.polish.phrases.adjectives import is_substantivised
from perturb.polish.phrases.complements import premodifiers
from perturb.polish.phrases.homographs import (
    goes_with,
    in_context,
    is_counted_field,
    is_owner,
)
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.paradigms import Adjective, Noun
from perturb.polish.phrases.persons import (
    NAMED_PLACES,
    inflected_title,
    is_patron,
    is_unchanged_surname,
    is_woman,
    names_person,
    womans_title,
)
from perturb.polish.phrases.shapes import GENITIVE, NOMINATIVE, SINGULAR, VOCATIVE
from perturb.polish.phrases.syntax import (
    FROZEN_ATTRIBUTES,
    GENITIVE_CARRIERS,
    HONORIFICS,
    PERSON_TITLES,
    Word,
    is_frozen_modifier,
    is_relational,
)
from perturb.polish.phrases.words import AdjectiveReading, NounReading

_STREETS = word_class("street")
AMOUNTS = frozenset({"tysiąc", "milion", "miliard", "bilion"})
"""Nouns that count the genitive after them."""

MAX_PREMODIFIERS = 7
"""No phrase has more words before its noun."""


OBLIQUE = GENITIVE | 0b0010100_0010100  # genitive, dative, instrumental: what a frozen noun can stand in


_MARGIN = 0.7
"""How much a noun in the genitive must be likelier than an agreeing adjective to be taken for one."""


_TITLE = 4.0
"""Penalty of a title as the head of a phrase that names a woman: *profesor Maria Zawadzka*."""


_FULL_NAME = 2.0
"""Bonus of a first name before a surname against its homographs among the places: *Stanisław Moniuszko*."""


@dataclass(frozen=True, slots=True)
class Group:
    """A noun and the words that agree with it.

    Attributes:
        head: index of the noun.
        noun: the noun.
        adjectives: index and adjective of each agreeing word, in the order of the text.
        mask: cells in which this group can stand as it is written.
        joined: ``head`` for the first group, ``apposition`` (same cell) or ``coordination`` (same case).
    """

    head: int
    noun: Noun
    adjectives: tuple[tuple[int, Adjective], ...]
    mask: int
    joined: str = "head"


def agree(readings: Sequence[AdjectiveReading], gender: int, mask: int) -> tuple[AdjectiveReading, int] | None:
    """The likeliest adjective reading that agrees in gender and one of the cells, and the cells that remain."""
    for reading in readings:
        common = reading.masks[gender] & mask
        if common:
            return reading, common
    return None


def head_groups(words: Sequence[Word], start: int, head: int) -> Iterator[tuple[Group, float]]:
    """Every noun that can head a phrase at an index, with its agreeing premodifiers, and its penalty."""
    modifiers = premodifiers(words, start, head)
    if modifiers is None:
        return
    before, either = modifiers
    # Nobody addresses what is good for something: neutralna pod względem płci.
    governed = any(word.is_preposition for word in words[start + 1 : head])
    titled = womans_title(words, head)
    patron = head > start and is_patron(words, head, alone=False)
    for reading in words[head].nouns[:6]:
        if patron and reading.noun.gender == "f":
            continue
        noun, mask, penalty = in_context(words, head, reading)
        feminine = inflected_title(words, head, noun)
        if feminine is not None:
            noun, penalty = feminine, penalty - _TITLE
            mask = SINGULAR if noun.indeclinable else mask
        elif titled:
            penalty += _TITLE
        penalty -= _FULL_NAME * names_person(words, head, noun, mask)
        chosen: list[tuple[int, Adjective]] = []
        for index in before:
            match = agree(words[index].adjectives, noun.gender_index, mask)
            if match is None and index in either:
                continue
            if match is None:
                break
            mask = match[1]
            penalty += match[0].penalty
            chosen.append((index, match[0].adjective))
        else:
            if mask & ~VOCATIVE or not governed:
                yield Group(head, noun, tuple(chosen), mask), penalty


def _is_rather_adjective(word: Word) -> bool:
    return not word.nouns or word.is_participle or word.nouns[0].noun.kind == "participle"


def agrees_with_following_noun(words: Sequence[Word], index: int) -> bool:
    """Whether an adjective after the head rather belongs to the genitive that follows it."""
    word = words[index]
    following = index + 1
    while following < len(words) and words[following].adjectives and _is_rather_adjective(words[following]):
        following += 1
    if following >= len(words):
        return False
    if words[following].capital:
        return False
    for noun in words[following].nouns[:3]:
        for adjective in word.adjectives:
            if not noun.noun.indeclinable and adjective.masks[noun.noun.gender_index] & noun.mask & OBLIQUE:
                return not is_relational(word) or words[index - 1].lower in GENITIVE_CARRIERS
    return False


def _genitive_noun(word: Word) -> NounReading | None:
    for reading in word.nouns:
        if reading.mask & GENITIVE:
            return reading
    return None


def takes_adjective(words: Sequence[Word], index: int, group: Group) -> tuple[AdjectiveReading, int] | None:
    """The adjective reading by which a word after the noun agrees with it, and the cells that remain; else None."""
    word = words[index]
    match = agree(word.adjectives, group.noun.gender_index, group.mask)
    if match is None:
        return None
    if group.noun.lemma in AMOUNTS and any(reading.mask & GENITIVE for reading in word.nouns):
        return None  # milionów złotych
    in_street = word.capital and group.noun.lemma in _STREETS
    if in_street and (_names_noun(words, index) or is_patron(words, index, alone=False)):
        return None
    noun = None if in_street else _genitive_noun(word)
    if noun is not None and not goes_with(match[0], group.noun):
        likelier = noun.penalty < match[0].penalty + _MARGIN
        if likelier and not is_substantivised(noun.noun, match[0]):
            return None
        if noun.penalty + _MARGIN < match[0].penalty or is_owner(noun, match[1], group.noun):
            return None
    if agrees_with_following_noun(words, index):
        return None
    if group.mask & NOMINATIVE and not match[1] & NOMINATIVE and _describes_genitive(words, index):
        return None
    return match


def _names_noun(words: Sequence[Word], index: int) -> bool:
    """Whether the name of a street is a noun with its adjective, which stays as it is: *osiedle* Stare Miasto."""
    if index + 1 >= len(words) or not words[index + 1].capital:
        return False
    if words[index + 1].adjectives and not any(reading.penalty <= 0 for reading in words[index + 1].nouns):
        return False
    return any(
        adjective.masks[noun.noun.gender_index] & noun.mask & NOMINATIVE
        for noun in words[index + 1].nouns
        for adjective in words[index].adjectives
    )


def _describes_genitive(words: Sequence[Word], index: int) -> bool:
    """Whether an adjective in the genitive belongs to a name after it: *stypendium* Świętego Wojciecha."""
    following = index + 1
    while following < len(words) and words[following].adjectives and not words[following].nouns:
        following += 1
    return following < len(words) and any(
        adjective.masks[noun.noun.gender_index] & noun.mask & GENITIVE
        for noun in words[following].nouns[:3]
        for adjective in words[index].adjectives
    )


def _is_acronym(words: Sequence[Word], index: int) -> bool:
    """Whether a word stands in capitals amid words that do not."""
    return words[index].text.isupper() and not all(word.text.isupper() for word in words[:index])


def apposition(words: Sequence[Word], index: int, group: Group) -> tuple[Group, float, float] | None:
    """A noun beside the head that takes its case: *pan Nowak*, *miasto Białystok*, *lekarz specjalista*.

    Returns:
        The group, its penalty and its doubt.
    """
    word = words[index]
    head, named = group.noun, group.noun.proper
    if is_unchanged_surname(word, head, group.mask) or (head.lemma in _STREETS and word.capital):
        return None
    titled_head = named or head.lemma.lower() in PERSON_TITLES
    rather_genitive = head.gender == "f" or (head.gender == "m1" and bool(group.mask & NOMINATIVE))
    alone = head.gender == "f" and not titled_head and not is_woman(head)
    if rather_genitive and not named and is_patron(words, index, alone):
        return None
    if head.lemma in NAMED_PLACES and word.capital and word.adjectives:
        place = best_group(words, index)
        if place is not None and place[0].noun.proper and place[0].mask & group.mask:
            return replace(place[0], mask=place[0].mask & group.mask, joined="apposition"), 0.0, 0.0
    plain: tuple[Group, float, float] | None = None
    genitive = any(reading.mask & GENITIVE for reading in word.nouns)
    for reading in word.nouns:
        noun = reading.noun
        mask = group.mask & reading.mask
        if not mask:
            continue
        same_gender = noun.gender == head.gender
        titled = head.lemma.lower() in HONORIFICS and (noun.gender == "m1" or noun.indeclinable) and not noun.proper
        person = titled_head or head.gender in ("m1", "f")
        if same_gender and (titled or (person and noun.proper and word.capital and not _is_acronym(words, index))):
            return Group(index, noun, (), mask, "apposition"), reading.penalty * 0.3, 0.0
        if head.lemma in NAMED_PLACES and noun.proper and word.capital:
            return Group(index, noun, (), mask, "apposition"), 0.0, 0.0
        fellow = same_gender and noun.gender == "m1" and not noun.proper and not reading.mask & GENITIVE
        if fellow and not is_counted_field(words, index, head, reading):
            return Group(index, noun, (), mask, "apposition"), 0.3, 0.0
        ordinary = (
            not genitive
            and not noun.proper
            and not noun.indeclinable
            and noun.kind == "subst"
            and not reading.mask & GENITIVE
        )
        if (
            ordinary
            and mask & NOMINATIVE
            and word.text.islower()
            and word.text not in FROZEN_ATTRIBUTES
            and not word.adjectives
            and "-" not in word.text
        ):
            plain = plain or (Group(index, noun, (), mask, "apposition"), 0.8, 0.15)
    return plain


def bearer(words: Sequence[Word], index: int, head: Group) -> Group | None:
    """The first name of the person that a title with a genitive belongs to: *prezes zarządu* Jan Kowalski."""
    noun = head.noun
    if noun.proper or head.joined != "head" or not (noun.gender == "m1" or is_woman(noun) or noun.kind == "overlay"):
        return None
    for reading in words[index].nouns:
        mask = reading.mask & head.mask & SINGULAR
        if "imię" in reading.noun.names and reading.noun.gender == noun.gender and mask and not reading.mask & GENITIVE:
            return Group(index, reading.noun, (), mask, "apposition")
    return None


def best_group(words: Sequence[Word], start: int) -> tuple[Group, float] | None:
    """The likeliest noun with its premodifiers from ``start`` on."""
    best: tuple[Group, float] | None = None
    for head in range(start, min(len(words), start + MAX_PREMODIFIERS)):
        for group, penalty in head_groups(words, start, head):
            if best is None or penalty < best[1]:
                best = (group, penalty)
        if best is not None and best[0].head < head:
            break
        reflexive = words[head].lower == "się" and head > start and words[head - 1].is_participle
        if not words[head].adjectives and not is_frozen_modifier(words, head) and not reflexive:
            break
    return best
