"""Subject and predicate together: *kod rabatowy nie działa* → *kody rabatowe nie działają*.

Changed are the finite verb and the adjectives or participles that *być* and *zostać* join to the subject. Where it is
not certain that the phrase is the subject, or another clause speaks of it, nothing is changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from perturb.polish.morphology import Reading
from perturb.polish.phrases.govern import CLAUSE_OPENERS, IMPERSONAL, verb_readings
from perturb.polish.phrases.groups import agree
from perturb.polish.phrases.shapes import NOMINATIVE, PLURAL, SINGULAR, cell_index
from perturb.polish.text import Token, match_case
from perturb.polish.verbs import third_person
from perturb.records import Edit

if TYPE_CHECKING:
    from perturb.polish.parsed import ParsedQuery
    from perturb.polish.phrases.find import NounPhrase

_COPULAS = frozenset({"być", "zostać", "zostawać", "bywać", "pozostać", "pozostawać"})
_SEPARATORS = frozenset(",;:.?!()–")
_JOINING = frozenset({"i", "oraz", "a", "ale", "lub", "albo"})
_FINITE = frozenset({"fin", "praet", "bedzie"})


def predicate_edits(query: ParsedQuery, phrase: NounPhrase, target: str) -> tuple[Edit, ...] | None:
    """Edits to a predicate that bring it into the number its subject gets.

    Args:
        query: the query.
        phrase: a phrase that may be the subject of a verb.
        target: ``sg`` or ``pl``.

    Returns:
        Edits in the order of the text; None if the phrase may not be the subject, or its predicate is unclear.
    """
    tokens = query.tokens
    clauses = _clauses(query)
    own = next((clause for clause in clauses if clause[0] <= phrase.start < clause[1]), None)
    if own is None or phrase.end > own[1] or len(phrase.parse.groups) > 1:
        return None
    verb = _finite_verb(query, own, phrase)
    if verb is None or any(_speaks_of_it(query, clause) for clause in clauses if clause != own):
        return None
    index, reading = verb
    if reading.pos == "praet" and phrase.gender == "m1":
        # Something that somebody did: one event has one doer.
        return None
    copula = reading.lemma in _COPULAS or any(
        r.lemma in _COPULAS for i in range(*own) if i != index for r in verb_readings(tokens[i].text) if "inf" in r.pos
    )
    rivals = [p for p in query.noun_phrases if own[0] <= p.start < own[1] and p is not phrase]
    if any(_may_be_subject(query, p, phrase, index, copula) for p in rivals):
        return None
    form = third_person(reading, target, phrase.gender)
    if not form:
        return None
    edits = [query.edit(tokens[index].start, tokens[index].end, match_case(tokens[index].text, form))]
    if not copula:
        return None if _adjective_alone(query, (index + 1, own[1]), phrase) else tuple(edits)
    joined = _predicate_adjectives(query, own, phrase, target)
    if joined is None:
        return None
    edits += joined
    return tuple(sorted(edits, key=lambda edit: edit.start))


def _clauses(query: ParsedQuery) -> list[tuple[int, int]]:
    """Parts of a query between marks, and between conjunctions if several finite verbs would be in one."""
    tokens = query.tokens
    found: list[tuple[int, int]] = []
    start = 0
    for index in range(len(tokens) + 1):
        if index == len(tokens) or (tokens[index].kind == "symbol" and tokens[index].text in _SEPARATORS):
            found += _split(query, start, index)
            start = index + 1
    return found


def _split(query: ParsedQuery, start: int, end: int) -> list[tuple[int, int]]:
    tokens = query.tokens
    verbs = [i for i in range(start, end) if query.verbs[i] and _finite(tokens[i])]
    for joint in range(start, end):
        if tokens[joint].lower in _JOINING and any(v < joint for v in verbs) and any(v > joint for v in verbs):
            return [(start, joint), *_split(query, joint + 1, end)]
    return [(start, end)] if end > start else []


def _finite(token: Token) -> list[Reading]:
    return [
        r
        for r in verb_readings(token.text)
        if r.pos in _FINITE and not r.get("person") & {"pri", "sec"} and r.lemma not in IMPERSONAL
    ]


def _finite_verb(query: ParsedQuery, clause: tuple[int, int], phrase: NounPhrase) -> tuple[int, Reading] | None:
    """The only finite verb of a clause, if it agrees with the phrase and no other person speaks there."""
    tokens = query.tokens
    verbs = [i for i in range(*clause) if not phrase.start <= i < phrase.end and query.verbs[i]]
    finite = [i for i in verbs if any(r.pos not in ("inf", "pcon", "pant") for r in verb_readings(tokens[i].text))]
    if len(finite) != 1 or _is_impersonal(query, finite[0], phrase):
        return None
    if any(tokens[i].lower == "kto" for i in range(phrase.end, finite[0])):
        return None
    for reading in _finite(tokens[finite[0]]):
        gender = not reading.get("gender") or phrase.gender in reading.get("gender")
        if gender and reading.get("number") & phrase.numbers:
            return finite[0], reading
    return None


def _is_impersonal(query: ParsedQuery, verb: int, phrase: NounPhrase) -> bool:
    """Whether the verb may have no subject: *wykonuje się przegląd*, and in the plural *wykonuje się przeglądy* too.

    Before such a verb a phrase is not its subject either if a question word parts them: *wizyta jak długo się czeka*.
    """
    around = query.tokens[max(verb - 2, 0) : verb + 3]
    if not any(token.lower == "się" for token in around):
        return False
    return phrase.start > verb or any(t.lower in CLAUSE_OPENERS for t in query.tokens[phrase.end : verb])


def _speaks_of_it(query: ParsedQuery, clause: tuple[int, int]) -> bool:
    """Whether another clause has a third person verb without a subject of its own."""
    tokens = query.tokens
    if not any(query.verbs[i] and _finite(tokens[i]) for i in range(*clause)):
        return False
    inside = [p for p in query.noun_phrases if clause[0] <= p.start < clause[1]]
    who = any(tokens[i].lower in ("kto", "co") for i in range(*clause))
    return not who and not any("nom" in p.cases and p.governor.kind in ("none", "verb") for p in inside)


def _may_be_subject(query: ParsedQuery, other: NounPhrase, phrase: NounPhrase, verb: int, copula: bool) -> bool:
    """Whether another phrase of the clause may be the subject instead, or is joined to it by *być*."""
    if phrase.end <= verb < other.start and any("inf" in query.looked_up[i].pos for i in range(verb, other.start)):
        return "inst" in other.cases and other.governor.lemma in _COPULAS
    if other.governor.kind in ("preposition", "noun") or phrase.start <= other.start < phrase.end:
        return False
    if other.confidence == 0.0 or (other.governor.kind == "verb" and other.governor.cases):
        return False
    if query.looked_up[other.head].adjectives and copula:
        return False
    if phrase.cases == {"nom"} and "acc" in other.cases:
        return copula and other.governor.kind != "numeral"
    return bool(other.cases & {"nom", "inst"})


def _adjective_alone(query: ParsedQuery, behind: tuple[int, int], phrase: NounPhrase) -> bool:
    """Whether an adjective behind the verb belongs to the subject: *przesyłka dotarła uszkodzona*, *klient ma sam*."""
    others = {i for p in query.noun_phrases for i in range(p.start, p.end)}
    noun = phrase.parse.head.noun
    return any(
        agree(query.looked_up[i].adjectives, noun.gender_index, NOMINATIVE) is not None
        for i in range(*behind)
        if i not in others and query.looked_up[i].adjectives and not query.looked_up[i - 1].is_preposition
    )


def _predicate_adjectives(
    query: ParsedQuery, clause: tuple[int, int], phrase: NounPhrase, target: str
) -> list[Edit] | None:
    """Edits to what *być* joins to the subject; None if it joins a noun or several things."""
    noun = phrase.parse.head.noun
    own = NOMINATIVE & (PLURAL if target == "sg" else SINGULAR)
    edits: list[Edit] = []
    for index in range(*clause):
        word, token = query.looked_up[index], query.tokens[index]
        if phrase.start <= index < phrase.end or not word.adjectives or token.lower in ("to", "co"):
            continue
        if index and query.looked_up[index - 1].is_preposition:
            continue
        match = agree(word.adjectives, noun.gender_index, own)
        if match is None:
            continue
        forms = match[0].adjective.forms[noun.gender_index][cell_index("nom", target)]
        if not forms:
            return None
        edits.append(query.edit(token.start, token.end, match_case(token.text, forms[0])))
    return edits
