"""Other orders of words that Polish allows and that people type; noun phrases stay whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.plain_phrases import head_classes, plain_phrase
from perturb.perturbations.sentence import (
    SUBORDINATORS,
    NounPhrase,
    body,
    has_clause,
    infinitive,
    is_question,
    lowered,
    noun_phrase,
    raised,
    role,
)
from perturb.polish.government import is_preposition
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.words import adjective_readings
from perturb.polish.text import Token
from perturb.records import Edit, Variant

_IMPERSONAL = frozenset({"można", "trzeba", "należy", "wolno", "warto", "mogę", "muszę", "możemy", "musimy"})
_WITH_THEIR_GENITIVE = frozenset({"czas", "okres", "stan", "podstawa", "forma", "punkt", "rodzaj", "data"})
"""Nouns that make one term with the genitive behind them: *czas pracy*, *okres wypowiedzenia*."""
_MOVABLE_PREPOSITIONS = frozenset({"podczas", "przy", "przed", "po", "w", "we", "na", "przez", "według", "za"})


@register
@dataclass(frozen=True)
class WordOrder(Perturbation):
    """A clause or phrase moved, never words scrambled.

    Kinds: ``clause`` (*Jak …, gdy …?* → *Gdy …, jak …?*), ``object_first`` (*jak ustawić hasło* → *hasło jak ustawić*),
    ``adverbial_last`` (*Czy podczas alarmu można …* → *Czy można … podczas alarmu*), ``topic_first`` (*skład komisji* →
    *komisja skład*, as in keyword queries).
    """

    name: ClassVar[str] = "query_form.word_order"
    summary: ClassVar[str] = "a clause or noun phrase moved"
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("Co zrobić, gdy dostawca zmienia cenę?", "Gdy dostawca zmienia cenę, co zrobić?"),
        ("jak ustawić nowe hasło", "nowe hasło jak ustawić"),
        ("skład komisji przetargowej", "komisja przetargowa skład"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant per kind that applies; draws nothing."""
        tokens = body(query)
        if len(tokens) < 2 or any(token.shielded for token in tokens[:2]):
            return
        for kind, confidence, edits in (
            ("clause", 0.95, _swap_clauses(query, tokens)),
            ("object_first", 0.8, _object_first(query, tokens)),
            ("adverbial_last", 0.9, _adverbial_last(query, tokens)),
            ("topic_first", 0.8, _topic_first(query)),
        ):
            if edits:
                yield query.variant(self.name, kind, edits, confidence=confidence)


def _swap_clauses(query: ParsedQuery, tokens: Sequence[Token]) -> list[Edit] | None:
    commas = [index for index, token in enumerate(tokens) if token.text == "," and not token.protected]
    if len(commas) != 1 or not is_question(query):
        return None
    comma = commas[0]
    if comma + 2 >= len(tokens) or tokens[comma + 1].lower not in SUBORDINATORS:
        return None
    clause = query.text[tokens[comma + 1].start : tokens[-1].end]
    first = tokens[0]
    refers_back = any(role(t) == "anaphor" or t.lower in ("tego", "tym") for t in tokens[comma:])
    asks_twice = any(role(token) == "question" for token in tokens[2:comma])
    if refers_back or asks_twice or any(token.shielded for token in tokens[comma:]):
        return None
    was_capital = first.text[:1].isupper()
    moved = f"{raised(clause) if was_capital else clause}, {lowered(first)}"
    return [query.edit(0, first.end, moved), query.edit(tokens[comma].start, tokens[-1].end, "")]


def _object_first(query: ParsedQuery, tokens: Sequence[Token]) -> list[Edit] | None:
    if tokens[0].lower not in ("jak", "gdzie") or len(tokens) < 4 or infinitive(tokens[1]) is None:
        return None
    phrase = noun_phrase(query, tokens[2:])
    if phrase is None or not phrase.is_whole or not phrase.can_be("acc") or has_clause(tokens[2:]):
        return None
    asked = f" {tokens[0].lower} {tokens[1].text}"
    return [query.edit(0, tokens[2].start, ""), query.edit(tokens[-1].end, tokens[-1].end, asked)]


