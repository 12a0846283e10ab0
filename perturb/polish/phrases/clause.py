"""What a query is as a whole: a noun phrase that stands free, or a clause with a verb."""

from __future__ import annotations

from collections.abc import Sequence

from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.find import NounPhrase
from perturb.polish.phrases.keywords import stands_beside_another
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.obstacles import RELATIVE_CLAUSE
from perturb.polish.phrases.shapes import CELLS
from perturb.polish.text import Token

_INTERVALS = frozenset(["rok", "miesiąc", "tydzień", "dzień", "kwartał", "godzina"])
_TRANSPARENT = word_class("transparent_abbreviation")
_STATES = word_class("state_adjective")
"""Adjectives that behind their noun say what has become of it, and do not tell which one is meant."""

_TO_WHOM = frozenset(["mi", "ci", "nam", "wam", "mu", "im"])
_MASCULINE = 2
"""Place of the inanimate masculine among the genders of an adjective."""

QUESTION_OPENERS = word_class("question_opener")


def is_transparent(tokens: Sequence[Token]) -> bool:
    """Whether words before a phrase leave it as it is: none, or *tzw.*, *np.*, *m.in.*; *nr* is a noun of its own."""
    return all(token.kind == "symbol" or token.lower.rstrip(".") in _TRANSPARENT for token in tokens)


def has_clause(query: ParsedQuery, end: int) -> bool:
    """Whether a verb form or a question word stands in the main clause, so that its phrases depend on a sentence.

    Args:
        query: the query.
        end: one past the last token of its first phrase; what follows a comma there is a clause of its own.
    """
    last = end if end < len(query.tokens) and query.tokens[end].text == "," else len(query.tokens)
    return any(query.verbs[index] or _opens_question(query, index) for index in range(last))


def _opens_question(query: ParsedQuery, index: int) -> bool:
    """Whether a question word stands at an index; *co* before a stretch of time is none: *przegląd co dwa lata*."""
    word = query.tokens[index].lower
    if word != "co" or index + 1 >= len(query.tokens):
        return word in QUESTION_OPENERS
    following = query.looked_up[index + 1]
    return not following.is_numeral and not any(reading.noun.lemma in _INTERVALS for reading in following.nouns)


def number_of(phrase: NounPhrase) -> str:
    """The number of a phrase as it is written; a free phrase is taken to be in the nominative. Empty if unclear."""
    if len(phrase.cells) == len(CELLS):
        return "sg"  # nothing about it ever changes: *cash flow na cały rok*
    numbers = set(phrase.numbers)
    if len(numbers) > 1 and phrase.governor.kind == "none":
        numbers = {number for number, case in phrase.cells if case == "nom"} or numbers
    return numbers.pop() if len(numbers) == 1 else ""


def _is_set_against_another(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether *a* sets two things against each other inside the phrase."""
    inside = [token.lower for token in query.tokens[phrase.start : phrase.end]]
    return "a" in inside and not {"między", "pomiędzy"} & set(inside)


def is_said_of_it(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether a verb is left out: *skrzynka pełna*, *potrzebny mi nowy monitor*.

    Args:
        query: the query.
        phrase: its first phrase.
    """
    last = max((phrase.head, *phrase.agreeing))
    if phrase.head < last == len(query.tokens) - 1:
        lexemes = {a.adjective.lexeme.split(":")[0] for a in query.looked_up[last].adjectives}
        if lexemes & _STATES or {_masculine(query, last)} & _STATES:
            return True
    return any(token.lower in _TO_WHOM for token in query.tokens[phrase.start : phrase.end])


def _masculine(query: ParsedQuery, index: int) -> str:
    """An adjective or participle in the nominative masculine, as the lexicon lists it."""
    for reading in query.looked_up[index].adjectives:
        forms = reading.adjective.forms[_MASCULINE][0]
        if forms:
            return forms[0]
    return ""


def free_phrase(query: ParsedQuery, min_confidence: float, in_list: bool = False) -> NounPhrase | None:
    """The noun phrase a query begins with, if nothing governs it; otherwise the query notes why there is none.

    Args:
        query: the query.
        min_confidence: the least confidence of its parse.
        in_list: also if it is the first of several keywords side by side.
    """
    asked = (min_confidence, in_list)
    if asked not in query.free_phrases:
        reason = _bound(query, min_confidence, in_list)
        query.free_phrases[asked] = (None if reason else query.noun_phrases[0], reason)
    phrase, reason = query.free_phrases[asked]
    if reason:
        query.decline(reason)
    return phrase


def _bound(query: ParsedQuery, min_confidence: float, in_list: bool) -> str:
    """Why a query does not begin with a free noun phrase; empty if it does."""
    if not query.noun_phrases:
        return "no noun phrase"
    first = query.noun_phrases[0]
    if first.governor.kind != "none" or not is_transparent(query.tokens[: first.start]):
        return "no phrase that stands free"
    if has_clause(query, first.end) or is_said_of_it(query, first):
        return "phrases depend on a sentence"
    if _is_set_against_another(query, first) or (not in_list and stands_beside_another(query, first)):
        return "keywords side by side"
    if first.obstacle and first.obstacle != RELATIVE_CLAUSE:
        return first.obstacle
    return "parse not sure enough" if first.confidence < min_confidence else ""
