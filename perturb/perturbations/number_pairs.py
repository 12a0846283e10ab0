"""Two numbers that belong together: *od 2 do 4 tygodni*, *z 30 na 60 dni*, *10 czy 20 osób*.

Nobody writes one of them in words and the other in digits, or each in a unit of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from perturb.perturbations.counted import contexts, number_at, unit_lemmas
from perturb.perturbations.number_words import Rewriting
from perturb.polish.government import is_preposition
from perturb.polish.morphology import lemmas
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import Token, units

_JOINING = frozenset(
    {"do", "na", "a", "i", "lub", "albo", "czy", "oraz", "-", "–", "—", "/", ",", "niż", "zamiast", "vs"}
)
_FURTHEST = 5
"""Tokens that may stand between two such numbers: *30 dni lub też co 60 dni*."""

_FURTHEST_ALIKE = 8
"""The same for two numbers of one measure."""


@dataclass(frozen=True, slots=True)
class NumberPair:
    """Two numbers of one range or choice.

    Attributes:
        first: offsets of the first number.
        second: offsets of the second.
        elliptic: whether the unit of the second is meant with the first, too.
    """

    first: tuple[int, int]
    second: tuple[int, int]
    elliptic: bool


def number_pairs(query: ParsedQuery) -> Iterator[NumberPair]:
    """Pairs of numbers, in digits or in words, with a joining word between them and units at most.

    Args:
        query: the query.
    """
    tokens = query.tokens
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(tokens):
        number = number_at(tokens, index)
        after = number[1] if number else index + 1
        if number or (tokens[index].kind == "number" and not tokens[index].shielded):
            found.append((index, after))
        index = after
    for (start, end), (following, after) in pairwise(found):
        between = tokens[end:following]
        joined = bool(between) and len(between) <= _FURTHEST and _joins(between)
        if joined or (len(between) <= _FURTHEST_ALIKE and _have_one_unit(tokens, end, after)):
            first = tokens[start].start, tokens[end - 1].end
            elliptic = between[0].lower in _JOINING and not re.search(r"[%:]|\d\.\d", tokens[start].text)
            yield NumberPair(first, (tokens[following].start, tokens[after - 1].end), elliptic)


def _have_one_unit(tokens: Sequence[Token], after: int, other: int) -> bool:
    """Whether the same measure follows two numbers: *60 minut przerwy na 480 minut pracy*."""
    if max(after, other) >= len(tokens):
        return False
    measures = contexts()["unit"].keys() | {"złoty", "procent", "zł", "pln"}
    first, second = ({*lemmas(tokens[place].lower), tokens[place].lower} for place in (after, other))
    return bool(first & second & measures)


def _joins(between: Sequence[Token]) -> bool:
    """Whether a joining word stands there and nothing else but units, months, prepositions and dots."""
    if not any(token.lower in _JOINING for token in between):
        return False
    return all(
        token.lower in _JOINING
        or token.text in (".", "%")
        or token.lower in ("co", "też", "r", "roku", "rok", "godz")
        or token.lower in units() | unit_lemmas().keys() | contexts()["month"].keys()
        or is_preposition(token)
        or not set(lemmas(token.lower)).isdisjoint(contexts()["unit"].keys() | {"złoty", "osoba", "sztuka", "procent"})
        for token in between
    )


def together(query: ParsedQuery, rewritings: Sequence[Rewriting]) -> Iterator[tuple[Rewriting, ...]]:
    """The rewritings of one rule, those of a pair of numbers joined, or left out where only one could change.

    Args:
        query: the query.
        rewritings: what a rule offers.

    Yields:
        One rewriting, or two that belong together.
    """
    pairs = list(number_pairs(query))
    for rewriting in rewritings:
        pair = next((pair for pair in pairs if _covers(rewriting, pair.first) or _covers(rewriting, pair.second)), None)
        if pair is None or (pair.elliptic and _keeps_number(query, rewriting)):
            yield (rewriting,)
    for pair in pairs:
        firsts = [rewriting for rewriting in rewritings if _covers(rewriting, pair.first)]
        seconds = [rewriting for rewriting in rewritings if _covers(rewriting, pair.second)]
        if not pair.elliptic and len(firsts) == len(seconds):
            yield from (both for both in zip(firsts, seconds, strict=True) if both[0].end <= both[1].start)


def _covers(rewriting: Rewriting, span: tuple[int, int]) -> bool:
    return rewriting.start < span[1] and span[0] < rewriting.end


def _keeps_number(query: ParsedQuery, rewriting: Rewriting) -> bool:
    """Whether only the unit is written otherwise, which holds for both numbers: *od 5 do 10%*, *od 5 do 10 %*."""
    before = query.text[rewriting.start : rewriting.end]
    number = re.match(r"[\d\s.,]*", before)
    return (
        rewriting.kind in ("amount", "percent") and number is not None and rewriting.after.startswith(number[0].strip())
    )
