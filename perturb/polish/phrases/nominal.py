"""How-to questions as noun phrases: *jak wystawić fakturę* → *wystawienie faktury*.

The object of the infinitive goes from the accusative into the genitive, everything else stays. Applied only where the
whole object is understood; a pronoun, a numeral or a demonstrative in it, or an adverb beside the verb, stops it.
"""

from __future__ import annotations

from dataclasses import dataclass

from perturb.polish.morphology import Reading
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.find import NounPhrase
from perturb.polish.phrases.govern import is_subject_verb, verb_readings
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.obstacles import RELATIVE_CLAUSE
from perturb.polish.phrases.table import inflect
from perturb.polish.text import Token
from perturb.polish.verbs import action_nouns, infinitive, verbal_noun
from perturb.records import Edit

_MODALS = word_class("modal")
_OPENERS = (("jak",), ("w", "jaki", "sposób"))
REQUESTS = word_class("request")
"""Requests that may open a query before what it is about."""

FOR_WHOM = frozenset(["mi", "nam"])
"""Pronouns that say for whom a request is, and can be left out."""

_NO_ACTION = frozenset(
    ["mieć", "być", "móc", "musieć", "chcieć", "wiedzieć", "znać", "dostać", "znaleźć", "potrzebować"]
)
"""Verbs whose verbal noun nobody uses, or that means something else."""

_STIFF = frozenset(
    [
        "odpowiedzieć",
        "zrobić",
        "robić",
        "wiedzieć",
        "dać",
        "podać",
        "mieć",
        "zadać",
        "zadawać",
        "pytać",
        "dzwonić",
        "zadzwonić",
        "jechać",
        "iść",
        "pójść",
        "mieszkać",
        "żyć",
        "postąpić",
        "uniknąć",
        "trafić",
        "wejść",
        "wyjść",
    ]
)
"""Verbs whose verbal noun is correct, but hardly used, and that have no other noun."""

_PREPOSITIONAL = word_class("prepositional_verb")
"""Verbs that take no object but a preposition: *odstąpić od umowy*."""

_IDIOMATIC = frozenset(["uwaga", "głowa", "czas", "zdanie"])
"""Objects with which a verb means something else than its noun: *zwrócić uwagę* is no *zwrot uwagi*."""

_BLOCKING_POS = frozenset({"ppron12", "ppron3", "adv", "num"})


@dataclass(frozen=True, slots=True)
class HowTo:
    """A query of the pattern *jak* (+ modal) + infinitive + rest.

    Attributes:
        verb: token of the infinitive.
        reading: its reading.
        reflexive: token of a *się* that belongs to it; -1 if there is none.
        object: its object in the accusative, if it has one.
    """

    verb: int
    reading: Reading
    reflexive: int
    object: NounPhrase | None


def _opener_length(tokens: tuple[Token, ...]) -> int:
    for opener in _OPENERS:
        if tuple(token.lower for token in tokens[: len(opener)]) == opener:
            return len(opener)
    return 0


def how_to(query: ParsedQuery) -> HowTo | None:
    """Recognise a how-to question; the query notes why it is none."""
    tokens = query.tokens
    request = 2 if len(tokens) > 2 and tokens[0].lower in REQUESTS and tokens[1].text == "," else 0
    opener = _opener_length(tokens[request:])
    if not opener and not (tokens and infinitive(tokens[0].text) and not query.looked_up[0].nouns):
        query.decline("no how-to question")
        return None
    return action_after(query, request + opener)


def action_after(query: ParsedQuery, start: int) -> HowTo | None:
    """The infinitive with its object that a question asks about; the query notes why there is none.

    Args:
        query: the query.
        start: the token after the question word; modal verbs and *się* may follow it.
    """
    tokens, index, reflexive = query.tokens, start, -1
    while index < len(tokens) and (tokens[index].lower in _MODALS or tokens[index].lower == "się"):
        reflexive = index if tokens[index].lower == "się" else reflexive
        index += 1
    reading = infinitive(tokens[index].text) if index < len(tokens) else None
    if reading is None:
        query.decline("no infinitive after the question word")
        return None
    if start and reading.lemma in _NO_ACTION:
        query.decline("no verbal noun, or its object is unclear")
        return None
    if index + 1 < len(tokens) and tokens[index + 1].lower == "się":
        reflexive = index + 1
    return _with_object(query, HowTo(index, reading, reflexive, None))


