"""Pairs of words and abbreviations, as ``lexicons/abbreviation_pairs.tsv`` lists them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from perturb.polish.phrases.inflect import read_phrase
from perturb.polish.phrases.shapes import CELLS
from perturb.resources import read_table


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of ``abbreviation_pairs.tsv``.

    Attributes:
        long: the words, in the nominative.
        short: the abbreviation, with its dot where it has one.
        number: ``sg``, ``pl`` or ``none`` for phrases that do not inflect.
        context: ``any``, ``before_number``, ``after_number``, ``after_year``, ``before_noun`` or ``after_comma``.
        barred: lemmas after which the abbreviation is not written out.
        shortens: whether words may become the abbreviation.
        expands: whether the abbreviation may become words.
        risk: whether the abbreviation has other common meanings.
    """

    long: str
    short: str
    number: str
    context: str
    barred: frozenset[str]
    shortens: bool
    expands: bool
    risk: bool


@lru_cache(maxsize=1)
def pairs() -> tuple[Pair, ...]:
    """All pairs of the lexicon."""
    return tuple(
        Pair(
            row["long"],
            row["short"],
            row["number"],
            row["context"].partition(" not:")[0],
            frozenset(row["context"].partition(" not:")[2].split(",")) - {""},
            row["direction"] in ("both", "shorten"),
            row["direction"] in ("both", "expand"),
            row["risk"] == "yes",
        )
        for row in read_table("abbreviation_pairs.tsv")
    )


@lru_cache(maxsize=1)
def long_forms() -> dict[str, list[Pair]]:
    """Pairs by every inflected form of their long side, in lower case."""
    forms: dict[str, list[Pair]] = {}
    for pair in pairs():
        if pair.shortens:
            for form in {pair.long} if pair.number == "none" else _all_forms(pair.long):
                forms.setdefault(form.lower(), []).append(pair)
    return forms


def _all_forms(phrase: str) -> set[str]:
    reader = read_phrase(phrase)
    return {form for cell, (_, case) in enumerate(CELLS) if case != "voc" for form in reader.forms(cell)}


_BOUNDARY = r"\w/@\-"


@lru_cache(maxsize=1)
def short_pattern() -> re.Pattern[str]:
    """Matches every abbreviation that may be written out, longest first."""
    known = {pair.short for pair in pairs() if pair.expands}
    shorts = sorted(known | {short[:1].upper() + short[1:] for short in known}, key=lambda short: (-len(short), short))
    return re.compile(rf"(?<![{_BOUNDARY}.])(?:{'|'.join(re.escape(short) for short in shorts)})(?![{_BOUNDARY}])")


@lru_cache(maxsize=1)
def by_short() -> dict[str, list[Pair]]:
    """Pairs by their abbreviation, also with a capital first letter."""
    table: dict[str, list[Pair]] = {}
    for pair in pairs():
        if pair.expands:
            table.setdefault(pair.short, []).append(pair)
            capital = pair.short[:1].upper() + pair.short[1:]
            if capital != pair.short and pair.short.islower():
                table.setdefault(capital, []).append(pair)
    return table
