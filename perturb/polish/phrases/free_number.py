"""Whether a noun phrase is free in number: a countable thing that nothing beside it holds to one or to several.

Precision comes first: only nouns known to be countable change, at the head of a free phrase, as the subject or object
of a verb, or as what a verbal noun acts upon. What belongs to one place or owner keeps its number, since the other
number would speak of several places or of several things in the one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from perturb.polish.phrases.countability import is_thing, names_action
from perturb.polish.phrases.govern import verb_readings
from perturb.polish.phrases.keywords import stands_beside_another
from perturb.polish.phrases.lexicons import word_class

if TYPE_CHECKING:
    from perturb.polish.parsed import ParsedQuery
    from perturb.polish.phrases.find import NounPhrase

_DOCUMENTS = word_class("countable_document")
"""Documents, requests, payments, messages and countable acts: independent of the place where they are found."""

_OBJECTS = word_class("countable_object")
"""Things, devices and goods."""

_PARTS = word_class("countable_part")
"""What belongs to one place, thing or owner, such as *okno*, *adres*, *hasło*: free only where none is named."""

_AGENTS = word_class("countable_agent")
"""Institutions, which stand for their kind as subjects only."""

_PERSONS = word_class("countable_person")
"""Persons that are no masculine nouns; those of masculine personal gender all count."""

_UNIQUE = word_class("unique_person")
"""Persons of whom somebody or something has one, such as *szef* and *prezes*."""

_CLAUSE_OPENERS = word_class("clause_opener") | word_class("question_opener")
_OPEN_GOALS = word_class("open_goal")
_GOVERNED_BY_VERB = frozenset(["od", "do", "na", "o", "za"])
"""Prepositions by which a verb governs its object: *odstąpić od umowy*, *czekać na paczkę*."""

_SINGLE = frozenset(
    [
        "poczta",
        "lokal",
        "towar",
        "winda",
        "system",
        "konto",
        "portal",
        "sklep",
        "szkoła",
        "firma",
        "praca",
        "spółdzielnia",
        "urząd",
        "bank",
        "serwer",
        "aplikacja",
        "strona",
    ]
)
"""What there is one of where it is spoken of in the singular."""

_COPIES = frozenset(["duplikat", "kopia", "odpis", "skan", "korekta", "wydruk"])
"""What is made of one document: *duplikat faktury*."""

_COMPLAINING = frozenset(["reklamować", "zareklamować"])
"""Of one thing this is to complain, of all of a kind to advertise."""

_SPEAKER = frozenset(["mi", "mnie", "nam", "nas"])
_HAVING = frozenset(["mieć", "posiadać", "potrzebować", "dostać", "otrzymać"])
"""Verbs whose object belongs to their subject."""

_WISHING = frozenset(["chcieć", "potrzebować", "prosić"])
"""Verbs by which somebody wants one thing."""

_PLACES = frozenset(["w", "we", "na", "przy", "u"])


@lru_cache(maxsize=8192)
def is_countable(lemma: str, gender: str) -> bool:
    """Whether a noun is known to name a document, a thing, a person or an institution of which there are several.

    Args:
        lemma: nominative singular of the noun.
        gender: ``m1`` to ``n``.
    """
    if lemma in _UNIQUE:
        return False
    return gender == "m1" or any(lemma in known for known in (_DOCUMENTS, _OBJECTS, _PARTS, _AGENTS, _PERSONS))


def bound_in_number(query: ParsedQuery, phrase: NounPhrase, target: str) -> str:
    """Why a phrase is not free in number, in a few words; empty if it is.

    Args:
        query: the query.
        phrase: one of its phrases.
        target: the number it would be put into, ``sg`` or ``pl``.
    """
    if phrase.lemma in _AGENTS and not _stands_for_its_kind(query, phrase):
        return "not known to be countable"
    kind = phrase.governor.kind
    if kind == "preposition" and not _governed_freely(query, phrase):
        return "part of a larger phrase"
    if kind == "noun" and (target == "sg" or not _object_of_free_action(query, phrase)):
        return "part of a larger phrase"
    if kind == "none" and stands_beside_another(query, phrase):
        return "keywords side by side"
    if target == "pl" and kind in ("verb", "preposition") and _told_of_oneself(query, phrase):
        return "one event is told"
    if (phrase.gender == "m1" or phrase.lemma in _PERSONS) and _has_possessive(phrase):
        return "one's own"
    if target == "pl" and phrase.clause_subject and _is_one_known(query, phrase):
        return "one's own"
    if target == "pl" and not phrase.clause_subject and _said_of_one(query, phrase):
        return "one for each owner"
    return _held_by_tail(query, phrase, target)


def _said_of_one(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether one person has it, did it or gets it: *czy turysta potrzebuje karty*, *przedłużyć umowę pracownikowi*."""
    told = any(query.verbs[i] and "praet" in query.looked_up[i].pos for i in range(phrase.start))
    has = phrase.governor.kind == "verb" and phrase.governor.lemma in _HAVING
    return any(
        other.numbers == {"sg"}
        and (
            (other.clause_subject and other.end <= phrase.start and (told or has))
            or (other.cases == {"dat"} and other is not phrase and not _parted(query, other, phrase))
        )
        for other in query.noun_phrases
    )


def _parted(query: ParsedQuery, one: NounPhrase, other: NounPhrase) -> bool:
    """Whether a comma stands between two phrases, so that they are parts of two clauses."""
    first, last = sorted((one.start, other.start))
    return any(token.text == "," for token in query.tokens[first:last])


