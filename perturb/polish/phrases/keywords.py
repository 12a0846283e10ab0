"""Keywords side by side: *urlop ojcowski wniosek*, *zarządca budynku kontakt*.

Such a query is no phrase but a list, whose second part stands in the nominative for itself. Another case of the first
part leaves it hanging, and in a sentence it depends on nothing. Only the genitive goes well with it, as it would in
*wniosek o urlop* or *kontakt do zarządcy*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from perturb.polish.government import preposition_cases
from perturb.polish.phrases.countability import names_action
from perturb.polish.phrases.govern import mask_of_cases
from perturb.polish.phrases.lexicons import word_class
from perturb.polish.phrases.paradigms import Noun
from perturb.polish.phrases.shapes import GENITIVE, NOMINATIVE
from perturb.polish.phrases.syntax import FROZEN_ATTRIBUTES, HONORIFICS, Word
from perturb.polish.phrases.words import NounReading

if TYPE_CHECKING:
    from perturb.polish.parsed import ParsedQuery
    from perturb.polish.phrases.find import NounPhrase

_KEYWORDS = word_class("keyword_head")
"""Forms that say what somebody wants of a thing, and so do not name it: *umowa wzór*, *faktura duplikat*."""

_SPECIFYING = frozenset(["rozmiar", "kolor", "model", "typ", "wersja"])
"""Nouns that stand unchanged before what they specify: *buty rozmiar 38*."""

_GOVERNING = word_class("keyword_genitive")
"""Forms that take the genitive of what stands before them: *umowy najmu wzór*."""

_NO_ACTION = frozenset(
    [
        "odszkodowanie",
        "dofinansowanie",
        "pozwolenie",
        "zezwolenie",
        "zaświadczenie",
        "świadczenie",
        "wynagrodzenie",
        "szkolenie",
        "zebranie",
        "spotkanie",
        "zadanie",
        "zlecenie",
        "zatrudnienie",
        "import",
        "skierowanie",
        "opóźnienie",
        "mieszkanie",
        "oświadczenie",
        "zabezpieczenie",
        "uprawnienie",
        "ubezpieczenie",
        "eksport",
    ]
)
"""Nouns built like actions that take a preposition (*pozwolenie na skład*) or are an apposition (*umowa zlecenie*)."""

_ACTION_ENDINGS = ("acja", "iana", "awa", "ekta")
_ACTIONS = frozenset(["montaż", "zwrot", "przegląd", "serwis", "wypłata", "odbiór", "zakup"])
"""Actions that are not built like *-nie*; with an object of their own they are another matter."""

_TAKING_GENITIVE = word_class("genitive_taking")
"""Nouns that often take the genitive of such a form: *wysokość stawki*, *brak opłaty*."""

_REFERRING = ("number", "code", "abbreviation")
"""Kinds of token between two keywords: *RODO art. 13 klauzula*."""

_RIVAL = 0.5
"""Penalty by which a reading may be worse than the best one and still be meant."""


def stands_beside_another(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether another phrase in the nominative follows without a mark between, or is hidden in the phrase.

    A name or a frozen attribute is none (*oddział Kraków*, *karta multisport*); any other noun in the nominative is,
    though it may be an apposition that should change along (*umowa zlecenie*).

    Args:
        query: the query.
        phrase: its first phrase.
    """
    return _known(query, phrase) >= 0


def stands_the_genitive(query: ParsedQuery, phrase: NounPhrase) -> bool:
    """Whether the keyword beside a phrase could govern it: *umowy najmu wzór*, but not *rozkładu jazdy autobus*.

    Args:
        query: the query.
        phrase: its first phrase, beside which another keyword stands.
    """
    index = _known(query, phrase)
    if index < max((phrase.head, *phrase.agreeing)):
        return False
    word = query.looked_up[index]
    nouns = [reading.noun for reading in word.nouns[:1] if not word.adjectives]
    action = any(_is_action(noun) for noun in nouns)
    following = query.looked_up[index + 1] if index + 1 < len(query.tokens) else None
    if action and following is not None and any(reading.mask & GENITIVE for reading in following.nouns[:1]):
        return False  # it has an object of its own: *błąd 404 aktualizacja systemu*
    verbal = any(names_action(noun.lemma, noun.kind) and noun.lemma not in _NO_ACTION for noun in nouns)
    return verbal or query.tokens[index].lower in _GOVERNING


def _is_action(noun: Noun) -> bool:
    return noun.lemma not in _NO_ACTION and (
        names_action(noun.lemma, noun.kind) or noun.lemma.endswith(_ACTION_ENDINGS) or noun.lemma in _ACTIONS
    )


def _known(query: ParsedQuery, phrase: NounPhrase) -> int:
    return query.second_keyword if phrase is query.noun_phrases[0] else second_keyword(query, phrase)


def second_keyword(query: ParsedQuery, phrase: NounPhrase) -> int:
    """The token at which a keyword beside a phrase begins; -1 if there is none.

    Args:
        query: the query.
        phrase: one of its phrases.
    """
    hidden = _breaks_off(query, phrase)
    if hidden >= 0:
        return hidden
    start = phrase.end
    while start < len(query.tokens) and (query.tokens[start].kind in _REFERRING or query.tokens[start].text in ".§"):
        start += 1
    number_between = query.tokens[start - 1].kind in _REFERRING
    for other in query.noun_phrases:
        free = other.governor.kind == "none" and "nom" in other.cases and not other.obstacle
        counted = number_between and other.governor.kind == "numeral" and not _may_belong(query, other)
        if other.start != start or not (free or counted) or _specifies(query, start):
            continue
        if number_between or not _names(query, phrase, other.start) or other.agreeing or other.tail[0] < other.tail[1]:
            return start
    return _further_on(query, start)


