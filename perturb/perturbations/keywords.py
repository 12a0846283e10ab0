"""Queries without function words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.padding import keeps
from perturb.perturbations.sentence import PREPOSITIONS, SUBORDINATORS, infinitive, noun_phrase, role
from perturb.polish.government import preposition_cases
from perturb.polish.morphology import analyse
from perturb.polish.parsed import ParsedQuery
from perturb.polish.phrases.shapes import NOMINATIVE
from perturb.polish.phrases.words import noun_readings
from perturb.polish.text import Token
from perturb.records import Edit, Variant

_DROPPED = frozenset({"question", "conjunction", "pronoun", "anaphor", "particle", "modal", "light_verb", "command"})
_LINKING = frozenset({"jest", "są", "był", "była", "było", "były", "będzie", "będą"})
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

    Yields ``light`` (prepositions stay, as most people write) and ``bare`` (*od*, *do*, *dla* between nouns go too,
    which leaves a genitive as nouns take one). Question words that carry the sense stay (*kto*, *gdzie*, *do kiedy*),
    so does what a verb needs. Word list: ``function_words.tsv``.
    """

    name: ClassVar[str] = "query_form.keywords"
    summary: ClassVar[str] = "function words and question words dropped"
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("Czy szef może nie zgodzić się na urlop na żądanie?", "szef może nie zgodzić się na urlop na żądanie"),
        ("Jakie dokumenty są potrzebne do umowy?", "dokumenty potrzebne do umowy"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield up to two variants; nothing if no function word is found or no noun would be left."""
        seen = {query.text}
        for kind, confidence, flags in (("light", 0.9, ()), ("bare", 0.7, ("ungrammatical",))):
            kept = [keeps(query, index, kind == "bare") for index in range(len(query.tokens))]
            dropped = [t for t, keep in zip(query.tokens, kept, strict=True) if not keep and t.kind != "symbol"]
            content = [t for t, keep in zip(query.tokens, kept, strict=True) if keep and not role(t)]
            if _breaks_off(query, kept):
                query.decline("clauses would run into one another")
                return
            if not dropped or not any(_carries(token) for token in content):
                continue
            stranded = _stranded(query, kept)
            if stranded is None:
                query.decline("a noun would be left in a case that nothing governs")
                return
            variant = query.variant(self.name, kind, _merged(query, kept, stranded), confidence=confidence, flags=flags)
            if variant.text not in seen:
                seen.add(variant.text)
                yield variant


def _merged(query: ParsedQuery, kept: Sequence[bool], stranded: Sequence[Edit]) -> list[Edit]:
    return sorted([*_deletions(query, kept), *stranded], key=lambda edit: edit.start)


def _carries(token: Token) -> bool:
    """Whether a token is something to search for: a noun, a name, a code; a verb alone is not."""
    return token.kind != "symbol" and (not token.is_word or bool(noun_readings(token.text)) or not analyse(token.text))


def _breaks_off(query: ParsedQuery, kept: Sequence[bool]) -> bool:
    """Whether a dropped comma, conjunction or relative pronoun parts two clauses that would then run into one."""
    tokens = query.tokens
    for index, token in enumerate(tokens):
        joins = token.text in (",", "–", "-", ";", ".", ":") or token.lower in _COORDINATORS
        if not joins or token.protected or index + 1 >= len(tokens):
            continue
        following = tokens[index + 1]
        if role(following) in PREPOSITIONS and index + 2 < len(tokens):
            following = tokens[index + 2]
        clauses = token.text == "," and any(query.verbs[:index]) and any(query.verbs[index:])
        stops = token.text in ".?!;" and not (index and tokens[index - 1].kind == "abbreviation")
        if clauses or stops or role(following) in ("question", "conjunction") or following.lower in SUBORDINATORS:
            before, after = kept[:index], kept[index + 1 :]
            if any(before) and any(after):
                return True
    return False


def _stranded(query: ParsedQuery, kept: Sequence[bool]) -> list[Edit] | None:
    """A noun phrase that loses what governs it goes back to the nominative, adjectives and all; None if it cannot.

    *proszę o zmianę adresu* → *zmiana adresu*, *ile nowych ofert* → *nowe oferty*, *kto jest właścicielem* →
    *właściciel*.
    """
    tokens = query.tokens
    edits: list[Edit] = []
    for index in range(1, len(tokens)):
        case = _lost_case(tokens, index) if kept[index] and not kept[index - 1] else ""
        if not case or tokens[index].lower in ("procent", "procenta"):
            continue
        phrase = noun_phrase(query, tokens[index:])
        if phrase is None:
            found = [reading for reading in noun_readings(tokens[index].text) if tokens[index].is_word]
            if found and all(reading.mask & (NOMINATIVE | _INSTRUMENTAL) == NOMINATIVE for reading in found):
                continue
            if not tokens[index].is_word or infinitive(tokens[index]) is not None:
                continue
            return None
        number = phrase.number(case)
        recased = phrase.recased(query, number, "nom") if number else []
        if recased is None:
            return None
        edits += recased
    return edits


def _lost_case(tokens: Sequence[Token], index: int) -> str:
    """The case that the dropped words before a token asked for; empty if they asked for none."""
    if tokens[index - 1].lower in ("mi", "nam") and index > 1:
        index -= 1
    before = tokens[index - 1]
    first = index < 2 or tokens[index - 2].kind == "symbol"
    if before.lower in ("ile", "ilu"):
        return "gen"
    if before.lower == "o" and index > 1 and tokens[index - 2].lower == "proszę":
        return "acc"
    if before.lower in _LINKING and index > 1 and role(tokens[index - 2]) == "question":
        return "inst" if tokens[index - 2].lower in ("kto", "kim") else ""
    if role(before) == "command" and first:
        return "acc"
    if before.lower.startswith(("jak", "któr")) and len(before.lower) > 3:
        governed = preposition_cases(tokens, index - 1)
        return governed[0] if governed else ""
    return ""