def _adverbial_last(query: ParsedQuery, tokens: Sequence[Token]) -> list[Edit] | None:
    if tokens[0].lower not in ("czy", "gdzie", "jak") or tokens[1].lower not in _MOVABLE_PREPOSITIONS:
        return None
    modal = next((i for i, token in enumerate(tokens) if token.lower in _IMPERSONAL), 0)
    if modal < 3 or modal + 2 >= len(tokens) or any(role(t) == "question" or t.text == "," for t in tokens[1:]):
        return None
    phrase = noun_phrase(query, tokens[2:modal])
    if phrase is None or has_clause(tokens[1:modal]) or any(token.shielded for token in tokens):
        return None
    adverbial = query.text[tokens[1].start : tokens[modal - 1].end]
    end = tokens[-1].end
    return [query.edit(tokens[1].start, tokens[modal].start, ""), query.edit(end, end, f" {adverbial}")]


def _topic_first(query: ParsedQuery) -> list[Edit] | None:
    phrase = plain_phrase(query)
    if phrase is None or not head_classes(phrase) & {"measure", "amount", "plural_measure", "gerund", "process"}:
        return None
    tokens = phrase.tokens
    if any(token.kind != "word" or token.shielded or is_preposition(token) or role(token) for token in tokens):
        return None
    head = phrase.parse.head
    action = bool(head_classes(phrase) & {"gerund", "process"})
    if head.noun.lemma in _WITH_THEIR_GENITIVE:
        return None
    found = _whole_genitive(query, tokens, max([head.head, *(index for index, _ in head.adjectives)]) + 1)
    if found is None:
        return None
    start, topic = found
    own = topic.parse.head
    if not action and topic.parse.end > max([own.head, *(index for index, _ in own.adjectives)]) + 1:
        return None  # termin płatności faktury is one term
    if head.noun.lemma.endswith("nie") and topic.parse.head.noun.lemma.endswith("nie"):
        return None
    named = topic.recased(query, topic.number("gen") or "sg", "nom")
    if named is None:
        return None
    inner, first = {edit.start: edit.after for edit in named}, tokens[0]
    words = query.text[tokens[start].start : tokens[-1].end]
    for edit in reversed(named):
        at = edit.start - tokens[start].start
        words = words[:at] + inner[edit.start] + words[at + len(edit.before) :]
    was_capital = first.text[:1].isupper() and lowered(first) != first.text
    moved = f"{raised(words) if was_capital else words} {lowered(first)}"
    return [query.edit(0, first.end, moved), query.edit(tokens[start - 1].end, tokens[-1].end, "")]


def _whole_genitive(query: ParsedQuery, tokens: Sequence[Token], start: int) -> tuple[int, NounPhrase] | None:
    """The genitive of the head with all that belongs to it, and where it begins; None if a word could stand elsewhere.

    A genitive within it is not moved out: *dojazd zwrot kosztów* would not be understood.
    """
    topic = noun_phrase(query, tokens[start:])
    if topic is None or not topic.is_whole or len(topic.parse.groups) > 1 or topic.number("gen") is None:
        return None
    if topic.gender == "m1":
        return None  # kandydaci okres przechowywania reads as if the candidates did it
    after = topic.parse.head.head + 1
    own = {index for index, _ in topic.parse.head.adjectives}
    within = topic.tokens[after] if after < len(topic.tokens) and after not in own else None
    if within is not None and not within.text.isupper() and adjective_readings(within.text):
        return None  # ryzyka zawodowego magazyniera
    # An adjective at the seam could go with either noun.
    if any(adjective_readings(token.text) for token in tokens[start - 1 : start + 1]):
        return None
    return start, topic
