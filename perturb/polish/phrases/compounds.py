"""English compounds in Polish phrases: only the last word inflects (*team leadera*), or none does (*call center*).

``lexicons/english_compounds.tsv`` lists the words of which such compounds are built.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from perturb.polish.loanwords import CELLS as LOAN_CELLS
from perturb.polish.loanwords import loan_paradigm
from perturb.polish.morphology import analyse
from perturb.polish.phrases.paradigms import Forms, overlay_noun
from perturb.polish.phrases.words import NounReading
from perturb.resources import read_table

_GUESSED = 2.6
"""Penalty of a last word that no lexicon knows, *business accelerator*: below the threshold of confidence."""

_SHORTEST = 3


@lru_cache(maxsize=1)
def _firsts() -> dict[str, str]:
    return {row["word"]: row["first"] for row in read_table("english_compounds.tsv") if row["first"]}


@lru_cache(maxsize=1)
def _polish_heads() -> frozenset[str]:
    return frozenset(row["word"] for row in read_table("english_compounds.tsv") if row["genitive"] == "dictionary")


@lru_cache(maxsize=1)
def _heads() -> dict[str, tuple[tuple[NounReading, ...], bool]]:
    """By form the readings of a last word, and whether it may follow a weak word."""
    found: dict[str, list[NounReading]] = defaultdict(list)
    free: dict[str, bool] = {}
    for row in read_table("english_compounds.tsv"):
        if not row["gender"]:
            continue
        for form, reading in _readings(row["word"], row["gender"], row["genitive"]):
            found[form].append(reading)
            free[form] = free.get(form, False) or row["after"] == "any"
    return {form: (tuple(readings), free[form]) for form, readings in found.items()}


def _readings(lemma: str, gender: str, genitive: str) -> list[tuple[str, NounReading]]:
    cells = loan_paradigm(lemma, gender, "" if genitive == "guess" else genitive)
    forms: Forms = tuple(tuple(cells[cell]) for cell in LOAN_CELLS)
    return list(_by_form(lemma, gender, forms).items())


def _by_form(lemma: str, gender: str, forms: Forms, penalty: float = 0.0) -> dict[str, NounReading]:
    noun = overlay_noun(lemma, gender, forms)
    masks: dict[str, int] = defaultdict(int)
    for index, cell in enumerate(forms):
        for form in cell:
            masks[form.replace("’", "'")] |= 1 << index
    return {form: NounReading(noun, mask, penalty) for form, mask in masks.items()}


@lru_cache(maxsize=65536)
def _is_foreign(word: str) -> bool:
    """Whether no dictionary has a word in plain letters: it may stand before a known English one (*growth* manager)."""
    return len(word) >= _SHORTEST and word.isascii() and word.isalpha() and not analyse(word)


@lru_cache(maxsize=4096)
def _unknown_head(word: str) -> tuple[NounReading, ...]:
    """A word that no dictionary has, as the end of a compound: inflected by the rules of loanwords."""
    if not _is_foreign(word):
        return ()
    cells = loan_paradigm(word)
    forms: Forms = tuple(tuple(cells[cell]) for cell in LOAN_CELLS)
    gender = "f" if word.endswith("a") else "m3"
    return (_by_form(word, gender, forms, _GUESSED)[word],)


def english_compounds(words: Sequence[str]) -> dict[int, tuple[NounReading, ...] | None]:
    """The English compounds among the words of a phrase.

    Args:
        words: the words in lower case.

    Returns:
        By index ``None`` for a word that stays as it is before the last one, the readings of the last word, or no
        reading where the dictionary has it.
    """
    firsts = _firsts()
    found: dict[int, tuple[NounReading, ...] | None] = {}
    start = 0
    while start < len(words) - 1:
        if words[start] not in firsts and not _is_foreign(words[start]):
            start += 1
            continue
        end, readings = _end_of_compound(words, start)
        if end > start:
            found.update(dict.fromkeys(range(start, end)))
            found[end] = readings
        start = max(end, start) + 1
    return found


def _end_of_compound(words: Sequence[str], start: int) -> tuple[int, tuple[NounReading, ...]]:
    """Index of the last word of the longest compound that begins at ``start``, and its readings; ``start`` if none."""
    firsts = _firsts()
    best: tuple[int, tuple[NounReading, ...]] = (start, ())
    strong = False
    for index in range(start + 1, len(words)):
        strength = firsts.get(words[index - 1], "") or ("weak" if _is_foreign(words[index - 1]) else "")
        if not strength:
            break
        strong = strong or strength == "strong"
        word = words[index].replace("’", "'")
        readings, free = _heads().get(word, ((), False))
        if readings and (free or strong):
            best = (index, readings)
        elif strong and word in _polish_heads():
            best = (index, ())
        elif strong and word not in firsts:
            guessed = _unknown_head(word)
            best = (index, guessed) if guessed else best
    return best


__all__ = ["english_compounds"]
