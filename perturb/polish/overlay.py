"""Nouns that Morfeusz lacks or misreads, from ``lexicons/overlay.tsv``: *SLA*, *KSeF*, and *KPI*, no form of *kpić*."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from perturb.resources import read_table

CASES = ("nom", "gen", "dat", "acc", "inst", "loc", "voc")
NUMBERS = ("sg", "pl")
_CELLS = tuple((number, case) for number in NUMBERS for case in CASES)


class OverlayForm(NamedTuple):
    """A noun of the overlay lexicon, and the cells in which the form that was looked up can stand."""

    lemma: str
    gender: str
    forms: tuple[tuple[str, ...], ...]
    mask: int
    has_twin: bool = False
    """Whether the same letters in lower case may be another word: *KAS*, *kas* of *kasa*."""


def _overlay_forms(lemma: str, gender: str, kind: str) -> tuple[tuple[str, ...], ...]:
    if kind in ("indeclinable", "acronym_indeclinable"):
        return ((lemma,),) * 14
    if kind == "singular_indeclinable":
        return ((lemma,),) * 7 + ((),) * 7
    from perturb.polish.loanwords import loan_paradigm

    cells = loan_paradigm(lemma, gender)
    return tuple(tuple(cells.get((number, case), ())) for number, case in _CELLS)


@lru_cache(maxsize=1)
def _overlay() -> dict[str, tuple[OverlayForm, ...]]:
    by_form: dict[str, list[OverlayForm]] = defaultdict(list)
    for row in read_table("overlay.tsv"):
        forms = _overlay_forms(row["lemma"], row["gender"], row["kind"])
        masks: dict[str, int] = defaultdict(int)
        for index, cell in enumerate(forms):
            for form in cell:
                masks[form] |= 1 << index
        for written, mask in masks.items():
            form = written.replace("’", "'")
            entry = OverlayForm(row["lemma"], row["gender"], forms, mask, row["kind"].startswith("acronym"))
            by_form[form].append(entry)
            if not row["lemma"].isupper():
                for spelling in {form[:1].upper() + form[1:], form.upper()} - {form}:
                    by_form[spelling].append(entry)
    return {form: tuple(entries) for form, entries in by_form.items()}


def overlay_nouns(word: str) -> tuple[OverlayForm, ...]:
    """Nouns of ``overlay.tsv`` that this word is a form of; acronyms only as they are capitalised there."""
    return _overlay().get(word.replace("’", "'"), ())


@lru_cache(maxsize=1)
def _lemmas() -> dict[str, str]:
    return {
        form.lower(): entries[0].lemma.lower()
        for form, entries in _overlay().items()
        if "-" in form or not entries[0].has_twin
    }


def overlay_lemma(word: str) -> str | None:
    """Lower-cased lemma of a form of the overlay, whatever its capitals; ``None`` for other words.

    Acronyms that have a twin in lower case are left to the dictionary, so that a text in any capitals has one lemma.
    """
    return _lemmas().get(word.replace("’", "'").lower())


def overlay_tags(word: str) -> tuple[tuple[str, str], ...]:
    """Lemma and SGJP tag of every reading of a form of the overlay; empty for other words."""
    return tuple(
        (entry.lemma, f"subst:{number}:{case}:{entry.gender}")
        for entry in overlay_nouns(word)
        for index, (number, case) in enumerate(_CELLS)
        if entry.mask >> index & 1
    )
