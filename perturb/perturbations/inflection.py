"""Perturbations that inflect whole noun phrases: ``case`` and ``number``.

Every word that agrees changes along, the rest is copied byte for byte. Where the parse is not sure, or the grammar of
the sentence would break, nothing is yielded and the query notes why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from perturb.errors import ConfigError
from perturb.perturbations.base import Perturbation, register
from perturb.polish.morphology import CASES
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases import CONFIDENCE_THRESHOLD, NounPhrase
from perturb.polish.phrases.clause import free_phrase, number_of
from perturb.polish.phrases.keywords import stands_beside_another, stands_the_genitive
from perturb.polish.phrases.obstacles import DEMONSTRATIVE
from perturb.polish.phrases.plurality import number_obstacle
from perturb.polish.phrases.predicate import predicate_edits
from perturb.records import Edit, Variant

DEFAULT_CASES = ("nom", "gen", "dat", "acc", "inst", "loc")
"""All but the vocative, in which nobody searches."""

_OWN_DEMONSTRATIVES = frozenset(["ten", "ta", "to", "te", "ci"])
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

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant per case that reads differently."""
        phrase = free_phrase(query, self.min_confidence, in_list=True)
        if phrase is None:
            return
        number = number_of(phrase)
        if not number:
            query.decline("number of the phrase unclear")
            return
        seen = {query.text}
        in_list = stands_beside_another(query, phrase)
        governable = in_list and stands_the_genitive(query, phrase)
        for case in self.cases:
            if in_list and not (governable and case == "gen"):
                query.decline("keywords side by side")
                continue
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
        ("kary umowne za opóźnienie", "kara umowna za opóźnienie"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant per phrase whose number can change."""
        seen = {query.text}
        for phrase in query.noun_phrases:
            reason = self._obstacle(query, phrase)
            edits = None if reason else _other_number(query, phrase)
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
        if phrase.obstacle and not _moves_with_predicate(query, phrase):
            return phrase.obstacle
        if phrase.confidence < self.min_confidence:
            return "parse not sure enough"
        return number_obstacle(query, phrase, self.tails)


def _moves_with_predicate(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether only a demonstrative of its own stands against a subject, so that demonstrative and verb change along."""
    ends_free = phrase.end >= len(query.tokens) or query.tokens[phrase.end].text != ","
    own = query.tokens[phrase.start].lower in _OWN_DEMONSTRATIVES and phrase.start in phrase.agreeing
    return phrase.obstacle == DEMONSTRATIVE and phrase.clause_subject and own and ends_free


def _other_number(query: ParsedQuery, phrase: NounPhrase) -> tuple[Edit, ...] | None:
    """Edits into the other number, predicate included, if every case the phrase may stand in reads the same there."""
    number = number_of(phrase)
    target = "pl" if number == "sg" else "sg"
    if phrase.clause_subject:
        predicate, own = predicate_edits(query, phrase, target), phrase.edits("nom", target)
        return tuple(sorted((*predicate, *own), key=lambda edit: edit.start)) if predicate and own else None
    cases = {case for own, case in phrase.cells if own == number}
    if phrase.governor.kind == "none":
        cases = cases & {"nom"} or cases
    elif phrase.governor.cases:
        cases = cases & phrase.governor.cases or cases
    found = {phrase.edits(case, target) for case in sorted(cases)}
    return found.pop() if len(found) == 1 else None
