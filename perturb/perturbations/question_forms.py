"""From questions to noun phrases and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.sentence import (
    NounPhrase,
    action_noun,
    body,
    has_clause,
    imperative,
    infinitive,
    is_command,
    is_question,
    lowered,
    noun_phrase,
    raised,
    role,
)
from perturb.polish.government import is_preposition
from perturb.polish.morphology import analyse
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import NOMINATIVE, SINGULAR, VOCATIVE
from perturb.polish.phrases.syntax import CONJUNCTIONS
from perturb.polish.phrases.words import NounReading, adjective_readings, noun_readings
from perturb.polish.text import Token
from perturb.records import Edit, Variant
from perturb.resources import read_table

_MIN_CONFIDENCE = 0.85
"""A whole query is recast, so that a wrong parse shows more than in a single inflected phrase."""

_ACCUSATIVE = 1 << 3 | 1 << 10

_STEM = 6
"""Letters after which longer words are forms of one another."""

_SEARCH_VERBS = frozenset({"znaleźć", "znajdę", "znajdziemy", "pobrać", "pobiorę", "zobaczyć", "szukać"})


@register
@dataclass(frozen=True)
class QuestionToKeywords(Perturbation):
    """A question or command as the noun phrase it asks for: *Jak wystawić fakturę?* → *wystawienie faktury*.

    Only patterns with one sure result: *jaki jest X*, *co to jest X*, *ile wynosi X*, *pokaż X*, *gdzie znajdę X* give
    X in the nominative; *jak* and an infinitive, or an imperative, gives the verbal noun with its object.
    """

    name: ClassVar[str] = "query_form.question_to_keywords"
    summary: ClassVar[str] = "question or command as a noun phrase"
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("Jak wystawić fakturę korygującą?", "wystawienie faktury korygującej"),
        ("Jaki jest termin płatności faktury?", "termin płatności faktury"),
        ("pokaż wzór wniosku o urlop opiekuńczy", "wzór wniosku o urlop opiekuńczy"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant or nothing; draws nothing."""
        tokens = body(query)
        start, wanted, verb = _asked(query, tokens)
        if not start:
            query.decline("no question or command with a sure noun phrase")
            return
        phrase = noun_phrase(query, tokens[start:])
        if phrase is None or has_clause(tokens[start:]):
            query.decline("the object of the question is no plain noun phrase")
            return
        edits = _as_keywords(query, phrase, wanted, verb)
        if edits:
            yield query.variant(self.name, "verbal_noun" if verb else "asked", edits, confidence=phrase.confidence)


def _asked(query: ParsedQuery, tokens: Sequence[Token]) -> tuple[int, str, str]:
    """Index of the noun phrase asked for, the case it stands in, and the verbal noun that takes it; 0 if none."""
    lower = [token.lower for token in tokens]
    if any(token.shielded for token in tokens[:3]) or len(tokens) < 2:
        return 0, "", ""
    for opening in (("co", "to", "jest"), ("co", "to", "są"), ("czym", "jest"), ("czym", "są"), ("ile", "wynosi")):
        if tuple(lower[: len(opening)]) == opening:
            return len(opening), "nom", ""
    if lower[0] in ("jaki", "jaka", "jakie") and lower[1] in ("jest", "są", "będzie", "obowiązuje"):
        start = 3 if lower[2:3] in (["obecnie"], ["aktualnie"], ["teraz"]) else 2
        return start, "nom", ""
    if lower[0] in ("gdzie", "skąd", "jak") and lower[1] in _SEARCH_VERBS:
        return 2, "acc", ""
    start = 2 if lower[0] in ("pokaż", "wyjaśnij", "opisz", "podaj", "sprawdź") and lower[1] == "," else 0
    if lower[start : start + 1] == ["jak"] and start + 1 < len(tokens):
        verb = infinitive(tokens[start + 1])
        noun = action_noun(verb) if verb else None
        return (start + 2, "acc", noun) if noun else (0, "", "")
    if is_command(query):
        reading = imperative(tokens[0])
        noun = "" if role(tokens[0]) == "command" else action_noun(reading) if reading else None
        return (1, "acc", noun) if noun is not None else (0, "", "")
    return 0, "", ""