def _is_one_known(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether a subject is the one the speaker deals with: *dlaczego system nie przyjmuje mojego numeru*."""
    if any(token.lower == "czy" for token in query.tokens[: phrase.start]):
        return False
    outside = (t.lower for i, t in enumerate(query.tokens) if not phrase.start <= i < phrase.end)
    if any(word in _SPEAKER or word.startswith(("moj", "mój")) for word in outside):
        return True
    return query.tokens[0].lower in ("kiedy", "dlaczego", "czemu") and phrase.lemma in _SINGLE


def _told_of_oneself(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether somebody tells or wants one thing: *zgubiłem kartę*, *chcę zwrot*, but not *jeśli zgubiłem kartę*."""
    if phrase.governor.kind == "verb" and phrase.governor.lemma in _COMPLAINING:
        return True
    for index in range(phrase.governor.token + 1):
        if not query.verbs[index]:
            continue
        own = [
            r for r in verb_readings(query.tokens[index].text) if "pri" in r.get("person") and "sg" in r.get("number")
        ]
        if index == phrase.governor.token and any(r.lemma in _WISHING for r in own):
            return True
        asked = any(token.lower in _CLAUSE_OPENERS for token in query.tokens[:index])
        if index and query.tokens[index - 1].lower == "nie" and any(r.lemma == "móc" for r in own):
            return True
        if phrase.governor.kind == "preposition" and any(r.lemma == "czekać" for r in own):
            return True
        if any(r.pos == "praet" for r in own) and index == phrase.governor.token and not asked:
            return True
    return False


def _stands_for_its_kind(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether all of its kind are meant: as the subject of what is so in general, not of what happened once."""
    told = any(query.verbs[i] and "praet" in query.looked_up[i].pos for i in range(len(query.tokens)))
    return (phrase.clause_subject and not told) or (phrase.governor.kind == "none" and not phrase.start)


def _governed_freely(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether a verb governs the phrase by its preposition, or several goals make sense beside the noun before it."""
    preposition = phrase.governor.token
    if preposition == 1 and query.tokens[0].lower == "czy" and phrase.lemma in _DOCUMENTS:
        return True
    if query.tokens[preposition].lower not in _GOVERNED_BY_VERB or phrase.cases <= {"loc", "inst"}:
        return False
    before = preposition - 1
    while before >= 0 and query.tokens[before].lower in ("się", "mi"):
        before -= 1
    if before >= 0 and query.verbs[before]:
        return True
    return query.tokens[preposition].lower == "do" and any(
        other.head == before and other.lemma in _OPEN_GOALS for other in query.noun_phrases
    )


def _object_of_free_action(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether a genitive is what an action is done to, and the action is no tail of one single thing itself."""
    if phrase.gender == "m1" or any(_held_in_place(query, other) for other in _dependents(query, phrase)):
        return False
    before = None
    for other in query.noun_phrases:
        if max((other.head, *other.agreeing)) + 1 == phrase.start:
            before = other
    if before is None:
        return False
    noun = before.parse.head.noun
    if not names_action(noun.lemma, noun.kind) or is_thing(noun.lemma):
        return False
    return not any(other.start < before.start and other.end >= phrase.end for other in query.noun_phrases)


def _dependents(query: ParsedQuery, phrase: NounPhrase) -> Iterator[NounPhrase]:
    """The phrases in the tail of a phrase."""
    start, end = phrase.tail
    return (other for other in query.noun_phrases if start <= other.start and other.end <= max(end, phrase.end))


def _held_in_place(query: ParsedQuery, other: NounPhrase) -> bool:
    """Whether a phrase says in or on which one thing something is: *w bloku*, *na fakturze*."""
    if other.governor.kind != "preposition" or "loc" not in other.cases:
        return False
    return query.tokens[other.governor.token].lower in _PLACES


def _held_by_tail(query: ParsedQuery, phrase: NounPhrase, target: str) -> str:
    start, end = phrase.tail
    if target == "pl" and any(t.protected and any(c.isdigit() for c in t.text) for t in query.tokens[start:end]):
        return "a number or code names the one thing meant"
    for_access = phrase.governor.kind == "verb" and start < end and query.tokens[start].lower == "do"
    if phrase.lemma in _PARTS and ((start < end and not for_access) or _has_possessive(phrase)):
        return "one in each place"
    done = phrase.governor.kind == "verb" and not phrase.clause_subject
    if target == "pl" and done and _done_to_one(query, phrase):
        return "belongs to one thing"
    for other in _dependents(query, phrase):
        of_one = other.start == start and other.numbers == {"sg"} and other.governor.kind == "noun"
        if target == "pl" and of_one and (other.lemma in _OBJECTS or phrase.lemma in _COPIES):
            return "belongs to one thing"
        if target == "sg" and other.numbers == {"pl"}:
            return "as many as what depends on it"
        owner = other.gender == "m1" or other.lemma in _PERSONS or other.lemma in _AGENTS
        if target == "pl" and owner and other.start == start and other.numbers == {"sg"}:
            return "one for each owner"
    return ""


def _done_to_one(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether the object of a verb has one person or thing in its tail: *wypowiedzieć umowę najmu lokalu*."""
    return any(
        other.numbers == {"sg"}
        and other.start <= phrase.tail[0] + 1
        and (
            other.gender == "m1"
            or any(other.lemma in known for known in (_PERSONS, _AGENTS, _OBJECTS, _PARTS, _SINGLE))
        )
        for other in _dependents(query, phrase)
    )


def _has_possessive(phrase: NounPhrase) -> bool:
    return any(
        a.lexeme.split(":")[0] in ("mój", "twój", "swój", "nasz", "wasz")
        for g in phrase.parse.groups
        for _, a in g.adjectives
    )
