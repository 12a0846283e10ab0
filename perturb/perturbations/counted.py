"""Counted phrases in a query: a number or numeral, the noun it counts, and the cases it can stand in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from perturb.perturbations.number_cases import governing_cases, unit_case
from perturb.polish.government import UNKNOWN, expected_cases, is_preposition
from perturb.polish.morphology import CASES, Reading, analyse, lemmas, paradigm
from perturb.polish.numerals import MAX_NUMBER, cardinal, governed_cell, ordinal_lemmas, read_cardinal
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import Token, units
from perturb.resources import read_table

_INTEGER = re.compile(r"\d+|\d{1,3}(?:[ \u00a0\u202f]\d{3})+")
_NUMERAL_CASES = CASES[:6]
_OTHER_UNITS = {"%": "procent", "proc": "procent", "pln": "złoty", "zł": "złoty", "eur": "euro", "usd": "dolar"}
_NEVER_DOTTED = frozenset({"zł", "%", "pln", "eur"})
_TWO_MEANINGS = frozenset({"mb"})
"""Units that are metres as often as megabytes."""


@lru_cache(maxsize=1)
def contexts() -> dict[str, dict[str, str]]:
    """Words of ``number_contexts.tsv`` and their values, by role."""
    roles: dict[str, dict[str, str]] = {}
    for row in read_table("number_contexts.tsv"):
        roles.setdefault(row["role"], {})[row["word"]] = row["value"]
    return roles


@lru_cache(maxsize=1)
def month_names() -> tuple[str, ...]:
    """The twelve months in the genitive, January first."""
    return tuple(sorted(contexts()["month"], key=lambda name: int(contexts()["month"][name])))


@lru_cache(maxsize=1)
def unit_lemmas() -> dict[str, str]:
    """Dictionary forms of units by their abbreviations, in lower case: ``km`` is *kilometr*."""
    known = {row["abbreviation"]: row["expansion"] for row in read_table("abbreviations.tsv") if row["kind"] == "unit"}
    return {**known, **_OTHER_UNITS}


@dataclass(frozen=True, slots=True)
class Counted:
    """A number with the noun it counts.

    Attributes:
        value: the number.
        start: offset of its first character.
        end: one past its last character; a percent sign that stands on the number belongs to the noun.
        in_words: whether it is written in words.
        noun: the counted noun as it stands, or None for a unit that has no case of its own.
        noun_end: one past the noun, the dot of an abbreviation included.
        lemma: dictionary form of the noun: ``dzień``, ``złoty``, ``procent``.
        cells: possible case of the phrase and gender of the noun.
        followed_by_adjective: whether an adjective belongs to the noun: *14 dni roboczych*.
    """

    value: int
    start: int
    end: int
    in_words: bool
    noun: Token | None
    noun_end: int
    lemma: str
    cells: frozenset[tuple[str, str]]
    followed_by_adjective: bool = False

    @property
    def forms(self) -> frozenset[str]:
        """Every way to write the number in words here; one only if the case is settled."""
        return frozenset(cardinal(self.value, case, gender) for case, gender in self.cells)

    @property
    def cases(self) -> frozenset[str]:
        """Possible cases of the phrase."""
        return frozenset(case for case, _ in self.cells)


def noun_form(lemma: str, number: str, case: str) -> str | None:
    """A form of a noun of measure, or None if the dictionary lacks it: ``noun_form("tydzień", "pl", "gen")``."""
    if lemma == "procent":
        endings = (
            {"inst": "procentami", "loc": "procentach", "dat": "procentom"} if number == "pl" else {"gen": "procenta"}
        )
        return endings.get(case, "procent")
    if lemma == "rok" and number == "pl":
        lemma = "lato"
    if lemma == "złoty" and case == "acc":
        case = "nom"  # filed as an animate: za jeden złoty, though
    for reading in paradigm(lemma):
        if (
            reading.pos == "subst"
            and reading.is_accepted
            and not reading.is_proper
            and number in reading.get("number")
            and case in reading.get("case")
        ):
            return reading.form
    return None


def find_counted(query: ParsedQuery, *, guess: bool = False) -> Iterator[Counted]:
    """Numbers and numerals of a query that count a noun.

    Args:
        query: the query.
        guess: take the nominative where the words before do not settle the case, as one who dictates does.

    Yields:
        Counted phrases in the order of the text, identifiers, dates and decimals left out.
    """
    index = 0
    while index < len(query.tokens):
        found = number_at(query.tokens, index)
        if found is None:
            index += 1
            continue
        value, after = found
        counted = _counted(query, index, after, value, guess)
        if counted is not None:
            yield counted
        index = after


def number_at(tokens: Sequence[Token], index: int) -> tuple[int, int] | None:
    """Value of the number or numeral that begins at a token, and the index after it; None if there is none."""
    token = tokens[index]
    if token.shielded:
        return None
    if token.kind == "number":
        digits = token.text.removesuffix("%")
        if _INTEGER.fullmatch(digits) and not digits.startswith("00"):
            value = int(re.sub(r"\D", "", digits))
            return (value, index + 1) if 0 < value <= MAX_NUMBER else None
        return None
    if not token.is_word:
        return None
    words: list[str] = []
    for following in tokens[index:]:
        if not following.is_word:
            break
        words.append(following.lower)
    read = read_cardinal(words)
    return (read[0], index + read[1]) if read else None


def is_label(tokens: Sequence[Token], index: int) -> bool:
    """Whether the words before a number make it a reference: *art. 5*, *§ 5*, *ISO 9001*, *wersja 2*."""
    if index == 0:
        return False
    before = tokens[index - 1]
    if before.text == "." and index > 1 and tokens[index - 2].kind == "abbreviation":
        before = tokens[index - 2]
    unit = before.kind == "abbreviation" and before.lower in units()
    if unit and index > 2 and tokens[tokens.index(before) - 1].kind == "number":
        return False  # 1 godz. 30 min
    if before.kind in ("abbreviation", "code") or before.text in ("§", "#", "№"):
        return before.lower not in ("ok", "maks", "min", "śr")
    if before.kind != "word":
        return False
    acronym = len(before.text) > 1 and before.text.isupper() and any(t.text.islower() for t in tokens)
    return acronym or bool(set(lemmas(before.text)) & contexts()["label"].keys())


def _counted(query: ParsedQuery, index: int, after: int, value: int, guess: bool) -> Counted | None:
    tokens = query.tokens
    start, end, in_words = tokens[index].start, tokens[after - 1].end, tokens[index].kind == "word"
    if not in_words and is_label(tokens, index):
        return None
    expected = _expected(tokens, index)
    if not expected and guess:
        expected = frozenset({"nom"})
    if tokens[index].text.endswith("%"):
        cells = _unit_cells(value, tokens, index, expected, "procent", guess)
        return Counted(value, start, end - 1, False, None, end, "procent", cells)
    if after >= len(tokens) or tokens[after].shielded:
        return None
    following = tokens[after]
    if following.lower == "r" or following.text in _TWO_MEANINGS:
        return None
    if following.lower in unit_lemmas() and (
        following.kind == "abbreviation" or following.lower in ("%", "proc", "zł")
    ):
        dotted = query.text[following.end : following.end + 1] == "." and following.lower not in _NEVER_DOTTED
        noun_end = following.end + (1 if dotted else 0)
        lemma = unit_lemmas()[following.lower]
        cells = _unit_cells(value, tokens, index, expected, lemma, guess)
        return Counted(value, start, end, in_words, None, noun_end, lemma, cells)
    return _counted_noun(tokens, (index, after), value, expected)


def _counted_noun(
    tokens: Sequence[Token], span: tuple[int, int], value: int, expected: frozenset[str]
) -> Counted | None:
    index, after = span
    position = after + 1 if after + 1 < len(tokens) and _is_adjective(tokens[after]) else after
    for place in dict.fromkeys((after, position)):
        noun = tokens[place]
        # do is the first note of the scale too
        if (
            not noun.is_word
            or is_preposition(noun)
            or noun.lower in contexts()["month"]
            or noun.lower in units()
            or _is_fraction(noun)
        ):
            return None
        cells, lemma = _noun_cells(noun, value)
        if not cells:
            continue
        if value == 1 and not _one_is_no_ordinal(tokens, index, lemma):
            return None
        in_words = tokens[index].kind == "word"
        # A numeral shows its own case; digits after words that settle none may number an article or a version.
        fitting = cells if in_words and not expected else frozenset(cell for cell in cells if cell[0] in expected)
        adjective = place != after or (place + 1 < len(tokens) and _is_adjective(tokens[place + 1]))
        return Counted(
            value, tokens[index].start, tokens[after - 1].end, in_words, noun, noun.end, lemma, fitting, adjective
        )
    return None


def _is_fraction(noun: Token) -> bool:
    """*trzy czwarte etatu* is a fraction."""
    return any(reading.pos == "adj" and reading.lemma in ordinal_lemmas() for reading in analyse(noun.text))


def _one_is_no_ordinal(tokens: Sequence[Token], index: int, lemma: str) -> bool:
    """*1 piętro* is the first floor, *przez 1 dzień* is one day."""
    if lemma not in contexts()["unit"]:
        return False
    before = {tokens[index - 1].lower, " ".join(t.lower for t in tokens[max(index - 2, 0) : index])}
    return index == 0 or tokens[index].kind == "word" or bool(before & contexts()["not_ordinal"].keys())


def _is_adjective(token: Token) -> bool:
    return token.is_word and any(reading.pos in ("adj", "ppas", "pact") for reading in analyse(token.text))


def _noun_cells(noun: Token, value: int) -> tuple[frozenset[tuple[str, str]], str]:
    cells: set[tuple[str, str]] = set()
    found: list[Reading] = []
    for reading in analyse(noun.text):
        # The archaic instrumental laty lives on in przed dwoma laty.
        usable = reading.is_accepted or noun.lower == "laty"
        if reading.pos != "subst" or not usable or reading.is_proper:
            continue
        for gender in reading.get("gender") or ():
            for case in _NUMERAL_CASES:
                number, governed = governed_cell(value, case, gender)
                if number in reading.get("number") and governed in reading.get("case"):
                    cells.add((case, gender))
                    found.append(reading)
    lemma = found[0].lemma if found else ""
    # Dictionaries file lata under lato; as a counted noun it is the plural of rok.
    return frozenset(cells), "rok" if lemma == "lato" and noun.lower.startswith("lat") else lemma


def _expected(tokens: Sequence[Token], index: int) -> frozenset[str]:
    governed = governing_cases(tokens, index)
    if governed or index == 0:
        return frozenset(governed or {"nom"})
    cases = expected_cases(tokens, index)
    if cases == {"gen"} and not set(lemmas(tokens[index - 1].text)) & contexts()["measure"].keys():
        return UNKNOWN
    return cases


def _unit_cells(
    value: int, tokens: Sequence[Token], index: int, expected: frozenset[str], lemma: str, guess: bool
) -> frozenset[tuple[str, str]]:
    """Units have no case of their own; after prepositions with two cases only *za* and *po* settle it (*za 900 zł*)."""
    before = tokens[index - 1].lower if index else ""
    if before in ("za", "po") or (guess and before in ("o", "na", "w", "we")):
        expected = frozenset({unit_case(tokens, index, lemma)})
    return frozenset((case, "m3") for case in expected) if value else frozenset()
