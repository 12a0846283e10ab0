"""Any noun phrase given as such in any cell: counted phrases and all others."""

from __future__ import annotations

from functools import lru_cache

from perturb.polish.morphology import CASES, NUMBERS
from perturb.polish.phrases.counted import CountedPhrase, counted_phrase
from perturb.polish.phrases.inflect import PhraseReader
from perturb.polish.phrases.shapes import CELLS, Inflection, PhraseTable, cell_index
from perturb.polish.text import clean, tokenize


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
    reader = _reader(phrase)
    return Inflection(reader.forms(cell), reader.confidence)


def phrase_table(phrase: str) -> PhraseTable:
    """Put a noun phrase into all 14 cells.

    Args:
        phrase: a noun phrase in any cell.
    """
    reader = _reader(phrase)
    forms = [reader.forms(cell) for cell in range(len(CELLS))]
    cells = {number: dict(zip(CASES, forms[7 * i : 7 * i + 7], strict=True)) for i, number in enumerate(NUMBERS)}
    return PhraseTable(reader.text, reader.lemma, cells, reader.confidence)
