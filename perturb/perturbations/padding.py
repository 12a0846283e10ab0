"""Which words of a query are padding that a writer of keywords leaves out, and which carry its sense."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from perturb.perturbations.counted import contexts
from perturb.perturbations.sentence import PREPOSITIONS, infinitive, role
from perturb.polish.morphology import analyse, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import GENITIVE
from perturb.polish.phrases.words import NounReading, adjective_readings, noun_readings
from perturb.polish.text import Token
from perturb.resources import read_table

_LINKING = frozenset({"jest", "są", "był", "była", "było", "były", "będzie", "będą"})
_BEFORE_INFINITIVES = frozenset(
    {"chcę", "chcemy", "chciałbym", "chciałabym", "mogę", "możemy", "można", "muszę", "musimy", "należy", "potrzebuję"}
    | {"potrzebujemy", "powinienem", "powinnam", "trzeba", "warto", "wolno", "mam", "mamy"}
)
"""Modals, which are padding only with an infinitive: *chcę zmienić adres*, but not *potrzebuję faktury*."""

_COORDINATORS = frozenset({"i", "oraz", "lub", "albo"})
_ALWAYS_ASKING = frozenset(
    {"kto", "kogo", "komu", "kim", "skąd", "gdzie", "dokąd", "kiedy", "dlaczego", "czemu", "ilu", "iloma"}
)
"""Question words that no keyword query does without: *bilety lotnicze kto kupuje*, *gdzie parking*."""

_SOMEBODY = ("ktoś", "kogoś", "komuś", "kimś", "coś", "czegoś", "czemuś", "czymś")
_ASKING_VERBS = frozenset({"wiedzieć", "dowiedzieć"})
"""Padding behind *chciałbym*."""

_PLEADING_VERBS = frozenset({"prosić", "poprosić", "zapytać", "spytać"})
"""Verbs whose object hangs on them: *chciałbym prosić o duplikat*."""

_INFINITIVES = frozenset({"mieć", "być", "zrobić", "robić"})

_TIMES = frozenset(
    {"koniec", "początek", "połowa", "poniedziałek", "wtorek", "środa", "czwartek", "piątek", "sobota", "niedziela"}
    | {"styczeń", "luty", "marzec", "kwiecień", "maj", "czerwiec", "lipiec", "sierpień", "wrzesień", "październik"}
    | {"listopad", "grudzień", "weekend", "święto", "wakacje", "kwartał", "dziś", "jutro", "wczoraj", "data", "dzień"}
)


def keeps(query: ParsedQuery, index: int, bare: bool) -> bool:
    """Whether a token stays in a query of keywords.

    Args:
        query: the query.
        index: the token.
        bare: whether prepositions go that can.
    """
    tokens = query.tokens
    token = tokens[index]
    if token.kind == "symbol":
        after_abbreviation = index > 0 and tokens[index - 1].kind == "abbreviation"
        return token.protected or token.text not in ",;:?!….()–—-" or (token.text == "." and after_abbreviation)
    if _is_in_adverb(tokens, index) or _is_label(tokens, index) or _is_every(tokens, index):
        return True
    own = role(token)
    if own in PREPOSITIONS:
        return _keeps_preposition(query, index, bare)
    if own == "question":
        return _keeps_question_word(query, index)
    if own in ("modal", "light_verb"):
        return _keeps_verb(query, index)
    if own in ("pronoun", "anaphor"):
        return _keeps_pronoun(tokens, index)
    if own == "conjunction":
        return _keeps_conjunction(query, index, bare)
    if _is_asking_verb(tokens, index) or _is_asked_for(tokens, index):
        return False
    if token.lower == "proszę":
        return index > 0 and _next(tokens, index) == "o"
    return own not in _DROPPED


_DROPPED = frozenset({"particle", "command"})


def _is_asking_verb(tokens: Sequence[Token], index: int) -> bool:
    """The verb of *chciałbym się dowiedzieć*, *chcę zapytać*, and its *się*."""
    near = tokens[max(index - 2, 0) : index]
    if not any(token.lower.startswith(("chci", "chc")) for token in near):
        return False
    found = tokens[index].lower if tokens[index].lower != "się" else _next(tokens, index)
    return found in _ASKING_VERBS


def _is_asked_for(tokens: Sequence[Token], index: int) -> bool:
    """The noun of *proszę o informację, kiedy …*, which says nothing of its own."""
    before = [token.lower for token in tokens[max(index - 2, 0) : index]]
    following = next((token for token in tokens[index + 1 :] if token.text != ","), None)
    asks = following is not None and role(following) == "question"
    return (
        asks and before == ["proszę", "o"] and tokens[index].lower in ("informację", "odpowiedź", "info", "wskazówkę")
    )


def _next(tokens: Sequence[Token], index: int) -> str:
    return tokens[index + 1].lower if index + 1 < len(tokens) else ""


def _keeps_preposition(query: ParsedQuery, index: int, bare: bool) -> bool:
    tokens = query.tokens
    if index and tokens[index - 1].lower == "proszę":
        return index > 1  # proszę o przesłanie: the preposition goes with the request that opens the query
    following = index + 1
    if following >= len(tokens):
        return False
    if role(tokens[following]) == "question" and keeps(query, following, bare):
        return True
    if role(tokens[following]) in ("pronoun", "anaphor") and keeps(query, following, bare):
        return True
    return not (_hangs(tokens, index) or (bare and _lets_go(query, index)))


def _lets_go(query: ParsedQuery, index: int) -> bool:
    """Whether a noun stands before a preposition and what follows is a genitive that the noun can take for its own.

    Ranges (*od 1 do 31 marca*, *od drzwi do drzwi*), times (*od poniedziałku*) and verbs before keep the preposition.
    """
    tokens = query.tokens
    if not index or index + 1 >= len(tokens) or (index > 1 and tokens[index - 2].kind in ("number", "code")):
        return False
    if any(token.lower in ("od", "do", "z") for token in tokens[:index] + tokens[index + 1 :]):
        return False
    before, after = tokens[index - 1], tokens[index + 1 : index + 3]
    if not (before.is_word and noun_readings(before.text)) or query.verbs[index - 1] or not after[0].is_word:
        return False
    known = set(lemmas(before.lower))
    if any(not set(lemmas(t.lower)).isdisjoint(_TIMES | contexts()["unit"].keys()) for t in (before, after[0])):
        return False
    nouns: Sequence[NounReading] = next(
        (noun_readings(t.text) for t in after if t.is_word and noun_readings(t.text)), []
    )
    if not nouns or not nouns[0].mask & GENITIVE or nouns[0].noun.proper:
        return False
    person = nouns[0].noun.gender == "m1"
    word = tokens[index].lower
    return person == (word != "do") and any((word, lemma) in _dropped_prepositions() for lemma in known)


@lru_cache(maxsize=1)
def _dropped_prepositions() -> frozenset[tuple[str, str]]:
    """Prepositions and the nouns before them that can do without."""
    return frozenset((row["preposition"], row["noun"]) for row in read_table("dropped_prepositions.tsv"))


def _keeps_question_word(query: ParsedQuery, index: int) -> bool:
    tokens = query.tokens
    word = tokens[index].lower
    if word == "kto" and _next(tokens, index) in _LINKING and _is_instrumental(tokens, index + 2):
        return False  # kto jest właścicielem: właściciel
    if word == "kim" and _next(tokens, index) in _LINKING:
        return False
    if word in _ALWAYS_ASKING:
        return True
    if word == "czy":
        return index > 0 and tokens[index - 1].text != ","  # co 30 czy co 60 dni
    if word == "jak":
        return _keeps_how(query, index)
    if word in ("co", "czego", "czym"):
        return _next(tokens, index) not in (*_LINKING, "to", "oznacza")
    if word == "ile":
        if index and (role(tokens[index - 1]) in PREPOSITIONS or tokens[index - 1].lower == "co"):
            return True
        if _next(tokens, index) == "razy":
            return True
        return _next(tokens, index) not in ("wynosi", "wynoszą") and _verb_follows(query, index)
    if index and role(tokens[index - 1]) in PREPOSITIONS:
        return True  # od jakiej wartości potrzebna opinia
    return _verb_follows(query, index)  # jakie dokumenty złożyć, w którym pokoju odbywa się szkolenie


def _keeps_how(query: ParsedQuery, index: int) -> bool:
    """*jak* is padding before an infinitive only: *jak wystawić fakturę*, not *jak działa*, *jak długo*, *jak nie*."""
    for token in query.tokens[index + 1 : index + 4]:
        if infinitive(token) is not None or token.lower in ("robić", "zrobić"):
            return False
        if role(token) not in ("modal", "particle", "anaphor", "pronoun"):
            return True
    return True


def _verb_follows(query: ParsedQuery, index: int) -> bool:
    """Whether a verb that stays follows: *jakie dokumenty złożyć*, but not *jakie dokumenty są potrzebne*."""
    return any(
        (query.verbs[place] or _is_infinitive(query.tokens[place])) and query.tokens[place].lower not in _LINKING
        for place in range(index + 1, len(query.tokens))
        if role(query.tokens[place]) != "modal"
    )


def _is_instrumental(tokens: Sequence[Token], index: int) -> bool:
    if index >= len(tokens) or not tokens[index].is_word:
        return False
    return any(reading.mask & _INSTRUMENTAL for reading in noun_readings(tokens[index].text)[:1]) or any(
        "inst" in reading.get("case") for reading in analyse(tokens[index].text)
    )


_INSTRUMENTAL = 1 << 4 | 1 << 11


def _keeps_verb(query: ParsedQuery, index: int) -> bool:
    tokens = query.tokens
    token = tokens[index]
    if index and tokens[index - 1].lower == "nie":
        return True  # nie ma czasu, nie można
    if role(token) == "light_verb":
        return token.lower in _INFINITIVES
    if token.lower in _LINKING:
        return _next(tokens, index) in ("się", "mi") or index + 1 == len(tokens)
    if token.lower in _BEFORE_INFINITIVES:
        asked = index > 0 and role(tokens[index - 1]) == "question" and not keeps(query, index - 1, False)
        if asked and token.lower in ("mam", "mamy"):
            return False  # jakie mam opcje
        if _next(tokens, index) in ("sam", "sama", "sami"):
            return True
        soon = [following.lower for following in tokens[index + 1 : index + 4] if _is_infinitive(following)]
        return not soon or not _PLEADING_VERBS.isdisjoint(soon)
    return False


def _keeps_pronoun(tokens: Sequence[Token], index: int) -> bool:
    token, following = tokens[index], _next(tokens, index)
    if token.lower in _SOMEBODY:
        return True  # ktoś z IT
    if token.lower == "to":
        # co to jest: padding; to jest ważne, jak to działa: no keywords without it
        return not (index and role(tokens[index - 1]) == "question")
    # w tym roku, od tego miesiąca: another time without it
    return token.lower.startswith("t") and not set(lemmas(following)).isdisjoint(contexts()["unit"].keys() | _TIMES)


def _keeps_conjunction(query: ParsedQuery, index: int, bare: bool) -> bool:
    tokens = query.tokens
    word = tokens[index].lower
    if not 0 < index < len(tokens) - 1:
        return False
    if word in ("a", "i") and any(t.lower in ("między", "pomiędzy") for t in tokens[:index]):
        return True  # różnica między ratą a odsetkami
    if word in _COORDINATORS:
        if query.verbs[index + 1] or (any(query.verbs[:index]) and any(query.verbs[index:])):
            return True
        return not bare and role(tokens[index + 1]) not in ("question", "modal") and tokens[index - 1].text != ","
    return word not in ("ale", "lecz", "natomiast", "więc", "zatem", "czyli")


def _is_in_adverb(tokens: Sequence[Token], index: int) -> bool:
    """Part of *na pewno*, *w ogóle*, *co najmniej*."""
    pairs = (tokens[place : place + 2] for place in (index - 1, index) if place >= 0)
    return any(len(pair) == 2 and (pair[0].lower, pair[1].lower) in _adverbs() for pair in pairs)


@lru_cache(maxsize=1)
def _adverbs() -> frozenset[tuple[str, str]]:
    """Adverbs of two words that ``spacing.tsv`` knows, as they are written together by mistake."""
    phrases = (row["correct"].split() for row in read_table("spacing.tsv"))
    return frozenset((words[0], words[1]) for words in phrases if len(words) == 2)


def _is_label(tokens: Sequence[Token], index: int) -> bool:
    """A single capital after another word: *tabela A*, *witamina A*."""
    token = tokens[index]
    return index > 0 and len(token.text) == 1 and token.text.isupper() and not all(t.text.isupper() for t in tokens)


def _is_every(tokens: Sequence[Token], index: int) -> bool:
    """*co 5 lat*, *co miesiąc*: here *co* asks nothing."""
    following = tokens[index + 1] if tokens[index].lower == "co" and index + 1 < len(tokens) else None
    return following is not None and (
        following.kind == "number" or not set(lemmas(following.lower)).isdisjoint(contexts()["unit"])
    )


def _is_infinitive(token: Token) -> bool:
    return token.lower in _INFINITIVES or infinitive(token) is not None


def _hangs(tokens: Sequence[Token], index: int) -> bool:
    """Whether a preposition loses the word it governs: *do niej*, *z jakim*, but not *do swojej umowy*."""
    own = role(tokens[index + 1])
    if own in ("pronoun", "anaphor") and index + 2 < len(tokens):
        noun = tokens[index + 2]
        return bool(role(noun)) or not (noun_readings(noun.text) or adjective_readings(noun.text))
    return own in ("question", "pronoun", "anaphor", "conjunction")
