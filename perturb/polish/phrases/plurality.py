"""What stands against putting a noun phrase of a query into the other number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from perturb.polish.phrases.clause import has_clause, is_transparent, number_of
from perturb.polish.phrases.countability import fixed_phrases, is_thing, names_action, number_can_change
from perturb.polish.phrases.free_number import bound_in_number, is_countable
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.syntax import Word

if TYPE_CHECKING:
    from perturb.polish.parsed import ParsedQuery
    from perturb.polish.phrases.find import NounPhrase

_TIME_AND_PLACE = frozenset(["czas", "termin", "okres"])
_ONE_EACH = word_class("one_each")
"""Things of which one person or one matter has one: *urlop*, *konto*, *mieszkanie*."""

_ONE_THING = word_class("one_thing_preposition")
"""Prepositions that tie one thing to another: *bez paragonu*, *przez bank*, *poniżej minimum*."""

_OPEN_GOALS = word_class("open_goal")
"""Nouns beside which several goals make sense: *brak dostępu do folderów*, *dostawa do paczkomatów*."""

_ORDINALS = word_class("singling_out")
_IDENTIFIERS = ("nr ", "numer ", "„", '"', "«", "“")
_MARKS = (" sygn", " sp. z o", " s.a.", " z dnia ")
"""What names one document or one company."""


def number_obstacle(query: ParsedQuery, phrase: NounPhrase, tails: bool) -> str:
    """Why a phrase keeps its number, in a few words; empty if nothing stands against the other one.

    Args:
        query: the query.
        phrase: one of its phrases.
        tails: genitives that depend on a verbal noun may change, too.
    """
    if not all(is_countable(group.noun.lemma, group.noun.gender) for group in phrase.parse.groups):
        return "not known to be countable"
    number = number_of(phrase)
    if not number:
        return "number of the phrase unclear"
    target = "pl" if number == "sg" else "sg"
    return (
        _place_obstacle(query, phrase, target, tails)
        or _meaning_obstacle(query, phrase, target)
        or _reference_obstacle(query, phrase, target)
        or bound_in_number(query, phrase, target)
    )


def _meaning_obstacle(query: ParsedQuery, phrase: NounPhrase, target: str) -> str:
    groups = phrase.parse.groups
    if not all(number_can_change(g.noun.lemma, g.noun.kind, target) for g in groups):
        return "uncountable"
    noun = phrase.parse.head.noun
    action = names_action(noun.lemma, noun.kind) and not is_thing(noun.lemma)
    if target == "pl" and action and _genitive_follows(query, phrase):
        return "an action, not a thing"
    if target == "sg" and _joins_qualities(query, phrase):
        return "several qualities need the plural"
    if target == "pl" and any(a.lexeme.split(":")[0] in _ORDINALS for g in groups for _, a in g.adjectives):
        return "singled out from others"
    if target == "sg" and any(a.lexeme == "wszystek" for g in groups for _, a in g.adjectives):
        return "all of them are meant"
    if any(a.degree == "sup" for g in groups for _, a in g.adjectives):
        return "singled out from others"
    return ""


def _reference_obstacle(query: ParsedQuery, phrase: NounPhrase, target: str) -> str:
    if _identified(query, phrase, target):
        return "a number or code names the one thing meant"
    if _ends_elliptically(query, phrase):
        return "an adjective without its noun follows"
    if any(_is_named_again(phrase, other) for other in query.noun_phrases):
        return "named again later"
    return ""


def _is_named_again(phrase: NounPhrase, other: NounPhrase) -> bool:
    """Whether another phrase has the same noun: *przekształcić umowę na czas określony w umowę na stałe*."""
    return other.lemma == phrase.lemma and other.start != phrase.start


def _place_obstacle(query: ParsedQuery, phrase: NounPhrase, target: str, tails: bool) -> str:
    governor = phrase.governor
    if governor.lemma in ("między", "pomiędzy"):
        return "one of two things compared"
    if phrase.start and is_fixed(query, phrase):
        return "fixed expression"
    if target == "pl" and phrase.start and phrase.lemma in _ONE_EACH and governor.kind in ("verb", "preposition"):
        return "one each"
    if target == "pl" and governor.kind == "preposition" and _tied_to_one(query, phrase):
        return "bound to one thing"
    if target == "sg" and governor.lemma == "do" and _names_kind(query, phrase):
        return "a plural names the kind"
    if governor.kind == "noun" and not (tails and _follows_verbal_noun(query, phrase)):
        return "part of a larger phrase"
    opens = is_transparent(query.tokens[: phrase.start])
    if governor.kind == "none" and not opens and not phrase.clause_subject:
        return "nothing tells its case"
    return ""


def is_fixed(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether a preposition and this noun belong together: *w razie*."""
    before = query.tokens[phrase.start - 1].lower
    return f"{before} {query.tokens[phrase.head].lower}" in fixed_phrases()


