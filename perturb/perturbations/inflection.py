"""Perturbations that inflect whole noun phrases: ``case`` and ``number``.

Every word that agrees changes along, the rest is copied byte for byte. Where the parse is not sure, or the grammar of
the sentence would break, nothing is yielded and the query notes why.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from perturb.errors import ConfigError
from perturb.perturbations.base import Perturbation, register
from perturb.polish.morphology import CASES
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases import CONFIDENCE_THRESHOLD, NounPhrase
from perturb.polish.phrases.clause import free_phrase, number_of
from perturb.polish.phrases.countability import fixed_phrases, names_action, number_can_change
from perturb.polish.phrases.syntax import Word, words_of
from perturb.records import Edit, Variant

DEFAULT_CASES = ("nom", "gen", "dat", "acc", "inst", "loc")
"""All but the vocative, in which nobody searches."""

_TIME_AND_PLACE = frozenset(["czas", "termin", "okres"])
_TAIL_DISCOUNT = 0.9


@register
@dataclass(frozen=True)
class Case(Perturbation):
    """A query that is a noun phrase, in each other case; number unchanged.

    Attributes:
        cases: target cases; the vocative only if it is named here.
        min_confidence: phrases parsed with less confidence yield nothing.
    """

    cases: tuple[str, ...] = DEFAULT_CASES
    min_confidence: float = CONFIDENCE_THRESHOLD

    name: ClassVar[str] = "case"
    summary: ClassVar[str] = "the noun phrase of a query in every other case: umowa najmu → umowie najmu"
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("umowa najmu lokalu użytkowego", "umowie najmu lokalu użytkowego"),
        ("kara umowna", "kary umownej"),
    )

    def __post_init__(self) -> None:
        for case in self.cases:
            if case not in CASES:
                raise ConfigError(f"[perturbation.case] cases has {case!r}; known: {', '.join(CASES)}")

    def __call__(self, query: ParsedQuery, rng: random.Random) -> Iterator[Variant]:  # noqa: ARG002
        """Yield one variant per case that reads differently."""
        phrase = free_phrase(query, self.min_confidence)
        if phrase is None:
            return
        number = number_of(phrase)
        if not number:
            query.decline("number of the phrase unclear")
            return
        seen = {query.text}
        for case in self.cases:
            if (number, case) in phrase.cells and case != "nom":
                continue
            edits = phrase.edits(case, number)
            if edits is None:
                query.decline("cell does not exist")
                continue
            if not edits:
                continue
            variant = query.variant("case", f"{case}.{number}", edits, confidence=phrase.confidence)
            if variant.text not in seen:
                seen.add(variant.text)
                yield variant
        if len(seen) == 1:
            query.decline("all cases read the same")


@register
@dataclass(frozen=True)
class Number(Perturbation):
    """A noun phrase in the other number, in the same case: as object, after its preposition, or as the whole query.

    Attributes:
        tails: also change genitives that depend on a verbal noun (*anulowanie faktury* → *anulowanie faktur*).
        min_confidence: phrases parsed with less confidence yield nothing.
    """

    tails: bool = True
    min_confidence: float = CONFIDENCE_THRESHOLD

    name: ClassVar[str] = "number"
    summary: ClassVar[str] = "a noun phrase in the other number: jak wystawić fakturę → jak wystawić faktury"
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("jak wystawić fakturę korygującą", "jak wystawić faktury korygujące"),
        ("kary umowne w kontraktach", "kara umowna w kontraktach"),
    )

    def __call__(self, query: ParsedQuery, rng: random.Random) -> Iterator[Variant]:  # noqa: ARG002
        """Yield one variant per phrase whose number can change."""
        seen = {query.text}
        for phrase in query.noun_phrases:
            reason = self._obstacle(query, phrase)
            edits = None if reason else _other_number(phrase)
            if not edits:
                query.decline(reason or "number unclear or without counterpart")
                continue
            target = "pl" if number_of(phrase) == "sg" else "sg"
            confidence = phrase.confidence * (_TAIL_DISCOUNT if phrase.governor.kind == "noun" else 1.0)
            variant = query.variant("number", target, edits, confidence=round(confidence, 3))
            if variant.text not in seen:
                seen.add(variant.text)
                yield variant

    def _obstacle(self, query: ParsedQuery, phrase: NounPhrase) -> str:
        if phrase.obstacle:
            return phrase.obstacle
        if phrase.confidence < self.min_confidence:
            return "parse not sure enough"
        if phrase.clause_subject:
            return "subject of a verb"
        number = number_of(phrase)
        if not number:
            return "number of the phrase unclear"
        target = "pl" if number == "sg" else "sg"
        if not all(number_can_change(g.noun.lemma, g.noun.kind, target) for g in phrase.parse.groups):
            return "uncountable"
        noun = phrase.parse.head.noun
        if target == "pl" and names_action(noun.lemma, noun.kind) and _genitive_follows(query, phrase):
            return "an action, not a thing"
        if target == "sg" and _joins_qualities(query, phrase):
            return "several qualities need the plural"
        if _identified(query, phrase):
            return "a number or code names the one thing meant"
        if _ends_elliptically(query, phrase):
            return "an adjective without its noun follows"
        if phrase.governor.lemma in ("między", "pomiędzy"):
            return "one of two things compared"
        if phrase.start and self._is_fixed(query, phrase):
            return "fixed expression"
        if phrase.governor.kind == "noun" and not (self.tails and _follows_verbal_noun(query, phrase)):
            return "part of a larger phrase"
        if phrase.governor.kind == "none" and phrase.start:
            return "nothing tells its case"
        return ""

    @staticmethod
    def _is_fixed(query: ParsedQuery, phrase: NounPhrase) -> bool:
        before = query.tokens[phrase.start - 1].lower
        return f"{before} {query.tokens[phrase.head].lower}" in fixed_phrases()


def _joins_qualities(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether a conjunction stands between the adjectives of one noun: *warunki techniczne i prawne*."""
    first, last = min((phrase.head, *phrase.agreeing)), max((phrase.head, *phrase.agreeing))
    joined = any(token.lower in ("i", "oraz", "lub", "albo", ",") for token in query.tokens[first:last])
    return joined and len(phrase.parse.groups) == 1


