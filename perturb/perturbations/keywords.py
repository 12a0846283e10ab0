"""Queries without function words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.sentence import (
    PREPOSITIONS,
    SUBORDINATORS,
    infinitive,
    role,
)
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import SINGULAR
from perturb.polish.phrases.words import adjective_readings, noun_readings
from perturb.polish.text import Token, match_case
from perturb.records import Edit, Variant

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
        if own in PREPOSITIONS:
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
            if links and reading.mask & ~_INSTRUMENTAL:
                continue
            cell = 7 if counts else 7 * (not reading.mask & SINGULAR)
            form = next((match_case(following.text, form) for form in reading.noun.forms[cell]), following.text)
            if form != following.text:
                edits.append(query.edit(following.start, following.end, form))
    return edits