def _tied_to_one(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether a phrase after a preposition belongs to one event or thing, so that there is one of it, too."""
    first = query.noun_phrases[0]
    before = phrase.governor.token - 1
    if before >= 0 and _is_singular_participle(query.looked_up[before]):
        return True
    if first is phrase or first.numbers == {"pl"}:
        return False
    preposition = phrase.governor.lemma
    if preposition in _ONE_THING or (preposition in ("z", "ze") and phrase.cases == {"gen"}):
        return True
    if has_clause(query, first.end) or first.start > 0:
        return False
    noun = first.parse.head.noun
    goal = preposition in ("do", "o") or (preposition == "na" and phrase.cases == {"acc"})
    return (
        goal
        and noun.lemma not in _OPEN_GOALS
        and not (names_action(noun.lemma, noun.kind) and not is_thing(noun.lemma))
    )


def _names_kind(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether a plural behind *do* says what a thing is for: *drukarka do etykiet*."""
    first = query.noun_phrases[0]
    action = names_action(first.lemma, first.parse.head.noun.kind)
    return first is not phrase and not first.start and first.numbers == {"sg"} and not action


def _is_singular_participle(word: Word) -> bool:
    return any(a.adjective.kind == "ppas" and a.any_mask & 0b1111111 for a in word.adjectives)


def _joins_qualities(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether a conjunction stands between the adjectives of one noun: *warunki techniczne i prawne*."""
    first, last = min((phrase.head, *phrase.agreeing)), max((phrase.head, *phrase.agreeing))
    joined = any(token.lower in ("i", "oraz", "lub", "albo", ",") for token in query.tokens[first:last])
    return joined and len(phrase.parse.groups) == 1


def _ends_elliptically(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether the tail ends in an adjective that speaks of the noun: *wymiana kół na zimowe*."""
    return any(
        word.is_preposition
        and after.adjectives
        and not after.nouns
        and (last or not (beyond.nouns or beyond.adjectives))
        for word, after, beyond, last in _triples(query.looked_up[phrase.tail[0] : phrase.tail[1]])
    )


def _triples(words: tuple[Word, ...]) -> Iterator[tuple[Word, Word, Word, bool]]:
    for index in range(len(words) - 1):
        last = index + 2 >= len(words)
        yield words[index], words[index + 1], words[min(index + 2, len(words) - 1)], last


def _identified(query: ParsedQuery, phrase: NounPhrase, target: str) -> bool:
    """Whether a number, a code, a name in quotes or a company form says which one is meant: *faktura FV/12/2026*."""
    following = max((phrase.head, *phrase.agreeing)) + 1
    if following >= len(query.tokens):
        return False
    token = query.tokens[following]
    code = token.kind == "code" and any(c.isdigit() for c in token.text) and len(token.text) > 3
    if token.kind == "number" or code:
        return True
    clause = query.text[token.start :].lower().split("?")[0]
    return target == "pl" and (clause.startswith(_IDENTIFIERS) or any(mark in clause for mark in _MARKS))


def _genitive_follows(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether the tail begins with a genitive."""
    start = phrase.tail[0]
    return any(other.start == start and other.governor.kind == "noun" for other in query.noun_phrases)


def _follows_verbal_noun(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether the genitive is what a verbal noun acts upon, not its owner or its kind."""
    if phrase.numbers != {"sg"} and phrase.numbers != {"pl"}:
        return False
    for other in query.noun_phrases:
        if other.head + 1 == phrase.start or (other.agreeing and max(other.head, *other.agreeing) + 1 == phrase.start):
            noun = other.parse.head.noun
            return names_action(noun.lemma, noun.kind) and phrase.gender != "m1" and phrase.lemma not in _TIME_AND_PLACE
    return False
