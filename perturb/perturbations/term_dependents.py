"""Words further right that depend on a word inside a term: *korekta* faktury *wystawionej na złego nabywcę*."""

from __future__ import annotations

from perturb.polish.government import preposition_cases
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import ACCUSATIVE, NOMINATIVE, VOCATIVE
from perturb.polish.phrases.syntax import Word

_FUNCTION = frozenset({"conj", "comp", "part", "prep", "adv", "inf", "fin", "praet"})


def dependents(query: ParsedQuery, first: int, last: int, after: int) -> list[tuple[int, int]]:
    """Adjectives and participles after a term that agree with a word of it and with no noun between.

    Args:
        query: the query.
        first: first token of the term.
        last: its last token.
        after: first token after it and the adjectives that stand beside it.

    Returns:
        Index of each such word, and of the word of the term it agrees with.
    """
    words = query.looked_up
    found: list[tuple[int, int]] = []
    for index in range(after, len(words)):
        word = words[index]
        if not word.adjectives or word.is_preposition or word.pos & {"fin", "inf"} or _has_noun_after(words, index):
            continue
        for at in range(index - 1, first - 1, -1):
            if words[at].is_preposition:
                continue
            if _agree(word, words[at], _cells(query, words, at) if at > last else ~VOCATIVE):
                found += [(index, at)] if at <= last else []
                break
    return found


def _cells(query: ParsedQuery, words: tuple[Word, ...], at: int) -> int:
    """Cells of a noun between: in *szkolenie z ochrony danych* obowiązkowe the protection is not obligatory."""
    start = at
    while start > 1 and words[start - 1].adjectives and not words[start - 1].is_preposition:
        start -= 1
    before = words[start - 1]
    if before.pos & {"fin", "inf", "praet", "conj"} or before.text == ",":
        return ~VOCATIVE
    governed = "acc" in preposition_cases(query.tokens, start)
    return ~(NOMINATIVE | VOCATIVE) if governed else ~(NOMINATIVE | ACCUSATIVE | VOCATIVE)


def _has_noun_after(words: tuple[Word, ...], index: int) -> bool:
    """Whether the noun of an adjective stands right after it, or after further adjectives: *nowego dużego klienta*."""
    for following in words[index + 1 :]:
        if following.pos & _FUNCTION or following.is_preposition:
            return False
        if _agree(words[index], following, ~VOCATIVE):
            return True
        if not following.adjectives:
            return False
    return False


def _agree(adjective: Word, noun: Word, cells: int) -> bool:
    return any(
        reading.masks[other.noun.gender_index] & other.mask & cells
        for reading in adjective.adjectives
        for other in noun.nouns
    )
