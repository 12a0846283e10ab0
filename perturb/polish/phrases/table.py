"""Any noun phrase given as such in any cell: counted phrases and all others."""

from __future__ import annotations

from functools import lru_cache

from perturb.polish.morphology import CASES, NUMBERS
from perturb.polish.phrases.counted import CountedPhrase, counted_phrase
from perturb.polish.phrases.inflect import PhraseReader
from perturb.polish.phrases.shapes import CELLS, Inflection, PhraseTable, cell_index
from perturb.polish.text import clean, tokenize

_OPENING = frozenset(["tzw.", "np.", "m.in.", "ww."])
"""Abbreviations that leave the phrase behind them as it is: *tzw. miękka hipoteka*."""


def _without_opening(phrase: str) -> tuple[str, str]:
    """An abbreviation before the phrase, with the space behind it, and the phrase."""
    text = clean(phrase)
    first, space, rest = text.partition(" ")
    return (first + space, rest) if rest and first.lower() in _OPENING else ("", text)


@lru_cache(maxsize=8192)
def _reader(phrase: str) -> PhraseReader | CountedPhrase:
    text = clean(phrase)
    tokens = tokenize(text)
    return counted_phrase(text, tokens) or PhraseReader(text, tokens)


def inflect(phrase: str, case: str, number: str) -> Inflection:
    """Put a noun phrase into a case and number; every agreeing word changes, all else is kept byte for byte.

    Args:
        phrase: a noun phrase in any cell, such as ``kara umowna``.
        case: ``nom``, ``gen``, ``dat``, ``acc``, ``inst``, ``loc`` or ``voc``.
        number: ``sg`` or ``pl``.

    Returns:
        Every accepted form, best first, and the confidence of the parse; no form where the cell does not exist, such
        as the singular of *drzwi* or of *dwie umowy*. A phrase without a recognised noun is returned as it is, with
        confidence 0.

    Raises:
        ConfigError: no such case or number.
    """
    cell = cell_index(case, number)
    opening, rest = _without_opening(phrase)
    reader = _reader(rest)
    return Inflection(tuple(opening + form for form in reader.forms(cell)), reader.confidence)


def phrase_table(phrase: str) -> PhraseTable:
    """Put a noun phrase into all 14 cells.

    Args:
        phrase: a noun phrase in any cell.
    """
    opening, rest = _without_opening(phrase)
    reader = _reader(rest)
    forms = [reader.forms(cell) for cell in range(len(CELLS))]
    if opening:
        forms = [tuple(opening + form for form in cell) for cell in forms]
    cells = {number: dict(zip(CASES, forms[7 * i : 7 * i + 7], strict=True)) for i, number in enumerate(NUMBERS)}
    return PhraseTable(opening + reader.text, reader.lemma, cells, reader.confidence)
