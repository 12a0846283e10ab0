"""The lexicons behind the noun phrase parser, each read once on first use."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from perturb.polish.phrases.shapes import CELLS, Cell
from perturb.resources import read_table

AVOIDED = 3.0
PREFERRED = -1.0
_ADJECTIVE = 1 / 3
"""An adjective marked ``avoid`` still goes where no noun competes: *dany przypadek*."""


class OverlayForm(NamedTuple):
    """A noun of the overlay lexicon, and the cells in which the form that was looked up can stand."""

    lemma: str
    gender: str
    forms: tuple[tuple[str, ...], ...]
    mask: int


@lru_cache(maxsize=1)
def _word_classes() -> dict[str, frozenset[str]]:
    classes: dict[str, set[str]] = defaultdict(set)
    for row in read_table("word_classes.tsv"):
        classes[row["class"]].add(row["word"])
    return {name: frozenset(words) for name, words in classes.items()}


def word_class(name: str) -> frozenset[str]:
    """A closed class of words, such as ``conjunction``, from ``word_classes.tsv``."""
    return _word_classes()[name]


@lru_cache(maxsize=1)
def _verdicts() -> dict[tuple[str, str], float]:
    weights = {"avoid": AVOIDED, "prefer": PREFERRED}
    return {
        (row["lexeme"], row["gender"]): weights[row["verdict"]] * (_ADJECTIVE if row["gender"] == "adj" else 1.0)
        for row in read_table("inflection_overrides.tsv")
        if row["verdict"] in weights
    }


def avoided(lexeme: str, gender: str) -> float:
    """Penalty of a lexeme against its homographs, from ``inflection_overrides.tsv``: negative if it is preferred."""
    verdicts = _verdicts()
    return verdicts.get((lexeme, gender), verdicts.get((lexeme, "any"), 0.0))


@lru_cache(maxsize=1)
def _companions() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = defaultdict(dict)
    for row in read_table("homograph_contexts.tsv"):
        table[row["lexeme"]][row["beside"]] = row["verdict"]
    return dict(table)


_NOBODY: dict[str, str] = {}


def companions(lexeme: str) -> dict[str, str]:
    """Lemmas beside which a lexeme is meant rather than its homographs, with a verdict (``homograph_contexts.tsv``).

    The verdict is ``prefer``, or ``plural`` where the pair is used in the plural only, such as *Stany Zjednoczone*.
    """
    return _companions().get(lexeme, _NOBODY)


@lru_cache(maxsize=1)
def frequent_nouns() -> frozenset[str]:
    """Lemmas of everyday nouns from ``frequent_nouns.tsv``."""
    return frozenset(row["lemma"] for row in read_table("frequent_nouns.tsv"))


@lru_cache(maxsize=1)
def singular_only() -> frozenset[str]:
    """Nouns whose plural nobody uses though the dictionary can build it, such as *VAT*."""
    return frozenset(row["lexeme"] for row in read_table("inflection_overrides.tsv") if row["verdict"] == "singular")


@lru_cache(maxsize=1)
def plural_only() -> frozenset[str]:
    """Nouns whose singular nobody uses though the dictionary has it, such as *nadgodzina*."""
    return frozenset(row["lexeme"] for row in read_table("inflection_overrides.tsv") if row["verdict"] == "plural")


@lru_cache(maxsize=1)
def preferred_forms() -> dict[tuple[str, Cell], tuple[str, ...]]:
    """By lemma and cell the forms to put first where SGJP gives several."""
    table: dict[tuple[str, Cell], tuple[str, ...]] = {}
    for row in read_table("preferred_forms.tsv"):
        case, number = row["cell"].split(".")
        table[row["lemma"], (number, case)] = tuple(row["forms"].split("|"))
    return table


def _overlay_forms(lemma: str, gender: str, kind: str) -> tuple[tuple[str, ...], ...]:
    if kind == "indeclinable":
        return ((lemma,),) * 14
    if kind == "singular_indeclinable":
        return ((lemma,),) * 7 + ((),) * 7
    from perturb.polish.loanwords import loan_paradigm

    cells = loan_paradigm(lemma, gender)
    return tuple(tuple(cells.get((number, case), ())) for number, case in CELLS)


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
            entry = OverlayForm(row["lemma"], row["gender"], forms, mask)
            by_form[form].append(entry)
            if not row["lemma"].isupper():
                for spelling in {form[:1].upper() + form[1:], form.upper()} - {form}:
                    by_form[spelling].append(entry)
    return {form: tuple(entries) for form, entries in by_form.items()}


def overlay_nouns(word: str) -> tuple[OverlayForm, ...]:
    """Nouns of ``overlay.tsv`` that this word is a form of; acronyms only as they are capitalised there."""
    return _overlay().get(word.replace("’", "'"), ())
