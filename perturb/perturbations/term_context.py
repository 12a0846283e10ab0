"""What stands around a term of the lexicon: words that give it another sense, or that repeat it."""

from __future__ import annotations

import re
from functools import lru_cache

from perturb.perturbations.term_pairs import TermPair
from perturb.polish.government import is_preposition
from perturb.polish.morphology import analyse, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import GENITIVE, SINGULAR
from perturb.polish.phrases.words import adjective_readings, noun_readings
from perturb.polish.terms import TermMatch, noun_cells
from perturb.polish.text import Token
from perturb.resources import read_table

_NEAR = 2
_PRONOUNS = frozenset({"jego", "jej", "ich", "nim", "nią", "niego", "niej", "nich", "nimi"})
_QUOTES = frozenset('„”"«»')
_COUNTING = frozenset(
    {"liczba", "kilka", "parę", "wiele", "kilkanaście", "kilkadziesiąt", "ile", "każdy", "jaki", "który"}
)
_UNITS = frozenset({"dzień", "tydzień", "miesiąc", "godzina", "doba", "rok", "kwartał"})
_STRETCHING = frozenset(
    (
        "skrócenie",
        "skrócić",
        "skracać",
        "wydłużenie",
        "wydłużyć",
        "wydłużać",
        "wydłużony",
        "skrócony",
        "długi",
        "krótki",
        "liczony",
        "liczyć",
        "biec",
    )
)
_PAYING = frozenset({"płatność", "zapłata"})
_LONG = ("dniowy", "dniowego", "dniowym", "dniowemu", "dniowe", "dniowych")
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
    if _is_repeated(query, match) or _is_duration(query, match, pair) or _is_counted(query, match, pair):
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
    if match.pattern.verb >= 0 or match.end >= len(query.tokens):
        return False
    following = query.tokens[match.end]
    ends_in_noun = any(index == match.end - match.start - 1 for index, _, _ in match.pattern.frozen)
    if ends_in_noun and (_is_called(query, match.end) or (pair.ends_open and following.kind == "number")):
        return True
    if following.kind == "number" and not pair.takes_adjective:
        return True  # zamówienie 200 sztuk
    if following.kind != "word" or is_preposition(following):
        return False
    last = query.tokens[match.end - 1]
    if noun_cells(following.text) and any(reading.pos == "pact" for reading in analyse(last.text)):
        return True  # its object: faktura korygująca zaliczkę
    agrees = _agrees(following.text, match)
    complement = _has_complement(query, match)
    if complement and (not pair.takes_complement or (ends_in_noun and not pair.ends_open)):
        return True
    if pair.tails and (complement or agrees) and not _is_usual_tail(following, pair):
        return True
    return not pair.takes_adjective and agrees


def _has_complement(query: ParsedQuery, match: TermMatch) -> bool:
    """Whether a genitive follows a term, after adjectives of the term if any: *reklamacja* jakościowa partii."""
    at = match.end
    while at + 1 < len(query.tokens) and _agrees(query.tokens[at].text, match):
        at += 1
    token = query.tokens[at]
    return token.kind == "word" and not is_preposition(token) and bool(noun_cells(token.text) & GENITIVE)


def _is_usual_tail(token: Token, pair: TermPair) -> bool:
    """Whether a term keeps its sense before a word: one of those listed, an acronym (*zespół IT*) or a participle."""
    if token.text[:2].isupper() or _names(token.lower) & pair.tails:
        return True
    return any(reading.pos in ("ppas", "pact", "fin", "praet", "conj", "comp") for reading in analyse(token.text))


def _is_called(query: ParsedQuery, index: int) -> bool:
    """Whether a name begins at a token, as of the noun a term ends in: *kierownik projektu* Nowa Hala."""
    token = query.tokens[index]
    if token.shielded or token.kind == "code" or token.text in _QUOTES:
        return True
    return token.text[:1].isupper() and not query.text.isupper()


def _is_repeated(query: ParsedQuery, match: TermMatch) -> bool:
    """Whether the head of a term stands elsewhere too: the two would be at odds, *invoice* a faktura zaliczkowa."""
    if match.pattern.verb >= 0:
        return False
    return match.pattern.head.lexeme.split(":")[0].lower() in _lemmas_elsewhere(query, match)


def _is_duration(query: ParsedQuery, match: TermMatch, pair: TermPair) -> bool:
    """Whether a term that English takes for a day is a length of time: *skrócenie terminu* do 14 dni."""
    if not pair.is_date:
        return False
    near = query.tokens[max(match.start - _NEAR, 0) : match.end + 1]
    if any(token.lower.endswith(_LONG) for token in near):
        return True
    rest = _lemmas_elsewhere(query, match) | {token.lower for token in query.tokens[match.start : match.end]}
    if rest & _STRETCHING and rest & _PAYING:
        return True
    return any(_is_length(query, index) for index in range(1, len(query.tokens)))


def _is_length(query: ParsedQuery, index: int) -> bool:
    """Whether a token is the unit of a length of time, not of a distance: *o 2 tygodnie*, 3 dni *przed terminem*."""
    if not _names(query.tokens[index].lower) & _UNITS or not _is_number(query.tokens[index - 1]):
        return False
    before = query.tokens[index - 2].lower if index > 1 else ""
    after = query.tokens[index + 1].lower if index + 1 < len(query.tokens) else ""
    return before != "o" and after not in ("przed", "po")


def _is_number(token: Token) -> bool:
    return token.kind == "number" or any(reading.pos in ("num", "numcomp") for reading in analyse(token.text))


def _is_counted(query: ParsedQuery, match: TermMatch, pair: TermPair) -> bool:
    """Whether a counting word stands before a term for which English has a mass noun: *liczba* nadgodzin."""
    if pair.number != "sg" or match.mask & SINGULAR or not match.start:
        return False
    return is_counting(query.tokens[match.start - 1])


def is_counting(token: Token) -> bool:
    """Whether a word counts the noun after it: *ile* reklamacji, *liczba* nadgodzin, 12 zgłoszeń."""
    return _is_number(token) or bool(_names(token.lower) & _COUNTING)


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
    """Whether a pronoun after a term may mean a noun inside it: *ocena dostawcy*, który …, w jego zakładzie."""
    inside = any(index for index, _, _ in match.pattern.frozen)
    if inside and any(token.lower.startswith("któr") for token in query.tokens[match.end : match.end + 3]):
        return True
    return inside and any(token.lower in _PRONOUNS for token in query.tokens[match.end :])


def has_barred_neighbour(query: ParsedQuery, start: int, end: int, pair: TermPair, *, before: bool = True) -> bool:
    """Whether the word before (if wanted) or after some tokens is one that the lexicon bars beside the term."""
    if not pair.barred:
        return False
    following = query.tokens[end].text if end < len(query.tokens) else ""
    if "NAME" in pair.barred and following[:1].isupper() and not following[:2].isupper():
        return True  # zespół Aspergera
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