def _further_on(query: ParsedQuery, start: int) -> int:
    """A keyword that stands behind words that belong to nothing: *budynek przy ul. Polnej 7 remont dachu*."""
    if any(query.verbs):
        return -1
    for other in query.noun_phrases:
        free = other.governor.kind == "none" or _follows_house_number(query, other.start)
        if (
            free
            and "nom" in other.cases
            and other.start > start
            and not any(token.text in ",;:" for token in query.tokens[start : other.start])
        ):
            return -1 if _may_belong(query, other) else other.start
    return -1


def _follows_house_number(query: ParsedQuery, index: int) -> bool:
    """Whether digits and a name stand before: *Polnej 7 remont*; anything else is counted by them: *co 3 lata*."""
    tokens = query.tokens
    return index > 1 and tokens[index - 1].kind == "number" and tokens[index - 2].text[:1].isupper()


def _specifies(query: ParsedQuery, index: int) -> bool:
    """Whether a noun is there for what follows it: *rozmiar 38*."""
    return query.tokens[index].lower in _SPECIFYING and index + 1 < len(query.tokens)


def _may_belong(query: ParsedQuery, other: NounPhrase) -> bool:
    """Whether what follows a number may be its genitive: *art. 5 ustawy*."""
    return any(reading.mask & GENITIVE for reading in query.looked_up[other.head].nouns[:1])


def _names(query: ParsedQuery, phrase: NounPhrase, index: int) -> bool:
    """Whether the word behind the head only names or describes it."""
    word = query.looked_up[index]
    return index == min((phrase.head, *phrase.agreeing)) + 1 and (word.capital or word.lower in FROZEN_ATTRIBUTES)


def _breaks_off(query: ParsedQuery, phrase: NounPhrase) -> int:
    """The first noun of a phrase that stands in the nominative where its place asks for another case; -1 if none."""
    tokens, words = query.tokens, query.looked_up
    own = {phrase.head, *phrase.agreeing}
    asked = GENITIVE
    for index in range(min(own) + 1, phrase.end):
        token, word = tokens[index], words[index]
        governed = preposition_cases(tokens, index) if words[index - 1].is_preposition else ()
        if governed:
            asked = mask_of_cases(governed)
        if token.kind in ("number", "code") and not words[index - 1].is_preposition:
            asked = GENITIVE
        frozen = token.kind != "word" or token.protected or word.is_preposition or word.is_conjunction
        # *zgoda pani dyrektor*: a title that stays as it is.
        if index in own or frozen or not word.nouns or tokens[index - 1].lower in HONORIFICS:
            continue
        if word.adjectives and word.adjectives[0].penalty <= word.nouns[0].penalty:
            continue
        if word.lower in FROZEN_ATTRIBUTES or _specifies(query, index) or (word.text.isupper() and len(word.text) > 1):
            continue
        following = words[index + 1] if index + 1 < phrase.end and index + 1 not in own else None
        fits = governed and any(reading.mask & asked for reading in word.nouns)
        if not fits and not _names(query, phrase, index) and _stands_for_itself(word, asked, following):
            return index
        if token.lower in _KEYWORDS and asked == GENITIVE and _is_nominative_plural(query, index):
            return index
        # What follows a noun is its genitive; behind a conjunction it may be asked for what the first one is.
        joined = index + 1 < phrase.end and (words[index + 1].is_conjunction or tokens[index + 1].text == ",")
        asked = asked if joined else GENITIVE
    return -1


def _is_nominative_plural(query: ParsedQuery, index: int) -> bool:
    """Whether *godziny*, *stawki* and the like are no genitive of one: nothing before them takes one of these.

    An action does (*zmiana stawki*), and so do some nouns of quantity and lack; a number or code never does.
    """
    if not any(reading.mask & NOMINATIVE for reading in query.looked_up[index].nouns[:2]):
        return False
    before = query.looked_up[index - 1]
    if query.tokens[index - 1].kind in ("number", "code"):
        return index < 2 or query.tokens[index - 2].kind == "word"
    taking = (reading.noun for reading in before.nouns[:2] if not before.is_preposition)
    return not any(names_action(noun.lemma, noun.kind) or noun.lemma in _TAKING_GENITIVE for noun in taking)


def _stands_for_itself(word: Word, asked: int, following: Word | None) -> bool:
    """Whether a noun is a nominative: in its likely readings, or by the adjective that follows it."""
    likely = [reading for reading in word.nouns if reading.penalty <= word.nouns[0].penalty + _RIVAL]
    fitting = [reading for reading in likely if reading.mask & asked]
    if not fitting:
        return any(reading.mask & NOMINATIVE for reading in likely)
    if following is None or following.nouns or not following.adjectives:
        return False
    return not _agrees(fitting, following, asked) and _agrees(likely, following, NOMINATIVE)


def _agrees(nouns: list[NounReading], adjective: Word, cells: int) -> bool:
    return any(
        reading.masks[noun.noun.gender_index] & noun.mask & cells for noun in nouns for reading in adjective.adjectives
    )
