"""Queries as dictated to a phone: numbers in words, no punctuation, small letters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.counted import contexts, find_counted, month_names, noun_form
from perturb.perturbations.number_words import spelled
from perturb.perturbations.surface_forms import is_mark, without_mark
from perturb.polish.government import preposition_cases
from perturb.polish.numerals import MAX_NUMBER, cardinal, governed_cell, ordinal
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import Token
from perturb.records import Edit, Variant

_YEAR = re.compile(r"(?:19|20)\d{2}")
_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.((?:19|20)\d{2})")
_ISO_DATE = re.compile(r"((?:19|20)\d{2})-(\d{2})-(\d{2})")
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_DECIMAL = re.compile(r"(\d{1,6}),(\d{1,2})")
_WHOLE = re.compile(r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d{1,6}")
_SPOKEN_SIGNS = {"@": " małpa ", ".": " kropka ", "-": " minus ", "_": " podkreślnik "}
_SPOKEN_SYMBOLS = {"§": "paragraf", "%": "procent", "&": "i", "+": "plus"}
_BEFORE = frozenset("([„“\"'«–—-§,;:")
_AFTER = frozenset(")]”“\"'»–—-%.,;:?!…")
"""What may hang on a number that is read aloud."""
_ABBREVIATIONS = {
    "nr": "numer",
    "np": "na przykład",
    "ok": "około",
    "itd": "i tak dalej",
    "itp": "i tym podobne",
    "r": "roku",
}


@register
@dataclass(frozen=True)
class Dictated(Perturbation):
    """The query as a voice keyboard writes it: small letters, no punctuation, numbers and signs in words.

    Numbers take the case their phrase stands in; where that is not settled, the nominative, as in reading aloud. Dates
    are read in the genitive, e-mail addresses with *małpa* and *kropka*. Codes stay, as nobody can tell how they are
    read. Prosody, fillers and recognition errors are out of scope.
    """

    name: ClassVar[str] = "query_form.dictated"
    summary: ClassVar[str] = "as dictated: numbers in words, no punctuation, small letters"
    changes_protected: ClassVar[bool] = True
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("Czy mogę oddać towar w ciągu 14 dni?", "czy mogę oddać towar w ciągu czternastu dni"),
        ("mail na biuro@przyklad.pl", "mail na biuro małpa przyklad kropka pl"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant, or nothing if the query is small letters only already; draws nothing."""
        edits = _spoken_numbers(query)
        spoken = {offset for edit in edits for offset in range(edit.start, edit.end)}
        for index, token in enumerate(query.tokens):
            if token.shielded or not spoken.isdisjoint(range(token.start, token.end)):
                continue
            edit = _spoken(query, index)
            if edit is not None and edit.before != edit.after:
                edits.append(edit)
        ordered: list[Edit] = []
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            if not ordered or edit.start >= ordered[-1].end:
                ordered.append(edit)
        if ordered and any(token.kind != "symbol" for token in query.tokens):
            yield query.variant(self.name, "dictated", ordered, confidence=0.9)


def _spoken_numbers(query: ParsedQuery) -> list[Edit]:
    """Edits for counted phrases and years, which span several tokens."""
    edits: list[Edit] = []
    for counted in find_counted(query, guess=True):
        rewriting = spelled(counted) if not counted.in_words and len(counted.forms) == 1 else None
        if rewriting is not None:
            edits.append(query.edit(rewriting.start, rewriting.end, rewriting.after))
    for index, token in enumerate(query.tokens[:-1]):
        edits += _spoken_year(query, index, token)
        edits += _spoken_amount(query, index, token)
    return edits


def _spoken_year(query: ParsedQuery, index: int, token: Token) -> list[Edit]:
    following = query.tokens[index + 1]
    if token.shielded or not _YEAR.fullmatch(token.text) or following.lower not in ("roku", "rok", "r"):
        return []
    case = "nom" if following.lower == "rok" else "gen"
    if "loc" in preposition_cases(query.tokens, index):
        case = "loc"
    words = _year(int(token.text), case)
    if not words:
        return []
    end = following.end + (query.text[following.end : following.end + 1] == ".") * (following.lower == "r")
    noun = "roku" if following.lower == "r" else following.lower
    return [query.edit(token.start, end, f"{words} {noun}")]


def _year(value: int, case: str) -> str:
    return "" if value == 2000 else ordinal(value, case)


def _spoken_amount(query: ParsedQuery, index: int, token: Token) -> list[Edit]:
    """*1 250,50 zł* → *tysiąc dwieście pięćdziesiąt złotych pięćdziesiąt groszy*."""
    following = query.tokens[index + 1]
    digits = re.sub(r"[ \u00a0\u202f]", "", token.text)
    match = re.fullmatch(r"(\d{1,6}),(\d{2})", digits)
    if match is None or token.shielded or following.lower not in ("zł", "pln"):
        return []
    whole, cents = int(match[1]), int(match[2])
    words = f"{cardinal(whole)} {noun_form('złoty', *governed_cell(whole, 'nom', 'm3'))}"
    if cents:
        words += f" {cardinal(cents)} {noun_form('grosz', *governed_cell(cents, 'nom', 'm3'))}"
    return [query.edit(token.start, following.end, words)]