def _as_keywords(query: ParsedQuery, phrase: NounPhrase, case: str, verb: str) -> list[Edit] | None:
    number = phrase.number(case)
    if number is None:
        return None
    inflected = phrase.recased(query, number, "gen" if verb else "nom")
    if inflected is None:
        return None
    first = phrase.tokens[0].start
    edits = [query.edit(0, first, f"{verb} " if verb else "")]
    if inflected and inflected[0].start == first:
        edits = [query.edit(0, inflected[0].end, edits[0].after + inflected[0].after)]
        inflected = inflected[1:]
    closing = query.edit(phrase.tokens[-1].end, len(query.text), "")
    return [*edits, *inflected, *([closing] if closing.before else [])]


@lru_cache(maxsize=1)
def _frames() -> list[dict[str, str]]:
    return read_table("question_frames.tsv")


@lru_cache(maxsize=1)
def _head_classes() -> dict[str, frozenset[str]]:
    classes: dict[str, set[str]] = {}
    for row in read_table("question_heads.tsv"):
        classes.setdefault(row["head"], set()).add(row["class"])
    return {head: frozenset(names) for head, names in classes.items()}


def head_classes(phrase: NounPhrase) -> frozenset[str]:
    """What can be asked about a phrase, by its head: ``measure``, ``document``, ``gerund``, ``short``, ``any``."""
    noun = phrase.parse.head.noun
    own = _head_classes().get(noun.lemma, frozenset())
    known = set(own)
    if phrase.number("nom") == "sg":
        known.discard("plural_measure")
    else:
        known -= {"measure", "amount"}
    if any(token.kind == "number" for token in phrase.tokens[: phrase.parse.end]):
        known.discard("amount")
    # Some verbal nouns have come to mean a thing: one asks how much a wynagrodzenie is, not what it consists in.
    if noun.lemma.endswith(("nie", "cie")) and noun.gender == "n" and not own & {"amount", "document"}:
        known.add("gerund")
    if phrase.parse.end <= 3 and not known & {"measure", "amount", "plural_measure"}:
        known.add("short")
    return frozenset(known | {"any"})


