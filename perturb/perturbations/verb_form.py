"""``verb_form``: the verb of a question in another form, its object following in case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

from perturb.errors import ConfigError
from perturb.perturbations.base import Perturbation, register
from perturb.polish.morphology import analyse
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases import CONFIDENCE_THRESHOLD
from perturb.polish.phrases.govern import is_verb, verb_readings
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.nominal import HowTo, how_to, nominalise
from perturb.polish.text import match_case
from perturb.polish.verbs import first_person_past, imperative, imperfective, infinitive, other_gender, other_number
from perturb.records import Edit, Variant

KINDS = ("gerund", "gerund_imperf", "imperative", "past", "gender", "person", "impersonal")
_CHANGES_THE_ACT = frozenset({"imperative", "past"})
_CONFIDENCE = 0.95
_IMPERSONAL = {
    "mogę": "można",
    "możemy": "można",
    "można": "mogę",
    "muszę": "trzeba",
    "musimy": "trzeba",
    "trzeba": "muszę",
    "należy": "trzeba",
}
_ALONE = word_class("speaker_number")
_SPEAKER_WORDS = word_class("speaker")


@register
@dataclass(frozen=True)
class VerbForm(Perturbation):
    """The verb of a question in another form.

    Attributes:
        kinds: ``gerund`` (*jak wystawić fakturę* → *wystawienie faktury*), ``gerund_imperf`` (*wystawianie faktury*),
            ``imperative`` (*wystaw fakturę*), ``past`` (*wystawiłem fakturę*), ``gender`` (*zapomniałem* ↔
            *zapomniałam*), ``person`` (*mogę* ↔ *możemy*), ``impersonal`` (*czy mogę* ↔ *czy można*). The imperative
            and the past ask for the act or report it instead of asking how: flagged ``meaning_risk``.
        min_confidence: objects parsed with less confidence stop the rule.
    """

    kinds: tuple[str, ...] = KINDS
    min_confidence: float = CONFIDENCE_THRESHOLD

    name: ClassVar[str] = "verb_form"
    summary: ClassVar[str] = "the verb in another form, its object follows: jak wystawić fakturę → wystawienie faktury"
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("jak wystawić fakturę", "wystawienie faktury"),
        ("jak wystawić fakturę", "wystaw fakturę"),
        ("zapomniałem hasła", "zapomniałam hasła"),
    )

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in KINDS:
                raise ConfigError(f"[perturbation.verb_form] kinds has {kind!r}; known: {', '.join(KINDS)}")

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant per form that can be made."""
        found = how_to(query) if {"gerund", "gerund_imperf", "imperative", "past"} & set(self.kinds) else None
        if found is not None and found.object is not None and found.object.confidence < self.min_confidence:
            query.decline("parse not sure enough")
            found = None
        seen = {query.text}
        for kind in self.kinds:
            edits = _edits(query, kind, found)
            if not edits:
                continue
            flags = ("meaning_risk",) if kind in _CHANGES_THE_ACT else ()
            variant = query.variant("verb_form", kind, edits, confidence=_CONFIDENCE, flags=flags)
            if variant.text not in seen:
                seen.add(variant.text)
                yield variant


def _edits(query: ParsedQuery, kind: str, found: HowTo | None) -> list[Edit] | None:
    if kind == "gender":
        return _other_gender(query)
    if kind == "person":
        return _other_person(query)
    if kind == "impersonal":
        return _impersonal(query)
    if found is None:
        return None
    if kind == "gerund":
        return nominalise(query, found, "nom")
    if kind == "gerund_imperf":
        partner = imperfective(found.reading.lemma)
        return nominalise(query, replace(found, reading=partner), "nom") if partner else None
    aspect = found.reading.get("aspect")
    lexeme = found.reading.lexeme
    return _finite(
        query, found, imperative(lexeme, aspect) if kind == "imperative" else first_person_past(lexeme, aspect, "m1")
    )


def _finite(query: ParsedQuery, found: HowTo, form: str) -> list[Edit] | None:
    """Put a finite form in the place of question word, modal and infinitive; the object keeps its case."""
    if not form:
        return None
    tokens = query.tokens
    end = tokens[max(found.verb, found.reflexive)].end
    text = form + (" się" if found.reflexive >= 0 else "")
    if tokens[0].text[:1].isupper():
        text = text[:1].upper() + text[1:]
    edits = [query.edit(tokens[0].start, end, text)]
    if tokens[-1].text == "?":
        edits.append(query.edit(tokens[-1].start, tokens[-1].end, ""))
    return edits


def _other_gender(query: ParsedQuery) -> list[Edit] | None:
    """All first person past forms in the other gender; none if an adjective or noun speaks of the speaker too."""
    edits = []
    for token in query.words:
        form = other_gender(token.text)
        if form:
            edits.append(query.edit(token.start, token.end, match_case(token.text, form)))
    if not edits or any(token.lower in ("sam", "sama", "powinienem", "powinnam") for token in query.tokens):
        return None
    return edits


def _other_person(query: ParsedQuery) -> list[Edit] | None:
    """One speaker or several: all first person verbs in the other number; none if another word names the speaker."""
    words = query.looked_up
    edits = []
    for index, token in enumerate(query.tokens):
        if token.lower in _SPEAKER_WORDS or token.lower in _ALONE:
            return None
        first = any("pri" in reading.get("person") for reading in verb_readings(token.text))
        if not (token.is_word and first and is_verb(query.tokens, words, index)):
            continue
        form = other_number(token.text)
        if not form:
            return None
        edits.append(query.edit(token.start, token.end, match_case(token.text, form)))
    return edits or None


def _impersonal(query: ParsedQuery) -> list[Edit] | None:
    """*czy mogę zwrócić* ↔ *czy można zwrócić*, right before an infinitive and with no word about the speaker."""
    if any(token.lower in _SPEAKER_WORDS for token in query.tokens):
        return None
    modals = [index for index, token in enumerate(query.tokens[:-1]) if token.lower in _IMPERSONAL and token.is_word]
    finite = [
        token
        for token in query.tokens
        if any(r.pos in ("fin", "praet", "bedzie") and "pri" in r.get("person") for r in analyse(token.text))
    ]
    if len(modals) != 1 or len(finite) > 1:
        return None
    token = query.tokens[modals[0]]
    following = query.tokens[modals[0] + 1]
    if infinitive(following.text) is None:
        return None
    return [query.edit(token.start, token.end, match_case(token.text, _IMPERSONAL[token.lower]))]
