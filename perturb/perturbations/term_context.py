"""What stands around a term of the lexicon: words that give it another sense, or that repeat it."""

from __future__ import annotations

import re

from perturb.perturbations.term_pairs import TermPair
from perturb.polish.government import is_preposition
from perturb.polish.morphology import lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import GENITIVE
from perturb.polish.phrases.words import noun_readings
from perturb.polish.terms import TermMatch, noun_cells
from perturb.polish.text import Token

_NEAR = 2
_PRONOUNS = frozenset({"jego", "jej", "ich", "nim", "nią", "niego", "niej", "nich", "nimi"})
_SENTENCE_BEFORE = frozenset({".", "?", "!", ":", ";", "–", "-", "(", "…", "•", "*"})


def is_barred(query: ParsedQuery, match: TermMatch, pair: TermPair, *, governed: bool = False) -> bool:
    """Whether a neighbour gives the Polish term another sense, or capitals make it a name.

    Args:
        query: the query.
        match: the Polish term.
        pair: the two terms.
        governed: the word before belongs to the same English phrase (*payment deadline*), so that it bars nothing.
    """
    if _is_name(query, match) or _is_referred_to(query, match):
        return True
    if match.end < len(query.tokens) and not pair.takes_complement:
        following = query.tokens[match.end]
        if following.kind == "word" and not is_preposition(following) and noun_cells(following.text) & GENITIVE:
            return True
    if pair.required and not pair.required & _lemmas_near(query, match):
        return True
    return has_barred_neighbour(query, match.start, match.end, pair, before=not governed)


def _is_name(query: ParsedQuery, match: TermMatch) -> bool:
    """Whether a capital in the middle of a sentence marks a name: the system *Zgłoszenia*, the *Kodeks Dostawcy*."""
    if query.text.isupper() or match.pattern.text[:1].isupper():
        return False
    for index, token in enumerate(query.tokens[match.start : match.end], match.start):
        begins = index == 0 or query.tokens[index - 1].text in _SENTENCE_BEFORE
        if token.text[:1].isupper() and not token.text.isupper() and not begins:
            return True
    return False


def _is_referred_to(query: ParsedQuery, match: TermMatch) -> bool:
    """Whether a pronoun after a term may mean a noun inside it: *ocena dostawcy* w jego zakładzie."""
    inside = any(index for index, _, _ in match.pattern.frozen)
    return inside and any(token.lower in _PRONOUNS for token in query.tokens[match.end :])


def has_barred_neighbour(query: ParsedQuery, start: int, end: int, pair: TermPair, *, before: bool = True) -> bool:
    """Whether the word before (if wanted) or after some tokens is one that the lexicon bars beside the term."""
    if not pair.barred:
        return False
    neighbours = (*query.tokens[max(start - before, 0) : start], *query.tokens[end : end + 1])
    return any(_names(token) & pair.barred for token in neighbours)


def _lemmas_near(query: ParsedQuery, match: TermMatch) -> set[str]:
    """Lemmas of the two words before and after a term."""
    near = (*query.tokens[max(match.start - _NEAR, 0) : match.start], *query.tokens[match.end : match.end + _NEAR])
    return {name for token in near for name in _names(token)}


def _names(token: Token) -> set[str]:
    return {token.lower, *lemmas(token.lower), *(reading.noun.lemma for reading in noun_readings(token.lower))}


def stands_already(query: ParsedQuery, start: int, end: int, english: str) -> bool:
    """Whether a word of an English term stands in the query outside some tokens: *premie i bonusy*, *system w ERP*."""
    others = [token.lower for index, token in enumerate(query.tokens) if not start <= index < end and token.is_word]
    words = re.findall(r"\w{2,}", english.lower())
    return any(other == word or (len(word) > 3 and other.startswith(word)) for word in words for other in others)
