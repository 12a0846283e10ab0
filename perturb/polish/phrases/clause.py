"""What a query is as a whole: a noun phrase that stands free, or a clause with a verb."""

from __future__ import annotations

from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.find import NounPhrase
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.obstacles import RELATIVE_CLAUSE

QUESTION_OPENERS = word_class("question_opener")


def has_clause(query: ParsedQuery, end: int) -> bool:
    """Whether a verb form or a question word stands in the main clause, so that its phrases depend on a sentence.

    Args:
        query: the query.
        end: one past the last token of its first phrase; what follows a comma there is a clause of its own.
    """
    last = end if end < len(query.tokens) and query.tokens[end].text == "," else len(query.tokens)
    return any(query.verbs[index] or query.tokens[index].lower in QUESTION_OPENERS for index in range(last))


def number_of(phrase: NounPhrase) -> str:
    """The number of a phrase as it is written; a free phrase is taken to be in the nominative. Empty if unclear."""
    numbers = set(phrase.numbers)
    if len(numbers) > 1 and phrase.governor.kind == "none":
        numbers = {number for number, case in phrase.cells if case == "nom"} or numbers
    return numbers.pop() if len(numbers) == 1 else ""


def _stands_beside_another(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether another phrase in the nominative follows without a mark between, or *a* sets two against each other."""
    inside = [token.lower for token in query.tokens[phrase.start : phrase.end]]
    if "a" in inside and not {"między", "pomiędzy"} & set(inside):
        return True
    return phrase.end > phrase.start + 1 and any(
        other.start == phrase.end and other.governor.kind == "none" and "nom" in other.cases and not other.obstacle
        for other in query.noun_phrases
    )


def free_phrase(query: ParsedQuery, min_confidence: float) -> NounPhrase | None:
    """The noun phrase a query begins with, if nothing governs it; otherwise the query notes why there is none."""
    phrases = query.noun_phrases
    if not phrases:
        query.decline("no noun phrase")
        return None
    first = phrases[0]
    if first.governor.kind != "none" or any(token.kind == "word" for token in query.tokens[: first.start]):
        query.decline("no phrase that stands free")
    elif has_clause(query, first.end):
        query.decline("phrases depend on a sentence")
    elif _stands_beside_another(query, first):
        query.decline("keywords side by side")
    elif first.obstacle and first.obstacle != RELATIVE_CLAUSE:
        query.decline(first.obstacle)
    elif first.confidence < min_confidence:
        query.decline("parse not sure enough")
    else:
        return first
    return None
