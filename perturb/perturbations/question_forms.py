"""From questions to noun phrases and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.plain_phrases import echoes, head_classes, is_joined, plain_phrase
from perturb.perturbations.sentence import (
    NounPhrase,
    action_noun,
    body,
    has_clause,
    imperative,
    infinitive,
    is_command,
    is_shouted,
    lowered,
    noun_phrase,
    raised,
    role,
)
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import Token
from perturb.records import Edit, Variant
from perturb.resources import read_table

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
        begins = 2 if lower[1] in ("mi", "nam", "proszę") else 1
        return (begins, "acc", noun) if noun is not None else (0, "", "")
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
            classes -= {"measure", "amount", "plural_measure", "term"}
        frames = [f for f in _frames() if f["heads"] in classes and not echoes(f["frame"], phrase)]
        if not frames:
            query.decline("no question fits the head of the phrase")
            return
        frame = rng.choice(frames)
        filled = frame["frame"].replace("{jaki}", _which(phrase.gender, number))
        filled = filled.replace("{jest}", "jest" if number == "sg" else "są")
        if number == "pl" or joined:
            filled = filled.replace("wygląda ", "wyglądają ").replace("polega ", "polegają ")
        edits = framed(query, phrase, filled, (number, frame["cell"]))
        if edits:
            yield query.variant(self.name, frame["heads"], edits, confidence=phrase.confidence)


def _which(gender: str, number: str) -> str:
    if number == "pl":
        return "jacy" if gender == "m1" else "jakie"
    return {"f": "jaka", "n": "jakie"}.get(gender, "jaki")


def framed(query: ParsedQuery, phrase: NounPhrase, frame: str, cell: tuple[str, str]) -> list[Edit] | None:
    """Edits that set a noun phrase, in another cell, into a frame with a place ``{query}``; capitals are adapted."""
    before, after = frame.split("{query}")
    shouted = is_shouted(query)
    before = before.upper() if shouted else before
    inflected = phrase.recased(query, *cell, lower_first=bool(before))
    if inflected is None:
        return None
    first = phrase.tokens[0]
    if before and first.text[:1].isupper() and first.is_word and not first.text.isupper():
        before = raised(before)
    elif before and not shouted:
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
