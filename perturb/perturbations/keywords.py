"""Queries without function words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.counted import contexts
from perturb.perturbations.sentence import (
    PREPOSITIONS,
    SUBORDINATORS,
    infinitive,
    role,
)
from perturb.polish.morphology import analyse, lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import SINGULAR
from perturb.polish.phrases.words import adjective_readings, noun_readings
from perturb.polish.text import Token, match_case
from perturb.records import Edit, Variant
from perturb.resources import read_table

_DROPPED = frozenset({"question", "conjunction", "pronoun", "anaphor", "particle", "modal", "light_verb", "command"})
_HAVING = frozenset({"mam", "mamy"})
_DEGREE_ADVERBS = frozenset({"długo", "często", "szybko", "dużo", "daleko"})
_LINKING = frozenset({"jest", "są", "był", "była", "będzie"})
_INSTRUMENTAL = 1 << 4 | 1 << 11
_COORDINATORS = frozenset({"i", "oraz", "lub", "albo"})


def _deletions(query: ParsedQuery, kept: Sequence[bool]) -> list[Edit]:
    """Edits that delete runs of tokens together with the space that parted them from what stays."""
    tokens = query.tokens
    edits: list[Edit] = []
    index = 0
    while index < len(tokens):
        if kept[index]:
            index += 1
            continue
        first = index
        while index < len(tokens) and not kept[index]:
            index += 1
        if first == 0:
            start, end = 0, tokens[index].start if index < len(tokens) else len(query.text)
            after = ""
        elif index == len(tokens):
            start, end, after = tokens[first - 1].end, len(query.text), ""
        else:
            start, end, after = tokens[first - 1].end, tokens[index].start, " "
        edits.append(query.edit(start, end, after))
    return [edit for edit in edits if edit.before != edit.after]


@register
@dataclass(frozen=True)
class Keywords(Perturbation):
    """Function words, question words and punctuation dropped; what is left keeps its order and its forms.

    Yields ``light`` (prepositions stay, as most people write) and ``bare`` (prepositions without a meaning of their own
    go too, as those do who know that search engines skip them). Word list: ``function_words.tsv``.
    """

    name: ClassVar[str] = "query_form.keywords"
    summary: ClassVar[str] = "function words and question words dropped"
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("Czy szef może nie zgodzić się na urlop na żądanie?", "szef może nie zgodzić się na urlop na żądanie"),
        ("W jakim terminie firma wydaje świadectwo pracy?", "termin firma wydaje świadectwo pracy"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield up to two variants; nothing if no function word is found or no content word would be left."""
        seen = {query.text}
        for kind, confidence, flags in (("light", 0.9, ()), ("bare", 0.7, ("ungrammatical",))):
            kept = [self._keeps(query, index, kind == "bare") for index in range(len(query.tokens))]
            dropped = [t for t, keep in zip(query.tokens, kept, strict=True) if not keep and t.kind != "symbol"]
            content = [t for t, keep in zip(query.tokens, kept, strict=True) if keep and not role(t)]
            if _breaks_off(query, kept):
                query.decline("clauses would run into one another")
                return
            if not dropped or not any(token.kind != "symbol" for token in content):
                continue
            edits = sorted([*_deletions(query, kept), *_stranded(query, kept)], key=lambda edit: edit.start)
            variant = query.variant(self.name, kind, edits, confidence=confidence, flags=flags)
            if variant.text not in seen:
                seen.add(variant.text)
                yield variant

    def _keeps(self, query: ParsedQuery, index: int, bare: bool) -> bool:
        tokens = query.tokens
        token = tokens[index]
        if token.kind == "symbol":
            after_abbreviation = index > 0 and tokens[index - 1].kind == "abbreviation"
            return token.protected or token.text not in ",;:?!….()–—-" or (token.text == "." and after_abbreviation)
        own = role(token)
        if (
            _is_in_adverb(tokens, index)
            or _is_label(tokens, index)
            or _is_every(tokens, index)
            or _is_between(tokens, index)
        ):
            return True
        if _asks_how_many(tokens, index) or (own == "light_verb" and _hangs_on_verb(tokens, index)):
            return True
        if own in PREPOSITIONS:
            if bare and (_opens_set_phrase(tokens, index) or _is_in_range(tokens, index)):
                return True
            if index and tokens[index - 1].lower == "proszę":
                return False  # proszę o przesłanie: the preposition goes with the request
            return not (_hangs(tokens, index) or (bare and own == "preposition"))
        if own == "modal":
            # "nie ma czasu" and "mam za niską pensję" are what is said; "mam zrobić" is padding.
            if index and tokens[index - 1].lower == "nie":
                return True
            asked = index > 0 and role(tokens[index - 1]) == "question"
            soon = any(infinitive(following) is not None for following in tokens[index + 1 : index + 3])
            return token.lower in _HAVING and not soon and not asked
        if token.lower in _DEGREE_ADVERBS and index and tokens[index - 1].lower == "jak":
            return False
        if token.lower in _COORDINATORS and not bare and 0 < index < len(tokens) - 1:
            return role(tokens[index + 1]) not in ("question", "modal") and tokens[index - 1].text != ","
        return own not in _DROPPED