def order(query: ParsedQuery) -> HowTo | None:
    """The action that a query opening with an imperative asks for: *usuń mój profil*."""
    readings = verb_readings(query.tokens[0].text) if len(query.tokens) > 1 and query.verbs[0] else ()
    if not readings or any(r.pos != "impt" or "sec" not in r.get("person") for r in readings):
        return None
    second = query.tokens[1].lower
    return _with_object(query, HowTo(int(second in FOR_WHOM), readings[0], 1 if second == "się" else -1, None))


def _clause_end(query: ParsedQuery, verb: int) -> int:
    for index in range(verb + 1, len(query.tokens)):
        token = query.tokens[index]
        if token.kind == "symbol" and token.text in ",;:?!.–(":
            return index
    return len(query.tokens)


def _with_object(query: ParsedQuery, found: HowTo) -> HowTo | None:
    end = _clause_end(query, found.verb)
    words = query.looked_up[found.verb + 1 : end]
    tokens = query.tokens[found.verb + 1 : end]
    if any(
        word.pos & _BLOCKING_POS and not word.nouns and not word.adjectives and not word.is_preposition
        for word in words
    ):
        query.decline("pronoun, adverb or numeral beside the verb")
        return None
    if any(verb_readings(token.text) and (infinitive(token.text) or is_subject_verb(token)) and not word.nouns
           for token, word in zip(tokens, words, strict=True)):  # fmt: skip
        query.decline("a second verb in the clause")
        return None
    direct: list[NounPhrase] = []
    for phrase in query.noun_phrases:
        if not found.verb < phrase.start < end or phrase.governor.kind in ("preposition", "noun"):
            continue
        if phrase.governor.kind == "numeral" and query.looked_up[phrase.governor.token - 1].is_preposition:
            continue  # *zwrócić towar po 14 dniach*
        if phrase.obstacle and phrase.obstacle != RELATIVE_CLAUSE:
            query.decline(phrase.obstacle)
            return None
        if "acc" in phrase.cases or ("gen" in phrase.cases and len(phrase.cases) == 1):
            direct.append(phrase)
        elif phrase.cases & {"nom"}:
            query.decline("object unclear")
            return None
    first = max(found.verb, found.reflexive) + 1
    prepositional = found.reading.lemma in _PREPOSITIONAL
    complement = prepositional and first < end and query.looked_up[first].is_preposition
    begins = direct[0].start == first if direct else found.reflexive >= 0 or complement
    dative = (
        any(p.start == first and p.cases == {"dat"} and p.span[1] < direct[0].span[0] for p in query.noun_phrases)
        if direct
        else False
    )
    if len(direct) > 1 or not (begins or dative):
        query.decline("object unclear")
        return None
    return HowTo(found.verb, found.reading, found.reflexive, direct[0] if direct else None)


def object_edits(phrase: NounPhrase | None, number: str = "") -> tuple[Edit, ...] | None:
    """Edits that put the object into the genitive; None if its form is unclear."""
    if phrase is None or "acc" not in phrase.cases:
        return ()
    numbers = {own for own, case in phrase.cells if case == "acc"}
    if len(numbers) != 1:
        return None
    if any(case == "gen" for _, case in phrase.cells) and phrase.governor.cases != {"acc"} and phrase.gender != "m1":
        return None
    return phrase.edits("gen", number or numbers.pop())


def nominalise(query: ParsedQuery, found: HowTo, case: str, before: str = "") -> list[Edit] | None:
    """Edits that make a how-to question a noun phrase.

    Args:
        query: the query.
        found: what :func:`how_to` found in it.
        case: case of the verbal noun.
        before: words of a frame to put in front of it, ending in a space, or empty.

    Returns:
        Edits in the order of the text; None if the verb has no verbal noun or the object is unclear.
    """
    tokens = query.tokens
    if found.reading.lemma in _STIFF:
        return None
    noun = verbal_noun(found.reading.lexeme, found.reading.get("aspect"), case)
    if found.reading.lemma in action_nouns() and found.reflexive < 0:
        if found.object is not None and found.object.lemma in _IDIOMATIC:
            return None
        noun = inflect(action_nouns()[found.reading.lemma], case, "sg").forms[0]
    inflected = object_edits(found.object)
    if not noun or inflected is None:
        return None
    start, end = tokens[0].start, tokens[found.verb].end
    reflexive = found.reflexive >= 0
    if found.reflexive > found.verb:
        end = tokens[found.reflexive].end
    text = f"{before}{noun}{' się' if reflexive else ''}"
    if tokens[0].text[:1].isupper():
        text = text[:1].upper() + text[1:]
    edits = [query.edit(start, end, text), *inflected]
    last = tokens[-1]
    if last.text == "?":
        edits.append(query.edit(last.start, last.end, ""))
    return edits
