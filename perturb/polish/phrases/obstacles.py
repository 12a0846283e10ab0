"""Why a noun phrase of a query is left alone: counted, pointed at, protected, a name, referred back to."""

from __future__ import annotations

from collections.abc import Sequence

from perturb.polish.phrases.govern import COUNTING, POINTING, has_subject_before
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.parse import Parse
from perturb.polish.phrases.shapes import GENITIVE, INSTRUMENTAL, NOMINATIVE, Governor
from perturb.polish.phrases.syntax import Word
from perturb.polish.text import Token

DEMONSTRATIVE = "demonstrative or question word beside it"

RELATIVE_CLAUSE = "a relative clause depends on it"
"""The obstacle that bars another number, but no other case."""

PREDICATE = "predicate of a sentence"
"""The obstacle of what *być* joins to a subject, which is the subject itself after *czy potrzebne jest*."""

_COPULAS = frozenset({"być", "bywać", "zostać", "pozostać"})
_PERSONAL_NAMES = frozenset({"imię", "nazwisko"})
_NOT_ANAPHORIC = word_class("not_anaphoric")
_LEAST_WORD = 3
"""A word longer than this in lower case shows that the query is not written in title case."""


def obstacle(
    tokens: Sequence[Token], words: Sequence[Word], span: tuple[int, int], parse: Parse, governor: Governor
) -> str:
    """What stands against changing a phrase, in a few words; empty if nothing does.

    Args:
        tokens: all tokens of the query.
        words: their readings.
        span: first token of the phrase, and one past its last.
        parse: how it is parsed.
        governor: what governs it.
    """
    start, end = span
    inflected = [start + i for g in parse.groups for i in (g.head, *(index for index, _ in g.adjectives))]
    first, last = min(inflected), max(inflected)
    before = tokens[start - 1].lower if start else ""
    if governor.kind == "numeral" or any(words[i].is_numeral for i in range(start, first)):
        return "counted by a numeral"
    if any(tokens[i].protected for i in inflected):
        return "protected words"
    if any(group.noun.proper for group in parse.groups) or _looks_like_name(tokens, words, inflected):
        return "proper name"
    if before in POINTING or before in COUNTING or any(tokens[i].lower in POINTING for i in inflected):
        return DEMONSTRATIVE
    if governor.kind == "verb" and governor.lemma in _COPULAS and _is_predicate(tokens, words, parse, governor):
        return PREDICATE
    if _capital_before(tokens, words, start - 1) or _name_after(tokens, words, last + 1):
        return "proper name beside it"
    if any("ppron3" in word.pos and word.lower not in _NOT_ANAPHORIC for word in words[end:]):
        return "a pronoun refers back"
    return RELATIVE_CLAUSE if _relative_clause_at(tokens, end) else ""


def _is_predicate(tokens: Sequence[Token], words: Sequence[Word], parse: Parse, governor: Governor) -> bool:
    """Whether *być* joins the phrase to a subject; after *gdzie jest* and the like it is the subject itself."""
    if parse.mask & INSTRUMENTAL or not parse.mask & NOMINATIVE:
        return True
    before = {token.lower for token in tokens[: governor.token]}
    return "kto" in before or "to" in before or has_subject_before(tokens, words, governor.token)


def _relative_clause_at(tokens: Sequence[Token], end: int) -> bool:
    """Whether a relative pronoun, with or without a preposition or the comma due, comes right after the phrase."""
    following = [token.lower for token in tokens[end : end + 4]]
    if following[:1] == [","]:
        return any(word.startswith("któr") for word in following[1:])
    return any(word.startswith("któr") for word in following[:2])


def _looks_like_name(tokens: Sequence[Token], words: Sequence[Word], inflected: Sequence[int]) -> bool:
    """A capital amid lower-case words, or on a first word beside which another noun or a company form stands."""
    for index in inflected:
        text = tokens[index].text
        if not text[:1].isupper() or (len(text) > 1 and text.isupper()):
            continue
        if any(other.text[:1].islower() and len(other.text) > _LEAST_WORD for other in tokens[:index]):
            return True
        if index == 0 and len(inflected) == 1 and len(tokens) > 1 and _stands_apart(tokens[1], words[1]):
            return True
    return False


def _stands_apart(token: Token, word: Word) -> bool:
    """Whether the second word makes a name of the first: a company form, or a noun in the nominative."""
    if token.kind == "abbreviation" or token.lower == "sp":
        return True
    nominative = any(r.mask & NOMINATIVE and not r.mask & GENITIVE for r in word.nouns[:1])
    return nominative and word.text.islower() and not word.adjectives


def _capital_before(tokens: Sequence[Token], words: Sequence[Word], index: int) -> bool:
    """Whether a capitalised word stands before the phrase, other than at the beginning of the query."""
    return index > 0 and _is_capitalised(tokens[index]) and not words[index].is_preposition


def _name_after(tokens: Sequence[Token], words: Sequence[Word], index: int) -> bool:
    """Whether the name of a person follows."""
    if index >= len(tokens) or not _is_capitalised(tokens[index]):
        return False
    return any(reading.noun.proper and reading.noun.names & _PERSONAL_NAMES for reading in words[index].nouns)


def _is_capitalised(token: Token) -> bool:
    return token.kind == "word" and token.text[:1].isupper() and not token.text.isupper()
