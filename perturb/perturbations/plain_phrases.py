"""The query as one plain noun phrase, and what one can say and ask about it.

A sentence around a query is believable only if the query is one phrase: a keyword set beside another (*premia roczna
zasady naliczania*, *okres wypowiedzenia 3 miesiące*) depends on nothing there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from perturb.perturbations.counted import is_label
from perturb.perturbations.sentence import NounPhrase, body, has_clause, is_command, is_question, noun_phrase
from perturb.polish.government import is_preposition
from perturb.polish.morphology import analyse, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.clause import is_said_of_it
from perturb.polish.phrases.countability import names_action
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.shapes import GENITIVE, NOMINATIVE, SINGULAR, VOCATIVE
from perturb.polish.phrases.syntax import CONJUNCTIONS
from perturb.polish.phrases.words import NounReading, adjective_readings, noun_readings
from perturb.polish.text import Token, units
from perturb.resources import read_table

_MIN_CONFIDENCE = 0.85
"""A whole query is recast, so that a wrong parse shows more than in a single inflected phrase."""

_ACCUSATIVE = 1 << 3 | 1 << 10

_STEM = 6
"""Letters after which longer words are forms of one another."""

_TAKING_GENITIVE = word_class("genitive_taking")
_MATTERS = word_class("matter")
_THINGS = word_class("countable_object") | word_class("paper")
_EVENTS = frozenset({"awaria", "błąd", "incydent", "wypadek", "problem", "szkoda", "wada", "choroba"})
"""Matters that befall somebody: one looks for help, not for something to read."""

_FRAME_NOUNS = frozenset({"prośba", "pytanie", "sprawa", "problem", "kwestia", "temat"})
"""Heads that are a frame already: *prośba o zwiększenie limitu*."""

_CHOSEN = frozenset({"nowy", "stary", "inny", "kolejny", "dodatkowy", "drugi", "lepszy", "własny"})
"""Adjectives that single one thing out."""


@lru_cache(maxsize=1)
def _head_classes() -> dict[str, frozenset[str]]:
    classes: dict[str, set[str]] = {}
    for row in read_table("question_heads.tsv"):
        classes.setdefault(row["head"], set()).add(row["class"])
    return {head: frozenset(names) for head, names in classes.items()}


@lru_cache(maxsize=1)
def _second_keywords() -> frozenset[str]:
    return frozenset(head for head, names in _head_classes().items() if "second" in names)


def head_classes(phrase: NounPhrase) -> frozenset[str]:
    """What can be said and asked about a phrase, by its head and its shape.

    ``measure`` (one asks what it is), ``amount`` (how much), ``plural_measure``, ``document`` (where), ``process`` and
    ``gerund`` (how it is done), ``explained`` (what it consists in), ``term`` (what it is), ``thing`` (one wants it,
    not news of it), ``info`` (one can look for information on it), ``topic`` (one can read on it), ``any``.
    """
    noun = phrase.parse.head.noun
    own = _head_classes().get(noun.lemma, frozenset())
    known = set(own) - {"second"}
    if phrase.number("nom") == "sg":
        known.discard("plural_measure")
    else:
        known -= {"measure", "amount"}
    if any(token.kind == "number" for token in phrase.tokens[: phrase.parse.end]):
        known -= {"amount", "explained"}
    # Some verbal nouns have come to mean a thing: one asks how much a wynagrodzenie is, not how it goes.
    verbal = noun.lemma.endswith(("nie", "cie")) and noun.gender == "n"
    if verbal and not own & {"amount", "document"} and _has_object(phrase):
        known.add("gerund")
    is_thing = "document" in known or (
        noun.lemma in _THINGS and not own & {"amount", "process", "measure", "plural_measure"}
    )
    if is_thing and "gerund" not in known:
        known.add("thing")
    adjectives = [phrase.tokens[index] for index, _ in phrase.parse.head.adjectives]
    if "thing" in known and any(_is_state(token) for token in adjectives):
        return frozenset({"any"})
    if "thing" in known and any(not _CHOSEN.isdisjoint(lemmas(token.lower)) for token in adjectives):
        known -= {"thing", "document"}
    if noun.lemma in _MATTERS - _EVENTS and not own & {"measure", "plural_measure"}:
        known.add("topic")
    if known & {"explained"}:
        known.add("topic")
    if "thing" not in known or "topic" in known:
        known.add("info")
    if not _is_term(phrase):
        known.discard("term")
    elif phrase.tokens[0].text.isupper():
        known.add("term")
    return frozenset(known | {"any"})


def _has_object(phrase: NounPhrase) -> bool:
    """Whether a noun follows right after the head: *zamówienie kuriera*."""
    after = phrase.parse.head.head + 1
    return after < phrase.parse.end and phrase.tokens[after].is_word and not is_preposition(phrase.tokens[after])


def _is_state(token: Token) -> bool:
    """Whether an adjective says what has become of a thing: *zepsuty*, *zgubiona*, *niezapłacona*."""
    return any(reading.pos == "ppas" for reading in analyse(token.lower))


def _is_term(phrase: NounPhrase) -> bool:
    """Whether it is a name with its meaning in itself: a noun and adjectives that classify it, set behind it."""
    head = phrase.parse.head
    places = sorted(index for index, _ in head.adjectives)
    behind = list(range(head.head + 1, phrase.parse.end))
    if head.head or places != behind or len(behind) > 2 or any(_is_state(phrase.tokens[index]) for index in places):
        return False
    return bool(places) or phrase.tokens[0].text.isupper()


def echoes(frame: str, phrase: NounPhrase) -> bool:
    """Whether a word of a frame stands in the phrase already: *informacje o* informacji zwrotnej, *o* … *o*."""
    words = re.findall(r"\w+", frame.lower())
    stems = {word[:_STEM] for word in words if len(word) > _STEM}
    if any(token.lower[:_STEM] in stems for token in phrase.tokens):
        return True
    after = phrase.parse.head.head + 1
    first_preposition = next((token.lower for token in phrase.tokens[after:] if is_preposition(token)), "")
    return first_preposition == "o" and re.search(r"\bo \{query\}", frame) is not None


def is_joined(phrase: NounPhrase) -> bool:
    """Whether it is two phrases joined by a conjunction, which take a plural verb."""
    return any(group.joined == "coordination" for group in phrase.parse.groups)


def plain_phrase(query: ParsedQuery) -> NounPhrase | None:
    """The query as one noun phrase in the nominative; None, with a reason noted, if it is anything else."""
    tokens = body(query)
    if not tokens or is_question(query) or is_command(query) or has_clause(tokens) or any(query.verbs):
        query.decline("query is no plain noun phrase")
        return None
    if _is_sentence_without_verb(query, tokens):
        query.decline("query is no plain noun phrase")
        return None
    if query.second_keyword >= 0 or _is_list(tokens) or _has_second(tokens) or _has_bare_number(tokens):
        query.decline("keywords stand beside one another")
        return None
    phrase = noun_phrase(query, tokens)
    sure = phrase is not None and phrase.is_whole and phrase.confidence >= _MIN_CONFIDENCE
    if phrase is None or not sure or phrase.number("nom") is None:
        query.decline("query is no plain noun phrase")
        return None
    if phrase.parse.head.noun.lemma in _FRAME_NOUNS or _is_adjective_taken_for_noun(phrase):
        query.decline("a frame itself, or a head that may be an adjective")
        return None
    return phrase


def _is_sentence_without_verb(query: ParsedQuery, tokens: Sequence[Token]) -> bool:
    """Whether something is said of the phrase: *skrzynka pełna*, *klimatyzacja w biurze za zimno*."""
    too = any(
        before.lower in ("za", "zbyt") and after.lower != "darmo" and any(r.pos == "adv" for r in analyse(after.text))
        for before, after in pairwise(tokens)
    )
    return too or (bool(query.noun_phrases) and is_said_of_it(query, query.noun_phrases[0]))


def _is_adjective_taken_for_noun(phrase: NounPhrase) -> bool:
    """Whether the head agrees as an adjective with the noun behind it: *nowe logo*."""
    place = phrase.parse.head.head
    if place + 1 >= len(phrase.tokens) or not phrase.tokens[place + 1].is_word:
        return False
    noun, adjective = phrase.tokens[place + 1], phrase.tokens[place]
    return any(
        reading.mask & other.masks[reading.noun.gender_index] & NOMINATIVE
        for reading in noun_readings(noun.text)
        for other in adjective_readings(adjective.text)
    )


def _has_second(tokens: Sequence[Token]) -> bool:
    """Whether a noun may be a keyword of its own in the plural: *rozmowa handlowa wskazówki*, *sprint notatki*.

    Such a form looks like the genitive of one. Behind an adjective that closes the phrase before it, it is hardly ever
    meant as that; behind a noun it is not if people use it as a keyword and the noun before takes none.
    """
    for before, token in pairwise(tokens):
        if not (token.is_word and before.is_word) or is_preposition(before) or before.lower in CONJUNCTIONS:
            continue
        nouns = [reading for reading in noun_readings(token.text) if not reading.noun.proper]
        two_fold = any(reading.mask & GENITIVE & SINGULAR and reading.mask & NOMINATIVE for reading in nouns[:2])
        if not two_fold or adjective_readings(token.text):
            continue
        place = tokens.index(before)
        closing = place > 0 and _only_adjective(before) and _is_noun_before(tokens[place - 1], before)
        taking = any(_takes_genitive(reading) for reading in noun_readings(before.text)[:2])
        if closing or (not taking and any(reading.noun.lemma in _second_keywords() for reading in nouns)):
            return True
    return False


def _takes_genitive(reading: NounReading) -> bool:
    return reading.noun.lemma in _TAKING_GENITIVE or names_action(reading.noun.lemma, reading.noun.kind)


def _only_adjective(token: Token) -> bool:
    return bool(adjective_readings(token.text)) and not noun_readings(token.text)


def _is_noun_before(noun: Token, adjective: Token) -> bool:
    """Whether an adjective agrees with the noun before it in one of the cells they share."""
    return any(
        reading.mask & other.masks[reading.noun.gender_index]
        for reading in noun_readings(noun.text)
        for other in adjective_readings(adjective.text)
    )


def _has_bare_number(tokens: Sequence[Token]) -> bool:
    """Whether a number hangs on nothing: *limit 5000 zł*, *okres wypowiedzenia 3 miesiące*, *spotkanie godz. 10*.

    Behind a label or a preposition it is part of the phrase: *umowa nr 5*, *zakup powyżej 100 000 zł*.
    """
    for place, token in enumerate(tokens[1:], start=1):
        before = tokens[place - 1]
        if before.kind == "word" and token.lower in ("godz", "g", "tel") and not is_preposition(before):
            return True
        if token.kind != "number" or is_label(tokens, place) or before.kind in ("number", "symbol", "code"):
            continue
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        counts = following is not None and (following.is_word or following.lower in units())
        if before.is_word and not is_preposition(before) and (counts or token.text.endswith("%") or ":" in token.text):
            return True
    return False


def _is_list(tokens: Sequence[Token]) -> bool:
    """Whether keywords are merely set beside one another: *okres próbny a umowa*, *nowy pracownik lista kontrolna*."""
    if any(token.lower == "a" for token in tokens):
        return True
    joined = False
    for place, (before, token) in enumerate(pairwise(tokens)):
        # After a conjunction the second of two phrases is a nominative, too: umowa i regulamin.
        joined = joined or before.lower in CONJUNCTIONS
        nouns = noun_readings(token.text) if token.is_word and not is_preposition(token) else []
        alone = nouns and not any(r.noun.proper for r in nouns) and not adjective_readings(token.text)
        # A noun right after another cannot be an accusative either: urlop ojca dokumenty.
        beside = noun_readings(before.text) and before.is_word and not is_preposition(before)
        beside = beside and not adjective_readings(before.text)
        cases = NOMINATIVE | VOCATIVE | (_ACCUSATIVE if beside or (alone and _is_cut_off(tokens, place, nouns)) else 0)
        if alone and not joined and all(reading.mask & ~cases == 0 for reading in nouns):
            return True
    return False


def _is_cut_off(tokens: Sequence[Token], place: int, nouns: Sequence[NounReading]) -> bool:
    """Whether nothing governs the noun after a place, adjectives of its own aside: *lokalu użytkowego wzór*."""
    while place >= 0 and tokens[place].is_word and adjective_readings(tokens[place].text):
        if any(reading.pos == "pact" for reading in analyse(tokens[place].text)):
            return False  # powodujące szkodę
        place -= 1
    if place < 0 or is_preposition(tokens[place]):
        return False
    if tokens[place].is_word:
        return bool(noun_readings(tokens[place].text))
    return all(reading.mask & ~SINGULAR == 0 for reading in nouns)