def _spoken(query: ParsedQuery, index: int) -> Edit | None:
    token = query.tokens[index]
    if token.kind == "number":
        words = _spoken_number(query.tokens, index) if _stands_free(query, token) else ""
        return query.edit(token.start, token.end, words) if words else None
    if token.kind == "address" and "@" in token.text and not token.text.startswith("@"):
        spoken = "".join(_SPOKEN_SIGNS.get(char, char) for char in token.lower)
        return query.edit(token.start, token.end, spoken)
    if token.kind == "abbreviation" and token.lower in _ABBREVIATIONS:
        dotted = query.text[token.end : token.end + 1] == "."
        return query.edit(token.start, token.end + dotted, _ABBREVIATIONS[token.lower])
    if token.kind == "symbol" and token.text in _SPOKEN_SYMBOLS:
        return _spoken_symbol(query, token)
    if token.text == "." and not token.protected and index and query.tokens[index - 1].kind == "abbreviation":
        return query.edit(token.start, token.end, "")
    if is_mark(query, index):
        return without_mark(query, token)
    return query.edit(token.start, token.end, token.lower) if token.is_word else None


def _stands_free(query: ParsedQuery, token: Token) -> bool:
    """Whether no sign hangs on a number that nobody reads as part of it: *20°C*, *€50*, *10×20*."""
    left, right = query.text[token.start - 1 : token.start], query.text[token.end : token.end + 1]
    return not any(
        char and not char.isspace() and char not in marks for char, marks in ((left, _BEFORE), (right, _AFTER))
    )


def _spoken_symbol(query: ParsedQuery, token: Token) -> Edit | None:
    """A sign in words, parted by spaces from what it hangs on; within a word or code it stays."""
    left, right = query.text[token.start - 1 : token.start], query.text[token.end : token.end + 1]
    hangs = (
        left.isdigit() if token.text == "%" else left.isspace() or not left,
        right.isspace() or right.isdigit() or not right,
    )
    if not all(hangs) and not (token.text == "%" and left.isspace()):
        return None
    before = "" if left.isspace() or not left else " "
    after = "" if right.isspace() or not right else " "
    return query.edit(token.start, token.end, f"{before}{_SPOKEN_SYMBOLS[token.text]}{after}")


def _spoken_number(tokens: Sequence[Token], index: int) -> str:
    """A number on its own, read aloud; empty for what nobody reads as a number (versions, references)."""
    text = tokens[index].text
    if text.endswith("%"):
        value = _spoken_value(text[:-1])
        return f"{value} {'procenta' if ',' in text else 'procent'}" if value else ""
    date = _DATE.fullmatch(text)
    iso = _ISO_DATE.fullmatch(text)
    if date or iso:
        day, month, year = date.groups() if date else reversed(iso.groups()) if iso else ("", "", "")
        return _spoken_date(int(day), int(month), int(year))
    time = _TIME.fullmatch(text)
    if time:
        return _spoken_time(tokens, index, int(time[1]), int(time[2]))
    after = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    if after in contexts()["month"] and text.isdigit() and 1 <= int(text) <= 31:
        return ordinal(int(text), "gen")
    return _spoken_value(text)


def _spoken_value(text: str) -> str:
    decimal = _DECIMAL.fullmatch(text)
    if decimal:
        return f"{cardinal(int(decimal[1]))} przecinek {' '.join(_digits(decimal[2]))}"
    if _WHOLE.fullmatch(text) and not (len(text) > 1 and text.startswith("0")):
        value = int(re.sub(r"\D", "", text))
        return cardinal(value) if value <= MAX_NUMBER else ""
    return ""


def _digits(text: str) -> list[str]:
    return [cardinal(int(text))] if text == "0" or not text.startswith("0") else [cardinal(int(d)) for d in text]


def _spoken_date(day: int, month: int, year: int) -> str:
    if not (1 <= day <= 31 and 1 <= month <= 12):
        return ""
    name = month_names()[month - 1]
    return f"{ordinal(day, 'gen')} {name} {_year(year, 'gen')}".strip()


def _spoken_time(tokens: Sequence[Token], index: int, hour: int, minute: int) -> str:
    cases = preposition_cases(tokens, index)
    case = next((case for case in ("loc", "gen", "inst") if case in cases), "nom")
    words = ordinal(hour, case, "f") if hour else "zero"
    return words if not minute else f"{words} {cardinal(minute) if minute > 9 else f'zero {cardinal(minute)}'}"
