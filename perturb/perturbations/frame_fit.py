"""Which search frames suit a noun phrase: nobody asks for *informacje o butach* who looks for the boots themselves."""

from __future__ import annotations

from perturb.perturbations.frame_lexicon import Frame
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases import NounPhrase
from perturb.polish.phrases.countability import is_thing, names_action
from perturb.polish.phrases.lexicons import word_class

_FRAME_NOUNS = frozenset(["informacja", "pytanie", "prośba", "temat", "sprawa", "problem", "kwestia"])
"""A phrase that is itself a frame takes no second one."""

_NEEDS = frozenset(["potrzebuję", "potrzebujemy"])
"""What somebody needs is to be had, not to be seen."""

_SEEKING = frozenset(["szukam", "szukamy"])

_EXPLAINING = word_class("explaining_request")
"""Requests to explain a thing, not to show or give it."""

_MATTERS = word_class("matter")
_PAPERS = word_class("paper")
"""Documents, of which people want the document itself."""

_THINGS = word_class("countable_object") | word_class("countable_part") | word_class("goods")
_FAULTS = frozenset(["brak", "błąd", "awaria", "usterka", "opóźnienie", "uszkodzenie", "wada", "reklamacja"])
"""What went wrong is no topic to read about."""

_ABSTRACT_ENDINGS = ("ość", "stwo", "izm", "acja", "ucja")

_TIMES = frozenset(["czas", "okres", "termin", "wymiar", "długość"])
"""Of two of them one says nothing: *czas okresu wypowiedzenia*."""

_SAME_STEM = 4
"""Letters that a frame and the head noun must not share at their beginning: no *opisz opis*."""

_TELLING = 5
"""Letters from which a word of a frame tells something, so that the query should not have it already."""


def fitting(query: ParsedQuery, phrase: NounPhrase) -> tuple[str, ...]:
    """What kinds of frame suit a phrase, as ``lexicons/frames.tsv`` has them under ``fits``.

    Args:
        query: the query.
        phrase: the noun phrase to be framed.
    """
    lemma = phrase.lemma if phrase.lemma in _MATTERS else phrase.lemma.lower()
    if lemma in _PAPERS:
        return ("any", "paper")
    if lemma in _THINGS:
        return ("any", "goods")
    if phrase.gender == "m1" or is_thing(lemma):
        return ("any",)
    if lemma in _FAULTS:
        return ("any", "asking")
    return ("any", "asking", "topic", "matter") if _is_matter(query, phrase) else ("any", "asking", "topic")


def fitting_request(query: ParsedQuery, phrase: NounPhrase) -> tuple[str, ...]:
    """What kinds of frame suit what a query asks for: *szukam*, *pokaż*, *wyjaśnij*, *potrzebuję*.

    Args:
        query: the query, which begins with the request.
        phrase: what it asks for.
    """
    asked = query.tokens[0].lower
    if asked in _NEEDS:
        return ("need",)
    if asked in _EXPLAINING:
        return fitting(query, phrase)
    # What somebody looks for may be a job or a room: nobody asks to be shown it.
    return ("thing", "shown") if phrase.lemma in _PAPERS or asked not in _SEEKING else ("thing",)


def _is_matter(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether a phrase names something that can be explained or regulated: no person, no thing, no single document."""
    noun = phrase.parse.head.noun
    if any(token.protected for token in query.tokens[phrase.start : phrase.end]):
        return False
    lemma = noun.lemma if noun.lemma in _MATTERS else noun.lemma.lower()
    return lemma in _MATTERS or names_action(lemma, noun.kind) or lemma.endswith(_ABSTRACT_ENDINGS)


def repeats(query: ParsedQuery, phrase: NounPhrase, frame: Frame) -> bool:
    """Whether a frame says again what the phrase says: *opisz opis*, *pytanie o zapytanie*, *o ogłoszeniu o*.

    Args:
        query: the query.
        phrase: the noun phrase to be framed.
        frame: the frame.
    """
    if phrase.lemma in _FRAME_NOUNS:
        return True
    words = frame.before.split()
    inside = {token.lower for token in query.tokens[phrase.start :]}
    for word in words:
        if len(word) > 2 and (word[:_SAME_STEM] == phrase.lemma[:_SAME_STEM] or phrase.lemma.endswith(word)):
            return True
        if len(word) >= _TELLING and word in inside:
            return True
    if phrase.lemma in _TIMES and any(word in _TIMES for word in words):
        return True
    start, end = phrase.tail
    return words[-1] == "o" and start < end and query.tokens[start].lower == "o"
