"""What stands around a term of the lexicon: words that give it another sense, or that repeat it."""

from __future__ import annotations

import re
from functools import lru_cache

from perturb.perturbations.term_pairs import TermPair
from perturb.polish.government import is_preposition
from perturb.polish.morphology import analyse, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import GENITIVE
from perturb.polish.phrases.words import adjective_readings, noun_readings
from perturb.polish.terms import TermMatch, noun_cells
from perturb.resources import read_table

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
    if _is_name(query, match) or _is_referred_to(query, match) or _has_wrong_tail(query, match, pair):
        return True
    if pair.required and not pair.required & _lemmas_near(query, match):
        return True
    if _is_elsewhere(query, match, pair):
        return True
    return has_barred_neighbour(query, match.start, match.end, pair, before=not governed)


@lru_cache(maxsize=1)
def _everyday_words() -> frozenset[str]:
    """Words that put a query outside the office, where its English is out of place."""
    return frozenset(row["lemma"] for row in read_table("everyday_contexts.tsv"))


def _is_elsewhere(query: ParsedQuery, match: TermMatch, pair: TermPair) -> bool:
    """Whether the rest of the query puts a term where its English counterpart is not used."""
    rest = _lemmas_elsewhere(query, match)
    if not pair.everyday and not rest.isdisjoint(_everyday_words()):
        return True
    return bool(pair.unwanted & rest) or bool(pair.wanted and not pair.wanted & rest)


def _has_wrong_tail(query: ParsedQuery, match: TermMatch, pair: TermPair) -> bool:
    """Whether the word after a term is a part of a longer Polish term: *faktura sprzedaży*, *awaria systemu* ERP."""
    if match.end >= len(query.tokens):
        return False
    following = query.tokens[match.end]
    if following.kind != "word" or is_preposition(following):
        return False
    ends_in_noun = any(index == match.end - match.start - 1 for index, _, _ in match.pattern.frozen)
    complement = bool(noun_cells(following.text) & GENITIVE)
    last = query.tokens[match.end - 1]
    if noun_cells(following.text) and any(reading.pos == "pact" for reading in analyse(last.text)):
        return True  # its object: faktura korygująca zaliczkę
    if complement and (not pair.takes_complement or (ends_in_noun and not pair.ends_open)):
        return True
    if ends_in_noun and not pair.ends_open and following.text[:1].isupper() and not query.text.isupper():
        return True
    return not pair.takes_adjective and _agrees(following.text, match)


def _agrees(word: str, match: TermMatch) -> bool:
    """Whether a word is an adjective that can agree with a term."""
    gender = match.pattern.head.gender_index
    return any(reading.masks[gender] & match.mask for reading in adjective_readings(word.lower()))


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
    return any(_names(token.lower) & pair.barred for token in neighbours)


def _lemmas_near(query: ParsedQuery, match: TermMatch) -> set[str]:
    """Lemmas of the two words before and after a term."""
    near = (*query.tokens[max(match.start - _NEAR, 0) : match.start], *query.tokens[match.end : match.end + _NEAR])
    return {name for token in near for name in _names(token.lower)}


def _lemmas_elsewhere(query: ParsedQuery, match: TermMatch) -> set[str]:
    """Lemmas of all words of a query outside a term."""
    rest = (*query.tokens[: match.start], *query.tokens[match.end :])
    return {name for token in rest if token.is_word for name in _names(token.lower)}


@lru_cache(maxsize=65536)
def _names(word: str) -> frozenset[str]:
    return frozenset({word, *lemmas(word), *(reading.noun.lemma for reading in noun_readings(word))})


def stands_already(query: ParsedQuery, start: int, end: int, english: str) -> bool:
    """Whether a word of an English term stands in the query outside some tokens: *premie i bonusy*, *system w ERP*."""
    others = [token.lower for index, token in enumerate(query.tokens) if not start <= index < end and token.is_word]
    words = re.findall(r"\w{2,}", english.lower())
    return any(other == word or (len(word) > 3 and other.startswith(word)) for word in words for other in others)
