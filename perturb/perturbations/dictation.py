"""Queries as dictated to a phone: numbers in words, no punctuation, small letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from perturb.perturbations.base import Perturbation, register
from perturb.perturbations.counted import find_counted
from perturb.perturbations.number_words import spelled
from perturb.perturbations.spoken_abbreviations import read_aloud
from perturb.perturbations.spoken_numbers import (
    spoken_amount,
    spoken_area,
    spoken_decimal,
    spoken_number,
    spoken_year,
)
from perturb.perturbations.spoken_ordinals import is_roman, spoken_ordinal, spoken_roman
from perturb.perturbations.surface_forms import is_mark, without_mark
from perturb.polish.parsed import ParsedQuery
from perturb.polish.text import Token
from perturb.records import Edit, Variant

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
_INITIALS = re.compile(r"(?!o\.)(?:[^\W\d_]\.\s?){2,}", re.IGNORECASE)
"""Acts as lawyers cite them, *k.p.a.*: the letters are read without a stop."""

_PER = {
    "h": "godzinę",
    "godz": "godzinę",
    "szt": "sztukę",
    "kg": "kilogram",
    "km": "kilometr",
    "os": "osobę",
    "mies": "miesiąc",
    "l": "litr",
    "t": "tonę",
}
"""Units behind a stroke."""

_READ_IN_FULL = {
    "po": "pełniący obowiązki",
    "pp": "punktu procentowego",
    "npm": "nad poziomem morza",
    "pne": "przed naszą erą",
    "ne": "naszej ery",
    "rż": "roku życia",
}


@register
@dataclass(frozen=True)
class Dictated(Perturbation):
    """The query as a voice keyboard writes it: small letters, no punctuation, numbers and signs in words.

    Numbers take the case their phrase stands in; where that is not settled, the nominative, as in reading aloud. Dates
    are read in the genitive, years and *20. dnia* as ordinals, e-mail addresses with *małpa* and *kropka*. Codes stay,
    as nobody can tell how they are read. Prosody, fillers and recognition errors are out of scope.
    """

    name: ClassVar[str] = "query_form.dictated"
    summary: ClassVar[str] = "as dictated: numbers in words, no punctuation, small letters"
    changes_protected: ClassVar[bool] = True
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("Czy mogę oddać towar w ciągu 14 dni?", "czy mogę oddać towar w ciągu czternastu dni"),
        ("mail na biuro@przyklad.pl", "mail na biuro małpa przyklad kropka pl"),
        ("urlop na rok 2026", "urlop na rok dwa tysiące dwudziesty szósty"),
    )

    def __call__(self, query: ParsedQuery, rng: Random) -> Iterator[Variant]:
        """Yield one variant, or nothing if the query is small letters only already; draws nothing."""
        edits = _spoken_numbers(query)
        read = {edit.start for edit in edits}
        if any(is_roman(token) and token.start not in read for token in query.tokens):
            query.decline("nobody can tell how a Roman numeral is read")
            return
        spoken = {offset for edit in edits for offset in range(edit.start, edit.end)}
        edits += [edit for edit in _spoken_abbreviations(query) if spoken.isdisjoint(range(edit.start, edit.end))]
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
    """Edits for counted phrases, years, ordinals, amounts and areas, which span several tokens."""
    edits: list[Edit] = []
    tokens = query.tokens
    for index, token in enumerate(tokens):
        if roman := spoken_roman(tokens, index):
            edits.append(query.edit(token.start, *roman))
        if token.kind != "number" or token.shielded or not _stands_free(query, token):
            continue
        area, decimal = spoken_area(tokens, index), None
        if area is None:
            decimal = spoken_decimal(tokens, index) if not spoken_amount(tokens, index) else None
        found = area or decimal
        if found is not None:
            edits.append(query.edit(token.start, *found))
        elif words := spoken_amount(tokens, index):
            edits.append(query.edit(token.start, tokens[index + 1].end, words))
        elif year := spoken_year(tokens, index):
            edits.append(query.edit(token.start, *year))
        elif ordinal := spoken_ordinal(tokens, index):
            edits.append(query.edit(token.start, *ordinal))
    taken = {edit.start for edit in edits}
    for counted in find_counted(query, guess=True):
        rewriting = spelled(counted) if not counted.in_words and len(counted.forms) == 1 else None
        if rewriting is not None and rewriting.start not in taken:
            edit = _per_unit(query, query.edit(rewriting.start, rewriting.end, rewriting.after))
            edits += [edit] if edit else []
    return edits


def _per_unit(query: ParsedQuery, edit: Edit) -> Edit | None:
    """*50 km/h* → *pięćdziesiąt kilometrów na godzinę*, *5 zł/szt.* → *pięć złotych za sztukę*; None if unknown."""
    match = re.match(r"/(\w+)(?!\w)\.?", query.text[edit.end :])
    if match is None:
        return edit
    per = _PER.get(match[1].lower())
    if per is None:
        return None
    money = re.search(r"złot|euro|groszy?", edit.after) is not None
    return query.edit(edit.start, edit.end + match.end(), f"{edit.after} {'za' if money else 'na'} {per}")


def _spoken_abbreviations(query: ParsedQuery) -> Iterator[Edit]:
    """Abbreviations in full, and acts by their letters: *z art. 5 k.p.a.* → *z artykułu 5 kpa*."""
    for rewriting in read_aloud(query):
        space = " " if query.text[rewriting.end : rewriting.end + 1].isalnum() else ""
        yield query.edit(rewriting.start, rewriting.end, rewriting.after.lower() + space)
    for index, token in enumerate(query.tokens):
        following = query.tokens[index + 1] if index + 1 < len(query.tokens) else None
        if token.kind == "abbreviation" and not token.shielded and _INITIALS.fullmatch(token.text):
            letters = re.sub(r"[.\s]", "", token.lower)
            yield query.edit(token.start, token.end, _READ_IN_FULL.get(letters, letters))
        elif token.text == "§" and following is not None and following.text == "§" and not token.shielded:
            yield query.edit(token.start, following.end, "paragrafy")
        elif token.text == "w" and following is not None and following.text == "." and _is_century(query, index):
            yield query.edit(token.start, following.end, "wieku")


def _is_century(query: ParsedQuery, index: int) -> bool:
    """*XIX w.*: a Roman numeral stands before."""
    before = query.tokens[index - 1] if index else None
    return before is not None and before.kind == "code" and before.text.isalpha() and before.text.isupper()


def _spoken(query: ParsedQuery, index: int) -> Edit | None:
    token = query.tokens[index]
    if token.kind == "number":
        words = spoken_number(query.tokens, index) if _stands_free(query, token) else ""
        return query.edit(token.start, token.end, words) if words else None
    if token.kind == "address" and "@" in token.text and not token.text.startswith("@"):
        spoken = "".join(_SPOKEN_SIGNS.get(char, char) for char in token.lower)
        return query.edit(token.start, token.end, spoken)
    if token.kind == "abbreviation" and token.lower in _ABBREVIATIONS:
        dotted = query.text[token.end : token.end + 1] == "."
        return query.edit(token.start, token.end + dotted, _ABBREVIATIONS[token.lower])
    if token.lower in ("zł", "pln") and re.search(r"(?:tys|mln|mld)\.?\s*$", query.text[: token.start]):
        return query.edit(token.start, token.end, "złotych")
    if token.kind == "symbol" and token.text in _SPOKEN_SYMBOLS:
        return _spoken_symbol(query, token)
    if token.text == "." and not token.protected and index and query.tokens[index - 1].kind == "abbreviation":
        return query.edit(token.start, token.end, "")
    if is_mark(query, index):
        return without_mark(query, token)
    around = query.text[max(token.start - 1, 0) : token.end + 1]
    if not token.is_word or _is_unit(query, token) or "+" in around or ("/" in around and token.text.isupper()):
        return None  # C+E and PIT/O are written as they are
    return query.edit(token.start, token.end, token.lower)


def _is_unit(query: ParsedQuery, token: Token) -> bool:
    """*500 W*, *K 34/15*: a capital beside a number is a unit or a class, which a voice keyboard writes as such."""
    beside = query.text[: token.start].rstrip()[-1:] + query.text[token.end :].lstrip()[:1]
    return len(token.text) == 1 and token.text.isupper() and any(map(str.isdigit, beside)) and token.start > 0


def _stands_free(query: ParsedQuery, token: Token) -> bool:
    """Whether no sign or unit hangs on a number that nobody reads as part of it: *20°C*, *€50*, *10×20*, *500 W*."""
    left, right = query.text[token.start - 1 : token.start], query.text[token.end : token.end + 1]
    if re.match(r"\s[A-ZĆŁŚŹŻ](?![\w.])", query.text[token.end :]):
        return False
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