@register
@dataclass(frozen=True)
class KeywordsToQuestion(Perturbation):
    """A noun phrase as a question: *termin płatności faktury* → *jaki jest termin płatności faktury*.

    Frames: ``question_frames.tsv``, chosen by the class of the head noun; *jaki* and *jest* agree with it.
    """

    name: ClassVar[str] = "query_form.keywords_to_question"
    summary: ClassVar[str] = "noun phrase as a question"
    draws: ClassVar[int] = 2
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("termin płatności faktury", "jaki jest termin płatności faktury?"),
        ("kary umowne", "co to są kary umowne?"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one question; nothing unless the query is one noun phrase in the nominative."""
        phrase = plain_phrase(query)
        if phrase is None:
            return
        classes = head_classes(phrase)
        number = phrase.number("nom") or "sg"
        joined = is_joined(phrase)
        if joined:
            classes -= {"measure", "amount", "plural_measure", "short"}
        frames = [f for f in _frames() if f["heads"] in classes and not echoes(f["frame"], phrase)]
        frame = rng.choice(frames)
        filled = frame["frame"].replace("{jaki}", _which(phrase.gender, number))
        filled = filled.replace("{jest}", "jest" if number == "sg" else "są")
        if number == "pl" or joined:
            filled = filled.replace("wygląda ", "wyglądają ").replace("polega ", "polegają ")
        edits = framed(query, phrase, filled, (number, frame["cell"]))
        if edits:
            yield query.variant(self.name, frame["heads"], edits, confidence=phrase.confidence)


def echoes(frame: str, phrase: NounPhrase) -> bool:
    """Whether a word of a frame stands in the phrase already: *informacje o* informacji zwrotnej."""
    stems = {word[:_STEM] for word in re.findall(r"\w+", frame.lower()) if len(word) > _STEM}
    return any(token.lower[:_STEM] in stems for token in phrase.tokens)


def is_joined(phrase: NounPhrase) -> bool:
    """Whether it is two phrases joined by a conjunction, which take a plural verb."""
    return any(group.joined == "coordination" for group in phrase.parse.groups)


def plain_phrase(query: ParsedQuery) -> NounPhrase | None:
    """The query as one noun phrase in the nominative; None, with a reason noted, if it is anything else."""
    tokens = body(query)
    if not tokens or is_question(query) or is_command(query) or has_clause(tokens):
        query.decline("query is no plain noun phrase")
        return None
    phrase = noun_phrase(query, tokens)
    sure = phrase is not None and phrase.is_whole and phrase.confidence >= _MIN_CONFIDENCE
    if phrase is None or not sure or phrase.number("nom") is None or _is_list(tokens):
        query.decline("query is no plain noun phrase")
        return None
    return phrase


def _is_list(tokens: Sequence[Token]) -> bool:
    """Whether keywords are merely set beside one another: *okres próbny a umowa*, *nowy pracownik lista kontrolna*."""
    if any(token.lower == "a" for token in tokens):
        return True
    joined = False
    for place, (before, token) in enumerate(pairwise(tokens)):
        # After a conjunction the second of two phrases is a nominative, too: umowa i regulamin.
        joined = joined or before.lower in CONJUNCTIONS
        nouns = noun_readings(token.text) if token.is_word and not is_preposition(token) else []
        alone = nouns and not any(r.noun.proper for r in nouns) and not adjective_readings(token.text)
        # A noun right after another cannot be an accusative either: urlop ojca dokumenty.
        beside = noun_readings(before.text) and before.is_word and not is_preposition(before)
        beside = beside and not adjective_readings(before.text)
        cases = NOMINATIVE | VOCATIVE | (_ACCUSATIVE if beside or (alone and _is_cut_off(tokens, place, nouns)) else 0)
        if alone and not joined and all(reading.mask & ~cases == 0 for reading in nouns):
            return True
    return False


def _is_cut_off(tokens: Sequence[Token], place: int, nouns: Sequence[NounReading]) -> bool:
    """Whether nothing governs the noun after a place, adjectives of its own aside: *lokalu użytkowego wzór*."""
    while place >= 0 and tokens[place].is_word and adjective_readings(tokens[place].text):
        if any(reading.pos == "pact" for reading in analyse(tokens[place].text)):
            return False  # powodujące szkodę
        place -= 1
    if place < 0 or is_preposition(tokens[place]):
        return False
    if tokens[place].is_word:
        return bool(noun_readings(tokens[place].text))
    return all(reading.mask & ~SINGULAR == 0 for reading in nouns)


def _which(gender: str, number: str) -> str:
    if number == "pl":
        return "jacy" if gender == "m1" else "jakie"
    return {"f": "jaka", "n": "jakie"}.get(gender, "jaki")


def framed(query: ParsedQuery, phrase: NounPhrase, frame: str, cell: tuple[str, str]) -> list[Edit] | None:
    """Edits that set a noun phrase, in another cell, into a frame with a place ``{query}``; capitals are adapted."""
    before, after = frame.split("{query}")
    inflected = phrase.recased(query, *cell, lower_first=bool(before))
    if inflected is None:
        return None
    first = phrase.tokens[0]
    if before and first.text[:1].isupper() and first.is_word and not first.text.isupper():
        before = raised(before)
    elif before:
        before = before[:1].lower() + before[1:]
    end = phrase.tokens[-1].end
    if inflected and inflected[0].start == first.start:
        edits = [query.edit(first.start, first.end, before + inflected[0].after), *inflected[1:]]
    else:
        lower = lowered(first) if before else first.text
        opening = query.edit(first.start, first.start, before)
        if lower != first.text:
            opening = query.edit(first.start, first.end, before + lower)
        edits = [opening, *inflected]
    last = edits[-1]
    if last.end == end:
        edits[-1] = query.edit(last.start, len(query.text), last.after + after)
    else:
        edits.append(query.edit(end, len(query.text), after))
    return [edit for edit in edits if edit.before != edit.after]
