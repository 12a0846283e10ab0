"""Numbers in words and in digits, and lengths of time in another unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from perturb.perturbations.counted import Counted, contexts, find_counted, noun_form
from perturb.polish.government import is_preposition
from perturb.polish.morphology import analyse
from perturb.polish.numerals import cardinal, compound_prefix, governed_cell
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import Token, match_case
from perturb.resources import read_table


@dataclass(frozen=True, slots=True)
class Rewriting:
    """One place of a query written in another way.

    Attributes:
        kind: the finer cell of the rule.
        start: first character of the place.
        end: one past its last.
        after: what stands there now.
        confidence: 0 to 1.
        risk: whether the meaning may have shifted.
    """

    kind: str
    start: int
    end: int
    after: str
    confidence: float = 1.0
    risk: bool = False


def grouped(value: int) -> str:
    """Digits with spaces between thousands from 10 000 on, as Polish writes them: ``1250``, ``10 000``."""
    return f"{value:,}".replace(",", " ") if value >= 10_000 else str(value)


def in_words(query: ParsedQuery) -> Iterator[Rewriting]:
    """*w ciągu 5 dni* → *w ciągu pięciu dni*; only where the case is settled."""
    for counted in find_counted(query):
        if counted.in_words or _is_second_of_range(query, counted) or _goes_on(query, counted):
            continue
        if len(counted.forms) != 1:
            query.decline("case of a counted phrase is not settled")
            continue
        rewriting = spelled(counted)
        if rewriting is not None and len(cardinal(counted.value, "nom").split()) <= _MOST_WORDS:
            yield rewriting


_MOST_WORDS = 3
"""Words of a numeral that somebody still writes out: *sto dwadzieścia pięć*, no *tysiąc osiemset dwadzieścia pięć*."""


def _is_second_of_range(query: ParsedQuery, counted: Counted) -> bool:
    """*od 10 do 20 zł*: nobody writes one of the two in words."""
    return re.search(r"\d\s*(?:do|a|i|lub|albo|czy|[-–])\s*$", query.text[: counted.start]) is not None


def _goes_on(query: ParsedQuery, counted: Counted) -> bool:
    """Whether the unit is longer than it looks (*km/h*, *m kw.*) or a smaller one follows (*1 godz. 30 min*)."""
    return re.match(r"/|\s+kw(?!\w)|\s+\d", query.text[counted.noun_end :]) is not None


def spelled(counted: Counted) -> Rewriting | None:
    """The phrase with its number in words and its unit written out; None where the unit has no such form."""
    words = next(iter(counted.forms))
    if counted.noun is not None:
        return Rewriting("words", counted.start, counted.end, words)
    unit = {_unit(counted, case, gender) for case, gender in counted.cells} - {None}
    if len(unit) != 1:
        return None
    gender = noun_gender(counted.lemma)
    words = cardinal(counted.value, next(iter(counted.cases)), gender)
    return Rewriting("words", counted.start, counted.noun_end, f"{words} {unit.pop()}")


def _unit(counted: Counted, case: str, gender: str) -> str | None:
    return noun_form(counted.lemma, *governed_cell(counted.value, case, gender))


def noun_gender(lemma: str) -> str:
    """Gender of a noun of measure: ``f`` for *godzina*; ``m3`` where the dictionary does not tell."""
    for reading in analyse(lemma):
        if reading.pos == "subst" and reading.is_accepted and not reading.is_proper and reading.lemma == lemma:
            genders = reading.get("gender")
            # złoty is filed as an animate, which no numeral shows.
            return "m3" if genders & {"m1", "m2", "m3"} else min(genders)
    return "m3"


def in_digits(query: ParsedQuery) -> Iterator[Rewriting]:
    """*czternastu dni* → *14 dni*; only numerals that agree with the noun after them."""
    for counted in find_counted(query):
        if counted.in_words and query.text[counted.start : counted.end].lower() in _all_forms(counted):
            yield Rewriting("digits", counted.start, counted.end, grouped(counted.value))


def _all_forms(counted: Counted) -> frozenset[str]:
    spellings = set(counted.forms)
    if "dwóch" in spellings:
        spellings.add("dwu")
    return frozenset(spellings)


def regrouped(query: ParsedQuery) -> Iterator[Rewriting]:
    """*60 000 sztuk* ↔ *60000 sztuk*."""
    for counted in find_counted(query):
        if not counted.in_words and counted.value >= 1000 and counted.cells:
            for form in (str(counted.value), f"{counted.value:,}".replace(",", " ")):
                yield Rewriting("grouping", counted.start, counted.end, form)


def halves(query: ParsedQuery) -> Iterator[Rewriting]:
    """*1,5 roku* ↔ *półtora roku*, *0,5 etatu* ↔ *pół etatu*; the noun is a genitive singular either way."""
    for token, noun in zip(query.tokens, query.tokens[1:], strict=False):
        if token.shielded or not noun.is_word:
            continue
        genders = _genitive_genders(noun)
        one_and_half = "półtorej" if genders == {"f"} else "półtora"
        words = {"0,5": "pół", "1,5": one_and_half, "pół": "0,5", "półtora": "1,5", "półtorej": "1,5"}
        if genders and token.lower in words:
            yield Rewriting("half", token.start, token.end, words[token.lower])


def _genitive_genders(noun: Token) -> frozenset[str]:
    readings = [r for r in analyse(noun.text) if r.pos == "subst" and r.is_accepted and not r.is_proper]
    genitives = [r for r in readings if "sg" in r.get("number") and "gen" in r.get("case")]
    return frozenset().union(*(reading.get("gender") for reading in genitives))


@lru_cache(maxsize=1)
def _durations() -> dict[tuple[int, str], list[tuple[int, str, bool]]]:
    table: dict[tuple[int, str], list[tuple[int, str, bool]]] = {}
    for row in read_table("durations.tsv"):
        one, other = (int(row["value"]), row["unit"]), (int(row["other_value"]), row["other_unit"])
        table.setdefault(one, []).append((*other, row["risk"] == "yes"))
        table.setdefault(other, []).append((*one, row["risk"] == "yes"))
    return table


def in_other_units(query: ParsedQuery) -> Iterator[Rewriting]:
    """*w ciągu 14 dni* → *w ciągu dwóch tygodni*, *w ciągu 2 tygodni*; working days are left alone."""
    for counted in find_counted(query):
        pairs = _durations().get((counted.value, counted.lemma), ())
        if not pairs or _goes_on(query, counted):
            continue
        if counted.followed_by_adjective or len({_syncretic(case) for case in counted.cases}) != 1:
            query.decline("length of time has an adjective or no settled case")
            continue
        for value, unit, risk in pairs:
            if unit == "kwartał" and not query.text[: counted.start].lower().endswith("co "):
                continue  # nobody gives a quarter's notice; reports come every one
            if _is_subject(query, counted) and (_takes_plural(value) != _takes_plural(counted.value)):
                query.decline("the verb agrees with the number")
                continue
            yield from _other_unit(counted, value, unit, risk)


def _takes_plural(value: int) -> bool:
    """Whether a verb is plural beside such a number: *dwie godziny wystarczą*, *120 minut wystarczy*."""
    return value % 10 in (2, 3, 4) and value % 100 not in (12, 13, 14)


def _is_subject(query: ParsedQuery, counted: Counted) -> bool:
    """Whether a verb may agree with the phrase: no preposition stands before it, and there is a verb."""
    before = [token for token in query.tokens if token.end <= counted.start][-1:]
    return any(query.verbs) and not (before and is_preposition(before[0]))


def _other_unit(counted: Counted, value: int, unit: str, risk: bool) -> Iterator[Rewriting]:
    case, gender = _syncretic(next(iter(counted.cases))), noun_gender(unit)
    case = "nom" if not counted.start and "nom" in counted.cases else case  # godzina przerwy
    noun = noun_form(unit, *governed_cell(value, case, gender))
    if noun is None:
        return
    if value == 1:
        yield Rewriting("unit", counted.start, counted.noun_end, noun, 0.9, risk)
        return
    if value <= 20:
        words = cardinal(value, case, gender)
        yield Rewriting("unit", counted.start, counted.noun_end, f"{words} {noun}", 0.9, risk)
    if not counted.in_words or value > 4:
        yield Rewriting("unit", counted.start, counted.noun_end, f"{value} {noun}", 0.9, risk)


def _syncretic(case: str) -> str:
    """Counted nouns of time look alike in nominative and accusative, *1 godzina* aside, which takes the accusative."""
    return "acc" if case == "nom" else case


@lru_cache(maxsize=1)
def _compound() -> re.Pattern[str]:
    tails = "|".join(tail[:-1] for tail in contexts()["tail"])
    prefixes = sorted((compound_prefix(number) for number in range(1, 101)), key=lambda word: -len(word))
    return re.compile(rf"({'|'.join(prefixes)})((?:{tails})\w{{1,3}})")


@lru_cache(maxsize=1)
def _prefix_values() -> dict[str, int]:
    return {compound_prefix(number): number for number in range(1, 101)}


def compound_adjectives(query: ParsedQuery) -> Iterator[Rewriting]:
    """*dziesięciogodzinny* ↔ *10-godzinny*."""
    for token in query.tokens:
        if token.shielded:
            continue
        after = _compound_digits(token) if token.is_word else _compound_words(token)
        if after:
            yield Rewriting("compound", token.start, token.end, after)


def _compound_digits(token: Token) -> str | None:
    match = _compound().fullmatch(token.lower)
    if match is None or not any(reading.pos in ("adj", "adv") for reading in analyse(token.text)):
        return None
    return f"{_prefix_values()[match[1]]}-{match[2]}"


def _compound_words(token: Token) -> str | None:
    match = re.fullmatch(r"(\d{1,3})-([^\W\d_]{4,})", token.text)
    if match is None or not 1 <= int(match[1]) <= 100:
        return None
    word = compound_prefix(int(match[1])) + match[2].lower()
    return match_case(match[2], word) if _compound().fullmatch(word) else None
