"""The lexicons behind the noun phrase parser, each read once on first use."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from perturb.polish.phrases.shapes import Cell
from perturb.resources import read_table

AVOIDED = 3.0
PREFERRED = -1.0
_ADJECTIVE = 1 / 3
"""An adjective marked ``avoid`` still goes where no noun competes: *dany przypadek*."""


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