_SET_PHRASES = frozenset(
    {"celu", "ciągu", "podstawie", "powodu", "przypadku", "ramach", "sprawie", "temat", "trakcie", "względu", "związku"}
)
"""Nouns that have become prepositions together with the one before them: *w sprawie*, *z powodu*."""


def _opens_set_phrase(tokens: Sequence[Token], index: int) -> bool:
    """Whether a preposition belongs to the word after it: *w sprawie renty*."""
    return index + 1 < len(tokens) and tokens[index + 1].lower in _SET_PHRASES


def _is_in_range(tokens: Sequence[Token], index: int) -> bool:
    """A preposition of *od 1 do 31 marca*, *z 24 na 25 grudnia*."""
    for start in (index, index - 2):
        found = tokens[start : start + 4] if start >= 0 else ()
        if len(found) == 4 and found[0].lower in ("od", "z") and found[2].lower in ("do", "na"):
            return found[1].kind == found[3].kind == "number"
    return False


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


def _is_between(tokens: Sequence[Token], index: int) -> bool:
    """The conjunction of *różnica między ratą a odsetkami*."""
    return tokens[index].lower in ("a", "i") and any(t.lower in ("między", "pomiędzy") for t in tokens[:index])


def _asks_how_many(tokens: Sequence[Token], index: int) -> bool:
    """Part of *na ile lat*, *po ilu dniach*, *co ile lat*: without it the noun would hang in the air."""
    for place in (index, index + 1):
        asks = 0 < place < len(tokens) - 1 and tokens[place].lower in ("ile", "ilu") and tokens[place + 1].is_word
        if asks and (role(tokens[place - 1]) in PREPOSITIONS or tokens[place - 1].lower == "co"):
            return True
    return False


def _hangs_on_verb(tokens: Sequence[Token], index: int) -> bool:
    """Whether an infinitive follows a verb that stays: *musi mieć kasę*."""
    before = tokens[index - 1] if index else None
    return (
        before is not None and before.is_word and not role(before) and any(r.pos == "fin" for r in analyse(before.text))
    )


def _hangs(tokens: Sequence[Token], index: int) -> bool:
    """Whether a preposition loses the word it governs: *za którą*, *do niej*, but not *do swojej umowy*."""
    if index + 1 >= len(tokens):
        return True
    own = role(tokens[index + 1])
    if own in ("pronoun", "anaphor") and index + 2 < len(tokens):
        noun = tokens[index + 2]
        return bool(role(noun)) or not (noun_readings(noun.text) or adjective_readings(noun.text))
    return own in ("question", "pronoun", "anaphor", "conjunction")


def _breaks_off(query: ParsedQuery, kept: Sequence[bool]) -> bool:
    """Whether a dropped conjunction or relative pronoun parts two clauses that would then run into one another."""
    tokens = query.tokens
    for index, token in enumerate(tokens):
        joins = token.text in (",", "–", "-", ";") or token.lower in _COORDINATORS
        if not joins or index + 1 >= len(tokens):
            continue
        following = tokens[index + 1]
        if role(following) in PREPOSITIONS and index + 2 < len(tokens):
            following = tokens[index + 2]
        if role(following) in ("question", "conjunction") or following.lower in SUBORDINATORS:
            before, after = kept[:index], kept[index + 1 :]
            if any(before) and any(after):
                return True
    return False


def _stranded(query: ParsedQuery, kept: Sequence[bool]) -> list[Edit]:
    """A noun that loses what governs it goes back to the nominative.

    *w jakim terminie* → *termin*, *kto jest właścicielem* → *właściciel*.
    """
    tokens = query.tokens
    edits: list[Edit] = []
    for index, token in enumerate(tokens[:-1]):
        counts = token.lower in ("ile", "ilu")
        asks = index > 0 and role(tokens[index - 1]) in PREPOSITIONS and token.lower.startswith(("jak", "któr"))
        links = token.lower in _LINKING
        if kept[index] or not kept[index + 1] or not (counts or asks or links) or token.lower == "jak":
            continue
        following = tokens[index + 1]
        if not following.is_word or adjective_readings(following.text):
            continue
        for reading in noun_readings(following.text)[:1]:
            if reading.noun.lemma == "procent" or (links and reading.mask & ~_INSTRUMENTAL):
                continue
            cell = 7 if counts else 7 * (not reading.mask & SINGULAR)
            form = next((match_case(following.text, form) for form in reading.noun.forms[cell]), following.text)
            if form != following.text:
                edits.append(query.edit(following.start, following.end, form))
    return edits