def _ends_elliptically(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether the tail ends in an adjective that speaks of the noun: *wymiana kół na zimowe*."""
    tail = words_of(query.tokens[phrase.tail[0] : phrase.tail[1]])
    return any(
        word.is_preposition
        and after.adjectives
        and not after.nouns
        and (last or not (beyond.nouns or beyond.adjectives))
        for word, after, beyond, last in _triples(tail)
    )


def _triples(words: tuple[Word, ...]) -> Iterator[tuple[Word, Word, Word, bool]]:
    for index in range(len(words) - 1):
        last = index + 2 >= len(words)
        yield words[index], words[index + 1], words[min(index + 2, len(words) - 1)], last


def _identified(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether a number or a code with a slash follows the phrase: *faktura FV/12/2026*, *kara 500 zł*."""
    following = max((phrase.head, *phrase.agreeing)) + 1
    if following >= len(query.tokens):
        return False
    token = query.tokens[following]
    return token.kind == "number" or (
        token.kind == "code" and any(c.isdigit() for c in token.text) and len(token.text) > 3
    )


def _genitive_follows(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether the tail begins with a genitive."""
    start = phrase.tail[0]
    return any(other.start == start and other.governor.kind == "noun" for other in query.noun_phrases)


def _follows_verbal_noun(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether the genitive is what a verbal noun acts upon, not its owner or its kind."""
    if phrase.numbers != {"sg"} and phrase.numbers != {"pl"}:
        return False
    for other in query.noun_phrases:
        if other.head + 1 == phrase.start or (other.agreeing and max(other.head, *other.agreeing) + 1 == phrase.start):
            noun = other.parse.head.noun
            return names_action(noun.lemma, noun.kind) and phrase.gender != "m1" and phrase.lemma not in _TIME_AND_PLACE
    return False


def _other_number(phrase: NounPhrase) -> tuple[Edit, ...] | None:
    """Edits into the other number, if every case the phrase may stand in reads the same there."""
    number = number_of(phrase)
    target = "pl" if number == "sg" else "sg"
    cases = {case for own, case in phrase.cells if own == number}
    if phrase.governor.kind == "none":
        cases = cases & {"nom"} or cases
    elif phrase.governor.cases:
        cases = cases & phrase.governor.cases or cases
    found = {phrase.edits(case, target) for case in sorted(cases)}
    return found.pop() if len(found) == 1 else None
